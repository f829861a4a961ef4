"""Knave drawn from what is kept is Knave drawn afresh, byte for byte, for everybody (the issue's
promise on caches: lost or stale at any moment without harm)."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from jinja2 import Environment

from characters import snapshot as evenings
from characters.screens import people
from characters.services import kept_book
from games import memory, presence, snapshot
from games.live import drawing
from games.live.drawing import draw_all
from games.live.viewers import Viewer
from games.screens import kept
from games.screens.paths import Path
from games.services import recent
from games.snapshot import Snapshot
from games.wake import wakers
from tests.characters.company import ASKED, IN_A_FIGHT, TEARS_DOWN, Company
from tests.drawn import html_of
from tests.games.afar import Reader
from tests.games.party import Clock, Dice, Party, done

ACTIONS = 24


class Watched:
    """A company whose table is drawn twice after everything that happens."""

    def __init__(self, company: Company, capture: Any) -> None:
        self.company, self.capture = company, capture
        self.done: list[Any] = []
        wakers.append(self._hear)
        self.now: Snapshot | None = None
        self.advanced = 0
        self.reader = Reader()

    def _hear(self, _table: int, committed: Any) -> None:
        self.done.append(committed)

    def does(self, who: Any, word: str, /, **fields: Any) -> int:
        with self.capture(execute=True):
            status: int = who.does(word, **fields).status_code
        return status

    def viewers(self) -> list[Viewer]:
        company = self.company
        people = [(company.ana, "gm"), (company.ana, "phone"), (company.ben, "phone")]
        people += [(company.dora, "phone"), (company.tess, "screen")]
        return [Viewer(page, who.seat, who.row.device_id) for who, page in people]

    def follow(self) -> Snapshot:
        """Hand the table on from commit to commit, as its reader does."""
        now = self.now
        for committed in self.done:
            now = self.reader.take_on(now, committed)
        self.advanced += bool(self.done and now is not None)
        self.done.clear()
        self.now = now or snapshot.load(self.company.table.pk)
        return self.now

    def differences(self) -> list[str]:
        """Draw by what is kept and afresh, and return the regions that differ."""
        kept_now = self.follow()
        lines, viewers = presence.connections(kept_now.table.pk), self.viewers()
        shown = draw_all(kept_now, viewers, lines)
        latest = dict(evenings._latest)
        evenings._latest.clear()
        fresh_now = snapshot.load(kept_now.table.pk)
        fresh = draw_all(fresh_now, viewers, lines, afresh=True)
        evenings._latest.clear()
        evenings._latest.update(latest)
        assert fresh_now.seq == kept_now.seq
        found = []
        for viewer in viewers:
            ours, theirs = html_of(shown[viewer]), html_of(fresh[viewer])
            names = sorted({*ours, *theirs})
            differ = [name for name in names if ours.get(name) != theirs.get(name)]
            found += [f"{viewer.page} {viewer.seat} {name}" for name in differ]
        return found

    def forgets(self, luck: random.Random) -> None:
        """Lose one of the caches, or none."""
        match luck.randrange(8):
            case 0:
                drawing.drawing_cache.forget()
            case 1:
                kept_book.forget()
            case 2:
                evenings._latest.clear()
            case 3:
                self.now = None


@pytest.fixture
def watched(db: None, dice: Dice, clock: Clock, django_capture_on_commit_callbacks: Any) -> Any:
    company = Company(Party(dice, clock).gathers())
    done(company.dora.does("speak", language="es"))
    for seat in company.table.seats.all():
        presence.put(company.table.pk, seat.number, 20)
    drawing.drawing_cache.forget()
    one = Watched(company, django_capture_on_commit_callbacks)
    yield one
    wakers.remove(one._hear)


def played(watched: Watched, luck: random.Random, count: int) -> Iterator[str]:
    """Do at random what can be done at a table; yield what is ever drawn otherwise."""
    company = watched.company
    yield from watched.differences()
    company.cast.dice.faces = [luck.randint(1, 2) for _n in range(5000)]
    words = [w for w in ASKED if w not in TEARS_DOWN]
    taken = 0
    while taken < count:
        word = luck.choice(sorted(IN_A_FIGHT - TEARS_DOWN) if luck.random() < 0.5 else words)
        who = luck.choice([company.ana, company.ana, company.ben, company.dora])
        if watched.does(who, word, **ASKED[word](company)) not in (200, 204):
            continue
        taken += 1
        yield from (f"{word}: {where}" for where in watched.differences())
        watched.forgets(luck)


@pytest.mark.parametrize("seed", [1, 2])
def test_what_is_kept_shows_what_is_drawn_afresh(watched: Watched, seed: int):
    with watched.capture(execute=True):
        watched.company.fights()
    assert list(played(watched, random.Random(seed), ACTIONS)) == []
    # Otherwise nothing was taken on, and the test would hold nothing.
    assert watched.advanced > ACTIONS / 2
    assert watched.reader.from_afar > ACTIONS / 4


@pytest.mark.parametrize("path", ["gm", "my", "board"])
def test_what_is_overlooked_around_pieces_is_noticed(
    watched: Watched, monkeypatch: pytest.MonkeyPatch, path: str
):
    """The control: what stands around a fight's pieces is kept by less than it shows."""
    real, left_out = kept.reads_of, tuple(path.split("."))

    def blind(env: Environment, name: str, *, with_pieces: bool = True) -> frozenset[Path]:
        found = real(env, name, with_pieces=with_pieces)
        if with_pieces:
            return found
        return frozenset(p for p in found if p[: len(left_out)] != left_out)

    monkeypatch.setattr(kept, "reads_of", blind)
    kept.stencil_of.cache_clear()
    with watched.capture(execute=True):
        watched.company.fights()
    # A screen is stale, or what stands around asks for a piece that is not there any more.
    with pytest.raises((AssertionError, KeyError)):
        assert next(played(watched, random.Random(1), 2 * ACTIONS), None) is None
    kept.stencil_of.cache_clear()


def test_an_evening_that_is_handed_on_is_the_one_that_would_be_read(watched: Watched):
    with watched.capture(execute=True):
        watched.company.fights()
    watched.follow()
    company = watched.company
    company.cast.dice.faces = [2] * 100
    for word in ("fight-attack", "change_hp", "give_item", "pass_turns", "ask_saves", "new_pile"):
        assert watched.does(company.ana, word, **ASKED[word](company)) in (200, 204), word
        more = watched.follow().more
        evenings._latest.clear()
        fresh = evenings.load(company.table)
        for name in evenings._PARTS:
            kept, read = getattr(more, name), getattr(fresh, name)
            assert memory.same(read, kept) is kept or read == kept, (word, name)


def test_what_is_committed_while_a_table_is_read_counts_once(watched: Watched):
    """R4, on PostgreSQL: a table's row is read first, and the rest may be of the next commit.

    A play that was noted twice kept an older one from being offered to whoever could undo it.
    """
    company, fields = watched.company, ASKED["change_hp"](watched.company)
    for play in range(recent.OFFERED_FOR + 1):
        early = company.table
        assert watched.does(company.ana, "change_hp", **{**fields, "by": (-1) ** play}) == 204
    committed = watched.done[-1]
    found = recent.and_last(recent.recent_at(early), committed)
    assert [one.pk for one in found] == [one.pk for one in recent.recent_at(company.table)]


def test_a_card_kept_though_its_row_has_changed_is_noticed(watched: Watched, monkeypatch):
    """The control: cards of people found by their number, whatever has become of them."""
    real = memory.Memory.once

    def once(self: Any, make: Any, *of: Any) -> Any:
        if make is people._person_card:
            for key, (things, card) in self._before.items():
                if key[0] is make and things[1].pk == of[1].pk:
                    return card
        return real(self, make, *of)

    monkeypatch.setattr(memory.Memory, "once", once)
    watched.differences()
    fields = ASKED["change_hp"](watched.company)
    assert watched.does(watched.company.ben, "change_hp", **fields) in (200, 204)
    assert watched.differences() != []


def test_a_region_kept_by_a_wrong_key_is_noticed(watched: Watched, monkeypatch):
    """The control: regions of which nothing that they read is in the key."""
    with watched.capture(execute=True):
        watched.company.fights()
    monkeypatch.setattr("games.screens.kept.Stencil.key", lambda self, given: ())
    watched.company.cast.dice.faces = [2] * 100
    watched.differences()
    watched.does(watched.company.ana, "fight-hurt", **ASKED["fight-hurt"](watched.company))
    assert watched.differences() != []


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Gather the names of the templates that are drawn, and not shown as they were kept."""
    found: list[str] = []
    real = kept.Stencil.draw

    def draw(self: kept.Stencil, *of: Any) -> kept.Drawn:
        found.append(self.name)
        return real(self, *of)

    monkeypatch.setattr(kept.Stencil, "draw", draw)
    return found


def test_the_forms_of_a_round_are_drawn_once_for_all_rounds(watched: Watched, drawn: list[str]):
    """Their ids change with the scene, so that nothing ticked in one round counts in the next."""
    strikes, ana = "characters/phone/strikes.jinja", watched.company.ana
    with watched.capture(execute=True):
        watched.company.fights()
    assert watched.differences() == []
    assert strikes in drawn
    before = watched.follow().more.game.scene
    drawn.clear()
    assert watched.does(ana, "fight-initiative", dice="6") in (200, 204)
    assert watched.differences() == []
    assert watched.follow().more.game.scene > before
    assert strikes not in drawn


def test_of_the_hosts_fight_a_blow_draws_what_it_changes(watched: Watched, drawn: list[str]):
    """A host taps twenty blows in a row: the region is the largest there is, and stays (R5).

    Nor is anything else that may be done for those of the party whose turn it stays.
    """
    company = watched.company
    with watched.capture(execute=True):
        company.fights()
    watched.differences()
    drawn.clear()
    blow = {**ASKED["fight-attack"](company), "dice": "19,1"}
    assert watched.does(company.ben, "fight-attack", **blow) in (200, 204)
    assert watched.differences() == []
    assert "characters/gm/foe-now.jinja" in drawn
    assert "characters/gm/gm-fight.jinja" not in drawn
    assert drawn.count("characters/gm/fighter-more.jinja") <= 1
