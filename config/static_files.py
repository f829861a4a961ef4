"""Static files of this release, and of the releases before and after it.

While processes are updated one by one, a page of one process asks another for its scripts. Both
releases' files are in one folder, so hashed names are looked up there when they are asked for, and
not only when a process starts. A page without its scripts could not even find out that it is of
another release.
"""

from __future__ import annotations

import asyncio
import re

from django.http import HttpRequest, HttpResponseBase
from servestatic.middleware import ServeStaticMiddleware

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
        return response
