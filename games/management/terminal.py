"""What whoever runs a command is told, in which language, and what they may say."""

from __future__ import annotations

import os
import re
import sys
from argparse import ArgumentTypeError
from contextlib import AbstractContextManager, suppress
from datetime import datetime, timedelta
from io import TextIOWrapper
from pathlib import Path

from django.conf import settings
from django.utils import timezone, translation
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from config.languages import asked_for

USUAL_PORT = 8000


def language() -> str:
    """Return that of our languages which this terminal speaks, by the variables that say so."""
    for name in asked_for():
        with suppress(LookupError):  # none of ours
            return translation.get_supported_language_variant(translation.to_language(name))
    return str(settings.LANGUAGE_CODE)


def spoken() -> AbstractContextManager[None]:
    """Let what is said in the block be said in the language of this terminal."""
    return translation.override(language())


def print_any_letters() -> None:
    """Let names be printed that the terminal has no letters for: it shows "?" for those."""
    if isinstance(sys.stdout, TextIOWrapper):
        sys.stdout.reconfigure(errors="replace")


def stop_printing() -> None:
    """Let what is still to be said go nowhere: nobody reads it any more."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def port_number(said: str) -> int:
    """Return the number of a port. Raises ArgumentTypeError for what is none."""
    if not (re.fullmatch("[0-9]{1,5}", said) and 0 < int(said) < 65536):
        text = _("ports are 1 to 65535, and %(port)s is none")
        raise ArgumentTypeError(text % {"port": said[:20]})
    return int(said)


def place_named(said: str) -> Path:
    """Return the file or folder of this name, in full: whoever is told of it may be elsewhere.

    Raises ArgumentTypeError for what nobody can mean. An empty name, of a variable that is unset,
    would be the folder one happens to be in. A shell leaves `~` as it is in quotes and behind
    `--to=`, and a folder of that name would be made here.
    """
    if not said:
        raise ArgumentTypeError(_("nothing is named"))
    if said.startswith("~"):
        text = _("the shell has left %(place)s as it is: name the place in full")
        raise ArgumentTypeError(text % {"place": said[:20]})
    return Path(said).absolute()


def ago(moment: datetime) -> str:
    """Say how long ago something was, in the unit that a person would use."""
    seconds = int(max(timezone.now() - moment, timedelta()).total_seconds())
    days, hours, minutes = seconds // 86400, seconds // 3600, seconds // 60
    if days > 1:
        return ngettext("%(days)s day ago", "%(days)s days ago", days) % {"days": days}
    if hours > 1:
        return ngettext("%(hours)s hour ago", "%(hours)s hours ago", hours) % {"hours": hours}
    if minutes > 1:
        text = ngettext("%(minutes)s minute ago", "%(minutes)s minutes ago", minutes)
        return text % {"minutes": minutes}
    return _("%(seconds)s s ago") % {"seconds": seconds}
