"""A fight's course: it comes of an encounter, somebody joins it late, and the host closes it.

What is done in it is in `fight`.
"""

from __future__ import annotations

import msgspec
from django.utils.translation import gettext as _
from msgspec.structs import replace

from characters import actions
from characters.deeds.encounters import check_apart
from characters.deeds.people import show
from characters.models import Character, Encounter
from characters.services.combatants import band_of, key_of
from characters.services.fighting import enlist, fight_of, join_late, move, running
from characters.services.finding import is_with_party, living_sheet_named, waiting_encounter
from characters.services.foe_names import number_of, numbered
from characters.services.telling import tell
from characters.services.turns import acting_side
from games.errors import MovedOn
from games.rules import knave_fight as kf
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep
from games.services.moves import begin_game, tie_to_last_move
from games.services.refusing import look_again, refused
from games.stored import state_of


@deed(actions.StartFight, stops_in_pause=True)
def start_fight(change: Change, action: actions.StartFight, tap: Tap) -> None:
    """Line up the party and its hirelings against an encounter's foes; nothing is rolled yet."""
    if fight_of(change.table) is not None:
        raise MovedOn(_("There is a fight already: end it first."))
    found = waiting_encounter(change, action.encounter)
    foes = _as_they_are(change, found)
    if not foes:
        raise MovedOn(_("There is nobody in it to fight: add foes first."))
    people = _fighters(change)
    if not any(one.state == Character.State.UP for one in people):
        raise MovedOn(_("Nobody in the party can stand up to fight."))
    setup = kf.Setup(party=enlist(change, people), foes=foes)
    try:
        state = kf.setup(setup, TypedDice(()))
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    _tie_to_last_fight(change)
    _number_for_all(change, found)
    game = found.game = begin_game(change, kf.NAME, setup, state)
    keep(change, found)
    change.play.game = game
    tell(
        change,
        "fight_begun",
        *people,
        game=game,
        name=found.name,
        foes=[one.name for one in setup.foes],
        party=[one.name for one in setup.party],
    )


def _as_they_are(change: Change, found: Encounter) -> tuple[kf.Combatant, ...]:
    """Return an encounter's foes: whoever has a sheet as it is now, and in sight from now on.

    Who has fallen or gone away since they were put there does not come, and leads nobody.
    """
    foes = [msgspec.convert(foe, kf.Combatant) for foe in found.foes]
    keys = [key for foe in foes if (key := key_of(foe.id))]
    npcs = list(change.table.characters.filter(pk__in=keys, state=Character.State.UP))
    for one in npcs:
        show(change, one)
    now = {one.id: one for one in enlist(change, npcs)}
    coming = [
        replace(now[foe.id], leader=foe.leader) if foe.id in now else foe
        for foe in foes
        if foe.id in now or not key_of(foe.id)
    ]
    is_led = any(foe.leader for foe in coming)
    return tuple(replace(foe, group=band_of(foe.id, is_led=is_led)) for foe in coming)


def _number_for_all(change: Change, found: Encounter) -> None:
    """Number a nameless encounter anew as it begins, counting the fights begun so far.

    The number it had also counts encounters that wait in secret, and now everybody reads it.
    """
    name = numbered(change.table.encounters.exclude(game=None).count() + 1)
    if not number_of(found.name) or number_of(name) == number_of(found.name):
        return
    for other in change.table.encounters.filter(game=None, is_open=True):
        if number_of(other.name) == number_of(name):
            other.name = found.name
            keep(change, other)
    found.name = name


def _fighters(change: Change) -> list[Character]:
    """Return the living knaves that somebody plays, and after them the hirelings with them."""
    living = change.table.characters.filter(state__in=Character.ALIVE).select_related(
        "employer__seat"
    )
    found = [one for one in living if is_with_party(one)]
    return sorted(found, key=lambda one: one.kind != Character.Kind.KNAVE)


def _tie_to_last_fight(change: Change) -> None:
    """Make an undo of the last fight's end undo the fight that begins now as well."""
    last = change.table.games.filter(rules=kf.NAME).first()
    if last is not None:
        tie_to_last_move(change, last)


@deed(actions.JoinFight, stops_in_pause=True, answers_scene=True)
def join_fight(change: Change, action: actions.JoinFight, tap: Tap) -> None:
    """Let somebody of the table come into the fight, on the party's side, whoever plays them."""
    game = running(change, tap)
    one = living_sheet_named(change, action.character)
    if one.is_hidden:
        text = _("The table has not met %(name)s yet: show them first.")
        raise MovedOn(text % {"name": one.name})
    check_apart(game, one)
    join_late(change, one)


@deed(actions.SideDone, stops_in_pause=True, answers_scene=True)
def side_done(change: Change, action: actions.SideDone, tap: Tap) -> None:
    """Let the other side act though somebody of the first has not (KN-12)."""
    game = running(change, tap)
    view = kf.view(state_of(game), None)
    found = Encounter.objects.filter(game=game).first()
    if found is None or view.first is None or acting_side(view, found.passed_round) != view.first:
        raise look_again()
    found.passed_round = view.round
    keep(change, found)
    tell(change, "side_done", game=game, side=view.first.value)


@deed(actions.EndFight, stops_in_pause=True, answers_scene=True)
def end_fight(change: Change, action: actions.EndFight, tap: Tap) -> None:
    """Close the fight; it goes to the records."""
    game = running(change, tap)
    move(change, game, kf.End())
    found = Encounter.objects.filter(game=game).first()
    if found is not None:
        found.is_open = False
        keep(change, found)
