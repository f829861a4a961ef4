"""Sheets: names, dice, corrections, and what became of somebody (WA-12 to WA-17, WA-69)."""

from __future__ import annotations

import re

import pytest

from campaigns.models import Character
from games.rules.wicked_age.names import names_of
from tests.campaigns.sheets import forms_are
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, fresh, refused

DICE = {
    "covertly": 4,
    "directly": 12,
    "for_myself": 6,
    "for_others": 6,
    "with_love": 8,
    "with_violence": 10,
}


@pytest.fixture
def troupe(troupe: Troupe) -> Troupe:
    return troupe.at_step("sheets")


def test_a_page_opens_though_all_names_of_an_oracle_are_taken(troupe: Troupe):
    """A long campaign has had them all: the page broke, as long as somebody had no name."""
    one = troupe.pc("Amy")
    known = names_of(troupe.chapter.oracle)
    for number, name in enumerate((*known.men, *known.either), 1000):
        Character.objects.create(
            campaign=troupe.campaign, number=number, kind="npc", name=name, forms={}
        )
    troupe.dice.fall(*[1] * 20)  # names that the page suggests
    page = troupe.amy.sees(f"character/{one.number}/")
    offered = re.findall(r'data-fill="name" value="([^"]+)"', page)
    assert len(offered) == 1
    assert offered[0] in known.women


# --- a player's sheet (WA-12, WA-13) -------------------------------------------------------------
def test_wa12_a_player_writes_the_own_sheet(troupe: Troupe):
    one = troupe.pc("Amy")
    troupe.do(troupe.amy, "write_sheet", character=one.pk, name=" Mekha\u202e ", **DICE)
    one = fresh(one)
    assert (one.name, one.description) == ("Mekha", "a priest")
    assert one.dice() == one.dice("base") == DICE
    assert troupe.told("sheet_written") == "Amy plays Mekha."
    assert "Mekha: covertly d4, directly d12, for myself d6" in troupe.told("dice_laid").replace(
        "Amy's character", "Mekha"
    )
    text = "A priest.\r\n\tOld\u0007."
    troupe.do(troupe.amy, "write_sheet", character=one.pk, description=text)
    assert fresh(one).description == "A priest.\n Old."
    troupe.do(troupe.erin, "write_sheet", character=one.pk, name="Mekha II")
    assert troupe.told("sheet_written") == "Mekha is called Mekha II now."
    assert fresh(one).description == "A priest.\n Old.", "what is left empty stays"


def given(person: Person, one: Character) -> dict[str, str]:
    """Open a sheet's page, and return what its form says that it was given."""
    page = person.sees(f"character/{one.number}/")
    return dict(re.findall(r'name="(was_\w+)" value="([^"]*)"', page))


def test_two_who_write_one_sheet_at_once_lose_nothing_of_it(
    troupe: Troupe, monkeypatch: pytest.MonkeyPatch
):
    """Each form sends all of the sheet; what its writer has left alone is the other's to write."""
    # The page draws names to offer.
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", lambda _dice, _sides: 1)
    troupe.do(troupe.amy, "write_sheet", character=troupe.pc("Amy").pk, name="Meka")
    one = troupe.pc("Amy")
    laid = one.dice("base")
    amys, erins = given(troupe.amy, one), given(troupe.erin, one)
    old = {"character": one.pk, "name": one.name, "description": one.description, **laid}
    troupe.do(troupe.erin, "write_sheet", **{**old, **DICE, "description": "Old."}, **erins)
    troupe.do(troupe.amy, "write_sheet", **{**old, "name": "Mekha"}, **amys)
    now = fresh(one)
    assert (now.name, now.description, now.dice("base")) == ("Mekha", "Old.", DICE)
    words = troupe.refusal(troupe.amy, "write_sheet", **{**old, "description": "Young."}, **amys)
    assert "“Old”" in words
    troupe.do(
        troupe.amy,
        "write_sheet",
        **{**old, "name": "Mekha", "description": "Young.", **DICE},
        **given(troupe.amy, one),
    )
    assert fresh(one).description == "Young."


def test_a_sheet_is_its_players_and_the_gms(troupe: Troupe):
    one = troupe.pc("Amy")
    for action, fields in (
        ("write_sheet", {"name": "X"}),
        ("swap_forms", {"which_form": "covertly", "other": "directly"}),
        ("mark_character", {"state": "dead"}),
    ):
        troupe.refusal(troupe.tom, action, 403, character=one.pk, **fields)
        troupe.refusal(troupe.amy, action, 404, character=999_999, **fields)
    troupe.refusal(troupe.amy, "write_sheet", 422, character=one.pk, name="x" * 61)


@pytest.mark.parametrize(
    ("laid", "field", "why"),
    [
        ({"directly": 12}, "directly", "Two forms can't both have the d12."),
        ({"with_violence": 6}, "with_violence", "Only two forms can have a d6."),
        ({"with_love": 7}, "with_love", "There is no d7 among the six"),
        ({"with_love": 2}, "with_love", "There is no d2 among the six"),
    ],
)
def test_wa13_the_six_dice_are_the_six(troupe: Troupe, laid, field, why):
    one = troupe.pc("Amy")
    answer = troupe.amy.does("write_sheet", character=one.pk, name="M", **laid)
    assert why in refused(answer, 422).replace("&#39;", "'")
    assert f'data-field="{field}"' in answer.content.decode()
    assert fresh(one).dice()["covertly"] == 12
    assert not fresh(one).name, "refused is refused altogether"


def test_wa13_two_forms_change_their_dice(troupe: Troupe):
    one = troupe.pc("Amy")
    troupe.do(
        troupe.amy, "swap_forms", character=one.pk, which_form="covertly", other="with_violence"
    )
    dice = fresh(one).dice()
    assert (dice["covertly"], dice["with_violence"]) == (4, 12)
    assert "covertly d4" in troupe.told("dice_laid")
    words = troupe.refusal(
        troupe.amy, "swap_forms", 422, character=one.pk, which_form="covertly", other="covertly"
    )
    assert "two different" in words
    troupe.refusal(
        troupe.amy, "swap_forms", 422, character=one.pk, which_form="covertly", other="maneuvering"
    )
    troupe.undoes("dice_laid")
    assert fresh(one).dice()["covertly"] == 12


def test_wa17_once_the_chapter_has_begun_the_dice_stand(troupe: Troupe):
    troupe.in_play()
    one = troupe.pc("Amy")
    words = troupe.refusal(troupe.amy, "write_sheet", character=one.pk, name="Me", **DICE)
    assert "before Mekha's first chapter" in words.replace("&#39;", "'")
    swap = {"which_form": "covertly", "other": "directly"}
    answer = troupe.amy.does("swap_forms", character=one.pk, **swap)
    assert answer.status_code == 409
    assert 'data-field="which_form"' in answer.content.decode(), "a field that this action has"
    troupe.do(troupe.amy, "write_sheet", character=one.pk, name="Me", covertly=12)
    assert fresh(one).name == "Me"
    troupe.do(troupe.erin, "step_back")
    assert "The six dice are laid out once" in troupe.refusal(
        troupe.amy, "write_sheet", character=one.pk, **DICE
    )
    troupe.is_over()
    troupe.do(troupe.amy, "write_sheet", character=one.pk, name="Mekha")
    assert "The six dice are laid out once" in troupe.refusal(
        troupe.erin, "write_sheet", character=one.pk, **DICE
    )


def test_wa98_a_returning_characters_dice_are_not_laid_out_again(troupe: Troupe):
    troupe.played_once("Amek").at_step("sheets")
    amek = troupe.named("Amek")
    assert "The six dice are laid out once" in troupe.refusal(
        troupe.tom, "write_sheet", character=amek.pk, **DICE
    )


# --- an NPC's sheet (WA-15) ----------------------------------------------------------------------
def test_wa15_the_gm_writes_an_npcs_sheet(troupe: Troupe):
    esan = troupe.named("Esan")
    troupe.do(troupe.erin, "write_npc", character=esan.pk, name="Esan the Red", description="Big.")
    troupe.do(troupe.erin, "write_npc", character=esan.pk, best="maneuvering")
    esan = fresh(esan)
    assert (esan.name, esan.description) == ("Esan the Red", "Big.")
    assert (
        esan.dice()
        == esan.dice("base")
        == {
            "maneuvering": [12, 8],
            "action": [10, 6],
            "self_protection": [6, 4],
        }
    )
    troupe.do(troupe.erin, "write_npc", character=esan.pk, second="maneuvering")
    assert fresh(esan).dice()["maneuvering"] == [10, 6]
    assert fresh(esan).dice()["action"] == [12, 8]
    assert "Each form takes one pair of dice" in troupe.refusal(
        troupe.erin, "write_npc", 422, character=esan.pk, best="action", second="action"
    )
    troupe.refusal(troupe.amy, "write_npc", 403, character=esan.pk, name="X")
    troupe.refusal(troupe.amy, "write_sheet", 403, character=esan.pk, name="X")
    assert "That is one of the GM" in troupe.refusal(
        troupe.erin, "write_sheet", character=esan.pk, name="X"
    )
    assert "character is a player" in troupe.refusal(
        troupe.erin, "write_npc", character=troupe.pc("Amy").pk, name="X"
    )


def test_nobody_in_a_chapter_is_called_like_somebody_else(troupe: Troupe):
    """WA-12, WA-15: a fight, an interest and the owe list tell people apart by their names."""
    erin, amy, esan = troupe.erin, troupe.amy, troupe.named("Esan")
    own = troupe.pc("Amy").pk
    troupe.do(amy, "write_sheet", character=own, name="Mekha")
    for who, action, about in (
        (amy, "write_sheet", {"character": own, "name": "ESAN"}),
        (erin, "write_npc", {"character": esan.pk, "name": "mekha"}),
        (erin, "make_npc", {"name": "Esan", "best": "action"}),
    ):
        assert "called" in troupe.refusal(who, action, 422, **about)
    troupe.do(amy, "write_sheet", character=own, name="mekha")
    troupe.do(erin, "write_npc", character=esan.pk, name="Esan", description="Red.")


def test_wa15_pairs_that_have_been_in_use_stay(troupe: Troupe):
    esan = troupe.named("Esan")
    forms_are(esan, action=[10, 8])
    words = troupe.refusal(troupe.erin, "write_npc", character=esan.pk, best="maneuvering")
    assert "one by one" in words
    troupe.do(troupe.erin, "write_npc", character=esan.pk, name="Esan", best="action")


# --- corrections (WA-111, WA-69) -----------------------------------------------------------------
def test_wa111_the_gm_sets_a_die_right_and_it_is_logged(troupe: Troupe):
    troupe.in_play()
    amy, esan = troupe.pc("Amy"), troupe.named("Esan")
    troupe.do(troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=8)
    assert fresh(amy).forms["directly"] == {"base": 10, "current": 8}
    assert troupe.told("die_corrected") == "The GM sets right: Mekha's “directly” is d8, not d10."
    troupe.do(
        troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=8, base=12
    )
    assert fresh(amy).forms["directly"] == {"base": 12, "current": 8}
    assert "made with d12" in troupe.told("die_corrected")
    troupe.do(
        troupe.erin, "correct_die", character=esan.pk, which_form="action", current=4, which=1
    )
    assert fresh(esan).forms["action"] == {"base": [12, 8], "current": [12, 4]}
    troupe.undoes("die_corrected")
    assert fresh(esan).forms["action"]["current"] == [12, 8]


@pytest.mark.parametrize(
    "wrong",
    [
        {"which_form": "directly", "current": 12},  # more than it was made with
        {"which_form": "directly", "current": 7},
        {"which_form": "directly", "current": 0, "base": 0},
        {"which_form": "directly", "current": 4, "base": 5},
        {"which_form": "action", "current": 4},
        {"which_form": "directly", "current": 4, "which": 1},
        {"which_form": "directly", "current": 14},
        {"which_form": "sideways", "current": 4},
    ],
)
def test_a_die_that_cannot_be_is_refused(troupe: Troupe, wrong):
    troupe.refusal(troupe.erin, "correct_die", 422, character=troupe.pc("Amy").pk, **wrong)


def test_wa69_two_dice_at_0_are_out_and_a_correction_follows(troupe: Troupe):
    troupe.in_play()
    amy = troupe.pc("Amy")
    forms_are(amy, covertly=0)
    troupe.do(troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=0)
    assert fresh(amy).state == "out"
    words = troupe.refusal(troupe.amy, "mark_character", character=amy.pk, state="active")
    assert "at 0" in words
    troupe.do(troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=4)
    assert fresh(amy).state == "active"
    assert "That die has that size already" in troupe.refusal(
        troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=4
    )
    troupe.refusal(
        troupe.amy, "correct_die", 403, character=amy.pk, which_form="directly", current=8
    )


def test_wa69_a_captive_with_two_dice_at_0_is_out_too(troupe: Troupe):
    """Nobody is offered as a fighter whom the rules let take up no dice."""
    troupe.in_play()
    amy = troupe.pc("Amy")
    forms_are(amy, covertly=0)
    troupe.do(troupe.amy, "mark_character", character=amy.pk, state="captive")
    troupe.do(troupe.erin, "correct_die", character=amy.pk, which_form="directly", current=0)
    assert fresh(amy).state == "out"
    words = troupe.refusal(troupe.amy, "mark_character", character=amy.pk, state="captive")
    assert "at 0" in words


# --- what became of somebody ---------------------------------------------------------------------
def test_what_became_of_somebody_is_told_in_the_chronicle(troupe: Troupe):
    troupe.in_play()
    amy = troupe.pc("Amy")
    troupe.do(troupe.amy, "mark_character", character=amy.pk, state="captive")
    assert fresh(amy).state == "captive"
    assert troupe.told("character_marked") == "Mekha is a captive."
    assert troupe.chapter.moments.filter(kind="character_marked").count() == 1
    words = troupe.refusal(troupe.amy, "mark_character", character=amy.pk, state="captive")
    assert "so already" in words  # the chip that is pressed stands on a page that is new
    assert "Dice put somebody out of a chapter" in troupe.refusal(
        troupe.amy, "mark_character", 403, character=amy.pk, state="out"
    )
    troupe.do(troupe.erin, "mark_character", character=amy.pk, state="out")
    assert troupe.told("character_marked").startswith("Mekha is out")
    troupe.undoes("character_marked")
    assert fresh(amy).state == "captive"


def test_nobody_dies_beside_the_dice_that_she_has_down(troupe: Troupe):
    troupe.in_play()
    amy, tom = troupe.pc("Amy"), troupe.pc("Tom")
    troupe.do(troupe.amy, "start_sequence", act="climbs the wall", actor=amy.pk, who=tom.pk)
    words = troupe.refusal(troupe.erin, "mark_character", character=amy.pk, state="dead")
    assert "dice on the table" in words
    troupe.do(troupe.erin, "mark_character", character=troupe.pc("Martha").pk, state="dead")


def test_another_campaigns_sheets_are_not_to_be_had(troupe: Troupe):
    stranger = Troupe(troupe.dice, troupe.clock).gathers().at_step("sheets").pc("Amy")
    for action, fields in (
        ("write_sheet", {"name": "X"}),
        ("swap_forms", {"which_form": "covertly", "other": "directly"}),
        ("write_npc", {"name": "X"}),
        ("correct_die", {"which_form": "covertly", "current": 4}),
        ("mark_character", {"state": "dead"}),
    ):
        troupe.refusal(troupe.erin, action, 404, character=stranger.pk, **fields)


def test_wa69_a_die_set_right_after_play_puts_somebody_back_in_it(troupe: Troupe):
    """In a chapter that has gone back to its interests she stayed out, with one die at 0."""
    troupe.in_play()
    mekha = troupe.pc("Amy")
    for form in ("covertly", "directly"):
        die = {"character": mekha.pk, "which_form": form, "current": 0}
        troupe.do(troupe.erin, "correct_die", **die)
    assert fresh(mekha).state == "out"
    troupe.do(troupe.erin, "step_back")
    die = {"character": mekha.pk, "which_form": "covertly", "current": 4}
    troupe.do(troupe.erin, "correct_die", **die)
    assert fresh(mekha).state == "active"


def used_up(troupe: Troupe, *kinds: str) -> None:
    """Have people in the campaign for all the names that an oracle's list has of these kinds."""
    names = [name for kind in kinds for name in getattr(names_of("bronze_and_dust"), kind)]
    for number, name in enumerate(names, 100):
        one = {"number": number, "kind": "npc", "name": name}
        Character.objects.create(campaign=troupe.campaign, **one)


def test_wa16_an_npc_without_a_name_gets_one_where_those_of_either_are_used_up(troupe: Troupe):
    troupe.at_step("sheets")
    used_up(troupe, "either")
    troupe.dice.fall(1)
    troupe.do(troupe.erin, "make_npc", best="action")
    assert troupe.told("npc_made") == "The GM has somebody new: Kedret."
    Character.objects.filter(number__gte=100).delete()
    used_up(troupe, "either", "women", "men")
    for name in ("Somebody", "Somebody 2"):
        troupe.do(troupe.erin, "make_npc", best="action")
        assert troupe.told("npc_made") == f"The GM has somebody new: {name}."


def test_wa72_a_captive_takes_up_dice_from_the_dock_as_well(troupe: Troupe):
    """The rules let her, and so did the form further up; the button to it was gone."""
    troupe.in_play()
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    for state, is_there in (("captive", True), ("absent", False)):
        mekha = troupe.pc("Amy").pk
        troupe.do(troupe.amy, "mark_character", character=mekha, state=state)
        assert ('id="go-start"' in troupe.amy.sees()) == is_there


def test_wa35_what_is_said_while_a_played_chapter_has_gone_back_is_told_too(troupe: Troupe):
    """The chronicle keeps the last word of an interest, and who became a captive."""
    troupe.in_play()
    mekha = troupe.pc("Amy")
    interest = mekha.interests.earliest("pk").pk
    troupe.do(troupe.erin, "mark_interest", interest=interest, state="lost")
    troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.erin, "mark_interest", interest=interest, state="achieved")
    troupe.do(troupe.erin, "mark_character", character=mekha.pk, state="captive")
    told = troupe.chapter.moments.filter(kind__endswith="_marked").order_by("number")
    assert [one.data["state"] for one in told] == ["achieved", "captive"]
