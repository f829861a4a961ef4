"""Any field of any Knave action, whatever stands in it: 204 or 4xx in words, never a 500.

Also the keys of rows that are another table's, or gone. What was refused changed nothing: all rows
are compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec
import pytest
from django.db import connection
from django.http import HttpResponse, QueryDict

from characters.models import Encounter, Goal, Pile
from games.errors import Refused
from games.live import taps
from games.services.act import ACTIONS, Actor, Tap, act
from games.text import without_nul
from tests.characters.company import (
    ASKED,
    BIDI,
    KNAVELESS,
    Company,
    all_rows,
    stands_ready,
)
from tests.characters.crew import knave, owns
from tests.games.party import NEVER, Person, notice
from tests.games.tried import taken_back
from tests.sizes import size

T = TypeVar("T")
REFUSED = (403, 404, 409, 422)
TYPED = ["", "-1", "0", str(2**63), "9" * 4500, "NaN", f"\x00{BIDI}", "[]", "x" * 5000]
SENT: list[Any] = [None, [], {}, 1.5, 10**30, "x\x00", ["x"] * 99]

needs_a_count = pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite counts")


def who_does(company: Company, word: str) -> Person:
    return company.ben if word in KNAVELESS else company.ana


class Tries:
    """Tries things one after the other at a table that stays as it is, and notes what is wrong."""

    def __init__(self, company: Company) -> None:
        self.company = company
        self.wrong: list[tuple[Any, ...]] = []
        self.turn = 0

    def every_action(self) -> Iterator[tuple[str, Person, dict[str, Any]]]:
        """Yield every action's word, who may do it, and fields with which it can be done."""
        for word in ASKED:
            with taken_back():
                fields = stands_ready(self.company, word)
                self.before = all_rows()
                who = who_does(self.company, word)
                self.place = (who.table.pk, who.row.device_id, who.seat, who.scene)
                yield word, who, fields

    def some_of(self, values: Sequence[T]) -> Sequence[T]:
        """Return all of them in the full size; else a third, another one each time."""
        self.turn += 1
        return size(values[self.turn % 3 :: 3], values)

    def acts(self, word: str, **fields: Any) -> HttpResponse:
        """Answer a form as the page and the socket do, without the way there: there are thousands.

        It comes from whoever does the action that is being tried.
        """
        table, device, seat, scene = self.place
        post = QueryDict(mutable=True)
        post.update({"action": word, "saw": str(scene), "tap": "try"})
        post.update({name: str(value) for name, value in fields.items()})
        try:
            taps.do(table, device, seat, post, 0)
        except Refused as refusal:
            return HttpResponse(refusal.message, status=refusal.status)
        return HttpResponse(status=204)

    def converts(self, word: str, fields: dict[str, Any]) -> HttpResponse:
        """Answer JSON as the API does, without the way there."""
        table, device, seat, scene = self.place
        try:
            action = msgspec.convert(without_nul({"action": word, **fields}), ACTIONS[word])
            act(table, Actor(seat, device), action, Tap("try", saw=scene))
        except msgspec.ValidationError as error:
            return HttpResponse(str(error), status=422)
        except Refused as refusal:
            return HttpResponse(refusal.message, status=refusal.status)
        return HttpResponse(status=200)

    def send(self, what: tuple[Any, ...], send: Any, *, allowed: tuple[int, ...] = REFUSED) -> int:
        """Send something and take back what it did; a refusal has words and changes nothing."""
        self.company.cast.dice.faces = [2] * 2000
        with taken_back(), all_rows.writing() as statements:
            answer: HttpResponse = send()
            status = answer.status_code
            is_untouched = status < 400 or not statements or all_rows() == self.before
        if status not in allowed or not is_untouched or (status >= 400 and not notice(answer)):
            self.wrong.append((*what, status, is_untouched, notice(answer)[:80]))
        return status


def fields_of(word: str) -> tuple[str, ...]:
    return ACTIONS[word].__struct_encode_fields__


def test_a_row_that_was_written_is_noticed_though_it_was_taken_back(company: Company):
    """The control: a refusal that writes would not go unseen."""
    for write in (
        lambda: Goal.objects.filter(pk=company.goal.pk).update(worth=7),
        lambda: Goal.objects.create(table=company.table, text="Rest", worth=1),
        company.goal.delete,
    ):
        with taken_back(), all_rows.writing() as statements:
            write()
        assert statements


@needs_a_count
def test_what_is_written_of_a_phone_alone_is_no_row_of_the_table(company: Company):
    """Who knows no seat here is given a session at most: nothing has to be compared."""
    with taken_back(), all_rows.writing() as statements:
        company.ben.client.session.save()
    assert statements == []


# --- every field of every action -----------------------------------------------------------------


def test_a_field_with_anything_typed_into_it_is_answered(company: Company):
    tries = Tries(company)
    for word, who, fields in tries.every_action():
        for name in fields_of(word):
            given = {**fields, name: NEVER}
            tries.send(
                (word, name, "missing"),
                lambda w=who, a=word, g=given: w.does(a, tap="try", **g),
                allowed=(200, 204, *REFUSED),
            )
            for typed in tries.some_of(TYPED):
                given = {**fields, name: typed}
                is_nonsense = name in NUMBERS and typed in NO_NUMBERS
                tries.send(
                    (word, name, typed[:20]),
                    lambda a=word, g=given: tries.acts(a, **g),
                    allowed=(422,) if is_nonsense else (200, 204, *REFUSED),
                )
    assert tries.wrong == []


NUMBERS = {"character", "item", "pile", "goal", "call", "count", "amount", "turns", "gold", "level"}
NO_NUMBERS = ("NaN", f"\x00{BIDI}", "[]", "x" * 5000)


def posts(who: Person, word: str, fields: dict[str, Any]) -> HttpResponse:
    action = {"action": word, **fields}
    body = json.dumps({"seat": who.seat, "action": action, "tap": "try", "saw": who.scene})
    path = f"/api/tables/{who.code}/actions/"
    return who.client.post(path, body, content_type="application/json")


def test_a_field_of_another_type_is_answered_to_a_program(company: Company):
    tries = Tries(company)
    for word, who, fields in tries.every_action():
        for name in fields_of(word):
            for n, sent in enumerate(tries.some_of(SENT)):
                given = {**fields, name: sent}
                tries.send(
                    (word, name, sent),
                    lambda w=who, a=word, g=given, n=n: (
                        tries.converts(a, g) if n else posts(w, a, g)
                    ),
                    allowed=(422,) if isinstance(sent, dict) else (200, *REFUSED),
                )
    assert tries.wrong == []


@pytest.mark.parametrize("depth", [100, 400, 900, 5000])
def test_a_value_of_any_depth_is_answered_to_a_program(company: Company, depth: int):
    deep = "[" * depth + "]" * depth
    action = f'{{"action": "add_npc", "name": {deep}}}'
    body = f'{{"seat": {company.ana.seat}, "tap": "try", "action": {action}}}'
    path = f"/api/tables/{company.table.code}/actions/"
    answer = company.ana.client.post(path, body, content_type="application/json")
    assert answer.status_code in (400, 422)


DICE = ("0", "21", "2,2", "1" * 200, "x", "-1", "\u0661")
NO_DICE = ("1" * 200, "x", "-1", "\u0661")


def test_typed_dice_of_any_kind_are_answered(company: Company):
    tries = Tries(company)
    for word, _who, fields in tries.every_action():
        if word == "roll_dice":
            continue  # its dice are what the app is to roll
        for dice in tries.some_of(DICE):
            tries.send(
                (word, dice),
                lambda a=word, d=dice, f=fields: tries.acts(a, dice=d, **f),
                allowed=(422,) if dice in NO_DICE else (204, *REFUSED),
            )
    assert tries.wrong == []


# --- rows that are not theirs, or not there ------------------------------------------------------


@pytest.fixture
def elsewhere(company: Company) -> dict[str, Any]:
    """The keys of another table's rows, by the fields in which they would be sent."""
    fay = Person("Fay")
    table = fay.opens_table("The Goose")
    one = knave(table, fay, "Fay's own")
    pile = Pile.objects.create(table=table, name="Cairn", gold=1)
    encounter = Encounter.objects.create(
        table=table, name="Bridge", foes=company.ambush.__class__.objects.get().foes
    )
    return {
        "character": one.pk,
        "to": one.pk,
        "who": one.pk,
        "item": owns(one, "torch").pk,
        "container": owns(one, "sack").pk,
        "pile": pile.pk,
        "goal": Goal.objects.create(table=table, text="Theirs").pk,
        "call": company.call.__class__.objects.create(table=table, ability="str").pk,
        "encounter": encounter.pk,
        "seat_to": 77,
        "event": 4_000,
        "by": f"k{one.pk}",
        "on": f"k{one.pk}",
        "of": f"k{one.pk}",
        "foe": "goblin-9",
    }


GONE = {
    **dict.fromkeys(("character", "to", "who", "item", "container", "pile", "goal"), 10**6),
    **dict.fromkeys(("call", "encounter", "event", "article", "spell", "trade", "monster"), 10**6),
    **dict.fromkeys(("by", "on", "of"), "k1000000"),
    "foe": "nobody",
    "seat_to": 998,
}


def named_rows(word: str, fields: dict[str, Any]) -> Iterator[str]:
    """Yield the fields of an action in which it names a row."""
    for name in fields_of(word):
        is_key = name in GONE and isinstance(fields.get(name), int)
        is_id = name in ("by", "on", "of", "who", "foe") and isinstance(fields.get(name), str)
        if is_key or is_id:
            yield name


@pytest.mark.parametrize("where", ["another table's", "gone"])
def test_a_row_that_is_not_at_the_table_is_refused(
    company: Company, elsewhere: dict[str, Any], where: str
):
    tries, keys = Tries(company), elsewhere if where == "another table's" else GONE
    for word, who, fields in tries.every_action():
        for name in named_rows(word, fields):
            if name not in keys:
                continue  # the book's rows are every table's
            given = {**fields, name: keys[name]}
            tries.send((word, name), lambda w=who, a=word, g=given: w.does(a, tap="try", **g))
    assert tries.wrong == []


ROWS = {
    "character": "ash", "to": "birch", "item": "torches", "pile": "cellar", "goal": "goal",
    "call": "call",
}  # fmt: skip


def test_a_row_that_has_just_been_deleted_is_refused(company: Company):
    tries = Tries(company)
    for word, who, fields in tries.every_action():
        for name in (n for n in named_rows(word, fields) if n in ROWS):
            with taken_back():
                model = type(getattr(company, ROWS[name]))
                model.objects.filter(pk=fields[name]).delete()
                tries.before = all_rows()
                tries.send((word, name), lambda w=who, a=word, f=fields: w.does(a, **f))
    assert tries.wrong == []
