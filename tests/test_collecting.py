"""Static files are collected when something has changed, and only then (R5: a house comes back)."""

from __future__ import annotations

import os
import shutil
import threading
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders, storage
from django.core.management.base import CommandError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory, override_settings

from config.collecting import collect_static
from config.static_files import StaticFiles
from games.management.commands.serve import refuse_no_static_files


@pytest.fixture
def house(tmp_path: Path):
    """Two files of ours, and where they are served from."""
    ours = tmp_path / "ours"
    ours.mkdir()
    (ours / "page.css").write_text("body { margin: 0 }\n")
    (ours / "page.js").write_text("// a comment\nlet one = 1;\n")
    with override_settings(
        STATICFILES_DIRS=[ours],
        STATICFILES_FINDERS=["django.contrib.staticfiles.finders.FileSystemFinder"],
        STATIC_ROOT=tmp_path / "static",
        STORAGES={
            "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
            "staticfiles": {"BACKEND": "config.hashed_files.HashedStorage"},
        },
    ):
        finders.get_finder.cache_clear()
        yield tmp_path
    finders.get_finder.cache_clear()


def address(name: str) -> str:
    return storage.staticfiles_storage.url(name)


def test_a_second_start_finds_them(house: Path):
    assert collect_static()
    first = address("page.css")
    assert not collect_static()
    assert address("page.css") == first


def test_a_disk_on_which_no_rights_can_be_changed_takes_them(
    house: Path, monkeypatch: pytest.MonkeyPatch
):
    """A FAT or exFAT stick, or some drive of another machine: no house opened there."""

    def refuses(*_about: object, **_more: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "chmod", refuses)
    assert collect_static()
    assert (house / "static" / Path(address("page.css")).name).is_file()


@pytest.mark.parametrize("gone", ["page.css", "staticfiles.json", "hashed"])
def test_what_somebody_took_away_comes_back(house: Path, gone: str):
    collect_static()
    hashed = Path(address("page.css")).name
    (house / "static" / (hashed if gone == "hashed" else gone)).unlink()
    assert collect_static()
    assert (house / "static" / hashed).is_file()


def test_a_changed_file_of_the_same_length_is_collected(house: Path):
    collect_static()
    before, ours = address("page.css"), house / "ours" / "page.css"
    ours.write_text(ours.read_text().replace("0", "1"))
    later = ours.stat().st_mtime_ns + 1_000_000_000
    os.utime(ours, ns=(later, later))
    assert collect_static()
    assert address("page.css") != before


def test_a_new_file_is_collected(house: Path):
    collect_static()
    (house / "ours" / "new.css").write_text("p { margin: 0 }\n")
    assert collect_static()
    assert (house / "static" / "new.css").is_file()


@pytest.mark.parametrize("left", ["", '{"paths": '])
def test_half_a_manifest_is_none(house: Path, left: str):
    """After a power cut a house did not open again, until somebody had deleted the file."""
    collect_static()
    (house / "static" / "staticfiles.json").write_text(left)
    with override_settings(STORAGES=settings.STORAGES):  # as the next process finds it
        assert collect_static()
        assert not collect_static()


@pytest.mark.parametrize("lacks", ["everything", "half", "a new file"])
def test_who_serves_without_them_is_told_to_prepare(house: Path, lacks: str):
    """A second machine, or a release that nobody prepared, called itself open; pages were 500."""
    collect_static()
    manifest = house / "static" / "staticfiles.json"
    if lacks == "everything":
        manifest.unlink()
    elif lacks == "half":
        manifest.write_text('{"paths": ')
    else:
        (house / "ours" / "new.css").write_text("p { margin: 0 }\n")
    with override_settings(STORAGES=settings.STORAGES):  # as the next process finds it
        with pytest.raises(CommandError, match=r"manage\.py prepare first"):
            refuse_no_static_files()
        collect_static()
        refuse_no_static_files()


def nowhere(_request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=404)


def text_of(process: StaticFiles, path: str) -> str:
    """Return a file as a process serves it; nothing where it does not."""
    answer = process(RequestFactory().get(path))
    return answer.content.decode() if answer.status_code == 200 else ""


def test_while_a_release_goes_round_each_process_has_the_files_of_both(house: Path):
    """R5: a proxy asks any process for a page's scripts; without them the page stood still."""
    collect_static()
    old, old_name = StaticFiles(nowhere), address("page.js")
    (house / "ours" / "page.js").write_text("let one = 'another';\n")
    collect_static()
    new, new_name = StaticFiles(nowhere), address("page.js")
    assert new_name != old_name
    assert text_of(new, old_name) == "let one = 1;\n"
    assert text_of(old, new_name) == "let one = 'another';\n"


@pytest.mark.parametrize(
    "path",
    [
        "/static/page.0123456789ab.js",
        "/static/page.css/page.0123456789ab.js",
        "/static/../ours/page.0123456789ab.js",
        "/static/staticfiles.json",
    ],
)
def test_nothing_else_is_looked_for_there(house: Path, path: str):
    collect_static()
    (house / "ours" / "page.0123456789ab.js").touch()
    assert StaticFiles(nowhere)(RequestFactory().get(path)).status_code == 404


def test_a_file_that_is_gone_is_refused_before_its_answer_begins(
    house: Path, caplog: pytest.LogCaptureFixture
):
    """`make clean` beside an open house: on Daphne phones waited for their scripts for ever."""
    collect_static()
    process, path = StaticFiles(nowhere), address("page.js")
    shutil.rmtree(house / "static")
    answer = process(RequestFactory().get(path))
    assert answer.status_code == 503
    assert path in caplog.text
    collect_static()
    assert text_of(process, path) == "let one = 1;\n"
    part = process(RequestFactory().get(path, headers={"Range": "bytes=4-6"}))
    assert (part.status_code, part.content) == (206, b"one")
    assert process(RequestFactory().head(path)).content == b""


def test_no_file_stays_open_and_no_thread_is_started_for_one(house: Path):
    """A reader who went away in the middle left one open; each file took two or three threads."""
    collect_static()
    process, path = StaticFiles(nowhere), address("page.js")
    ours, threads = f"/proc/{os.getpid()}/fd", threading.enumerate()
    before = len(os.listdir(ours))
    for headers in ({}, {"Range": "bytes=4-6"}, {"Range": "bytes=9-4"}, {"Range": "bytes=x"}):
        process(RequestFactory().get(path, headers=headers))
    assert len(os.listdir(ours)) == before
    assert threading.enumerate() == threads
