"""Commands that are run beside the house, where there is none or where they cannot write."""

from __future__ import annotations

import shutil
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from games.keeping import KeepingError, lock
from tests.keeping.conftest import Lived, let_go
from tests.test_settings import starts


@pytest.fixture(scope="module")
def first_release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the first release has left in a folder."""
    folder = tmp_path_factory.mktemp("first")
    assert starts(folder, "migrate", "games", "0001", "--verbosity", "0").returncode == 0
    return folder


@pytest.mark.parametrize("command", [["seat", "ABCDEF"], ["load_book"]])
def test_where_no_house_is_a_command_says_so_and_begins_none(tmp_path: Path, command: list[str]):
    """docs/hosting.md: a bare manage.py on a server knows nothing of its settings."""
    ended = starts(tmp_path, *command)
    assert ended.returncode == 1
    assert f"no house of this release in {tmp_path / 'taproom.sqlite3'}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "taproom.sqlite3").exists()


@pytest.mark.parametrize("command", [["seat", "ABCDEF"], ["load_book"], ["backup"]])
def test_what_an_earlier_release_has_left_is_no_traceback(
    first_release: Path, tmp_path: Path, command: list[str]
):
    shutil.copytree(first_release, tmp_path, dirs_exist_ok=True)
    ended = starts(tmp_path, *command)
    assert "Traceback" not in ended.stderr
    if command != ["backup"]:
        assert "manage.py prepare brings an older one up to date" in ended.stderr


def test_a_database_in_a_folder_that_there_is_not_is_told_in_words(tmp_path: Path):
    ended = starts(tmp_path, "prepare", TAPROOM_DATABASE=f"sqlite:///{tmp_path}/nowhere/house.db")
    assert ended.returncode == 1
    assert f"There is no folder {tmp_path / 'nowhere'}" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_a_seat_s_address_has_the_port_at_which_the_house_is_open(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch
):
    """With `make play PORT=…` it led to port 8000, where nobody listens, or another house does."""
    monkeypatch.setitem(connection.settings_dict, "NAME", str(house.file))
    settings.IS_SQLITE, settings.DATA_DIR = True, house.folder
    settings.PUBLIC_ORIGIN = settings.LAN_ORIGIN = ""
    (code,) = house.rows("SELECT code FROM games_table WHERE NOT is_trial LIMIT 1")[0]

    def leads_to(*more: str) -> str:
        said = StringIO()
        call_command("seat", code, *more, stdout=said)
        return said.getvalue().split("/seat/")[0]

    assert leads_to().endswith(":8000"), "nobody has opened it yet"
    lock.serve_alone(8123)
    with pytest.raises(KeepingError, match="open on this folder already"):
        lock.serve_alone(8124)
    assert leads_to().endswith(":8123")
    assert leads_to("--port", "443").endswith(":443")
    let_go()
    lock.serve_alone(80)
    assert leads_to().endswith(":80"), "and nothing of where it was open before"


@pytest.mark.parametrize("variable", ["TAPROOM_LAN_ORIGIN", "TAPROOM_ORIGIN"])
def test_an_address_may_end_with_a_slash(house: Lived, variable: str):
    """It is taken so; every QR code then led to `//`, where nothing is."""
    (code,) = house.rows("SELECT code FROM games_table WHERE NOT is_trial LIMIT 1")[0]
    place = {variable: "http://laptop.local:8000/", "TAPROOM_SECRET_KEY": "k" * 60}
    said = starts(house.folder, "seat", code, **place)
    assert said.stdout.startswith("http://laptop.local:8000/seat/"), said.stderr
