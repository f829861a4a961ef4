"""A day as people write it, in the language of the page: 28 Nov 2026, 28 nov 2026."""

from __future__ import annotations

from datetime import datetime

from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import pgettext


def day(moment: datetime) -> str:
    return date_format(localtime(moment), pgettext("Django's letters for a date", "j M Y"))


def day_and_time(moment: datetime) -> str:
    return f"{day(moment)}, {localtime(moment):%H:%M}"
