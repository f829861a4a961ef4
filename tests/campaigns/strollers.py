"""People who play chapter after chapter by the forms of their own pages, and by nothing else.

A seed's luck chooses who presses what. A form is filled as a browser lets people; what must be
typed is typed. Beside it: whether some page of somebody's offers an action with given fields.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

from campaigns.models import Chapter, Sequence
from tests.campaigns.saga import Saga
from tests.games.party import Person, notice
from tests.security.shown import Form, Shown

# Sheets for typing lie in the page all the time; the page says which of them can be opened.
OPENED_BY = {
    "bring_back": "return",
    "pick_element": "pick_element",
    "add_cast": "add_cast",
    "name_interest": "interest",
    "start_sequence": "start",
    "write_epilogue": "epilogue",
    "type_cards": "type_cards",
}
TYPED = ("text", "textarea", "number", "search")
DICE: dict[str, float] = {
    "take_dice": 1, "roll_forms": 2, "make_move": 2, "let_pass": 0.5, "step_in": 0.5,
    "press_on": 1, "back_away": 0.5, "settle": 2, "offer_terms": 0.5, "take_offer": 1,
    "refuse_offer": 0.3, "next_round": 1, "agree_to_end": 0.5, "buy_die": 0.7,
}  # fmt: skip
WANTED: dict[str, dict[str, float]] = {
    "": {"open_chapter": 1},
    "coming_back": {"bring_back": 4, "decline_return": 1},
    "oracle": {"choose_oracle": 1},
    "pick": {"pick_element": 1, "place_chapter": 0.2},
    "deal": {"deal_cards": 1},
    "cast": {"add_cast": 1, "drop_cast": 0.1, "strike_element": 0.05, "step_on": 0.2},
    "choose": {
        "take_cast": 4, "play_former": 2, "leave_cast": 0.2, "draw_lots": 1, "make_npc": 0.3,
        "bring_npc": 0.5, "same_cast": 0.2, "lend_character": 0.2, "add_cast": 0.5, "step_on": 8,
    },
    "sheets": {
        "write_sheet": 1, "swap_forms": 0.5, "new_strength": 0.5, "take_strength": 0.5,
        "come_back": 6, "take_back_choice": 0.1, "mark_ready": 0.5, "step_on": 8,
    },
    "interests": {"name_interest": 4, "drop_interest": 0.2, "mark_ready": 0.3, "begin_play": 4},
    "play": {
        "start_sequence": 2, "open_scene": 0.3, "mark_interest": 0.3, "make_npc": 0.1,
        "mark_character": 0.2,
    },
    "closing": {"write_epilogue": 1, "mark_interest": 1, "owe_name": 1, "strike_name": 0.1},
}  # fmt: skip
"""By the step of a chapter: what is done there, and how readily."""


def action_of(form: Form) -> str:
    return next((one.value for one in form.fields if one.name == "action"), "")


def can_send(form: Form, name: str, value: str) -> bool:
    """Tell whether somebody who fills this form in can send such a field."""
    if (name, value) in form.buttons:
        return True
    own = [one for one in form.fields if one.name == name]
    return any(
        one.kind in TYPED or value in one.options or (not one.options and one.value == value)
        for one in own
    )


def may_type(html: str) -> set[str]:
    """Return which sheets for typing a page opens."""
    found = re.findall(r'<section id="(?:setup|sheet|gm-story)"[^>]*data-may="([^"]*)"', html)
    dead = {"return"} if re.search(r'<section id="gm-story"[^>]* data-dead', html) else set()
    return dead | {word for words in found for word in words.split()}


def is_folded_away(form: Form, may: set[str]) -> bool:
    """Tell whether a form lies in the page without being shown at this step."""
    look = form.attributes.get("class", "").split()
    action = action_of(form)
    if "stacked" in look:  # on the GM's page
        return (
            action in ("bring_back", "pick_element", "type_cards") and OPENED_BY[action] not in may
        )
    return "typed-form" in look and action in OPENED_BY and OPENED_BY[action] not in may


class Strollers:
    """The saga's people, who have sat down and begun a campaign."""

    def __init__(self, saga: Saga, luck: random.Random) -> None:
        self.saga, self.luck = saga, luck
        self.taps = 0
        self._seen_at = -1
        self._seen: dict[tuple[str, str], list[Form]] = {}
        self.done: Counter[str] = Counter()
        self.here: Counter[str] = Counter()  # of it, at this step
        self.refused: Counter[tuple[str, str, str]] = Counter()

    @property
    def people(self) -> tuple[Person, ...]:
        return (self.saga.erin, *self.saga.players)

    @property
    def chapter(self) -> Chapter | None:
        """Return the chapter under way."""
        return self.saga.campaign.chapters.exclude(step="over").first()

    @property
    def step(self) -> str:
        return self.chapter.step if self.chapter else ""

    # --- what is shown ---------------------------------------------------------------------------

    def pages_of(self, who: Person) -> Iterator[str]:
        """Yield the addresses of what somebody would look at: the table, then sheets."""
        is_gm = who is self.saga.erin
        yield "gm/" if is_gm else ""
        mine = {"owner__seat": None} if is_gm else {"owner__name": who.name}
        for one in self.saga.campaign.characters.filter(kind="pc", **mine):
            yield f"character/{one.number}/"

    def forms_of(self, who: Person, pages: Iterable[str] = ()) -> list[Form]:
        """Return what somebody can press just now."""
        return [form for page in pages or self.pages_of(who) for form in self._shown(who, page)]

    def _shown(self, who: Person, page: str) -> list[Form]:
        """Return the forms of a page, which is looked at again when something has been done."""
        seq = self.saga.erin.table.seq
        if seq != self._seen_at:
            self._seen_at, self._seen = seq, {}
        if (who.name, page) not in self._seen:
            html = who.sees(page)
            may = may_type(html)
            forms = [one for one in Shown(html).forms if not is_folded_away(one, may)]
            self._seen[who.name, page] = forms
        return self._seen[who.name, page]

    # --- what is pressed -------------------------------------------------------------------------

    def press(self, wanted: dict[str, float]) -> str:
        """Let somebody press something of this; return what it was, or nothing."""
        for who in self.luck.sample(self.people, len(self.people)):
            table, *sheets = self.pages_of(who)
            is_at_sheet = self.step == "sheets" and sheets and self.luck.random() < 0.6
            page = self.luck.choice(sheets) if is_at_sheet else table
            found: dict[str, list[Form]] = {}
            for form in self.forms_of(who, [page]):
                found.setdefault(action_of(form), []).append(form)
            words = [word for word in wanted if word in found and not self._has_chosen(who, word)]
            if words:
                # What goes back is done less and less, so that the chapter comes on.
                often = [
                    wanted[word] if wanted[word] >= 1 else wanted[word] / (1 + self.here[word]) ** 3
                    for word in words
                ]
                if self.luck.random() > sum(often):
                    continue
                word = self.luck.choices(words, often)[0]
                self.here[word] += 1
                if self._sends(who, self.luck.choice(found[word])):
                    return word
        return ""

    def _has_chosen(self, who: Person, word: str) -> bool:
        """Tell whether somebody mostly lets it be: each has one character (WA-11)."""
        if word not in ("take_cast", "play_former") or self.luck.random() < 0.1:
            return False
        asked = [one for one in self.saga.campaign.members.all() if one.is_here]
        own = [one for one in asked if one.name == who.name] or [
            one for one in asked if one.seat is None
        ]
        chapter = self.saga.chapter
        taken = set(chapter.cast_lines.values_list("taken_by", flat=True))
        taken |= set(chapter.parts.values_list("member", flat=True))
        return taken.issuperset(one.pk for one in own)

    def _sends(self, who: Person, form: Form) -> bool:
        given = self.filled(form)
        self.taps += 1
        given["tap"] = [f"stroll-{self.taps}"]
        answer = who.client.post(f"/t/{who.code}/act/", given, headers={"HX-Request": "true"})
        action = action_of(form)
        if answer.status_code < 400:
            self.done[action] += 1
            return True
        assert answer.status_code < 500, (action, given)
        assert notice(answer), (action, given)
        if form.is_plain:
            self.refused[who.name, action, notice(answer)[:120]] += 1
        return False

    def filled(self, form: Form) -> dict[str, list[str]]:
        """Fill a form in: what is marked beforehand mostly stays, and every text gets words."""
        given = form.filled(self.luck)
        for one in form.fields:
            if one.kind == "radio" and "checked" in one.attributes and self.luck.random() < 0.7:
                given[one.name] = [one.value]
            if one.kind in ("text", "textarea") and one.name not in ("when_and_where",):
                given[one.name] = [self._words(one.attributes.get("id", ""))]
        given.pop("needs_far_reach", None)
        if "text" in given:
            given.pop("entry", None)  # own words or a number of the oracle's
        if "who" not in given and (sides := [f for f in form.fields if f.name == "who"]):
            given["who"] = [self.luck.choice(sides).value]
        if action_of(form) == "write_sheet":
            # Six dice on six forms: as they lie.
            laid = {f.name: f.value for f in form.fields if "checked" in f.attributes}
            given |= {name: [value] for name, value in laid.items()}
        return given

    def _words(self, field: str) -> str:
        return f"{field.split('-', maxsplit=1)[0]} {self.taps}"

    # --- whole chapters --------------------------------------------------------------------------

    def goes_on(self, most: int = 80) -> None:
        """Press until the chapter is at another step."""
        step = self.step
        self.here.clear()
        for _press in range(most):
            self.press(WANTED[step])
            if self.step != step:
                return
        raise AssertionError(f"nobody comes on from {step!r}: {self.refused} {self.done}")

    def fights(self, most: int = 150) -> Iterator[Sequence]:
        """Take up dice and play them to their end; yields the fight between any two presses."""
        self.here.clear()
        while not (fight := Sequence.objects.filter(is_over=False).first()):
            self.press(WANTED["play"])
        for _press in range(most):
            yield fight
            self.press(DICE)
            fight.refresh_from_db()
            if fight.is_over:
                return
        self.insists("call_off_sequence")

    def insists(self, action: str) -> None:
        """Press what has to be there for somebody."""
        assert self.press({action: 1}) == action, (action, self.step, self.refused)


Fields = dict[str, Any]


def offers(forms: Iterable[Form], action: str, fields: Fields) -> bool:
    """Tell whether one of these forms can be sent as this action with these fields."""
    return any(
        action_of(form) == action
        and all(can_send(form, name, _typed(value)) for name, value in fields.items())
        for form in forms
    )


def _typed(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)
