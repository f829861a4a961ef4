"""R11: neither too many backups stay nor too few, and never more than the disk has room for."""

from __future__ import annotations

import os
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import call_command

from games.keeping import KeepingError, backups, making, opening, tidying
from tests.keeping.conftest import Lived

# Behind any clock: what is dated ahead of it is another matter.
NOW = datetime(2024, 11, 21, 20, 0, tzinfo=UTC)


def put(folder: Path, moment: datetime, why: str = "", size: int = 0) -> Path:
    path = folder / backups.name_at(moment, why)
    path.write_bytes(bytes(size))
    return path


def test_a_file_of_somebody_s_own_is_no_backup_and_stays(tmp_path: Path):
    own = tmp_path / "taproom-photos.zip"
    own.touch()
    assert backups.backups_in(tmp_path) == []
    assert tidying.prune(tmp_path) == []
    assert own.exists()


@pytest.mark.parametrize("kind", ["no such day", "a folder", "a link to a disk that is away"])
def test_what_only_bears_a_backup_s_name_keeps_none_from_being_made(house: Lived, kind: str):
    """Each backup ended in a traceback for the first, in an error of the system's for the others.

    One that was made was then called not made.
    """
    others = put(making.make().parent, NOW - timedelta(days=900))
    others.unlink()
    if kind == "no such day":
        others = put(others.parent, NOW).rename(others.with_name("taproom-20260230-250000Z.zip"))
    elif kind == "a folder":
        put(others.parent, NOW - timedelta(days=900, minutes=-1))
        others.mkdir()
    else:
        others.symlink_to(others.parent / "mnt" / others.name)
    assert making.make() in backups.backups_in(others.parent)
    assert others not in backups.backups_in(others.parent)
    assert os.path.lexists(others), "it is not ours to remove"


def test_two_years_of_backups_are_24_hours_30_days_and_24_months(tmp_path: Path):
    for minutes in range(0, 60 * 24 * 3, 20):
        put(tmp_path, NOW - timedelta(minutes=minutes))
    for days in range(3, 1000):
        put(tmp_path, NOW - timedelta(days=days))
    reason = put(tmp_path, NOW - timedelta(days=900, minutes=7), "before-games-0004")
    tidying.prune(tmp_path)
    left = [m for p in backups.backups_in(tmp_path) if p != reason and (m := backups.moment_of(p))]
    assert reason.exists()
    assert [m for m in left if m >= NOW - tidying.RECENT] == [
        NOW - timedelta(minutes=m) for m in (0, 20, 40, 60)
    ]
    assert len({f"{m:%Y%m%d%H}" for m in left if m > NOW - timedelta(hours=23)}) == 24
    assert len({m.date() for m in left if m > NOW - timedelta(days=30)}) == 30
    assert len({(m.year, m.month) for m in left}) == 24
    # Of a day or a month, its newest.
    assert NOW.replace(month=9, day=30) in left
    assert len(left) < 24 + 30 + 24 + 4
    assert tidying.prune(tmp_path) == []


MB = 1 << 20


@pytest.fixture
def disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Let the test say how many bytes the disk has for backups and for what is free."""

    def has(size: int) -> None:
        def usage(folder: Path) -> SimpleNamespace:
            return SimpleNamespace(free=size - sum(p.stat().st_size for p in folder.iterdir()))

        monkeypatch.setattr(tidying.shutil, "disk_usage", usage)

    return has


def test_backups_leave_as_much_room_as_they_take_and_what_is_missed_least_goes_first(
    tmp_path: Path,
    disk: Callable[[int], None],
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
):
    """R11, and a disk that is full: years of backups are not what ends the play."""
    minutes = [put(tmp_path, NOW - timedelta(minutes=m), size=MB) for m in (0, 4, 8)]
    hours = [put(tmp_path, NOW - timedelta(hours=h), size=MB) for h in (5, 6)]
    days = [put(tmp_path, NOW - timedelta(days=d), size=MB) for d in (2, 3)]
    months = [put(tmp_path, NOW - timedelta(days=d), size=MB) for d in (100, 200)]
    reason = put(tmp_path, NOW - timedelta(days=900), "before-games-0004", size=MB)

    disk(200 * MB)
    assert tidying.make_room(tmp_path, 100 * MB) == []
    assert caplog.messages == []
    # 8 minutes ago, 6 and 5 hours ago, and 4 minutes ago: that one is its hour's newest.
    disk(170 * MB)
    assert tidying.make_room(tmp_path, 100 * MB) == [minutes[2], *hours[::-1], minutes[1]]
    gone = ", ".join(p.name for p in (minutes[2], *hours[::-1], minutes[1]))
    assert caplog.messages == [f"For lack of room these backups went: {gone}"]
    # A small house in a small disk: half of what it has.
    disk(9 * MB)
    monkeypatch.setattr(tidying, "LEFT_FOR_PLAY", 0)
    assert tidying.make_room(tmp_path, MB) == [days[1]]
    assert backups.backups_in(tmp_path) == [minutes[0], days[0], *months, reason]


def test_a_disk_that_something_else_fills_costs_no_backup_that_does_not_make_room(
    tmp_path: Path, disk: Callable[[int], None]
):
    """R11: all but the newest went, and the next one had no room all the same."""
    found = [put(tmp_path, NOW - timedelta(days=d), size=MB) for d in range(3)]
    disk(20 * MB)
    with pytest.raises(KeepingError, match=r"it takes 20 MB there .* and 17 MB are free"):
        tidying.make_room(tmp_path, 20 * MB)
    assert backups.backups_in(tmp_path) == found
    # For play there is no room either way: no more goes than the next one needs.
    assert tidying.make_room(tmp_path, 17 * MB) == []
    assert tidying.make_room(tmp_path, 18 * MB) == found[2:]


def test_where_what_goes_frees_nothing_no_further_backup_goes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """R11: a disk that keeps copies of itself frees nothing; one after the other all would go."""
    found = [put(tmp_path, NOW - timedelta(days=d), size=MB) for d in range(4)]
    monkeypatch.setattr(tidying, "LEFT_FOR_PLAY", 0)
    monkeypatch.setattr(tidying.shutil, "disk_usage", lambda _folder: SimpleNamespace(free=0))
    with pytest.raises(KeepingError, match="0 MB are free"):
        tidying.make_room(tmp_path, MB)
    assert backups.backups_in(tmp_path) == found[:2]


@pytest.fixture
def stuck(monkeypatch: pytest.MonkeyPatch) -> set[Path]:
    """Let a test say which files nobody may remove (`chattr +i`, a disk that is written once)."""
    files, unlink = set[Path](), Path.unlink

    def unlinked(path: Path, missing_ok: bool = False) -> None:
        if path in files:
            raise PermissionError(1, "Operation not permitted")
        unlink(path, missing_ok)

    monkeypatch.setattr(Path, "unlink", unlinked)
    return files


def test_a_backup_that_nobody_may_remove_keeps_no_further_one_from_being_made(
    house: Lived, stuck: set[Path], caplog: pytest.LogCaptureFixture
):
    """R11: each further one was there, and called not made; before a migration the house stayed
    shut."""
    first = making.make()
    found = [put(first.parent, NOW - timedelta(minutes=m)) for m in (1, 2, 3)]
    stuck.add(found[1])
    made = making.make()
    assert backups.backups_in(first.parent) == [made, first, found[0], found[1]]
    told = f"Older backups that cannot be removed: 1, the first is {found[1].name}"
    assert caplog.messages == [f"{told}: Operation not permitted"]


def test_for_lack_of_room_those_go_that_may_be_removed(
    tmp_path: Path, disk: Callable[[int], None], stuck: set[Path]
):
    found = [put(tmp_path, NOW - timedelta(days=d), size=MB) for d in range(4)]
    stuck.add(found[3])
    disk(20 * MB)
    assert tidying.make_room(tmp_path, 17 * MB) == found[2:3]
    stuck.add(found[1])
    with pytest.raises(KeepingError, match="17 MB are free"):
        tidying.make_room(tmp_path, 18 * MB)
    stuck.clear()
    assert tidying.make_room(tmp_path, 18 * MB) == found[3:]


def test_what_went_for_lack_of_room_is_in_the_log_of_who_plays(
    house: Lived, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
):
    """docs/hosting.md: the log names each. With `make play` it did not: who makes backups there is
    a process of its own, and of what that said only a failure was told."""
    told = "For lack of room these backups went: taproom-20261121-194500Z.zip"
    makes = tmp_path / "makes"
    makes.write_text(f"#!/bin/sh\necho '{told}' >&2\necho 'backup.zip in 0.4 s'\n")
    makes.chmod(0o700)
    monkeypatch.setattr(opening.sys, "executable", str(makes))
    assert opening.back_up_if_changed()
    assert caplog.messages == [told]


def test_a_backup_asks_for_the_room_of_its_house_first(house: Lived, disk: Callable[[int], None]):
    good = making.make()
    disk(good.stat().st_size + house.file.stat().st_size)
    with pytest.raises(KeepingError, match="are free"):
        making.make()
    disk(good.stat().st_size + 2 * house.file.stat().st_size)
    assert making.make() != good


def test_a_backup_asks_for_the_room_of_the_journal_as_well(
    house: Lived, disk: Callable[[int], None]
):
    """docs/hosting.md: it takes up to 40 MB, and what is in it comes into the copy."""
    size = house.file.stat().st_size
    house.file.with_name(f"{house.file.name}-wal").write_bytes(bytes(size))
    disk(2 * size)
    with pytest.raises(KeepingError, match="are free"):
        making.make()


def test_a_house_that_plays_once_a_month_keeps_its_evenings(tmp_path: Path):
    evenings = [put(tmp_path, NOW - timedelta(days=30 * n)) for n in range(20)]
    tidying.prune(tmp_path)
    assert sorted(evenings, reverse=True) == backups.backups_in(tmp_path)


def test_what_was_asked_to_be_kept_stays(house: Lived):
    call_command("backup", "--keep")
    (kept,) = backups.backups_in(house.backups)
    for days in range(1, 80):
        put(house.backups, datetime.now(UTC) + timedelta(days=days))
    tidying.prune(house.backups)
    assert kept.exists()


def test_a_clock_that_was_wrong_once_hides_no_newer_backup(house: Lived):
    """R10: the server's clock stood two hours ahead when a backup was made, then was set right."""
    house.backups.mkdir()
    ahead = put(house.backups, datetime.now(UTC) + timedelta(hours=2))
    now = making.make()
    assert making.newest() == now
    assert now.exists()
    assert ahead in backups.backups_in(house.backups)
    assert not making.has_changed()


def test_all_of_the_last_hour_stay_and_the_newest_whatever_is_dated_ahead(
    tmp_path: Path, disk: Callable[[int], None]
):
    """R10, R11: what a wrong clock has named is neither the last hour nor the last to go."""
    hour = datetime.now(UTC).replace(minute=0, second=0, microsecond=0) - timedelta(hours=1)
    ahead = [put(tmp_path, hour + timedelta(days=2, minutes=m), size=MB) for m in (9, 6, 3)]
    recent = [put(tmp_path, hour + timedelta(minutes=m), size=MB) for m in (50, 45, 40)]
    tidying.prune(tmp_path)
    assert backups.backups_in(tmp_path) == [ahead[0], *recent]
    disk(5 * MB)
    tidying.make_room(tmp_path, 4 * MB)
    assert backups.backups_in(tmp_path) == recent[:1]


def test_where_all_are_dated_ahead_the_newest_of_them_counts(tmp_path: Path):
    later, _sooner = [put(tmp_path, datetime.now(UTC) + timedelta(hours=h)) for h in (3, 2)]
    assert making.newest(tmp_path) == later
    assert making.newest(tmp_path / "none") is None
