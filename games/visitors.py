"""Where a request comes from, as far as that can be believed."""

from __future__ import annotations

import ipaddress
import re

from django.conf import settings
from django.http import HttpRequest

# Some proxies tell the port with the address.
_WITH_PORT = re.compile(r"\[([^]]*)\](?::\d+)?|([\d.]+):\d+")
A_HOUSEHOLD = 64  # bits of an IPv6 address: its rest is for each visitor to choose


def is_from_proxy(request: HttpRequest) -> bool:
    """Tell whether this request comes from our proxy, which alone is believed about the visitor."""
    proxy: str = settings.TRUSTED_PROXY
    return bool(proxy) and request.META.get("REMOTE_ADDR") == proxy


def visitor_of(request: HttpRequest) -> str:
    """Return what a visitor is counted by, as our proxy says or as the connection has it.

    Behind a proxy an IPv6 address counts as its household's network. Without a proxy all visitors
    are in one network, which is our own, and each counts alone.
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
