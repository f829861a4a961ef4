"""A terminal is spoken to in its own language, and nobody at a table in that of the terminal."""

from __future__ import annotations

import builtins
import getpass
from io import StringIO
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command, get_commands, load_command_class
from django.utils import translation

from config.languages import VARIABLES
from games.management import serving
from games.management.asking import asks_in_words
from games.management.commands.play import Command
from games.management.speaking import speaks
from games.management.terminal import language, spoken
from tests.starting import starts

SPANISH = {"LC_ALL": "es_ES.UTF-8", "LANGUAGE": ""}


@pytest.fixture
def spanish_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in SPANISH.items():
        monkeypatch.setenv(name, value)


@pytest.mark.parametrize(
    ("said", "spoken_there"),
    [
        ({}, "en"),
        ({"LANG": "es_ES.UTF-8"}, "es"),
        ({"LANG": "es"}, "es"),
        ({"LANG": "es-MX"}, "es"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "en_GB.UTF-8", "LC_MESSAGES": "es_AR@euro"}, "es"),
        ({"LANG": "es_ES.UTF-8", "LC_ALL": "C.UTF-8"}, "en"),
        ({"LANG": "de_DE.UTF-8", "LANGUAGE": "de:es:en"}, "es"),
        ({"LANG": "C", "LANGUAGE": "es"}, "en"),
    ],
    ids=str,
)
def test_a_terminal_says_by_its_variables_which_language_it_speaks(
    monkeypatch: pytest.MonkeyPatch, said: dict[str, str], spoken_there: str
):
    for name in (*VARIABLES, "LANGUAGE"):
        monkeypatch.delenv(name, raising=False)
    for name, value in said.items():
        monkeypatch.setenv(name, value)
    assert language() == spoken_there


def test_who_opens_the_house_at_a_spanish_terminal_reads_spanish(spanish_terminal: None):
    """Also what is shown later, by a thread of its own, when the machine has another address."""
    out = StringIO()
    Command(stdout=out).show("http://192.168.1.20:8000", has_moved=True)
    told = out.getvalue()
    assert "Taproom está abierto en  http://192.168.1.20:8000/\n" in told
    assert "Este equipo tiene ahora otra dirección" in told
    assert "Ctrl+C cierra la casa." in told


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("serve",), "no hay ninguna casa: ejecuta antes manage.py prepare"),
        (("serve", "--port", "0"), "los puertos van de 1 a 65535, y 0 no es ninguno"),
        (("drill",), "No hay ninguna copia en "),
        (("restore",), "manage.py restore: error: faltan estos argumentos: FILE"),
        (("restor",), "No hay ningún comando restor. ¿Será restore?"),
        (("wine",), "No hay ningún comando wine. manage.py help los nombra todos."),
    ],
    ids=str,
)
def test_what_is_wrong_is_said_in_the_language_of_the_terminal(
    tmp_path: Path, command: tuple[str, ...], told: str
):
    ended = starts(tmp_path, *command, TAPROOM_DATABASE="", **SPANISH)
    assert ended.returncode != 0
    assert told in ended.stderr


@pytest.mark.parametrize(
    ("command", "told"),
    [
        (("play", "--help"), ("uso: manage.py play", "opciones:", "muestra esta ayuda y termina")),
        (("help", "replay"), ("uso: manage.py replay", "argumentos:", "Juega partidas")),
        (("changepassword", "-h"), ("uso: ", "Cambia la contraseña")),
        (("help",), ("manage.py help COMMAND dice qué hace un comando. Hay:", "restore", "seat")),
    ],
    ids=str,
)
def test_help_comes_in_the_language_of_the_terminal(
    tmp_path: Path, command: tuple[str, ...], told: tuple[str, ...]
):
    """Python's words for it, Django's and ours: argparse spoke English to everybody."""
    ended = starts(tmp_path, *command, TAPROOM_DATABASE="", COLUMNS="200", **SPANISH)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert [words for words in told if words not in ended.stdout] == []


OURS = [name for name, app in get_commands().items() if app in settings.OUR_APPS]


def helped(name: str, language: str) -> list[str]:
    """Return what a command and each thing that it takes are for."""
    with translation.override(language):
        parser = speaks(load_command_class(get_commands()[name], name)).create_parser("", name)
        return [parser.description or "", *(one.help or "" for one in parser._actions)]


@pytest.mark.parametrize("name", [*OURS, "createsuperuser", "changepassword"])
def test_every_word_of_a_command_s_help_is_translated(name: str):
    assert len(OURS) > 8
    both = [*zip(helped(name, "en"), helped(name, "es"), strict=True)]
    assert len(both) > 8
    assert [english for english, spanish in both if not english or english == spanish] == []


class Host:
    """Whoever sits at the terminal: hears what is asked, and answers it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *answers: str) -> None:
        self.answers, self.asked = [*answers], list[str]()
        monkeypatch.setattr("builtins.input", self.answer)
        monkeypatch.setattr("getpass.getpass", self.answer)

    def answer(self, prompt: str = "") -> str:
        self.asked.append(prompt)
        return self.answers.pop(0)

    def isatty(self) -> bool:
        return True

    def runs(self, name: str, *args: str) -> str:
        out = StringIO()
        command = asks_in_words(load_command_class("django.contrib.auth", name))
        more = {"stdin": self} if name == "createsuperuser" else {}
        with spoken():
            call_command(command, *args, stdout=out, stderr=out, **more)
        return out.getvalue()


def test_an_account_is_made_and_given_a_password_in_spanish(
    db: None, monkeypatch: pytest.MonkeyPatch, spanish_terminal: None
):
    """Django's two commands for it ask in English alone, or in half a sentence of each."""
    monkeypatch.setattr("django.contrib.auth.management.get_system_username", lambda: "ana")
    host = Host(monkeypatch, "", "ana@example.org", "one", "two", *["salt and honey"] * 2)
    said = host.runs("createsuperuser")
    assert host.asked == [
        "Nombre de usuario (si se deja en blanco, «ana»): ",
        "Dirección de correo electrónico: ",
        *["Contraseña: ", "Contraseña (otra vez): "] * 2,
    ]
    assert said.splitlines() == ["Error: Las contraseñas no son iguales.", "La cuenta está creada."]
    host = Host(monkeypatch, *["another of them"] * 2)
    assert host.runs("changepassword", "ana").splitlines() == [
        "Otra contraseña para «ana»",
        "«ana» tiene ya otra contraseña.",
    ]
    assert User.objects.get().check_password("another of them")
    with pytest.raises(CommandError, match="No hay ninguna cuenta «ben»"):
        host.runs("changepassword", "ben")


def test_what_a_command_asks_is_put_back_when_it_has_ended(
    db: None, monkeypatch: pytest.MonkeyPatch, spanish_terminal: None
):
    host = Host(monkeypatch)
    with pytest.raises(CommandError):
        host.runs("changepassword", "nobody")
    assert builtins.input == getpass.getpass == host.answer


def test_help_is_printed_where_the_terminal_has_no_such_letters(tmp_path: Path):
    ended = starts(tmp_path, "play", "--help", PYTHONIOENCODING="ascii", **SPANISH)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert "la direcci?n" in ended.stdout


@pytest.mark.parametrize("server", serving.SERVERS)
def test_the_tables_are_served_in_no_language_of_a_terminal(
    monkeypatch: pytest.MonkeyPatch, settings, spanish_terminal: None, server: str
):
    """What no seat's language decides is said in the house's usual one, whoever opened it."""
    heard: list[str | None] = []
    settings.SERVER = server
    monkeypatch.setattr(
        serving, f"_serve_by_{server}", lambda *_given: heard.append(translation.get_language())
    )
    with spoken():
        assert translation.get_language() == "es", "the control"
        serving.serve("127.0.0.1", 8000)
    assert heard == [settings.LANGUAGE_CODE]
