"""What a consequential strength takes: by the default, and beside what is agreed (WA-24)."""

from __future__ import annotations

import pytest

from campaigns.models import Character
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from tests.campaigns.brawl import Brawl
from tests.campaigns.test_talks import answers, won
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
    assert "For the other one let the GM tap." in page
    assert gm.count('value="exhausted"') == gm.count('name="npc_dice" value="12" checked') == 1
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
    hit = {"hit_die": 8}
    about = {"to": brawl.id("Esan"), "loser": brawl.id("Esan"), "forms": ["maneuvering"]}
    assert "GM" in brawl.refuses("Amek", "offer_terms", 403, **about, **hit)
    assert 'name="hit_die"' not in brawl.player("Amek").sees()
    offer = brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"])
    gm = brawl.troupe.erin.sees("gm/")
    assert f'id="take-{offer.pk}-d12" name="hit_die" value="12" checked' in gm
    assert f'id="take-{offer.pk}-d8" name="hit_die" value="8"' in gm
    taken = brawl.troupe.erin.does("take_offer", offer=offer.pk, saw=brawl.scene, **hit)
    done(taken)
    assert (brawl.dice("Esan")["action"], brawl.dice("Esan")["maneuvering"]) == ([12, 6], [8, 6])
    assert "Curse strikes home." in brawl.troupe.told("terms_settled")
    assert brawl.is_replayed()


def test_wa24_the_gm_says_so_in_an_offer_as_well(brawl: Brawl):
    cursed(brawl, "Esan")
    gm = brawl.troupe.erin.sees("gm/")
    assert gm.count('name="hit_die" value="12" checked') == 1
    offer = brawl.offers("Esan", "Amek", "Esan", forms=["action"], lesser=["action"], hit_die=8)
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
    assert '-d8" name="hit_die"' not in gm.split('class="offer"')[1].split("</article>")[0]


def test_wa24_a_die_that_is_not_there_is_refused_in_words(brawl: Brawl):
    cursed(brawl, "Esan")
    offer = brawl.offers("Amek", "Esan", "Esan", forms=["maneuvering"])
    refused(brawl.troupe.erin.does("take_offer", offer=offer.pk, saw=brawl.scene, hit_die=4), 409)
    assert brawl.dice("Esan")["action"] == [12, 8]
