"""Many hands at one database: real processes with their own connections, let go at one instant.

What one process's tests on one connection can't show (locks, races, lost
updates) shows here. A crowd is four processes of two threads; each thread is
one phone.
"""

from __future__ import annotations

import multiprocessing
import pkgutil
import queue
import random
import threading
import time
import traceback
from collections import Counter
from functools import partial
from typing import Any

from tests.games.leader import database_of, leader_of

PROCESSES, THREADS = 4, 2
HANDS = PROCESSES * THREADS
LONGEST_WAIT = 240
SENT_AGAIN_S = 0.5
# Races that are run between two waits for each other.
BATCH = 5


def run(
    environment: dict[str, str], job: str, *, within: float = LONGEST_WAIT, **how: Any
) -> dict[str, Any]:
    """Let a crowd do a job on the database that the environment names; return what they found.

    The job is one of this module's, or another one's as "module:function". Raises TimeoutError for
    who is not back `within` so many seconds.
    """
    told = leader_of(environment).does(
        database_of(environment), f"{__name__}:gathered", job, how, within, within=2 * within
    )
    errors: Counter[str] = Counter()
    for one in told:
        errors.update(one["errors"])
    found = next(one["found"] for one in told if one["found"] is not None)
    return {**found, "errors": errors}


def gathered(job: str, how: dict[str, Any], within: float) -> list[dict[str, Any]]:
    """Become many, and return what each process tells: each opens its own connections."""
    work = pkgutil.resolve_name(job if ":" in job else f"{__name__}:{job}")
    context = multiprocessing.get_context("fork")
    barrier, answers = context.Barrier(HANDS), context.Queue()
    crowd = [
        context.Process(target=_process, args=(work, place, barrier, answers, how))
        for place in range(PROCESSES)
    ]
    for one in crowd:
        one.start()
    try:
        return _answers(answers, crowd, within)
    finally:
        for one in crowd:
            one.join(5)
            one.kill()


def _answers(answers: Any, crowd: list[Any], within: float) -> list[dict[str, Any]]:
    """Wait for every process; one that died without a word is named at once."""
    told: list[dict[str, Any]] = []
    until = time.monotonic() + within
    while len(told) < len(crowd) and time.monotonic() < until:
        try:
            told.append(answers.get(timeout=1))
        except queue.Empty:
            died = [p.exitcode for p in crowd if p.exitcode]
            if died:
                raise RuntimeError(f"{len(died)} of the crowd died: {died}") from None
    if len(told) < len(crowd):
        raise TimeoutError(f"{len(crowd) - len(told)} of the crowd have not come back")
    return told


def _process(work: Any, place: int, barrier: Any, answers: Any, how: dict[str, Any]) -> None:
    errors: Counter[str] = Counter()
    found: list[dict[str, Any]] = []
    threads = [
        threading.Thread(
            target=_hand, args=(work, place * THREADS + n, barrier, errors, found, how)
        )
        for n in range(THREADS)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    answers.put({"errors": dict(errors), "found": found[0] if found else None})


_counting = threading.Lock()


def has_no_gap(table: Any) -> bool:
    """Tell whether a table's log is numbered from 1 to the number that its row says."""
    numbers = list(table.events.order_by("seq").values_list("seq", flat=True))
    table.refresh_from_db()
    return numbers == list(range(1, table.seq + 1))


def count(errors: Counter[str], what: str, times: int) -> None:
    """Add to a counter that two threads share: `+=` alone can lose one of two additions."""
    with _counting:
        errors[what] += times


def _hand(job: Any, hand: int, barrier: Any, errors: Any, found: Any, how: dict[str, Any]) -> None:
    from django.db import close_old_connections, connection

    try:
        job(hand, barrier, errors, found, **how)
    except BaseException as error:
        count(errors, f"{type(error).__name__}: {error}", 1)
        traceback.print_exc()
        barrier.abort()
    finally:
        close_old_connections()
        connection.close()


# --- without what holds it: the controls ---------------------------------------------------------


def take_out(what: str) -> None:
    """Take one safeguard out of this process's code."""
    from django.db import connection
    from django.db.models import QuerySet

    if what == "lock":
        from games.models import rows

        fetch = rows.fetch
        rows.fetch = lambda model, lock=False, **where: fetch(model, **where)  # type: ignore[assignment]
        QuerySet.select_for_update = lambda self, *args, **kwargs: self  # type: ignore[method-assign]
        connection.settings_dict["OPTIONS"].pop("transaction_mode", None)
        connection.settings_dict["OPTIONS"].pop("timeout", None)
    elif what == "tap check":
        from games.services import act as module
        from games.services.change import changing

        def unnamed(table: Any, seat: Any, action: Any, tap: str, **play: Any) -> Any:
            return changing(table, seat, action, f"{tap}-{random.random()}", **play)

        module.changing = unnamed


def _without_constraints() -> None:
    from django.db import connection

    from games.models import Event, Play

    with connection.schema_editor() as editor:
        for model in (Event, Play):
            for constraint in model._meta.constraints:
                editor.remove_constraint(model, constraint)


# --- jobs ----------------------------------------------------------------------------------------


def migrate() -> None:
    """Migrate a database that is empty; most are copies of one that has been."""
    from django.core.management import call_command
    from django.db import connection

    if not connection.introspection.table_names():
        call_command("migrate", verbosity=0, interactive=False)


def _tables(count: int, *, seats: int) -> None:
    """Write tables at which a seven stands and everybody but the roller may shout."""
    from django.utils import timezone

    from games.models import Device, Entrant, Game, Seat, Table
    from games.rules import brave_or_knave as bk
    from games.rules import engine
    from games.rules.dice import TypedDice
    from games.stored import encode

    migrate()
    names = tuple(f"Guild {n}" for n in range(seats))
    setup = bk.Setup(names=names, numbers=tuple(range(8, 8 + seats)), first=0)
    state = bk.setup(setup, TypedDice(()))
    state, _events = engine.play(bk, state, 0, bk.Roll(), TypedDice((7,)))
    later = timezone.now() + timezone.timedelta(hours=12)
    device = Device.objects.create()
    tables = Table.objects.bulk_create(
        Table(name="Race", door_closes_at=later) for _n in range(count)
    )
    chairs = Seat.objects.bulk_create(
        Seat(table=t, number=n + 1, place=n + 1, name=names[n], device=device)
        for t in tables
        for n in range(seats)
    )
    games = Game.objects.bulk_create(
        Game(
            table=t, status="playing", setup=encode(setup), state=encode(state), scene=1,
            scene_ms=1_000_000, moved_ms=1_000_000,
        )
        for t in tables
    )  # fmt: skip
    Entrant.objects.bulk_create(
        Entrant(
            game=games[i // seats], seat=chair, order=i % seats, guild_name=chair.name,
            guild_key=chair.name.casefold(), number=8 + i % seats,
        )
        for i, chair in enumerate(chairs)
    )  # fmt: skip


def _begin(hand: int, barrier: Any, without: str, tables: int, seats: int) -> list[int]:
    from games.models import Table

    if hand == 0:
        _tables(tables, seats=seats)
        if without == "lock and constraints":
            _without_constraints()
    barrier.wait(LONGEST_WAIT)
    if hand % THREADS == 0 and without:
        take_out(without.removesuffix(" and constraints"))
    barrier.wait(LONGEST_WAIT)
    return list(Table.objects.order_by("pk").values_list("pk", flat=True))


def press_ms(table: int, hand: int) -> int:
    """Return when a rival pressed: all apart by more than a breath, in another order each race."""
    order = list(range(HANDS))
    random.Random(table).shuffle(order)
    return 1_000_100 + 200 * order[hand]


def shout_races(
    hand: int, barrier: Any, errors: Any, found: Any, *, races: int, without: str = ""
) -> None:
    """Eight rivals shout at one number at once; then every process's clock closes the race."""
    from games import clock
    from games.errors import Refused
    from games.models import Table
    from games.rules import brave_or_knave as bk
    from games.services.act import Actor, Tap, act

    tables = _begin(hand, barrier, without, races, HANDS + 1)
    device = Table.objects.first().seats.first().device_id
    for batch in (tables[i : i + BATCH] for i in range(0, len(tables), BATCH)):
        barrier.wait(LONGEST_WAIT)
        for table in batch:
            try:
                tap = Tap("shout", saw=1, pressed_ms=press_ms(table, hand))
                act(table, Actor(hand + 2, device), bk.Shout(bk.Call.BRAVE), tap)
            except Refused as refusal:
                count(errors, f"refused: {refusal.message}", 1)
            except Exception as error:
                count(errors, type(error).__name__, 1)
        barrier.wait(LONGEST_WAIT)
        for table in batch if hand % THREADS == 0 else ():
            try:
                clock.play_due(table)
            except Exception as error:
                count(errors, type(error).__name__, 1)
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        found.append(_races_found(tables))


def _races_found(tables: list[int]) -> dict[str, Any]:
    from games.models import Table
    from games.stored import state_of

    found: Counter[str] = Counter()
    for table in Table.objects.filter(pk__in=tables).prefetch_related("events", "games"):
        kinds = Counter(e.kind for e in table.events.all())
        numbers = [e.seq for e in table.events.all()]
        state = state_of(table.games.all()[0])
        first = min(range(HANDS), key=lambda hand: press_ms(table.pk, hand))
        found["races"] += 1
        found["one challenger"] += kinds["Challenged"] == 1
        found["several challengers"] += kinds["Challenged"] > 1
        found["eight shouts"] += len(state.shouts) == kinds["Shouted"] == HANDS
        found["the first was first"] += state.challenger == first + 1
        found["no gap"] += numbers == list(range(1, table.seq + 1))
    return dict(found)


def _until_answered(send: Any, errors: Counter[str]) -> Any:
    """Send a tap as phones do: again, where it was refused for a lock that somebody else held.

    Several processes at one SQLite file, on a busy machine, may keep one of them from it for the
    twenty seconds that it waits; then all of that process are refused at once for a while.
    """
    from django.db import OperationalError

    until = time.monotonic() + LONGEST_WAIT
    while True:
        try:
            return send()
        except OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise
        count(errors, "refused for a lock", 1)
        time.sleep(SENT_AGAIN_S)


def repeated_taps(
    hand: int, barrier: Any, errors: Any, found: Any, *, taps: int, without: str = ""
) -> None:
    """Each tap arrives one to five times, by several processes, in any order."""
    from games import actions
    from games.models import Event, Play, Table
    from games.services.act import Actor, Tap, act

    tables = _begin(hand, barrier, without, 4, 2)
    device = Table.objects.first().seats.first().device_id
    rng = random.Random(7)
    sends = [n for n in range(taps) for _again in range(rng.randint(1, 5))]
    rng.shuffle(sends)
    repeats = 0
    for n in sends[hand::HANDS]:
        actor, action = Actor(1 + n % 2, device), actions.ShowHand(n % 2 == 0)
        send = partial(act, tables[n % 4], actor, action, Tap(f"tap-{n}"))
        try:
            repeats += _until_answered(send, errors).is_repeat
        except Exception as error:
            count(errors, type(error).__name__, 1)
    count(errors, "repeats", repeats)
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        gaps = sum(
            list(t.events.values_list("seq", flat=True)) != list(range(1, t.seq + 1))
            for t in Table.objects.all()
        )
        found.append(
            {
                "sent": len(sends),
                "plays": Play.objects.count(),
                "events": Event.objects.filter(kind="hand_chosen").count(),
                "tables with gaps": gaps,
            }
        )
