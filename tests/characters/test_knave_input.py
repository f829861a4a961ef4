"""Whatever is typed, sent or gone at a Knave table: 204 or 4xx in words, never a 500.

What was refused changed nothing: all rows are compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.http import HttpResponse, QueryDict

from characters.models import Character, Encounter, Goal, Monster, Pile
from games.errors import Refused
from games.live import taps
from games.models import Play
from games.services.act import ACTIONS, Actor, Tap, act
from games.text import without_nul
from tests.characters.company import (
    ASKED,
    KNAVELESS,
    Company,
    all_rows,
    stands_ready,
    taken_back,
)
from tests.characters.crew import knave, owns
from tests.games.party import NEVER, Person, done, notice, refused
from tests.sizes import size
from tests.standing import rows_written

T = TypeVar("T")
REFUSED = (403, 404, 409, 422)
BIDI = "\u202e\u2066\u200f"
TYPED = ["", "-1", "0", str(2**63), "9" * 4500, "NaN", f"\x00{BIDI}", "[]", "x" * 5000]
SENT: list[Any] = [None, [], {}, 1.5, 10**30, "x\x00", ["x"] * 99]
LETTERS = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # Persian, with a joiner in it

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
        with taken_back():
            written = rows_written()
            answer: HttpResponse = send()
            status = answer.status_code
            is_untouched = status < 400 or (
                (written is not None and rows_written() == written) or all_rows() == self.before
            )
        if status not in allowed or not is_untouched or (status >= 400 and not notice(answer)):
            self.wrong.append((*what, status, is_untouched, notice(answer)[:80]))
        return status


def fields_of(word: str) -> tuple[str, ...]:
    return ACTIONS[word].__struct_encode_fields__


@needs_a_count
def test_a_row_that_was_written_is_counted_though_it_was_taken_back(company: Company):
    """The control: a refusal that writes would not go unseen."""
    before = rows_written()
    with taken_back():
        Goal.objects.filter(pk=company.goal.pk).update(worth=7)
    assert rows_written() == before + 1


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


# --- coins, wounds, names, monsters --------------------------------------------------------------


def test_kn4_ten_thousand_coins_are_a_hundred_slots_and_refused(company: Company):
    before = all_rows()
    asked = {"character": company.ash.pk, "copper": 10_000}
    assert "slot" in refused(company.ben.does("set_coins", **asked), 409)
    assert all_rows() == before
    done(company.ana.does("new_pile", name="Hoard", copper=10_000))
    hoard = Pile.objects.get(name="Hoard")
    refused(company.ben.does("claim_coins", character=company.ash.pk, pile=hoard.pk), 409)
    refused(company.ben.does("share_coins", pile=hoard.pk), 409)
    assert Pile.objects.get(pk=hoard.pk).copper == 10_000


def test_kn4_ten_thousand_coins_by_the_referees_word_show_on_every_page(company: Company):
    done(company.ana.does("allow_overload", character=company.ash.pk, on="true"))
    done(company.ben.does("set_coins", character=company.ash.pk, gold=999_999, copper=10_000))
    for page in ("", f"knave/{company.ash.pk}/", f"knave/{company.ash.pk}/print/"):
        assert "999999" in company.ben.sees(page)
    company.ana.sees("gm/")
    refused(company.ben.does("set_coins", character=company.ash.pk, gold=1_000_000), 422)


def test_kn16_five_below_nothing_is_a_grave_that_every_page_bears(company: Company):
    done(company.ben.does("change_hp", character=company.ash.pk, by=-9))
    ash = Character.objects.get(pk=company.ash.pk)
    assert (ash.hp, ash.state) == (-5, "dead")
    for person, page in (
        (company.ben, ""), (company.tess, "screen/"), (company.ana, "gm/"), (company.dora, ""),
        (company.ben, "graveyard/"), (company.ben, f"knave/{ash.pk}/"),
    ):  # fmt: skip
        assert person.sees(page)
    assert "Ash" in company.ben.sees("graveyard/")
    before = all_rows()
    refused(company.ben.does("change_hp", character=ash.pk, by=3), 409)
    assert all_rows() == before


def test_hit_points_are_never_below_what_a_row_can_hold(company: Company):
    for _blow in range(40):
        answer = company.ana.does("hurt_many", amount=999, who=company.ash.pk)
        if answer.status_code != 204:
            break
    assert Character.objects.get(pk=company.ash.pk).hp == 4 - 999
    fields = {"character": company.tib.pk, "by": -999}
    done(company.ana.does("change_hp", **fields))
    assert Character.objects.get(pk=company.tib.pk).hp == 4 - 999


NAMED = {
    "confirm_knave": (lambda c: {"character": c.draft.pk}, Character),
    "edit_knave": (lambda c: {"character": c.ash.pk}, Character),
    "add_npc": (lambda c: {}, Character),
    "hire": (ASKED["hire"], Character),
    "new_pile": (lambda c: {}, Pile),
    "prepare_encounter": (lambda c: {}, Encounter),
}


@pytest.mark.parametrize("word", NAMED)
def test_an_arabic_name_is_kept_and_what_turns_the_line_round_is_not(company: Company, word: str):
    fields, model = NAMED[word]
    done(company.ana.does(word, **{**fields(company), "name": f" {BIDI}{LETTERS}\x00\u202e "}))
    assert model.objects.filter(name=LETTERS).exists()
    # PostgreSQL keeps NUL in no row, the log's own copy of the action among them.
    assert "\\u0000" not in json.dumps(Play.objects.latest("pk").action)
    for page in ("", "screen/", "gm/"):
        seen = company.ana.sees(page)
        assert not any(sign in seen for sign in BIDI)


@pytest.mark.parametrize("word", sorted(NAMED))
@pytest.mark.parametrize("name", ["x" * 61, "x" * 10_000, BIDI + "\x00", "\u0300" * 9_000])
def test_a_name_that_is_none_is_refused(company: Company, word: str, name: str):
    fields, _model = NAMED[word]
    before = all_rows()
    refused(company.ana.does(word, **{**fields(company), "name": name}), 422)
    assert all_rows() == before


@pytest.mark.parametrize(
    "figures",
    [
        {"level": 999, "hp": 9_999, "armor_defense": 999},
        {"level": 999},
        {"hp": 30_000},
        {"attack_bonus": 999, "morale": 99},
        {"attacks": [{"name": "x" * 999, "die": 10**9, "count": 10**9}]},
        {"attacks": {"name": "claw"}},
        {"attacks": ["claw", None, {"die": "d6"}, {"die": 6, "count": -3}]},
        {"name": "x" * 80},
        {"name": LETTERS},
    ],
)
def test_a_monster_of_any_figures_is_answered(company: Company, figures: dict[str, Any]):
    """The house's admin takes what no fight does."""
    given = {"key": "odd", "name": "Odd", "is_own": True, **figures}
    odd = Monster.objects.create(**given)
    before = all_rows()
    answer = company.ana.does("add_foes", encounter=0, monster=odd.pk, count=30)
    if answer.status_code == 204:
        done(company.ana.does("start_fight", encounter=company.ambush.pk))
    else:
        refused(answer, 409)
        assert all_rows() == before
    for person, page in ((company.ana, "gm/"), (company.ben, ""), (company.tess, "screen/")):
        assert person.sees(page)


def test_a_monster_of_level_999_does_not_come(company: Company):
    giant = Monster.objects.create(key="giant", name="Giant", level=999, hp=9_999, is_own=True)
    assert refused(company.ana.does("add_foes", encounter=0, monster=giant.pk), 409)


STAT_LINES = [
    "?", "AC", "AC 5", "HD", "HD 9999999999", "HD d", "HD 1d0", "AC -99999", "ML 99", "\x00",
    "AC 5, HD 2+1, #AT 999999, D 1-9999999, ML 7", "DM 1d" + "9" * 400, "x" * 4000,
    "AC:::::5;;;HD===2", "Orc " * 900, "AC ٥ HD ٢", "{'AC': 5}", "HD 3**9 AC 5",
    "(" * 4000, "-" * 4000, "AC 5 " * 700, "1d6" * 1300, f"{BIDI}Orc: AC 6, HD 1",
    "THAC0 -5 AC -5 HD -5 hp -5 #AT -5 D -5 ML -5",
]  # fmt: skip


@pytest.mark.parametrize("text", STAT_LINES, ids=range(len(STAT_LINES)))
@pytest.mark.parametrize("is_adnd", ["true", "false"])
def test_a_stat_line_of_any_letters_is_answered(company: Company, text: str, is_adnd: str):
    before = all_rows()
    given = {"encounter": 0, "text": text, "is_adnd": is_adnd, "count": 2}
    answer = company.ana.does("add_stat_line", **given)
    if answer.status_code == 204:
        done(company.ana.does("start_fight", encounter=company.ambush.pk))
    else:
        assert answer.status_code in (409, 422)
        assert all_rows() == before
    assert company.ana.sees("gm/")


def test_a_stat_line_of_more_than_4000_letters_is_refused(company: Company):
    before = all_rows()
    refused(company.ana.does("add_stat_line", encounter=0, text="AC 5 HD 1 " + "x" * 4000), 422)
    assert all_rows() == before


def test_four_thousand_letters_of_notes_are_kept_without_what_nobody_sees(company: Company):
    notes = "".join(f"line {n}\x00\x07\x1b{BIDI}\n" for n in range(400))[:4000]
    fields = {"character": company.ash.pk, "name": "Ash", "notes": notes}
    done(company.ben.does("edit_knave", **fields))
    kept = Character.objects.get(pk=company.ash.pk).notes
    assert "line 0\nline 1\n" in kept
    assert not set(kept) & set(f"\x00\x07\x1b{BIDI}")
    page = company.ben.sees(f"knave/{company.ash.pk}/")
    assert "line 100" in page
    assert not set(page) & set("\x00\x07\x1b")


def test_notes_past_8000_letters_are_refused_whole(company: Company):
    before = all_rows()
    fields = {"character": company.ash.pk, "name": "Ash", "notes": "x" * 8001}
    refused(company.ben.does("edit_knave", **fields), 422)
    assert all_rows() == before


@pytest.mark.parametrize("page", ["0", "-1", "999999", "x", "9" * 400, "\u0667"])
def test_any_page_of_a_sheets_record_is_answered(company: Company, page: str):
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/"
    assert company.ben.client.get(path, {"page": page, "q": page}).status_code == 200
    assert company.ben.client.get(path + "shop/", {"q": page * 99}).status_code == 200


@pytest.mark.parametrize("key", ["0", str(2**31), str(2**63), str(10**30)])
def test_any_key_in_a_pages_address_is_answered(company: Company, key: str):
    table = f"/t/{company.table.code}"
    for page in ("", "print/", "portrait/", "shop/"):
        assert company.ben.client.get(f"{table}/knave/{key}/{page}").status_code == 404
    assert company.ana.client.get(f"{table}/gm/as/{key}/").status_code == 404


PICTURES = [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\x00" * 64, b"<svg onload=alert(1)>", b"x" * 9]


@pytest.mark.parametrize("sent", PICTURES, ids=range(len(PICTURES)))
def test_a_portrait_that_is_no_picture_is_refused(company: Company, sent: bytes):
    before = all_rows()
    photo = SimpleUploadedFile("me.png", sent, "image/png")
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    refused(company.ben.client.post(path, {"tap": "try", "photo": photo}), 422)
    assert all_rows() == before
