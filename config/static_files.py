"""Static files of this release, and of the releases before and after it.

While processes are updated one by one, a page of one process asks another for its scripts. Both
releases' files are in one folder, so hashed names are looked up there when they are asked for, and
not only when a process starts. A page without its scripts could not even find out that it is of
another release.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

log = logging.getLogger(__name__)

HASHED = re.compile(r"[\w./-]+\.[0-9a-f]{12}\.\w+", re.ASCII)


class StaticFiles:
    """Serves what the manifest names, and every other hashed file that lies beside it.

    In the thread that asks: the library's own way starts two or three for each file.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]) -> None:
        self._get_response = get_response
        self._known = ServeStaticMiddleware(_nobody)

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        found = self._found(request.path_info)
        return self._get_response(request) if found is None else _read(found, request)

    def _found(self, path: str) -> Any:
        files = self._known.files
        if self._known.autorefresh or (path not in files and HASHED.fullmatch(path)):
            found = self._known.find_file(path)
            if found is not None:
                files[path] = found
            return found
        return files.get(path)


async def _nobody(_request: HttpRequest) -> HttpResponseBase:
    raise NotImplementedError  # the library's own way is not taken


def _read(found: Any, request: HttpRequest) -> HttpResponse:
    """Return an answer with what was asked for of a file, or one that says that it cannot be read.

    Files are small. One that is read while it is sent stays open where its reader goes away, and
    where it cannot be opened its answer has begun by then.
    """
    try:
        told = found.get_response(request.method, request.META)
        body = b""
        if told.file is not None:
            with told.file:
                body = told.file.read()
    except OSError as error:
        path = request.path_info
        log.warning("%s cannot be read: %s. If it is gone, a start makes it anew.", path, error)
        return HttpResponse("This cannot be read just now.", "text/plain; charset=utf-8", 503)
    answer = HttpResponse(body, status=int(told.status))
    del answer.headers["Content-Type"]
    for name, value in told.headers:
        if value is not None:
            answer.headers[name] = value
    return answer
