"""Whatever is written on sheets and told of a chapter, Undo sets back to the rows there were."""

from __future__ import annotations

import json
from typing import Any

from django.core.serializers.json import DjangoJSONEncoder

from campaigns.models import Interest, Scene
from games import sentences
from tests.campaigns.remembering import Remembering
from tests.campaigns.sheets import POTENT, forms_are
from tests.campaigns.troupe import Troupe
from tests.set_back import kept_rows


def makes_sheets(troupe: Remembering) -> None:
    """Write on every sheet of a second chapter, and have Mekha choose, again and again."""
    amy, tom, erin = troupe.amy, troupe.tom, troupe.erin
    mekha, new, esan = troupe.named("Mekha"), troupe.pc("Tom"), troupe.named("Esan")
    held = mekha.holdings.get()
    troupe.do(amy, "write_sheet", character=mekha.pk, name="Mekha the Grey")
    troupe.do(tom, "write_sheet", character=new.pk, covertly=10, directly=12)
    troupe.do(tom, "swap_forms", character=new.pk, which_form="covertly", other="with_love")
    troupe.do(tom, "take_strength", character=new.pk, strength=held.strength_id)
    troupe.do(tom, "drop_strength", holding=new.holdings.get().pk)
    troupe.do(tom, "new_strength", character=new.pk, **POTENT)
    troupe.do(tom, "drop_strength", holding=new.holdings.get().pk)
    choice = {"character": mekha.pk}
    troupe.do(amy, "come_back", **choice, choice="mend")
    troupe.do(amy, "take_back_choice", **choice)
    troupe.do(amy, "come_back", **choice, choice="more", holding=held.pk, option="unique")
    troupe.do(amy, "take_back_choice", **choice)
    troupe.do(amy, "new_strength", **choice, **POTENT)
    troupe.do(amy, "take_back_choice", **choice)
    troupe.do(amy, "come_back", **choice, choice="grow", which_form="with_love")
    troupe.do(erin, "write_npc", character=esan.pk, description="Old by now.")
    troupe.do(erin, "correct_die", character=esan.pk, which_form="action", current=4, which=1)


def plays(troupe: Remembering) -> None:
    """Tell a chapter from its first scene to its chronicle."""
    amy, erin = troupe.amy, troupe.erin
    mekha, esan = troupe.pc("Amy"), troupe.named("Esan")
    troupe.do(erin, "open_scene", where="The well", who=mekha.pk)
    troupe.do(erin, "open_scene", where="The road", what="dust")
    well, road = Scene.objects.order_by("pk")
    troupe.do(erin, "turn_to_scene", scene=well.pk)
    troupe.do(erin, "edit_scene", scene=well.pk, where="The dry well")
    troupe.do(erin, "close_scene", scene=road.pk)
    troupe.do(erin, "close_scene", scene=road.pk, on="false")
    troupe.do(amy, "name_interest", character=mekha.pk, text="Water", targets=esan.pk)
    row = Interest.objects.get(text="Water")
    troupe.do(amy, "edit_interest", interest=row.pk, text="The water")
    for state in ("achieved", "lost", "open", "moot"):
        troupe.do(amy, "mark_interest", interest=row.pk, state=state)
    troupe.do(amy, "drop_interest", interest=row.pk)
    for state in ("dead", "active", "captive", "absent"):
        troupe.do(erin, "mark_character", character=esan.pk, state=state)
    troupe.do(erin, "owe_name", character=mekha.pk)
    owed = troupe.campaign.owed.get(struck="")
    troupe.do(erin, "strike_name", owed=owed.pk)
    troupe.do(erin, "strike_name", owed=owed.pk, on="false")
    troupe.do(erin, "drop_strength", holding=mekha.holdings.get().pk)
    troupe.do(erin, "propose_end")
    troupe.do(amy, "write_epilogue", character=mekha.pk, text="She drank.")
    troupe.do(erin, "end_chapter")
    chapter = troupe.chapter.pk
    troupe.do(amy, "write_end_note", chapter=chapter, text="Too early.")
    troupe.do(amy, "write_chronicle", chapter=chapter, text="It was night. " * 40)
    troupe.do(amy, "write_chronicle", chapter=chapter)


def all_taken_back(troupe: Remembering) -> None:
    for event in troupe.table.events.all():
        assert sentences.tell(event.kind, event.data, []), event.kind
    for action, event_number, rows in reversed(troupe.taps):
        Troupe.do(troupe, troupe.erin, "undo", event=event_number)
        assert to_the_millisecond(kept_rows()) == to_the_millisecond(rows), action


def to_the_millisecond(rows: dict[str, list[dict[str, Any]]]) -> str:
    """Return rows as text, with instants as a ledger keeps them."""
    # The log keeps milliseconds: of a row written in a second's first, less than one is left out.
    return json.dumps(rows, cls=DjangoJSONEncoder).replace(".000Z", "Z")


def test_everything_on_sheets_is_told_and_taken_back(dice: Any, clock: Any, db: None):
    troupe = Remembering(dice, clock)
    troupe.taps = []
    troupe.gathers().played_once("Mekha")
    forms_are(troupe.named("Mekha"), covertly=8, for_others=0)
    troupe.at_step("sheets")
    troupe.taps.clear()
    makes_sheets(troupe)
    all_taken_back(troupe)


def test_everything_in_a_chapter_is_told_and_taken_back(dice: Any, clock: Any, db: None):
    troupe = Remembering(dice, clock)
    troupe.taps = []
    troupe.gathers().in_play()
    troupe.taps.clear()
    plays(troupe)
    all_taken_back(troupe)


def test_whoever_is_taken_back_leaves_their_number_to_nobody(dice: Any, clock: Any, db: None):
    """An interest, a scene and a sequence know people by number: the next NPC had Gull's places."""
    troupe = Troupe(dice, clock).gathers().in_play()
    troupe.do(troupe.erin, "make_npc", name="Gull", best="action")
    made, gull, mekha = troupe.last("npc_made"), troupe.named("Gull"), troupe.pc("Amy")
    wanted = {"character": mekha.pk, "text": "Gull falls", "targets": gull.pk}
    troupe.do(troupe.amy, "name_interest", **wanted)
    troupe.do(troupe.erin, "open_scene", where="The pier", who=gull.pk)
    troupe.do(troupe.amy, "start_sequence", act="A push", actor=mekha.pk, who=gull.pk)
    asked = troupe.refusal(troupe.erin, "undo", event=made.seq)
    assert "3 later moves hang on it" in asked
    troupe.do(troupe.erin, "undo", event=made.seq, sure="true")
    assert not Interest.objects.filter(text="Gull falls").exists()
    assert not Scene.objects.exists()
    assert not troupe.chapter.sequences.exists()


def test_wa92_with_a_return_goes_what_was_wanted_in_that_chapter(dice: Any, clock: Any, db: None):
    troupe = Troupe(dice, clock).gathers().played_once("Mekha").at_step("interests")
    mekha = troupe.named("Mekha")
    troupe.do(troupe.amy, "name_interest", character=mekha.pk, text="Water", targets="")
    troupe.undoes("pc_came_back")
    assert troupe.step == "coming_back"
    assert not troupe.chapter.interests.exists()
