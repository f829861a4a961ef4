"""Hit points, falling, waking and dying (KN-16), what the dead leave behind, and growing."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils import timezone

from characters.actions.kinds import MOST_XP
from characters.models import Character, Pile
from characters.services.combatants import fighter_id
from characters.services.finding import party_of
from characters.services.goods import brought, items_of, leave_bundle, names_of
from characters.services.purse import COINS, coins_of
from characters.services.telling import tell_of
from games.rules.knave import growth
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import keep

State = Character.State
LOWEST_HP = -999
"""Nobody is deader than this: beyond, what a blow took would only make the sheet hard to read."""


def bounded_hp(character: Character, hp: int) -> int:
    """Return hit points as a sheet can have them: never above its maximum."""
    return max(LOWEST_HP, min(hp, character.max_hp))


def set_hp(change: Change, character: Character, hp: int, cause: str = "") -> None:
    """Set hit points, never above the maximum; 0 is unconscious, less is dead (KN-16)."""
    before = character.state
    character.hp = bounded_hp(character, hp)
    character.state = (
        State.UP if character.hp > 0 else State.UNCONSCIOUS if character.hp == 0 else State.DEAD
    )
    if character.state == State.DEAD:
        _die(change, character, cause)
    keep(change, character)
    if character.state != before:
        kind = {
            State.UP: "knave_woke",
            State.UNCONSCIOUS: "knave_fell",
            State.DEAD: "knave_died",
        }[State(character.state)]
        tell_of(
            change,
            kind,
            character,
            game=change.play.game,
            who=fighter_id(character),
            cause=character.death,
        )


def _die(change: Change, character: Character, cause: str) -> None:
    """Write the grave, and lay out the kit as loot for the others."""
    character.death = cause[:200]
    character.died_at = timezone.now()
    character.died_on = party_of(change.table).day
    lay_out(change, character)
    for hireling in character.hirelings.exclude(state__in=[State.DEAD, State.GONE]):
        # KN-20: the host is offered the check, and decides.
        to = gm_seat(change)
        tell_of(change, "morale_offered", hireling, to=to, of=character.name)


def lay_out(change: Change, character: Character) -> None:
    """Turn all that somebody carried into a pile that anybody may claim from.

    What is at home, also in a chest there, is out of the others' reach. What somebody hidden
    leaves is as hidden as they were: it bears their name, and the host shows it.
    """
    items = brought(items_of(character))
    coins = coins_of(character)
    if not items and not any(coins.values()):
        return
    is_shown = not character.is_hidden
    pile = Pile(table=change.table, name=character.name, of=character, is_shown=is_shown, **coins)
    keep(change, pile)
    for name in COINS:
        setattr(character, name, 0)
    lit = [item for item in items if item.is_lit]
    for item in items:
        item.holder, item.pile = None, pile
        item.is_equipped = item.is_lit = False
        leave_bundle(item)
    keep(change, *items)
    keep(change, character)
    for item in lit:
        tell_of(change, "light_gone_out", character, item=names_of(item))


def earn(change: Change, who: Iterable[Character], xp: int) -> None:
    """Add experience to each, and tell for whom a level has become due by it (KN-22, KN-23)."""
    for one in who:
        was_due = growth.is_due(one.level, one.xp)
        one.xp = min(MOST_XP, one.xp + xp)
        keep(change, one)
        if one.kind == Character.Kind.KNAVE and not was_due and growth.is_due(one.level, one.xp):
            tell_of(change, "level_due", one, level=one.level + 1)
