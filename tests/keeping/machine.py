"""A real house on a machine that breaks: its disk fills up, or is only read, or loses the database.

`Machine` runs `manage.py play` in a process of its own; `Phone` is what somebody holds at it.
"""

from __future__ import annotations

import ctypes
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any, NamedTuple

from websockets.sync.client import connect

from games.health import FRESH_S
from tests.chunks import Chunks
from tests.collected import brings_static, keeps_static
from tests.games.databases import copy_database
from tests.phones.house import free_port

ROOT = Path(__file__).resolve().parents[2]
STARTS_WITHIN = 180
DROP, MAY_IGNORE_MODES, MAY_READ_ALL = 24, 1, 2  # of prctl and its capabilities, in Linux


class Answer(NamedTuple):
    status: int
    words: str
    headers: dict[str, str]
    url: str


def _obey_modes() -> None:
    """Let files' modes hold for this process though it is root's, as for anybody's."""
    libc = ctypes.CDLL(None)
    for capability in (MAY_IGNORE_MODES, MAY_READ_ALL):
        libc.prctl(DROP, capability, 0, 0, 0)


class Machine:
    """A house in a folder; `full`, `read_only` and `without_its_file` break what it stands on.

    What it says goes into a file, or to the descriptor `to`.
    """

    def __init__(self, folder: Path, *, to: int | None = None, **environment: str) -> None:
        self.folder, self.port = folder, free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        self.file = folder / "taproom.sqlite3"
        self._asked_at = 0.0
        self.fresh_s = FRESH_S
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("TAPROOM_", "DJANGO_"))}
        brings_static(folder)
        self._log = (folder.parent / f"{folder.name}.log").open("wb")
        self.process = subprocess.Popen(
            [sys.executable, "manage.py", "play", "--host", "127.0.0.1", "--port", str(self.port)],
            cwd=ROOT,
            env={**clean, "TAPROOM_DATA": str(folder), **environment},
            stdout=self._log if to is None else to,
            stderr=self._log if to is None else to,
            preexec_fn=_obey_modes,  # noqa: PLW1509 - this process has no other threads yet
        )

    def opens(self) -> Machine:
        until = time.monotonic() + STARTS_WITHIN
        while self.get("/healthz").status != 200:
            assert self.process.poll() is None, self.log()
            assert time.monotonic() < until, self.log()
            time.sleep(0.1)
        keeps_static(self.folder)
        return self

    def closes(self) -> None:
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()
        self._log.close()

    def log(self) -> str:
        return Path(self._log.name).read_text(errors="replace")

    def get(self, path: str) -> Answer:
        return _asked(urllib.request.build_opener(), self.address + path)

    def readiness(self) -> dict[str, Any]:
        """Ask once what was seen before is no longer fresh: the house looks when it is asked."""
        time.sleep(max(0.0, self._asked_at + self.fresh_s + 0.1 - time.monotonic()))
        answer = self.get("/readyz")
        self._asked_at = time.monotonic()
        told = dict(json.loads(answer.words))
        assert answer.status == (200 if told["ready"] else 503)
        return told

    # --- what breaks ---------------------------------------------------------------------------
    @contextmanager
    def full(self) -> Iterator[None]:
        """Let no file grow: every write fails that needs room."""
        with self._at_most_none(resource.RLIMIT_FSIZE):
            yield

    @contextmanager
    def without_files(self) -> Iterator[None]:
        """Let it open nothing: no file, and no line of somebody who comes."""
        with self._at_most_none(resource.RLIMIT_NOFILE):
            yield

    @contextmanager
    def _at_most_none(self, what: int) -> Iterator[None]:
        was = resource.prlimit(self.process.pid, what)
        resource.prlimit(self.process.pid, what, (0, was[1]))
        try:
            yield
        finally:
            resource.prlimit(self.process.pid, what, was)

    @contextmanager
    def without_room(self) -> Iterator[None]:
        """Fill the disk to its last byte; the folder must be a small one of its own."""
        rest = self.folder / "somebody-elses-film"
        with rest.open("wb", buffering=0) as film:
            try:
                for size in (1 << 16, 1 << 12, 1):
                    while _fits(film, size):
                        pass
                yield
            finally:
                rest.unlink()

    @contextmanager
    def read_only(self) -> Iterator[None]:
        modes = {path: path.stat().st_mode for path in (self.file, self.folder)}
        self.file.chmod(0o400)
        self.folder.chmod(0o500)
        try:
            yield
        finally:
            for path, mode in reversed(modes.items()):
                path.chmod(mode)

    @contextmanager
    def with_another_house(self) -> Iterator[None]:
        """Put another house in its file's place: it has tables of its own, and knows no phone."""
        another = self.folder / "another.sqlite3"
        copy_database(self.file, another)
        with closing(sqlite3.connect(another)) as db, db:
            db.execute("PRAGMA journal_mode=WAL")
            db.execute("UPDATE games_house SET epoch = 'another'")
            db.execute("DELETE FROM django_session")
        with self.without_its_file():
            another.rename(self.file)
            try:
                yield
            finally:
                self.file.unlink()

    @contextmanager
    def without_its_file(self) -> Iterator[None]:
        away = self.folder / "moved-away.sqlite3"
        self.file.rename(away)
        try:
            yield
            assert not self.file.exists(), "an empty house was begun in its place"
        finally:
            away.rename(self.file)


def _fits(film: Any, size: int) -> bool:
    try:
        return bool(film.write(b"\0" * size))
    except OSError:
        return False


@contextmanager
def small_disk(at: Path) -> Iterator[bool]:
    """Put a disk of 24 MB at a path; False where this process may not."""
    at.mkdir()
    if shutil.which("mount") is None:
        yield False
        return
    done = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", str(at)],
        capture_output=True,
        check=False,
    )
    try:
        yield done.returncode == 0
    finally:
        if done.returncode == 0:
            subprocess.run(["umount", "--lazy", str(at)], check=True)


def _asked(opener: Any, url: str, body: bytes | None = None, **headers: str) -> Answer:
    try:
        answer = opener.open(urllib.request.Request(url, body, headers), timeout=40)
    except urllib.error.HTTPError as error:
        answer = error
    except OSError:
        return Answer(0, "", {}, url)
    with answer:
        text = answer.read().decode()
    return Answer(answer.status, text, dict(answer.headers), answer.url)


class Phone:
    """Somebody's phone: cookies, a seat at a table, and a socket that stays open."""

    def __init__(self, machine: Machine, language: str = "en") -> None:
        self.machine, self.language = machine, language
        self.jar = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self.jar))
        home = self.sees("/")
        found = re.search(r'"X-CSRFToken": "(\w+)"', home.words.replace("&#34;", '"'))
        assert found, (home, machine.log()[-2000:])
        self.token = found[1]
        started = self.posts("/start/", host_name="Ana", table_name="The Swan")
        self.path = urllib.parse.urlparse(started.url).path
        assert self.path.startswith("/t/"), started
        page = self.sees(self.path)
        found = re.search(r'"X-CSRFToken": "(\w+)"', page.words.replace("&#34;", '"'))
        assert found
        self.token = found[1]
        cookies = "; ".join(f"{c.name}={c.value}" for c in self.jar)
        line = connect(
            machine.address.replace("http", "ws") + f"/ws{self.path}phone/1/",
            origin=machine.address,  # type: ignore[arg-type]
            additional_headers={"Cookie": cookies},
        )
        self.socket = ExitStack().enter_context(line)  # nobody leaves it: a phone only goes away
        self.hears(lambda said: "regions" in said)

    def sees(self, path: str) -> Answer:
        return _asked(
            self._opener, self.machine.address + path, **{"Accept-Language": self.language}
        )

    def posts(self, path: str, is_tap: bool = False, **fields: Any) -> Answer:
        headers = {"Accept-Language": self.language}
        headers |= {"X-CSRFToken": self.token, "HX-Request": "true"} if is_tap else {}
        if not is_tap:
            fields["csrfmiddlewaretoken"] = self.token
        body = urllib.parse.urlencode(fields).encode()
        return _asked(self._opener, self.machine.address + path, body, **headers)

    def sends(self, path: str, body: bytes, kind: str) -> Answer:
        """Send bytes as they are, as a form of that kind."""
        headers = {"Accept-Language": self.language, "Content-Type": kind}
        return _asked(self._opener, self.machine.address + path, body, **headers)

    def taps(self, tap: str, number: int) -> Answer:
        """Choose a number: something that everybody at the table sees."""
        fields = {"action": "pick_number", "seat": 1, "number": number, "tap": tap}
        return self.posts(f"{self.path}act/", is_tap=True, **fields)

    def hears(self, is_it: Any, within: float = 15) -> dict[str, Any]:
        """Acknowledge what comes until something is what is waited for."""
        until, chunks = time.monotonic() + within, Chunks()
        while True:
            frame = str(self.socket.recv(timeout=max(0.1, until - time.monotonic())))
            if not (text := chunks.whole(frame)):
                continue
            said = json.loads(text)
            if "regions" in said:
                self.socket.send(json.dumps({"ack": said["seq"]}))
            if is_it(said):
                return dict(said)

    def is_answered(self) -> bool:
        """Tell whether the socket that was opened before still lives."""
        self.socket.send(json.dumps({"ping": 1.0}))
        return bool(self.hears(lambda said: "pong" in said))
