"""A fight's events as the table's log has them: with names, and without what is a secret."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import msgspec

from characters.models import Character, Item
from characters.services.finding import party_of
from characters.services.goods import names_of
from characters.services.telling import tell
from games.models import Game
from games.rules import knave_fight as kf
from games.rules.engine import Event
from games.rules.knave_fight.events import (
    ArmorBroken,
    ArmorWorn,
    Attacked,
    Died,
    FellUnconscious,
    MoraleDue,
    Saved,
    Stunted,
    WeaponBroken,
    WeaponWorn,
    Woke,
)
from games.services.change import Change
from games.services.host import gm_seat

ROLES = ("by", "on", "who", "of", "standing")
"""The fields of events that hold ids; beside each stands in the log whom it names."""


class Teller:
    """Tells what happened in a fight.

    `people` are the sheets in it by their id there, `gear` what they fight with.
    """

    def __init__(
        self,
        change: Change,
        game: Game,
        state: kf.State,
        people: dict[str, Character],
        gear: dict[str, dict[str, Item]],
    ) -> None:
        self.change, self.game, self.state = change, game, state
        self.people, self.gear = people, gear
        self.names = {f.id: f.name or f.id for f in state.fighters}
        self.foes = {f.id for f in state.fighters if f.side is kf.Side.FOES}
        self.hides = not party_of(change.table).settings.foes_shown

    def tell(self, events: Iterable[Event]) -> None:
        """Log events. How a sheet falls, dies or wakes is told by its own record."""
        for event in events:
            if isinstance(event, FellUnconscious | Died | Woke) and event.who in self.people:
                continue
            data = self._data(event)
            about = [self.people[who] for who in self._who(data) if who in self.people]
            # KN-20: whose morale is due is an offer to the referee.
            to = gm_seat(self.change) if isinstance(event, MoraleDue) else None
            tell(self.change, type(event).__name__, *about, game=self.game, to=to, **data)

    def _data(self, event: Event) -> dict[str, Any]:
        data: dict[str, Any] = msgspec.to_builtins(event)
        del data["event"], data["to"]
        for role in ROLES:
            value = data.get(role)
            if isinstance(value, str):
                data[f"{role}_name"] = self.names[value]
            elif value is not None:
                data[f"{role}_names"] = [self.names[who] for who in value]
        if self.change.play.is_real and ("faces" in data or "face" in data):
            data["is_real"] = True
        match event:
            case Attacked(by=who) | WeaponWorn(who=who) | WeaponBroken(who=who):
                self._name_thing(data, "weapon", who, "weapon")
            case ArmorWorn(who=who, piece=piece) | ArmorBroken(who=who, piece=piece):
                self._name_thing(data, "item", who, piece)
        if data.get("by") in self.foes:
            data["by_foe"] = True
        if self.hides and self._tells_of_a_foe(event):
            data["target"] = None
        return data

    def _name_thing(self, data: dict[str, Any], field: str, who: str, piece: str) -> None:
        """Name a sheet's thing in every language; a foe's has only the name of its record."""
        item = self.gear.get(who, {}).get(piece)
        if item is not None:
            data[field] = names_of(item)

    def _tells_of_a_foe(self, event: Event) -> bool:
        """Tell whether what was rolled against is a foe's own number."""
        match event:
            case Attacked(rolled_by="defender", by=who) | Attacked(on=who) | Stunted(on=who):
                return who in self.foes
            case Saved(who=who):
                return who in self.foes
        return False

    @staticmethod
    def _who(data: dict[str, Any]) -> list[str]:
        """List the ids an event is about, each once."""
        found: list[str] = []
        for role in ROLES:
            value = data.get(role) or []
            found += [value] if isinstance(value, str) else value
        return list(dict.fromkeys(found))
