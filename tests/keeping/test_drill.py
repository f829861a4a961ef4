"""R11: the drill proves a backup by restoring it aside, and fails on what must not come back."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from games.keeping import archive, making
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
    with pytest.raises(CommandError, match="There is no backup"):
        call_command("drill")


FAULTS = {
    "a line of a log is missing": (
        "DELETE FROM games_event WHERE id = (SELECT MAX(id) FROM games_event)", "The log of table"),
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
    with pytest.raises(CommandError, match="faults"):
        call_command("drill")
    assert words in capsys.readouterr().err


def test_every_kind_of_game_is_played_again(house: Lived):
    """All three games, over and under way, with what was taken back in them."""
    games = Game.objects.exclude(setup="")
    assert {g.rules for g in games} == {"brave_or_knave", "knave_fight", "wicked_sequence"}
    assert {g.status for g in games} >= {"playing", "over"}
    assert prove() == (3, len(games), [])


def test_a_fight_of_an_earlier_release_comes_again_with_what_it_was_reminded_of(house: Lived):
    """R12: what asks for morale (KN-20) was remembered for a whole fight until 29 November 2026."""
    query = "UPDATE games_game SET state = json_set(state, '$.moments', json(?)) WHERE rules = ?"
    house.writes(query, '["half:foes:goblins"]', "knave_fight")
    assert "half:foes:goblins" in str(house.rows("SELECT state FROM games_game"))
    assert prove().faults == []


def test_a_damaged_backup_fails_the_drill(house: Lived, tmp_path: Path):
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
