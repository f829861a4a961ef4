"""The fight on the table: moves into its rules, and what comes of them on the sheets.

Every move goes into the engine as the referee's (no seat): a deed has checked
before whether who taps may. A tap may be several moves; they stand in the
play's action as `moves`, each with its dice, so that the record replays. What
was done to a sheet meanwhile (a sword drawn, a potion drunk) the fight catches
up with before its next move; hit points and worn gear go back to the sheets in
the same write, so that undoing the tap sets back both.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from django.utils import timezone, translation
from django.utils.translation import gettext as _
from msgspec.structs import replace

from characters.models import Character, Item
from characters.services import fight_log
from characters.services.body import set_hp
from characters.services.combatants import Arms, arms_of, combatant_of, fighter_id, key_of
from characters.services.fight_refusals import refused_move
from characters.services.goods import part
from characters.services.turns import check_turn, check_with_us
from games.asked import Asked
from games.errors import MovedOn
from games.models import Game, Seat, Table, rows
from games.rules import knave_fight as kf
from games.rules.dice import RecordedDice, SystemDice
from games.rules.engine import Event, IllegalAction
from games.rules.knave_fight.events import (
    ArmorBroken,
    ArmorWorn,
    Died,
    MoraleDue,
    WeaponBroken,
    WeaponWorn,
)
from games.rules.knave_fight.harm import PIECES
from games.services.act import Tap
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import drop, keep, lean
from games.services.moves import Moves, note_moves, put_state
from games.services.refusing import check_scene
from games.stored import rules_of, state_of

PARTY = kf.Side.PARTY
OUT_OF_IT = (kf.Status.DEAD, kf.Status.FLED)


@dataclass
class Member:
    """Somebody with a sheet who fights: the sheet, what it holds, what it fights with."""

    character: Character
    items: list[Item]
    arms: Arms

    @property
    def gear(self) -> dict[str, Item]:
        return self.arms.gear


Crew = dict[str, Member]


def fight_of(table: Table) -> Game | None:
    """Return the fight that is being fought, or None."""
    found = rows.first(Game, table_id=table.pk, rules=kf.NAME, status=Game.Status.PLAYING)
    if found is not None:
        found.table = table
    return found


def running(change: Change, tap: Tap) -> Game:
    """Return the running fight. Raises MovedOn when there is none, or the round has changed."""
    game = fight_of(change.table)
    if game is None:
        raise MovedOn(_("There is no fight now."))
    check_scene(game, tap)
    return game


def move(
    change: Change,
    game: Game,
    *actions: kf.FightAction,
    dice: RecordedDice | None = None,
    is_told: bool = True,
    cause: str = "",
    known: Sequence[Character] = (),
) -> list[Event]:
    """Play moves one after the other; return what happened in them.

    What happened goes into the log unless `is_told` is off: then the deed tells
    it in its own words, and only whose morale is due is told, to the host.
    `cause` is what the sheet of somebody who dies of it says. `known` are
    sheets the caller holds, which are written on instead of copies of them.
    Raises MovedOn, with the rule's reason, for what the rules refuse.
    """
    moves = Moves(game, dice or RecordedDice(SystemDice()))
    crew = _crew(change.table, moves.state, known)
    for step in _catching_up(moves.state, crew):
        _play(moves, step)
    before, seen = moves.state, list[Event]()
    for action in actions:
        for step in _approach(moves.state, action):
            _play(moves, step)
        seen += _play(moves, _as_rated(moves.state, crew, action))
    if not moves.made:
        return []
    state: kf.State = moves.state
    note_moves(change, moves)
    people = {**{fighter_id(c): c for c in known}, **{w: m.character for w, m in crew.items()}}
    teller = fight_log.Teller(change, game, state, people, {w: m.gear for w, m in crew.items()})
    teller.tell([e for e in seen if is_told or isinstance(e, MoraleDue)])
    _keep(change, game, state, actions)
    _keep_gear(change, crew, seen)
    _keep_hp(change, before, state, crew, _causes(state, seen, cause))
    return seen


def _play(moves: Moves, action: kf.FightAction) -> tuple[Event, ...]:
    try:
        return moves.play(action)
    except IllegalAction as refusal:
        raise refused_move(refusal, moves.state, action) from refusal


# Between the lowest and the highest key of those who fight: a query's shape must not change with
# their number. Who else stands there is left out.
_SHEETS = Asked(
    lambda table, low, high: (
        Character.objects.filter(table=table, pk__gte=low, pk__lte=high)
        .select_related("employer", "seat")
        .defer("portrait", "employer__portrait")
    )
)
_HELD = Asked(
    lambda table, low, high: Item.objects.filter(
        table=table, holder__gte=low, holder__lte=high
    ).select_related("article", "spell")
)


def _crew(table: Table, state: kf.State, known: Sequence[Character]) -> Crew:
    """Read the sheets of everybody who has one, on whichever side, with what they hold."""
    keys = {key for f in state.fighters if (key := key_of(f.id))}
    if not keys:
        return {}
    between = (table.pk, min(keys), max(keys))
    read = [c for c in _SHEETS(*between) if c.pk in keys]
    held = {c.pk: c for c in rows.belonging(read, table=table)} | {
        c.pk: c for c in known if c.pk in keys
    }
    items = _held_by(table, held)
    return {
        fighter_id(c): Member(c, items[c.pk], arms_of(c, items[c.pk]))
        for c in sorted(held.values(), key=lambda c: c.pk)
    }


def _held_by(table: Table, keys: Collection[int]) -> dict[int, list[Item]]:
    """Read what each of these sheets holds, by their keys, all at once and with its names."""
    items: dict[int, list[Item]] = {key: [] for key in keys}
    if items:
        for item in rows.belonging(_HELD(table.pk, min(items), max(items)), table=table):
            if item.holder_id in items:
                items[item.holder_id].append(item)
    return items


def _catching_up(state: kf.State, crew: Crew) -> Iterator[kf.FightAction]:
    """Yield the moves by which the fight catches up with the sheets.

    A maximum or a bonus that changed meanwhile counts from the next fight on.
    """
    for who, member in crew.items():
        fighter = state.of(who)
        if fighter.status in OUT_OF_IT:
            continue
        if member.character.state == Character.State.GONE:
            if fighter.is_up:
                yield kf.Flee(of=who)
            continue
        hp = min(member.character.hp, fighter.max_hp)
        if hp < fighter.hp:
            yield kf.Hurt(on=who, amount=fighter.hp - hp)
        elif hp > fighter.hp:
            yield kf.Heal(on=who, amount=hp - fighter.hp)
        if hp < 0:
            continue
        now = combatant_of(member.character, member.items, member.arms)
        if any(getattr(now, piece) != getattr(fighter, piece) for piece in PIECES):
            yield kf.Wear(by=who, armor=now.armor, shield=now.shield, helmet=now.helmet)
        if hp > 0 and now.weapon != fighter.weapon:
            yield kf.Wield(by=who, weapon=now.weapon)


def _approach(state: kf.State, action: kf.FightAction) -> Iterator[kf.Engage]:
    """Yield the step into melee that goes before a blow at a foe who stands (KN-14)."""
    if not isinstance(action, kf.Attack):
        return
    by, on = state.find(action.by), state.find(action.on)
    weapon = None if by is None else by.weapon_at(action.with_)
    if by is None or on is None or weapon is None or weapon.ranged or by.side is on.side:
        return
    step = kf.Engage(by=action.by, on=action.on)
    if kf.fault(state, None, step) is None:
        yield step


def _as_rated(state: kf.State, crew: Crew, action: kf.FightAction) -> kf.FightAction:
    """Return a roll of morale with the rating that a sheet has now, if it is another (KN-20)."""
    if not isinstance(action, kf.Morale) or action.of not in crew:
        return action
    rating = crew[action.of].character.morale
    return action if rating == state.of(action.of).morale else replace(action, rating=rating)


def _keep(change: Change, game: Game, state: kf.State, actions: Sequence[kf.FightAction]) -> None:
    """Keep the fight as it is now.

    The scene lasts from one initiative to the next: who taps within a round
    answers the same one, and several may at once.
    """
    opens_scene = any(isinstance(action, kf.Initiative | kf.End) for action in actions)
    put_state(change, game, state, opens_scene=opens_scene)
    outcome = rules_of(game).outcome(state)
    if outcome is not None:
        game.status, game.ended_at = Game.Status.OVER, timezone.now()
        game.winners = [state.party[seat].name for seat in outcome.winners]
    keep(change, game)


def _keep_gear(change: Change, crew: Crew, events: Sequence[Event]) -> None:
    """Write quality that was lost back to the things (KN-19)."""
    for event in events:
        match event:
            case ArmorWorn(who=who, piece=piece, left=left) if who in crew:
                _wear(change, crew[who].gear[piece], left)
            case WeaponWorn(who=who, left=left) if who in crew:
                _wear(change, crew[who].gear["weapon"], left)
            case ArmorBroken(who=who, piece=piece) if who in crew:
                _wear(change, crew[who].gear[piece], None)
            case WeaponBroken(who=who) if who in crew:
                _wear(change, crew[who].gear["weapon"], None)


def _causes(state: kf.State, events: Sequence[Event], cause: str) -> dict[str, str]:
    """Say what the dead died of: the cause that the deed gives, or who struck."""
    names = {f.id: f.name for f in state.fighters}
    dead = (event for event in events if isinstance(event, Died))
    return {event.who: cause or names.get(event.by or "", "") for event in dead}


def _keep_hp(
    change: Change, before: kf.State, after: kf.State, crew: Crew, causes: dict[str, str]
) -> None:
    """Write hit points back to the sheets (KN-16)."""
    for who, member in crew.items():
        was, now = before.of(who).hp, after.of(who).hp
        one = member.character
        if was == now or one.state == Character.State.GONE:
            continue  # who was sent away lies there still, and comes back to no table
        # A sheet whose maximum has risen since the fight began may hold more than the fight knows.
        set_hp(change, one, now if now <= 0 else one.hp + now - was, causes.get(who, ""))


def _wear(change: Change, item: Item, left: int | None) -> None:
    """Take quality from one thing; None left destroys it."""
    if item.count > 1:
        others = part(change, item, item.count - 1)
        others.is_equipped = False
        keep(change, others)
    if left is None:
        drop(change, item)
    else:
        item.quality = left
        keep(change, item)


def _fighting(change: Change, character: Character) -> Game | None:
    """Return the running fight if this sheet still has a part in it."""
    game = fight_of(change.table)
    fighter = state_of(game).find(fighter_id(character)) if game else None
    return None if fighter is None or fighter.status in OUT_OF_IT else game


def figures_to(change: Change, character: Character) -> Seat | None:
    """Return who may know a sheet's figures: all, or of one who fights the party the host alone."""
    game = fight_of(change.table)
    fighter = state_of(game).find(fighter_id(character)) if game else None
    is_foe = fighter is not None and fighter.side is kf.Side.FOES
    return gm_seat(change) if is_foe else None


def harm(
    change: Change, character: Character, amount: int, cause: str = "", *, is_told: bool = False
) -> None:
    """Take hit points from a sheet (KN-16), through the fight when it has a part in one.

    Where it `is_told`, the fight tells of it as of any wound: of a foe's not how much is left.
    """
    game = _fighting(change, character)
    if game is None:
        set_hp(change, character, character.hp - amount, cause)
        return
    hurt = kf.Hurt(on=fighter_id(character), amount=amount)
    move(change, game, hurt, is_told=is_told, cause=cause, known=(character,))


def mend(change: Change, character: Character, amount: int, *, is_told: bool = False) -> None:
    """Give a sheet hit points back (KN-21), through the fight when it has a part in one: `harm`."""
    game = _fighting(change, character)
    if game is None:
        set_hp(change, character, character.hp + amount)
        return
    heal = kf.Heal(on=fighter_id(character), amount=amount)
    move(change, game, heal, is_told=is_told, known=(character,))


def most_hp(change: Change, character: Character) -> int:
    """Return how far healing reaches now: in a fight to the maximum that it began with (KN-21)."""
    game = _fighting(change, character)
    if game is None:
        return character.max_hp
    known: int = state_of(game).of(fighter_id(character)).max_hp
    return min(character.max_hp, known)


def regear(change: Change, character: Character) -> None:
    """Let the running fight know what a sheet now wears and wields."""
    game = _fighting(change, character)
    if game is not None:
        move(change, game, known=(character,))


def cast(change: Change, item: Item) -> None:
    """Make reading a spell book aloud the round's combat action (KN-13, KN-25).

    Raises MovedOn when the round does not allow it. Outside a fight nothing is asked.
    """
    caster = item.holder
    game = _fighting(change, caster) if caster else None
    if game is None or caster is None:
        return
    with translation.override(change.table.language):
        reads = kf.Cast(by=fighter_id(caster), spell=item.said_name[:200])
    fighter = state_of(game).of(reads.by)
    check_with_us(change, fighter)
    check_turn(change, game, reads, fighter.side)
    move(change, game, reads, is_told=False, known=(caster,))


def join_late(change: Change, character: Character) -> None:
    """Let somebody come into the running fight, if there is one, with the hirelings (KN-24)."""
    game = fight_of(change.table)
    if game is None:
        return
    hired = character.hirelings.filter(state__in=Character.ALIVE, is_hidden=False)
    there = state_of(game).ids
    people = [one for one in (character, *hired) if fighter_id(one) not in there]
    if people:
        joins = (kf.Join(side=PARTY, combatant=one) for one in enlist(change, people))
        move(change, game, *joins, known=people)


def enlist(change: Change, people: Sequence[Character]) -> tuple[kf.Combatant, ...]:
    """Return sheets as the fight that they go into knows them, with what each holds now.

    Whoever takes back that one of them is alive, or in sight, takes the fight back, too: nobody
    could act for somebody in it whose sheet is not on the table, and nobody would be told of them.
    """
    for one in people:
        lean(change, one, "state", "is_hidden")
    items = _held_by(change.table, [one.pk for one in people])
    return tuple(combatant_of(one, items[one.pk]) for one in people)


def leave(change: Change, character: Character) -> None:
    """Take somebody who goes away out of the running fight."""
    game = _fighting(change, character)
    if game is not None and state_of(game).of(fighter_id(character)).is_up:
        flee = kf.Flee(of=fighter_id(character))
        move(change, game, flee, is_told=False, known=(character,))
