"""Names to pick from: three unused ones at a time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.dice import SeededDice
from games.rules.wicked_age import names
from games.rules.wicked_age.names import Bynames, Names, names_of, suggest
from games.rules.wicked_age.oracles import SHIPPED

LIST = Names(
    men=("Hamel", "Lamuel", "Orun"),
    women=("Neruna", "Mirel"),
    either=("Ranel", "Lemun"),
    bynames=Bynames(en=("of the three wells",), es=("de los tres pozos",)),
    places=("Mereln",),
    gods=("Nalla",),
)


@pytest.fixture(autouse=True)
def _our_list(monkeypatch):
    monkeypatch.setattr(names, "names_of", {"ours": LIST}.__getitem__)


@given(st.integers(0), st.sets(st.sampled_from((*LIST.men, *LIST.either))))
def test_only_unused_names_are_offered_and_each_once(seed, taken):
    offered = suggest(SeededDice(seed), "ours", "men", {name.upper() for name in taken})
    assert len(set(offered)) == len(offered) == min(3, 5 - len(taken))
    assert not set(offered) & taken


def test_when_a_list_runs_out_names_of_either_follow():
    assert set(suggest(SeededDice(1), "ours", "men", ())) == set(LIST.men)
    assert suggest(SeededDice(1), "ours", "women", ())[:2] in (LIST.women, LIST.women[::-1])
    assert set(suggest(SeededDice(1), "ours", "men", LIST.men)) == set(LIST.either)
    assert suggest(SeededDice(1), "ours", "places", LIST.places) == ()


def test_bynames_are_in_the_language():
    assert suggest(SeededDice(1), "ours", "bynames", (), language="es") == LIST.bynames.es
    assert suggest(SeededDice(1), "ours", "bynames", ()) == LIST.bynames.en


def test_gods_and_places_have_names():
    assert suggest(SeededDice(1), "ours", "gods", ()) == LIST.gods
    assert suggest(SeededDice(1), "ours", "either", ("ranel ",)) == ("Lemun",)


def test_every_oracle_has_its_names_and_a_tables_own_has_the_first_ones():
    assert len({names_of(name) for name in SHIPPED}) == len(SHIPPED)
    assert names_of("our_town") == names_of(SHIPPED[0])
