"""An action that is added has its sentence: the log would pass over a missing one mutely."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from campaigns.sentences import KINDS as CAMPAIGNS
from characters.sentences import KINDS as KNAVES
from games.sentences import TELLINGS

ROOT = Path(settings.BASE_DIR)
# What concerns one phone alone is kept in the log, and told to nobody.
UNTOLD = {"pass_offered", "language_chosen", "hand_chosen"}
LOGGING = {"log", "narrate", "tell", "tell_of", "tell_thing", "tell_by_sight", "tell_goal"}


def kinds_logged() -> Iterator[tuple[str, str]]:
    """Yield the kinds of event that deeds and services name, each with where."""
    for app in settings.OUR_APPS:
        for path in sorted(
            (*(ROOT / app / "deeds").glob("*.py"), *(ROOT / app / "services").glob("*.py"))
        ):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call) and _called(node.func) in LOGGING:
                    for kind in _words_in(node.args):
                        yield kind, f"{path.relative_to(ROOT)}:{node.lineno}"


def _words_in(given: list[ast.expr]) -> Iterator[str]:
    """Yield the words that are given to a function: one, or one of two."""
    for one in given:
        for word in (one.body, one.orelse) if isinstance(one, ast.IfExp) else (one,):
            if isinstance(word, ast.Constant) and isinstance(word.value, str):
                yield word.value


def _called(function: ast.expr) -> str:
    return getattr(function, "attr", getattr(function, "id", "")).lstrip("_")


def test_every_event_that_a_deed_logs_has_its_sentence() -> None:
    """CONTRIBUTING, "Add an action": a sentence beside the others."""
    logged = dict(kinds_logged())
    assert len(logged) > 190, "the log is written another way now: this test must learn it"
    untold = {kind: where for kind, where in logged.items() if kind not in TELLINGS}
    assert set(untold) == UNTOLD, untold


def test_games_names_no_event_of_the_apps_above() -> None:
    """The architecture: `games` knows neither `characters` nor `campaigns`; they register."""
    named = {
        f"{path.relative_to(ROOT)}:{node.lineno}": node.value
        for path in sorted((ROOT / "games").rglob("*.py"))
        if not {"rules", "migrations"} & set(path.parts)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Constant) and node.value in KNAVES | CAMPAIGNS
    }
    assert named == {}
