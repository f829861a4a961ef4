"""What Django's commands for accounts ask, and say, in the language of the terminal.

They have it in English alone, and put it together before anybody could look for a translation.
"""

from __future__ import annotations

import builtins
import getpass
import re
from typing import Any, Final

from django.core.management.base import BaseCommand, CommandError
from django.utils.translation import gettext

from games.rules.words import _

ASK: Final = frozenset({"createsuperuser", "changepassword"})
SAID: Final = (
    _("Password: "),
    _("Password (again): "),
    _("%s (leave blank to use '%s'): "),
    _("Bypass password validation and create user anyway? [y/N]: "),
    _("Superuser created successfully."),
    _("Changing password for user '%s'"),
    _("Password changed successfully for user '%s'"),
    _("Passwords do not match. Please try again."),
    _("Error: Your passwords didn't match."),
    _("Error: Blank passwords aren't allowed."),
    _("Error: That %s is already taken."),
    _("Error: %s"),
    _("%s cannot be blank."),
    _("user '%s' does not exist"),
    _("aborted"),
    _("Aborting password change for user '%s' after %s attempts"),
    _("You must use --%s with --noinput."),
    _("Operation cancelled."),
    _(
        "Superuser creation skipped due to not running in a TTY. You can run `manage.py "
        "createsuperuser` in your project to create one manually."
    ),
)


def told(said: str) -> str:
    """Return in the terminal's language what a command is about to say."""
    words = said.lstrip("\n")  # of Ctrl+C they stand on a line of their own
    for text in SAID:
        if found := re.fullmatch(re.escape(text).replace("%s", "(.*)"), words, re.S):
            return said.removesuffix(words) + gettext(text) % found.groups()
    return said


def asks_in_words(command: BaseCommand) -> BaseCommand:
    """Let a command ask, answer and refuse in the terminal's language."""
    handle: Any = command.handle
    asks: Any = builtins.input
    asks_unseen: Any = getpass.getpass

    def handled(*args: Any, **options: Any) -> Any:
        command.stdout.write = _telling(command.stdout.write)  # type: ignore[method-assign]
        command.stderr.write = _telling(command.stderr.write)  # type: ignore[method-assign]
        builtins.input = _telling(asks)
        getpass.getpass = _telling(asks_unseen, "Password: ")
        try:
            return handle(*args, **options)
        except CommandError as error:
            raise CommandError(told(str(error)), returncode=error.returncode) from error
        finally:
            builtins.input, getpass.getpass = asks, asks_unseen

    command.handle = handled  # type: ignore[method-assign]
    return command


def _telling(does: Any, usually: str = "") -> Any:
    """Return what does the same with the words in the terminal's language."""

    def tells(prompt: str = usually, *args: Any, **options: Any) -> Any:
        return does(told(prompt), *args, **options)

    return tells
