"""A page as somebody finds it who presses whatever is there: its forms and its links."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser

Luck = random.Random
Attributes = dict[str, str]

TEXTS = (
    "Moth",
    "Élan of Óð",
    "a <b> & 'c'",
    "Ash\u2019s \U0001f56f torch",
    "x" * 400,
    "7",
    "-1",
    "",
)


@dataclass
class Field:
    """Something that a form sends: an input, a select with its options, a text."""

    kind: str
    name: str
    value: str = ""
    attributes: Attributes = field(default_factory=dict)
    options: list[str] = field(default_factory=list)

    def number(self, luck: Luck) -> str:
        low = int(float(self.attributes.get("min") or 0))
        high = int(float(self.attributes.get("max") or low + 20))
        return str(luck.randint(low, max(low, high)))

    def text(self, luck: Luck) -> str:
        longest = int(self.attributes.get("maxlength") or 1000)
        return luck.choice((self.value, luck.choice(TEXTS)))[:longest]


@dataclass
class Form:
    """A form with its buttons; each is a name and a value of its own, mostly empty."""

    path: str
    attributes: Attributes
    includes: list[str]
    fields: list[Field] = field(default_factory=list)
    buttons: list[tuple[str, str]] = field(default_factory=list)

    @property
    def is_plain(self) -> bool:
        """Tell whether there is nothing to type or choose: whoever presses it can do no wrong."""
        is_bare = all(f.kind == "hidden" for f in self.fields) and not self.includes
        return is_bare and not self.asks_picks

    @property
    def asks_picks(self) -> bool:
        """Tell whether it is sent with those that are ticked anywhere on the page."""
        return "picks" in self.attributes.get("class", "").split()

    def filled(self, luck: Luck) -> dict[str, list[str]]:
        """Return what is sent when somebody fills this in by luck, as a browser lets them."""
        given: dict[str, list[str]] = {}
        radios: dict[str, list[str]] = {}
        for one in self.fields:
            if one.kind == "radio":
                radios.setdefault(one.name, []).append(one.value)
            else:
                given.setdefault(one.name, []).extend(_sent(one, luck))
        for name, values in radios.items():
            given[name] = [luck.choice(values)]
        name, value = luck.choice(self.buttons or [("", "")])
        if name:
            given.setdefault(name, []).append(value)
        return {name: values for name, values in given.items() if values}


def _sent(one: Field, luck: Luck) -> list[str]:
    if one.kind == "select":
        return [luck.choice(one.options)] if one.options else []
    if one.kind == "checkbox":
        return [one.value or "on"] if luck.random() < 0.5 else []
    if one.kind == "file":
        return []
    if one.kind == "number":
        return [one.number(luck)]
    return [one.value if one.kind == "hidden" else one.text(luck)]


class Shown(HTMLParser):
    """Reads a page. `forms` are those that can be pressed, `links` lead on within the house."""

    VOID = frozenset({"input", "br", "hr", "img", "link", "meta", "source", "wbr"})

    def __init__(self, html: str) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self.links: list[str] = []
        self.picks: list[str] = []
        self._by_id: dict[str, Form] = {}
        self._loose: list[tuple[str, Field]] = []
        self._all: dict[str, Field] = {}
        self._form: Form | None = None
        self._select: Field | None = None
        self._text: Field | None = None
        self._open: list[tuple[str, Attributes]] = []
        self.feed(html)
        self.close()
        for owner, one in self._loose:
            if owner in self._by_id:
                self._by_id[owner].fields.append(one)
        for form in self.forms:
            form.fields += [self._all[i] for i in form.includes if i in self._all]
        self.forms = [form for form in self.forms if form.buttons]

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        has = {name: value or "" for name, value in attrs}
        if tag not in self.VOID:
            self._open.append((tag, has))
        if any("inert" in around for _tag, around in self._open):
            return
        if tag == "a" and has.get("href", "").startswith("/"):
            self.links.append(has["href"])
        elif tag == "form":
            self._begins(has)
        elif tag == "button" and "disabled" not in has and has.get("type", "submit") == "submit":
            owner = self._by_id.get(has["form"]) if "form" in has else self._form
            if owner is not None:
                owner.buttons.append((has.get("name", ""), has.get("value", "")))
        elif tag == "option" and self._select is not None and "disabled" not in has:
            self._select.options.append(has.get("value", ""))
        elif tag in ("input", "select", "textarea"):
            self._holds(tag, has)

    def _begins(self, has: Attributes) -> None:
        around = [has for _tag, has in self._open]
        includes = [i for one in around for i in _ids(one.get("hx-include", ""))]
        self._form = Form(has.get("action", ""), has, includes)
        self.forms.append(self._form)
        if "id" in has:
            self._by_id[has["id"]] = self._form

    def _holds(self, tag: str, has: Attributes) -> None:
        if "data-pick" in has:
            self.picks.append(has.get("value", ""))
        if "disabled" in has:
            return
        kind = has.get("type", "text") if tag == "input" else tag
        one = Field(kind, has.get("name", ""), has.get("value", ""), has)
        self._select = one if tag == "select" else self._select
        self._text = one if tag == "textarea" else self._text
        self._all[has.get("id", "")] = one
        if not one.name:
            return
        if "form" in has:
            self._loose.append((has["form"], one))
        elif self._form is not None:
            self._form.fields.append(one)

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass
        if tag == "form":
            self._form = None
        elif tag == "select":
            self._select = None
        elif tag == "textarea":
            self._text = None

    def handle_data(self, data: str) -> None:
        if self._text is not None:
            self._text.value += data


def _ids(selectors: str) -> Iterator[str]:
    for one in selectors.split(","):
        if one.strip().startswith("#"):
            yield one.strip()[1:]


def fields_of(form: Form, name: str) -> list[str]:
    """Return all that a form can send by a name."""
    buttons = [value for of, value in form.buttons if of == name]
    return [f.value for f in form.fields if f.name == name] + buttons


def forms_of(page: str, action: str) -> list[Form]:
    """Return the forms of a page that send an action."""
    return [form for form in Shown(page).forms if action in fields_of(form, "action")]
