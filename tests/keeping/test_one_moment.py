"""A campaign's file is of one moment, also where people play on while it is written."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from campaigns.models import Campaign, Sequence
from campaigns.services import file_write
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from games.models import Play
from tests.keeping.conftest import Lived, another_line

UNDOES = "DELETE FROM games_play WHERE id = (SELECT max(id) FROM games_play WHERE game_id = %s)"


def somebody_plays(monkeypatch: pytest.MonkeyPatch, plays: Callable[[], Any]) -> None:
    """Let something be committed when a file's fights have been read, and not yet their moves."""
    read = file_write._plays_of

    def between(campaign: Campaign) -> Any:
        plays()
        return read(campaign)

    monkeypatch.setattr(file_write, "_plays_of", between)


def fight() -> Sequence:
    """Return a fight with moves of this house's own."""
    moved = Play.objects.exclude(game=None).values_list("game", flat=True)
    found = Sequence.objects.filter(game__in=moved, is_over=False).select_related("chapter")
    return found.latest("pk")


def campaign_of(one: Sequence) -> Campaign:
    return Campaign.objects.get(pk=one.chapter.campaign_id)


def test_what_is_played_while_a_file_is_written_is_not_half_in_it(
    house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """A file that was taken home in the middle of a fight was refused by every table: its record
    did not lead to its dice."""
    house.writes("PRAGMA journal_mode=WAL")
    one = fight()
    somebody_plays(monkeypatch, lambda: house.writes(UNDOES.replace("%s", str(one.game_id))))
    moves = Play.objects.filter(game=one.game_id).count()
    read_file(file_of(campaign_of(one)))
    assert Play.objects.filter(game=one.game_id).count() == moves - 1
    assert not connection.in_atomic_block


@pytest.mark.services
def test_the_same_on_a_server(on_moved: Path, monkeypatch: pytest.MonkeyPatch):
    one = fight()

    def undoes() -> None:
        with another_line(), connection.cursor() as cursor:
            cursor.execute("SET session_replication_role = replica")
            cursor.execute(UNDOES, [one.game_id])

    somebody_plays(monkeypatch, undoes)
    moves = Play.objects.filter(game=one.game_id).count()
    read_file(file_of(campaign_of(one)))
    assert Play.objects.filter(game=one.game_id).count() == moves - 1
