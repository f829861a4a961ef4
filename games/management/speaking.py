"""Commands that speak the language of the terminal from their first word on.

What a command is for and what it takes stands in the command. How that is laid out are argparse's
words, and what every command takes are Django's: neither comes with any language but English.
"""

from __future__ import annotations

import argparse
from argparse import ArgumentParser
from typing import Any, Final

from django.core.management.base import BaseCommand
from django.utils.translation import gettext, ngettext

from games.management.terminal import print_any_letters, spoken
from games.rules.words import _

OF_ARGPARSE: Final = (
    _("usage: "),
    _("positional arguments"),
    _("options"),
    _("show this help message and exit"),
    _("%(prog)s: error: %(message)s\n"),
    _("argument %(argument_name)s: %(message)s"),
    _("unrecognized arguments: %s"),
    _("the following arguments are required: %s"),
    _("expected one argument"),
    _("expected at most one argument"),
    _("expected at least one argument"),
    _("ignored explicit argument %r"),
    _("not allowed with argument %s"),
    _("ambiguous option: %(option)s could match %(matches)s"),
    _("invalid %(type)s value: %(value)r"),
    _("invalid choice: %(value)r (choose from %(choices)s)"),
)
OF_DJANGO: Final = (
    _("Show program's version number and exit."),
    _(
        "Verbosity level; 0=minimal output, 1=normal output, 2=verbose output, "
        "3=very verbose output"
    ),
    _(
        'The Python path to a settings module, e.g. "myproject.settings.main". If this isn\'t '
        "provided, the DJANGO_SETTINGS_MODULE environment variable will be used."
    ),
    _('A directory to add to the Python path, e.g. "/home/djangoprojects/myproject".'),
    _("Display a full stack trace on CommandError exceptions."),
    _("Don't colorize the command output."),
    _("Force colorization of the command output."),
    _("Skip system checks."),
    _('Specifies the database to use. Default is "default".'),
    # createsuperuser
    _("Used to create a superuser."),
    _("Specifies the login for the superuser."),
    _("Specifies the email for the superuser."),
    _(
        "Tells Django to NOT prompt the user for input of any kind. You must use --username with "
        "--noinput, along with an option for any other required field. Superusers created with "
        "--noinput will not be able to log in until they're given a valid password."
    ),
    # changepassword
    _("Change a user's password for django.contrib.auth."),
    _("Username to change password for; by default, it's the current username."),
)
"""Of its commands those that a host needs (docs/hosting.md)."""


def speaks(command: BaseCommand) -> BaseCommand:
    """Let a command say everything in the terminal's language: help and mistakes as well."""
    run, show_help, create = command.run_from_argv, command.print_help, command.create_parser
    vars(argparse).update(_=gettext, ngettext=ngettext)  # what it has there is Python's own gettext

    def asked(argv: list[str]) -> None:
        if {"-h", "--help"} & {*argv}:
            print_any_letters()
        with spoken():
            run(argv)

    def helped(program: str, subcommand: str) -> None:
        print_any_letters()
        with spoken():
            show_help(program, subcommand)

    def made(program: str, subcommand: str, **options: Any) -> ArgumentParser:
        parser = create(program, subcommand, **options)
        parser.description = parser.description and gettext(parser.description)
        for one in parser._actions:
            one.help = one.help and gettext(one.help)
        return parser

    command.run_from_argv = asked  # type: ignore[method-assign]
    command.print_help = helped  # type: ignore[method-assign,assignment]
    command.create_parser = made  # type: ignore[method-assign,assignment]
    return command
