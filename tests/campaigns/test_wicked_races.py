"""Many hands at one campaign: a line has one taker, a name pays once, a die falls once.

One crowd runs all races, one table for each: eight phones tap at the same instant. The quick
number is 2 of each, on a SQLite file and on PostgreSQL when it is there; TAPROOM_RACES sets
another.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

from tests.games import crowd
from tests.games.crowd import HANDS, LONGEST_WAIT, THREADS
from tests.games.databases import file_database

ROUNDS = int(os.environ.get("TAPROOM_RACES", "2"))
GM = HANDS + 1
KINDS = ("cast", "name", "strength", "roll", "tie")

FORMS = ("covertly", "directly", "for_myself", "for_others", "with_love", "with_violence")
DICE = (12, 10, 8, 6, 6, 4)


# --- tables: they are written in a process of its own, whose Django is set up by then ------------


def _table(kind: str) -> None:
    """Write a table with eight players and a chapter, at the step where this kind of race is run.

    Seat n plays character n; seat 1 has a second one, of number 9.
    """
    from django.utils import timezone

    from campaigns import models as m
    from games.models import Device, Seat, Table

    later = timezone.now() + timezone.timedelta(hours=12)
    table = Table.objects.create(name=kind, rules="wicked_age", door_closes_at=later)
    device = Device.objects.first() or Device.objects.create()
    for n in range(1, GM + 1):
        role = "gm" if n == GM else "player"
        Seat.objects.create(table=table, number=n, place=n, name=f"P{n}", device=device, role=role)
    _does(table, GM, "BeginCampaign")
    campaign = m.Campaign.objects.get(table=table)
    step = {"cast": "choose", "strength": "sheets"}.get(kind, "play")
    chapter = m.Chapter.objects.create(campaign=campaign, number=1, step=step)
    for n in range(1, HANDS + 2):
        member = campaign.members.get(seat__number=1 if n > HANDS else n)
        forms = {f: {"base": d, "current": d} for f, d in zip(FORMS, DICE, strict=True)}
        one = m.Character.objects.create(
            campaign=campaign, number=n, owner=member, name=f"C{n}", forms=forms
        )
        before = {"forms": forms} if step == "play" else {}
        m.Part.objects.create(chapter=chapter, character=one, member=member, before=before)
    if kind == "cast":
        m.CastLine.objects.create(chapter=chapter, text="a priest")
    elif kind == "strength":
        version = {"options": ["unique"], "broad_form": "", "hits_pc": "", "hits_npc": ""}
        m.Strength.objects.create(
            campaign=campaign, number=1, name="The crown", pc_form="covertly", npc_form="action",
            version=version,
        )  # fmt: skip
    else:
        _puts_dice_down(table, campaign, chapter, kind)


def _puts_dice_down(table: Any, campaign: Any, chapter: Any, kind: str) -> None:
    """Let C1 be in a sequence with C2; where names are raced for, C9 in another with C3."""
    from campaigns.models import Owed

    people = {one.number: one.pk for one in campaign.characters.all()}
    if kind == "name":
        one = campaign.characters.get(number=1)
        Owed.objects.create(campaign=campaign, order=1, character=one, chapter=chapter)
    for pair in ((1, 2), (9, 3)) if kind == "name" else ((1, 2),):
        first, second = (people[n] for n in pair)
        _does(table, GM, "StartSequence", "Runs", first, (second,))
        fight = chapter.sequences.latest("pk").pk
        for one in (first, second):
            _does(table, GM, "TakeDice", fight, one, ("covertly", "directly"))
        for one in (first, second) if kind == "tie" else ():
            _does(table, GM, "RollForms", fight, one, faces=(9, 3))


TAPS = iter(range(10**9))


def _does(table: Any, seat: int, word: str, /, *fields: Any, **tap: Any) -> None:
    from campaigns import actions
    from games.services.act import Actor, Tap, act

    device = table.seats.first().device_id
    action = getattr(actions, word)(*fields)
    act(table.pk, Actor(seat, device), action, Tap(f"t{os.getpid()}-{next(TAPS)}", **tap))


def _races(kind: str, table: Any, hand: int) -> None:
    """Tap as this hand does in a race of this kind: what each has seen is what all have."""
    from campaigns.models import CastLine, Character, Owed, Sequence, Strength

    me = Character.objects.get(campaign__table=table, number=hand + 1)
    fights = list(Sequence.objects.filter(chapter__campaign__table=table).select_related("game"))
    two = list(Character.objects.filter(campaign__table=table, number__in=(1, 9)))
    saw = fights[0].game.scene if fights else None
    if kind == "cast":
        _does(table, hand + 1, "TakeCast", CastLine.objects.get(chapter__campaign__table=table).pk)
    elif kind == "strength":
        there = Strength.objects.get(campaign__table=table)
        _does(table, hand + 1, "TakeStrength", me.pk, there.pk)
    elif kind == "name":
        at = hand % 2
        name = Owed.objects.get(campaign__table=table).pk
        saw = fights[at].game.scene
        _does(table, (1, GM)[hand // 4], "BuyDie", fights[at].pk, two[at].pk, name, saw=saw)
    elif kind == "roll":
        number = hand % 2 + 1
        who = Character.objects.get(campaign__table=table, number=number)
        _does(table, (number, GM)[hand // 4], "RollForms", fights[0].pk, who.pk, saw=saw)
    else:
        number = hand % 2 + 1
        who = Character.objects.get(campaign__table=table, number=number)
        word = ("PressOn", "BackAway")[hand % 2]
        _does(table, (number, GM)[hand // 4], word, fights[0].pk, who.pk, saw=saw)


def races(
    hand: int, barrier: Any, errors: Any, found: Any, *, rounds: int, without: str = ""
) -> None:
    """Eight hands at every table at once."""

    from games.errors import Refused
    from games.models import Table

    if hand == 0:
        crowd.migrate()
        for _n in range(rounds):
            for kind in KINDS:
                _table(kind)
    barrier.wait(LONGEST_WAIT)
    if hand % THREADS == 0 and without:
        crowd.take_out(without)
    tables = list(Table.objects.order_by("pk"))
    for table in tables:
        barrier.wait(LONGEST_WAIT)
        try:
            _races(table.name, table, hand)
            crowd.count(errors, f"{table.name} done", 1)
        except Refused as refusal:
            crowd.count(errors, f"{table.name} refused {refusal.status}", 1)
        except Exception as error:
            crowd.count(errors, f"{type(error).__name__}: {error}", 1)
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        found.append(_looks(tables))


def _looks(tables: list[Any]) -> dict[str, Any]:
    """Count what came of the races."""
    from campaigns.models import CastLine, Holding, Owed, Sequence
    from games.models import Event
    from games.rules import records
    from games.stored import record_of, state_of

    found: Counter[str] = Counter()
    for line in CastLine.objects.all():
        is_right = line.taken_by is not None and len(set(line.wanted_by)) == HANDS - 1
        found["one taker, and all others want her"] += is_right
        found["the taker does not want"] += line.taken_by.number not in line.wanted_by
    found["names struck"] = Owed.objects.filter(struck="die").count()
    found["crowns"] = Holding.objects.count()
    for table in tables:
        found["gaps"] += not crowd.has_no_gap(table)
    for row in Sequence.objects.select_related("game__table"):
        state = state_of(row.game)
        found["not replayed"] += records.replay(record_of(row.game)).state != state
        if row.game.table.name == "name":
            found["dice bought"] += sum(one.bought for one in state.participants)
    fell = Event.objects.filter(kind="dice_fell", table__name="roll")
    found["rolled"] = fell.count()
    found["rolled by both"] = len(set(fell.values_list("table", "data__name")))
    return dict(found)


# --- what must come of them ----------------------------------------------------------------------


def test_everything_has_one_taker_however_many_tap_at_once(environment: dict[str, str]):
    """A line (WA-11), a name (WA-65), a unique strength (WA-25), a die, a word in a tie (WA-52)."""
    found = crowd.run(environment, f"{__name__}:races", rounds=ROUNDS)
    ways = found.pop("errors")
    losers = ROUNDS * (HANDS - 1)
    assert ways.pop("cast done") == ROUNDS * HANDS
    assert (ways.pop("name done"), ways.pop("strength done")) == (ROUNDS, ROUNDS)
    assert ways.pop("name refused 404", 0) + ways.pop("name refused 409", 0) == losers
    assert ways.pop("strength refused 409") == losers
    assert (ways.pop("roll done"), ways.pop("roll refused 409")) == (
        2 * ROUNDS, ROUNDS * (HANDS - 2)
    )  # fmt: skip
    assert 1 * ROUNDS <= ways.pop("tie done") <= 2 * ROUNDS
    assert ways.pop("tie refused 409") >= ROUNDS * (HANDS - 2)
    assert not ways, ways
    assert found == {
        "one taker, and all others want her": ROUNDS,
        "the taker does not want": ROUNDS,
        "names struck": ROUNDS,
        "dice bought": ROUNDS,
        "crowns": ROUNDS,
        "rolled": 2 * ROUNDS,
        "rolled by both": 2 * ROUNDS,
        "gaps": 0,
        "not replayed": 0,
    }


def test_without_the_lock_nothing_of_it_is_safe(db: None, tmp_path: Any):
    """The control: what reads before it locks breaks, or takes what is gone."""
    found = crowd.run(file_database(tmp_path), f"{__name__}:races", rounds=2, without="lock")
    done = [found["errors"][f"{kind} done"] for kind in ("cast", "name", "strength", "roll")]
    assert done != [2 * HANDS, 2, 2, 4]
