"""Django's command line, on which no command ends in a traceback of the database."""

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

        execute = command.execute

        def told(*args: Any, **options: Any) -> Any:
            with in_words(subcommand):
                return execute(*args, **options)

        command.execute = told  # type: ignore[method-assign]
        return command
