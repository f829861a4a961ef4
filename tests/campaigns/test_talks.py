"""Settling with a stick in hand: the default, offers, breaking off (WA-24, WA-67 to WA-75)."""

from __future__ import annotations

import pytest

from campaigns.models import Character, Holding, Offer
from tests.campaigns.brawl import SHEETS, Brawl, answers, won
from tests.campaigns.pages import Page
from tests.games.party import done, fresh, refused
from tests.security.shown import Shown

pytestmark = pytest.mark.django_db


def paused(brawl: Brawl) -> Brawl:
    """Amek and Mekha are between rounds; Mekha has the advantage."""
    brawl.begins("Amek", "Mekha").takes("Amek", "with_violence", "directly")
    brawl.takes("Mekha", "directly", "for_myself").rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    return brawl.moves("Mekha", "Amek").rolls("Amek", 2, 9)


def three(brawl: Brawl) -> Brawl:
    """Amek, Mekha and Tajie are between rounds."""
    brawl.begins("Amek", "Mekha", "Tajie").takes("Amek", "with_violence", "directly")
    brawl.takes("Mekha", "directly", "for_myself").takes("Tajie", "for_myself", "covertly")
    brawl.rolls("Amek", 5, 6).rolls("Mekha", 6, 9).rolls("Tajie", 2, 2)
    brawl.moves("Mekha", "Amek").rolls("Amek", 2, 9)
    return brawl.rolls("Tajie", 3, 3).moves("Tajie")


# --- the default ---------------------------------------------------------------------------------


def test_wa67_the_default_is_the_winners_choice(brawl: Brawl):
    won(brawl)
    loser = {"loser": brawl.id("Mekha"), "kind": "injured"}
    assert brawl.refuses("Mekha", "settle", 403, **loser) == "That is for Amek to say."
    assert "come first" in brawl.refuses("Amek", "next_round")
    brawl.settles("Amek", "Mekha", "injured")
    assert (brawl.dice("Mekha")["covertly"], brawl.dice("Mekha")["for_others"]) == (4, 4)
    assert brawl.troupe.told("harm_settled") == (
        "Amek leaves Mekha injured. (covertly d6\u00a0→\u00a0d4 and for others d6\u00a0→\u00a0d4)"
    )
    assert "over" in brawl.refuses("Amek", "settle", **loser)


def test_wa67_nothing_is_settled_before_anybody_has_lost(brawl: Brawl):
    paused(brawl)
    loser = {"loser": brawl.id("Mekha"), "kind": "injured"}
    assert "nothing waits" in brawl.refuses("Amek", "settle", **loser).lower()


def test_wa69_two_dice_at_0_are_out_for_the_chapter(brawl: Brawl):
    one = brawl.one("Mekha")
    forms = {**one.forms, "covertly": {"base": 6, "current": 0}}
    Character.objects.filter(pk=one.pk).update(forms=forms)
    won(brawl).settles("Amek", "Mekha", "exhausted")
    assert brawl.one("Mekha").state == "out"
    assert brawl.troupe.told("character_out") == "Mekha is out for the rest of this chapter."


def test_a_gm_without_dice_in_it_rolls_on_what_the_page_shows_and_nothing_later(brawl: Brawl):
    """Nobody of the GM's fights: its own buttons said nothing of what they answer (WA-74)."""
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    paused(brawl)
    forms = Shown(brawl.troupe.erin.sees("gm/")).forms
    taps = [{field.name: field.value for field in form.fields} for form in forms]
    assert [t["saw"] for t in taps if t.get("action") == "next_round"] == [str(brawl.scene)]


# --- talking -------------------------------------------------------------------------------------


def test_wa70_winner_and_loser_agree_on_something_else(brawl: Brawl):
    held = brawl.troupe.strength(brawl.one("Mekha"), "A good knife")
    won(brawl)
    offer = brawl.offers(
        "Mekha", "Amek", "Mekha", forms=["for_myself"], strengths=[held.pk], says="Swears to go"
    )
    assert brawl.troupe.told("terms_offered") == (
        "Mekha offers Amek: Mekha loses a die size, for myself; Mekha loses A good knife;"
        " “Swears to go”."
    )
    assert "Amek to say" in answers(brawl, "Mekha", "take_offer", offer, 403)
    assert "Amek to say" in answers(brawl, "Tajie", "take_offer", offer, 403)
    answers(brawl, "Amek", "take_offer", offer)
    assert (brawl.dice("Mekha")["for_myself"], fresh(held).is_lost) == (8, True)
    assert (fresh(offer).state, brawl.row.is_over) == ("taken", True)
    assert "agree" in brawl.troupe.told("terms_settled")
    assert brawl.is_replayed()


def test_wa70_a_die_size_off_every_form_can_be_offered(brawl: Brawl):
    """Whatever the page lets somebody tick together can be sent together."""
    won(brawl)
    offer = brawl.offers("Mekha", "Amek", "Mekha", forms=list(SHEETS["Mekha"]))
    answers(brawl, "Amek", "take_offer", offer)
    assert sorted(brawl.dice("Mekha").values()) == [0, 4, 4, 6, 8, 10]


def test_wa70_a_counter_offer_takes_the_place_of_the_first(brawl: Brawl):
    won(brawl)
    first = brawl.offers("Mekha", "Amek", "Mekha", says="Swears to go")
    second = brawl.offers("Amek", "Mekha", "Mekha", state="dead", says="Dies well")
    assert fresh(first).state == "refused"
    assert "off the table" in answers(brawl, "Amek", "take_offer", first, 409)
    answers(brawl, "Mekha", "refuse_offer", second)
    assert brawl.troupe.told("offer_refused") == "Mekha says no to Amek."
    third = brawl.offers("Amek", "Mekha", "Mekha", state="dead")
    answers(brawl, "Mekha", "take_offer", third)
    assert brawl.one("Mekha").state == "dead"


def test_an_offer_can_be_taken_off_the_table_by_who_made_it(brawl: Brawl):
    won(brawl)
    offer = brawl.offers("Mekha", "Amek", "Mekha", says="Swears to go")
    assert "two of them" in answers(brawl, "Tajie", "refuse_offer", offer, 403)
    answers(brawl, "Mekha", "refuse_offer", offer)
    assert brawl.troupe.told("offer_withdrawn") == "Mekha takes the offer to Amek back."


def test_the_gm_withdraws_what_an_npc_has_offered_and_says_no_to_another(brawl: Brawl):
    """The log told of a player's character who had said nothing: the GM may speak for both."""
    erin = brawl.troupe.erin
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    won(brawl, "Amek", "Esan")
    for by, to, kind, told in (
        ("Esan", "Amek", "offer_withdrawn", "Esan takes the offer to Amek back."),
        ("Amek", "Esan", "offer_refused", "Esan says no to Amek."),
    ):
        brawl.offers(by, to, "Esan", says="Goes home")
        forms = [{f.name: f.value for f in one.fields} for one in Shown(erin.sees("gm/")).forms]
        (refusing,) = [one for one in forms if one.get("action") == "refuse_offer"]
        mine = {name: refusing[name] for name in {"offer", "saw", "takes_back"} & set(refusing)}
        done(erin.does("refuse_offer", **mine))
        assert brawl.troupe.told(kind) == told


def test_who_made_an_offer_has_a_button_to_withdraw_it_while_others_talk(brawl: Brawl):
    """An undo is not offered any more, as soon as somebody else has gone on with these dice."""
    erin, amy = brawl.troupe.erin, brawl.player("Mekha")
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    offer = three(brawl).offers("Mekha", "Amek", "Amek", says="Go home")
    brawl.turn("Tajie", "agree_to_end")
    assert f'id="withdraw-{offer.pk}"' in amy.sees()
    assert f'id="withdraw-{offer.pk}"' not in brawl.player("Amek").sees()
    answers(brawl, "Mekha", "refuse_offer", offer)
    assert f'id="withdraw-{offer.pk}"' not in amy.sees()


def test_wa71_the_gm_may_break_off_for_an_npc_between_rounds(brawl: Brawl):
    erin = brawl.troupe.erin
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    brawl.begins("Amek", "Esan").takes("Amek", "with_violence", "directly").takes("Esan", "action")
    brawl.rolls("Amek", 5, 6).rolls("Esan", 6, 8).moves("Esan", "Amek").rolls("Amek", 7, 7)
    offer = brawl.offers("Esan", "Amek", "Esan", says="Leaves the camp")
    two = f"{brawl.key}-{brawl.id('Esan')}-{brawl.id('Amek')}"
    assert f'id="withdraw-{offer.pk}"' in erin.sees("gm/")
    assert f'id="break-{two}"' in erin.sees("gm/")
    brawl.turn("Esan", "break_off", other=brawl.id("Amek"))
    assert f'id="break-{two}"' not in erin.sees("gm/")


def test_wa70_a_gm_who_speaks_for_both_has_an_offer_from_either_side(brawl: Brawl):
    erin = brawl.troupe.erin
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    brawl.troupe.do(erin, "make_npc", name="Guard", best="action")
    brawl.begins("Esan", "Guard").takes("Esan", "action").takes("Guard", "action")
    brawl.rolls("Esan", 8, 6).rolls("Guard", 2, 1).moves("Esan", "Guard")
    brawl.rolls("Guard", 3, 1)
    offer = brawl.offers("Esan", "Guard", "Guard", says="Bows")
    page = erin.sees("gm/")
    assert f'id="take-{offer.pk}"' in page
    assert f'id="withdraw-{offer.pk}"' in page
    assert Page(page).wrong() == []


def test_wa71_who_breaks_off_leaves_the_default(brawl: Brawl):
    won(brawl)
    offer = brawl.offers("Mekha", "Amek", "Mekha", says="Swears to go")
    brawl.turn("Amek", "break_off", other=brawl.id("Mekha"))
    assert fresh(offer).state == "refused"
    more = {"to": brawl.id("Amek"), "loser": brawl.id("Mekha"), "says": "Please"}
    assert "broken off" in brawl.refuses("Mekha", "offer_terms", **more)
    assert "broken off" in brawl.refuses("Mekha", "break_off", other=brawl.id("Amek"))
    brawl.settles("Amek", "Mekha")
    assert not Offer.objects.filter(state=Offer.State.BROKEN_OFF).exists()


def test_wa72_nobody_gives_what_she_has_not(brawl: Brawl):
    one = brawl.one("Mekha")
    forms = {**one.forms, "covertly": {"base": 6, "current": 0}}
    Character.objects.filter(pk=one.pk).update(forms=forms)
    strange = brawl.troupe.strength(brawl.one("Tajie"), "Not hers")
    won(brawl)
    two = {"to": brawl.id("Amek"), "loser": brawl.id("Mekha")}
    assert "no die left" in brawl.refuses("Mekha", "offer_terms", **two, forms=["covertly"])
    assert "no die left" in brawl.refuses("Mekha", "offer_terms", **two, forms=["action"])
    assert brawl.refuses("Mekha", "offer_terms", 404, **two, strengths=[strange.pk])
    Holding.objects.filter(pk=strange.pk).update(character=one, is_lost=True)
    assert "no such strength" in brawl.refuses(
        "Mekha", "offer_terms", **two, strengths=[strange.pk]
    )
    about = {"to": brawl.id("Amek"), "loser": brawl.id("Tajie"), "says": "Go"}
    assert "one of the two" in brawl.refuses("Mekha", "offer_terms", 422, **about)
    winners = {"to": brawl.id("Amek"), "loser": brawl.id("Amek"), "says": "Go"}
    assert "another winner" in brawl.refuses("Mekha", "offer_terms", **winners)


def test_wa24_the_gm_says_which_of_an_npcs_dice(brawl: Brawl):
    won(brawl, loser="Esan")
    two = {"to": brawl.id("Esan"), "loser": brawl.id("Esan"), "forms": ["self_protection"]}
    assert "GM" in brawl.refuses("Amek", "offer_terms", 403, **two, npc_dice=[4])
    assert "for each form" in brawl.refuses(
        "Esan", "offer_terms", 422, **{**two, "to": brawl.id("Amek")}, npc_dice=[4, 6]
    )
    offer = brawl.offers("Esan", "Amek", "Esan", forms=["self_protection"], npc_dice=[4])
    assert offer.terms == [{"form": "self_protection", "die": 4}]
    answers(brawl, "Amek", "take_offer", offer)
    assert brawl.dice("Esan")["self_protection"] == [6, 0]


def test_wa70_the_gm_ticks_either_die_of_a_pair_and_the_other_reads_which(brawl: Brawl):
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    won(brawl, loser="Esan")
    page = brawl.troupe.erin.sees("gm/")
    assert page.count('name="lesser" value="action"') == page.count('name="forms" value="action"')
    assert 'name="lesser"' not in brawl.player("Amek").sees(), "the GM says which"
    two = {"to": brawl.id("Esan"), "loser": brawl.id("Esan"), "lesser": ["action"]}
    assert "GM" in brawl.refuses("Amek", "offer_terms", 403, **two)
    offer = brawl.offers("Esan", "Amek", "Esan", forms=["maneuvering"], lesser=["action"])
    assert "Esan loses a size off the d8, action" in brawl.player("Amek").sees()
    answers(brawl, "Amek", "take_offer", offer)
    assert brawl.dice("Esan")["action"] == [12, 6]
    assert brawl.dice("Esan")["maneuvering"] == [8, 6]
    assert brawl.is_replayed()


# --- between rounds ------------------------------------------------------------------------------


def test_wa74_two_settle_between_rounds_and_a_fight_of_two_is_over(brawl: Brawl):
    paused(brawl)
    offer = brawl.offers("Amek", "Mekha", "Mekha", forms=["covertly"], leave=[brawl.id("Mekha")])
    assert "Mekha may go" in brawl.troupe.told("terms_offered")
    answers(brawl, "Mekha", "take_offer", offer)
    assert (brawl.dice("Mekha")["covertly"], brawl.row.is_over) == (4, True)
    assert brawl.is_replayed()


def test_wa74_between_rounds_either_may_give(brawl: Brawl):
    """A settlement says who gives what: who is ahead, too, may buy the other off."""
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    paused(brawl)
    amek, mekha = brawl.id("Amek"), brawl.id("Mekha")
    for name, me, other in (("Amek", amek, mekha), ("Mekha", mekha, amek)):
        forms = Shown(brawl.player(name).sees()).forms
        offered = [{one.name: one.value for one in form.fields} for form in forms]
        losers = [one["loser"] for one in offered if one.get("action") == "offer_terms"]
        assert losers == [str(amek), str(mekha)], f"{name}, {me} to {other}: who is behind first"
    offer = brawl.offers("Mekha", "Amek", "Mekha", says="Pays the ferry", leave=[amek])
    answers(brawl, "Amek", "take_offer", offer)
    assert brawl.row.is_over
    assert brawl.is_replayed()


def test_wa70_with_a_result_only_the_loser_gives(brawl: Brawl):
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    won(brawl)
    page = brawl.player("Amek").sees()
    assert f'name="loser" value="{brawl.id("Mekha")}"' in page
    assert f'name="loser" value="{brawl.id("Amek")}"' not in page


def test_wa74_only_the_two_leave_and_the_others_roll_on(brawl: Brawl):
    three(brawl)
    two = {"to": brawl.id("Mekha"), "loser": brawl.id("Amek"), "says": "Go"}
    assert "own two" in brawl.refuses("Amek", "offer_terms", **two, leave=[brawl.id("Tajie")])
    offer = brawl.offers("Amek", "Mekha", "Amek", says="Bows", leave=[brawl.id("Amek")])
    other = brawl.offers("Tajie", "Mekha", "Tajie", says="Laughs")
    answers(brawl, "Mekha", "take_offer", offer)
    assert brawl.names(brawl.state.inside) == ["Mekha", "Tajie"]
    assert (brawl.phase, fresh(other).state) == ("between", "refused")
    assert brawl.is_replayed()


def test_wa60_the_last_who_has_not_agreed_goes_and_it_is_over(brawl: Brawl):
    three(brawl).turn("Mekha", "agree_to_end").turn("Tajie", "agree_to_end")
    offer = brawl.offers("Amek", "Mekha", "Amek", says="Bows", leave=[brawl.id("Amek")])
    answers(brawl, "Mekha", "take_offer", offer)
    assert brawl.row.is_over


def test_wa71_broken_off_between_rounds_holds_until_the_dice_have_rolled(brawl: Brawl):
    paused(brawl).turn("Mekha", "break_off", other=brawl.id("Amek"))
    assert "the dice decide" in brawl.troupe.told("talk_broken_off")
    more = {"to": brawl.id("Mekha"), "loser": brawl.id("Mekha"), "says": "Please"}
    assert "broken off" in brawl.refuses("Amek", "offer_terms", **more)
    brawl.goes_on("Mekha").rolls("Amek", 3, 3)
    assert "between rounds" in brawl.refuses("Amek", "offer_terms", **more)
    brawl.rolls("Mekha", 1, 9, 1).moves("Mekha", "Amek").rolls("Amek", 9, 7)
    brawl.offers("Amek", "Mekha", "Mekha", says="Please")


def test_an_offer_is_undone_with_what_came_of_it(brawl: Brawl):
    paused(brawl)
    offer = brawl.offers("Amek", "Mekha", "Mekha", forms=["covertly"])
    state = brawl.game.state
    answers(brawl, "Mekha", "take_offer", offer)
    brawl.troupe.undoes("terms_settled")
    assert (brawl.dice("Mekha")["covertly"], brawl.game.state) == (6, state)
    assert (fresh(offer).state, brawl.row.is_over) == ("open", False)


def test_nothing_of_another_campaign_is_reached(brawl: Brawl):
    won(brawl)
    offer = brawl.offers("Mekha", "Amek", "Mekha", says="Swears to go")
    key = brawl.key
    done(brawl.troupe.erin.does("begin_campaign", name="Another"))
    assert refused(brawl.troupe.erin.does("take_offer", offer=offer.pk), 404)
    loser = {"sequence": key, "loser": 1, "kind": "injured"}
    assert refused(brawl.troupe.erin.does("settle", **loser), 404)
