"""Every address of the site, as its resolver knows it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.urls import get_resolver
from django.urls.resolvers import URLPattern, URLResolver


def every_route(
    resolver: URLResolver | None = None, before: str = "", space: str = ""
) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield name, path and the names in the path, of every address; the admin's have its prefix."""
    for one in (resolver or get_resolver()).url_patterns:
        path = before + str(one.pattern)
        if isinstance(one, URLResolver):
            inner = f"{one.namespace}:" if one.namespace else ""
            yield from every_route(one, path, space + inner)
        else:
            assert isinstance(one, URLPattern)
            yield f"{space}{one.name}", path, tuple(one.pattern.regex.groupindex)


def filled(names: tuple[str, ...], given: dict[str, Any]) -> dict[str, Any]:
    return {name: given[name] for name in names}
