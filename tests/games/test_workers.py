"""Decision 17: actions of many tables share a commit, and each is answered only after it.
Decision 18: a tap over the socket is the tap that a form would have sent."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import sync_to_async
from django.db import DatabaseError, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper

from games import actions, wake
from games.errors import Refused
from games.live import taps, workers
from games.models import Play, Seat, Table, rows
from games.models.touched import Touched
from games.services.act import Actor, Tap, act
from tests.asked import posted
from tests.games.party import Party, Person, done
from tests.games.sockets import Line, looks

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def party(running_party: Party) -> Party:
    return running_party


@pytest.fixture
def worker() -> Iterator[workers.Worker]:
    one = workers.Worker("a worker of a test", commits_together=True)
    yield one
    one.close()


@pytest.fixture
def commits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the database was told to commit, in order."""
    noted: list[str] = []
    wrapper = type(connections["default"])
    real = wrapper._commit

    def commit(self: BaseDatabaseWrapper) -> None:
        noted.append("commit")
        real(self)

    monkeypatch.setattr(wrapper, "_commit", commit)
    return noted


def picks(who: Person, number: int) -> Callable[[], Any]:
    """Return the work of one tap: a personal number."""
    seat = who.row
    actor = Actor(seat.number, seat.device_id)
    return partial(act, seat.table_id, actor, actions.PickNumber(number), Tap(f"t{number}"))


async def together(worker: workers.Worker, *works: Callable[[], Any]) -> list[Any]:
    """Let all of these wait before the worker has time for any of them."""
    asked: list[Awaitable[Any]] = [asyncio.ensure_future(worker.read(partial(time.sleep, 0.1)))]
    await asyncio.sleep(0.02)
    asked += [asyncio.ensure_future(worker.write(work)) for work in works]
    return (await asyncio.gather(*asked, return_exceptions=True))[1:]


# --- one commit ----------------------------------------------------------------------------------


async def test_actions_of_several_tables_share_one_commit(party: Party, worker, commits):
    def other() -> Person:
        dora = Person("Dora")
        dora.opens_table("The Crown")
        return dora

    dora = await sync_to_async(other)()
    works = [await sync_to_async(picks)(who, 5) for who in (party.ben, dora)]
    commits.clear()
    results = await together(worker, *works)
    assert [r.is_repeat for r in results] == [False, False]
    assert commits == ["commit"]
    assert await sync_to_async(Play.objects.filter(tap__endswith=":t5").count)() == 2


async def test_a_commit_is_shared_by_so_many_at_most(party: Party, worker, commits, monkeypatch):
    """R5: the first of many would wait for all of them."""
    monkeypatch.setattr(workers, "MOST_TOGETHER", 2)
    works = [
        await sync_to_async(picks)(who, n)
        for who, n in ((party.ben, 5), (party.ana, 6), (party.ben, 7))
    ]
    commits.clear()
    await together(worker, *works)
    assert commits == ["commit", "commit"]


async def test_a_worker_that_does_not_group_commits_each(party: Party, commits):
    """The control, and what PostgreSQL gets."""
    single = workers.Worker("one by one", commits_together=False)
    works = [await sync_to_async(picks)(who, n) for who, n in ((party.ben, 5), (party.ana, 6))]
    commits.clear()
    await together(single, *works)
    single.close()
    assert commits == ["commit", "commit"]


async def test_what_is_refused_is_taken_back_alone(party: Party, worker):
    first = await sync_to_async(picks)(party.ana, 7)
    clash = await sync_to_async(picks)(party.ben, 7)
    ana, ben = await together(worker, first, clash)
    assert not ana.is_repeat
    assert isinstance(ben, Refused)
    assert await sync_to_async(Play.objects.filter(tap__endswith=":t7").count)() == 1


async def test_what_is_refused_before_it_wrote_costs_the_others_nothing(
    party: Party, worker, commits
):
    """They have no savepoints: it has left nothing that would have to be taken back."""
    good = await sync_to_async(picks)(party.ana, 7)
    wrong = partial(good.func, good.args[0], Actor(99), *good.args[2:])
    later = await sync_to_async(picks)(party.ben, 8)
    commits.clear()
    found = await together(worker, good, wrong, later)
    assert [isinstance(one, Refused) for one in found] == [False, True, False]
    assert commits == ["commit"]


@pytest.mark.parametrize("later", [(9,), ()])
async def test_what_fails_after_it_wrote_is_taken_back_alone(party, worker, monkeypatch, later):
    real = rows.insert

    def insert(*those: Any) -> None:
        real(*those)
        if isinstance(those[0], Play) and those[0].tap.endswith(":t8"):
            raise ZeroDivisionError

    monkeypatch.setattr(rows, "insert", insert)
    works = [await sync_to_async(picks)(who, n) for who, n in ((party.ana, 7), (party.ben, 8))]
    works += [await sync_to_async(picks)(party.ana, number) for number in later]
    found = await together(worker, *works)
    assert [at for at, one in enumerate(found) if isinstance(one, ZeroDivisionError)] == [1]
    taps = sync_to_async(lambda: {p.tap.split(":")[-1] for p in Play.objects.all()})
    assert (await taps()) & {"t7", "t8", "t9"} == {f"t{number}" for number in (7, *later)}


async def test_nobody_is_answered_before_a_commit_that_fails_and_each_is_done_again(
    party: Party, worker, monkeypatch
):
    """R1: an answer means that it is on disk."""
    works = [await sync_to_async(picks)(who, n) for who, n in ((party.ben, 5), (party.ana, 6))]
    wrapper = type(connections["default"])
    real, fails = wrapper._commit, [True]

    def commit(self: BaseDatabaseWrapper) -> None:
        if fails:
            fails.pop()
            raise DatabaseError("the disk is full")
        real(self)

    monkeypatch.setattr(wrapper, "_commit", commit)
    results = await together(worker, *works)
    assert [r.is_repeat for r in results] == [False, False]  # what was done first has gone again
    numbers = sync_to_async(lambda: Play.objects.filter(tap__contains=":t").count())
    assert await numbers() == 2


async def test_one_that_breaks_the_database_takes_nobody_along(party: Party, worker):
    def breaks() -> None:
        with connections["default"].cursor() as cursor:
            cursor.execute("SELECT * FROM no_such_table")

    good = await sync_to_async(picks)(party.ben, 9)
    bad, result = await together(worker, breaks, good)
    assert isinstance(bad, DatabaseError)
    assert not result.is_repeat


async def test_who_fails_once_in_company_is_answered_by_what_was_done_alone(party: Party, worker):
    """R1: what is on disk after all was answered as failed."""

    def fails_once() -> str:
        if fails:
            raise fails.pop()
        return "done"

    fails = [DatabaseError("the disk was full for a moment")]
    good = await sync_to_async(picks)(party.ben, 9)
    assert (await together(worker, good, fails_once))[1] == "done"


async def test_what_breaks_after_a_commit_neither_ends_the_worker_nor_happens_twice(
    party: Party, worker, monkeypatch
):
    """R1: the actions are on disk; whoever asked is answered, and the next ones are done."""

    def stumbles(*_about: object) -> None:
        monkeypatch.setattr(wake, "wakers", [])
        raise RuntimeError("a reader that was not ready")

    monkeypatch.setattr(wake, "wakers", [stumbles])
    works = [await sync_to_async(picks)(who, n) for who, n in ((party.ana, 7), (party.ben, 8))]
    found = await together(worker, *works)
    assert not [one for one in found if isinstance(one, BaseException)]
    assert worker.thread.is_alive()
    assert len(await sync_to_async(lambda: party.events("number_picked"))()) == 2
    [later] = await together(worker, await sync_to_async(picks)(party.ana, 9))
    assert not isinstance(later, BaseException)


async def test_a_worker_draws_after_the_actions_that_wait(worker):
    order: list[str] = []

    class Draws:
        def draw(self) -> None:
            order.append("drawn")

    asked = asyncio.ensure_future(worker.read(partial(time.sleep, 0.05)))
    await asyncio.sleep(0.01)
    worker.draw(Draws())
    await worker.write(lambda: order.append("played"))
    await asked
    await worker.read(lambda: None)
    assert order == ["played", "drawn"]


async def test_all_who_come_in_together_are_let_in_before_their_table_is_drawn(worker):
    """R5: of a house that is back each phone had its table read and drawn for it alone."""
    order: list[str] = []

    class Draws:
        def draw(self) -> None:
            order.append("drawn")

    def let_in(name: str) -> None:
        order.append(name)
        worker.draw(Draws())

    waits = asyncio.ensure_future(worker.read(partial(time.sleep, 0.05)))
    await asyncio.sleep(0.01)
    await asyncio.gather(waits, *(worker.read(partial(let_in, one)) for one in "abc"))
    await worker.read(lambda: None)
    assert order == ["a", "b", "c", "drawn", "drawn", "drawn"]


async def test_who_acts_waits_for_one_of_those_who_come_in(worker, monkeypatch):
    monkeypatch.setattr(workers, "READING_SECONDS", 60.0)
    order: list[str] = []

    def let_in(name: str) -> None:
        order.append(name)
        time.sleep(0.005)

    first = asyncio.ensure_future(worker.read(partial(time.sleep, 0.05)))
    asked = [first, *(asyncio.ensure_future(worker.read(partial(let_in, one))) for one in "abc")]
    await asyncio.sleep(0.01)
    asked.append(asyncio.ensure_future(worker.write(lambda: order.append("played"))))
    await asyncio.gather(*asked)
    assert order == ["played", "a", "b", "c"]


# --- over the socket -----------------------------------------------------------------------------


async def asks(line: Line, number: int = 1, /, **form: Any) -> dict[str, Any]:
    """Send an action over a socket and return its answer."""
    await line.says(do=urlencode(form), n=number)
    while "did" not in (heard := await line.hears()):
        if "regions" in heard:
            await line.says(ack=heard["seq"])
    assert heard["did"] == number
    return heard


async def test_a_tap_over_the_socket_is_played_and_pushed(party: Party):
    async with looks(party.ben) as ben, looks(party.ana) as ana:
        await ana.settles()
        await ben.settles()
        answer = await asks(
            ben, 7, action="pick_number", number=12, seat=party.ben.seat, saw=0, tap="a"
        )
        assert (answer["status"], answer["html"]) == (204, "")
        assert "number 12" in (await ana.takes())["told"][-1]["text"]


@pytest.mark.parametrize("fault_of_ours", [KeyError, StopIteration])
async def test_a_tap_over_which_the_house_breaks_is_answered_in_words(
    party: Party, monkeypatch: pytest.MonkeyPatch, fault_of_ours: type[Exception]
):
    """As by request. Unanswered, a phone sent it again and again, and nothing after it.

    A future takes no StopIteration, so that one was never answered.
    """

    def breaks(*_given: Any) -> None:
        raise fault_of_ours

    form = {"action": "pick_number", "number": 12, "seat": party.ben.seat, "tap": "a"}
    async with looks(party.ben) as ben:
        with monkeypatch.context() as fault:
            fault.setattr(taps, "act", breaks)
            answer = await asks(ben, **form)
        assert (answer["status"], "Something broke" in answer["html"]) == (500, True)
        assert (await asks(ben, 2, **form))["status"] == 204


async def test_the_same_tap_by_both_ways_happens_once(party: Party):
    async with looks(party.ben) as ben:
        await ben.settles()
        form = {"action": "pick_number", "number": 12, "seat": party.ben.seat, "tap": "both"}
        assert (await asks(ben, **form))["status"] == 204
        await sync_to_async(lambda: done(party.ben.does("pick_number", number=12, tap="both")))()
    assert await sync_to_async(Play.objects.filter(tap__endswith=":both").count)() == 1


def test_a_taps_id_counts_at_its_own_table_alone(party: Party):
    """R2: nobody's tap is lost because another table's had the same name."""
    dora = Person("Dora")
    dora.opens_table("The Crown")
    assert [picks(who, 5)().is_repeat for who in (party.ana, dora, dora)] == [False, False, True]
    assert dora.row.number == party.ana.row.number


async def test_a_refusal_over_the_socket_is_said_in_the_seats_language(party: Party):
    await sync_to_async(lambda: done(party.ben.does("speak", language="es")))()
    async with looks(party.ben) as ben:
        answer = await asks(ben, action="pick_number", number=40, seat=party.ben.seat)
    assert answer["status"] == 422
    assert "Elige un número personal" in answer["html"]


@pytest.mark.parametrize(
    ("form", "status"),
    [
        ({"action": "pick_number", "number": 5, "seat": 1}, 404),  # Ana's seat, on Ben's phone
        ({"action": "pause", "seat": 2}, 403),
        ({"action": "no_such_thing", "seat": 2}, 422),
        ({"action": "pick_number", "number": 5}, 422),
        ({}, 422),
    ],
)
async def test_what_a_form_may_not_do_a_socket_may_not_either(party: Party, form, status):
    async with looks(party.ben) as ben:
        assert (await asks(ben, **form))["status"] == status


@pytest.mark.parametrize("action", ["speak", "offer_pass", "leave_table"])
async def test_what_changes_a_cookie_or_shows_a_pass_has_to_come_by_request(party: Party, action):
    async with looks(party.ben) as ben:
        answer = await asks(ben, action=action, seat=party.ben.seat, language="es")
        assert answer["status"] == 421
    language = sync_to_async(lambda: Seat.objects.get(pk=party.ben.row.pk).language)
    assert await language() == "en"


def test_what_was_written_to_is_known_of_bulk_writes_too(party: Party):
    """Signals would not tell: a snapshot would be taken on past a change of a seat."""
    noted = Touched()
    with connection.execute_wrapper(noted):
        Seat.objects.filter(number=2).update(place=4)
        list(Table.objects.all())
        Seat.objects.filter(number=99).delete()
    assert noted.tables == {"games_seat"}


@pytest.mark.parametrize(
    ("path", "kind", "body"),
    [
        ("/t/{code}/act/", "application/x-www-form-urlencoded", urlencode),
        ("/api/tables/{code}/actions/", "application/json", json.dumps),
    ],
)
def test_a_request_that_acts_is_played_by_the_tables_worker(
    party: Party, monkeypatch: pytest.MonkeyPatch, path: str, kind: str, body: Callable[..., str]
):
    """Decision 17: another connection waits for the lock, and costs the worker what it keeps."""
    threads: list[str] = []

    def notes(*asked: Any) -> Any:
        threads.append(threading.current_thread().name)
        return act(*asked)

    monkeypatch.setattr("games.live.taps.act", notes)
    monkeypatch.setattr("games.api.act", notes)
    pick = {"action": "pick_number", "number": 12}
    address = path.format(code=party.table.code)
    told = {"seat": party.ben.seat, "tap": "a", **(pick if body is urlencode else {"action": pick})}
    cookie = f"sid={party.ben.client.cookies['sid'].value}"
    answer = posted(address, kind, body(told).encode(), cookie.encode())
    assert answer["status"] in (200, 302), answer
    assert [name.split(" worker")[0] for name in threads] == ["table"]
