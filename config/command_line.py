"""Django's command line, on which no command ends in a traceback of the database.

What a command says is said in the language of whoever sits at the terminal.
"""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.core.management import ManagementUtility
from django.core.management.base import BaseCommand


class CommandLine(ManagementUtility):
    """Finds commands as Django does, and lets each end in words."""

    def fetch_command(self, subcommand: str) -> BaseCommand:
        command: BaseCommand = super().fetch_command(subcommand)
        if not apps.ready:  # settings that cannot be read are told by whoever asks for them
            return command
        from games.management.in_words import in_words
        from games.management.terminal import spoken

        execute, run = command.execute, command.run_from_argv

        def told(*args: Any, **options: Any) -> Any:
            with in_words(subcommand):
                return execute(*args, **options)

        def asked(argv: list[str]) -> None:
            with spoken():  # what cannot be understood of it, as well
                run(argv)

        command.execute = told  # type: ignore[method-assign]
        command.run_from_argv = asked  # type: ignore[method-assign]
        return command
