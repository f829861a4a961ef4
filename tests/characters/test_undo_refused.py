"""Whom an undo refuses, in which words, and what the host is asked before more goes with it."""

from __future__ import annotations

from typing import Any

import pytest
from django.db.models.signals import post_init

from characters.models import Character
from games.deeds import undo
from games.models import Play
from games.services.ledger import chain_of
from tests.characters.company import Company
from tests.characters.crew import knave, last
from tests.games.party import Party, done, refused

HOST_ONLY = "Only the host may take that back."


def hurt(party: Party, ash: Character, *amounts: int) -> list[int]:
    """Let Ben change what Ash has left; return the numbers of the events."""
    for by in amounts:
        done(party.ben.does("change_hp", character=ash.pk, by=by))
    return [event.seq for event in party.events("hp_changed")]


def test_what_is_taken_back_is_taken_back_once(party: Party, ash: Character):
    [seq] = hurt(party, ash, -1)
    left = Character.objects.get(pk=ash.pk).hp
    done(party.ana.does("undo", event=seq))
    hurt(party, ash, -1)
    for who in (party.ana, party.ben):
        assert "taken back already" in refused(who.does("undo", event=seq, sure="true"), 409)
    assert Character.objects.get(pk=ash.pk).hp == left


def test_a_player_takes_back_nobody_elses_choice_and_nothing_that_something_hangs_on(
    party: Party, ash: Character
):
    (dora,) = party.welcomes("Dora")
    first, second = hurt(party, ash, -1, -1)
    for seq in (first, second):
        assert HOST_ONLY in refused(dora.does("undo", event=seq, sure="true"), 403)
    before = party.table.seq
    told = refused(party.ben.does("undo", event=first, sure="true"), 409)
    assert "Something has come of it since" in told
    assert party.table.seq == before
    done(party.ben.does("undo", event=second))
    done(party.ben.does("undo", event=first))
    assert last(party, "undone").data["count"] == 1


def test_nothing_is_read_for_whoever_may_not_take_it_back(
    party: Party, ash: Character, monkeypatch: pytest.MonkeyPatch
):
    """S1: all of 20,000 later plays were read first, and all tables waited 0.6 s for each try."""
    (dora,) = party.welcomes("Dora")
    [seq] = hurt(party, ash, -1)
    monkeypatch.setattr(undo, "chain_of", None)
    assert HOST_ONLY in refused(dora.does("undo", event=seq), 403)


def test_a_search_makes_rows_of_what_hangs_on_it_alone_and_ends_where_that_is_too_much(
    party: Party, ash: Character
):
    """R8: all tables waited while a row was made of each of 20,000 later plays."""
    rue = knave(party.table, party.ben, "Rue")
    [first, *later] = [party.events()[-1].play for _by in range(4) if hurt(party, ash, -1)]
    hurt(party, rue, -1, -1)
    made: list[int] = []

    def hear(instance: Play, **_told: Any) -> None:
        made.append(instance.pk)

    post_init.connect(hear, sender=Play)
    try:
        chain = chain_of(first)
    finally:
        post_init.disconnect(hear, sender=Play)
    assert chain == [first, *later]
    assert made == [one.pk for one in later]
    assert chain_of(first, most=2) == [first, *later[:2]]


def test_the_host_is_told_of_the_newest_three_first_and_is_asked_only_if_there_are_any(
    party: Party, ash: Character
):
    seqs = hurt(party, ash, -1, -2, -1, -3)
    told = refused(party.ana.does("undo", event=seqs[0]), 409)
    assert "3 later moves hang on it" in told
    order = [told.index(f"Ash loses {what}") for what in ("3 hit", "a hit", "2 hit")]
    assert order == sorted(order)
    assert "1 later move hangs on it" in refused(party.ana.does("undo", event=seqs[2]), 409)
    done(party.ana.does("undo", event=seqs[3]))
    hurt(party, ash, 1, 1)
    told = refused(party.ana.does("undo", event=seqs[0]), 409)
    assert "4 later moves hang on it" in told
    assert "Ash loses a hit" in told
    assert "Ash loses 2 hit" not in told


def test_what_the_host_alone_knows_is_named_to_the_host_and_its_undo_to_nobody_else(
    company: Company,
):
    """S2: a hidden NPC's record stays hidden, also where it is taken back.

    To a player it is as a number that the log does not have, whatever has become of it.
    """
    for by in (-1, -1):
        done(company.ana.does("change_hp", character=company.shade.pk, by=by))
    first, second = company.cast.events("hp_changed")[-2:]
    assert first.to == second.to == company.ana.row
    told = refused(company.ana.does("undo", event=first.seq), 409)
    assert "Shade" in told
    nothing = refused(company.ben.does("undo", event=company.table.seq + 1, sure="true"), 409)
    assert refused(company.ben.does("undo", event=first.seq, sure="true"), 409) == nothing
    done(company.ana.does("undo", event=first.seq, sure="true"))
    assert refused(company.ben.does("undo", event=first.seq, sure="true"), 409) == nothing
    assert last(company.cast, "undone").to == company.ana.row
    assert last(company.cast, "undone").data["count"] == 2


def test_more_than_can_go_back_at_once_is_refused_before_anything_is_asked(
    party: Party, ash: Character, monkeypatch: pytest.MonkeyPatch
):
    """Else the host said that they are sure, and was refused only then."""
    monkeypatch.setattr(undo, "LONGEST_CHAIN", 3)
    seqs = hurt(party, ash, -1, -1, -1, 1)
    for sure in ({}, {"sure": "true"}):
        told = refused(party.ana.does("undo", event=seqs[0], **sure), 409)
        assert "Take back what came after it first" in told
    done(party.ana.does("undo", event=seqs[1], sure="true"))
    done(party.ana.does("undo", event=seqs[0]))
