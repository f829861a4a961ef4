"""Addresses of pages: their paths, and where other devices find them.

A path is worked out once, as a drawing names the same few dozen every time.
"""

from __future__ import annotations

from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.urls import reverse

from games.models import Table


@lru_cache(maxsize=4096)
def address_of(page: str, *keys: str | int) -> str:
    """Return the path of a page by its route's name. Raises NoReverseMatch for none of ours."""
    return reverse(page, args=keys)


def invite_address(table: Table) -> str:
    """Return what the table's QR code says, or nothing when the door is shut."""
    return "" if table.is_door_shut else address_for_phones(address_of("scan", table.key))


def address_for_phones(path: str) -> str:
    """Return the address of a page for other devices, or nothing when none is known.

    A host's laptop may look at localhost: the phones need its address on the network.
    """
    origin = settings.PUBLIC_ORIGIN or settings.LAN_ORIGIN
    return f"{origin}{path}" if origin else ""


def may_move() -> bool:
    """Tell whether the house is found by this machine's own address, which its network gives it."""
    return not settings.PUBLIC_ORIGIN


def address_to_type() -> str:
    """Return where somebody types a table's code, as short as a browser takes it, or nothing."""
    return urlsplit(address_for_phones("/")).netloc
