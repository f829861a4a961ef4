"""Whom a page lets somebody play is whom the rules let them (WA-11, WA-88, WA-89, WA-95)."""

from __future__ import annotations

import random

import pytest

from campaigns.models import Character
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import Troupe, joins, owed
from tests.games.party import Person, dice_fall_by

pytestmark = pytest.mark.django_db


def mekha_is_back(troupe: Troupe) -> None:
    """Mekha has come back to a second chapter, and Amek stands on the list twice."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.played_once("Mekha", "Amek", "Amek")
    troupe.at_step("choose")


@pytest.fixture
def second(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(mekha_is_back)


@pytest.mark.parametrize("step", ["oracle", "deal", "choose"])
def test_wa6_wa11_who_sits_down_late_chooses_with_the_others(troupe: Troupe, step: str):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.at_step(step)
    cleo = joins(troupe, "Cleo")
    line = troupe.chapter.cast_lines.filter(state="open").first()
    offered = {"oracle": "oracle-bronze_and_dust", "deal": "deal"}.get(step)
    assert f'id="{offered or f"take-cast-{line.pk}"}"' in cleo.sees()
    assert 'id="take-cast-' not in tess_of(troupe).sees("screen/")
    if step == "choose":
        troupe.do(cleo, "take_cast", line=line.pk)
        assert troupe.line(line.text).taken_by == troupe.member("Cleo")
        assert f'id="leave-cast-{line.pk}"' in cleo.sees()


def test_wa88_the_first_of_her_names_is_struck_and_no_other(second: Troupe):
    page, amek = second.tom.sees(), second.named("Amek").pk
    assert f'id="former-{amek}-for-{owed(second, 2)}"' in page
    assert f'id="former-{amek}-for-{owed(second, 3)}"' not in page
    Character.objects.filter(pk=amek).update(name="Mekha")  # and no namesake's
    assert f'id="former-{amek}-for-{owed(second, 2)}"' in second.tom.sees()


def test_wa95_of_the_dead_the_list_says_how_they_are_there(second: Troupe):
    amek = second.named("Amek").pk
    Character.objects.filter(pk=amek).update(state="dead")
    page = second.tom.sees()
    assert f'id="former-{amek}-as-{second.line("the widow").pk}"' in page
    assert f'id="former-{amek}-for-' not in page
    assert "write on the list how it can be" in page


def test_wa88_who_plays_who_came_back_can_lend_another_to_the_gm_too(second: Troupe):
    amek, amy, erin = second.named("Amek").pk, second.member("Amy").pk, second.member("Erin").pk
    second.do(second.tom, "hand_character", character=amek, member=amy)
    page = second.amy.sees()
    assert f'id="former-{amek}-as-' not in page, "one player, one character (WA-89)"
    assert f'id="lend-{amek}-{erin}"' in page
    second.do(second.amy, "lend_character", character=amek, member=erin)
    assert f'id="lend-{amek}-back"' in second.amy.sees()
    assert f'id="former-{amek}-as-' in second.erin.sees()


def test_wa88_who_struck_a_name_can_choose_otherwise_until_the_choice_on_coming_back(
    second: Troupe,
):
    amek, widow = second.named("Amek").pk, f'id="take-cast-{second.line("the widow").pk}"'
    second.do(second.tom, "play_former", character=amek, owed=owed(second, 2))
    assert widow in second.tom.sees()
    grown = {"choice": "grow", "which_form": "with_love"}
    second.do(second.tom, "come_back", character=amek, **grown)
    assert widow not in second.tom.sees()
    second.refusal(second.tom, "take_cast", line=second.line("the widow").pk)


def test_wa88_the_gm_chooses_one_of_before_for_a_player_without_a_phone(second: Troupe):
    second.do(second.tom, "leave_table")
    amek, line = second.named("Amek").pk, second.line("the widow").pk
    page = second.erin.sees("gm/")
    assert f'id="former-{amek}-as-{line}"' in page
    assert f'id="former-{amek}-for-{owed(second, 2)}"' in page
    tom = second.member("Tom").pk
    second.do(second.erin, "play_former", character=amek, line=line, member=tom)
    assert second.pc("Tom").pk == amek
    assert f'id="former-{amek}-as-' not in second.erin.sees("gm/")


# --- on a character's own page (WA-88, WA-105) ---------------------------------------------------
@pytest.fixture
def names_fall(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page suggest names: it rolls for them."""
    dice_fall_by(random.Random(7), monkeypatch)


def sheet_of(person: Person, one: Character) -> str:
    return person.sees(f"character/{one.number}/")


def test_wa105_between_chapters_she_is_handed_over_or_lent_by_her_player_and_the_gm(
    troupe: Troupe, names_fall: None
):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.played_once()
    mekha, key = troupe.named("Mekha"), {p: troupe.member(p).pk for p in ("Amy", "Tom", "Erin")}
    for person in (troupe.amy, troupe.erin):
        page = sheet_of(person, mekha)
        assert f'id="hand-{key["Tom"]}"' in page
        assert f'id="hand-{key["Erin"]}"' not in page, "the GM plays no character"
        assert f'id="hand-{key["Amy"]}"' not in page
        assert f'id="lend-{key["Erin"]}"' in page
    assert 'id="whose"' not in sheet_of(troupe.tom, mekha)
    assert 'id="whose"' not in sheet_of(troupe.erin, troupe.named("Esan"))
    troupe.do(troupe.amy, "lend_character", character=mekha.pk, member=key["Erin"])
    assert 'id="lend-back"' in sheet_of(troupe.amy, mekha)
    assert f'id="lend-{key["Tom"]}"' not in sheet_of(troupe.amy, mekha)


def test_wa89_in_the_middle_of_a_chapter_she_is_handed_to_nobody_who_plays_another(
    troupe: Troupe, names_fall: None
):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.in_play()
    mekha, tom = troupe.named("Mekha"), troupe.member("Tom").pk
    assert 'id="whose"' not in sheet_of(troupe.amy, mekha), "all others play somebody"
    troupe.do(troupe.erin, "add_member", name="Nan")
    page = sheet_of(troupe.amy, mekha)
    assert f'id="hand-{troupe.member("Nan").pk}"' in page
    assert f'id="hand-{tom}"' not in page
    assert 'id="lend-' not in page, "who is in the chapter is lent to nobody"


# --- what stood in the way ------------------------------------------------------------------------
def test_wa76_a_name_written_too_early_goes_with_the_sheet_that_was_never_played(troupe: Troupe):
    """The table came to the choosing and no further: "#1 has been in play", at every tap."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.at_step("sheets")
    begun = troupe.pc("Amy")
    assert f'id="owe-{begun.pk}"' not in troupe.erin.sees("gm/"), "never played, never owed"
    troupe.do(troupe.erin, "owe_name", character=begun.pk)
    troupe.do(troupe.amy, "step_back")
    other = troupe.chapter.cast_lines.filter(state="open").first()
    line = other or troupe.chapter.cast_lines.create(text="a ferryman")
    troupe.do(troupe.amy, "take_cast", line=line.pk)
    troupe.do(troupe.amy, "step_on")
    assert troupe.pc("Amy").pk != begun.pk
    assert not troupe.campaign.owed.exists()
    troupe.do(troupe.erin, "undo", event=troupe.last("setup_moved").seq, sure="true")
    assert [row.character for row in troupe.campaign.owed.all()] == [begun]


def test_a_sheet_without_a_name_is_not_ready_by_the_gms_tap_either(troupe: Troupe):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.at_step("sheets")
    one = troupe.pc("Amy").pk
    assert f'id="ready-{one}"' not in troupe.erin.sees("gm/")
    troupe.do(troupe.amy, "write_sheet", character=one, name="Mekha")
    assert f'id="ready-{one}"' in troupe.erin.sees("gm/")


def test_wa98_who_joins_a_chapter_that_was_played_has_her_choice_and_the_table_goes_on(
    second: Troupe,
):
    """The table waited at the sheets for a choice that was refused: the chapter had begun."""
    second.at_step("play")
    cleo = joins(second, "Cleo")
    second.do(second.erin, "step_back")
    second.do(second.erin, "step_back")
    others = second.campaign.characters.filter(kind="pc").exclude(parts__chapter=second.chapter)
    one = others.first()
    line = second.chapter.cast_lines.create(text="a ferryman")
    second.do(second.erin, "add_member", name="Nan")
    nan = second.member("Nan").pk
    second.do(cleo, "claim_member", member=nan)
    second.do(second.erin, "hand_character", character=one.pk, member=nan)
    second.do(cleo, "play_former", character=one.pk, line=line.pk)
    grown = {"choice": "grow", "which_form": "with_love"}
    assert f'id="return-grow-{one.pk}"' in cleo.sees()
    second.do(cleo, "come_back", character=one.pk, **grown)
    second.do(cleo, "take_back_choice", character=one.pk)
    second.do(cleo, "come_back", character=one.pk, **grown)
    second.do(second.erin, "step_on")


def test_wa13_wa98_what_stands_once_the_chapter_was_played_is_offered_no_more(
    second: Troupe, names_fall: None
):
    second.at_step("sheets")
    tom, mekha = second.pc("Tom"), second.named("Mekha")
    second.do(second.amy, "come_back", character=mekha.pk, choice="grow", which_form="with_love")
    assert 'id="lay-covertly"' in second.tom.sees()
    assert 'id="return-again-' in second.amy.sees()
    second.at_step("play")
    second.do(second.erin, "step_back")
    second.do(second.erin, "step_back")
    assert 'id="lay-covertly"' not in second.tom.sees()
    assert 'id="return-again-' not in second.amy.sees()
    page = sheet_of(second.tom, tom)
    for way in ('id="die-covertly-4"', 'id="take-strength"', 'id="new-strength"'):
        assert way not in page
    assert second.step == "sheets"


def test_wa25_wa106_a_unique_strength_of_another_is_not_offered(troupe: Troupe, names_fall: None):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.played_once("Mekha").at_step("sheets")
    mekha, esan = troupe.named("Mekha"), troupe.named("Esan")
    ring = troupe.strength(esan, "The ring", options=["unique"]).strength_id
    knife = troupe.strength(esan, "A knife").strength_id
    hawk = mekha.holdings.get()
    page = sheet_of(troupe.amy, mekha)
    assert f'value="{knife}">A knife' in page
    assert f'value="{ring}">The ring' not in page
    assert f'id="more-{hawk.pk}-unique"' in page
    esan.holdings.create(strength=hawk.strength, version=hawk.version)
    assert f'id="more-{hawk.pk}-unique"' not in sheet_of(troupe.amy, mekha)
    assert f'id="more-{hawk.pk}-broad"' in sheet_of(troupe.amy, mekha)


def test_wa98_wa90_nobody_is_offered_what_is_anothers_or_was_made_before(
    troupe: Troupe, names_fall: None
):
    """On somebody else's page there was her choice, on an old NPC's page the pairs to lay anew."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.played_once("Mekha").at_step("sheets")
    mekha, esan = troupe.named("Mekha"), troupe.named("Esan")
    assert 'id="return"' in sheet_of(troupe.amy, mekha)
    assert 'id="return"' not in sheet_of(troupe.martha, mekha)
    assert 'id="save-pairs"' not in sheet_of(troupe.erin, esan)
    assert f'id="lay-{esan.pk}-action"' not in troupe.erin.sees("gm/")
    troupe.do(troupe.erin, "make_npc", name="Ghazi")
    ghazi = troupe.named("Ghazi")
    assert 'id="save-pairs"' in sheet_of(troupe.erin, ghazi)
    assert f'id="lay-{ghazi.pk}-action"' in troupe.erin.sees("gm/")


def test_wa11_for_who_has_no_phone_the_gm_takes_a_wish_back_as_well(second: Troupe):
    """Once Tom wanted what Martha has, it was offered for him again, which was refused, and
    nothing on the GM's page took the wish back."""
    second.do(second.tom, "leave_table")
    tom, line = second.member("Tom").pk, second.line("the widow").pk
    second.do(second.martha, "take_cast", line=line)
    second.do(second.erin, "take_cast", line=line, member=tom)
    gm = second.erin.sees("gm/")
    assert f'id="take-{line}-{tom}"' not in gm
    assert f'id="leave-{line}-{tom}"' in gm
    second.do(second.erin, "leave_cast", line=line, member=tom)
    gm = second.erin.sees("gm/")
    assert f'id="take-{line}-{tom}"' in gm
    assert f'id="leave-{line}-{tom}"' not in gm


def test_wa11_nobody_but_the_gm_chooses_for_another(second: Troupe):
    """The name was passed over, and what was asked for Tom happened to who asked."""
    amek, tom = second.named("Amek").pk, second.member("Tom").pk
    second.do(second.martha, "take_cast", line=second.line("the widow").pk)
    for_tom = {"line": second.line("a priest").pk, "member": tom}
    for word in ("take_cast", "leave_cast"):
        second.refusal(second.martha, word, 403, **for_tom)
    second.refusal(second.martha, "play_former", 403, **for_tom, character=amek)
    second.do(second.martha, "leave_cast", line=second.line("the widow").pk)
    own = second.member("Martha").pk
    second.do(second.martha, "take_cast", line=second.line("the widow").pk, member=own)
