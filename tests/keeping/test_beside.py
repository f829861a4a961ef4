"""Commands that are run beside the house, where there is none or where they cannot write."""

from __future__ import annotations

from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from config.command_line import CommandLine
from games.keeping import KeepingError, lock
from tests.keeping.conftest import Lived, Opens, let_go, says, unpacked
from tests.starting import starts, with_settings


def test_where_no_house_is_a_command_says_so_and_begins_none(tmp_path: Path):
    """docs/hosting.md: a bare manage.py on a server knows nothing of its settings.

    One of those in `test_opening.py`, as a process of its own.
    """
    ended = starts(tmp_path, "seat", "ABCDEF")
    assert ended.returncode == 1
    assert f"no house of this release in {tmp_path / 'taproom.sqlite3'}" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert not (tmp_path / "taproom.sqlite3").exists()


def test_what_an_earlier_release_has_left_is_no_traceback(
    tmp_path: Path, opens: Opens, capsys: pytest.CaptureFixture[str]
):
    first, brings = "games-0001", "manage.py prepare brings an older one up to date"
    unpacked(first, tmp_path / "taproom.sqlite3")
    ended = starts(tmp_path, "seat", "ABCDEF")
    assert "Traceback" not in ended.stderr
    assert brings in ended.stderr
    with opens(tmp_path / "here") as here:
        unpacked(first, here.file)
        says("load_book")
        assert brings in capsys.readouterr().err
        CommandLine().fetch_command("backup").run_from_argv(["manage.py", "backup"])
        assert len([*here.backups.glob("*.zip")]) == 1


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
def test_an_address_may_end_with_a_slash(
    house: Lived, settings: Any, monkeypatch: pytest.MonkeyPatch, variable: str
):
    """It is taken so; every QR code then led to `//`, where nothing is."""
    (code,) = house.rows("SELECT code FROM games_table WHERE NOT is_trial LIMIT 1")[0]
    place = {variable: "http://laptop.local:8000/", "TAPROOM_SECRET_KEY": "k" * 60}
    asked = "print(s.PUBLIC_ORIGIN, s.LAN_ORIGIN, sep=',')"
    told = with_settings(house.folder, asked, **place).strip().split(",")
    settings.PUBLIC_ORIGIN, settings.LAN_ORIGIN = told
    settings.IS_SQLITE, said = True, StringIO()
    monkeypatch.setitem(connection.settings_dict, "NAME", str(house.file))
    call_command("seat", code, stdout=said)
    assert said.getvalue().startswith("http://laptop.local:8000/seat/")
