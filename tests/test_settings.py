"""What start-up refuses, what the database promises, what every page says to the browser."""

from __future__ import annotations

import os
import resource

import pytest
from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from channels.testing import WebsocketCommunicator
from django.core.exceptions import ImproperlyConfigured
from django.db import connection, transaction
from django.test import Client, override_settings

from config.asgi import application
from config.checks import WAL_IS_SAFE_FROM, journal_mode, refuse_unsafe
from config.data_folder import kept_secret, made_folder
from manage import why_missing
from tests.games.party import Party
from tests.starting import SECRET, starts, with_settings

SAFE = {
    "debug": False,
    "public": True,
    "processes": 1,
    "has_shared_layer": True,
    "is_sqlite": True,
    "journal": "TRUNCATE",
    "key_is_weak": False,
    "sqlite_version": (3, 40, 1),
}


# --- start-up ------------------------------------------------------------------------------------


def test_settings_that_go_together_start():
    refuse_unsafe(**SAFE)
    refuse_unsafe(**{**SAFE, "processes": 4, "is_sqlite": False})
    refuse_unsafe(**{**SAFE, "journal": "WAL", "sqlite_version": WAL_IS_SAFE_FROM})
    refuse_unsafe(**{**SAFE, "public": False, "debug": True, "key_is_weak": True})


@pytest.mark.parametrize(
    ("unsafe", "named"),
    [
        ({"debug": True}, "TAPROOM_DEBUG"),
        ({"key_is_weak": True}, "TAPROOM_SECRET_KEY"),
        ({"processes": 2, "is_sqlite": False, "has_shared_layer": False}, "TAPROOM_REDIS"),
        ({"processes": 2}, "TAPROOM_DATABASE"),
        ({"journal": "WAL"}, "TAPROOM_SQLITE_JOURNAL"),
    ],
)
def test_start_up_refuses_an_unsafe_combination_and_names_what_to_change(unsafe, named):
    with pytest.raises(ImproperlyConfigured, match=named):
        refuse_unsafe(**{**SAFE, **unsafe})


@pytest.mark.parametrize(
    ("version", "journal"),
    [
        ((3, 40, 1), "TRUNCATE"),
        ((3, 51, 2), "TRUNCATE"),
        ((3, 51, 3), "WAL"),
        ((3, 52, 0), "WAL"),
        ((4, 0, 0), "WAL"),
    ],
)
def test_a_wal_journal_only_where_sqlite_no_longer_corrupts_it(version, journal):
    assert journal_mode(version) == journal


def test_the_refusal_stops_a_real_start(tmp_path):
    run = starts(tmp_path, "check", TAPROOM_DEBUG="1", TAPROOM_ORIGIN="https://taproom.example")
    assert run.returncode != 0
    assert "TAPROOM_DEBUG" in run.stderr
    assert "Traceback" not in run.stderr


@pytest.mark.parametrize(
    ("missing", "named", "told"),
    [
        ("django", "config.settings", ".venv/bin/python"),
        ("redis.asyncio", "config.settings", "no redis"),
        ("shop", "shop.settings", "DJANGO_SETTINGS_MODULE"),
        ("shop.settings", "shop.settings", "unset it"),
        ("games.mislaid", "config.settings", ""),
        ("fcntl", "config.settings", "inside WSL 2"),
    ],
)
def test_a_module_that_is_missing_is_told_in_words_unless_it_is_ours(
    monkeypatch, missing, named, told
):
    """`python3 manage.py seat CODE` without the folder's own Python, and a shell that is set up for
    another project, ended in a traceback."""
    monkeypatch.setenv("DJANGO_SETTINGS_MODULE", named)
    words = why_missing(ModuleNotFoundError(name=missing))
    assert told in words if told else words == ""


def test_a_module_that_finds_no_memory_is_not_called_missing():
    """Under `ulimit -v` the words were to take another Python, by which it had just been called."""
    said = "_rust.abi3.so: failed to map segment from shared object"
    words = why_missing(ImportError(said, name="_rust", path="/venv/_rust.abi3.so"))
    assert words.startswith(said)
    assert "ulimit -v" in words
    assert "make play" not in words


def test_check_deploy_is_clean_behind_https(tmp_path):
    run = starts(
        tmp_path,
        "check",
        "--deploy",
        "--fail-level",
        "INFO",
        TAPROOM_ORIGIN="https://taproom.example",
        TAPROOM_SECRET_KEY="Zq8" + os.urandom(40).hex(),
    )
    assert run.returncode == 0, run.stderr
    assert "no issues" in run.stdout


def test_cookies_behind_https_are_bound_to_the_host(tmp_path):
    told = with_settings(
        tmp_path,
        "print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.SESSION_COOKIE_SECURE,"
        "s.SECURE_SSL_REDIRECT, s.SECURE_HSTS_SECONDS >= 31536000, s.ALLOWED_HOSTS)",
        TAPROOM_ORIGIN="https://taproom.example",
        TAPROOM_SECRET_KEY=SECRET,
    )
    assert told == "__Host-sid __Host-csrf True True True ['taproom.example']\n"


def test_the_kept_key_is_read_by_nobody_else(tmp_path):
    with_settings(tmp_path, "")
    key = tmp_path / "secret_key"
    assert key.stat().st_mode & 0o077 == 0
    assert len(key.read_text()) >= 50


def test_a_key_that_was_never_written_is_made_anew(tmp_path):
    """A disk that was full at the first start left an empty one: all was answered 500 for good."""
    key = tmp_path / "secret_key"
    key.touch()
    assert len(kept_secret(key)) >= 50
    assert kept_secret(key) == key.read_text()
    assert key.stat().st_mode & 0o077 == 0
    assert [path.name for path in tmp_path.iterdir()] == ["secret_key"]


def test_a_disk_without_room_for_the_key_is_told_in_words_and_leaves_none(tmp_path):
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, was[1]))
    try:
        with pytest.raises(ImproperlyConfigured, match="Make room"):
            kept_secret(tmp_path / "secret_key")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, was)
    assert not (tmp_path / "secret_key").exists()


def test_a_damaged_key_is_told_in_words_and_stays(tmp_path):
    """It was a traceback. With another key no phone would find its seat, so none is made."""
    key = tmp_path / "secret_key"
    key.write_bytes(b"key\xff")
    with pytest.raises(ImproperlyConfigured, match="secret_key of the newest backup"):
        kept_secret(key)
    assert key.read_bytes() == b"key\xff"


def test_a_folder_that_cannot_be_made_is_told_in_words(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(ImproperlyConfigured, match="TAPROOM_DATA"):
        made_folder(tmp_path / "file" / "house")


# --- the database --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["Mi casa ñ 日本", "Taproom #1", "why? 100%25", "file:a"])
def test_the_database_is_in_the_data_folder_whatever_that_is_called(tmp_path, name):
    """What reads like an address was read as one: two houses shared a file beside both folders."""
    makes = "from django.db import connection as c; c.cursor().execute('CREATE TABLE a (b)')"
    with_settings(tmp_path / name, makes)
    assert [path.name for path in tmp_path.iterdir()] == [name]
    assert (tmp_path / name / "taproom.sqlite3").stat().st_size > 0


@pytest.mark.django_db(transaction=True)
@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="these are SQLite's promises")
def test_a_commit_is_on_the_disk_and_writers_queue():
    with connection.cursor() as cursor:
        ask = {
            "synchronous": 2,  # FULL
            "fullfsync": 1,  # macOS keeps a commit in the disk's cache otherwise
            "journal_mode": journal_mode().lower(),
            "busy_timeout": 20_000,
            "mmap_size": 0,
            "foreign_keys": 1,
        }
        assert {k: cursor.execute(f"PRAGMA {k}").fetchone()[0] for k in ask} == ask
    begun: list[str] = []
    connection.ensure_connection()
    connection.connection.set_trace_callback(begun.append)
    try:
        with transaction.atomic():
            pass
    finally:
        connection.connection.set_trace_callback(None)
    assert begun[0].upper() == "BEGIN IMMEDIATE"


# --- pages ---------------------------------------------------------------------------------------

PAGES = [
    "/", "/rules/brave-or-knave/", "/offline/", "/nowhere/", "/t/{code}/join/", "/seat/x/",
    "/t/{code}/", "/t/{code}/screen/", "/t/{code}/gm/", "/t/{code}/records/",
    "/t/{code}/gm/house-rule/",
]  # fmt: skip
KEEPABLE = {"/offline/"}  # the same for everybody, and kept by the service worker


@pytest.mark.parametrize("path", PAGES)
def test_no_page_runs_script_or_style_that_is_not_ours(party: Party, path):
    answer = party.ana.client.get(path.format(code=party.table.code))
    policy = answer.headers["Content-Security-Policy"]
    told = dict(part.strip().split(" ", 1) for part in policy.split(";") if part.strip())
    assert "unsafe-inline" not in policy
    assert "unsafe-eval" not in policy
    assert told["default-src"] == "'none'"
    assert told["script-src"] == told["style-src"] == "'self'"
    assert told["frame-ancestors"] == told["base-uri"] == told["object-src"] == "'none'"
    assert told["form-action"] == "'self'"
    assert answer.headers["X-Frame-Options"] == "DENY"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Referrer-Policy"] == "same-origin"


@pytest.mark.parametrize("path", PAGES)
def test_no_page_needs_what_the_policy_forbids(party: Party, path):
    page = party.ana.client.get(path.format(code=party.table.code)).content.decode()
    for forbidden in (" style=", "<style", " onclick=", " onload=", "hx-on", "javascript:", "js:{"):
        assert forbidden not in page, forbidden
    for script in page.split("<script")[1:]:
        tag, rest = script.split(">", 1)
        assert "src=" in tag or "application/json" in tag
        assert "src=" not in tag or rest.startswith("</script>")


@pytest.mark.parametrize("path", sorted(set(PAGES) - KEEPABLE))
def test_no_cache_keeps_a_page(party: Party, path):
    answer = party.ana.client.get(path.format(code=party.table.code))
    assert "no-store" in answer.headers["Cache-Control"]


def test_no_cache_keeps_an_answer_to_a_tap(party: Party):
    for answer in (
        party.ben.does("pick_number", number=7),
        party.ben.does("pick_number", number=1),
    ):
        assert "no-store" in answer.headers["Cache-Control"]


def test_cookies_are_for_the_server_only(party: Party):
    party.ana.sees()
    cookies = party.ana.client.cookies
    assert set(cookies) >= {"sid", "csrf"}
    for name in ("sid", "csrf"):
        assert cookies[name]["httponly"]
        assert cookies[name]["samesite"] == "Lax"


def test_reading_a_page_writes_no_session(party: Party):
    """SQLite has one writer: a page that is only read must not wait for it."""
    from django.test.utils import CaptureQueriesContext

    party.ana.sees()
    with CaptureQueriesContext(connection) as asked:
        party.ana.sees()
    writes = [q["sql"] for q in asked if q["sql"].split()[0] in ("UPDATE", "INSERT", "DELETE")]
    assert writes == []


def test_a_form_without_its_token_is_refused(party: Party):
    strict = Client(enforce_csrf_checks=True)
    strict.cookies = party.ben.client.cookies
    answer = strict.post(
        f"/t/{party.table.code}/act/",
        {"action": "pick_number", "seat": party.ben.seat, "number": 7},
    )
    assert answer.status_code == 403


BEHIND_HTTPS = override_settings(
    TRUSTED_PROXY="10.0.0.1",
    SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"),
    SECURE_SSL_REDIRECT=True,
)
SAYS_HTTPS = {"X-Forwarded-Proto": "https"}


@BEHIND_HTTPS
def test_that_the_line_was_encrypted_is_believed_of_the_proxy_alone(caplog):
    """Whoever reaches a process beside it is sent to the encrypted line, whatever they say."""
    client = Client()
    behind = client.get("/offline/", REMOTE_ADDR="10.0.0.1", headers=SAYS_HTTPS)
    assert behind.status_code == 200
    assert client.get("/offline/", REMOTE_ADDR="10.0.0.1").status_code == 301
    assert not caplog.records
    for _time in range(3):
        beside = client.get("/offline/", REMOTE_ADDR="10.0.0.2", headers=SAYS_HTTPS)
        assert (beside.status_code, beside["Location"]) == (301, "https://testserver/offline/")
    told = [record.getMessage() for record in caplog.records if "TAPROOM_PROXY" in record.msg]
    assert told == ["10.0.0.2 sends X-Forwarded-Proto and is not TAPROOM_PROXY: ignored"]


@override_settings(SECURE_PROXY_SSL_HEADER=("HTTP_X_FORWARDED_PROTO", "https"))
def test_without_a_proxy_nobody_says_that_the_line_was_encrypted(caplog):
    answer = Client().get("/offline/", headers=SAYS_HTTPS)
    assert not answer.wsgi_request.is_secure()
    assert not caplog.records


def test_an_unknown_host_is_refused(db):
    assert Client().get("/", headers={"host": "evil.example"}).status_code == 400


# --- sockets (S5) --------------------------------------------------------------------------------

OURS, HOST = b"http://testserver", b"testserver"
FOREIGN = {
    "another site": [(b"origin", b"http://evil.example"), (b"host", HOST)],
    "our name inside another": [(b"origin", b"http://testserver.evil.example"), (b"host", HOST)],
    "another port": [(b"origin", b"http://testserver:8001"), (b"host", HOST)],
    "another scheme": [(b"origin", b"capacitor://testserver"), (b"host", HOST)],
    "null": [(b"origin", b"null"), (b"host", HOST)],
    "none": [(b"host", HOST)],
    "a host that is not ours": [(b"origin", b"http://evil.example"), (b"host", b"evil.example")],
}


def handshake(headers: list[tuple[bytes, bytes]], code: str) -> bool:
    async def knock() -> bool:
        socket = WebsocketCommunicator(application, f"/ws/t/{code}/phone/1/", headers=headers)
        opened, _code = await socket.connect()
        await socket.disconnect()
        return opened

    return bool(async_to_sync(knock)())


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("case", FOREIGN)
def test_a_socket_from_elsewhere_is_refused_before_the_handshake(case):
    """Closing before accepting is what servers answer with 403."""
    from tests.games.party import Person

    ana = Person("Ana")
    code = ana.opens_table().code
    cookie = [(b"cookie", f"sid={ana.client.cookies['sid'].value}".encode())]
    assert not handshake(FOREIGN[case] + cookie, code)


def test_a_socket_from_elsewhere_asks_the_channel_layer_for_nothing(monkeypatch):
    """Where Redis was away such a handshake was a 500, with a traceback for each."""

    async def is_away(*_args: object) -> str:
        raise ConnectionError

    # The layer of Redis has it by `__getattr__` alone.
    monkeypatch.setattr(type(get_channel_layer()), "new_channel", is_away, raising=False)
    assert not handshake(FOREIGN["null"], "ABC234")


@pytest.mark.django_db(transaction=True)
def test_a_socket_of_our_own_page_opens():
    """The control of those above: the same cookie and table, with our own origin."""
    from tests.games.party import Person

    ana = Person("Ana")
    code = ana.opens_table().code
    cookie = [(b"cookie", f"sid={ana.client.cookies['sid'].value}".encode())]
    assert handshake([(b"origin", OURS), (b"host", HOST), *cookie], code)


@pytest.mark.django_db
def test_whoever_watches_a_house_may_ask_for_the_head_of_its_front_page_alone():
    """docs/hosting.md: a house in trouble is found by alarms. Some only ever send HEAD, were
    answered 405, and called a house that was open closed."""
    client = Client()
    answer = client.head("/")
    assert (answer.status_code, answer.content) == (200, b"")
    assert client.put("/").status_code == 405
