"""What a consequential strength takes: by the default, and beside what is agreed (WA-24)."""

from __future__ import annotations

import re

import pytest

from campaigns.models import Character
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from tests.campaigns.brawl import Brawl, answers, won
from tests.games.party import done, refused

pytestmark = pytest.mark.django_db


def test_wa24_a_consequential_strength_takes_one_size_more_unless_waived(brawl: Brawl):
    hits = {"options": ["consequential"], "hits_pc": "with_love", "hits_npc": "action"}
    held = brawl.troupe.strength(brawl.one("Amek"), "Curse", **hits)
    brawl.begins("Amek", "Esan").takes("Amek", "covertly", "directly", strengths=[held.pk])
    brawl.takes("Esan", "maneuvering").rolls("Amek", 8, 7, 6).rolls("Esan", 2, 1)
    brawl.moves("Amek", "Esan").rolls("Esan", 3, 1)
    loser = {"loser": brawl.id("Esan"), "kind": "injured"}
    assert "GM" in brawl.refuses("Amek", "settle", 403, **loser, npc_dice=[8])
    brawl.settles("Amek", "Esan", "injured", by=brawl.troupe.erin, npc_dice=[8])
    assert brawl.dice("Esan")["action"] == [12, 6]
    assert brawl.dice("Esan")["maneuvering"] == [8, 4]
    assert "Curse strikes home." in brawl.troupe.told("harm_settled")


def test_wa24_the_winner_may_waive_it(brawl: Brawl):
    hits = {"options": ["consequential"], "hits_pc": "with_love", "hits_npc": "action"}
    held = brawl.troupe.strength(brawl.one("Amek"), "Curse", **hits)
    brawl.begins("Amek", "Mekha").takes("Amek", "covertly", "directly", strengths=[held.pk])
    brawl.takes("Mekha", "directly", "for_myself").rolls("Amek", 8, 7, 6).rolls("Mekha", 2, 1)
    brawl.moves("Amek", "Mekha").rolls("Mekha", 3, 1)
    brawl.settles("Amek", "Mekha", "injured", waive="true")
    assert brawl.dice("Mekha")["with_love"] == 12


def cursed(brawl: Brawl, loser: str) -> Brawl:
    """Amek's Curse, which is consequential, has beaten somebody outright; phones show it."""
    brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    hits = {"options": ["consequential"], "hits_pc": "with_love", "hits_npc": "action"}
    held = brawl.troupe.strength(brawl.one("Amek"), "Curse", **hits)
    forms = {"Esan": ("maneuvering",)}.get(loser, ("directly", "for_myself"))
    brawl.begins("Amek", loser).takes("Amek", "covertly", "directly", strengths=[held.pk])
    brawl.takes(loser, *forms).rolls("Amek", 8, 7, 6).rolls(loser, 2, 1)
    return brawl.moves("Amek", loser).rolls(loser, 3, 1)


def test_wa24_which_die_of_an_npc_loses_is_asked_of_the_gm_alone(brawl: Brawl):
    cursed(brawl, "Esan")
    page, gm = brawl.player("Amek").sees(), brawl.troupe.erin.sees("gm/")
    assert 'value="exhausted"' in page
    assert 'name="npc_dice"' not in page, "what the GM alone says would be refused"
    assert "If it should be the other one, let the GM tap." in page
    assert gm.count('value="exhausted"') == gm.count('name="npc_dice" value="12" checked') == 1
    # What the winner says stands with what it is about, not over the GM's own question (WA-67).
    words = 'name="npc_dice" value="8"', "Amek says which of the two.", 'value="exhausted"'
    assert sorted(words, key=gm.index) == list(words)
    brawl.settles("Amek", "Esan", "injured")
    assert brawl.dice("Esan")["action"] == [10, 8]


def test_wa24_a_waived_strength_takes_no_die_whichever_was_said(brawl: Brawl):
    cursed(brawl, "Esan")
    brawl.settles("Amek", "Esan", "injured", by=brawl.troupe.erin, npc_dice=[12], waive="true")
    assert (brawl.dice("Esan")["action"], brawl.dice("Esan")["maneuvering"]) == ([12, 8], [8, 4])


def test_wa24_where_one_die_is_left_there_is_nothing_to_ask(brawl: Brawl):
    one = brawl.one("Esan")
    forms = {**one.forms, "action": {"base": [12, 8], "current": [4, 0]}}
    Character.objects.filter(pk=one.pk).update(forms=forms)
    cursed(brawl, "Esan")
    assert 'name="npc_dice"' not in brawl.troupe.erin.sees("gm/")
    assert "let the GM tap" not in brawl.player("Amek").sees()


def test_wa24_the_winner_may_waive_it_in_an_agreement_too(brawl: Brawl):
    cursed(brawl, "Mekha")
    offer = brawl.offers("Mekha", "Amek", "Mekha", forms=["for_myself"], waive="true")
    assert "what the strength would take is spared" in brawl.troupe.told("terms_offered")
    assert "what the strength would take is spared" in brawl.player("Amek").sees()
    answers(brawl, "Amek", "take_offer", offer)
    assert (brawl.dice("Mekha")["for_myself"], brawl.dice("Mekha")["with_love"]) == (8, 12)
    assert brawl.is_replayed()


def test_wa24_what_is_not_waived_is_taken_beside_an_agreement(brawl: Brawl):
    cursed(brawl, "Mekha")
    offer = brawl.offers("Mekha", "Amek", "Mekha", forms=["for_myself"])
    answers(brawl, "Amek", "take_offer", offer)
    assert (brawl.dice("Mekha")["for_myself"], brawl.dice("Mekha")["with_love"]) == (8, 10)


def test_wa24_there_is_nothing_to_waive_without_such_a_strength(brawl: Brawl):
    won(brawl)
    two = {"to": brawl.id("Amek"), "loser": brawl.id("Mekha"), "waive": "true"}
    assert "to waive" in brawl.refuses("Mekha", "offer_terms", **two)


# --- which die of an NPC's, in an agreement ------------------------------------------------------
def test_wa24_the_gm_says_which_die_it_takes_when_agreeing(brawl: Brawl):
    """A player's offer leaves it open: it took the larger die, whatever the GM would have said."""
    cursed(brawl, "Esan")
    hit = {"hit_dice": [8]}
    about = {"to": brawl.id("Esan"), "loser": brawl.id("Esan"), "forms": ["maneuvering"]}
    assert "GM" in brawl.refuses("Amek", "offer_terms", 403, **about, **hit)
    assert 'name="hit_dice"' not in brawl.player("Amek").sees()
    offer = brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"])
    gm = brawl.troupe.erin.sees("gm/")
    assert f'id="take-{offer.pk}-d12" name="hit_dice" value="12" checked' in gm
    assert f'id="take-{offer.pk}-d8" name="hit_dice" value="8"' in gm
    taken = brawl.troupe.erin.does("take_offer", offer=offer.pk, saw=brawl.scene, **hit)
    done(taken)
    assert (brawl.dice("Esan")["action"], brawl.dice("Esan")["maneuvering"]) == ([12, 6], [8, 6])
    assert "Curse strikes home." in brawl.troupe.told("terms_settled")
    assert brawl.is_replayed()


def test_wa24_the_gm_says_so_in_an_offer_as_well(brawl: Brawl):
    cursed(brawl, "Esan")
    gm = brawl.troupe.erin.sees("gm/")
    assert gm.count('name="hit_dice" value="12" checked') == 1
    offer = brawl.offers("Esan", "Amek", "Esan", forms=["action"], lesser=["action"], hit_dice=[8])
    told = "the strength takes a size off the d8 of Esan"
    assert told in brawl.player("Amek").sees()
    assert told in brawl.troupe.told("terms_offered")
    read_file(file_of(brawl.troupe.campaign))
    answers(brawl, "Amek", "take_offer", offer)
    assert brawl.dice("Esan")["action"] == [10, 4]
    assert brawl.is_replayed()


def test_wa24_unsaid_it_takes_the_larger_die_beside_an_agreement(brawl: Brawl):
    cursed(brawl, "Esan")
    offer = brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"])
    done(brawl.troupe.erin.does("take_offer", offer=offer.pk, saw=brawl.scene))
    assert brawl.dice("Esan")["action"] == [10, 8]


def test_wa24_what_is_spared_is_asked_of_no_die(brawl: Brawl):
    cursed(brawl, "Esan")
    brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"], waive="true")
    gm = brawl.troupe.erin.sees("gm/")
    assert 'id="take-' in gm
    assert '-d8" name="hit_dice"' not in gm.split('class="offer"')[1].split("</article>")[0]


def test_wa24_a_die_that_is_not_there_is_refused_in_words(brawl: Brawl):
    cursed(brawl, "Esan")
    offer = brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"])
    refused(
        brawl.troupe.erin.does("take_offer", offer=offer.pk, saw=brawl.scene, hit_dice=[4]), 409
    )
    assert brawl.dice("Esan")["action"] == [12, 8]


# --- several consequential strengths (WA-28) -----------------------------------------------------
def twice_cursed(brawl: Brawl, second: str = "self_protection") -> Brawl:
    """Amek beats Esan (action d12 d8, self-protection d6 d4) with two strengths, each on a form."""
    troupe = brawl.troupe
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    held = [
        troupe.strength(
            brawl.one("Amek"),
            name,
            options=["consequential"],
            hits_pc="with_love",
            hits_npc=form,
        ).pk
        for name, form in (("Curse", "action"), ("Ghost", second))
    ]
    brawl.begins("Amek", "Esan").takes("Amek", "covertly", "directly", strengths=held)
    brawl.takes("Esan", "maneuvering").rolls("Amek", 8, 7, 6, 5).rolls("Esan", 2, 1)
    return brawl.moves("Amek", "Esan").rolls("Esan", 3, 1)


def test_wa24_of_each_strength_the_gm_says_which_die_it_takes(brawl: Brawl):
    """Two strengths on different forms took the larger die of each, whatever the GM would say."""
    twice_cursed(brawl)
    gm = brawl.troupe.erin.sees("gm/")
    found = re.findall(r'name="npc_dice" value="([^"]*)"( checked)?><span>([^<]*)', gm)
    assert found == [
        ("12,6", " checked", "action d12 and self-protection d6"),
        ("12,4", "", "action d12 and self-protection d4"),
        ("8,6", "", "action d8 and self-protection d6"),
        ("8,4", "", "action d8 and self-protection d4"),
    ]
    assert "let the GM tap" in brawl.player("Amek").sees()
    brawl.settles("Amek", "Esan", "injured", by=brawl.troupe.erin, npc_dice="8,4")
    dice = brawl.dice("Esan")
    assert (dice["action"], dice["self_protection"]) == ([12, 6], [6, 0])
    assert dice["maneuvering"] == [8, 4]
    assert brawl.is_replayed()


def test_wa24_unsaid_each_strength_takes_the_larger_die(brawl: Brawl):
    twice_cursed(brawl).settles("Amek", "Esan", "injured")
    assert (brawl.dice("Esan")["action"], brawl.dice("Esan")["self_protection"]) == (
        [10, 8],
        [4, 4],
    )


def test_wa24_two_strengths_on_one_form_take_of_both_dice_or_twice_of_one(brawl: Brawl):
    twice_cursed(brawl, "action")
    gm = brawl.troupe.erin.sees("gm/")
    assert re.findall(r'name="npc_dice" value="([^"]*)"', gm) == ["12,12", "12,8", "8,8"]
    brawl.settles("Amek", "Esan", "injured", by=brawl.troupe.erin, npc_dice="8,8")
    assert brawl.dice("Esan")["action"] == [12, 4]


@pytest.mark.parametrize(
    ("kind", "said", "left"),
    [
        ("injured", "8,8", [6, 6]),
        ("injured", "8,6", [8, 4]),
        ("exhausted", "8,8", [4, 4]),
        ("exhausted", "8,6", [6, 0]),
    ],
)
def test_wa24_of_two_equal_dice_two_strengths_take_both_or_one_twice(
    brawl: Brawl, kind: str, said: str, left: list[int]
):
    """The GM was asked nothing there; and where all dice had to be said, one was hit twice."""
    one = brawl.one("Esan")
    forms = {**one.forms, "action": {"base": [12, 8], "current": [8, 8]}}
    Character.objects.filter(pk=one.pk).update(forms=forms)
    twice_cursed(brawl, "action")
    gm = brawl.troupe.erin.sees("gm/")
    assert re.findall(r'name="npc_dice" value="([^"]*)"(?: checked)?><span>([^<]*)', gm) == [
        ("8,8", "action d8 and action d8"),
        ("8,6", "action d8 and the same die again"),
    ]
    brawl.settles("Amek", "Esan", kind, by=brawl.troupe.erin, npc_dice=said)
    assert brawl.dice("Esan")["action"] == left
    assert brawl.is_replayed()


def test_wa24_the_gm_says_so_of_each_in_an_agreement_as_well(brawl: Brawl):
    twice_cursed(brawl)
    said = {"forms": ["maneuvering"], "hit_dice": "12,4"}
    offer = brawl.offers("Esan", "Amek", "Esan", **said)
    told = brawl.player("Amek").sees()
    for die in ("d12", "d4"):
        assert f"the strength takes a size off the {die} of Esan" in told
    read_file(file_of(brawl.troupe.campaign))
    answers(brawl, "Amek", "take_offer", offer)
    dice = brawl.dice("Esan")
    assert dice == {"action": [10, 8], "maneuvering": [8, 6], "self_protection": [6, 0]}
    assert brawl.is_replayed()
