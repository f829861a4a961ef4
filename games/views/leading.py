"""Where somebody is sent after a form that a page sent without a script."""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.http import url_has_allowed_host_and_scheme


def our_page(request: HttpRequest, where: str, otherwise: str) -> str:
    """Return where a browser says that it came from, if that is a page of ours.

    It may say anything: Django's `redirect` would look for a view of that name.
    """
    is_page = where.startswith(("/", "http://", "https://"))
    is_ours = is_page and url_has_allowed_host_and_scheme(where, allowed_hosts={request.get_host()})
    return where if is_ours else otherwise
