"""R11: the drill proves a backup by restoring it aside, and fails on what must not come back."""

from __future__ import annotations

import errno
import io
import resource
import tempfile
from typing import Any

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection

from games.keeping import KeepingError, archive, drilling, making
from games.keeping.proving import prove
from games.models import Game
from tests.keeping.altering import altered, rewritten
from tests.keeping.conftest import Lived, everything, in_full


def test_a_good_backup_comes_back_whole_and_the_house_is_untouched(
    house: Lived, capsys: pytest.CaptureFixture[str]
):
    making.make()
    before = everything(house.file)
    call_command("drill")
    told = capsys.readouterr().out
    assert "comes back whole in" in told
    assert "tables: 3, games replayed: 5, campaigns to read: 2" in told
    assert everything(house.file) == before


@in_full
def test_rows_are_drilled_as_well(house: Lived, capsys: pytest.CaptureFixture[str]):
    call_command("drill", str(making.make(portable=True)))
    assert "games replayed: 5" in capsys.readouterr().out


def test_without_a_backup_the_drill_fails(house: Lived):
    with pytest.raises(KeepingError, match="There is no backup"):
        call_command("drill")


FAULTS = {
    "a line of a log is missing": (
        "DELETE FROM games_event WHERE id = (SELECT MAX(id) FROM games_event)", "The log of table"),
    "a line in the middle of a log is missing": (
        "DELETE FROM games_event WHERE id = (SELECT MIN(id) FROM games_event)", "The log of table"),
    "a line has another number": (
        "UPDATE games_event SET seq = seq + 9 WHERE id = (SELECT MAX(id) FROM games_event)",
        "The log of table"),
    "a whole log is missing": (
        "DELETE FROM games_event WHERE table_id = (SELECT MAX(id) FROM games_table)",
        " has 0 lines up to 0, and should have "),
    "a table's number runs ahead": ("UPDATE games_table SET seq = seq + 1", "The log of table"),
    "a game is not what was played": (
        "UPDATE games_game SET state = replace(state, '\"fingers\":[5', '\"fingers\":[4') "
        "WHERE rules = 'brave_or_knave' AND status = 'playing'", "ends otherwise"),
    "a move was changed": (
        "UPDATE games_play SET faces = '[1]' WHERE faces = '[7]'", "does not come again"),
    "a state that no rules can read": (
        "UPDATE games_game SET state = '{}' WHERE rules = 'knave_fight' AND status = 'playing'",
        "does not come again"),
}  # fmt: skip


@pytest.mark.parametrize("case", FAULTS)
def test_the_drill_notices(house: Lived, case: str, capsys: pytest.CaptureFixture[str]):
    """The controls: a backup that is sound as a file, and whose house is not."""
    query, words = FAULTS[case]
    before = everything(house.file)
    house.writes(query)
    assert everything(house.file) != before, "nothing was broken, so nothing is tested"
    making.make()
    with pytest.raises(CommandError, match=r"faults?\.$"):
        call_command("drill")
    assert words in capsys.readouterr().err


def test_every_kind_of_game_is_played_again(house: Lived):
    """All three games, over and under way, with what was taken back in them."""
    games = Game.objects.exclude(setup="")
    assert {g.rules for g in games} == {"brave_or_knave", "knave_fight", "wicked_sequence"}
    assert {g.status for g in games} >= {"playing", "over"}
    assert prove() == (3, len(games), [])


def test_a_table_of_which_nothing_is_told_yet_lacks_nothing(house: Lived):
    """The control of a whole log that is missing."""
    house.writes("DELETE FROM games_event WHERE table_id = (SELECT MAX(id) FROM games_table)")
    house.writes("UPDATE games_table SET seq = 0 WHERE id = (SELECT MAX(id) FROM games_table)")
    assert not [fault for fault in prove().faults if "log of table" in fault]


def test_a_fight_of_an_earlier_release_comes_again_with_what_it_was_reminded_of(house: Lived):
    """R12: what asks for morale (KN-20) was remembered for a whole fight until 29 November 2026."""
    query = "UPDATE games_game SET state = json_set(state, '$.moments', json(?)) WHERE rules = ?"
    house.writes(query, '["half:foes:goblins"]', "knave_fight")
    assert "half:foes:goblins" in str(house.rows("SELECT state FROM games_game"))
    assert prove().faults == []


def test_a_damaged_backup_fails_the_drill(house: Lived):
    path = making.make()
    whole = bytearray(path.read_bytes())
    whole[len(whole) // 2] ^= 0xFF
    path.write_bytes(whole)
    with pytest.raises(CommandError, match=path.name):
        call_command("drill")


def test_a_backup_that_no_database_takes_fails_the_drill_in_words(house: Lived):
    """R12, R11: its rows are as many as it says, and cannot be put back; it was a traceback."""
    path = rewritten("DELETE FROM django_migrations")(making.make())
    with pytest.raises(CommandError, match="would not come back"):
        call_command("drill", str(path))


def test_a_campaign_that_could_not_be_read_again_fails_the_drill(house: Lived):
    """The files of years are in the backup as well, for whoever has no Taproom any more."""

    def spoil(members: dict[str, bytes]) -> None:
        first, *_others = msgspec.json.decode(members[archive.MANIFEST])["exports"]
        members[first] = b"{}"

    with pytest.raises(CommandError, match="cannot be taken back"):
        call_command("drill", str(altered(making.make(), spoil)))


@pytest.mark.parametrize("lacks", ["a folder", "room for the copy", "room to bring it forward"])
def test_a_disk_on_which_no_drill_can_be_held_is_not_called_a_damaged_backup(
    house: Lived, monkeypatch: pytest.MonkeyPatch, lacks: str
):
    """R11: whoever reads "is no backup, or is damaged" every Monday throws a good one away."""
    path, size = making.make(), house.file.stat().st_size
    was = resource.getrlimit(resource.RLIMIT_FSIZE)
    with monkeypatch.context() as patch:
        if lacks == "a folder":
            patch.setattr(tempfile, "tempdir", "/proc/nowhere")
        else:
            most = size // 2 if lacks == "room for the copy" else size
            patch.setattr(drilling, "brought_forward", lambda _manifest: fills_the_disk())
            resource.setrlimit(resource.RLIMIT_FSIZE, (most, was[1]))
        try:
            with pytest.raises(CommandError, match=r"could not be tried: .*TMPDIR") as told:
                call_command("drill", str(path))
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, was)
    assert "damaged" not in str(told.value)
    call_command("drill", str(path))


def test_a_backup_that_its_disk_cannot_read_is_not_told_as_lack_of_room(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """R11: whoever makes room instead has no backup on the day when one is wanted."""
    path, unpack = making.make(), archive.unpack
    broken: list[str] = []

    class Breaking(io.FileIO):
        def readinto(self, into: Any) -> int:
            if broken:
                raise OSError(errno.EIO, broken[0])
            return super().readinto(into)

    def breaks(*given: Any) -> None:
        broken.append("Input/output error")
        unpack(*given)

    monkeypatch.setattr(io, "FileIO", Breaking)
    monkeypatch.setattr(archive, "unpack", breaks)
    with pytest.raises(CommandError, match=f"{path.name} cannot be read: Input/output") as told:
        call_command("drill", str(path))
    assert "TMPDIR" not in str(told.value)


def fills_the_disk() -> None:
    """Write more than there is room for, as a migration of a large house might."""
    with connection.cursor() as cursor:
        cursor.execute("CREATE TABLE more AS SELECT zeroblob(4000000)")
