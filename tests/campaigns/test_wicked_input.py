"""Whatever is typed, sent or gone in a campaign: done, or refused in words, never a fault.

What was refused changed nothing: all rows are compared. Taps go in by the two readers, of forms
and of JSON, and the one way in behind both; that a refusal becomes an answer with its status is
tested with the table's own actions.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.http import QueryDict
from django.utils import translation

from campaigns.models import Campaign, Chapter, Character, Interest
from games.errors import Refused
from games.forms import read_action, read_tap
from games.models import Game, Play
from games.services.act import Actor, Tap, act
from games.text import without_nul
from tests.campaigns.asked import ASKED, by_place, who_may
from tests.campaigns.conftest import SagaAt
from tests.campaigns.saga import Fields, Saga, a_row_of_each, all_rows, an_oracle_of
from tests.campaigns.wild import CAMPAIGN_ACTIONS
from tests.games.party import NEVER, Person, done, notice, refused
from tests.games.tried import taken_back

BIDI = "\u202e\u2066\u200f"
LETTERS = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # Persian, with a joiner in it
TYPED = (NEVER, "-1", "9" * 4500, f"\x00{BIDI}", "[1,2", "%s %(name)s {}", "x" * 5000)
SENT: tuple[Any, ...] = (None, {}, True, 1.5, 2**62, "x\x00", ["x"] * 99, [2**62])
STATUSES = (403, 404, 409, 422)


class Tries:
    """Tries things one after the other at a table that stays as it is, and notes what is wrong."""

    def __init__(self, saga: Saga) -> None:
        self.saga = saga
        self.table, self.before = saga.table.pk, all_rows()
        self.wrong: list[tuple[Any, ...]] = []
        self.device = {who.name: who.device.pk for who in (saga.erin, saga.amy)}
        self.count = 0

    def types(self, who: Person, word: str, fields: Fields) -> int:
        """Send a form."""
        post = QueryDict(mutable=True)
        given = {"action": word, "saw": fields.get("saw", NEVER), **fields}
        for name, value in given.items():
            if value is not NEVER:
                post[name] = str(value)
        return self._does(who, lambda: (read_action(post), read_tap(post)))

    def posts(self, who: Person, word: str, fields: Fields) -> int:
        """Send JSON, as a program does."""
        kind = CAMPAIGN_ACTIONS[word]
        sent = without_nul({"action": word, **{n: v for n, v in fields.items() if n != "saw"}})
        tap = Tap("x", saw=fields.get("saw"))
        try:
            return self._does(who, lambda: (msgspec.convert(sent, kind), tap))
        except msgspec.ValidationError:
            return 422

    def _does(self, who: Person, read: Callable[[], tuple[Any, Tap]]) -> int:
        self.count += 1
        self.saga.dice.faces = [1] * 200
        with transaction.atomic(), translation.override("es" if self.count % 2 else "en"):
            try:
                action, tap = read()
                act(self.table, Actor(who.seat, self.device[who.name]), action, tap)
            except Refused as refusal:
                return refusal.status if refusal.message else 0
            transaction.set_rollback(True)
        return 204

    def look(self, *what: Any) -> None:
        """Insist that nothing has been written since the last look."""
        if all_rows() != self.before:
            self.wrong.append((*what, "has written"))
            self.before = all_rows()


@cache
def kinds_of(word: str) -> dict[str, type]:
    """Return the fields of an action, with what each of them holds."""
    info = msgspec.inspect.type_info(CAMPAIGN_ACTIONS[word])
    assert isinstance(info, msgspec.inspect.StructType)
    return {field.name: type(field.type) for field in info.fields}


# --- every field of every action -----------------------------------------------------------------


@pytest.mark.parametrize("place", by_place())
def test_a_field_with_anything_typed_into_it_is_answered(saga_at: SagaAt, place: str):
    saga = saga_at(place)
    tries = Tries(saga)
    for word in by_place()[place]:
        who, fields = who_may(saga, word), ASKED[word][1](saga)
        for name, kind in kinds_of(word).items():
            for typed in TYPED:
                status = tries.types(who, word, {**fields, name: typed})
                is_nonsense = kind is msgspec.inspect.IntType and typed in (
                    "-1",
                    "[1,2",
                    "x" * 5000,
                )
                if status not in ((422,) if is_nonsense else (204, *STATUSES)):
                    tries.wrong.append((word, name, str(typed)[:20], status))
        tries.look(word)
    assert tries.wrong == []


@pytest.mark.parametrize("place", by_place())
def test_a_field_of_another_type_is_answered_to_a_program(saga_at: SagaAt, place: str):
    saga = saga_at(place)
    tries = Tries(saga)
    for word in by_place()[place]:
        who, fields = who_may(saga, word), ASKED[word][1](saga)
        for name in kinds_of(word):
            for sent in SENT:
                status = tries.posts(who, word, {**fields, name: sent})
                if status not in ((422,) if sent == {} else (204, *STATUSES)):
                    tries.wrong.append((word, name, sent, status))
        tries.look(word)
    assert tries.wrong == []


def test_a_form_may_bring_what_the_action_does_not_know(saga_at: SagaAt):
    saga = saga_at("play")
    done(saga.erin.does("open_scene", where="The well", step="over", campaign=1, x="y" * 9000))
    assert saga.chapter.step == "play"


@pytest.mark.parametrize("depth", [100, 900, 5000])
def test_a_value_of_any_depth_is_answered_to_a_program(saga_at: SagaAt, depth: int):
    saga = saga_at("begun")
    action = f'{{"action": "add_member", "name": {"[" * depth + "]" * depth}}}'
    body = f'{{"seat": {saga.erin.seat}, "tap": "try", "action": {action}}}'
    path = f"/api/tables/{saga.table.code}/actions/"
    answer = saga.erin.client.post(path, body, content_type="application/json")
    assert answer.status_code in (400, 422)


@pytest.mark.parametrize("place", ["roll", "answer"])
def test_typed_dice_of_any_kind_are_answered(saga_at: SagaAt, place: str):
    saga = saga_at(place)
    fields, before = ASKED["roll_forms"][1](saga), all_rows()
    saga.dice.faces = [1, 1]
    for dice in ("0", "13", "2", "2,2,2,2", "1" * 200, "x", "-1", "\u0661", "9" * 3 + ",1"):
        refused(saga.amy.does("roll_forms", **fields, dice=dice), 422)
        assert all_rows() == before, dice
    done(saga.amy.does("roll_forms", **fields, dice=","))  # none were typed


# --- at the wrong place --------------------------------------------------------------------------

ALWAYS = {
    "begin_campaign", "rename_campaign", "front_campaign", "close_campaign", "configure_campaign",
    "link_member", "claim_member", "add_member", "mark_away", "mark_left", "write_oracle",
    "drop_oracle",
}  # fmt: skip
RECORDS = {
    "name_chapter", "place_chapter", "write_epilogue", "write_end_note", "write_chronicle",
    "owe_name", "strike_name", "mark_character", "write_sheet", "write_npc", "correct_die",
    "hand_character", "lend_character", "drop_strength", "reword_scene",
}  # fmt: skip
MAY: dict[str, set[str]] = {
    "bare": {"begin_campaign", "write_oracle"},
    "begun": {*ALWAYS, "open_chapter"},
    "over": {*ALWAYS, *RECORDS, "open_chapter"},
}
"""By place: all that can be done there. At the others it is only tried."""


HERE = ("bare", "begun", "back", "play", "over")


def test_what_has_no_place_here_is_refused(saga_at: SagaAt):
    """No campaign, no chapter, an ended one, another step: all is tried as it is elsewhere.

    A row has the same key at every place to which it comes.
    """
    asked: dict[str, Fields] = {}
    for place, words in by_place().items():
        with taken_back():
            saga = saga_at(place)
            asked |= {word: ASKED[word][1](saga) for word in words}
    wrong = []
    for place in HERE:
        with taken_back():
            saga = saga_at(place)
            tries = Tries(saga)
            for word, fields in asked.items():
                given = {**fields, "saw": saga.saw} if "saw" in fields else fields
                status = tries.types(who_may(saga, word), word, given)
                if status not in (204, *STATUSES):
                    tries.wrong.append((word, status))
                if status == 204 and place in MAY and word not in MAY[place]:
                    tries.wrong.append((word, "was done"))
                tries.look(word)
            wrong += [(place, *what) for what in tries.wrong]
    assert wrong == []


# --- rows that are not theirs, or not there ------------------------------------------------------

KEYS = {
    "campaign", "member", "character", "oracle", "owed", "line", "other", "element", "strength",
    "strengths", "holding", "interest", "scene", "sequence", "offer", "chapter", "beside",
    "actor", "who", "to", "loser", "targets", "leave",
}  # fmt: skip


def strangers_rows(saga: Saga) -> list[dict[str, Any]]:
    """Return keys that nobody may name: of the campaign that waits, of another table's, of none."""
    waiting = saga.table.campaigns.filter(is_in_front=False).first()
    fay = Person("Fay")
    theirs = Campaign.objects.create(table=fay.opens_table("The Goose"), name="Theirs")
    found = []
    for campaign in (waiting, theirs):
        game = Game.objects.create(table=campaign.table, rules="wicked_sequence", status="ended")
        found.append({**a_row_of_each(campaign, game), "oracle": an_oracle_of(fay.table)})
    found[1]["campaign"] = theirs.pk
    return [*found, dict.fromkeys(KEYS, 10**6)]


@pytest.mark.parametrize("place", [place for place in by_place() if place != "bare"])
def test_a_row_of_elsewhere_is_refused(saga_at: SagaAt, place: str):
    saga = saga_at(place)
    rows = strangers_rows(saga)
    tries = Tries(saga)
    for word in by_place()[place]:
        who, fields = who_may(saga, word), ASKED[word][1](saga)
        for name in KEYS & set(kinds_of(word)):
            for keys in rows:
                key = keys.get(name)
                if key is None or (word, name) in SEATS:
                    continue
                if (word, name) == ("choose_oracle", "oracle"):
                    key = f"own-{key}"
                if (word, name) == ("same_cast", "other"):
                    key = keys["line"]
                status = tries.types(who, word, {**fields, name: key})
                if status not in STATUSES:
                    tries.wrong.append((word, name, key, status))
        tries.look(word)
    assert tries.wrong == []


SEATS = {("link_member", "who"), ("make_npc", "line")}


# --- words that somebody types -------------------------------------------------------------------

NAMED: dict[str, tuple[str, Any]] = {
    "rename_campaign": ("name", Campaign),
    "name_chapter": ("title", Chapter),
    "make_npc": ("name", Character),
    "write_sheet": ("name", Character),
    "edit_interest": ("text", Interest),
}


@pytest.mark.parametrize("word", NAMED)
def test_an_arabic_name_is_kept_and_what_turns_the_line_round_is_not(saga_at: SagaAt, word: str):
    place, make = ASKED[word]
    saga, (field, model) = saga_at(place), NAMED[word]
    who = who_may(saga, word)
    done(who.does(word, **{**make(saga), field: f" {BIDI}{LETTERS}\x00\u202e "}))
    assert model.objects.filter(**{field: LETTERS}).exists()
    # PostgreSQL keeps NUL in no row, the log's own copy of the action among them.
    assert "\\u0000" not in json.dumps(Play.objects.latest("pk").action)


@pytest.mark.parametrize("text", ["x" * 4001, "y\n" * 40_000])
def test_a_story_that_is_too_long_is_refused_whole(saga_at: SagaAt, text: str):
    saga = saga_at("closing")
    before = all_rows()
    fields = {"character": saga.named("Mekha").pk, "text": text}
    refused(saga.amy.does("write_epilogue", **fields), 422)
    assert all_rows() == before


def test_a_story_of_many_lines_is_kept_without_what_nobody_sees(saga_at: SagaAt):
    saga = saga_at("closing")
    text = "".join(f"line {n}\x00\x07\x1b{BIDI}\n" for n in range(200))
    done(saga.amy.does("write_epilogue", character=saga.named("Mekha").pk, text=text))
    kept = saga.part(saga.amy).epilogue
    assert "line 0\nline 1\n" in kept
    assert not set(kept) & set(f"\x00\x07\x1b{BIDI}")


@pytest.mark.parametrize("file", [b"", b"\x00" * 99, b"[" * 9000, b'{"format": "x"}', b"\xff\xfe"])
def test_a_file_that_is_no_campaign_is_refused(saga_at: SagaAt, file: bytes):
    saga = saga_at("begun")
    before = all_rows()
    sent = SimpleUploadedFile("campaign.json", file, "application/json")
    path = f"/t/{saga.table.code}/campaign/bring/"
    answer = saga.erin.client.post(path, {"seat": saga.erin.seat, "tap": "try", "file": sent})
    assert answer.status_code in STATUSES, notice(answer)
    assert all_rows() == before


@pytest.mark.parametrize("key", ["0", str(2**31), str(2**63), "9" * 300])
def test_any_number_in_a_pages_address_is_answered(saga_at: SagaAt, key: str):
    saga = saga_at("over")
    for page in (
        "character/{}/", "campaign/{}/", "campaign/people/{}/", "campaign/{}/fight/1/",
        "campaign/1/fight/{}/", "campaign/{}/tell/", "oracles/own-{}/", "oracles/own-{}/yaml/",
    ):  # fmt: skip
        path = f"/t/{saga.table.code}/{page.format(key)}"
        assert saga.erin.client.get(path).status_code == 404, path


@pytest.mark.parametrize("asked", ["%", "\x00", "x" * 5000, "' OR 1=1", "\u202e"])
def test_any_words_are_searched_for(saga_at: SagaAt, asked: str):
    saga = saga_at("over")
    path = f"/t/{saga.table.code}/campaign/search/"
    assert saga.amy.client.get(path, {"q": asked, "page": asked}).status_code in (200, 422)
