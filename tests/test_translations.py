"""Every text that a person reads is there in Spanish too, and nothing in a page escapes `_()`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from itertools import product
from pathlib import Path
from typing import Any, get_args

import jinja2
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import parse_mapping_cfg
from django.conf import settings
from django.test import Client
from django.utils import translation
from jinja2 import nodes

from campaigns.sentences import ALL as WICKED
from characters.sentences import ALL as KNAVES
from games.actions import Language
from games.rulebook.brave_or_knave import sections
from games.rules.brave_or_knave import events, refusals
from games.rules.engine import Event
from games.sentences import TELLINGS, tell
from games.settings import TableSettings
from tests.catalog import OTHERS, catalog, messages, spanish, texts, translated

ROOT = Path(settings.BASE_DIR)
PLACEHOLDER = re.compile(r"%(?:\((\w+)\))?[sd%]")


@cache
def used() -> Catalog:
    """Every message in the project, gathered as `make messages` gathers them."""
    with (ROOT / "config/babel.cfg").open() as mapping:
        methods, options = parse_mapping_cfg(mapping)
    catalog = Catalog()
    for path, line, message, _comments, context in extract_from_dir(ROOT, methods, options):
        if message:
            catalog.add(message, locations=[(path, line)], context=context)
    return catalog


def placeholders(text: str) -> set[str]:
    return {match.group() for match in PLACEHOLDER.finditer(text)}


def where(message: Message) -> str:
    return ", ".join(f"{path}:{line}" for path, line in message.locations[:2])


# --- the catalogue -------------------------------------------------------------------------------


def fault_of(message: Message) -> str:
    """Say what is wrong with the Spanish of a message that the project uses."""
    found = spanish().get(message.id, message.context)
    if found is None:
        is_obsolete = message.id in spanish().obsolete
        return "is used but marked obsolete" if is_obsolete else "has no Spanish"
    if len(texts(found.string)) != len(texts(message.id)) or not all(texts(found.string)):
        return "has no Spanish"
    return "is fuzzy" if found.fuzzy else ""


def test_every_message_has_its_spanish() -> None:
    faults = [(fault_of(m), m) for m in messages(used())]
    told = [f"{where(m)}: {m.id!r} {fault}" for fault, m in faults if fault]
    assert not told, "\n".join(["run `make messages`, then translate:", *told])


def marked_texts(path: Path) -> Iterator[str]:
    """Read what Python itself sees marked, wherever in an expression that stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
            continue
        if node.func.id in ("_", "gettext", "ngettext"):
            first = node.args[0]
            if isinstance(first, ast.Constant) and isinstance(first.value, str):
                yield first.value


def test_no_marked_text_is_overlooked_by_the_gathering() -> None:
    """To Babel an f-string is one string: what is marked within its braces it does not see."""
    gathered = {texts(message.id)[0] for message in messages(used())}
    told = [
        f"{path.relative_to(ROOT)}: {text!r}"
        for app in (*settings.OUR_APPS, "config")
        for path in (ROOT / app).rglob("*.py")
        for text in marked_texts(path)
        if text not in gathered
    ]
    assert not told, "\n".join(["take these out of their f-strings:", *told])


def test_a_seat_may_speak_every_language_that_is_offered() -> None:
    """Else its button is there, and whoever taps it is told that the page is out of date."""
    assert {*get_args(Language)} == {*dict(settings.LANGUAGES)}


@pytest.mark.parametrize("language", OTHERS)
def test_what_counts_something_has_every_form_of_its_language(language: str) -> None:
    """A form that is missing is read as an empty text, and not in English."""
    forms = catalog(language).num_plurals
    told = [
        (message.id, message.string)
        for message in messages(catalog(language))
        if message.pluralizable and any(message.string)
        if len(message.string) != forms or not all(message.string)
    ]
    assert not told


def test_the_project_has_messages_at_all() -> None:
    assert len(messages(used())) > 500


@pytest.mark.parametrize("language", OTHERS)
def test_placeholders_survive_translation(language: str) -> None:
    told = [
        f"{english!r} -> {other!r}"
        for english, other in translated(language)
        if placeholders(other) not in map(placeholders, english)
    ]
    assert not told, "\n".join(told)


def test_an_example_within_a_field_is_read_whole_on_a_narrow_phone() -> None:
    """A field at 320 px shows 33 letters, and who cannot scroll it never reads the rest."""
    examples = set[str]()
    for template in sorted((ROOT / "templates").rglob("*.jinja")):
        examples |= set(
            re.findall(r"""placeholder="{{ _\(['"](.+?)['"]\) }}""", template.read_text())
        )
    assert examples
    told = {
        other
        for language in OTHERS
        for english, other in translated(language)
        if english[0] in examples
    }
    assert [text for text in (*examples, *told) if len(text) > 33] == []


def test_the_word_that_stops_play_is_short_enough_for_its_button() -> None:
    """Every page keeps five letters free for it, whatever lies beside it (static/safety.css)."""
    told = [other for code in OTHERS for english, other in translated(code) if english == ("Stop",)]
    assert len(told) >= 1
    assert [text for text in told if len(text) > 5] == []


def test_spanish_opens_its_questions_and_cries() -> None:
    told = [
        text
        for message in messages(spanish())
        for text in texts(message.string)
        if text.count("?") != text.count("¿") or text.count("!") != text.count("¡")
    ]
    assert not told, "\n".join(told)


@pytest.mark.parametrize("language", OTHERS)
def test_the_cries_of_the_game_stay_as_they_are(language: str) -> None:
    cry = re.compile(r"\b(BRAVE|KNAVE|HEAL|GRAVE|STAVE|K-N-A-V-E)\b")
    told = [
        f"{english!r} -> {other!r}"
        for english, other in translated(language)
        if set(cry.findall(english[0])) - set(cry.findall(other))
    ]
    assert not told, "\n".join(told)


# --- refusals and sentences ----------------------------------------------------------------------
def test_every_refusal_of_the_rules_is_translated() -> None:
    reasons = [value for name, value in vars(refusals).items() if name.isupper()]
    assert len(reasons) > 60
    dice = [m.id for m in messages(used()) if any("rules/dice.py" in at for at, _ in m.locations)]
    assert dice
    with translation.override("es"):
        unsaid = [
            why for why in [*(reason.why for reason in reasons), *dice] if _spoken(why) == why
        ]
    assert not unsaid


def _spoken(text: str) -> str:
    return translation.gettext(text)


# Any value an event may carry; lists are the values that choose between sentences.
SAMPLE: dict[str, Any] = {
    "seat": 0, "to_seat": [0, 1], "seats": [(0,), (0, 1)], "roller": 1, "count": [1, 2, 3],
    "left": [0, 1, 4], "amount": 3, "number": 9, "face": 7, "call": ["brave", "knave", "heal"],
    "at_ms": 5, "late": [False, True], "which": ["thumb", "index", "middle", "ring", "little"],
    "fingers": (0, 2), "names": ("Moth", "Ash"), "first": "Moth", "name": ["", "Moth"],
    "before": "Ash", "cry": "Ho", "by": "Ash", "teller": "Ash", "back_to": 3, "faces": (7,),
    "kind": ["opening", "challenge", "bounce"], "cause": ["fingers", "grave", "heal", "left"],
    "why": ["shout", "award", "overruled", "named", "control", "shroud", "house"],
    "rules": "brave_or_knave", "role": ["player", "screen", "regular"],
    "door": ["open", "ask", "locked"],
    "is_real": [False, True], "what": {"kind": "DieTaken", "data": {"seat": 0}},
    "on": [False, True],
}  # fmt: skip
# What a sentence chooses by beyond the fields of the rules' own event.
CHOICES = {
    "Rolled": ("is_real",),
    "first_chosen": ("name",),
    "seat_taken": ("role",),
    "undone": ("count",),
    "door_set": ("door",),
    "house_rule_switched": ("on",),
}
SETTINGS = {
    "dice": ("either", "server", "real"),
    "shouting": ("phones", "mouth"),
    "knock_pace_ms": (0, 1000, 1500, 2500),
    "unison_ms": (60, 350),
    "shows_odds": (False, True),
    "has_shroud": (False, True),
    "has_nine_sisters": (False, True),
}


def test_every_setting_has_its_choices_here() -> None:
    """Or what the log calls them would never be read in Spanish."""
    assert set(SETTINGS) == set(TableSettings.__struct_fields__)


def samples(kind: str) -> Iterator[dict[str, Any]]:
    """Return an event of this kind for every sentence that it can become."""
    if kind == "configured":
        pairs = ((setting, value) for setting, values in SETTINGS.items() for value in values)
        return ({"setting": setting, "value": value} for setting, value in pairs)
    ours = (c for c in Event.__subclasses__() if c.__module__ == events.__name__)
    fields = {c.__name__: c.__struct_fields__ for c in ours}
    more = CHOICES.get(kind, ())
    carried = {*fields.get(kind, SAMPLE), *more} & set(SAMPLE)
    chosen = {*fields.get(kind, ()), *more}
    ways = []
    for key in sorted(carried):
        values = SAMPLE[key] if isinstance(SAMPLE[key], list) else [SAMPLE[key]]
        ways.append([(key, value) for value in (values if key in chosen else values[-1:])])
    return (dict(way) for way in product(*ways))


# The others are told by tests/characters/test_words.py and tests/campaigns/test_wicked_words.py.
OUR_KINDS = [kind for kind in TELLINGS if not any(kind in told for told in (*KNAVES, *WICKED))]


@pytest.mark.parametrize("kind", OUR_KINDS)
def test_every_sentence_of_the_log_speaks_spanish(kind: str) -> None:
    names = ("Moth", "Ash")
    for data in samples(kind):
        with translation.override("en"):
            english = tell(kind, data, names)
        with translation.override("es"):
            assert tell(kind, data, names) != english
        assert "%(" not in english


def test_every_event_of_the_rules_has_a_sentence() -> None:
    kinds = {c.__name__ for c in Event.__subclasses__() if c.__module__ == events.__name__}
    assert kinds <= set(TELLINGS)


# --- the rule book -------------------------------------------------------------------------------
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_rule_book_tells_every_rule(language: str) -> None:
    with translation.override(language):
        told = " ".join(text for s in sections() for text in (*s.paragraphs, *s.rulings))
    assert {int(n) for n in re.findall(r"BK-(\d+)", told)} == set(range(1, 26))


@pytest.mark.parametrize("language", OTHERS)
def test_a_rule_keeps_its_number(language: str) -> None:
    number = re.compile(r"(?:BK|KN|WA)-\d+")
    told = [
        english
        for english, other in translated(language)
        if number.findall(english[0]) != number.findall(other)
    ]
    assert not told


# --- templates -----------------------------------------------------------------------------------
TEMPLATES = sorted(
    path for path in (ROOT / "templates").rglob("*.jinja") if not path.name.endswith(".js.jinja")
)
# Names, and the cries of the game, are the same in every language.
ALLOWED = {"Taproom", "Brave", "Knave", "BRAVE", "KNAVE", "HEAL", "GRAVE", "STAVE", "English",
           "Español", "BK"}  # fmt: skip
WORD = re.compile(r"[^\W\d_]{2,}")
SEEN_ATTRIBUTES = {"aria-label", "aria-description", "aria-valuetext", "alt", "title",
                   "placeholder"}  # fmt: skip
# Blocks that stand inside a tag: class names and the like.
INSIDE_TAGS = re.compile(r"{% block (?:page_class|body_attributes) %}.*?{% endblock %}", re.DOTALL)
MARKS = {"trans", "_", "gettext", "ngettext", "pgettext", "npgettext"}


@cache
def jinja() -> jinja2.Environment:
    return jinja2.Environment(extensions=["jinja2.ext.i18n"], autoescape=True)


class Seen(HTMLParser):
    """Collects what a person would read or hear of a page: text, and attributes that are spoken."""

    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.hidden = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "style"):
            self.hidden = tag
        given = dict(attrs)
        self.texts += [value or "" for key, value in attrs if key in SEEN_ATTRIBUTES]
        if tag == "meta" and given.get("name") == "description":
            self.texts.append(given.get("content") or "")
        if tag == "input" and given.get("type") in ("submit", "button", "reset"):
            self.texts.append(given.get("value") or "")

    def handle_endtag(self, tag: str) -> None:
        if tag == self.hidden:
            self.hidden = ""

    def handle_data(self, data: str) -> None:
        if not self.hidden:
            self.texts.append(data)


def bare_words(source: str) -> list[str]:
    """List the words that stand in a template's markup itself.

    >>> bare_words('<p class="big">{{ _("Hello") }}, Taproom</p>')
    []
    >>> bare_words('<p{% if x %} title="Look"{% endif %}>Sit {{ name }} down</p>')
    ['Look', 'Sit', 'down']
    """
    markup = "".join(
        value if kind == "data" else "0" if kind == "variable_begin" else ""
        for _line, kind, value in jinja().lex(INSIDE_TAGS.sub("", source))
    )
    page = Seen()
    page.feed(markup)
    page.close()
    return [w for text in page.texts for w in WORD.findall(text) if w not in ALLOWED]


def bare_strings(source: str) -> list[str]:
    """List the strings in a template's code that look like a sentence and are not translated.

    >>> bare_strings('{{ tap(mine, _("Roll the die"), hint="Take your time", class="big") }}')
    ['Take your time']
    """
    tree = jinja().parse(source)
    marked = {
        id(constant)
        for call in tree.find_all(nodes.Call)
        if isinstance(call.node, nodes.Name) and call.node.name in MARKS
        for constant in call.find_all(nodes.Const)
    }
    return [
        constant.value
        for constant in tree.find_all(nodes.Const)
        if id(constant) not in marked
        and isinstance(constant.value, str)
        and re.match(r"[^\W\d_]+,? [^\W\d_]+", constant.value)
        and constant.value[0].isupper()
        and set(WORD.findall(constant.value)) - ALLOWED
    ]


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda p: str(p.relative_to(ROOT / "templates")))
def test_what_a_template_shows_is_translated(path: Path) -> None:
    source = path.read_text(encoding="utf-8")
    assert [*bare_words(source), *bare_strings(source)] == []


# --- pages ---------------------------------------------------------------------------------------
@pytest.mark.parametrize("address", ["/rules/brave-or-knave", "/offline"])
@pytest.mark.parametrize("language", dict(settings.LANGUAGES))
def test_a_page_says_which_language_it_speaks(address: str, language: str) -> None:
    page = Client().get(address, follow=True, headers={"accept-language": language})
    html = page.content.decode()
    assert f'<html lang="{language}"' in html
    assert page.headers["Content-Language"] == language
    assert "Accept-Language" in page.headers["Vary"], "a cache would give it to all"
    with translation.override(language):
        assert translation.gettext("Skip to the table") in html
