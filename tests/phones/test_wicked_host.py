"""The GM of a wicked table with a phone: whole receipts, room for a thumb, what is due at hand."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.phones.arriving import asks, posts
from tests.phones.devices import NARROW, USUAL
from tests.phones.knave import LAPTOP, does, unfolds
from tests.phones.people import Company
from tests.phones.wicked import (
    CAMPAIGN,
    ORACLE,
    dice_of,
    key,
    newest_fight,
    referee,
    ticks,
)
from tests.phones.wicked_ready import NPCS, all_chosen, at_interests, in_play, own_key

LONG = "Sarel kneels at the salt gate before all who ever paid there, and says whose silver it was"
CUT = "p => p.scrollHeight > p.clientHeight + 1 || p.scrollWidth > p.clientWidth + 1"
SMALLEST = "boxes => Math.min(...boxes.map(box => box.getBoundingClientRect().width))"


def test_the_gm_finds_where_interests_are_named_and_reads_the_whole_receipt(company: Company):
    """WA-30: the GM begins, so her first page leads there; what was done is said, and not half."""
    ana, _people = at_interests(company, 2, viewport=USUAL)
    company.only(ana)
    ana.presses("#go-new-interest")
    expect(ana.sees("#interest-text")).to_be_in_viewport()
    ticks(ana, f"owner-{key(ana, 'Old Kesh')}", f"tag-{key(ana, 'Sarel')}")
    ana.page.fill("#interest-text", LONG)
    does(ana, "#interest-go")
    for size in (USUAL, LAPTOP):
        ana.page.set_viewport_size(size)
        told = ana.sees("#notice .receipt p")
        expect(told).to_contain_text(LONG)
        assert not told.evaluate(CUT)


def test_wa35_whose_interest_it_is_cannot_be_ticked_as_whom_it_is_about(company: Company):
    """The box was there, and what it sent was refused; nor does anybody stop what they do."""
    ana, _people = in_play(company, 2, viewport=USUAL)
    company.only(ana)
    kesh, sarel = key(ana, "Old Kesh"), key(ana, "Sarel")
    for kind, whose, whom in (("interest", "owner", "tag"), ("dice", "actor", "side")):
        ana.presses("#go-new")
        ana.presses(f"label.new-{kind}")
        ana.presses(f"label:has(#{whom}-{sarel})")
        ana.presses(f"label:has(#{whose}-{sarel})")
        own, other = (ana.page.locator(f"#{whom}-{one}") for one in (sarel, kesh))
        expect(own).to_be_hidden()
        expect(own).not_to_be_checked()
        expect(other).to_be_visible()
        posts(ana, "open_scene", where=f"The salt gate at {kind}")
        ana.catches_up()
        expect(own).to_be_hidden()
        ana.presses(f"label:has(#{whose}-{kesh})")
        expect(other).to_be_hidden()
        expect(own).to_be_visible()


@pytest.mark.looks
def test_the_links_of_a_card_are_on_a_phone_as_well(company: Company):
    """Only those at the head of the page wait under "Table": the owe list's, and whose characters
    are to be handed over (WA-105), were gone with them."""
    ana, _people = in_play(company, 2, viewport=USUAL)
    company.only(ana)
    ana.presses("#go-story")
    expect(ana.sees("#to-owed")).to_be_visible()
    expect(ana.sees("#to-print")).to_be_hidden()


@pytest.mark.looks
def test_a_phone_offers_a_chapter_on_paper_while_there_is_one(company: Company):
    """Between chapters it led to an error: no chapter was under way."""
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ben)
    ben.presses("#tab-table")
    expect(ben.sees("#to-print")).to_be_visible()
    for action in ("propose_end", "end_chapter"):
        posts(ana, action)
    expect(ben.sees("#to-print")).to_be_hidden()


def test_wa93_the_gm_writes_when_the_second_chapter_lies_on_the_page_of_the_first(company: Company):
    """Her page stood open while the chapter ended and the next began: it had no place for that."""
    ana, (ben, _cleo) = in_play(company, 2, viewport=USUAL)
    company.only(ana)
    posts(ana, "owe_name", character=own_key(ben))
    ana.presses("#go-story")
    expect(ana.sees("#write-place")).to_be_hidden()
    for action in ("propose_end", "end_chapter", "open_chapter"):
        posts(ana, action)
    owed = ana.house.one("select max(x.id)" + CAMPAIGN.format("owed"), ana.code)
    posts(ben, "bring_back", owed=owed)
    posts(ben, "choose_oracle", oracle=ORACLE)
    posts(ben, "pick_element", entry=3)
    ana.catches_up()
    unfolds(ana, "#write-place")
    ana.page.select_option("#placement", "before")
    ana.page.fill("#when-and-where", "the year of the flood")
    does(ana, "#place-go")
    expect(ana.sees("#gm-story .eyebrow").first).to_contain_text("before chapter 1")


@pytest.mark.looks
def test_the_faces_of_a_real_die_fit_a_thumb(company: Company):
    """UX: 44 px or more for a face: of a d8 on the GM's phone, of a d6 at 320 px on a player's."""
    ana, (ben, _cleo) = in_play(company, 2, viewport=USUAL)
    company.only(ana, ben)
    sarel, kesh = own_key(ben), key(ana, "Old Kesh")
    posts(ben, "start_sequence", act="She takes the chest", actor=sarel, who=kesh)
    about = {"sequence": newest_fight(ben)}
    posts(ben, "take_dice", who=sarel, forms=["for_others", "with_love"], **about)
    posts(ana, "take_dice", who=kesh, forms="action", **about)
    ana.catches_up()
    ana.presses("#go-play")
    unfolds(ana, f"#roll-{about['sequence']}-{kesh}-typed")
    faces = ana.sees("#gm-fights .die-picks label")
    expect(faces).to_have_count(20)  # of a d12 and a d8
    assert faces.evaluate_all(SMALLEST) >= 44
    ben.page.set_viewport_size(NARROW)
    unfolds(ben, f"#roll-{about['sequence']}-{sarel}-typed")
    faces = ben.sees("#asks .die-picks label")
    expect(faces).to_have_count(12)  # of two d6
    assert faces.evaluate_all(SMALLEST) >= 44
    assert asks(ana, "call_off_sequence", **about).status in (200, 204)


def test_the_gm_sets_a_die_right_on_her_page(company: Company):
    """WA-111: a player's die and the smaller one of an NPC's pair, by taps."""
    ana, (ben, _cleo) = in_play(company, 2)
    company.only(ana)
    kesh = key(ana, "Old Kesh")
    unfolds(ana, "#mend-dice")
    ticks(ana, f"mend-pc-{own_key(ben)}", "mend-pc-directly")
    does(ana, "#mend-pc-to-4")
    assert dice_of(ana, "Sarel")["directly"]["current"] == 4
    ticks(ana, f"mend-npc-{kesh}", "mend-npc-action", "mend-npc-which-1")
    does(ana, "#mend-npc-to-6")
    assert dice_of(ana, "Old Kesh")["action"]["current"] == [12, 6]


@pytest.mark.looks
def test_what_was_proposed_is_under_the_finger_that_proposed_it(company: Company):
    """WA-82, WA-83: the card of the chapter's end opens where it stands, and goes nowhere else."""
    ana, _people = in_play(company, 2, viewport=USUAL)
    company.only(ana)
    ana.presses("#go-story")
    does(ana, "#propose-end")
    expect(ana.sees(".closing-list li").first).to_be_in_viewport()
    ana.page.evaluate("document.querySelector('#gm-story').scrollIntoView()")
    ana.presses("#go-end")
    expect(ana.sees("#gm-end-title")).to_be_in_viewport()


@pytest.mark.looks
def test_whoever_comes_in_moves_none_of_the_gms_own_cards(company: Company):
    """Players' sheets are begun by a player's tap, and pushed the NPCs off the GM's screen."""
    ana, (ben, _cleo) = all_chosen(company, 2, viewport=USUAL)
    company.only(ana)
    ana.catches_up()
    ana.presses("#go-people")
    card = ana.sees(f"#npc-{key(ana, NPCS[1])}")
    card.scroll_into_view_if_needed()
    before = card.bounding_box()
    posts(ben, "step_on")
    ana.catches_up()
    expect(ana.sees("#gm-pcs-title")).to_be_attached()
    company.joined("Dora")
    company.only(ana)
    ana.catches_up()
    assert card.bounding_box() == before
    boxes = ana.sees("#gm-tags .for-scene [name=who]").evaluate_all("all => all.map(b => b.id)")
    npcs = [f"scene-who-{key(ana, name)}" for name in NPCS]
    assert boxes[:2] == npcs, "who comes in stands at the end of what the GM ticks, too"


@pytest.mark.looks
def test_the_button_that_begins_stays_where_it_is_when_the_others_come(company: Company):
    """A thumb on its way to "Invite the others first" began the campaign: it had slid there."""
    ana = referee(company, viewport=USUAL)
    company.joined("Ben")
    company.only(ana)
    ana.catches_up()
    begin, invite = ana.sees("#begin-campaign"), ana.sees("#go-invite")
    before = begin.bounding_box(), invite.bounding_box()
    company.joined("Cleo")
    company.only(ana)
    ana.catches_up()
    expect(invite).to_have_text("Invite somebody else")
    assert (begin.bounding_box(), invite.bounding_box()) == before
    ana.presses("#go-table")
    ana.presses("#door-locked")
    ana.catches_up()
    expect(invite).to_have_count(0)  # where there is no QR code, no button leads to one
