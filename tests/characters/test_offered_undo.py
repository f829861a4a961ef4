"""What a phone offers to take back goes back: no button of a player's own sends to the host."""

from __future__ import annotations

import random
from typing import Any

import pytest

from characters import actions as do
from characters.models import Character
from characters.screens.mine import own_last
from games import snapshot, wake
from games.actions import Undo
from games.errors import AskFirst
from games.models import Seat
from games.services.recent import OFFERED_FOR, and_last, recent_at
from tests.characters.company import Company
from tests.characters.evening import Evening
from tests.characters.wild import FIGHT, PEOPLE, REFEREE, THINGS
from tests.games.party import Person, dice_fall_by, done
from tests.games.tried import taken_back
from tests.sizes import size

DEEDS = size(20, 300)


def offers_undo(who: Person) -> bool:
    return 'id="undo"' in who.sees()


@pytest.fixture
def evening(company: Company, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(Evening, "company", company, raising=False)
    monkeypatch.setattr("tests.characters.evening.event", lambda _text: None)
    one = Evening()
    yield one
    one.teardown()


def test_a_dropped_thing_that_another_has_taken_is_not_offered_back(evening: Evening):
    company = evening.company
    evening.acts(company.ben, do.DropItem(company.torches.pk, 1))
    assert offers_undo(company.ben)
    evening.acts(company.dora, do.ChangeHp(company.birch.pk, -1))
    assert offers_undo(company.ben), "what others do beside it takes no offer away"
    pile = company.table.piles.get(name="")
    taken = evening.acts(company.dora, do.ClaimItem(company.birch.pk, pile.items.get().pk))
    assert not offers_undo(company.ben)
    assert offers_undo(company.dora)
    evening.takes_back(company.ana, taken)
    assert offers_undo(company.ben), "nothing hangs on it any more"


def test_a_choice_is_offered_back_for_so_many_further_events(
    evening: Evening, monkeypatch: pytest.MonkeyPatch, django_capture_on_commit_callbacks: Any
):
    """What is kept of the newest plays for it is what a reading finds, and no more."""
    company, committed = evening.company, list[Any]()
    monkeypatch.setattr(wake, "wakers", [lambda _table, done: committed.append(done)])
    kept = recent_at(company.table)
    for further in range(OFFERED_FOR + 2):
        with django_capture_on_commit_callbacks(execute=True):
            if further == 0:
                evening.acts(company.ben, do.DropItem(company.torches.pk, 1))
            else:
                evening.acts(company.dora, do.ChangeHp(company.birch.pk, -1 if further % 2 else 1))
        assert offers_undo(company.ben) == (further <= OFFERED_FOR)
        kept = and_last(kept, committed[-1])
        assert kept == recent_at(company.table)


@pytest.mark.parametrize("deed", ["confirm_knave", "claim_knave"])
def test_kn16_a_knave_that_comes_into_a_fight_is_not_unmade_by_a_tap(company: Company, deed: str):
    """No whole knave is; it joins the fight in the same play, and that was looked at alone."""
    company.fights()
    Character.objects.filter(pk=company.ash.pk).update(state="dead", hp=-1)
    if deed == "claim_knave":
        done(company.ben.does("discard_knave", character=company.draft.pk))
    taken = {"confirm_knave": company.draft, "claim_knave": company.stray}[deed]
    done(company.ben.does(deed, character=taken.pk))
    assert company.table.events.filter(kind="Joined").exists()
    assert not offers_undo(company.ben)


@pytest.mark.parametrize("makes", [THINGS, PEOPLE, FIGHT], ids=["things", "people", "fight"])
def test_what_is_offered_is_never_refused(evening: Evening, makes, monkeypatch):
    luck, company = random.Random(f"offered {len(makes)}"), evening.company
    dice_fall_by(luck, monkeypatch)
    company.fights()
    offered = 0
    for deed in range(DEEDS):
        evening.does(deed, luck.choice([makes, makes, REFEREE]))
        for who in (company.ben, company.dora, company.ana):
            seat = Seat.objects.get(pk=who.row.pk)
            event = own_last(snapshot.load(company.table.pk), seat)
            if event is None:
                continue
            offered += 1
            with taken_back():
                undo = evening.acts(who, Undo(event.seq))
                assert not isinstance(undo, Exception) or isinstance(undo, AskFirst), (event, undo)
    assert offered
