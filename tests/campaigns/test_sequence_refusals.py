"""Who may do what in an action sequence, when, with which dice (WA-26, WA-40 to 44, 57, 65)."""

from __future__ import annotations

import pytest

from campaigns.models import Character
from tests.campaigns.brawl import Brawl, duel
from tests.games.party import Person, done

pytestmark = pytest.mark.django_db


def test_wa40_a_player_moves_her_own_and_the_gm_everybody(brawl: Brawl):
    tom, amy, erin = brawl.troupe.tom, brawl.troupe.amy, brawl.troupe.erin
    assert "somebody else" in brawl.refuses(
        "Mekha", "start_sequence", 403, by=tom, act="Runs", actor=brawl.id("Mekha"),
        who=brawl.ids(["Amek"]),
    )  # fmt: skip
    duel(brawl)
    assert "somebody else" in brawl.refuses("Amek", "roll_forms", 403, by=amy)
    brawl.turn("Amek", "roll_forms", by=erin, dice=[5, 6])
    assert "Only somebody with dice" in brawl.refuses(
        "Amek", "next_round", 403, by=brawl.troupe.martha
    )


def test_wa41_who_can_have_dice(brawl: Brawl):
    troupe = brawl.troupe
    alone = {"act": "Runs", "actor": brawl.id("Amek")}
    assert "two to eight" in brawl.refuses(
        "Amek", "start_sequence", 422, **alone, who=[brawl.id("Amek")]
    )
    assert "in a line" in brawl.refuses(
        "Amek", "start_sequence", 422, **{**alone, "act": " "}, who=[brawl.id("Mekha")]
    )
    Character.objects.filter(pk=brawl.id("Mekha")).update(state="out")
    words = brawl.refuses("Amek", "start_sequence", **alone, who=[brawl.id("Mekha")])
    assert words == "Mekha is out for the rest of this chapter."
    assert brawl.refuses("Amek", "start_sequence", 404, **alone, who=[99999])
    Character.objects.filter(pk=brawl.id("Mekha")).update(state="captive")
    duel(brawl)
    words = brawl.refuses("Esan", "start_sequence", act="Runs", actor=brawl.id("Esan"),
                            who=[brawl.id("Mekha")])  # fmt: skip
    assert words == "Mekha has dice in another sequence: that one first."
    assert troupe.chapter.sequences.count() == 1


def test_wa69_two_dice_at_0_take_no_part_whenever_they_got_there(brawl: Brawl):
    forms = {form: {"base": 6, "current": 0} for form in ("covertly", "directly")}
    forms |= {"with_love": {"base": 12, "current": 12}}
    Character.objects.filter(pk=brawl.id("Mekha")).update(forms=forms)
    given = {"act": "Runs", "actor": brawl.id("Amek"), "who": [brawl.id("Mekha")]}
    assert "Mekha is out" in brawl.refuses("Amek", "start_sequence", **given)


def test_wa26_beyond_human_reach_are_only_holders(brawl: Brawl):
    start = {"act": "Climbs to heaven", "actor": brawl.id("Amek"), "needs_far_reach": "true"}
    words = brawl.refuses("Amek", "start_sequence", **start, who=[brawl.id("Esan")])
    assert "beyond Amek" in words
    brawl.troupe.strength(brawl.one("Amek"), "A ladder of smoke", options=["far_reaching"])
    brawl.begins("Amek", "Esan", needs_far_reach="true")
    assert brawl.row.needs_far_reach


def test_wa42_to_44_what_can_be_taken_up(brawl: Brawl):
    held = brawl.troupe.strength(brawl.one("Amek"), "Hawk", options=["potent"])
    brawl.begins("Amek", "Esan")
    assert "two different forms" in brawl.refuses("Amek", "take_dice", forms=["directly"])
    assert "one form" in brawl.refuses("Esan", "take_dice", forms=["action", "maneuvering"])
    assert "acting in its form" in brawl.refuses(
        "Amek", "take_dice", forms=["directly", "for_others"], strengths=[held.pk]
    )
    assert brawl.refuses("Amek", "take_dice", 404, forms=["directly", "covertly"], strengths=[999])
    brawl.takes("Amek", "directly", "covertly", strengths=[held.pk]).takes("Esan", "action")
    assert brawl.troupe.events("forms_taken")[0].data["dice"] == [10, 8, 10]
    assert "kept" in brawl.refuses("Amek", "take_dice", forms=["directly", "for_others"])
    brawl.rolls("Amek", 4, 3, 9)
    assert brawl.troupe.told("dice_fell") == "Amek rolls 9, 4, 3. (real dice)"


def test_wa44_a_form_at_0_gives_no_die(brawl: Brawl):
    one = brawl.one("Amek")
    one.forms["directly"]["current"] = 0
    Character.objects.filter(pk=one.pk).update(forms=one.forms)
    worn = brawl.one("Esan")
    worn.forms["action"]["current"] = [0, 4]
    Character.objects.filter(pk=worn.pk).update(forms=worn.forms)
    brawl.begins("Amek", "Esan").takes("Amek", "directly", "for_myself").takes("Esan", "action")
    brawl.rolls("Amek", 3).rolls("Esan", 2)
    assert brawl.names(brawl.state.order) == ["Amek", "Esan"]


def test_wa57_and_wa111_out_of_turn_and_wrong_dice(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6)
    assert "stands" in brawl.refuses("Amek", "roll_forms", dice=[1, 1])
    assert "2 dice" in brawl.refuses("Mekha", "roll_forms", 422, dice=[1])
    assert "d8 shows" in brawl.refuses("Mekha", "roll_forms", 422, dice=[9, 1])
    brawl.rolls("Mekha", 6, 9)
    assert "somebody else" in brawl.refuses("Amek", "make_move", to=[brawl.id("Mekha")])
    brawl.moves("Mekha", "Amek")
    assert "does not have to answer" in brawl.refuses("Mekha", "roll_forms", dice=[1, 1])
    assert brawl.refuses("Amek", "buy_die", 404, owed=4711)


def test_wa65_only_ones_own_names_are_struck_and_only_before_a_roll(brawl: Brawl):
    mine, theirs, again = brawl.troupe.owes("Amek", "Mekha", "Amek")
    duel(brawl)
    assert "their own characters" in brawl.refuses("Amek", "buy_die", owed=theirs.pk)
    brawl.turn("Amek", "buy_die", owed=again.pk)
    assert brawl.owed() == ["Amek", "Mekha"]
    assert [one.name for one in brawl.state.owe_list] == [brawl.ref("Amek"), brawl.ref("Mekha")]
    brawl.rolls("Amek", 5, 6, 3).rolls("Mekha", 1, 2)
    assert "before a roll" in brawl.refuses("Amek", "buy_die", owed=mine.pk)
    assert brawl.state.of(brawl.ref("Amek")).bought == 1
    assert brawl.is_replayed()


def test_wa65_the_gm_buys_nothing(brawl: Brawl):
    owed = brawl.troupe.owes("Amek")[0]
    brawl.begins("Esan", "Amek").takes("Esan", "action").takes("Amek", "directly", "covertly")
    assert "only players" in brawl.refuses("Esan", "buy_die", owed=owed.pk).lower()


def with_mekha_lent(brawl: Brawl, to: str) -> dict[str, int]:
    """Begin a sequence against Amek with Mekha lent to somebody; return what names her in it."""
    mekha = Character.objects.filter(pk=brawl.id("Mekha"))
    mekha.update(lent_to=brawl.troupe.member(to))
    brawl.begins("Amek", "Mekha").takes("Amek", "directly", "covertly")
    return {"sequence": brawl.key, "who": brawl.id("Mekha")}


def test_wa65_who_plays_one_that_is_lent_strikes_names_of_their_own(brawl: Brawl):
    theirs, mine = brawl.troupe.owes("Mekha", "Tajie")
    by, about = brawl.troupe.martha, with_mekha_lent(brawl, "Martha")
    brawl.does("Mekha", "take_dice", by=by, forms=["directly", "covertly"], **about)
    assert "their own characters" in brawl.refuses("Mekha", "buy_die", by=by, owed=theirs.pk)
    brawl.does("Mekha", "buy_die", by=by, owed=mine.pk, **about)
    assert brawl.owed() == ["Mekha"]
    assert brawl.is_replayed()


def test_wa65_nothing_is_bought_for_one_that_is_lent_to_the_gm(brawl: Brawl):
    owed = brawl.troupe.owes("Mekha")[0]
    by, about = brawl.troupe.erin, with_mekha_lent(brawl, "Erin")
    brawl.does("Mekha", "take_dice", by=by, forms=["directly", "covertly"], **about)
    assert brawl.refuses("Mekha", "buy_die", by=by, owed=owed.pk)


def test_wa105_who_is_handed_a_fighter_strikes_the_names_that_came_along(brawl: Brawl):
    """And no longer those of whoever gave her away (WA-65)."""
    troupe, nan = brawl.troupe, Person("Nan")
    nan.joins(troupe.table)
    troupe.do(troupe.erin, "add_member", name="Nan")
    troupe.do(troupe.erin, "link_member", member=troupe.member("Nan").pk, who=nan.seat)
    handed, kept, last = troupe.owes("Amek", "Esan", "Amek")
    Character.objects.filter(name="Esan").update(kind="pc", owner=troupe.member("Tom"))
    duel(brawl)
    given = {"character": brawl.id("Amek"), "member": troupe.member("Nan").pk}
    troupe.do(troupe.tom, "hand_character", **given)
    assert "their own characters" in brawl.refuses("Amek", "buy_die", by=nan, owed=kept.pk)
    brawl.turn("Amek", "buy_die", by=nan, owed=handed.pk)
    assert brawl.owed() == ["Esan", "Amek"]
    assert brawl.is_replayed()
    troupe.undoes("character_handed")
    assert brawl.owed() == ["Amek", "Esan", "Amek"]
    assert "somebody else" in brawl.refuses("Amek", "buy_die", 403, by=nan, owed=last.pk)
    brawl.turn("Amek", "buy_die", owed=kept.pk)
    assert brawl.is_replayed()


def test_whoever_answers_what_is_no_longer_asked_is_told_so(brawl: Brawl):
    duel(brawl)
    asked = brawl.scene
    brawl.rolls("Amek", 5, 6)
    assert brawl.scene == asked  # one more of several who roll the same round
    brawl.turn("Mekha", "roll_forms", saw=asked, dice=[6, 9])
    assert brawl.scene != asked
    assert "Too late" in brawl.refuses("Mekha", "make_move", saw=asked, to=[brawl.id("Amek")])
    brawl.moves("Mekha", "Amek")
    tap = {"sequence": brawl.key, "who": brawl.id("Amek"), "saw": brawl.scene, "dice": [2, 9]}
    tom = brawl.troupe.tom
    done(tom.does("roll_forms", tap="twice", **tap))
    done(tom.does("roll_forms", tap="twice", **tap))
    assert len(brawl.troupe.events("dice_fell")) == 3


def test_wa65_nor_for_one_whose_player_has_become_the_gm(brawl: Brawl):
    """Tom leads from here on, in the middle of the fight: Amek's names buy nothing any more."""
    troupe = brawl.troupe
    owed = troupe.owes("Amek")[0]
    done(troupe.erin.does("turn_table", rules="wicked_age"))
    duel(brawl)
    buys = f'-buy-{owed.pk}"'
    assert buys in troupe.tom.sees()
    done(troupe.erin.does("hand_host", who=troupe.tom.seat))
    assert buys not in troupe.tom.sees()
    assert "only players" in brawl.refuses("Amek", "buy_die", by=troupe.tom, owed=owed.pk).lower()


def test_a_program_s_dice_do_not_fall_while_another_game_is_in_front(brawl: Brawl):
    duel(brawl)
    erin = brawl.troupe.erin
    path = f"/api/tables/{brawl.troupe.table.code}/actions/"
    roll = {"action": "roll_forms", "sequence": brawl.key, "who": brawl.id("Amek")}
    sent = {"seat": erin.seat, "action": roll, "saw": brawl.scene, "tap": "one", "dice": [5, 6]}
    for rules, status in (("knave", 409), ("wicked_age", 200)):
        done(erin.does("turn_table", rules=rules))
        answer = erin.client.post(path, sent, content_type="application/json")
        assert answer.status_code == status
