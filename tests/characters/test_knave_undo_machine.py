"""The ledger: whatever is done with sheets, loot and fights, taking it back sets every row back.

Hypothesis plays evenings at random: things change hands, people are hurt and die, days pass,
fights begin and end. After each undo all rows are compared. The quick number is 4 evenings of 20
deeds; TAPROOM_EVENINGS sets another.
"""

from __future__ import annotations

import os
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from characters import actions as do
from games.errors import Refused
from games.models import Play
from tests.characters.company import Company
from tests.characters.evening import Evening
from tests.set_back import difference, rows
from tests.sizes import size

EVENINGS = int(os.environ.get("TAPROOM_EVENINGS", size("4", "100")))
DEEDS = 20
# A failing evening is made shorter only when asked for: it takes minutes.
PHASES = list(Phase) if os.environ.get("TAPROOM_SHRINK") else [Phase.generate]


@pytest.fixture
def company(company: Company, monkeypatch: pytest.MonkeyPatch) -> Company:
    roll = lambda _dice, sides: Evening.luck.randint(1, sides)  # noqa: E731
    monkeypatch.setattr("games.rules.dice.SystemDice.roll", roll)
    monkeypatch.setattr(Evening, "company", company, raising=False)
    return company


HOW = settings(
    max_examples=EVENINGS,
    stateful_step_count=DEEDS,
    deadline=None,
    database=None,
    print_blob=False,
    phases=PHASES,
    suppress_health_check=list(HealthCheck),
)


def test_whatever_is_done_is_taken_back_row_by_row(company: Company):
    run_state_machine_as_test(Evening, settings=HOW)


def test_an_undo_that_forgets_a_field_would_be_found(company: Company, monkeypatch):
    """The control: what sets rows back leaves one field as it is, which the same steps find."""
    from games.services import ledger

    real = ledger._read

    def forgets(model: Any, values: dict[str, Any]) -> dict[str, Any]:
        kept = real(model, values)
        return {name: value for name, value in kept.items() if name != "hp"} or {"hp": 1}

    evening = Evening()
    try:
        _wounds_and_takes_back(evening)
        monkeypatch.setattr(ledger, "_read", forgets)
        with pytest.raises(AssertionError, match="change_hp"):
            _wounds_and_takes_back(evening)
    finally:
        evening.teardown()


def _wounds_and_takes_back(evening: Evening) -> None:
    before, hurt = rows(), do.ChangeHp(evening.company.ash.pk, -2)
    play = evening.acts(evening.company.ana, hurt)
    assert isinstance(play, Play)
    evening.done.append((play, before))
    evening.the_last_is_taken_back(count=1)


def test_a_player_does_not_take_back_what_something_has_come_of(company: Company):
    """A torch is dropped, Birch takes it: Ash's player can't have it back, the host unravels."""
    evening = Evening()
    try:
        before = rows()
        drop = evening.acts(company.ben, do.DropItem(company.torches.pk, 1))
        assert isinstance(drop, Play)
        pile = company.table.piles.get(name="")
        taken = do.ClaimItem(company.birch.pk, pile.items.get().pk)
        assert isinstance(evening.acts(company.dora, taken), Play)
        refusal = evening.takes_back(company.ben, drop)
        assert isinstance(refusal, Refused)
        assert refusal.status == 409
        assert isinstance(evening.takes_back(company.ana, drop), Play)
        assert difference(rows(), before) == {}
    finally:
        evening.teardown()


def test_a_player_does_not_take_back_anothers_choice_nor_dice(company: Company):
    evening = Evening()
    try:
        theirs = evening.acts(company.dora, do.ChangeHp(company.birch.pk, -1))
        rolled = evening.acts(company.ben, do.LevelUp(company.ash.pk, ("str", "dex", "con")))
        for play in (theirs, rolled):
            assert isinstance(play, Play)
            refusal = evening.takes_back(company.ben, play)
            assert isinstance(refusal, Refused)
            assert refusal.status == 403
    finally:
        evening.teardown()
