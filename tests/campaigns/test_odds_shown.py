"""The odds beside a choice of forms, where the table shows them (WA-46 to WA-51)."""

from __future__ import annotations

from campaigns.screens.chances import opening_text, pair_texts
from games.rules.wicked_age.odds import Hand, opening
from tests.campaigns.brawl import Brawl


def said(brawl: Brawl, name: str, *forms: str) -> str:
    return pair_texts(brawl.state, brawl.ref(name), [forms])[forms]


def test_wa51_in_a_fight_of_two_the_exchange_is_told_too(brawl: Brawl):
    brawl.begins("Amek", "Mekha").takes("Mekha", "directly", "for_myself")
    text = said(brawl, "Amek", "with_violence", "directly")
    assert text == opening_text(opening(Hand((12, 10)), [Hand((10, 8))]))
    assert "outright" in text


def test_wa65_a_die_that_is_bought_before_forms_are_taken_counts(brawl: Brawl):
    owed = brawl.troupe.owes("Amek")[0].pk
    brawl.begins("Amek", "Mekha").takes("Mekha", "directly", "for_myself")
    brawl.turn("Amek", "buy_die", owed=owed)
    text = said(brawl, "Amek", "with_violence", "directly")
    assert text == opening_text(opening(Hand((12, 10), pips=1), [Hand((10, 8))]))


def test_wa51_while_somebody_has_yet_to_choose_the_odds_are_so_far_only(brawl: Brawl):
    """Of three, the second to choose was told how a fight of two would go."""
    brawl.begins("Amek", "Mekha", "Tajie").takes("Mekha", "directly", "for_myself")
    text = said(brawl, "Amek", "with_violence", "directly")
    assert text.startswith("highest so far ")
    assert "outright" not in text
    brawl.takes("Tajie", "for_myself", "covertly")
    all_three = opening(Hand((12, 10)), [Hand((10, 8)), Hand((12, 8))])
    assert said(brawl, "Amek", "with_violence", "directly") == opening_text(all_three)
