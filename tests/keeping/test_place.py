"""Where a house's file is: for its owner alone, and found where an earlier release has put it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from shlex import quote
from typing import Any
from unittest.mock import Mock

import pytest
from django.core.management import call_command
from django.db import OperationalError, connection

from games.keeping import KeepingError, lock, making, opening, place
from games.keeping.restoring import restore
from games.management.commands import serve
from tests.keeping.conftest import Lived, Opens
from tests.phones.house import free_port
from tests.starting import starts, with_settings


def mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


def test_what_people_left_here_is_read_by_its_owner_alone(house: Lived):
    """A house of an earlier release too, with what a restore put aside; and a group that somebody
    has let in stays in."""
    aside, journal = (house.file.with_name(house.file.name + t) for t in (".before-1", "-journal"))
    for path in (house.file, house.key, aside, journal):
        path.touch()
        path.chmod(0o644)
    opening.make_ready()
    assert [mode(p) for p in (house.file, house.key, aside, journal)] == [0o600] * 4
    house.file.chmod(0o640)
    opening.make_ready()
    assert mode(house.file) == 0o640


def test_a_house_of_another_user_who_has_let_this_one_in_opens(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """Its mode is that user's to change, and nobody else's."""
    house.file.chmod(0o646)
    monkeypatch.setattr(Path, "chmod", Mock(side_effect=PermissionError(1, "not permitted")))
    assert opening.make_ready() is None
    assert mode(house.file) == 0o646


@pytest.mark.usefixtures("migrated_once")
@pytest.mark.parametrize("portable", [False, True])
def test_what_a_restore_has_put_here_is_read_by_its_owner_alone(
    house: Lived, elsewhere: Path, opens: Opens, portable: bool
):
    """From that moment on: the next start may be tomorrow's."""
    path = making.make(portable=portable)
    with opens(elsewhere) as there:
        there.folder.chmod(0o755)
        restore(path)
        assert [mode(one) for one in (there.file, there.key)] == [0o600] * 2


def test_what_only_begins_with_the_same_name_is_somebody_else_s(house: Lived):
    """A folder of its own, or a file: nobody asked for those to be closed."""
    names = (f"{house.file.name}-letters", f"{house.file.name}2")
    others = [house.file.with_name(name) for name in names]
    others[0].mkdir()
    others[1].touch()
    for other in others:
        other.chmod(0o755)
    opening.make_ready()
    assert [mode(other) for other in others] == [0o755] * 2


@pytest.mark.parametrize("kind", ["a folder", "a device"])
def test_a_database_that_is_no_file_is_refused_before_anything_is_done_to_it(
    tmp_path: Path, kind: str
):
    """`sqlite:////dev/null` took everybody's /dev/null away from them."""
    named, folder = tmp_path / "named", tmp_path / "data"
    named.mkdir() if kind == "a folder" else os.mkfifo(named)
    named.chmod(0o777)
    done = starts(folder, "prepare", TAPROOM_DATABASE=f"sqlite:///{named}")
    assert done.returncode != 0
    assert f"{named}, which is no file" in done.stderr
    assert "Traceback" not in done.stderr
    assert mode(named) == 0o777
    assert [p.name for p in tmp_path.iterdir() if p != folder] == ["named"]


def test_a_new_house_is_its_owner_s_alone_from_its_first_moment(tmp_path: Path):
    folder = tmp_path / "new"
    # Its tables come without their migrations, which take four seconds: none of them makes a file.
    without = "from config.settings import *\nMIGRATION_MODULES = dict.fromkeys(OUR_APPS)\n"
    (tmp_path / "without_migrations.py").write_text(without)
    there = {"PYTHONPATH": str(tmp_path), "DJANGO_SETTINGS_MODULE": "without_migrations"}
    done = starts(folder, "prepare", **there)
    assert done.returncode == 0, done.stderr
    kept = {p.name: mode(p) for p in folder.iterdir() if p.name.startswith(("taproom", "secret"))}
    assert set(kept.values()) == {0o600}, kept
    assert mode(folder) == 0o700
    folder.chmod(0o755)
    with_settings(folder, "")
    assert mode(folder) == 0o755, "how somebody has set a folder that is there is theirs"


@pytest.mark.parametrize(("name", "before"), [("Bar #1", "Bar "), ("why? a=b", "why")])
def test_a_house_that_was_put_outside_of_its_folder_is_not_begun_anew(
    house: Lived, tmp_path: Path, opens: Opens, name: str, before: str
):
    """What is after a # or ? in the name of a folder was cut off: the file had the rest."""
    astray = tmp_path / before
    connection.close()
    shutil.copy(house.file, astray)
    (tmp_path / name).mkdir(parents=True)
    with opens(tmp_path / name) as empty:
        with pytest.raises(KeepingError) as told:
            opening.make_ready()
        assert f"mv {quote(str(astray))} {quote(str(empty.file))}" in str(told.value)
        assert not empty.file.exists()
        shutil.move(astray, empty.file)
        opening.make_ready()
        assert empty.rows("SELECT COUNT(*) FROM games_table")[0][0] > 0
        shutil.copy(house.file, astray)  # one that is lived in here is nobody else's
        place.refuse_astray()
        connection.close()


def test_what_else_stands_there_is_no_house_of_ours(house: Lived, tmp_path: Path, opens: Opens):
    """The control: beside "Bar #1" there may stand anything; "Bar two" is another house."""
    (tmp_path / "Bar two").mkdir()
    shutil.copy(house.file, tmp_path / "Bar two")
    for name in ("Bar ", "Taproom"):
        (tmp_path / name).mkdir() if name == "Bar " else (tmp_path / name).write_text("minutes")
    for name in ("Bar #1", "Taproom?", "100% fun", "plain", "Bar%20two"):
        (tmp_path / name).mkdir()
        with opens(tmp_path / name):
            place.refuse_astray()
            call_command("migrate", "games", "0001", verbosity=0)
            connection.close()


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="PostgreSQL has no file")
def test_two_servers_on_one_file_are_one_too_many(house: Lived):
    """Threat model, an operator's slip: phones at the one would not hear of taps at the other."""
    lock.serve_alone(8000)
    for command in ("play", "serve"):
        with pytest.raises(KeepingError, match="open on this folder already"):
            call_command(command, port=1)


def test_no_house_is_begun_where_one_that_is_served_was_moved_away(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """`serve` made an empty one as soon as somebody came, and spoilt the journal of its own."""

    def is_served(*_where: Any) -> None:
        house.file.rename(house.folder / "away")
        with pytest.raises(OperationalError, match="unable to open"):
            connection.ensure_connection()

    monkeypatch.setattr(serve, "serve", is_served)
    for step in ("get_ready", "refuse_no_static_files"):
        monkeypatch.setattr(serve, step, lambda: None)
    call_command("serve", port=free_port())
    assert (house.folder / "away").exists()
    assert not house.file.exists()
