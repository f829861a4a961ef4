"""Imports point one way: what stands below knows nothing of what stands above.

Each rule is held for all modules of an app at once, and names those that break it: as a test for
each of them they were a fourth of all tests, which every worker has to gather and to report.
"""

from __future__ import annotations

import ast
import itertools
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).resolve().parent.parent

# From the bottom up. A module may import from its own layer and from those below, never above.
# A name stands for the module or package and all that is in it; the longest name wins.
LAYERS = (
    ("games.rules",),
    # What a process stands on; what serves it is further up.
    ("config.addresses", "config.bounds", "config.checks", "config.collecting",
     "config.daphne_requests", "config.daphne_sockets", "config.data_folder",
     "config.early_texts", "config.get_pip", "config.hashed_files", "config.languages",
     "config.logs", "config.loop", "config.make_says", "config.pace", "config.postgresql",
     "config.putting_back", "config.quick_code", "config.settings", "config.sqlite3",
     "config.static_files", "config.style_sheets", "config.threads", "config.time_zone",
     "config.uvicorn_requests"),
    ("games.settings", "games.errors", "games.trouble", "games.actions", "games.guild_names",
     "games.sharing", "games.said", "games.grammar"),
    ("characters.settings", "characters.actions"),
    ("campaigns.settings", "campaigns.actions"),
    ("games.models",),
    ("characters.models",),
    ("campaigns.models",),
    ("config.sessions",),
    ("games.stage",),
    ("games.text", "games.presence", "games.devices", "games.stored", "games.bouts",
     "games.customs", "games.others", "games.wake", "games.memory", "games.asked",
     "games.addresses", "games.page_mark", "games.days", "games.one_at_a_time", "games.fields",
     "games.complaints", "games.visitors", "campaigns.words"),
    ("games.seat_names",),
    ("games.regulars",),
    ("games.limits",),
    ("games.services.change",),
    ("games.services.ledger",),
    ("games.services.act", "games.services"),
    ("characters.services.finding", "characters.services.telling", "characters.services.purse",
     "characters.services.goods",
     "characters.services.dice_text", "characters.services.names", "characters.services.traits",
     "characters.services.book"),
    ("characters.services.body", "characters.services.combatants", "characters.services.kit",
     "characters.services.fight_log", "characters.services.fight_refusals",
     "characters.services.making", "characters.services.players", "characters.services.turns",
     "characters.services.kept_book", "characters.services.foe_names"),
    ("characters.services.fighting",),
    ("characters.services.calls", "characters.services"),
    ("campaigns.services.finding", "campaigns.services.members", "campaigns.services.naming",
     "campaigns.services.numbers", "campaigns.services.telling"),
    ("campaigns.services",),
    ("games.deeds",),
    ("characters.deeds",),
    ("campaigns.deeds",),
    ("games.services.tables", "games.clock"),
    ("games.keeping",),
    ("campaigns.keeping",),
    ("games.snapshot",),
    ("games.advancing", "characters.snapshot"),
    ("campaigns.snapshot",),
    ("games.sentences",),
    ("characters.sentences",),
    ("campaigns.sentences",),
    ("games.screens", "games.rulebook"),
    ("characters.screens",),
    ("campaigns.chronicle",),
    ("campaigns.screens",),
    ("characters.rulebook", "characters.chronicle", "characters.trial", "characters.pictures"),
    ("characters.stage",),
    ("campaigns.rulebook", "campaigns.markdown", "campaigns.trial"),
    ("campaigns.stage",),
    ("games.misread", "games.forms", "games.context", "games.middleware", "games.showing",
     "games.at_table", "games.coming_in", "games.downloads"),
    ("games.live", "games.health"),
    ("config.asgi", "config.daphne_server", "config.jinja", "config.pages",
     "config.uvicorn_sockets"),
    ("games.views", "games.urls", "games.management", "games.apps", "games.admin",
     "games.admin_words", "games.api", "games.api_schema"),
    ("characters.views", "characters.urls", "characters.management", "characters.apps",
     "characters.admin", "characters.admin_words"),
    ("campaigns.views", "campaigns.urls", "campaigns.apps", "campaigns.admin",
     "campaigns.admin_words"),
    ("config.command_line", "config.urls"),
)  # fmt: skip
OF_LAYER = {name: level for level, names in enumerate(LAYERS) for name in names}
OURS: tuple[str, ...] = settings.OUR_APPS
APPS_ABOVE = tuple(app for app in OURS if app != "games")
IN_LAYERS = (*OURS, "config")
LONGEST_FILE, LONGEST_FUNCTION = 400, 40
# As many modules as these have at least: a rule that is held for none would pass.
FEWEST = {"games": 90, "characters": 90, "campaigns": 90, "config": 30}


def modules(package: str) -> list[tuple[str, Path]]:
    found = []
    for path in sorted((ROOT / package.replace(".", "/")).rglob("*.py")):
        parts = path.relative_to(ROOT).with_suffix("").parts
        if "migrations" not in parts:
            found.append((".".join(parts[:-1] if parts[-1] == "__init__" else parts), path))
    return found


@cache
def imports_of(source: str) -> set[str]:
    """Return every module that a source names in an import, whether at its top or in a function."""
    found: set[str] = set()
    for node in statements(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"imports are absolute here: {ast.unparse(node)}"
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
        if other.split(".")[0] in IN_LAYERS and (layer_of(other) or 0) > mine
    ]


def sources(app: str) -> dict[str, str]:
    """Return what is written in each module of an app."""
    found = {module: path.read_text() for module, path in modules(app) if module != app}
    assert len(found) > FEWEST.get(app, 0), f"{app} is not where it was"
    return found


@pytest.mark.parametrize("app", IN_LAYERS)
def test_nothing_imports_what_stands_above_it(app: str):
    assert [one for module in sources(app).items() for one in breaches(*module)] == []


def test_the_rules_know_no_django_and_nothing_of_games():
    foreign = ("django", "channels", "config", "time", "datetime", "socket")
    rules = {m: s for m, s in sources("games").items() if m.startswith("games.rules")}
    assert len(rules) > 60
    for module, source in rules.items():
        for other in imports_of(source):
            top = other.split(".")[0]
            assert top not in foreign, (module, other)
            assert top != "games" or other.startswith("games.rules"), (module, other)


def test_games_knows_none_of_the_apps_above():
    """What it needs of them they put into its registries."""
    for module, source in sources("games").items():
        assert not {o.split(".")[0] for o in imports_of(source)} & set(APPS_ABOVE), module


def test_the_apps_above_know_neither_each_other_nor_the_views_of_games():
    for module, path in itertools.chain(*map(modules, APPS_ABOVE)):
        for other in imports_of(path.read_text()):
            app, apps_own = other.split(".")[0], module.split(".")[0]
            assert app == apps_own or app not in APPS_ABOVE, (module, other)
            assert not other.startswith(("games.views", "games.live.consumer")), module


def test_templates_know_those_apps_that_their_modules_may_know():
    """What several apps draw stands in `templates/parts`."""
    folders = {path.name: path for path in (ROOT / "templates").iterdir() if path.is_dir()}
    assert set(folders) == {*OURS, "parts"}
    for name, folder in folders.items():
        others = [app for app in APPS_ABOVE if app != name]
        for path in folder.rglob("*.jinja"):
            assert not [app for app in others if f'"{app}/' in path.read_text()], path


def test_pages_load_the_style_sheets_of_no_other_game():
    """They stand in a first page whole (docs/decisions/0026)."""
    for app, game in {"characters": "knave", "campaigns": "wicked"}.items():
        assert list((ROOT / "static").glob(f"{game}*.css")), game
        for path in (ROOT / "templates").rglob("*.jinja"):
            if app not in path.parts:
                assert not re.search(rf"['\"]{game}[\w-]*\.css", path.read_text()), path


def test_every_app_has_its_types_checked_and_what_measures_them():
    """`make check` names them, as a Makefile asks no settings."""
    checked = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if " mypy " in line
    )
    assert set(checked.split(" mypy ")[1].split()) == {*IN_LAYERS, "bench"}


def test_only_one_module_knows_randomness_for_dice():
    """`secrets` makes codes and tokens; `random` is for regulars' moods and dice of a seed.

    The rules but for dice name it as a type: by what a test scrambles.
    """
    users = {
        module
        for module, path in itertools.chain(*map(modules, OURS))
        if {o.split(".")[0] for o in imports_of(path.read_text())} & {"random"}
    }
    assert users == {
        "games.rules.dice",
        "games.regulars",
        "games.rules.engine",
        "games.rules.brave_or_knave.view",
        "games.rules.knave_fight.view",
        "games.rules.wicked_sequence.view",
    }


WRITES = {"save", "create", "bulk_create", "bulk_update", "update_or_create", "get_or_create"}
# Words that dictionaries have as well: a write only when they follow a query.
OF_QUERIES = {"update", "delete"}
MAY_WRITE = (
    *("games.services", "games.deeds", "games.limits", "games.devices", "games.models"),
    *("characters.services", "characters.deeds", "characters.models"),
    *("campaigns.services", "campaigns.deeds", "campaigns.models"),
    "games.keeping",
)


def writes(source: str) -> list[int]:
    """Return the lines on which a source writes rows."""
    return [
        node.lineno
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and (node.func.attr in WRITES or _is_of_a_query(node.func))
        and not _saves_a_picture(node)
    ]


def _is_of_a_query(called: ast.Attribute) -> bool:
    before = ast.unparse(called.value)
    return called.attr in OF_QUERIES and any(w in before for w in (".objects", ".filter(", ".all("))


def _saves_a_picture(call: ast.Call) -> bool:
    """Tell whether an image is written to memory, not a row to the database."""
    return any(isinstance(a, ast.Constant) and a.value == "JPEG" for a in call.args)


@pytest.mark.parametrize("app", OURS)
def test_only_services_write(app: str):
    """Views, screens, sockets and the clock call a service; the session is no table's row."""
    for module, source in sources(app).items():
        if not module.startswith((*MAY_WRITE, "games.rules")):
            assert writes(source) == [], module


def test_a_write_would_be_found():
    """The control."""
    assert writes("one.save()") == [1]
    assert writes("Item.objects.filter(pk=1).update(count=2)") == [1]
    assert writes("table.items.all().delete()") == [1]
    assert writes("given.update(count=2)\nimage.save(file, 'JPEG')") == []


def test_a_breach_would_be_found():
    """The control: an import upwards, at the top or hidden in a function, is reported."""
    assert breaches("games.wake", "from games.live import readers")
    assert breaches("games.bouts", "def f():\n    import games.views.front")
    assert breaches("games.services.change", "from games.services.act import act")
    assert breaches("games.rules.dice", "from games.models import Table")
    assert not breaches("games.views.front", "from games.rules import dice")
    assert breaches("characters.models.sheet", "from characters.services import goods")
    assert breaches("characters.services.goods", "from characters.services import fighting")
    assert breaches("characters.snapshot", "from characters.stage import RULES")
    assert breaches("characters.deeds.loot", "from games.screens import pages")
    assert not breaches("characters.stage", "from characters.screens import board")
    assert breaches("games.models.rows", "from config.sessions import SessionStore")
    assert breaches("config.threads", "def f():\n    from games.live import workers")
    assert not breaches("config.pages", "from games.live import workers")


def taken_from_tests(source: str) -> list[str]:
    """Return what a source imports that stands in a test module."""
    ours = {one for one in imports_of(source) if one.startswith("tests.")}
    return sorted(one for one in ours if any(p.startswith("test_") for p in one.split(".")))


def test_what_tests_share_stands_in_modules_of_its_own():
    """What tests share stands in modules of its own: nothing imports from a test module.

    So each can be changed, split or renamed for its own sake, and what is shared has a name.
    """
    found = list(itertools.chain(*map(modules, ("tests", "bench"))))
    assert len(found) > 500
    taken = {module: taken_from_tests(path.read_text()) for module, path in found}
    assert {module: what for module, what in taken.items() if what} == {}


def test_what_is_taken_from_a_test_module_would_be_found():
    """The control: at the top or hidden in a function, by its name or as a whole module."""
    assert taken_from_tests("from tests.games.test_pass import offers")
    assert taken_from_tests("def f():\n    from tests.test_settings import SECRET as key")
    assert taken_from_tests("from tests.phones import test_turns")
    assert taken_from_tests("import tests.phones.test_turns as turns")
    assert not taken_from_tests("from tests.games.party import Person")
    assert not taken_from_tests("from django.test import Client")


OUR_FILES = [p for _n, p in itertools.chain(*map(modules, (*OURS, "config", "tests", "bench")))]


OF_PAGES = sorted(
    path
    for folder, kind in (("static", "*.js"), ("static", "*.css"), ("templates", "*.jinja"))
    for path in (ROOT / folder).rglob(kind)
)


def test_no_module_is_past_400_lines():
    assert len(OUR_FILES) > 900
    assert len(OF_PAGES) > 200
    for path in [*OUR_FILES, *OF_PAGES]:
        assert len(path.read_text().splitlines()) <= LONGEST_FILE, path


def long_functions(source: str) -> list[str]:
    """Return the functions of a source that nobody reads in one look."""
    return [
        node.name
        for node in statements(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= LONGEST_FUNCTION
    ]


def statements(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield what stands within, short of expressions: these are most of a source."""
    left = [tree]
    while left:
        yield (node := left.pop())
        for name in ("body", "orelse", "finalbody", "handlers", "cases"):
            left += getattr(node, name, ())


def test_no_function_is_past_40_lines():
    for path in OUR_FILES:
        assert long_functions(path.read_text()) == [], path


def test_a_long_function_would_be_found():
    """The control."""
    body = "\n".join(["    pass"] * 39)
    assert long_functions(f"def short():\n{body}") == []
    assert long_functions(f"def long():\n{body}\n    pass") == ["long"]
    inner = "\n".join(f"    {line}" for line in body.splitlines())
    for head in ("class A:", "if a:", "try:\n    pass\nexcept A:", "match a:\n  case 1:"):
        assert long_functions(f"{head}\n    def long():\n{inner}\n        pass") == ["long"]
