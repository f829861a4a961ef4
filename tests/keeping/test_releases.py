"""R12: a house of every release comes forward with every field; what can't be read is refused.

`releases/` has one of each, written by its own code (`tests.keeping.write_release`), named by its
newest migration: when a release adds one, its house is added here and stays for good.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db import connection

from campaigns.models import Campaign
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from campaigns.views.records import check_told
from games.keeping import KeepingError, archive, making, opening, release
from games.keeping.proving import prove
from games.keeping.restoring import restore
from tests.games.party import Person
from tests.keeping.conftest import Lived, Opens, everything, in_full, said, says, unpacked
from tests.keeping.every_release import ALL, PRESENT
from tests.phones.house import free_port
from tests.sizes import size

OLDER = [name for name in ALL if name != PRESENT]
# What is asked of every release in full, and in the quick size of the last one before ours.
ASKED = size(OLDER[-1:], OLDER)
# Nobody's fields: what each engine counts, what Django lists of our code, what a migration logs.
NOT_FIELDS = {"sqlite_sequence", "django_migrations", "django_content_type", "auth_permission"}
# Fields that a migration has moved elsewhere, with the migration: none so far.
MOVED: dict[tuple[str, str], str] = {}
# What a later release's book says in other words, where no host has changed it.
REWORDED = {
    ("characters_monster", "note"),
    ("characters_monster", "note_es"),
    ("characters_spell", "effect_es"),
}

Fields = dict[tuple[str, Any], dict[str, Any]]


def fields_of(file: Path) -> Fields:
    """Return every field of every row, JSON by what it says, by its table and key."""
    with closing(sqlite3.connect(file)) as db:
        db.row_factory = sqlite3.Row
        names = [r[0] for r in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            (table, row[0]): dict(zip(row.keys(), said(tuple(row)), strict=True))
            for table in names
            if table not in NOT_FIELDS
            for row in db.execute(f'SELECT * FROM "{table}"')
        }


def lost(before: Fields, after: Fields) -> list[str]:
    """List what is not there any more, or is something else."""
    found = []
    for (table, key), row in before.items():
        now = after.get((table, key), {})
        is_the_books = row.get("is_own") == 0 and row.get("edited_at") is None
        for name, value in row.items():
            if is_the_books and (table, name) in REWORDED and now.get(name):
                continue
            if (table, name) not in MOVED and now.get(name, KeyError) != value:
                found.append(f"{table} {key}: {name} was {value!r}, is {now.get(name)!r}")
    return found


@pytest.fixture
def old_house(tmp_path: Path, opens: Opens, request: pytest.FixtureRequest) -> Any:
    folder = tmp_path / "house"
    folder.mkdir()
    unpacked(request.param, folder / "taproom.sqlite3")
    with opens(folder) as lived:
        yield lived


@pytest.mark.parametrize("old_house", ALL, indirect=True)
def test_no_field_is_lost_on_the_way_to_this_release(old_house: Lived):
    before = fields_of(old_house.file)
    assert len(before) > 200
    call_command("migrate", verbosity=0, interactive=False)
    assert not release.pending()
    assert lost(before, fields_of(old_house.file)) == []
    proof = prove()
    assert proof.faults == []
    assert proof.games >= 2
    # And what leaves it as a file comes in anywhere (decision 15).
    for campaign in Campaign.objects.all():
        read = read_file(file_of(campaign))
        check_told(read)
        assert len(read.chapters) == campaign.chapters.count()


@pytest.mark.parametrize("old_house", [PRESENT], indirect=True)
def test_a_lost_field_would_be_seen(old_house: Lived):
    """The control: a row that is gone, a field that changed, a column that was dropped."""
    before = fields_of(old_house.file)
    old_house.writes("UPDATE games_seat SET name = 'Nobody' WHERE id = 1")
    old_house.writes("DELETE FROM games_event WHERE id = 5")
    old_house.writes("ALTER TABLE campaigns_interest DROP COLUMN text")
    found = "\n".join(lost(before, fields_of(old_house.file)))
    assert "games_seat 1: name" in found
    assert "games_event 5: kind" in found
    assert "campaigns_interest" in found


@pytest.mark.parametrize("old_house", ASKED, indirect=True)
def test_people_find_their_table_as_they_left_it(old_house: Lived):
    """Every page of every table opens for its host, with the phone that sat there before."""
    call_command("migrate", verbosity=0, interactive=False)
    hosts = old_house.rows(
        "SELECT t.code, s.name, s.device_id FROM games_seat s JOIN games_table t ON t.id = "
        "s.table_id WHERE s.role = 'gm' AND NOT t.is_trial"
    )
    assert hosts
    for code, name, device in hosts:
        host = Person(name)
        session = host.client.session
        session["device"] = str(device)
        session.save()
        host.client.cookies["sid"] = session.session_key
        for page in ("", "gm/", "records/"):
            answer = host.client.get(f"/t/{code}/{page}")
            assert answer.status_code == 200, (code, page)
            assert "The Swan" in answer.content.decode() or page == "records/"


@pytest.mark.parametrize("old_house", ASKED, indirect=True)
def test_opening_an_older_house_keeps_it_first(old_house: Lived):
    """And what was kept restores, whatever has become of the house meanwhile."""
    before = fields_of(old_house.file)
    kept = opening.make_ready()
    assert kept
    assert kept.name.endswith(f"-before-{PRESENT}.zip")
    with archive.opened(kept) as (_whole, manifest):
        assert ["games", "0001_initial"] in [list(m) for m in manifest.migrations]
    call_command("migrate", verbosity=0, interactive=False)
    assert opening.make_ready() is None, "nothing is to be brought forward any more"
    old_house.writes("DELETE FROM games_event")
    connection.close()
    opening.lock._held.clear()
    restore(kept, replace=True)
    assert {k: v for k, v in fields_of(old_house.file).items() if k[0] == "games_event"} == {
        k: v for k, v in before.items() if k[0] == "games_event"
    }
    assert prove().faults == []


@pytest.mark.parametrize("old_house", OLDER[:1], indirect=True)
def test_an_older_house_that_cannot_be_kept_is_not_touched(
    old_house: Lived, monkeypatch: pytest.MonkeyPatch
):
    before = everything(old_house.file)

    def full(*_about: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(archive, "write", full)
    with pytest.raises(KeepingError, match="No space left"):
        call_command("play", host="127.0.0.1", port=1)
    assert everything(old_house.file) == before


@in_full
@pytest.mark.parametrize("old_house", ASKED, indirect=True)
def test_rows_of_an_older_release_come_forward_too(old_house: Lived, elsewhere: Path, opens: Opens):
    before = fields_of(old_house.file)
    path = making.make(portable=True)
    with opens(elsewhere) as there:
        restore(path)
        assert prove().faults == []
        after = fields_of(there.file)
    changed = {"games_house", "games_seatpass"}
    kept = {k: v for k, v in before.items() if k[0] not in changed}
    assert lost(kept, after) == []


# --- what cannot be opened -----------------------------------------------------------------------
def spoiled(file: Path) -> None:
    file.write_bytes(b"\0" * 100 + file.read_bytes()[100:])


def foreign(file: Path) -> None:
    file.write_bytes(b"The only minutes of our club, and no database at all. " * 200)


def newer(file: Path) -> None:
    with closing(sqlite3.connect(file)) as db, db:
        db.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '')"
        )


UNREADABLE = {
    spoiled: "cannot be read",
    foreign: "cannot be read",
    newer: "newer Taproom",
}


@pytest.mark.parametrize("spoil", UNREADABLE)
@pytest.mark.parametrize("old_house", [PRESENT], indirect=True)
def test_a_house_that_cannot_be_opened_is_refused_and_not_emptied(old_house: Lived, spoil: Any):
    spoil(old_house.file)
    connection.close()
    before = old_house.file.read_bytes()
    with pytest.raises(KeepingError, match=UNREADABLE[spoil]):
        call_command("play", host="127.0.0.1", port=1)
    assert old_house.file.read_bytes() == before


@pytest.mark.parametrize("old_house", [PRESENT], indirect=True)
def test_a_process_of_an_older_release_does_not_serve_what_a_newer_one_has_prepared(
    old_house: Lived,
):
    """It is started again until its own release is there, and touches nothing meanwhile."""
    newer(old_house.file)
    connection.close()
    with pytest.raises(KeepingError, match="newer Taproom"):
        call_command("serve", host="127.0.0.1", port=1)


@pytest.mark.parametrize(
    "command",
    ["migrate", "load_book", "seat ABCDEF", "createsuperuser --noinput --username ana",
     "flush --noinput", "backup --before-update"],
)  # fmt: skip
@pytest.mark.parametrize("old_house", [PRESENT], indirect=True)
def test_no_command_of_an_older_release_writes_into_a_newer_house(
    old_house: Lived, command: str, capsys: pytest.CaptureFixture[str]
):
    """docs/hosting.md: a house that a newer release has written is left as it is. Accounts were
    made in it, passes given out, and its book put back to the older one's."""
    newer(old_house.file)
    connection.close()
    before = old_house.file.read_bytes()
    says(command)
    assert "newer Taproom" in capsys.readouterr().err
    assert old_house.file.read_bytes() == before


@pytest.mark.parametrize("old_house", [PRESENT], indirect=True)
def test_the_same_house_unspoiled_would_have_opened(
    old_house: Lived, monkeypatch: pytest.MonkeyPatch
):
    """The control of the ones above."""
    from games.management.commands import play

    served: list[int] = []
    monkeypatch.setattr(play, "serve", lambda host, port: served.append(port))
    monkeypatch.setattr(opening, "stay_on_this_file", lambda: None)
    monkeypatch.setattr(opening, "back_up_by_itself", lambda: None)
    port = free_port()
    call_command("play", host="127.0.0.1", port=port)
    assert served == [port]


def test_every_release_of_ours_has_a_house_here():
    """A migration that is newer than all of these houses is a release without one."""
    assert PRESENT in ALL, "write one: python -m tests.keeping.write_release"


def test_the_names_are_those_of_what_is_in_them(tmp_path: Path, opens: Opens):
    for name in ALL:
        folder = tmp_path / name
        folder.mkdir()
        unpacked(name, folder / "taproom.sqlite3")
        with opens(folder):
            assert release.name_of(release.applied()) == name


def test_a_newer_backup_is_refused_by_name():
    with pytest.raises(KeepingError, match=r"games\.0099_from_the_future"):
        release.refuse_newer([("games", "0001_initial"), ("games", "0099_from_the_future")])
