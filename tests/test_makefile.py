"""`make play` sets itself up, whatever was there before and whatever the shell says to others."""

from __future__ import annotations

import importlib.util
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest
from django.utils import translation

from config import early_texts, get_pip, make_says
from tests import chromium
from tests.catalog import messages, spanish

ROOT = Path(__file__).resolve().parent.parent
# It stands for a Python: an old one, one without pip, ours. What it is asked to do, it notes.
FAKE = """#!/bin/sh
if [ "$1" = -c ]; then case "$2" in *ensurepip*) exit {pipless};; *) exit {exit};; esac; fi
if [ "$2" = config/make_says.py ]; then exit {exit}; fi
echo "$(basename "$0") $* $DJANGO_SETTINGS_MODULE$PYTHONPATH$PYTHONUTF8" >> "{noted}"
if [ "$2" = venv ]; then rm -rf .venv; mkdir -p .venv/bin; cp "{good}" .venv/bin/python; fi
if [ "$2" = {babel} ]; then : > config/locale/es/LC_MESSAGES/django.mo; fi
"""
BABEL = "babel.messages.frontend"


class Checkout:
    """The Makefile in a folder where every Python only notes what it was asked."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.noted = folder, folder / "noted"
        self.noted.touch()
        for path in ("Makefile", "config/requirements.lock"):
            (folder / path).parent.mkdir(exist_ok=True)
            (folder / path).write_text((ROOT / path).read_text())
        messages = folder / "config/locale/es/LC_MESSAGES"
        messages.mkdir(parents=True)
        (messages / "django.po").touch()
        self.good = self.python("good", 0)
        (folder / ".venv/bin").mkdir(parents=True)

    def python(self, name: str, code: int, pipless: int = 0) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        good = self.folder / "good"
        path.write_text(
            FAKE.format(exit=code, pipless=pipless, noted=self.noted, good=good, babel=BABEL)
        )
        path.chmod(0o755)
        return path

    def plays(self, python: Path, **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["make", "--no-print-directory", "play", f"PYTHON={python}", "PORT=8123"],
            cwd=self.folder,
            env={**os.environ, **environment},
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def checkout(tmp_path: Path) -> Checkout:
    return Checkout(tmp_path)


def test_an_older_python_is_refused_before_it_leaves_anything_behind(checkout: Checkout):
    ended = checkout.plays(checkout.python("old", 1))
    assert ended.returncode
    assert "Python 3.11 or newer" in ended.stdout
    assert checkout.noted.read_text() == ""


SPANISH = {"LC_ALL": "es_ES.UTF-8", "LANGUAGE": ""}


def makes(target: str, python: Path | str, **environment: str) -> str:
    """Return what make says here of a target."""
    told = subprocess.run(
        ["make", "--no-print-directory", target, f"PYTHON={python}"],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        check=False,
    )
    return told.stdout


def test_a_python_that_is_too_old_says_so_in_the_language_of_the_terminal(checkout: Checkout):
    for name in ("__init__", "make_says", "early_texts", "languages"):
        (checkout.folder / f"config/{name}.py").write_text((ROOT / f"config/{name}.py").read_text())
    catalog = "config/locale/es/LC_MESSAGES/django.po"
    (checkout.folder / catalog).write_text((ROOT / catalog).read_text())
    old = checkout.folder / "old"
    old.write_text(f'#!/bin/sh\n[ "$1" = -c ] && exit 1\nexec {sys.executable} "$@"\n')
    old.chmod(0o755)
    ended = checkout.plays(old, **SPANISH)
    assert ended.returncode
    assert ended.stdout.startswith("Hace falta Python 3.11 o más nuevo, con venv")
    assert not [*checkout.folder.rglob("__pycache__")]


def test_make_names_what_it_can_do_in_the_language_of_the_terminal():
    english, spanish = (
        makes("help", sys.executable, **SPANISH | more).splitlines()
        for more in ({"LC_ALL": "en_US.UTF-8"}, {})
    )
    asked = re.search(r"\.PHONY: (help .*)", (ROOT / "Makefile").read_text())
    assert asked
    named = {line.split()[1] for line in english}
    assert named == {*asked[1].split()} - {"help", "browser", "caddy"}
    assert len(spanish) == len(english)
    assert not {*english} & {*spanish}


def test_make_says_what_is_missing_where_there_is_no_python(tmp_path: Path):
    assert makes("help", tmp_path / "none").startswith("Python 3.11 or newer is needed.")


def test_what_is_said_before_anything_is_set_up_is_what_is_compiled_later(
    monkeypatch: pytest.MonkeyPatch,
):
    """It is read from the translators' own file, as nothing is compiled yet."""
    monkeypatch.setenv("LC_ALL", "es_MX.UTF-8")
    monkeypatch.delenv("LANGUAGE", raising=False)
    texts = [m.id for m in messages(spanish()) if isinstance(m.id, str) and not m.context]
    some = [make_says.told("fetching"), *(use for _target, use in make_says.targets())]
    assert not {*some} & {*texts}
    with translation.override("es"):
        for text in [*texts[::300], *(t for t in texts if '"' in t or "\n" in t)]:
            assert early_texts.gettext(text) == translation.gettext(text)


def test_what_a_first_try_left_behind_is_made_anew(checkout: Checkout):
    """Debian without its package for it leaves a folder without pip, an older Python its own."""
    checkout.python(".venv/bin/python", 1)
    assert checkout.plays(checkout.good).returncode == 0
    made, fetched, _texts, played = checkout.noted.read_text().splitlines()
    assert made.startswith("good -m venv --clear .venv")
    assert fetched.startswith("python -m pip install")
    assert played.startswith("python manage.py play --host 0.0.0.0 --port 8123")


@pytest.mark.parametrize("is_gone", [True, False], ids=["gone", "of another version"])
def test_where_the_system_has_another_python_by_now_what_is_fetched_is_made_anew(
    checkout: Checkout, is_gone: bool
):
    """After an upgrade of the system, or in a folder that came from another machine, make said that
    there was no such file, or that `make play` would bring it up to date."""
    python = checkout.python(".venv/bin/python", 1)
    if is_gone:
        python.unlink()
        python.symlink_to("/where/it/was/python3.11")
    (checkout.folder / ".venv/.play").touch()
    assert checkout.plays(checkout.good).returncode == 0
    made, fetched, *_ = checkout.noted.read_text().splitlines()
    assert made.startswith("good -m venv --clear .venv")
    assert fetched.startswith("python -m pip install")


def test_a_python_that_comes_without_pip_is_given_one(checkout: Checkout):
    """Debian's `python3` alone: README says that it is all it takes, and it was turned away."""
    checkout.python(".venv/bin/python", 1)
    assert checkout.plays(checkout.python("debian", 0, pipless=1)).returncode == 0
    made, given, fetched, *_ = checkout.noted.read_text().splitlines()
    assert made.startswith("debian -m venv --clear --without-pip .venv")
    assert given.startswith("python config/get_pip.py")
    assert fetched.startswith("python -m pip install")


def test_the_pip_that_is_fetched_is_the_one_that_is_locked(monkeypatch: pytest.MonkeyPatch):
    locked = (ROOT / "config/requirements-dev.lock").read_text()
    assert f"pip=={get_pip.WHEEL.split('-')[1]} " in locked
    assert f"--hash=sha256:{get_pip.SHA256}" in locked
    monkeypatch.setattr(get_pip, "INDEX", "https://pypi.org/simple/pip/")
    listed = f'<a href="../../of/{get_pip.WHEEL}#sha256=0">'.encode()
    monkeypatch.setattr(
        get_pip, "read", lambda asked: listed if asked == get_pip.INDEX else asked.encode()
    )
    assert get_pip.fetch().decode() == f"https://pypi.org/of/{get_pip.WHEEL}"
    with pytest.raises(SystemExit, match="something else"):
        get_pip.main()


def test_it_is_fetched_from_where_pip_would_fetch(monkeypatch: pytest.MonkeyPatch):
    """A network may have an index of its own, and no way to any other."""
    monkeypatch.setenv("PIP_INDEX_URL", "http://index.lan/simple/")
    own = importlib.util.find_spec("config.get_pip")
    fresh = importlib.util.module_from_spec(own)
    own.loader.exec_module(fresh)
    assert fresh.INDEX == "http://index.lan/simple/pip/"


def test_where_pip_cannot_be_fetched_it_is_said_what_helps(monkeypatch: pytest.MonkeyPatch):
    def nowhere(address: str) -> bytes:
        raise OSError("no way out")

    monkeypatch.setattr(get_pip, "read", nowhere)
    with pytest.raises(SystemExit, match=r"no way out.*python3-venv"):
        get_pip.main()


def test_a_translation_that_a_full_disk_cut_short_is_made_again(checkout: Checkout):
    """It was newer than its source: with room again, every start was a traceback of its reading."""
    python = checkout.python(".venv/bin/python", 0)
    made = checkout.folder / "config/locale/es/LC_MESSAGES/django.mo"
    compiles = f'#!/bin/sh\n[ "$2" = {BABEL} ] || exit 0\n'
    python.write_text(f"{compiles}printf half > {made}\nexit 1\n")
    assert checkout.plays(checkout.good).returncode
    python.write_text(f"{compiles}printf whole > {made}\n")
    assert checkout.plays(checkout.good).returncode == 0
    assert made.read_text() == "whole"


def test_what_is_there_is_not_made_again(checkout: Checkout):
    checkout.python(".venv/bin/python", 0)
    for _ in range(2):
        assert checkout.plays(checkout.good).returncode == 0
    assert [line.split()[1] for line in checkout.noted.read_text().splitlines()] == [
        "-m", "-m", "manage.py", "manage.py",
    ]  # fmt: skip


def test_a_folder_that_was_moved_or_renamed_is_played_in(checkout: Checkout):
    """What pip writes into `.venv/bin` names the folder in which it was: with the first new texts
    after that, make said that there was no such file, of one that was there."""
    checkout.python(".venv/bin/python", 0)
    for name in ("pybabel", "pip"):
        script = checkout.folder / ".venv/bin" / name
        script.write_text("#!/where/it/was/.venv/bin/python\n")
        script.chmod(0o755)
    told = checkout.plays(checkout.good)
    assert (told.returncode, told.stderr) == (0, "")


def test_make_calls_no_script_that_names_its_folder():
    """And neither does what fetches the browser, nor `make check`."""
    for path in ("Makefile", "tests/browser.sh"):
        called = re.findall(r"(?:\$\(BIN\)|\$BIN)/(\w+)", (ROOT / path).read_text())
        assert set(called) == {"python"}, path


def test_what_the_shell_says_to_other_projects_is_not_heard(checkout: Checkout):
    """Of letters neither: with PYTHONUTF8=0 no house opened in a folder called `Señor`."""
    checkout.python(".venv/bin/python", 0)
    told = ("DJANGO_SETTINGS_MODULE", "PYTHONPATH", "PYTHONUTF8")
    checkout.plays(checkout.good, **dict.fromkeys(told, "elsewhere"))
    assert "play" in checkout.noted.read_text()
    assert "elsewhere" not in checkout.noted.read_text()


def test_our_own_modules_are_found_where_the_shell_keeps_python_from_looking_beside_a_script():
    """Somebody careful sets PYTHONSAFEPATH once for everything; every command was a traceback."""
    told = subprocess.run(
        [sys.executable, ROOT / "manage.py", "version"],
        cwd="/",
        env={**os.environ, "PYTHONSAFEPATH": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr


def test_the_icons_are_drawn_by_the_browser_that_the_tests_have():
    """`make icons` looked for others, and ended where only the one of `make browser` was there."""
    drawing = runpy.run_path(str(ROOT / "static" / "icons" / "draw.py"))
    assert drawing["chromium"]() == chromium.where()
    told = subprocess.run(
        ["make", "--dry-run", "icons"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "tests/browser.sh" in told.stdout


def test_the_python_of_these_tests_is_new_enough():
    """The control: what the Makefile asks of a Python is true of one that can play."""
    asked = next(
        line for line in (ROOT / "Makefile").read_text().splitlines() if "IS_NEW :=" in line
    )
    program = f"import sys; {asked.split(':=')[1].strip()}"
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_cleaning_up_leaves_the_house_alone(checkout: Checkout):
    """docs/hosting.md: the data is in `var/`. With it went every table, and the backups as well."""
    house = checkout.folder / "var" / "taproom.sqlite3"
    backup = checkout.folder / "var" / "backups" / "taproom-20261121-194500Z.zip"
    texts = checkout.folder / "var" / "django.pot"
    backup.parent.mkdir(parents=True)
    for path in (house, backup, texts):
        path.touch()
    subprocess.run(["make", "clean"], cwd=checkout.folder, capture_output=True, check=True)
    assert house.exists()
    assert backup.exists()
    assert not texts.exists(), "the control: what can be made again is gone"
    assert not (checkout.folder / ".venv").exists()
