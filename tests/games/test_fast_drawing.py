"""What is kept between two drawings changes nothing: not a byte of what anybody is shown (R7).

The same play is drawn with everything that was kept, and afresh from the database, for everybody
who may look, after every step: moves, settings, joins, pauses, undo, languages, lines that come and
go. What was kept is dropped at random. Each of the promises has a control.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Hashable, Iterator
from functools import partial
from typing import Any

import msgspec
import pytest
from jinja2 import Environment

from games import advancing, others, snapshot
from games.live import drawing
from games.live.drawing import draw_all
from games.live.viewers import Viewer
from games.models import Seat
from games.screens import kept, log
from games.screens.kept import Drawn, DrawnBefore, drawn_before, stencil_of
from games.screens.paths import Path
from tests.games.afar import heard_of
from tests.games.any_evening import Evening, fields_of, handed
from tests.games.party import Clock, Dice, Party, Person, done, offers_pass

# A step costs a tenth of a second, most of it drawing afresh.
STEPS = 40


@pytest.fixture(autouse=True)
def nothing_is_kept() -> Iterator[None]:
    drawing.drawing_cache.forget()
    yield
    drawing.drawing_cache.forget()
    stencil_of.cache_clear()


def is_plain(value: Any) -> bool:
    """Tell whether equal values of this kind look alike on a screen, whatever they are drawn as."""
    if isinstance(value, tuple | frozenset):
        return all(map(is_plain, value))
    if isinstance(value, msgspec.Struct):
        return value.__struct_config__.frozen and all(
            is_plain(getattr(value, name)) for name in value.__struct_fields__
        )
    return value is None or isinstance(value, str | int | bool)


# --- the promise ---------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", [1, 2])
def test_what_was_kept_is_drawn_like_new(party: Party, django_capture_on_commit_callbacks, seed):
    evening = Evening(party, seed, django_capture_on_commit_callbacks)
    evening.goes_on(STEPS)
    assert evening.advanced > STEPS / 4
    assert evening.reader.from_afar > STEPS / 8
    assert evening.read > 3
    assert len(evening.shown) > STEPS


def test_pieces_are_kept_by_plain_values_alone(party: Party, django_capture_on_commit_callbacks):
    """A row of the database is equal to an older one of itself: by a row nothing may be kept."""
    Evening(party, 4, django_capture_on_commit_callbacks).goes_on(20)
    assert _keys(drawn_before)
    assert list(itertools.filterfalse(is_plain, _keys(drawn_before))) == []
    assert not is_plain((party.table,))


OVERLOOKED = ["scene.headline", "mine.may", "scene.ring", "shelves"]


@pytest.mark.parametrize("path", OVERLOOKED)
def test_a_value_that_is_overlooked_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks, path
):
    """The control: with one path missing from the keys, a screen shows what was."""
    real = kept.reads_of
    left_out = tuple(path.split("."))

    def blind(env: Environment, name: str, **how: bool) -> frozenset[Path]:
        return frozenset(p for p in real(env, name, **how) if p[: len(left_out)] != left_out)

    monkeypatch.setattr(kept, "reads_of", blind)
    stencil_of.cache_clear()
    evening = Evening(party, 1, django_capture_on_commit_callbacks)
    with pytest.raises(AssertionError):
        evening.goes_on(STEPS)


def test_a_sentence_that_is_kept_too_long_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks
):
    """The control: log lines that go on although something was taken back."""
    monkeypatch.setattr(log, "_base", lambda now: ())
    monkeypatch.setattr(snapshot.Snapshot, "gone", frozenset())
    real = log._gone_on
    monkeypatch.setattr(log, "_gone_on", lambda before, now: real(before, now) or before.worded)
    evening = Evening(party, 1, django_capture_on_commit_callbacks)
    with pytest.raises(AssertionError):
        evening.goes_on(STEPS)


# --- taken on by a commit ------------------------------------------------------------------------


def test_a_snapshot_is_handed_on_only_to_the_very_next(
    party: Party, django_capture_on_commit_callbacks
):
    """R2: neither over a gap nor twice, nor with a row that is further already.

    That of a trial is: it is opened, filled and begun in one transaction.
    """
    party.begins()
    before = snapshot.load(party.table.pk)
    (one,) = handed(django_capture_on_commit_callbacks, lambda: party.rolls(party.ana, 7))
    (two,) = handed(django_capture_on_commit_callbacks, lambda: party.shouts(party.ben, "brave"))
    after = advancing.advance(before, one)
    assert after is not None
    assert advancing.advance(before, two) is None
    assert advancing.advance(after, one) is None
    assert fields_of(advancing.advance(after, two)) == fields_of(snapshot.load(party.table.pk))
    two.table.seq += 1
    assert advancing.advance(after, two) is None


def test_the_story_of_a_bout_that_has_just_ended_is_taken_on_with_it(
    party: Party, django_capture_on_commit_callbacks
):
    """BK-22: who fell and by what, at once and for as long as the bout stands there."""
    party.begins()
    now, renamed = snapshot.load(party.table.pk), partial(party.ana.does, "rename_table")
    for ends in (partial(party.rolls, party.ana, 1), partial(renamed, name="The Cygnet")):
        (one,) = handed(django_capture_on_commit_callbacks, ends)
        now = advancing.advance(now, one)
        assert fields_of(now) == fields_of(snapshot.load(party.table.pk))
        assert "Grave" in [e.kind for e in now.course]


def test_what_is_heard_of_is_read_only_as_the_very_next(
    party: Party, django_capture_on_commit_callbacks
):
    """R2: whoever hears of a commit before the last, of two at once or of too little, reads all."""
    on_commit = django_capture_on_commit_callbacks
    party.begins()
    key = party.table.pk
    (one,) = handed(on_commit, lambda: party.rolls(party.ana, 7))
    before = snapshot.load(key)
    (two,) = handed(on_commit, lambda: party.shouts(party.ben, "brave"))
    assert advancing.committed(key, heard_of(one)) is None
    assert advancing.committed(key, heard_of(one).and_then(heard_of(two))) is None
    found = advancing.committed(key, heard_of(two))
    assert found is not None
    assert fields_of(advancing.advance(before, found)) == fields_of(snapshot.load(key))
    assert others.heard({"type": "table.wake", "table": key, "seq": two.seq}) is None


def test_rows_of_a_snapshot_are_its_own(party: Party, django_capture_on_commit_callbacks):
    """Whoever goes on working with the committed rows changes no snapshot."""
    party.begins()
    before = snapshot.load(party.table.pk)
    (one,) = handed(django_capture_on_commit_callbacks, lambda: party.rolls(party.ana, 7))
    after = advancing.advance(before, one)
    kept_now = json.dumps(fields_of(after)["table"], default=str)
    one.table.name, one.table.seq, one.game.state = "changed", 0, "{}"
    one.events[0].kind = "changed"
    assert json.dumps(fields_of(after)["table"], default=str) == kept_now
    assert after.game.state != "{}"
    assert "changed" not in [e.kind for e in after.events]


@pytest.mark.parametrize(
    ("written", "action", "fields"),
    [
        ("games_seat", "show_hand", {"letters": "true"}),
        ("games_entrant", "pick_number", {"number": 7}),
    ],
)
def test_a_write_that_is_overlooked_is_noticed(
    party: Party, monkeypatch, django_capture_on_commit_callbacks, written, action, fields
):
    """The control: taken on past a change of seats, a snapshot is not the one that is read."""
    on_commit = django_capture_on_commit_callbacks
    before = snapshot.load(party.table.pk)
    (one,) = handed(on_commit, lambda: done(party.ben.does(action, **fields)))
    assert advancing.advance(before, one) is None
    monkeypatch.setattr(advancing, "BROUGHT_ALONG", advancing.BROUGHT_ALONG | {written})
    blind = advancing.advance(before, one)
    assert blind is not None
    assert fields_of(blind) != fields_of(snapshot.load(party.table.pk))


def test_a_seat_that_moved_to_another_phone_is_read(
    party: Party, django_capture_on_commit_callbacks
):
    """S3: it is given to the new phone before its play begins; the old one may look no more."""
    token = offers_pass(party.ben, party.ben)
    before = snapshot.load(party.table.pk)
    new = Person("New")
    on_commit = django_capture_on_commit_callbacks
    (one,) = handed(on_commit, lambda: new.client.post(f"/seat/{token}/"))
    assert advancing.advance(before, one) is None
    assert Seat.objects.get(table=party.table, number=party.ben.seat).device == new.device


def test_a_table_that_turns_to_another_game_is_read(
    party: Party, django_capture_on_commit_callbacks
):
    """R2: what the other game shows of its evening is in no commit, also when it comes again."""
    for rules in ("knave", "brave_or_knave", "knave", "wicked_age", "knave"):
        before = snapshot.load(party.table.pk)
        on_commit = django_capture_on_commit_callbacks
        turns = partial(party.ana.does, "turn_table", rules=rules)
        (one,) = handed(on_commit, lambda turns=turns: done(turns()))
        assert advancing.advance(before, one) is None, rules


# --- what is kept --------------------------------------------------------------------------------


def _keys(held: DrawnBefore) -> list[Hashable]:
    return [*held._young, *held._old]


def _drawn_for(party: Party) -> set[str]:
    """Draw a table for all who are at it; return the templates that had to be drawn."""
    before = set(_keys(drawn_before))
    now = snapshot.load(party.table.pk)
    pages = {"gm": "gm", "screen": "screen"}
    looks = {Viewer(pages.get(s.role, "phone"), s.number, s.device_id) for s in now.seats}
    assert len(draw_all(now, looks, {})) > 2
    return {key[0] for key in set(_keys(drawn_before)) - before}  # type: ignore[index]


def test_a_table_that_plays_as_another_did_is_drawn_from_what_that_left(
    party: Party, dice: Dice, clock: Clock
):
    """What asks for taps is drawn anew at every step: once, and not once for each table."""
    others, asks = Party(dice, clock).gathers(), {"games/phone/act.jinja", "games/gm/gm-bout.jinja"}
    for begins in (None, (7, 13)):
        for those in (party, others) if begins else ():
            those.begins(*begins).rolls(those.ana, 9)
        assert asks <= _drawn_for(party)
        assert not asks & _drawn_for(others)


def test_what_nobody_asks_for_any_more_is_let_go(monkeypatch):
    monkeypatch.setattr(kept, "MOST_AT_REST", 1000)
    small = DrawnBefore()
    small.put("often", Drawn("x" * 100))
    for number in range(200):
        small.put(number, Drawn("x" * 100))
        assert small.get("often") is not None
    assert len(_keys(small)) < 40
    assert small.get(3) is None


def test_a_table_that_nobody_looks_at_keeps_nothing(party: Party):
    draw_all(snapshot.load(party.table.pk), set(), {})
    assert party.table.pk in drawing.drawing_cache._logs
    drawing.drawing_cache.forget_table(party.table.pk)
    assert party.table.pk not in drawing.drawing_cache._logs
