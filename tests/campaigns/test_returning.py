"""Coming back: the top of the owe list, former characters, NPCs of before (WA-85 to WA-99)."""

from __future__ import annotations

import pytest

from campaigns.models import Character, Part
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.owe_list import dies, first_is_over, owe_lines
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import Troupe, owed
from tests.games.party import fresh


def wears_down(one: Character, **forms: int) -> None:
    """Take dice off a sheet, as losses would have."""
    for form, die in forms.items():
        one.forms[form] = {**one.forms[form], "current": die}
    Character.objects.filter(pk=one.pk).update(forms=one.forms)


@pytest.fixture
def second(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(first_is_over)


# --- the top of the list (WA-85, WA-87) ----------------------------------------------------------
def test_wa85_the_top_comes_back_and_one_occurrence_is_struck(second: Troupe):
    second.do(second.tom, "open_chapter")
    assert second.step == "coming_back"
    assert second.refusal(second.tom, "step_on") == ("Amy has yet to say whether Mekha comes back.")
    second.do(second.amy, "bring_back", owed=owed(second, 1))
    first = second.campaign.owed.get(order=1)
    assert (first.struck, first.struck_chapter) == ("chapter", second.chapter)
    assert second.campaign.owed.filter(struck="").count() == 2
    assert (second.chapter.returning, second.step) == (second.named("Mekha"), "oracle")
    part = second.part("Amy")
    assert (part.is_returning, part.character) == (True, second.named("Mekha"))
    assert second.told("pc_came_back") == "Mekha comes back, played by Amy."


def test_wa85_the_shared_screen_says_who_is_back_while_the_others_choose(second: Troupe):
    """She is on no line of the list: nobody would see that Amy has a character already."""
    second.do(second.erin, "turn_table", rules="wicked_age")
    tess = tess_of(second)
    second.at_step("choose")
    assert "Mekha comes back" in tess.sees("screen/")
    second.at_step("sheets")
    assert "Mekha comes back" not in tess.sees("screen/")


def test_wa85_only_the_top_and_only_by_her_player(second: Troupe):
    second.do(second.tom, "open_chapter")
    assert "Another name" in second.refusal(second.tom, "bring_back", owed=owed(second, 2))
    second.refusal(second.tom, "bring_back", 403, owed=owed(second, 1))
    second.refusal(second.tom, "decline_return", 403, owed=owed(second, 1))
    second.refusal(second.amy, "bring_back", 404, owed=999)


def test_wa87_who_declines_keeps_her_place_and_the_next_counts(second: Troupe):
    second.do(second.amy, "open_chapter")
    second.do(second.amy, "decline_return", owed=owed(second, 1))
    assert "Another name is first on the owe list" in second.refusal(
        second.amy, "bring_back", owed=owed(second, 1)
    )
    second.do(second.tom, "bring_back", owed=owed(second, 2))
    assert second.chapter.returning == second.named("Amek")
    assert second.campaign.owed.get(order=1).struck == ""


def test_wa87_the_list_says_who_is_asked_now_and_who_would_rather_not(second: Troupe):
    """Only while that is asked: for the next chapter the first on the list is first again."""
    second.do(second.erin, "turn_table", rules="wicked_age")
    second.do(second.amy, "open_chapter")
    assert owe_lines(second) == ["Mekha comes back next", "Amek", "Mekha"]
    second.do(second.amy, "decline_return", owed=owed(second, 1))
    assert owe_lines(second) == ["Mekha not this time", "Amek comes back next", "Mekha"]
    second.do(second.tom, "bring_back", owed=owed(second, 2))
    assert owe_lines(second) == ["Mekha comes back next", "Mekha"]


def test_wa87_a_place_that_was_declined_is_not_the_one_that_is_struck(second: Troupe):
    """The occurrence stays in place, though the one that counts then is hers as well."""
    second.do(second.amy, "open_chapter")
    second.do(second.amy, "decline_return", owed=owed(second, 1))
    second.do(second.tom, "decline_return", owed=owed(second, 2))
    second.do(second.amy, "bring_back", owed=owed(second, 3))
    struck = second.campaign.owed.exclude(struck="")
    assert [row.order for row in struck] == [3]


def test_wa87_without_anybody_it_is_set_up_as_the_first(second: Troupe):
    second.do(second.amy, "open_chapter")
    for who, place in ((second.amy, 1), (second.tom, 2), (second.amy, 3)):
        second.do(who, "decline_return", owed=owed(second, place))
    assert (second.step, second.chapter.returning) == ("oracle", None)
    second.do(second.martha, "choose_oracle", oracle="bronze_and_dust")
    assert second.step == "deal"
    second.do(second.martha, "step_back")
    second.do(second.martha, "step_back")
    assert second.step == "coming_back"
    second.do(second.amy, "bring_back", owed=owed(second, 1))  # everybody may say otherwise now


def test_wa87_an_empty_list_asks_nobody(troupe: Troupe):
    troupe.played_once()
    troupe.do(troupe.amy, "open_chapter")
    assert troupe.step == "oracle"
    assert "first step" in troupe.refusal(troupe.amy, "step_back")


def test_wa87_one_whose_player_is_absent_is_passed_over(second: Troupe):
    second.do(second.erin, "mark_away", member=second.member("Amy").pk, on="true")
    second.do(second.tom, "open_chapter")
    second.do(second.erin, "bring_back", owed=owed(second, 2))  # the GM may tap for Tom
    assert second.part("Tom").character == second.named("Amek")
    assert second.campaign.owed.get(order=1).struck == ""


def test_going_back_undoes_the_coming_back(second: Troupe):
    mekha = second.named("Mekha")
    wears_down(mekha, covertly=0)
    second.do(second.amy, "open_chapter")
    second.do(second.amy, "bring_back", owed=owed(second, 1))
    assert fresh(mekha).dice()["covertly"] == 4
    second.do(second.amy, "step_back")
    assert fresh(mekha).dice()["covertly"] == 0
    assert second.campaign.owed.get(order=1).struck == ""
    assert not second.chapter.parts.exists()
    second.do(second.amy, "bring_back", owed=owed(second, 1))
    Part.objects.update(come_back="grow")
    assert "Take that back first" in second.refusal(second.amy, "step_back")


# --- the dead, and their dice (WA-95, WA-99) -----------------------------------------------------
def test_wa95_the_dead_say_how_they_come_back(second: Troupe):
    dies(second.named("Mekha"))
    second.do(second.amy, "open_chapter")
    assert "is dead" in second.refusal(second.amy, "bring_back", 422, owed=owed(second, 1))
    second.do(second.amy, "bring_back", owed=owed(second, 1), came_back_as="As a ghost.")
    assert (second.named("Mekha").state, second.part("Amy").came_back_as) == (
        "active",
        "As a ghost.",
    )
    assert second.told("pc_came_back") == "Mekha comes back, played by Amy: As a ghost."
    second.do(second.amy, "step_back")
    assert second.named("Mekha").state == "dead"


def test_wa99_forms_at_nothing_come_back_at_d4_and_worn_ones_stay_worn(second: Troupe):
    mekha = second.named("Mekha")
    wears_down(mekha, covertly=0, directly=8)
    second.do(second.amy, "open_chapter")
    second.do(second.amy, "bring_back", owed=owed(second, 1))
    dice = fresh(mekha).dice()
    assert (dice["covertly"], dice["directly"]) == (4, 8)
    assert fresh(mekha).dice("base")["covertly"] == 12
    assert second.part("Amy").before["forms"]["covertly"] == {"base": 12, "current": 0}


def test_wa99_where_mending_is_free_all_dice_are_whole(second: Troupe):
    mekha = second.named("Mekha")
    wears_down(mekha, covertly=0, directly=8)
    second.do(second.erin, "configure_campaign", setting="mending_is_free", value="true")
    second.do(second.amy, "open_chapter")
    second.do(second.amy, "bring_back", owed=owed(second, 1))
    assert fresh(mekha).dice() == fresh(mekha).dice("base")


def test_wa98_who_comes_back_makes_a_choice_before_interests_are_named(second: Troupe):
    second.at_step("sheets")
    second.sheets()
    second.chapter.parts.filter(is_returning=True).update(come_back="")
    assert "Still open: Mekha." in second.refusal(second.amy, "step_on")
    ready = {"character": second.named("Mekha").pk, "on": "true"}
    for person in (second.amy, second.erin):
        assert "Still open: Mekha." in second.refusal(person, "mark_ready", **ready)


# --- playing a former character (WA-88, WA-89) ---------------------------------------------------
def test_wa89_who_comes_back_is_her_players_one_character(second: Troupe):
    second.at_step("choose")
    line = second.line("a priest").pk
    assert "you play Mekha" in second.refusal(second.amy, "take_cast", line=line)
    second.do(second.martha, "take_cast", line=line)
    second.do(second.tom, "take_cast", line=second.line("the widow").pk)
    second.do(second.tom, "step_on")
    assert second.pc("Amy") == second.named("Mekha")
    assert second.campaign.characters.filter(kind="pc").count() == 5


def test_wa88_a_former_one_who_fits_a_line_costs_no_name(second: Troupe):
    second.at_step("choose")
    amek, line = second.named("Amek"), second.line("the widow")
    assert "Choose a line of the list that fits" in second.refusal(
        second.tom, "play_former", 422, character=amek.pk
    )
    second.do(second.tom, "play_former", character=amek.pk, line=line.pk)
    assert (fresh(line).character, fresh(line).taken_by) == (amek, second.member("Tom"))
    assert second.campaign.owed.get(order=2).struck == ""
    assert second.told("former_taken") == "Tom plays Amek again: the widow."
    second.do(second.martha, "take_cast", line=second.line("a priest").pk)
    second.do(second.tom, "step_on")
    assert second.pc("Tom") == amek


def test_wa88_a_name_further_down_is_struck_to_bring_her_in(second: Troupe):
    second.at_step("choose")
    amek = second.named("Amek")
    assert "Only the first" in second.refusal(
        second.tom, "play_former", character=amek.pk, owed=owed(second, 3)
    )
    second.do(second.tom, "play_former", character=amek.pk, owed=owed(second, 2))
    assert second.campaign.owed.get(order=2).struck_chapter == second.chapter
    # Another choice gives the name back.
    second.do(second.tom, "take_cast", line=second.line("the widow").pk)
    assert second.campaign.owed.get(order=2).struck == ""
    assert not second.chapter.parts.filter(character=amek).exists()


def test_wa88_anybody_elses_character_only_with_the_word(second: Troupe):
    second.at_step("choose")
    amek, line = second.named("Amek"), second.line("a priest").pk
    asked = {"character": amek.pk, "line": line}
    assert "only with the permission" in second.refusal(second.martha, "play_former", 403, **asked)
    martha = second.member("Martha")
    second.do(second.tom, "lend_character", character=amek.pk, member=martha.pk)
    assert "Martha already has permission to play Amek" in second.refusal(
        second.tom, "play_former", **asked
    )
    struck = {"character": amek.pk, "owed": owed(second, 2)}
    assert "Only the first Amek on the owe list" in second.refusal(
        second.martha, "play_former", **struck
    )
    second.do(second.martha, "play_former", **asked)
    assert second.pc("Martha") == amek
    assert fresh(amek).owner == second.member("Tom")


def test_wa88_the_gm_uses_one_with_the_word_too(second: Troupe):
    second.at_step("choose")
    amek, line = second.named("Amek"), second.line("a priest").pk
    assert "Amek can be played only with the permission of" in second.refusal(
        second.erin, "play_former", 403, character=amek.pk, line=line
    )
    erin = second.member("Erin")
    second.do(second.tom, "lend_character", character=amek.pk, member=erin.pk)
    second.do(second.erin, "play_former", character=amek.pk, line=line)
    assert second.part("Erin").character == amek
    second.at_step("sheets")
    assert second.part("Erin").character == amek


def test_wa85_who_comes_back_is_her_own_players_though_she_was_lent(second: Troupe):
    mekha = second.named("Mekha")
    tom = second.member("Tom").pk
    second.do(second.amy, "lend_character", character=mekha.pk, member=tom)
    second.at_step("sheets")
    assert second.pc("Amy") == mekha
    grown = {"character": mekha.pk, "choice": "grow", "which_form": "with_love"}
    second.refusal(second.tom, "come_back", 403, **grown)
    second.do(second.amy, "come_back", **grown)


def test_wa89_a_former_one_takes_the_place_of_a_sheet_that_was_begun(second: Troupe):
    second.at_step("sheets")
    begun, amek = second.pc("Tom"), second.named("Amek")
    second.do(second.tom, "play_former", character=amek.pk, owed=owed(second, 2))
    assert second.pc("Tom") == amek
    assert not Character.objects.filter(pk=begun.pk).exists()
    assert second.line("the widow").state == "open"
    second.undoes("former_taken")
    assert second.pc("Tom") == begun


def test_wa88_not_an_npc_not_twice_not_over_somebodys_head(second: Troupe):
    second.at_step("choose")
    line, esan = second.line("a priest"), second.named("Esan")
    second.do(second.martha, "take_cast", line=line.pk)
    amek = second.named("Amek")
    assert "Somebody else plays that one" in second.refusal(
        second.tom, "play_former", character=amek.pk, line=line.pk
    )
    assert "That is one of the GM" in second.refusal(
        second.tom, "play_former", character=esan.pk, line=line.pk
    )
    free = second.line("the widow").pk
    mekha = second.named("Mekha")
    assert "Mekha is in this chapter already" in second.refusal(
        second.amy, "play_former", character=mekha.pk, line=free
    )
    second.do(second.tom, "play_former", character=amek.pk, line=free)
    assert "already" in second.refusal(second.tom, "play_former", character=amek.pk, line=free)
    second.refusal(second.tom, "play_former", 404, character=999, line=free)


def test_wa95_a_dead_former_one_needs_a_line_that_says_how(second: Troupe):
    amek = second.named("Amek")
    dies(amek)
    second.at_step("choose")
    struck = {"character": amek.pk, "owed": owed(second, 2)}
    assert "is dead" in second.refusal(second.tom, "play_former", 422, **struck)
    second.do(second.tom, "add_cast", text="the ghost of Amek")
    line = second.line("the ghost of Amek").pk
    second.do(second.tom, "play_former", **struck, line=line)
    assert second.part("Tom").came_back_as == "the ghost of Amek"
    assert fresh(amek).state == "active"


# --- NPCs (WA-15, WA-16, WA-90) ------------------------------------------------------------------
def test_wa15_an_npc_in_one_tap(troupe: Troupe):
    troupe.at_step("cast")
    line = troupe.at_step("choose").line("the soldier")
    troupe.do(troupe.erin, "make_npc", line=line.pk, best="maneuvering", second="self_protection")
    one = troupe.named("the soldier")
    assert (one.kind, one.description, one.owner) == ("npc", "the soldier", None)
    assert one.dice() == {
        "maneuvering": [12, 8],
        "self_protection": [10, 6],
        "action": [6, 4],
    }
    assert fresh(line).state == "npc"
    assert "an NPC" in troupe.refusal(troupe.amy, "take_cast", line=line.pk)
    assert "an NPC" in troupe.refusal(troupe.erin, "make_npc", line=line.pk)
    troupe.refusal(troupe.amy, "make_npc", 403)


def test_wa15_the_second_form_is_the_next_unless_said_and_never_the_same(troupe: Troupe):
    troupe.at_step("choose")
    troupe.do(troupe.erin, "make_npc", name="Esan", best="self_protection")
    assert troupe.named("Esan").dice()["action"] == [10, 6]
    asked = {"name": "Two", "best": "action", "second": "action"}
    assert "Each form takes one pair of dice" in troupe.refusal(
        troupe.erin, "make_npc", 422, **asked
    )


def test_wa16_a_nameless_one_gets_a_name_that_goes_with_the_oracle(troupe: Troupe):
    troupe.at_step("choose")
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "make_npc")
    assert troupe.campaign.characters.get(kind="npc").name


def test_wa16_in_the_middle_of_a_scene(troupe: Troupe):
    troupe.in_play()
    scene = troupe.chapter.scenes.create(where="The gate")
    troupe.do(troupe.erin, "make_npc", name="Guard", scene=scene.pk)
    assert fresh(scene).who == [troupe.named("Guard").number]
    troupe.refusal(troupe.erin, "make_npc", 404, name="Guard", scene=999)


def test_no_npc_of_a_players_line(troupe: Troupe):
    troupe.at_step("choose")
    line = troupe.line("a priest")
    troupe.do(troupe.amy, "take_cast", line=line.pk)
    assert "Amy has chosen" in troupe.refusal(troupe.erin, "make_npc", line=line.pk)


def test_wa90_an_npc_of_before_returns_with_whole_dice(second: Troupe):
    esan = second.named("Esan")
    wears_down(esan, action=[0, 4])
    second.at_step("cast")
    assert "Amek is a player" in second.refusal(
        second.erin, "bring_npc", character=second.named("Amek").pk
    )
    second.do(second.erin, "bring_npc", character=esan.pk)
    assert fresh(esan).dice() == fresh(esan).dice("base")
    assert second.told("npc_returned") == "Esan is there again."
    assert "already" in second.refusal(second.erin, "bring_npc", character=esan.pk)
    second.refusal(second.amy, "bring_npc", 403, character=esan.pk)


def test_wa90_a_dead_npc_needs_a_line_that_says_how(second: Troupe):
    esan = second.named("Esan")
    dies(esan)
    second.at_step("choose")
    assert "is dead" in second.refusal(second.erin, "bring_npc", character=esan.pk)
    line = second.line("the collector")
    second.do(second.erin, "bring_npc", character=esan.pk, line=line.pk)
    assert (fresh(esan).state, fresh(line).character) == ("active", esan)


def test_wa90_in_the_middle_of_play_the_gm_brings_back_who_lives(second: Troupe):
    erin, other = second.erin, second.named("Fa Il Shar")
    second.do(erin, "turn_table", rules="wicked_age")
    second.at_step("play")
    second.chapter.parts.filter(character=other).delete()  # not there from the beginning
    page = erin.sees("gm/")
    assert f'id="bring-npc-{other.pk}"' in page
    second.do(erin, "bring_npc", character=other.pk)
    assert f'id="bring-npc-{other.pk}"' not in erin.sees("gm/")
    assert second.told("npc_returned") == "Fa Il Shar is there again."
    second.do(erin, "step_back")
    second.do(erin, "begin_play")
    assert not second.events("pc_joined"), "she has no choice to make, and no player"
