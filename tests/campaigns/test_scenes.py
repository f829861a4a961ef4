"""Scenes: opened, turned to, closed, by the GM (WA-36, WA-38)."""

from __future__ import annotations

import pytest

from campaigns.models import Scene
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from tests.campaigns.pages import button_sends
from tests.campaigns.troupe import Troupe
from tests.games.party import fresh


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.in_play()


def opened(troupe: Troupe, where: str = "The well", **more: object) -> Scene:
    troupe.do(troupe.erin, "open_scene", where=where, **more)
    return Scene.objects.latest("pk")


def test_wa38_a_scene_has_a_place_people_and_what_is_up(troupe: Troupe):
    amy, esan = troupe.pc("Amy"), troupe.named("Esan")
    row = opened(troupe, what="A quarrel.", who=f"{amy.pk},{esan.pk}")
    assert (row.where, row.who, row.is_current) == ("The well", [esan.number, amy.number], True)
    told = "A scene: The well. Esan and Mekha. A quarrel."
    assert troupe.told("scene_opened") == told
    assert troupe.chapter.moments.filter(kind="scene_opened").count() == 1
    troupe.undoes("scene_opened")
    assert not Scene.objects.exists()


def test_wa38_one_scene_is_playing_and_others_wait(troupe: Troupe):
    well, road = opened(troupe), opened(troupe, "The road")
    assert (fresh(well).is_current, fresh(road).is_current) == (False, True)
    assert "That scene is playing already" in troupe.refusal(
        troupe.erin, "turn_to_scene", scene=road.pk
    )
    troupe.do(troupe.erin, "turn_to_scene", scene=well.pk)
    assert (fresh(well).is_current, fresh(road).is_current) == (True, False)
    assert troupe.told("scene_turned_to") == "Cut to: The well."
    troupe.do(troupe.erin, "close_scene", scene=well.pk)
    assert (fresh(well).is_over, fresh(well).is_current) == (True, False)
    troupe.refusal(troupe.erin, "close_scene", scene=well.pk)
    assert "over" in troupe.refusal(troupe.erin, "turn_to_scene", scene=well.pk)
    assert troupe.events("scene_closed")
    troupe.do(troupe.erin, "close_scene", scene=well.pk, on="false")
    assert troupe.events("scene_reopened")
    troupe.do(troupe.erin, "turn_to_scene", scene=well.pk)


def test_somebody_comes_into_a_scene(troupe: Troupe):
    row, tom = opened(troupe), troupe.pc("Tom")
    troupe.do(troupe.erin, "edit_scene", scene=row.pk, where="The dry well", what="Fog", who=tom.pk)
    now = fresh(row)
    assert (now.where, now.what, now.who) == ("The dry well", "Fog", [tom.number])
    assert "Say where it plays" in troupe.refusal(
        troupe.erin, "edit_scene", 422, scene=row.pk, where=" "
    )


def test_how_a_scene_was_told_is_set_right_long_afterwards(troupe: Troupe):
    """What is kept for years can be written right: a scene on its chapter's page, by the GM."""
    row, tom = opened(troupe, "The wel", what="A quarel"), troupe.pc("Tom")
    troupe.do(troupe.erin, "edit_scene", scene=row.pk, where="The wel", what="Fog", who=tom.pk)
    page = f"campaign/{troupe.chapter.number}/"
    troupe.is_over()
    given = button_sends(troupe.erin, "reword_scene", page)
    assert given == {"scene": str(row.pk), "where": "The wel", "what": "Fog"}
    troupe.do(troupe.erin, "reword_scene", scene=row.pk, where="The well", what="A quarrel")
    assert "The well: A quarrel" in troupe.amy.sees(page)
    assert "reword_scene" not in troupe.amy.sees(page)
    assert fresh(row).who == [tom.number]
    assert "The well" in troupe.told("scene_edited")
    troupe.undoes("scene_edited")
    assert fresh(row).where == "The wel"
    troupe.refusal(troupe.erin, "reword_scene", 422, scene=row.pk, where=" ")
    troupe.refusal(troupe.amy, "reword_scene", 403, scene=row.pk, where="The well")
    other = Troupe(troupe.dice, troupe.clock).gathers().in_play()
    other.refusal(other.erin, "reword_scene", 404, scene=row.pk, where="The well")


def test_a_scene_with_dice_in_it_is_not_over(troupe: Troupe):
    row, amy = opened(troupe), troupe.pc("Amy")
    who = troupe.pc("Tom").pk
    troupe.do(troupe.amy, "start_sequence", act="draws a knife", actor=amy.pk, who=who)
    assert "Dice" in troupe.refusal(troupe.erin, "close_scene", scene=row.pk)
    troupe.do(troupe.erin, "open_scene", where="The road")  # dice wait while another scene plays


def test_wa36_the_gm_frames_scenes(troupe: Troupe):
    row = opened(troupe)
    for action, fields in (
        ("open_scene", {"where": "The road"}),
        ("edit_scene", {"scene": row.pk, "where": "The road"}),
        ("turn_to_scene", {"scene": row.pk}),
        ("close_scene", {"scene": row.pk}),
    ):
        troupe.refusal(troupe.amy, action, 403, **fields)


def test_scenes_belong_to_the_chapter_in_play(troupe: Troupe):
    row = opened(troupe)
    troupe.refusal(troupe.erin, "open_scene", 404, where="The road", who=999_999)
    troupe.refusal(troupe.erin, "open_scene", 422, where="")
    troupe.refusal(troupe.erin, "turn_to_scene", 404, scene=999_999)
    other = Troupe(troupe.dice, troupe.clock).gathers().in_play()
    other.refusal(other.erin, "close_scene", 404, scene=row.pk)
    troupe.do(troupe.erin, "propose_end")
    troupe.refusal(troupe.erin, "open_scene", where="The road")
    troupe.is_over()
    troupe.refusal(troupe.erin, "close_scene", scene=row.pk)


@pytest.mark.parametrize("is_reopened", [False, True])
def test_an_undo_lets_no_second_scene_play(troupe: Troupe, is_reopened: bool):
    """One is closed, the next is opened, the closing is taken back: the campaign's file was refused
    by every table, since one scene plays at a time (WA-38)."""
    troupe.at_step("play")
    troupe.do(troupe.erin, "open_scene", where="The ford")
    ford = troupe.chapter.scenes.get()
    troupe.do(troupe.erin, "close_scene", scene=ford.pk, on="true")
    if is_reopened:
        troupe.do(troupe.erin, "close_scene", scene=ford.pk, on="false")
    troupe.do(troupe.erin, "open_scene", where="The mill")
    troupe.undoes("scene_closed")
    assert [one.where for one in troupe.chapter.scenes.filter(is_current=True)] == ["The ford"]
    assert read_file(file_of(troupe.campaign))
