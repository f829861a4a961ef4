"""Static files are collected when something has changed, and only then (R5: a house comes back)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders, storage
from django.test import override_settings

from config.collecting import collect_static


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
            "staticfiles": {"BACKEND": "config.staticfiles.HashedStorage"},
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


def test_half_a_manifest_is_none(house: Path):
    collect_static()
    (house / "static" / "staticfiles.json").write_text('{"paths": ')
    assert collect_static()
    assert not collect_static()
