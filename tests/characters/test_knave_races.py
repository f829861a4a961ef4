"""Many hands at one table's things (R2, R3): one torch has one taker, and nothing is lost or made.

The quick numbers are 8 rounds, 12 moves a hand and 50 taps, on a SQLite file and on PostgreSQL
when it is there; TAPROOM_RACES, TAPROOM_MOVES and TAPROOM_TAPS set others.
"""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Callable
from typing import Any

from tests.games import crowd
from tests.games.crowd import BATCH, HANDS, LONGEST_WAIT, THREADS
from tests.games.databases import file_database
from tests.sizes import size

ROUNDS = int(os.environ.get("TAPROOM_RACES", size("8", "1000")))
MOVES = int(os.environ.get("TAPROOM_MOVES", size("12", "400")))
TAPS = int(os.environ.get("TAPROOM_TAPS", size("50", "10000")))
KNAVES = 4
START = {"torch": 6, "travel-rations": 6, "arrows": 20, "sword": 1}
COINS = {"gold": 20, "silver": 20, "copper": 20}


# --- jobs: they run in processes of their own, whose Django is set up by then --------------------


def _table(knaves: int) -> list[int]:
    """Write a table with so many knaves, each with a seat of one phone; return their keys."""
    from django.utils import timezone

    from characters.models import Character, Party
    from games.models import Device, Seat, Table

    crowd.migrate()
    later = timezone.now() + timezone.timedelta(hours=12)
    device = Device.objects.create()
    table = Table.objects.create(name="Rush", rules="knave", door_closes_at=later)
    Party.objects.create(table=table)
    keys = []
    for number in range(1, knaves + 1):
        seat = Seat.objects.create(
            table=table, number=number, place=number, name=f"Player {number}", device=device
        )
        one = Character.objects.create(
            table=table, seat=seat, name=f"Knave {number}", state="up", hp=4, max_hp=4,
            may_overload=True, **COINS,
        )  # fmt: skip
        keys.append(one.pk)
    return keys


def _lay_out(owner: Any, key: str, count: int) -> None:
    from characters.models import Article, Pile
    from characters.services import goods

    for item in goods.pieces(owner.table, Article.objects.get(key=key), count):
        item.holder, item.pile = (None, owner) if isinstance(owner, Pile) else (owner, None)
        item.save()


def _meet(hand: int, barrier: Any, without: str, write: Callable[[], None]) -> Any:
    """Let the first hand write the table; return its row once everybody has come."""
    from games.models import Table

    if hand == 0:
        write()
    barrier.wait(LONGEST_WAIT)
    if hand % THREADS == 0 and without:
        crowd.take_out(without)
    barrier.wait(LONGEST_WAIT)
    return Table.objects.get()


def _does(table: Any, seat: int, action: Any, tap: str, errors: Any) -> Any:
    """Do an action for a seat; count how it went, and return its result if it was done."""
    from games.errors import Refused
    from games.services.act import Actor, Tap, act

    device = table.seats.first().device_id
    try:
        result = act(table.pk, Actor(seat, device), action, Tap(tap))
    except Refused as refusal:
        crowd.count(errors, f"refused {refusal.status}", 1)
        return None
    except Exception as error:
        crowd.count(errors, type(error).__name__, 1)
        return None
    crowd.count(errors, "repeat" if result.is_repeat else "done", 1)
    return result


def claim_races(
    hand: int, barrier: Any, errors: Any, found: Any, *, rounds: int, without: str = ""
) -> None:
    """Eight knaves claim one torch at once, so many times."""
    from characters import actions
    from characters.models import Item, Pile

    def write() -> None:
        from games.models import Table

        _table(HANDS)
        for n in range(rounds):
            pile = Pile.objects.create(table=Table.objects.get(), name=f"Niche {n}")
            _lay_out(pile, "torch", 1)

    table = _meet(hand, barrier, without, write)
    mine = list(table.characters.values_list("pk", flat=True))[hand]
    torches = list(table.piles.order_by("pk").values_list("items", flat=True))
    for batch in (torches[i : i + BATCH] for i in range(0, rounds, BATCH)):
        barrier.wait(LONGEST_WAIT)
        for torch in batch:
            _does(table, hand + 1, actions.ClaimItem(mine, torch), f"claim-{torch}", errors)
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        taken = Item.objects.exclude(holder=None).values_list("count", flat=True)
        found.append(
            {
                "taken": sum(taken),
                "left": Item.objects.filter(holder=None).count(),
                "told": table.events.filter(kind="item_claimed").count(),
                "no gap": crowd.has_no_gap(table),
            }
        )


def storms(
    hand: int, barrier: Any, errors: Any, found: Any, *, moves: int, without: str = ""
) -> None:
    """Everybody gives, drops, claims, parts, bundles and takes back whatever there is."""
    from characters.models import Character, Item

    def write() -> None:
        for key in _table(KNAVES):
            for thing, count in START.items():
                _lay_out(Character.objects.get(pk=key), thing, count)

    table = _meet(hand, barrier, without, write)
    before = _possessions(table)
    rng, seat = random.Random(hand), hand % KNAVES + 1
    barrier.wait(LONGEST_WAIT)
    last: Any = None
    for n in range(moves):
        action = _some_move(rng, table, seat, last)
        result = _does(table, seat, action, f"storm-{hand}-{n}", errors)
        last = result.seq if result else None
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        lost = Item.objects.filter(holder=None, pile=None).count()
        is_same = _possessions(table) == before
        found.append({"same": is_same, "nowhere": lost, "no gap": crowd.has_no_gap(table)})


def _possessions(table: Any) -> dict[str, int]:
    """Count all that there is at a table, wherever it is."""
    there: Counter[str] = Counter()
    for item in table.items.select_related("article"):
        there[item.article.key] += item.count
    for owner in (*table.characters.all(), *table.piles.all()):
        for metal in COINS:
            there[metal] += getattr(owner, metal)
    return dict(there)


def _some_move(rng: random.Random, table: Any, seat: int, last: int | None) -> Any:
    """Choose a move of one's own: as a phone would that has not looked again for a while."""
    from characters import actions
    from games.actions import Undo

    me = table.characters.get(seat__number=seat)
    other = rng.choice(list(table.characters.exclude(pk=me.pk)))
    held = list(me.items.values_list("pk", "count")) or [(1, 1)]
    lying = list(table.items.filter(pile__is_open=True).values_list("pk", "count")) or [(1, 1)]
    piles = list(table.piles.values_list("pk", flat=True)) or [1]
    item, count = rng.choice(held)
    found, there = rng.choice(lying)
    some = rng.randint(1, count)
    coins = {metal: rng.randint(0, 3) for metal in COINS}
    choices = [
        actions.GiveItem(item, other.pk, some),
        actions.GiveItem(item, other.pk),
        actions.DropItem(item, some),
        actions.DropItem(item),
        actions.ClaimItem(me.pk, found, rng.randint(1, there)),
        actions.ClaimItem(me.pk, found),
        actions.SplitItem(item, some),
        actions.MergeItem(item),
        actions.LeaveHome(item, rng.random() < 0.5),
        actions.EquipItem(item, on=True),
        actions.GiveCoins(me.pk, other.pk, **coins),
        actions.ClaimCoins(me.pk, rng.choice(piles)),
        actions.ShareCoins(rng.choice(piles)),
        *([Undo(last)] if last else []),
    ]
    return rng.choice(choices)


def repeated_taps(
    hand: int, barrier: Any, errors: Any, found: Any, *, taps: int, without: str = ""
) -> None:
    """Each tap eats a ration, and arrives one to five times, by several processes."""
    from characters import actions
    from characters.models import Character, Item

    def write() -> None:
        for key in _table(1):
            _lay_out(Character.objects.get(pk=key), "travel-rations", 9000)

    table = _meet(hand, barrier, without, write)
    rations = Item.objects.get().pk
    rng = random.Random(7)
    sends = [n for n in range(taps) for _again in range(rng.randint(1, 5))]
    rng.shuffle(sends)
    for n in sends[hand::HANDS]:
        _does(table, 1, actions.UseItem(rations), f"eat-{n}", errors)
    barrier.wait(LONGEST_WAIT)
    if hand == 0:
        eaten = 9000 - Item.objects.get().count
        told = table.events.filter(kind="item_used").count()
        found.append(
            {"sent": len(sends), "eaten": eaten, "told": told, "no gap": crowd.has_no_gap(table)}
        )


# --- what must come of them ----------------------------------------------------------------------


def test_one_torch_has_one_taker_however_many_claim_it(environment: dict[str, str]):
    found = crowd.run(environment, f"{__name__}:claim_races", rounds=ROUNDS)
    assert found.pop("errors") == {"done": ROUNDS, "refused 404": ROUNDS * (HANDS - 1)}
    assert found == {"taken": ROUNDS, "left": 0, "told": ROUNDS, "no gap": True}


def test_without_the_lock_a_torch_is_not_safe(environment: dict[str, str]):
    """The control: what reads before it locks breaks, or takes what is gone."""
    found = crowd.run(environment, f"{__name__}:claim_races", rounds=20, without="lock")
    ways = {"done": 20, "refused 404": 20 * (HANDS - 1)}
    assert found["errors"] != ways or found["taken"] != 20


def test_a_storm_of_giving_dropping_and_claiming_loses_and_makes_nothing(
    environment: dict[str, str],
):
    found = crowd.run(environment, f"{__name__}:storms", moves=MOVES)
    errors = found.pop("errors")
    assert set(errors) <= {"done", *(f"refused {n}" for n in (403, 404, 409, 422))}, errors
    assert errors["done"] > HANDS * MOVES / 5
    assert found == {"same": True, "nowhere": 0, "no gap": True}


def test_a_tap_that_arrives_five_times_eats_one_ration(environment: dict[str, str]):
    found = crowd.run(environment, f"{__name__}:repeated_taps", taps=TAPS)
    sent = found.pop("sent")
    assert sent > 2 * TAPS
    assert found.pop("errors") == {"done": TAPS, "repeat": sent - TAPS}
    assert found == {"eaten": TAPS, "told": TAPS, "no gap": True}


def test_without_the_check_a_tap_eats_as_often_as_it_arrives(db: None, tmp_path: Any):
    """The control."""
    found = crowd.run(
        file_database(tmp_path), f"{__name__}:repeated_taps", taps=20, without="tap check"
    )
    assert found["eaten"] == found["sent"] > 20
