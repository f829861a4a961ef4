"""Encounters: foes that the host puts together out of sight."""

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
from characters.services.combatants import band_of, fighter_id, of_monster, of_stat_line
from characters.services.fighting import enlist, fight_of, move
from characters.services.finding import check_room_among, encounter_named, waiting_encounter
from characters.services.foe_names import numbered
from characters.services.telling import tell
from games.errors import Malformed, MovedOn, NotFound
from games.models import Game
from games.rules import knave_fight as kf
from games.rules.knave.convert import StatLineError
from games.rules.knave.stat_parts import Pasted, read_stat_lines
from games.rules.knave_fight import refusals
from games.rules.knave_fight.start import combatant_fault
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import keep
from games.services.refusing import reason_of, refused, so_already
from games.stored import state_of
from games.text import as_sentence, clean_name

MOST_AT_ONCE = 30


@deed(actions.PrepareEncounter)
def prepare_encounter(change: Change, action: actions.PrepareEncounter, tap: Tap) -> None:
    """Open an encounter; one without a name is numbered."""
    _prepare(change, action.name)


def _prepare(change: Change, asked: str = "") -> Encounter:
    check_room_among(change.table.encounters.filter(is_open=True))
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
        coming = [replace(one, group=band_of(one.id, is_led=is_led)) for one in foes]
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
        check_apart(game, one)
    waiting = change.table.encounters.filter(is_open=True, game=None)
    if any(foe["id"] == fighter_id(one) for each in waiting for foe in each.foes):
        raise MovedOn(_("%(name)s is among the foes already.") % {"name": one.name})
    if found.game_id is not None:
        show(change, one)
    _bring(change, found, enlist(change, [one]))


def check_apart(game: Game, one: Character) -> None:
    """Raise MovedOn for somebody who has a part in a fight, or had one."""
    known = state_of(game).find(fighter_id(one))
    if known is not None and known.status is not kf.Status.FLED:
        raise MovedOn(_("%(name)s is in the fight already.") % {"name": one.name})
    if known is not None:
        raise MovedOn(_("%(name)s has fled, and does nothing more here.") % {"name": one.name})


@deed(actions.DropFoe)
def drop_foe(change: Change, action: actions.DropFoe, tap: Tap) -> None:
    """Take a foe out of an encounter that has not begun."""
    found = waiting_encounter(change, action.encounter)
    foe = _foe_in(found, action.foe)
    found.foes = _grouped([one for one in found.foes if one is not foe])
    keep(change, found)
    name = foe.get("name", foe["id"])
    tell(change, "foe_dropped", to=gm_seat(change), encounter=found.name, name=name)


@deed(actions.NameLeader)
def name_leader(change: Change, action: actions.NameLeader, tap: Tap) -> None:
    """Say who leads an encounter's foes, so that morale is asked for when they fall (KN-20)."""
    found = waiting_encounter(change, action.encounter)
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
    return [{**one, "group": band_of(one["id"], is_led=is_led)} for one in foes]


@deed(actions.DropEncounter)
def drop_encounter(change: Change, action: actions.DropEncounter, tap: Tap) -> None:
    """Put an encounter away that has not begun."""
    found = waiting_encounter(change, action.encounter)
    found.is_open = False
    keep(change, found)
    tell(change, "encounter_dropped", to=gm_seat(change), name=found.name)
