"""The one choice of who comes back, and with what (WA-94, WA-97 to WA-102, WA-106)."""

from __future__ import annotations

import pytest

from campaigns.models import Character, Holding
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.sheets import POTENT, forms_are
from tests.campaigns.troupe import Troupe
from tests.games.party import fresh


def mekha_is_back(troupe: Troupe) -> None:
    """Mekha comes back to a second chapter, worn, with her hawk's eyes."""
    troupe.played_once("Mekha")
    forms_are(troupe.named("Mekha"), covertly=10, for_others=0, with_love=4)
    troupe.at_step("sheets")


@pytest.fixture
def troupe(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(mekha_is_back)


@pytest.fixture
def mekha(troupe: Troupe) -> Character:
    return troupe.named("Mekha")


def chosen(troupe: Troupe) -> str:
    return troupe.part("Amy").come_back


def test_wa98_mending_brings_all_dice_back(troupe: Troupe, mekha):
    assert mekha.dice()["for_others"] == 4, "free (WA-99)"
    worn = mekha.forms
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="mend")
    assert fresh(mekha).dice() == mekha.dice("base")
    assert chosen(troupe) == "mend"
    assert "whole" in troupe.told("pc_mended")
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert (fresh(mekha).forms, chosen(troupe)) == (worn, "")
    assert set(troupe.part("Amy").before) == {"forms", "strengths", "state", "choice"}
    assert "Mekha has made no choice yet" in troupe.refusal(
        troupe.amy, "take_back_choice", character=mekha.pk
    )


def test_wa98_one_choice_and_no_second(troupe: Troupe, mekha):
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="grow", which_form="with_love")
    assert fresh(mekha).forms["with_love"] == {"base": 8, "current": 6}
    assert "“with love” is d6 now" in troupe.told("form_grown")
    held = mekha.holdings.get()
    for action, fields in (
        ("come_back", {"choice": "mend"}),
        ("come_back", {"choice": "more", "holding": held.pk, "option": "unique"}),
        ("new_strength", POTENT),
        ("take_strength", {"strength": held.strength_id}),
    ):
        words = troupe.refusal(troupe.amy, action, character=mekha.pk, **fields)
        assert "made the choice" in words
    assert "only the GM" in troupe.refusal(troupe.amy, "drop_strength", 403, holding=held.pk)
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert fresh(mekha).forms["with_love"] == {"base": 6, "current": 4}


def test_wa98_nothing_grows_above_d12(troupe: Troupe, mekha):
    assert "No form grows above d12" in troupe.refusal(
        troupe.amy, "come_back", character=mekha.pk, choice="grow", which_form="covertly"
    )
    assert "Say which form grows" in troupe.refusal(
        troupe.amy, "come_back", 422, character=mekha.pk, choice="grow"
    )
    assert chosen(troupe) == ""


def test_wa98_a_new_strength_is_a_choice_and_can_be_put_back(troupe: Troupe, mekha):
    troupe.do(troupe.amy, "new_strength", character=mekha.pk, **POTENT)
    assert chosen(troupe) == "strength"
    assert mekha.holdings.count() == 2
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert (chosen(troupe), mekha.holdings.count()) == ("", 1)
    troupe.do(troupe.amy, "new_strength", character=mekha.pk, **POTENT)
    made = mekha.holdings.get(strength__name="The tall bow")
    troupe.do(troupe.amy, "drop_strength", holding=made.pk)
    assert (chosen(troupe), mekha.holdings.count()) == ("", 1)
    own = mekha.holdings.get().strength_id
    words = troupe.refusal(troupe.amy, "take_strength", character=mekha.pk, strength=own)
    assert "already" in words


def test_wa100_who_plays_in_two_chapters_in_a_row_has_a_choice_again(troupe: Troupe, mekha):
    """However many strengths she has by then."""
    for name in ("The tall bow", "A ladder of smoke"):
        troupe.do(troupe.amy, "new_strength", character=mekha.pk, **{**POTENT, "name": name})
        troupe.at_step("play").owes("Mekha")
        troupe.is_over().at_step("sheets")
        assert (troupe.pc("Amy"), chosen(troupe)) == (mekha, "")
    assert mekha.holdings.count() == 3


def test_wa94_in_an_earlier_time_she_has_her_latest_sheet(troupe: Troupe, mekha):
    latest = (mekha.forms, mekha.holdings.count())
    troupe.do(troupe.amy, "place_chapter", placement="before", beside=troupe.chapter.beside_id)
    troupe.at_step("play")
    assert (fresh(mekha).forms, mekha.holdings.count()) == latest


# --- more significance (WA-101, WA-102) ----------------------------------------------------------
def test_wa101_one_option_more_and_back(troupe: Troupe, mekha):
    held = mekha.holdings.get()
    more = {"character": mekha.pk, "choice": "more", "holding": held.pk}
    note = "She has learnt to wait."
    troupe.do(troupe.amy, "come_back", **more, option="doubly_potent", note=note)
    assert fresh(held).version["options"] == ["potent", "doubly_potent"]
    assert fresh(held).note == note
    troupe.dice.fall(1, 1, 1)  # the names that her page suggests
    assert note in troupe.amy.sees(f"character/{mekha.number}/")
    assert fresh(held).strength.version["options"] == ["potent"], "her own copy only (WA-29)"
    assert "doubly potent" in troupe.told("strength_raised")
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert (fresh(held).version, fresh(held).note) == (held.version, "")
    troupe.do(troupe.amy, "come_back", **more, option="broad", broad_form="with_love")
    assert fresh(held).version["broad_form"] == "with_love"
    troupe.undoes("strength_raised")
    assert (fresh(held).version, chosen(troupe)) == (held.version, "")


def test_wa101_what_the_option_does_not_name_is_left_alone(troupe: Troupe, mekha):
    held = mekha.holdings.get()
    held.version = {**held.version, "options": ["broad"], "broad_form": "with_love"}
    held.note = "She fell into it"
    held.save()
    more = {"character": mekha.pk, "choice": "more", "holding": held.pk}
    troupe.do(troupe.amy, "come_back", **more, option="potent", broad_form="directly")
    assert fresh(held).note == "She fell into it"
    assert fresh(held).version["broad_form"] == "with_love"


@pytest.mark.parametrize(
    ("options", "asked", "status"),
    [
        (["potent"], {"option": "potent"}, 422),  # every option once (WA-23)
        (["unique"], {"option": "doubly_potent"}, 422),  # needs potent (WA-22)
        (["potent"], {"option": "broad"}, 422),
        (["potent"], {"option": "broad", "broad_form": "covertly"}, 422),
        (["potent"], {"option": "consequential", "hits_pc": "covertly"}, 422),
        (["potent"], {}, 422),
        (["potent", "unique", "far_reaching", "doubly_potent"], {"option": "broad"}, 422),
    ],
)
def test_wa101_what_cannot_be_raised(troupe: Troupe, mekha, options, asked, status):
    held = mekha.holdings.get()
    Holding.objects.filter(pk=held.pk).update(version={**held.version, "options": options})
    more = {"character": mekha.pk, "choice": "more", "holding": held.pk}
    troupe.refusal(troupe.amy, "come_back", status, **more, **asked)
    assert chosen(troupe) == ""


def test_wa106_a_strength_that_another_living_one_has_does_not_become_unique(troupe, mekha):
    held, esan = mekha.holdings.get(), troupe.named("Esan")
    Holding.objects.create(strength=held.strength, character=esan, version=held.version)
    more = {"character": mekha.pk, "choice": "more", "holding": held.pk, "option": "unique"}
    assert "Esan has this strength too" in troupe.refusal(troupe.amy, "come_back", **more)
    troupe.do(troupe.erin, "mark_character", character=esan.pk, state="dead")
    troupe.do(troupe.amy, "come_back", **more)


def test_a_strength_of_another_sheet_is_not_raised(troupe: Troupe, mekha):
    other = troupe.strength(troupe.pc("Tom"), "A good knife")
    more = {"character": mekha.pk, "choice": "more", "option": "unique"}
    troupe.refusal(troupe.amy, "come_back", 403, **more, holding=other.pk)
    assert "That strength is not on this sheet" in troupe.refusal(
        troupe.erin, "come_back", 409, **more, holding=other.pk
    )
    assert "Say which strength" in troupe.refusal(troupe.amy, "come_back", 422, **more)
    troupe.refusal(troupe.amy, "come_back", 404, **more, holding=999_999)


# --- who, and until when -------------------------------------------------------------------------
def test_wa99_where_mending_is_free_it_is_no_choice(troupe: Troupe, mekha):
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    words = troupe.refusal(troupe.amy, "come_back", character=mekha.pk, choice="mend")
    assert "free" in words


def test_wa99_who_has_come_back_is_whole_when_mending_becomes_free(troupe: Troupe, mekha):
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="mend")
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    assert fresh(mekha).dice() == mekha.dice("base")
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="grow", which_form="with_love")
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert fresh(mekha).dice() == mekha.dice("base")
    troupe.undoes("campaign_set")
    assert fresh(mekha).dice()["covertly"] == mekha.dice()["covertly"]


def test_wa99_a_choice_to_mend_that_is_taken_back_leaves_the_dice_whole(troupe: Troupe, mekha):
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="mend")
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    troupe.do(troupe.amy, "take_back_choice", character=mekha.pk)
    assert fresh(mekha).dice() == mekha.dice("base")


def test_wa99_nothing_mends_in_the_middle_of_a_chapter(troupe: Troupe, mekha):
    troupe.at_step("play")
    forms_are(mekha, covertly=4)
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    assert fresh(mekha).dice()["covertly"] == 4


def test_who_is_whole_has_nothing_to_mend(troupe: Troupe, mekha):
    forms_are(mekha, **mekha.dice("base"))
    words = troupe.refusal(troupe.amy, "come_back", character=mekha.pk, choice="mend")
    assert "nothing to mend" in words


def test_the_choice_is_for_returning_players_characters(troupe: Troupe, mekha):
    for one, who in ((troupe.pc("Tom"), troupe.tom), (troupe.named("Esan"), troupe.erin)):
        assert "character who comes back has this choice" in troupe.refusal(
            who, "come_back", character=one.pk, choice="mend"
        )
        troupe.refusal(who, "take_back_choice", character=one.pk)
    troupe.refusal(troupe.tom, "come_back", 403, character=mekha.pk, choice="mend")
    troupe.refusal(troupe.tom, "take_back_choice", 403, character=mekha.pk)
    troupe.refusal(troupe.amy, "come_back", 422, character=mekha.pk, choice="strength")
    troupe.do(troupe.erin, "come_back", character=mekha.pk, choice="mend")


def test_once_the_chapter_has_begun_the_choice_stands(troupe: Troupe, mekha):
    troupe.do(troupe.amy, "come_back", character=mekha.pk, choice="grow", which_form="with_love")
    for person in (troupe.martha, troupe.tom):
        troupe.do(person, "write_sheet", character=troupe.pc(person).pk, name=f"{person} two")
    troupe.do(troupe.erin, "step_on")
    troupe.interests()
    troupe.do(troupe.erin, "begin_play")
    assert troupe.part("Amy").before["forms"]["with_love"] == {"base": 8, "current": 6}
    words = troupe.refusal(troupe.amy, "take_back_choice", character=mekha.pk)
    assert "stands" in words
    troupe.do(troupe.erin, "step_back")
    assert "The chapter has begun" in troupe.refusal(
        troupe.amy, "take_back_choice", character=mekha.pk
    )
