"""Moves in a fight (KN-12 to KN-20): a player's for their own fighters, the host's for all.

Forms and the API name them `fight-<move>`, because sheets and other games have
moves of the same words.
"""

from __future__ import annotations

from typing import TypeVar

from django.utils.translation import gettext as _
from msgspec.structs import replace

from characters import actions
from characters.actions.kinds import Edge, Letters, Modifier
from characters.deeds.people import person
from characters.models import Character
from characters.services.combatants import fighter_id, key_of
from characters.services.fight_refusals import shown_name
from characters.services.fighting import move, running
from characters.services.finding import party_of, plays, thing_named
from characters.services.turns import check_turn, check_with_us
from games.actions import RowKey, TableAction
from games.asked import Asked
from games.errors import Forbidden, MovedOn
from games.models import Game
from games.rules import knave_fight as kf
from games.rules.dice import RecordedDice
from games.rules.knave.abilities import Ability
from games.rules.knave_fight import refusals
from games.rules.knave_fight.model import Id
from games.services.act import DEEDS, Tap, deed
from games.services.change import Change
from games.services.dice import dice_for
from games.services.host import is_gm
from games.services.refusing import reason_of
from games.stored import state_of

Half = TypeVar("Half", kf.Attack, kf.Stunt)


class FightWield(TableAction, frozen=True, tag="fight-wield"):
    """Take a weapon in hand that one's fighter carries."""

    by: Id
    item: RowKey


class FightSave(TableAction, frozen=True, tag="fight-save"):
    """Save against a danger (KN-8), or against the defense of `who` in an ability (KN-9).

    Forms have no fields within fields; the rules' own `kf.Save` has.
    """

    by: Id
    ability: Letters
    who: Id | None = None
    against: Letters = "int"
    edge: Edge = ""
    modifier: Modifier = 0


_SHEET = Asked(
    lambda table, key: (
        Character.objects.filter(table=table, pk=key)
        .select_related("employer")
        .only("seat", "employer__seat")[:1]
    )
)


def check_own(change: Change, game: Game, who: str) -> None:
    """Raise Forbidden unless the actor plays this combatant.

    The host plays everybody, and alone whoever has gone over to the foes.
    """
    if is_gm(change):
        return
    fighter = state_of(game).find(who)
    if fighter is not None:
        check_with_us(change, fighter)
    found = _SHEET.first(change.table.pk, key_of(who))
    if found is None or not plays(change.seat, found):
        raise Forbidden(reason_of(refusals.NOT_YOURS))


def _as_begun(state: kf.State, fighter: kf.Fighter, half: Half) -> Half:
    """Return the other half of an attack and a stunt, marked as such whatever the form says.

    Whoever has begun them can do nothing else this round, nor at another foe (KN-18), and the
    host's form serves them as well as those who have begun nothing. Raises MovedOn for another
    foe: the rules let it pass, because old records have it.
    """
    if not fighter.both:
        return half
    half = replace(half, both=True)
    if half.on != fighter.both_on != "" and kf.fault(state, None, half) is None:
        text = _("An attack and a stunt together are against the same foe: %(name)s.")
        raise MovedOn(text % {"name": shown_name(state, fighter.both_on)})
    return half


def d20s(change: Change, tap: Tap, edge: kf.Edge | None) -> RecordedDice:
    """Return the dice of a d20 roll, two where there is an edge (KN-10); damage follows."""
    return dice_for(change, tap, [20] if edge is None else [20, 20], more=True)


@deed(kf.Initiative, stops_in_pause=True, answers_scene=True, word="fight-initiative")
def initiative(change: Change, action: kf.Initiative, tap: Tap) -> None:
    """Roll who acts first; the next round begins (KN-12)."""
    game = running(change, tap)
    move(change, game, action, dice=dice_for(change, tap, [6]))


@deed(kf.Attack, may="seat", stops_in_pause=True, answers_scene=True, word="fight-attack")
def attack(change: Change, action: kf.Attack, tap: Tap) -> None:
    """Strike (KN-14). A defender rolls where the players roll all dice, or the host says so."""
    game = running(change, tap)
    if action.rolled_by == "attacker":
        check_own(change, game, action.by)
    else:
        check_own(change, game, action.on)
        if not (is_gm(change) or party_of(change.table).settings.players_roll_all):
            raise Forbidden(_("At this table the referee rolls for the foes."))
    state = state_of(game)
    attacker = state.find(action.by)
    if attacker is not None:
        check_turn(change, game, action, attacker.side)
        action = _as_begun(state, attacker, action)
    move(change, game, action, dice=d20s(change, tap, action.edge))


@deed(kf.Stunt, may="seat", stops_in_pause=True, answers_scene=True, word="fight-stunt")
def stunt(change: Change, action: kf.Stunt, tap: Tap) -> None:
    """Try a stunt (KN-17)."""
    game = running(change, tap)
    check_own(change, game, action.by)
    check_turn(change, game, action, kf.Side.PARTY)
    state = state_of(game)
    fighter = state.find(action.by)
    if fighter is not None:
        action = _as_begun(state, fighter, action)
    move(change, game, action, dice=d20s(change, tap, action.edge))


@deed(FightSave, stops_in_pause=True, answers_scene=True)
def save(change: Change, action: FightSave, tap: Tap) -> None:
    """Roll a save for anybody, above all for a foe that a spell is aimed at (KN-8, KN-9, KN-25)."""
    game = running(change, tap)
    opponent = None
    if action.who is not None:
        opponent = kf.Opponent(who=action.who, ability=Ability(action.against))
    edge = kf.Edge(action.edge) if action.edge else None
    rolled = kf.Save(
        by=action.by,
        ability=Ability(action.ability),
        against=opponent,
        edge=edge,
        modifier=action.modifier,
    )
    move(change, game, rolled, dice=d20s(change, tap, edge))


@deed(kf.Engage, may="seat", stops_in_pause=True, answers_scene=True, word="fight-engage")
@deed(kf.Disengage, may="seat", stops_in_pause=True, answers_scene=True, word="fight-disengage")
def engage(change: Change, action: kf.Engage | kf.Disengage, tap: Tap) -> None:
    """Step into melee with somebody, or out of every melee (KN-14)."""
    game = running(change, tap)
    check_own(change, game, action.by)
    move(change, game, action)


@deed(kf.Flee, may="seat", stops_in_pause=True, answers_scene=True, word="fight-flee")
def flee(change: Change, action: kf.Flee, tap: Tap) -> None:
    """Leave the fight: a retreat of one's own, or the host's word."""
    game = running(change, tap)
    check_own(change, game, action.of)
    move(change, game, action)


@deed(kf.Turn, stops_in_pause=True, answers_scene=True, word="fight-turn")
def turn(change: Change, action: kf.Turn, tap: Tap) -> None:
    """Let a foe, a hireling or an NPC go over to the other side, at the host's word."""
    game = running(change, tap)
    if key_of(action.of):
        person(change, key_of(action.of))
    move(change, game, action)


@deed(kf.Morale, stops_in_pause=True, answers_scene=True, word="fight-morale")
def morale(change: Change, action: kf.Morale, tap: Tap) -> None:
    """Roll whether somebody holds (KN-20)."""
    game = running(change, tap)
    move(change, game, action, dice=dice_for(change, tap, [6, 6]))


@deed(kf.Hurt, stops_in_pause=True, answers_scene=True, word="fight-hurt")
@deed(kf.Heal, stops_in_pause=True, answers_scene=True, word="fight-heal")
def change_hp(change: Change, action: kf.Hurt | kf.Heal, tap: Tap) -> None:
    """Take hit points, or give them back, at the referee's word."""
    game = running(change, tap)
    move(change, game, action)


@deed(FightWield, may="seat", stops_in_pause=True, answers_scene=True)
def wield(change: Change, action: FightWield, tap: Tap) -> None:
    """Take a weapon in hand: the sheet's own deed does it, and tells the fight."""
    game = running(change, tap)
    item = thing_named(change, action.item)
    if item.holder is None or fighter_id(item.holder) != action.by:
        name = shown_name(state_of(game), action.by)
        text = _("%(name)s does not carry it.") % {"name": name}
        raise MovedOn(text if name else reason_of(refusals.STRANGER))
    check_own(change, game, action.by)
    equip = actions.EquipItem(item=action.item, on=True)
    DEEDS[type(equip)].do(change, equip, tap)
