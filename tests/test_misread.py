"""Each variable of docs/hosting.md with what nobody could mean: refused by its name, at once."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.exceptions import ImproperlyConfigured

from config.addresses import as_sockets_say
from config.checks import SHAPES, refuse_misread
from config.data_folder import made_folder, refuse_no_file
from tests.starting import ROOT, SECRET


@pytest.mark.parametrize(
    ("name", "wrong"),
    [
        ("TAPROOM_SERVER", "gunicorn"),
        ("TAPROOM_DATABASE", "mysql://u:secret@h/taproom"),
        ("TAPROOM_DATABASE", "postgres//u:secret@h/taproom"),
        ("TAPROOM_DATABASE", "postgres://u:secret#@h/taproom"),
        ("TAPROOM_DATABASE", "postgres://u:#secret@h/taproom"),
        ("TAPROOM_DATABASE", "postgres://u:secret@h:port/taproom"),
        ("TAPROOM_DATABASE", "postgres://u:secret@h"),
        ("TAPROOM_DATABASE", "postgres://u:secret@h/taproom?sslmod=require"),
        ("TAPROOM_DATABASE", "postgres://u:secret@h/taproom?sslmode=require&sslmode=disable"),
        ("TAPROOM_DATABASE", "sqlite://"),
        ("TAPROOM_DATABASE", "sqlite:///:memory:"),
        ("TAPROOM_DATABASE", "sqlite:////srv/"),
        ("TAPROOM_SQLITE_JOURNAL", "wal"),
        ("TAPROOM_ORIGIN", "https://taproom.example/play"),
        ("TAPROOM_ORIGIN", "taproom.example"),
        ("TAPROOM_ORIGIN", "https://Taproom.example"),
        ("TAPROOM_ORIGIN", "https://[::1"),
        ("TAPROOM_ORIGIN", "https://*"),
        ("TAPROOM_ORIGIN", "https://taproom.example:port"),
        ("TAPROOM_ORIGIN", "https://ana@taproom.example"),
        ("TAPROOM_ORIGIN", "https://taproom.example:443"),
        ("TAPROOM_ORIGIN", "http://taproom.example:80/"),
        ("TAPROOM_ORIGIN", "http://taproom.example:08000"),
        ("TAPROOM_ORIGIN", "https://[2001:db8:0::1]"),
        ("TAPROOM_ORIGIN", "https://[:::]"),
        ("TAPROOM_ORIGIN", f"https://{'a' * 300}.example"),
        ("TAPROOM_HOSTS", "bar.example, https://taproom.example"),
        ("TAPROOM_HOSTS", "bar.example:8000"),
        ("TAPROOM_REDIS", "127.0.0.1:6379"),
        ("TAPROOM_REDIS", "redis://cache:port/0"),
        ("TAPROOM_REDIS", "redis://cache:6379/taproom"),
        ("TAPROOM_REDIS", "redis://cache:6379/-1"),
        ("TAPROOM_REDIS", "redis://user:1#secret@cache:6379/0"),
        ("TAPROOM_REDIS", "redis://:secret@cache:6379/0?retries=9"),
        ("TAPROOM_REDIS", "redis://:secret@cache:6379?db=taproom"),
        ("TAPROOM_REDIS", "rediss://:secret@cache:6379?ssl_cert_reqs=maybe"),
        ("TAPROOM_PROXY", "localhost"),
        ("TAPROOM_PROXY", "10.133.7.300"),
        ("TAPROOM_PROXY", "10.133.7.2:443"),
        ("TAPROOM_PROXY", ":"),
        ("TAPROOM_PROCESSES", "0"),
        ("TAPROOM_PROCESSES", ""),
        ("TAPROOM_WORKERS", "four"),
        ("TAPROOM_BACKUP_SECONDS", "0.0"),
        ("TAPROOM_BACKUP_SECONDS", "9999999999"),
        ("TAPROOM_SECRET_KEY", os.fsdecode(b"contrase\xf1a secret" * 3)),
        ("TAPROOM_SHOUT_DELAY_MAX_MS", "-1"),
        ("TAPROOM_DEBUG", "true"),
        ("TAPROOM_DATA", "~/secret"),
        ("TAPROOM_DATA", "$HOME/secret"),
        ("TAPROOM_DATA", '"/srv/secret"'),
        ("TAPROOM_DATA", " "),
        ("TAPROOM_DATA", "/srv/secret\udcff"),
        ("TAPROOM_BACKUP_DIR", "/srv/secret\udcff"),
        ("TAPROOM_BACKUP_DIR", "~ana/secret"),
        ("TZ", "Europe/Madird"),
        ("TZ", "CET-1CEST,M3.5.0,M10.5.0/3"),
        ("TZ", "Europe"),
        ("TZ", "../../etc/passwd"),
        ("TZ", ":/nowhere/localtime"),
    ],
)
def test_a_value_that_would_be_taken_for_something_else_is_refused_by_name(name, wrong):
    """A server that there is not became Daphne, another database ours for PostgreSQL, a name for
    the proxy nobody, one for Redis's database its first: without a word. A `#` in a password was a
    traceback, a port that is none a Redis that never answered, as was one with a word that Redis's
    library does not know (and a PostgreSQL that never did, with one that is not PostgreSQL's), a
    capital letter in the public name no live page, as was its usual port. A database in memory was
    a file of that name wherever the shell happened to be, a zone that there is not the machine's
    own. What only a shell reads, in a file that none reads (systemd's), made a folder of
    the name `~` in the checkout. Centuries between backups ended the thread that makes them, and a
    key that is not UTF-8 every page. What it is may be a password, and is not repeated."""
    with pytest.raises(ImproperlyConfigured, match=name) as refused:
        refuse_misread({name: wrong})
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize(
    ("name", "right"),
    [
        ("TAPROOM_SERVER", "uvicorn"),
        ("TAPROOM_DATABASE", "postgres://u:p@127.0.0.1:5432/taproom?sslmode=require"),
        ("TAPROOM_DATABASE", "postgres://u:p@h/taproom?currentSchema=bar&connect_timeout=9"),
        ("TAPROOM_DATABASE", ""),
        ("TAPROOM_ORIGIN", "https://taproom.example:8443/"),
        ("TAPROOM_DATABASE", "postgresql:///taproom?host=/run/postgresql"),
        ("TAPROOM_DATABASE", "postgres://u:p%23@%2Frun%2Fpostgresql/taproom"),
        ("TAPROOM_DATABASE", "sqlite:////srv/taproom.sqlite3"),
        ("TAPROOM_LAN_ORIGIN", "http://[fe80::1]:8000"),
        ("TAPROOM_LAN_ORIGIN", "http://Laptop.local:8000"),
        ("TAPROOM_HOSTS", "Bar.example, .taproom.example,[fe80::1],"),
        ("TAPROOM_HOSTS", ""),
        ("TAPROOM_REDIS", "rediss://:p@cache:6379/0"),
        ("TAPROOM_REDIS", "redis://cache"),
        ("TAPROOM_REDIS", "redis://ana:p%23@[::1]:6379/2?health_check_interval=9"),
        ("TAPROOM_REDIS", "unix:///run/redis.sock?db=2"),
        ("TAPROOM_PROXY", ""),
        ("TAPROOM_PROXY", "10.133.7.2"),
        ("TAPROOM_PROXY", "::ffff:10.133.7.2"),
        ("TAPROOM_PROXY", "::1"),
        ("TAPROOM_BACKUP_SECONDS", "0.5"),
        ("TAPROOM_BACKUP_SECONDS", "999999999"),
        ("TAPROOM_SECRET_KEY", "contraseña de la casa 🎲"),
        ("TAPROOM_SECRET_KEY", ""),
        ("TAPROOM_DATA", ""),
        ("TAPROOM_DATA", "evenings/Ana's [#1] ~ 50% $"),
        ("TAPROOM_BACKUP_DIR", "/mnt/el sewhere:2"),
        ("TAPROOM_WORKERS", "16"),
        ("TAPROOM_ORIGIN", "https://[2001:db8::1]:8443"),
        ("TAPROOM_ORIGIN", "http://taproom.example:443"),
        ("TZ", "Europe/Madrid"),
        ("TZ", ":Europe/Madrid"),
        ("TZ", ""),
        ("TZ", ":/etc/localtime"),
    ],
)
def test_what_somebody_could_mean_is_not_refused(name, right):
    """The control of the one above."""
    refuse_misread({name: right})


@pytest.mark.parametrize(
    ("told", "meant"),
    [
        ("0:0:0:0:0:0:0:1", "::1"),
        ("2001:DB8::0001", "2001:db8::1"),
        ("::FFFF:10.0.0.1", "::ffff:10.0.0.1"),
        ("10.0.0.1", "10.0.0.1"),
        ("", ""),
    ],
)
def test_a_proxy_is_known_however_its_address_is_written(told, meant):
    """docs/hosting.md: the address whose headers are believed. Written in another way than sockets
    say it, it was nobody's, and browsers went round in "too many redirects"."""
    assert as_sockets_say(told) == meant


@pytest.mark.parametrize(
    ("name", "meant"),
    [
        ("TAPROOM_DATABSE", "TAPROOM_DATABASE"),
        ("TAPROOM_DATABASE_URL", "TAPROOM_DATABASE"),
        ("TAPROOM_SECRETKEY", "TAPROOM_SECRET_KEY"),
        ("TAPROOM_HOST", "TAPROOM_HOSTS"),
        ("TAPROOM_BACKUPDIR", "TAPROOM_BACKUP_DIR"),
    ],
)
def test_a_name_that_is_misspelt_is_refused_and_told_how_it_is_written(name, meant):
    """A house whose database's name was misspelt opened another one, without a word."""
    with pytest.raises(ImproperlyConfigured, match=f"{name}: {meant}\\?"):
        refuse_misread({name: "secret"})


def test_no_name_of_deploy_or_the_tests_is_taken_for_a_slip_of_the_pen():
    """The control of the one above: they share the prefix, and the processes' environment."""
    places = (*ROOT.glob("deploy/**/*"), *ROOT.glob("tests/**/*.py"), *ROOT.glob("bench/**/*.py"))
    texts = [p.read_text() for p in places if p.is_file() and p.name != Path(__file__).name]
    names = {name for text in texts for name in re.findall(r"TAPROOM_[A-Z_]*[A-Z]\b", text)}
    assert {"TAPROOM_SITE", "TAPROOM_SIZE", "TAPROOM_DATABASE"} <= names
    refuse_misread(dict.fromkeys(names - SHAPES.keys() - {"TAPROOM_SECRETKEY"}, ""))


def test_names_may_have_spaces_after_their_commas_and_an_empty_folder_is_the_usual_one(tmp_path):
    """docs/hosting.md: further Host names, comma separated; data in `var/` unless told. The second
    name was never answered, and key and database were put where the shell happened to be."""
    run = subprocess.run(
        [
            sys.executable,
            "-c",
            "from config import settings as s; print(s.ALLOWED_HOSTS, s.DATA_DIR)",
        ],
        cwd=tmp_path,
        env={
            **{k: v for k, v in os.environ.items() if not k.startswith("TAPROOM_")},
            "PYTHONPATH": str(ROOT),
            "TAPROOM_DATA": "",
            "TAPROOM_SECRET_KEY": SECRET,
            "TAPROOM_HOSTS": "bar.example, taproom.example",
        },
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "['bar.example', 'taproom.example', 'localhost'" in run.stdout, run.stderr
    assert run.stdout.strip().endswith(str(ROOT / "var"))
    assert list(tmp_path.iterdir()) == []


def test_a_data_folder_that_is_not_utf_8_is_refused_by_that(tmp_path: Path):
    """It was said that the database cannot be used just now, and how much room the disk has."""
    with pytest.raises(ImproperlyConfigured, match=r"not in UTF-8.*TAPROOM_DATA\."):
        made_folder(tmp_path / os.fsdecode(b"bod\xeaga"))
    with pytest.raises(ImproperlyConfigured, match=r"not in UTF-8.*TAPROOM_DATABASE\."):
        refuse_no_file(tmp_path / os.fsdecode(b"bod\xeaga.sqlite3"))
    assert list(tmp_path.iterdir()) == []
