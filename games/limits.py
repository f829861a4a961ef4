"""Guessing codes and passwords: counted in the database, so that every process counts the same."""

from __future__ import annotations

import hashlib
import ipaddress
import re
from datetime import timedelta

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from games.errors import TooMany
from games.models import JoinAttempt

ADDRESS_WINDOW = timedelta(minutes=10)
OVERALL_WINDOW = timedelta(minutes=1)
# Wrong passwords are counted beside wrong codes, under names that no address has.
LOGIN = "login "
# Some proxies tell the port with the address.
_WITH_PORT = re.compile(r"\[([^]]*)\](?::\d+)?|([\d.]+):\d+")
A_HOUSEHOLD = 64  # bits of an IPv6 address: its rest is for each visitor to choose


def is_from_proxy(request: HttpRequest) -> bool:
    """Tell whether this request comes from our proxy, which alone is believed about the visitor."""
    proxy: str = settings.TRUSTED_PROXY
    return bool(proxy) and request.META.get("REMOTE_ADDR") == proxy


def visitor_of(request: HttpRequest) -> str:
    """Return what a visitor is counted by, as our proxy says or as the connection has it.

    Of IPv6 that is the household's network, behind a proxy. Without one the visitors are those of a
    network of our own, and all in the same one.
    """
    direct = request.META.get("REMOTE_ADDR", "") or "unknown"
    if is_from_proxy(request):
        forwarded = request.META.get("HTTP_X_FORWARDED_FOR", "")
        return _household(forwarded.rsplit(",", 1)[-1].strip())[:64] or direct
    return direct[:64]


def _household(told: str) -> str:
    """Return an IPv4 address as it is, and of IPv6 the network that one household is given."""
    if found := _WITH_PORT.fullmatch(told):
        told = found[1] or found[2]
    try:
        address = ipaddress.ip_address(told)
    except ValueError:
        return told
    if isinstance(address, ipaddress.IPv4Address):
        return told
    if address.ipv4_mapped:
        return str(address.ipv4_mapped)
    return str(ipaddress.IPv6Network((int(address), A_HOUSEHOLD), strict=False))


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
