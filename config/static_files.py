"""Static files of this release, and of the releases before and after it.

While processes are updated one by one, a page of one process asks another for its scripts. Both
releases' files are in one folder, so hashed names are looked up there when they are asked for, and
not only when a process starts. A page without its scripts could not even find out that it is of
another release.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

log = logging.getLogger(__name__)

HASHED = re.compile(r"[\w./-]+\.[0-9a-f]{12}\.\w+", re.ASCII)


class StaticFiles(ServeStaticMiddleware):  # type: ignore[misc]
    """Serves what the manifest names, and every other hashed file that lies beside it."""

    async def __call__(self, request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        if path not in self.files and HASHED.fullmatch(path):
            found = await asyncio.to_thread(self.find_file, path)
            if found is not None:
                self.files[path] = found
        response: HttpResponseBase = await super().__call__(request)
        return await _read(response, path) if getattr(response, "is_async", False) else response


async def _read(response: Any, path: str) -> HttpResponseBase:
    """Return an answer whose file was read and closed, or one that says that it cannot be.

    Files are small. A reader who went away in the middle left one open, which was closed whenever
    Python came to it: that failed, with a traceback.
    """
    try:
        whole = b"".join([piece async for piece in response.streaming_content])
    except OSError as error:
        log.warning("%s cannot be read: %s. If it is gone, a start makes it anew.", path, error)
        return HttpResponse("This cannot be read just now.", "text/plain; charset=utf-8", 503)
    response.streaming_content = _as_stream(whole)
    return response  # type: ignore[no-any-return]


async def _as_stream(whole: bytes) -> AsyncIterator[bytes]:
    if whole:
        yield whole
