"""What happens in a sequence as the log and the chronicle have it: with names, in the past tense.

Each event of the rules becomes a kind of its own, because other games have
events of the same names.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, assert_never

import msgspec

from campaigns.models import Character, Sequence
from campaigns.services.naming import Named, in_log
from campaigns.services.telling import narrate
from games.rules.engine import Event
from games.rules.wicked_sequence import AnyEvent, events
from games.services.change import Change

Told = tuple[str, dict[str, Any]]


class Teller:
    """Tells what happened in a sequence; `people` are those in it by what it calls them."""

    def __init__(self, change: Change, sequence: Sequence, people: Mapping[str, Character]) -> None:
        self.change, self.sequence = change, sequence
        self.names = {ref: in_log(one) for ref, one in people.items()}

    def tell(self, happened: Iterable[Event]) -> None:
        """Put events into the log and the chapter's chronicle."""
        for event in happened:
            self.say(*self._told(event))  # type: ignore[arg-type]  # no others in a sequence

    def say(self, kind: str, data: dict[str, Any]) -> None:
        """Tell something of this sequence."""
        row = self.sequence
        narrate(self.change, row.chapter, kind, sequence=row, game=row.game, **data)

    def name(self, ref: str) -> Named:
        return self.names.get(ref, ref)

    def _all(self, refs: Iterable[str]) -> list[Named]:
        return [self.name(ref) for ref in refs]

    def _told(self, event: AnyEvent) -> Told:
        """Return the kind and the fields that an event is told with."""
        match event:
            case events.Chosen() | events.Bought() | events.Rolled():
                return self._of_dice(event)
            case events.Pressed(by=who):
                return "tie_pressed", {"name": self.name(who)}
            case events.BackingAway(by=who):
                return "backing_offered", {"name": self.name(who)}
            case events.TiedAtTop(tied=who):
                return "top_tied", {"names": self._all(who)}
            case events.BackedAway(who=who):
                return "backed_away", {"names": self._all(who)}
            case events.LotsDrawn(order=who):
                return "lots_decided", {"names": self._all(who)}
            case events.OrderSet(order=who):
                return "turns_ordered", {"names": self._all(who)}
            case events.Moved() | events.Interfered() | events.LetItPass():
                return self._of_moves(event)
            case events.MoveLost() | events.Compared():
                return self._of_answers(event)
            case events.Settled():
                return self._of_harm(event)
            case _:
                return self._of_coming_and_going(event)

    def _of_dice(self, event: events.Chosen | events.Bought | events.Rolled) -> Told:
        match event:
            case events.Chosen():
                return "forms_taken", {
                    "name": self.name(event.by),
                    "forms": list(event.forms),
                    "strengths": list(event.strengths),
                    "dice": [die.sides for die in event.dice],
                }
            case events.Bought(by=who, name=struck):
                return "die_bought", {"name": self.name(who), "struck": self.name(struck)}
            case events.Rolled():
                return "dice_fell", {
                    "name": self.name(event.by),
                    "purpose": event.purpose,
                    "dice": [[die.source, die.sides, die.face] for die in event.dice],
                    "pips": list(event.pips),
                    "total": event.total,
                    "is_real": self.change.play.is_real,
                }
        assert_never(event)

    def _of_moves(self, event: events.Moved | events.Interfered | events.LetItPass) -> Told:
        data: dict[str, Any] = {"name": self.name(event.by), "says": event.says}
        match event:
            case events.Moved(named=named):
                return "move_made", {**data, "others": self._all(named)}
            case events.Interfered():
                return "stepped_in", data
            case events.LetItPass():
                return "move_let_pass", data
        assert_never(event)

    def _of_answers(self, event: events.MoveLost | events.Compared) -> Told:
        match event:
            case events.MoveLost(who=who):
                return "move_forfeited", {"name": self.name(who)}
            case events.Compared():
                return "answer_met", {
                    "name": self.name(event.answerer),
                    "mover": self.name(event.mover),
                    "result": event.result,
                    "standing": event.standing,
                    "answer": event.answer,
                }
        assert_never(event)

    def _of_harm(self, event: events.Settled) -> Told:
        """Tell the default and an agreement apart: the one is a blow, the other a bargain."""
        data = {
            "name": self.name(event.loser),
            "winner": self.name(event.winner),
            "lost": msgspec.to_builtins(event.lost),
            "consequential": list(event.consequential),
        }
        if event.as_ is not None:
            return "harm_settled", {**data, "how": event.as_}
        return "terms_settled", {**data, "terms": msgspec.to_builtins(event.terms)}

    def _of_coming_and_going(self, event: AnyEvent) -> Told:
        match event:
            case events.RoundBegun(round=number):
                return "round_opened", {"round": number}
            case events.RoundEnded(round=number, advantage=won):
                held = [[self.name(one.holder), self.name(one.over)] for one in won]
                return "round_closed", {"round": number, "advantage": held}
            case events.OutOfChapter(who=who):
                return "character_out", {"name": self.name(who)}
            case events.Departed(who=who):
                return "sequence_left", {"name": self.name(who)}
            case events.Joined(who=who):
                return "sequence_joined", {"name": self.name(who)}
            case events.Owing(name=who):
                return "name_owed", {"name": self.name(who)}
            case events.Ended(inside=inside):
                return "sequence_ended", {"names": self._all(inside)}
        raise AssertionError(event)
