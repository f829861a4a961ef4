"""A day as people write it, in the language of the page: 28 Nov 2026, 28 nov 2026."""

from __future__ import annotations

from datetime import date, datetime

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import pgettext


def day(moment: datetime) -> str:
    """Say on which day something was, in this machine's time zone."""
    return date_format(timezone.localtime(moment), pgettext("Django's letters for a date", "j M Y"))


def day_and_time(moment: datetime) -> str:
    """Say on which day and at what time something was, to the minute."""
    return f"{day(moment)}, {timezone.localtime(moment):%H:%M}"


def today() -> date:
    """Return the day that it is where this machine stands."""
    return timezone.now().astimezone().date()
