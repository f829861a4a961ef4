"""docs/programs.md: what a program is told that it may do is not refused, wherever it is told."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import BEFORE, STRENGTH, Saga
from tests.campaigns.told import Told, offers
from tests.campaigns.walk import Walk
from tests.games.party import Person, dice_fall_by, done, refused
from tests.games.tried import refused_to
from tests.sizes import size
from tests.starting import ROOT

DEEDS = size(3, 30)
PLACES = size(("choose", "settle"), ("begun", "choose", "sheets", "play", "settle", "former"))


def told(who: Person) -> Told:
    answer: Told = who.client.get(f"/api/tables/{who.code}/").json()
    return answer


def people_of(saga: Saga) -> tuple[Person, ...]:
    return saga.erin, *saga.players


@pytest.mark.parametrize("place", [one for one in BEFORE if one != "bare"])
def test_nothing_that_is_told_at_a_place_is_refused(
    saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch
):
    dice_fall_by(random.Random(place), monkeypatch)
    count, refused = refused_to(people_of(saga_at(place)), offers)
    assert refused == []
    assert count


@pytest.mark.parametrize("place", PLACES)
def test_nor_after_whatever_people_do(saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch):
    luck = random.Random(f"told {place}")
    dice_fall_by(luck, monkeypatch)
    walk = Walk(saga_at(place), luck)
    found: Counter[tuple[str, str, str]] = Counter()
    for _deed in range(DEEDS):
        walk.does()
        found.update(refused_to(people_of(walk.saga), offers)[1])
    assert found == {}


# --- what was told, and refused ------------------------------------------------------------------


def test_from_the_first_step_nobody_is_told_to_go_back(saga_at: SagaAt):
    saga = saga_at("oracle")
    assert all("step_back" not in told(one)["my"]["may"] for one in (saga.erin, saga.amy))
    saga.do(saga.amy, "choose_oracle", oracle="bronze_and_dust")
    assert all("step_back" in told(one)["my"]["may"] for one in (saga.erin, saga.amy))


def test_wa7_whoever_has_gone_back_need_not_choose_and_deal_anew(saga_at: SagaAt):
    """What was dealt lay there, and the only way on was to deal other cards."""
    saga = saga_at("cast")
    for step in ("deal", "oracle"):
        saga.do(saga.amy, "step_back")
        assert saga.chapter.step == step
        assert all("step_on" in told(one)["my"]["may"] for one in (saga.erin, saga.amy, saga.tom))
        assert all('id="step-on"' in page for page in (saga.tom.sees(), saga.erin.sees("gm/")))
    elements = [one.pk for one in saga.elements]
    for _step in ("oracle", "deal"):
        saga.do(saga.tom, "step_on")
    assert ([one.pk for one in saga.elements], saga.chapter.step) == (elements, "cast")


def test_wa11_the_way_back_ends_where_the_sheets_are_once_the_chapter_was_played(saga_at: SagaAt):
    saga = saga_at("play")
    saga.do(saga.erin, "step_back")
    saga.do(saga.amy, "step_back")
    assert "step_back" not in told(saga.amy)["my"]["may"]
    assert 'id="step-back"' not in saga.amy.sees()
    assert "who is in it stands" in saga.refusal(saga.amy, "step_back")


def test_wa11_the_gm_is_not_told_to_choose_a_character(saga_at: SagaAt):
    saga = saga_at("choose")
    assert "take_cast" not in told(saga.erin)["my"]["may"]
    assert "take_cast" in told(saga.amy)["my"]["may"]


def test_wa41_who_has_dice_on_the_table_is_not_told_to_take_up_others(saga_at: SagaAt):
    saga = saga_at("dice")
    assert "start_sequence" not in told(saga.amy)["my"]["may"]
    assert "start_sequence" in told(saga.tom)["my"]["may"]
    assert "start_sequence" in told(saga.erin)["my"]["may"]


def test_wa69_who_is_out_is_not_told_to_take_up_dice(saga_at: SagaAt):
    saga = saga_at("play")
    saga.do(saga.erin, "mark_character", character=saga.pc(saga.amy).pk, state="out")
    assert "start_sequence" not in told(saga.amy)["my"]["may"]
    assert "name_interest" in told(saga.amy)["my"]["may"]


def test_wa43_a_strength_that_is_written_in_a_fight_is_not_offered_in_it(saga_at: SagaAt):
    """A new NPC may get hers at any time (WA-18), and the dice on the table know nothing of it."""
    saga = saga_at("play")
    saga.do(saga.erin, "make_npc", name="Ghazi", best="maneuvering")
    npc, amek = saga.named("Ghazi").pk, saga.named("Amek").pk
    saga.do(saga.erin, "start_sequence", act="Runs", actor=npc, who=amek)
    saga.do(saga.erin, "new_strength", character=npc, **STRENGTH)
    (me,) = told(saga.erin)["gm"]["fighters"]
    assert [pair["strengths"] for pair in me["pairs"]] == [[], [], []]


def test_a_program_says_that_it_saw_what_the_document_names(saga_at: SagaAt):
    """The table's `scene` was said to be it, with which no die was ever rolled here."""
    saga = saga_at("answer")
    read = told(saga.amy)
    (me,) = read["my"]["fighters"]
    move = {"sequence": me["sequence"], "who": me["id"]}
    assert refused(saga.amy.does("let_pass", saw=read["scene"], **move), 409)
    assert "at In a Wicked Age the `saw` of the fighter" in (ROOT / "docs/programs.md").read_text()
    done(saga.amy.does("let_pass", saw=me["saw"], **move))
