"""Django's command line, on which no command ends in a traceback of the database.

What a command says is said in the language of whoever sits at the terminal.
"""

from __future__ import annotations

import sys
from difflib import get_close_matches
from typing import Any

from django.apps import apps
from django.core.management import ManagementUtility, get_commands
from django.core.management.base import BaseCommand
from django.utils.translation import gettext as _

HEAD = 4
"""As many lines stand above Django's list of commands."""


class CommandLine(ManagementUtility):
    """Finds commands as Django does, and lets each end in words."""

    def main_help_text(self, commands_only: bool = False) -> str:
        listed: str = super().main_help_text(commands_only)
        if commands_only or not apps.ready:
            return listed
        from games.management.terminal import spoken

        *_own_words, commands = listed.split("\n", HEAD)
        with spoken():
            text = _("%(program)s help COMMAND says what a command does. There are:")
            return f"{text % {'program': self.prog_name}}\n{commands}"

    def fetch_command(self, subcommand: str) -> BaseCommand:
        if not apps.ready:  # settings that cannot be read are told by whoever asks for them
            unready: BaseCommand = super().fetch_command(subcommand)
            return unready
        if subcommand not in get_commands():
            sys.exit(self._unknown(subcommand))
        command: BaseCommand = super().fetch_command(subcommand)
        from games.management.asking import ASK, asks_in_words
        from games.management.in_words import in_words
        from games.management.speaking import speaks

        if subcommand in ASK:
            asks_in_words(command)
        execute = command.execute

        def told(*args: Any, **options: Any) -> Any:
            with in_words(subcommand):
                return execute(*args, **options)

        command.execute = told  # type: ignore[method-assign]
        return speaks(command)

    def _unknown(self, subcommand: str) -> str:
        from games.management.terminal import spoken

        near = get_close_matches(subcommand, get_commands(), n=1)
        with spoken():
            if near:
                text = _("There is no command %(command)s. Is %(near)s the one that is meant?")
                return text % {"command": subcommand, "near": near[0]}
            text = _("There is no command %(command)s. %(program)s help names all there are.")
            return text % {"command": subcommand, "program": self.prog_name}
