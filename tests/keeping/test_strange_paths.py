"""docs/hosting.md: whatever file or folder a command is given, it ends, and in a sentence."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from config.command_line import CommandLine
from games.keeping import making
from tests.keeping.conftest import Lived, everything, says

FAR_TOO_LONG = "x" * 300
SAID = {
    "a device without end": "/dev/zero is no backup, as it is no file",
    "a pipe": "pipe is no backup, as it is no file",
    "a name that is too long": "cannot be read: File name too long",
    "a file that is no folder": "cannot be read: Not a directory",
    "nothing": "There is no file",
    "a folder of others": "There is no backup in",
    "a folder with a pipe in it": "There is no backup in",
}


def made(kind: str, folder: Path) -> Path:
    """Make what somebody might name instead of a backup."""
    if kind == "a device without end":
        return Path("/dev/zero")
    if kind == "a pipe":
        os.mkfifo(folder / "pipe")
        return folder / "pipe"
    if kind == "a file that is no folder":
        (folder / "file").touch()
        return folder / "file" / "backup.zip"
    if kind.startswith("a folder"):
        (folder / "there").mkdir()
        if "pipe" in kind:
            os.mkfifo(folder / "there" / "taproom-20261121-200000Z.zip")
        return folder / "there"
    return folder / (FAR_TOO_LONG if "long" in kind else "nothing")


@pytest.mark.timeout(60)
@pytest.mark.parametrize("kind", SAID)
@pytest.mark.parametrize("command", ["drill", "restore --replace"])
def test_what_is_no_backup_is_refused_at_once(
    house: Lived, tmp_path: Path, capsys: pytest.CaptureFixture[str], command: str, kind: str
):
    """A pipe was waited for and a device read into memory, for ever; long names were tracebacks."""
    before = everything(house.file)
    says(f"{command} {made(kind, tmp_path)}")
    assert SAID[kind] in capsys.readouterr().err
    assert everything(house.file) == before


def test_a_folder_that_cannot_be_looked_into_gets_no_backup_in_words(
    house: Lived, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    says(f"backup --if-changed --to {tmp_path / FAR_TOO_LONG}")
    assert "No backup was made" in capsys.readouterr().err


@pytest.mark.parametrize("named", ["file", "file/backups"])
def test_where_a_file_stands_no_folder_of_backups_is_made(
    house: Lived, tmp_path: Path, capsys: pytest.CaptureFixture[str], named: str
):
    """Whoever left out the folder, or took `--to` for the file's name, was told "[Errno 17]"."""
    (tmp_path / "file").write_text("mine")
    says(f"backup --to {tmp_path / named}")
    assert "a file has its place" in capsys.readouterr().err
    assert (tmp_path / "file").read_text() == "mine"


def test_a_pipe_among_the_backups_keeps_nobody_waiting(house: Lived):
    """The newest is opened before each of the house's own backups, to see what has changed."""
    house.backups.mkdir()
    os.mkfifo(house.backups / "taproom-20261121-200000Z.zip")
    assert making.has_changed()


def test_a_variable_that_is_unset_names_no_folder(
    house: Lived, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
):
    """A backup lay wherever the script stood, and older ones there would have been tidied away."""
    monkeypatch.chdir(house.folder)
    with pytest.raises(SystemExit, match="2"):
        CommandLine().fetch_command("backup").run_from_argv(["manage.py", "backup", "--to", ""])
    assert "nothing is named" in capsys.readouterr().err
    assert not list(house.folder.glob("*.zip"))


@pytest.mark.parametrize("named", ["", "~/away"])
@pytest.mark.parametrize("command", ["backup --to=", "drill ", "restore --replace "])
def test_a_name_that_no_shell_has_filled_in_is_no_place(
    house: Lived, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: str, named: str
):
    """`restore --replace "$UNSET"` took the newest backup of the folder one was in; `backup
    --to=~/away` made a folder called `~` there, and whoever looked at home found none."""
    monkeypatch.chdir(tmp_path)
    making.make(tmp_path)
    before = everything(house.file), sorted(os.listdir(tmp_path))
    name, *more = (command + named).split(" ")
    with pytest.raises(SystemExit, match="2"):
        CommandLine().fetch_command(name).run_from_argv(["manage.py", name, *more])
    assert (everything(house.file), sorted(os.listdir(tmp_path))) == before


def test_where_a_name_leads_is_told_in_full(
    house: Lived,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
):
    """On a server `taproom` works in a folder of its own. A file that lay in front of whoever typed
    its name was not there, and a backup was somewhere."""
    monkeypatch.chdir(tmp_path)
    for command in ("restore", "drill"):
        says(f"{command} taproom-20261121-200000Z.zip")
        assert f"no file {tmp_path}/taproom-20261121-200000Z.zip" in capsys.readouterr().err
    CommandLine().fetch_command("backup").run_from_argv(["manage.py", "backup", "--to", "away"])
    assert capsys.readouterr().out.startswith(f"{tmp_path}/away/taproom-")
