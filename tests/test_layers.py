"""Imports point one way: what stands below knows nothing of what stands above."""

from __future__ import annotations

import ast
import itertools
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From the bottom up. A module may import from its own layer and from those below, never above.
# A name stands for the module or package and all that is in it; the longest name wins.
LAYERS = (
    ("games.rules",),
    ("games.settings", "games.errors", "games.actions", "games.guild_names", "games.sharing"),
    ("games.models",),
    ("games.stage",),
    ("games.text", "games.presence", "games.devices", "games.bouts", "games.wake"),
    ("games.regulars",),
    ("games.limits",),
    ("games.services.change",),
    ("games.services.ledger",),
    ("games.services.act", "games.services"),
    ("games.deeds",),
    ("games.services.tables", "games.clock"),
    ("games.snapshot",),
    ("games.sentences",),
    ("games.screens", "games.rulebook"),
    ("games.live.fair", "games.live"),
    ("games.forms", "games.context", "games.middleware", "games.showing", "games.at_table"),
    ("games.views", "games.urls", "games.management", "games.apps", "games.admin", "games.api"),
)  # fmt: skip
OF_LAYER = {name: level for level, names in enumerate(LAYERS) for name in names}
APPS_ABOVE = ("characters", "campaigns")


def modules(package: str) -> list[tuple[str, Path]]:
    found = []
    for path in sorted((ROOT / package.replace(".", "/")).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "migrations" not in parts:
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


def imports_of(source: str) -> set[str]:
    """Return every module that a source names in an import, whether at its top or in a function."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute here"
            assert node.module
            found |= {f"{node.module}.{alias.name}" for alias in node.names}
    return found


def layer_of(module: str) -> int | None:
    """Return the layer of the longest known name that a module's name begins with."""
    parts = module.split(".")
    for length in range(len(parts), 1, -1):
        level = OF_LAYER.get(".".join(parts[:length]))
        if level is not None:
            return level
    return None


def breaches(module: str, source: str) -> list[str]:
    mine = layer_of(module)
    assert mine is not None, f"{module} has no layer: put it into LAYERS"
    return [
        f"{module} imports {other}, which stands above it"
        for other in sorted(imports_of(source))
        if other.startswith("games.") and (layer_of(other) or 0) > mine
    ]


GAMES = [pytest.param(n, p, id=n) for n, p in modules("games") if n != "games"]


@pytest.mark.parametrize(("module", "path"), GAMES)
def test_nothing_imports_what_stands_above_it(module: str, path: Path):
    assert breaches(module, path.read_text()) == []


@pytest.mark.parametrize(("module", "path"), [p for p in GAMES if p.id.startswith("games.rules")])
def test_the_rules_know_no_django_and_nothing_of_games(module: str, path: Path):
    for other in imports_of(path.read_text()):
        top = other.split(".")[0]
        assert top not in ("django", "channels", "config", "time", "datetime", "socket"), other
        assert top != "games" or other.startswith("games.rules"), other


@pytest.mark.parametrize(("module", "path"), GAMES)
def test_games_knows_neither_characters_nor_campaigns(module: str, path: Path):
    """What it needs of them they put into its registries."""
    assert not {o.split(".")[0] for o in imports_of(path.read_text())} & set(APPS_ABOVE)


def test_characters_does_not_know_campaigns_nor_campaigns_the_views_of_games():
    for module, path in itertools.chain(*map(modules, APPS_ABOVE)):
        for other in imports_of(path.read_text()):
            assert not (module.startswith("characters") and other.startswith("campaigns")), module
            assert not other.startswith(("games.views", "games.live.consumer")), module


def test_only_one_module_knows_randomness_for_dice():
    """`secrets` makes codes and tokens; `random` is for regulars' moods and dice of a seed."""
    users = {
        module
        for module, path in modules("games")
        if {o.split(".")[0] for o in imports_of(path.read_text())} & {"random"}
    }
    assert users <= {
        "games.rules.dice",
        "games.regulars",
        "games.rules.engine",
        "games.rules.brave_or_knave.view",
    }


WRITES = {"save", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
MAY_WRITE = ("games.services", "games.deeds", "games.limits", "games.devices", "games.models")


@pytest.mark.parametrize(("module", "path"), GAMES)
def test_only_services_write(module: str, path: Path):
    """Views, screens, sockets and the clock call a service; the session is no table's row."""
    if module.startswith(MAY_WRITE) or module.startswith("games.rules"):
        return
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            assert node.func.attr not in WRITES, f"{module}:{node.lineno} writes"


def test_a_breach_would_be_found():
    """The control: an import upwards, at the top or hidden in a function, is reported."""
    assert breaches("games.wake", "from games.live import readers")
    assert breaches("games.bouts", "def f():\n    import games.views.front")
    assert breaches("games.services.change", "from games.services.act import act")
    assert breaches("games.rules.dice", "from games.models import Table")
    assert not breaches("games.views.front", "from games.rules import dice")


@pytest.mark.parametrize("path", [p for _n, p in modules("games")], ids=lambda p: p.stem)
def test_no_module_is_past_400_lines_without_a_reason(path: Path):
    assert len(path.read_text().splitlines()) <= 400
