"""Addresses of pages, worked out once for each: a drawing names the same few dozen every time."""

from __future__ import annotations

from functools import lru_cache

from django.urls import reverse


@lru_cache(maxsize=4096)
def address_of(page: str, *keys: str | int) -> str:
    """Return the path of a page by its route's name. Raises NoReverseMatch for none of ours."""
    return reverse(page, args=keys)
