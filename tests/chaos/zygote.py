"""A process that has imported everything and forks servers, so that one starts in no time.

It reads one JSON line for each wish and answers with one: {"serve": ...} forks a server and
names its process, {"job": ...} runs a function of `tests.chaos.jobs` in a process of its own.
Servers die with it.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import sys
import traceback
from importlib import import_module
from typing import Any


def main() -> None:
    import django

    django.setup()
    for name in ("config.urls", "config.asgi", "tests.chaos.jobs", "games.live.consumer"):
        import_module(name)
    _learn()
    signal.signal(signal.SIGCHLD, _buries)
    children: list[int] = []
    _say({"ready": True})
    for line in sys.stdin:
        wish = json.loads(line)
        if "serve" in wish:
            children.append(_serves(wish))
            _say({"pid": children[-1]})
        else:
            _say(_does(wish))
    for child in children:
        with contextlib.suppress(ProcessLookupError):
            os.kill(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(-1, 0)


def _buries(*_signal: object) -> None:
    """Take leave of every child that has died: a dead server must not look alive."""
    with contextlib.suppress(ChildProcessError):
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass


def _learn() -> None:
    """Import and render what every server needs first, short of an event loop."""
    from django.conf import settings
    from django.test import Client

    from games.live.warming import warm_up

    for name in ("autobahn.websocket.protocol", "twisted.web.http", "twisted.internet.endpoints"):
        import_module(name)
    for _template in warm_up():
        pass
    host = next(iter(settings.ALLOWED_HOSTS))
    assert Client(headers={"host": host}).get("/offline/").status_code == 200
    assert "twisted.internet.reactor" not in sys.modules


def _say(words: dict[str, Any]) -> None:
    print(json.dumps(words), flush=True)


def _child(wish: dict[str, Any]) -> None:
    """Become a process with a database and a log of its own."""
    from django.db import connections

    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with open(os.devnull) as nothing:
        os.dup2(nothing.fileno(), 0)
    log = os.open(wish["log"], os.O_CREAT | os.O_APPEND | os.O_WRONLY, 0o600)
    os.dup2(log, 1)
    os.dup2(log, 2)
    if wish.get("database"):
        connections.settings["default"]["NAME"] = wish["database"]


def _serves(wish: dict[str, Any]) -> int:
    pid = os.fork()
    if pid:
        return pid
    try:
        _child(wish)
        from tests.chaos import hooks

        hooks.put_on(wish.get("hooks", {}))
        from games.management.serving import get_ready, serve

        get_ready()
        serve("127.0.0.1", wish["serve"])
    except BaseException:
        traceback.print_exc()
    finally:
        getattr(sys.stderr, "finish", sys.stderr.flush)()  # config.logs.Aside
        os._exit(3)


def _does(wish: dict[str, Any]) -> dict[str, Any]:
    ours, theirs = os.pipe()
    if os.fork():
        os.close(theirs)
        with os.fdopen(ours) as answer:
            said = answer.read()
        return dict(json.loads(said)) if said else {"error": "the job died"}
    try:
        os.close(ours)
        _child(wish)
        from tests.chaos import jobs

        told = {"found": getattr(jobs, wish["job"])(**wish.get("how", {}))}
    except BaseException:
        told = {"error": traceback.format_exc()}
    from django.db import connections

    # A job's database may be copied next, and a journal that nobody has closed is a file beside it.
    connections.close_all()
    with os.fdopen(theirs, "w") as answer:
        json.dump(told, answer)
    os._exit(0)


if __name__ == "__main__":
    main()
