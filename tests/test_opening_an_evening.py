"""What `make play` tells whoever opens the house, and that it never says "open" in vain."""

from __future__ import annotations

import itertools
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path
from types import SimpleNamespace
from typing import IO

import pytest
from django.conf import settings
from django.core.management import load_command_class
from django.core.management.base import CommandError
from wakepy import current_mode, global_modes, keep

from config.addresses import leads_only_here
from games.management import serving
from games.management.awake import kept_awake
from games.management.commands import play
from games.management.commands.play import Command
from games.management.serving import refuse_taken
from tests.collected import brings_static, keeps_static
from tests.games.databases import file_database
from tests.phones.house import free_port
from tests.sizes import size
from tests.starting import ROOT, starts

LAN = "http://192.168.1.20:8000"
# Commands that print through Django and by themselves, each as its words wait and as they do not.
PRINTING = [*itertools.product(("check", "replay --json {record}"), ("", "1"))]
OURS = sorted(p.stem for p in (ROOT / "games/management/commands").glob("[a-z]*.py"))


def told(address: str, encoding: str) -> str:
    out = TextIOWrapper(BytesIO(), encoding=encoding)
    Command(stdout=out).show(address)
    out.seek(0)
    return out.read()


@pytest.mark.parametrize("command", ["play", "serve"])
def test_a_port_that_is_taken_is_said_before_anything_is_called_open(
    db: None, tmp_path: Path, command: str
):
    """Else the code on the screen leads into somebody else's house, and whoever asked is told 0."""
    file_database(tmp_path)
    if not (tmp_path / "taproom.sqlite3").exists():  # the tests' own is no file
        starts(tmp_path, "prepare")
    brings_static(tmp_path)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = str(other.getsockname()[1])
        ended = starts(tmp_path, command, "--host", "127.0.0.1", "--port", port)
    assert ended.returncode == 1
    assert "Taproom is open at" not in ended.stdout
    assert f"port {port}: Address already in use" in ended.stderr
    keeps_static(tmp_path)
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize("host", ["203.0.113.7", "nobody.invalid"])
def test_where_nobody_can_listen_is_refused_in_words(host: str):
    with pytest.raises(CommandError, match=f"Nothing can listen on {host}, port 8000: ."):
        refuse_taken(host, 8000)


@pytest.mark.parametrize("said", ["0", "-1", "65536", "99999999", "9" * 5000, "8000.5", "²"])
@pytest.mark.parametrize("command", ["play", "serve", "seat"])
def test_what_is_no_port_is_refused_in_words(command: str, said: str):
    """An address with port 99999999 was printed, for somebody to open and to have their seat."""
    parser = load_command_class("games", command).create_parser("manage.py", command)
    whose = ["SWAN"] if command == "seat" else []
    with pytest.raises(CommandError, match=f"ports are 1 to 65535, and {said[:20]} is none"):
        parser.parse_args([*whose, "--port", said])
    assert parser.parse_args([*whose, "--port", "65535"]).port == 65535


def test_where_there_is_no_house_serve_says_so_and_leaves_no_empty_one(tmp_path: Path):
    """It made an empty file, and called that a house of many migrations before."""
    ended = starts(tmp_path, "serve", TAPROOM_DATABASE="")
    assert ended.returncode == 1
    assert f"There is no house in {tmp_path / 'taproom.sqlite3'}: run manage.py" in ended.stderr
    assert not [*tmp_path.glob("*sqlite3*")]


def test_who_opens_the_address_as_soon_as_it_is_shown_is_let_in(
    monkeypatch: pytest.MonkeyPatch,
):
    """It was shown first, and whatever serves was loaded then: for some seconds nobody listened."""
    done: list[str] = []

    def notes(step: str) -> Callable[..., None]:
        return lambda *_given, **_named: done.append(step)

    for place, step in {
        (play, "get_ready"): "is ready",
        (play, "serve"): "listens",
        (play, "call_command"): "migrates",
        (Command, "show"): "shows the address",
        (play.lock, "serve_alone"): "is alone",
        (play.opening, "stay_on_this_file"): "has its file",
        (play.opening, "back_up_by_itself"): "makes backups",
    }.items():
        monkeypatch.setattr(*place, notes(step))
    monkeypatch.setattr(settings, "LAN_ORIGIN", "")
    Command().handle(host="127.0.0.1", port=free_port())
    assert done.index("is ready") < done.index("shows the address") < done.index("listens")


def opens_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have `play` do all but what a house is opened with."""
    for place in ((play, "get_ready"), (play, "serve"), (play, "call_command")):
        monkeypatch.setattr(*place, lambda *_given, **_named: None)
    monkeypatch.setattr(play.lock, "serve_alone", lambda port: None)
    for step in ("stay_on_this_file", "back_up_by_itself"):
        monkeypatch.setattr(play.opening, step, lambda: None)


@pytest.mark.parametrize("is_needed", [True, False])
def test_a_redis_that_is_not_there_is_told_and_the_house_opens(
    monkeypatch: pytest.MonkeyPatch, is_needed: bool
):
    """R7: of a mistyped TAPROOM_REDIS nothing was said until somebody came, and then in the log."""
    opens_nothing(monkeypatch)
    opened: list[str] = []
    monkeypatch.setattr(play, "serve", lambda host, _port: opened.append(host))
    layer = {"CONFIG": {"prefix": "taproom"}}
    monkeypatch.setattr(settings, "REDIS", f"redis://127.0.0.1:{free_port()}/0")
    monkeypatch.setattr(settings, "CHANNEL_LAYERS", {"default": layer})
    monkeypatch.setattr(serving, "layer_to_others", lambda: layer if is_needed else None)
    said = StringIO()
    Command(stdout=StringIO(), stderr=said).handle(host="127.0.0.1", port=free_port())
    assert opened == ["127.0.0.1"]
    assert ("The Redis that TAPROOM_REDIS names cannot be used" in said.getvalue()) is is_needed
    assert ("ConnectionError: Error 111 connecting to" in said.getvalue()) is is_needed


@pytest.mark.parametrize(
    ("stays_awake", "screen", "is_warned"),
    [(True, ":0", False), (False, ":0", True), (False, "", False)],
    ids=["a laptop", "one that cannot", "a server"],
)
def test_a_laptop_stays_awake_while_a_house_is_open_on_it(
    monkeypatch: pytest.MonkeyPatch, stays_awake: bool, screen: str, is_warned: bool
):
    """R5: nobody touches it in an evening, and after a quarter of an hour all phones were cut off.

    Where there is no desktop nothing sends a machine to sleep.
    """
    for name in ("DBUS_SESSION_BUS_ADDRESS", "WAYLAND_DISPLAY", "WAKEPY_FAKE_SUCCESS", "PATH"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("DISPLAY", screen)
    if stays_awake:
        monkeypatch.setenv("WAKEPY_FAKE_SUCCESS", "1")
    opens_nothing(monkeypatch)
    meanwhile: list[bool] = []
    monkeypatch.setattr(play, "serve", lambda _host, _port: meanwhile.append(current_mode().active))
    out = StringIO()
    Command(stdout=out).handle(host="127.0.0.1", port=free_port())
    assert meanwhile == [stays_awake]
    assert ("This machine may fall asleep" in out.getvalue()) is is_warned
    assert not global_modes()


def test_a_desktop_that_ends_before_the_house_does_not_spoil_its_end(
    monkeypatch: pytest.MonkeyPatch,
):
    """Whoever logged out of it and then closed the house saw a traceback for nothing."""

    @contextmanager
    def running(**_how: object) -> Iterator[SimpleNamespace]:
        yield SimpleNamespace(active=True)
        raise RuntimeError("The exit_mode was unsuccessful!")

    monkeypatch.setattr(keep, "running", running)
    with kept_awake() as may_sleep:
        assert not may_sleep
    with pytest.raises(CommandError, match="no room"), kept_awake():
        raise CommandError("no room")


def test_the_address_that_is_set_for_codes_is_the_one_that_is_shown(
    monkeypatch: pytest.MonkeyPatch,
):
    """docs/hosting.md, TAPROOM_LAN_ORIGIN: the terminal's code led elsewhere than all others."""
    shown: list[str] = []
    opens_nothing(monkeypatch)
    monkeypatch.setattr(Command, "show", lambda _self, address, **_more: shown.append(address))
    for said in ("http://bar.example:8000", ""):
        monkeypatch.setattr(settings, "LAN_ORIGIN", said)
        Command().handle(host="127.0.0.1", port=(port := free_port()))
    assert shown == ["http://bar.example:8000", f"http://127.0.0.1:{port}"]


def test_a_free_port_is_nobody_s():
    """The control, also for a port that has only just been given back."""
    port = free_port()
    for host in ("127.0.0.1", "0.0.0.0", "::", "localhost"):
        refuse_taken(host, port)


def test_a_terminal_that_has_no_such_letters_is_told_the_address_all_the_same():
    assert "█" in told(LAN, "utf-8"), "the control"
    for encoding in ("ascii", "latin-1"):
        assert f"open at  {LAN}/" in told(LAN, encoding)
        assert "Ctrl+C" in told(LAN, encoding)


def test_without_a_network_no_phone_is_asked_to_scan_its_own_address():
    said = told("http://localhost:8000", "utf-8")
    assert "No phone finds it there" in said
    assert "█" not in said


def test_a_house_is_opened_also_when_nobody_reads_what_it_says_any_more(
    monkeypatch: pytest.MonkeyPatch,
):
    """`make play | head` ended in a traceback, and without a house."""
    reads, writes = os.pipe()
    os.close(reads)
    with open(writes, "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        Command(stdout=out).show(LAN)
        Command(stdout=out).show(LAN)  # and at another address later


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux's own disk that is always full")
def test_a_house_is_opened_also_where_there_is_no_room_for_what_it_says(
    monkeypatch: pytest.MonkeyPatch,
):
    """`manage.py play > log` on a full disk. What is there can be read, and taps are kept."""
    with open("/dev/full", "w") as out:
        monkeypatch.setattr(sys, "stdout", out)
        Command(stdout=out).show(LAN)
        Command(stdout=out).show(LAN)


@pytest.mark.parametrize("closed", size(["<&- >&-"], [">&-", "<&- >&-"]))
def test_a_command_starts_whatever_was_closed_for_it(tmp_path: Path, closed: str):
    """Without a standard output `play` ended in a traceback; the house's lock had its number."""
    ended = subprocess.run(
        ["sh", "-c", f'exec "$0" manage.py check {closed}', sys.executable],
        cwd=ROOT,
        env={**os.environ, "TAPROOM_DATA": str(tmp_path)},
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, b"")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="Linux's own disk that is always full")
@pytest.mark.parametrize(("command", "unbuffered"), size(PRINTING[::3], PRINTING))
def test_a_command_says_that_what_it_prints_finds_no_room(
    tmp_path: Path, command: str, unbuffered: str
):
    """`manage.py drill > log` by night ended in a traceback, and so did every other but `play`."""
    asked = command.format(record=next(ROOT.glob("tests/playthroughs/*.jsonl")))
    with open("/dev/full", "w") as full:
        ended = printing_to(full, tmp_path, asked, PYTHONUNBUFFERED=unbuffered)
    [told] = ended.stderr.decode().splitlines()
    assert told.startswith("CommandError: ")
    assert told.endswith("No space left on device")
    assert ended.returncode == 1


def test_a_command_of_which_nobody_reads_any_more_has_done_what_it_says(tmp_path: Path):
    """`manage.py restore … | head` ended in a traceback."""
    reads, writes = os.pipe()
    os.close(reads)
    with open(writes, "w") as unread:
        ended = printing_to(unread, tmp_path, "check", PYTHONUNBUFFERED="")
    assert (ended.returncode, ended.stderr) == (0, b"")


def printing_to(
    out: IO[str], data: Path, command: str, **more: str
) -> subprocess.CompletedProcess[bytes]:
    """Run a command that prints to a place where that does not work."""
    return subprocess.run(
        [sys.executable, "manage.py", *command.split()],
        cwd=ROOT,
        env={**os.environ, "TAPROOM_DATA": str(data), **more},
        stdout=out,
        stderr=subprocess.PIPE,
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize("more", [(), ("--traceback",)])
def test_who_stops_a_start_need_not_read_where_it_was(tmp_path: Path, more: tuple[str, ...]):
    """As shells have it, with the status of what Ctrl+C has ended."""
    # What runs in a shell's background does not hear Ctrl+C, nor do its children, unless told.
    hears = "import os, signal; signal.signal(signal.SIGINT, signal.default_int_handler)"
    stops = "os.kill(os.getpid(), signal.SIGINT)"
    (tmp_path / "stops.py").write_text(f"{hears}\n{stops}\nfrom config.settings import *\n")
    ended = starts(
        tmp_path, "check", *more, PYTHONPATH=str(tmp_path), DJANGO_SETTINGS_MODULE="stops"
    )
    assert ("KeyboardInterrupt" in ended.stderr) is bool(more), "the control"
    assert more or (ended.returncode, ended.stderr) == (130, "")


@pytest.mark.parametrize(
    ("address", "is_here_alone"),
    [
        (LAN, False),
        ("https://taproom.example", False),
        ("http://[fd00::2]:8000", False),
        ("http://[::1]:8000", True),
        ("http://127.0.0.1:8000", True),
        ("http://localhost:8000", True),
    ],
)
def test_what_leads_to_this_machine_alone(address: str, is_here_alone: bool):
    assert leads_only_here(address) is is_here_alone


@pytest.mark.parametrize("name", OURS)
def test_every_word_that_a_command_takes_is_explained(name: str):
    """`play --help` named a host and a port, and said nothing of either."""
    parser = load_command_class("games", name).create_parser("manage.py", name)
    untold = [a.dest for a in parser._actions if not a.help]
    assert untold == []
