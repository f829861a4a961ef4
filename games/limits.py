"""Guessing codes and passwords: counted in the database, so that every process counts the same."""

from __future__ import annotations

import hashlib
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.models import JoinAttempt
from games.visitors import visitor_of

ADDRESS_WINDOW = timedelta(minutes=10)
OVERALL_WINDOW = timedelta(minutes=1)
# Wrong passwords are counted beside wrong codes, under names that no address has.
LOGIN = "login "


def _lately(window: timedelta) -> Q:
    """Return a filter for what still counts; a time far ahead was noted by a wrong clock."""
    now = timezone.now()
    return Q(at__range=(now - window, now + window))


def check_may_guess(request: HttpRequest) -> None:
    """Raise TooMany when this address, or everybody together, typed too many wrong codes."""
    recent = JoinAttempt.objects.filter(_lately(ADDRESS_WINDOW))
    if recent.filter(address=visitor_of(request)).count() >= settings.BAD_CODES_PER_ADDRESS:
        raise TooMany(
            _("Too many wrong codes from here. Wait ten minutes, or scan the QR code."),
            int(ADDRESS_WINDOW.total_seconds()),
        )
    lately = JoinAttempt.objects.filter(_lately(OVERALL_WINDOW))
    if lately.exclude(address__startswith=LOGIN).count() >= settings.BAD_CODES_OVERALL:
        raise TooMany(
            _("No typed codes are taken for a minute. Scan the QR code instead."),
            int(OVERALL_WINDOW.total_seconds()),
        )


def note_bad_guess(request: HttpRequest) -> None:
    """Count a code that opened nothing, and forget those that no longer matter."""
    JoinAttempt.objects.exclude(_lately(ADDRESS_WINDOW)).delete()
    JoinAttempt.objects.create(address=visitor_of(request))


def _login_keys(request: HttpRequest, name: str) -> dict[str, int]:
    """Return what a login attempt is counted under, with how many wrong ones each allows."""
    mark = hashlib.sha256(name.casefold().encode()).hexdigest()[:32]
    return {
        f"{LOGIN}{visitor_of(request)}"[:64]: settings.BAD_PASSWORDS_PER_ADDRESS,
        f"{LOGIN}name {mark}": settings.BAD_PASSWORDS_PER_NAME,
    }


def check_may_log_in(request: HttpRequest, name: str) -> None:
    """Raise TooMany after too many wrong passwords from an address, or for a name."""
    recent = JoinAttempt.objects.filter(_lately(ADDRESS_WINDOW))
    for key, most in _login_keys(request, name).items():
        if recent.filter(address=key).count() >= most:
            seconds = int(ADDRESS_WINDOW.total_seconds())
            raise TooMany(_("Too many wrong passwords. Wait ten minutes."), seconds)


def note_bad_login(request: HttpRequest, name: str) -> None:
    """Count a wrong password."""
    JoinAttempt.objects.exclude(_lately(ADDRESS_WINDOW)).delete()
    JoinAttempt.objects.bulk_create(JoinAttempt(address=k) for k in _login_keys(request, name))
