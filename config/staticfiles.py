"""Static files under hashed names that are kept for ever, in modules' imports as in pages.

An import that names the plain file would fetch what a page has asked for beforehand a second time,
and nobody would keep it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

# Django's own switch for this reads every package's files as well, and trips over what stands in
# their comments; so an import is what we write, at the beginning of a line.
IMPORT = r"""^(?P<matched>(?P<what>import .+|\}) from "(?P<url>\./[a-z-]+\.js)";)$"""
# A fifth of what a phone would load: their words stand nowhere else, so they compress badly.
COMMENTS = {
    ".js": re.compile(rb"^[ ]*//.*\n", re.MULTILINE),
    ".css": re.compile(rb"/\*.*?\*/\n?", re.DOTALL),
}


class HashedStorage(CompressedManifestStaticFilesStorage):
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((f"(?m){IMPORT}", '%(what)s from "%(url)s";'),)),
    )

    def _save(self, name: str, content: Any) -> str:
        comments = COMMENTS.get(PurePath(name).suffix)
        if comments and "/" not in name:  # a package's have a folder, and their licence in them
            content.seek(0)
            content = ContentFile(comments.sub(b"", content.read()))
        return super()._save(name, content)
