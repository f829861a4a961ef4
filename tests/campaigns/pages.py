"""Pages read as a browser does: what has an id, what points to one, which forms send what."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from games.models import Table
from games.services.act import ACTIONS
from tests.games.party import Person
from tests.security.shown import Shown

# What stands in a form beside the fields of its action.
# What `games.forms` and the pages read beside an action's own fields.
BESIDE = {
    *("action", "seat", "saw", "tap", "pressed", "note", "csrfmiddlewaretoken", "next"),
    *("dice", "typed"),
}
POINTERS = ("for", "form", "aria-labelledby", "aria-describedby", "aria-controls")
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr"}


@dataclass
class Form:
    id: str
    posts: bool = False
    action: str = ""
    names: set[str] = field(default_factory=set)
    tokens: list[str] = field(default_factory=list)


class Page(HTMLParser):
    """One page, or one region of a page."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.ids: list[str] = []
        self.points: list[tuple[str, str]] = []
        self.forms: list[Form] = []
        self.fields: list[tuple[str, str, str]] = []  # tag, type, name
        self.loose: list[tuple[str, str]] = []  # the form that a field outside it belongs to
        self.nameless: list[str] = []
        self.open: list[str] = []
        self.faults: list[str] = []
        self._form: Form | None = None
        self._is_whole = "<html" in text
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if len(given) != len(attrs):
            self.faults.append(f"<{tag}> has an attribute twice: {attrs}")
        if "id" in given:
            self.ids.append(given["id"])
        for name in POINTERS:
            self.points += [(name, one) for one in given.get(name, "").split()]
        if tag == "form":
            self._form = Form(given.get("id", ""), given.get("method") == "post")
            self.forms.append(self._form)
        if tag in ("input", "select", "textarea", "button"):
            self._field(tag, given)
        if tag in ("button", "details") and not given.get("id"):
            self.nameless.append(f"<{tag} {given}>")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._form = None
        if not self.open or self.open[-1] != tag:
            self.faults.append(f"</{tag}> closes {self.open[-3:]}")
        if tag in self.open:
            while self.open.pop() != tag:
                pass

    def _field(self, tag: str, given: dict[str, str]) -> None:
        name, kind = given.get("name", ""), given.get("type", "")
        self.fields.append((tag, kind, name))
        if "form" in given:
            self.loose += [(given["form"], name)] if name else []
        elif self._form is not None and name == "csrfmiddlewaretoken":
            self._form.tokens.append(given.get("value", ""))
        elif self._form is not None and name == "action":
            self._form.action = given.get("value", "")
        elif self._form is not None and name:
            self._form.names.add(name)

    # --- what is wrong ---------------------------------------------------------------------------

    def wrong(self) -> list[str]:
        """Say what a browser, a screen reader or the server would stumble over."""
        twice = [name for name, count in Counter(self.ids).items() if count > 1 or not name]
        there = set(self.ids)
        return [
            *self.faults,
            *(f"{name} is an id {self.ids.count(name)} times" for name in twice),
            *(f"{name}={one} points nowhere" for name, one in self.points if one not in there),
            *(f"left open: {one}" for one in self.open),
            *(fault for form in self.forms for fault in self._wrong_with(form)),
            *self._refused_without_a_script(),
        ]

    def _refused_without_a_script(self) -> list[str]:
        """Name the forms that would be taken for another site's; a script adds what they lack."""
        lacking = [f for f in self.forms if f.posts and len(f.tokens) != 1]
        return [f"{len(f.tokens)} tokens in {f}" for f in lacking if self._is_whole]

    def _wrong_with(self, form: Form) -> list[str]:
        if not form.action:
            return []  # a plain form of a page's own
        if form.action not in ACTIONS:
            return [f"nobody does {form.action}"]
        names = form.names | {name for owner, name in self.loose if owner == form.id and form.id}
        known = set(ACTIONS[form.action].__struct_encode_fields__)
        extra = {n for n in names - known - BESIDE if not n.startswith("dice-")}
        return [f"{form.action} knows no field {sorted(extra)}"] if extra else []

    @property
    def has_typed_text(self) -> bool:
        """Tell whether anything in it could be typed into, which a push would eat."""
        kinds = {"", "text", "number", "search", "email", "url", "tel", "password"}
        return any(
            tag == "textarea" or (tag == "input" and kind in kinds)
            for tag, kind, _name in self.fields
        )


def regions(html: str, names: Any) -> dict[str, str | None]:
    """Cut the regions out of a page."""
    return {name: _cut(html, name) for name in names}


def _cut(html: str, name: str) -> str | None:
    at = html.find(f'id="{name}"')
    if at < 0:
        return None
    start = html.rindex("<", 0, at)
    tag = html[start + 1 : at].split(maxsplit=1)[0]
    depth, place = 0, start
    while True:
        opens, closes = html.find(f"<{tag}", place), html.find(f"</{tag}>", place)
        assert closes >= 0, name
        if 0 <= opens < closes:
            depth, place = depth + 1, opens + 1
        else:
            depth, place = depth - 1, closes + 1
        if depth == 0:
            return html[start : closes + len(tag) + 3]


def foot(person: Person) -> str:
    """Return what somebody is asked, at the foot of their page."""
    return regions(person.sees(), ["asks"])["asks"] or ""


def button_sends(who: Person, action: str, page: str = "") -> dict[str, Any]:
    """Return what a button on somebody's page brings along."""
    Table.objects.update(rules="wicked_age")  # or it would be another game's page
    forms = [{f.name: f.value for f in one.fields} for one in Shown(who.sees(page)).forms]
    (found, *_same) = [one for one in forms if one.get("action") == action]
    left_out = ("action", "seat", "tap", "csrfmiddlewaretoken")
    return {name: value for name, value in found.items() if name not in left_out}
