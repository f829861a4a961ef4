"""What any command says of a database: none without a house, and no traceback for an outage.

Django's own commands know nothing of our releases. They would ask for a password and then end in a
traceback for a table that is missing, or write into a house that a newer Taproom has made.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.core.management.base import CommandError
from django.db import DatabaseError, IntegrityError
from django.utils.translation import gettext as _

from games.keeping import KeepingError, opening
from games.management.terminal import stop_printing
from games.trouble import in_trouble

OF_A_HOUSE: Final = frozenset(
    {
        "changepassword",
        "clearsessions",
        "createsuperuser",
        "dumpdata",
        "flush",
        "loaddata",
        "remove_stale_contenttypes",
    }
)
"""Django's commands that read or write the rows of a house. Ours ask for it by themselves."""


@contextmanager
def in_words(command: str) -> Iterator[None]:
    """Raise CommandError for what a command of this name finds wrong with the database.

    Every command ends here (`config.command_line`), so none has to do that with a KeepingError.
    A mistake in a query of ours stays as it is: whoever mends it needs to read where it was.
    """
    try:
        if command in OF_A_HOUSE:
            with opening.beside_the_house():
                pass
        yield
        sys.stdout.flush()  # what cannot be written is found here, and not when Python ends
    except KeepingError as error:
        raise CommandError(str(error)) from error
    except IntegrityError as error:
        text = _("The database refuses this, nothing was written: %(why)s")
        raise CommandError(text % {"why": error}) from error
    except DatabaseError as error:
        if not in_trouble(error):
            raise
        raise CommandError(_said(error)) from error
    except BrokenPipeError:  # `restore … | head`: it says what it has done
        stop_printing()
    except OSError as error:
        if not in_trouble(error):
            raise
        stop_printing()  # else what is left of it is tried once more at the end
        text = _("Something could not be written, perhaps only what this had to say: %(why)s")
        raise CommandError(text % {"why": error}) from error


def _said(error: DatabaseError) -> str:
    try:
        with opening.read_in_words():
            raise error
    except KeepingError as told:
        return str(told)
