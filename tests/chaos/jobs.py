"""What is done with a database from inside: tables to play at, and whether it hangs together."""

from __future__ import annotations

from typing import Any

from django.contrib.sessions.backends.db import SessionStore
from django.core.management import call_command
from django.db import connection
from django.utils.translation import override

from campaigns.services.sequence_record import full_record
from games import actions, stored
from games.models import Device, Event, Game, Play, Table
from games.rules import RULES, records
from games.rules import brave_or_knave as bk
from games.rules import wicked_sequence as ws
from games.services.act import Actor, Tap, act
from games.services.tables import open_table, open_trial, sit_down


def migrate() -> None:
    call_command("migrate", verbosity=0, interactive=False)


def seed(
    tables: int, seats: int, rules: str = bk.NAME, *, plays: bool = False, trial: bool = False
) -> list[dict[str, Any]]:
    """Open tables with a device and a session for each seat; with `plays` a bout has begun.

    A `trial` has what the game lays out for a first look.
    """
    with override("en"):
        return [_table(seats, rules, plays=plays, trial=trial) for _n in range(tables)]


def _table(seats: int, rules: str, *, plays: bool, trial: bool) -> dict[str, Any]:
    devices = [Device.objects.create() for _n in range(seats)]
    if trial:
        table, host = open_trial(devices[0], name="Ana", language="en", rules=rules)
    else:
        table, host = open_table(devices[0], host_name="Ana", language="en", rules=rules)
    chairs = [host] + [
        sit_down(table.pk, device, name=f"Guest {n}", role="player", language="en")
        for n, device in enumerate(devices[1:], 2)
    ]
    if plays:
        for n, (chair, device) in enumerate(zip(chairs, devices, strict=True)):
            actor = Actor(chair.number, device.pk)
            act(table.pk, actor, actions.PickNumber(8 + n), Tap(f"number-{n}"))
        act(table.pk, Actor(host.number, devices[0].pk), actions.StartBout(), Tap("start"))
    table.refresh_from_db()
    return {
        "id": table.pk,
        "code": table.code,
        "seq": table.seq,
        "rules": rules,
        "seats": [
            {"number": chair.number, "sid": _session(device), "device": str(device.pk)}
            for chair, device in zip(chairs, devices, strict=True)
        ],
    }


def _session(device: Device) -> str:
    session = SessionStore()
    session["device"] = str(device.pk)
    session.save()
    return str(session.session_key)


def check(replays: bool = True) -> dict[str, Any]:
    """Tell whether the log of every table is whole and every game's state is what its log says."""
    gaps = [
        table.pk
        for table in Table.objects.all()
        if list(table.events.order_by("seq").values_list("seq", flat=True))
        != list(range(1, table.seq + 1))
    ]
    games = Game.objects.exclude(setup="").exclude(state="") if replays else Game.objects.none()
    wrong = [
        game.pk
        for game in games.select_related("table")
        if game.rules in RULES and records.replay(_record(game)).state != stored.state_of(game)
    ]
    return {
        "gaps": gaps,
        "games": games.count(),
        "replayed_wrong": wrong,
        "integrity": _integrity(),
        "plays": Play.objects.count(),
        "events": Event.objects.count(),
    }


def _record(game: Game) -> str:
    """Return a game's record: of a fight that came in a campaign's file with what that brought."""
    return full_record(game.sequence) if game.rules == ws.NAME else stored.record_of(game)


def _integrity() -> str:
    if connection.vendor != "sqlite":
        return "ok"
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA integrity_check")
        return str(cursor.fetchone()[0])


def rebuild(**how: Any) -> dict[str, Any]:
    """Play evenings with every viewer held to a drawing made anew; see `tests.chaos.rebuild`."""
    from tests.chaos import rebuild as model

    return model.run(**how)
