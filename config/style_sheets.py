"""Style sheets stand in a page until its browser has them as files (decision 26).

Nothing is shown before they are there. A page that only links to them has them asked for once it
has come, and on a slow line that is another round trip before anybody sees anything.
"""

from __future__ import annotations

import re
from functools import cache

from django.contrib.staticfiles.storage import staticfiles_storage
from django.http import HttpRequest
from django.templatetags.static import static
from jinja2 import pass_context
from jinja2.runtime import Context
from markupsafe import Markup

from config.hashed_files import HashedStorage

# Lists what a browser has: marks of files with dots between them. Written by `static/store.js`.
COOKIE = "styles"
# With DEBUG files have no hash, and so no mark.
MARK = re.compile(r"\.([0-9a-f]{8})[0-9a-f]{4}\.css$")


@pass_context
def style_sheet(context: Context, name: str) -> Markup:
    """Return a style sheet of `static/` for a page's head: its text, or a link for who has it."""
    request: HttpRequest | None = context.get("request")
    # Where a request is refused before the policy's middleware there is no nonce.
    nonce = getattr(request, "csp_nonce", None)
    address = static(name)
    mark = MARK.search(address)
    if request is None or nonce is None or mark is None or mark[1] in _kept_by(request):
        return _link(address)
    try:
        text = _text_of(name)
    except OSError:  # the process may open no more files
        return _link(address)
    return Markup('<style nonce="{}" data-file="{}" data-mark="{}">{}</style>').format(
        nonce, address, mark[1], text
    )


def _link(address: str) -> Markup:
    return Markup('<link rel="stylesheet" href="{}">').format(address)


def _kept_by(request: HttpRequest) -> list[str]:
    return request.COOKIES.get(COOKIE, "").split(".")


@cache
def _text_of(name: str) -> Markup:
    # Without hashes in their names, which only these have, no file would come here.
    assert isinstance(staticfiles_storage, HashedStorage)
    with staticfiles_storage.open(staticfiles_storage.stored_name(name)) as file:
        return Markup(file.read().decode())  # noqa: S704 - a file of ours
