"""Decision 23: what an act is answered by what is kept is what the database would have answered.

Whole bouts with everything that happens beside them are played while each kept answer is held
against the database, and rows are written in every way by which anybody may between two acts, also
by other threads and programs. Then the next act cannot differ either. Each promise has a control.
"""

from __future__ import annotations

import asyncio
import random
from contextlib import suppress
from typing import Any

import pytest
from django.db import DatabaseError, connection, transaction

from games import actions
from games.errors import Refused
from games.live import workers
from games.models import Entrant, Game, Seat, Table, acts, kept_answers, rows
from games.services.act import Actor, Tap, act
from tests.games.any_evening import Evening
from tests.games.held import TakenBack, held, meddles
from tests.games.party import Clock, Dice, Party, Person
from tests.sizes import size

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("connection.vendor != 'sqlite'", reason="elsewhere nothing is kept"),
]

STEPS = size(80, 1500)


@pytest.fixture
def party(transactional_db: None, dice: Dice, clock: Clock) -> Party:
    return Party(dice, clock).gathers()


class Meddled(Evening):
    """A table at which anything may happen, also past its acts."""

    def goes_on(self, steps: int) -> None:
        for step in range(steps):
            if self.rng.random() < 0.05:
                self._takes_back(step)
            else:
                self._does_something(step)
            if self.rng.random() < 0.2:
                self._writes()
            if acts._here.kept and self.rng.random() < 0.05:
                acts._here.kept.forget()

    def _takes_back(self, step: int) -> None:
        try:
            with transaction.atomic():
                self._does_something(step)
                raise TakenBack
        except (TakenBack, DatabaseError):
            pass

    def _writes(self) -> None:
        luck, key = self.rng, self.key
        seat = luck.choice(list(Seat.objects.filter(table=key)))
        choices: list[tuple[Any, str, Any]] = [
            (Table.objects.get(pk=key), "name", luck.choice(("The Swan", "The Goose"))),
            (seat, "name", luck.choice(("Ana", "Ben", "Cleo"))),
            (seat, "place", luck.randint(1, 9)),
        ]
        entrant = Entrant.objects.filter(game__table=key).order_by("?").first()
        game = Game.objects.filter(table=key).first()
        if entrant and game:
            choices += [(entrant, "order", luck.randint(1, 9)), (game, "moved_ms", step_of(luck))]
        meddles(luck, *luck.choice(choices))


def step_of(luck: random.Random) -> int:
    return luck.randint(1, 10**12)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_kept_answers_as_the_database_does(party: Party, seed: int):
    with held() as one:
        Meddled(party, seed, None).goes_on(STEPS)
    assert one.wrong == []
    # Otherwise nothing was kept, and the test would hold nothing.
    assert one.hits > STEPS / 2


@pytest.mark.parametrize("seen", ["rollbacks", "total_changes", "data_version", "an update"])
def test_what_goes_unseen_is_noticed(party: Party, monkeypatch: pytest.MonkeyPatch, seen: str):
    """The control: each of the ways in which kept answers are found out is needed."""
    real = kept_answers.Kept.look

    def looks(self: kept_answers.Kept, db: Any) -> None:
        if seen == "rollbacks":
            self._rollbacks = db.rollbacks
        elif seen == "total_changes":
            self._explained = self.connection.total_changes
        real(self, db)

    def begins(self: kept_answers.Kept, db: Any) -> None:
        self.connection = self.connection or db.connection
        self.look(db)

    def updates(self: kept_answers.Kept, *_about: Any) -> None:
        self._explained = self.connection.total_changes

    monkeypatch.setattr(kept_answers.Kept, "look", looks)
    if seen == "data_version":
        monkeypatch.setattr(kept_answers.Kept, "begin", begins)
    if seen == "an update":
        monkeypatch.setattr(kept_answers.Kept, "updated", updates)
    with held() as one:
        for seed in range(1, 6):
            try:
                Meddled(party, seed, None).goes_on(STEPS)
            except Exception:
                assert one.wrong
            if one.wrong:
                break
            party = Party(party.dice, party.clock).gathers()
    assert one.wrong


def picks(who: Person, number: int) -> None:
    seat = who.row
    actor = Actor(seat.number, seat.device_id)
    act(seat.table_id, actor, actions.PickNumber(number), Tap(f"t{number}"))


def test_nothing_is_kept_or_used_outside_an_act(party: Party):
    with held() as one:
        picks(party.ben, 5)
        hits = one.hits
        assert acts.kept_for(connection) is None
        assert rows.first(Seat, id=party.ben.row.pk)
        assert one.hits == hits


def test_a_thread_that_plays_no_tables_keeps_nothing(party: Party):
    picks(party.ben, 5)
    assert acts._here.kept is None


def test_what_is_refused_leaves_what_is_kept(party: Party):
    """A refusal has written nothing: the next tap need not read it all again."""
    with held() as one:
        picks(party.ben, 5)
        with pytest.raises(Refused):
            picks(party.ana, 5)
        hits = one.hits
        picks(party.ana, 6)
        assert one.hits > hits


@pytest.mark.parametrize("what", ["comes", "moves", "goes"])
def test_a_row_that_an_act_adds_or_moves_is_in_the_next_answer(party: Party, what: str):
    """Else who takes part would be in no bout, and the ring would keep the order of before."""
    game, tess = Game.objects.get(table=party.table), party.tess.row

    def asks() -> list[int]:
        seated = rows.fetch(Seat, table_id=tess.table_id, standing=Seat.Standing.SEATED)
        return [e.order for e in rows.fetch(Entrant, game_id=game.pk)] + [s.pk for s in seated]

    with held() as one:
        with acts.acting():
            asks()
            match what:
                case "comes":
                    given = {"guild_name": "Tess", "guild_key": "tess", "order": 9}
                    rows.insert(rows.new(Entrant, game=game, seat=tess, **given))
                case "moves":
                    first = rows.fetch(Entrant, game_id=game.pk)[0]
                    first.order = 9
                    rows.update(first, ["order"])
                case _:
                    tess.standing = Seat.Standing.GONE
                    rows.update(tess, ["standing"])
        with acts.acting():
            asks()
    assert one.hits
    assert one.wrong == []


def test_no_more_is_kept_than_there_is_room_for(party: Party, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(kept_answers, "MOST_ROWS", 12)
    with held() as one:
        for seed in range(3):
            Meddled(party, seed, None).goes_on(STEPS // 4)
            here: Any = acts._here.kept
            assert sum(a.rows for a in here._answers.values()) == here._rows <= 12
            assert {k for holding in here._held.values() for k in holding} <= set(here._answers)
            party = Party(party.dice, party.clock).gathers()
    assert one.hits
    assert one.wrong == []


def test_after_the_database_took_all_back_the_others_write_nothing_alone(party: Party):
    """R1: on a full disk SQLite ends the transaction, and each later statement is its own commit.

    The action that met it may have written nothing before, and be answered in words.
    """
    alone = []

    def meets_a_full_disk() -> None:
        with suppress(DatabaseError), acts.acting() as db:
            db.connection.execute("ROLLBACK")
            raise DatabaseError("the disk is full")

    def writes() -> None:
        alone.append(connection.in_atomic_block and not connection.connection.in_transaction)

    loop = asyncio.new_event_loop()
    jobs = [workers.Job(work, loop) for work in (meets_a_full_disk, writes)]
    assert not workers._done_together(jobs)
    assert not any(alone)
    loop.close()
