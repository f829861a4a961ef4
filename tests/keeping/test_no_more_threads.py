"""A house has every thread that it needs before anybody comes, and starts none while people play.

The system may allow no more of them. And Python waits without end for one that finds no memory for
its first steps: a house whose loop had started it stood still for ever.
"""

from __future__ import annotations

import re
import threading
import time
from weakref import WeakSet

import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from config.threads import Threads
from games.live.trimming import REST_SECONDS
from games.management import serving
from games.management.commands import play, prepare
from games.trouble import in_trouble
from tests.keeping.conftest import Opened, threads_of
from tests.keeping.machine import Phone


def test_whatever_is_asked_for_no_thread_is_started(opened: Opened):
    """Each static file took two or three; pages, `/readyz` and the first commit one each.

    So did the first memory that was given back, a moment after somebody had come. Whatever others
    have asked of this house before counts as well.
    """
    machine = opened.machine
    ana = Phone(machine)
    assert ana.taps("tap-1", 7).status == 204
    files = re.findall(r'"(/static/[^"]+\.(?:css|js))"', ana.sees("/").words)
    assert len(files) > 3
    asked = [*files[:4], "/static/nothing.js", "/", ana.path, f"{ana.path}records/", "/readyz"]
    found: dict[str, int] = {}
    those = [
        threading.Thread(target=lambda path=path: found.update({path: ana.sees(path).status}))
        for path in asked
    ]
    for one in those:
        one.start()
    for one in those:
        one.join()
    assert found == {path: 404 if "nothing" in path else 200 for path in asked}
    time.sleep(REST_SECONDS + 0.5)
    assert threads_of(machine) == opened.threads


def cannot_start(*_given: object) -> None:
    raise RuntimeError("can't start new thread")


@pytest.mark.parametrize("has_a_log", [True, False])
def test_a_house_that_is_allowed_too_few_threads_does_not_open(
    has_a_log: bool, monkeypatch: pytest.MonkeyPatch
):
    few = Threads(2, "few")
    # No others: what was asked of theirs would be done first where a later test starts them.
    monkeypatch.setattr(Threads, "_all", WeakSet([few]))
    if has_a_log:
        monkeypatch.setattr(serving, "wait_for_no_reader", lambda: None)
    monkeypatch.setattr(serving, "worker_of", lambda _table: None)
    monkeypatch.setattr(threading.Thread, "start", cannot_start)
    with pytest.raises(CommandError, match="TasksMax"):
        serving._start_threads()
    monkeypatch.undo()
    few.shutdown()


@pytest.mark.parametrize("last", ["follow", "back_up_by_itself"])
def test_nor_one_that_lacks_the_last_of_them(last: str, monkeypatch: pytest.MonkeyPatch):
    """It had shown its address by then, and ended in a traceback."""
    for where, name in (
        *((play, one) for one in ("call_command", "refuse_taken", "get_ready", "serve")),
        *((play.lock, "serve_alone"), (play.opening, "stay_on_this_file")),
        *((play.Whereabouts, "follow"), (play.opening, "back_up_by_itself")),
    ):
        does = cannot_start if name == last else lambda *_given, **_named: None
        monkeypatch.setattr(where, name, does)
    with pytest.raises(CommandError, match="TasksMax"):
        call_command(play.Command())


@pytest.mark.django_db
def test_nor_does_one_that_cannot_look_at_its_files(monkeypatch: pytest.MonkeyPatch):
    """That was a traceback of several pages."""
    for step in ("make_ready", "left_behind"):
        monkeypatch.setattr(prepare.opening, step, lambda: None)
    monkeypatch.setattr(prepare, "call_command", lambda *_given, **_named: None)
    monkeypatch.setattr(prepare, "collect_static", cannot_start)
    with pytest.raises(CommandError, match="TasksMax"):
        call_command(prepare.Command())


def test_too_little_memory_is_the_machines_trouble_and_no_fault_of_ours():
    """A phone keeps a tap that is answered so; one that is answered 500 it drops."""
    assert in_trouble(MemoryError())
