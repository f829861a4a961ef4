"""What the table sees of each action: a log that lacks one of these tells another story."""

from __future__ import annotations

from games.rules.wicked_sequence.events import (
    BackedAway,
    BackingAway,
    Chosen,
    Interfered,
    Joined,
    LotsDrawn,
    Pressed,
)
from games.rules.wicked_sequence.model import Die
from tests.rules.wicked_sequence.scenario import duel, sequence, sheet

TIED = {"amek": [6, 2], "mekha": [6, 2]}


def test_wa42_forms_that_are_taken_are_told_with_their_dice():
    played = sequence("amek", "mekha", choose=False)
    forms = ("directly", "with_violence")
    played.does("choose", "amek", forms=forms, strengths=[])
    dice = (Die("directly", 10), Die("with_violence", 12))
    assert played.moment.events == (Chosen(by="amek", forms=forms, strengths=(), dice=dice),)


def test_wa52_who_wants_to_fight_is_told():
    played = sequence("amek", "mekha").rolls(**TIED).does("press", "mekha")
    assert played.moment.events == (Pressed(by="mekha"),)


def test_wa52_who_would_back_away_is_told_and_that_all_have():
    played = sequence("amek", "mekha").rolls(**TIED).does("back_away", "amek")
    assert played.moment.events == (BackingAway(by="amek"),)
    told = played.does("back_away", "mekha").moment.events
    assert told[:2] == (BackingAway(by="mekha"), BackedAway(who=("amek", "mekha")))


def test_wa53_lots_are_told_in_their_order():
    played = sequence("amek", "mekha", "tajie").rolls(amek=[5, 3], mekha=[5, 3], tajie=[9, 7])
    order = ["mekha", "amek"]
    told = played.does("lots", order=order).moment.events
    assert told[0] == LotsDrawn(order=tuple(order))


def test_wa108_who_joins_is_told():
    played = duel().moves("amek").rolls(mekha=[3, 1]).moves("mekha")
    played.does("join", participant=sheet("tajie"))
    assert played.moment.events == (Joined(who="tajie"),)


def test_wa56_who_answers_without_being_named_is_told():
    played = sequence("amek", "mekha", "tajie").rolls(amek=[9, 7], mekha=[5, 3], tajie=[4, 3])
    played.moves("amek", "mekha").does("interfere", "tajie", says="in between")
    assert played.moment.events[0] == Interfered(by="tajie", says="in between")
