"""Encounters: foes that the host puts together out of sight, and the fight that comes of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import replace

from characters import actions
from characters.deeds.people import person, show
from characters.models import Character, Encounter, Monster
from characters.models.sheet import NAME_LENGTH
from characters.services.combatants import (
    fighter_id,
    key_of,
    kind_of,
    of_monster,
    of_stat_line,
)
from characters.services.fighting import enlist, fight_of, join_late, move, running
from characters.services.finding import (
    encounter_named,
    is_with_party,
    living_sheet_named,
)
from characters.services.foe_names import number_of, numbered
from characters.services.telling import tell
from characters.services.turns import acting_side
from games.errors import Malformed, MovedOn, NotFound
from games.models import Game
from games.rules import knave_fight as kf
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from games.rules.knave.convert import StatLineError
from games.rules.knave.stat_parts import Pasted, read_stat_lines
from games.rules.knave_fight import refusals
from games.rules.knave_fight.start import combatant_fault
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import keep
from games.services.moves import begin_game, tie_to_last_move
from games.services.refusing import look_again, reason_of, refused, so_already
from games.stored import state_of
from games.text import as_sentence, clean_name

MOST_AT_ONCE = 30


@deed(actions.PrepareEncounter)
def prepare_encounter(change: Change, action: actions.PrepareEncounter, tap: Tap) -> None:
    """Open an encounter; one without a name is numbered."""
    _prepare(change, action.name)


def _prepare(change: Change, asked: str = "") -> Encounter:
    if asked.strip():
        name = clean_name(asked, longest=NAME_LENGTH)
    else:
        name = numbered(change.table.encounters.count() + 1)
    made = Encounter(table=change.table, name=name)
    keep(change, made)
    tell(change, "encounter_prepared", to=gm_seat(change), name=name)
    return made


def _encounter(change: Change, key: int) -> Encounter:
    """Return the encounter that foes go into; with none waiting the newest is made now."""
    if not key and not change.table.encounters.filter(is_open=True).exists():
        return _prepare(change)
    return encounter_named(change, key)


@deed(actions.AddFoes)
def add_foes(change: Change, action: actions.AddFoes, tap: Tap) -> None:
    """Put monsters from the book into an encounter, or into its running fight."""
    monster = Monster.objects.filter(pk=action.monster, is_hidden=False).first()
    if monster is None:
        raise NotFound(_("The book has no such monster."))
    found = _encounter(change, action.encounter)
    foes = of_monster(change.table, monster, action.count, _ids(change, found))
    _bring(change, found, foes)


@deed(actions.AddStatLine)
def add_stat_line(change: Change, action: actions.AddStatLine, tap: Tap) -> None:
    """Convert old-school stat lines, and tell the host how each figure was come by."""
    found = _encounter(change, action.encounter)
    try:
        pasted = read_stat_lines(action.text, edition="adnd" if action.is_adnd else "bx")
    except StatLineError as error:
        why = as_sentence(_(error.why))
        raise Malformed(f"{error.about}: {why}" if error.about else why, field="text") from error
    taken, foes = _ids(change, found), list[kf.Combatant]()
    kinds = []
    for one in pasted:
        some = of_stat_line(change.table, one, _count(one, action.count, len(pasted)), taken)
        taken |= {foe.id for foe in some}
        foes += some
        kinds.append((some[0].name, one.read.notes))
    _bring(change, found, foes)
    for name, taken_notes in kinds:
        notes = [{"text": n.text, "params": n.params} for n in taken_notes]
        tell(change, "stat_line_read", to=gm_seat(change), name=name, notes=notes)


def _count(one: Pasted, asked: int, kinds: int) -> int:
    """Return how many of a monster come: what is asked for holds for one that stands alone."""
    if asked > 1 and (kinds == 1 or one.how_many is None):
        return asked
    said = one.how_many or 1
    if said > MOST_AT_ONCE:
        text = _("%(said)s at once are too many: at most %(most)s.")
        raise Malformed(text % {"said": said, "most": MOST_AT_ONCE}, field="text")
    return said


def _ids(change: Change, found: Encounter) -> set[str]:
    """Return the ids that newcomers must not take."""
    waiting = {foe["id"] for foe in found.foes}
    game = fight_of(change.table)
    return waiting | set(state_of(game).ids) if game else waiting


def _bring(change: Change, found: Encounter, foes: Sequence[kf.Combatant]) -> None:
    """Add foes to those who wait, or let them come into the fight, for all to see."""
    fault = next(filter(None, map(combatant_fault, foes)), None)
    if fault is not None:
        # The host's admin allows figures that no fight does.
        raise refused(fault)
    game = fight_of(change.table)
    is_on = game is not None and found.game_id == game.pk
    # Who waits needs room for one of the party beside them.
    there = len(state_of(game).fighters) if game and is_on else len(found.foes) + 1
    _check_room(kf.MOST_COMBATANTS - there, len(foes))
    if game is not None and is_on:
        # Who comes in late to a band wavers with it (KN-20).
        others = state_of(game).fighters
        is_led = any(one.leader and one.side is kf.Side.FOES for one in others)
        coming = [replace(one, group=_group(one.id, is_led=is_led)) for one in foes]
        move(change, game, *(kf.Join(side=kf.Side.FOES, combatant=one) for one in coming))
        return
    found.foes = _grouped([*found.foes, *(msgspec.to_builtins(one) for one in foes)])
    keep(change, found)
    names = [one.name for one in foes]
    tell(change, "foes_added", to=gm_seat(change), encounter=found.name, names=names)


def _check_room(room: int, count: int) -> None:
    """Raise MovedOn, with how many may still come, unless there is room for so many."""
    if count <= room:
        return
    left = max(0, room)
    text = ngettext("There is room for %(count)s more.", "There is room for %(count)s more.", left)
    more = text % {"count": left}
    raise MovedOn(f"{reason_of(refusals.TOO_MANY)} {more}", field="count")


@deed(actions.FaceParty)
def face_party(change: Change, action: actions.FaceParty, tap: Tap) -> None:
    """Put an NPC among the foes who wait, or into their fight, where all see them."""
    one = person(change, action.character)
    if one.kind != Character.Kind.NPC:
        raise MovedOn(_("%(name)s is in the party.") % {"name": one.name})
    if one.state != Character.State.UP:
        raise MovedOn(_("%(name)s cannot stand up to fight.") % {"name": one.name})
    found, game = _encounter(change, action.encounter), fight_of(change.table)
    if game is not None:
        _check_apart(game, one)
    waiting = change.table.encounters.filter(is_open=True, game=None)
    if any(foe["id"] == fighter_id(one) for each in waiting for foe in each.foes):
        raise MovedOn(_("%(name)s is among the foes already.") % {"name": one.name})
    if found.game_id is not None:
        show(change, one)
    _bring(change, found, enlist(change, [one]))


@deed(actions.DropFoe)
def drop_foe(change: Change, action: actions.DropFoe, tap: Tap) -> None:
    """Take a foe out of an encounter that has not begun."""
    found = _waiting(change, action.encounter)
    foe = _foe_in(found, action.foe)
    found.foes = _grouped([one for one in found.foes if one is not foe])
    keep(change, found)
    name = foe.get("name", foe["id"])
    tell(change, "foe_dropped", to=gm_seat(change), encounter=found.name, name=name)


@deed(actions.NameLeader)
def name_leader(change: Change, action: actions.NameLeader, tap: Tap) -> None:
    """Say who leads an encounter's foes, so that morale is asked for when they fall (KN-20)."""
    found = _waiting(change, action.encounter)
    foe = _foe_in(found, action.foe)
    if bool(foe.get("leader")) == action.on:
        raise so_already()
    found.foes = _grouped([{**one, "leader": one is foe and action.on} for one in found.foes])
    keep(change, found)
    kind = "leader_named" if action.on else "leader_unnamed"
    name = foe.get("name", foe["id"])
    tell(change, kind, to=gm_seat(change), encounter=found.name, name=name)


def _foe_in(found: Encounter, who: str) -> dict[str, Any]:
    foe: dict[str, Any] | None = next((one for one in found.foes if one["id"] == who), None)
    if foe is None:
        raise NotFound(_("That foe is not in this encounter."))
    return foe


def _grouped(foes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return waiting foes in their groups for morale: all one band under a leader (KN-20).

    Without one, who is of one kind is a group.
    """
    is_led = any(one.get("leader") for one in foes)
    return [{**one, "group": _group(one["id"], is_led=is_led)} for one in foes]


def _group(foe: str, *, is_led: bool) -> str:
    return "" if is_led else kind_of(foe)


@deed(actions.DropEncounter)
def drop_encounter(change: Change, action: actions.DropEncounter, tap: Tap) -> None:
    """Put an encounter away that has not begun."""
    found = _waiting(change, action.encounter)
    found.is_open = False
    keep(change, found)
    tell(change, "encounter_dropped", to=gm_seat(change), name=found.name)


def _waiting(change: Change, key: int) -> Encounter:
    found = encounter_named(change, key)
    if found.game_id is not None:
        raise MovedOn(_("That fight has begun."))
    return found


@deed(actions.StartFight, stops_in_pause=True)
def start_fight(change: Change, action: actions.StartFight, tap: Tap) -> None:
    """Line up the party and its hirelings against an encounter's foes; nothing is rolled yet."""
    if fight_of(change.table) is not None:
        raise MovedOn(_("There is a fight already: end it first."))
    found = _waiting(change, action.encounter)
    foes = _as_they_are(change, found)
    if not foes:
        raise MovedOn(_("There is nobody in it to fight: add foes first."))
    people = fighters(change)
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
    return tuple(replace(foe, group=_group(foe.id, is_led=is_led)) for foe in coming)


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


def fighters(change: Change) -> list[Character]:
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
    _check_apart(game, one)
    join_late(change, one)


def _check_apart(game: Game, one: Character) -> None:
    """Raise MovedOn for somebody who has a part in a fight, or had one."""
    known = state_of(game).find(fighter_id(one))
    if known is not None and known.status is not kf.Status.FLED:
        raise MovedOn(_("%(name)s is in the fight already.") % {"name": one.name})
    if known is not None:
        raise MovedOn(_("%(name)s has fled, and does nothing more here.") % {"name": one.name})


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
