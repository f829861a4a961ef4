"""Static files under hashed names that browsers keep for ever, also where modules import them.

An import that named the plain file would fetch again what the page has named already, and no
browser would keep it.
"""

from __future__ import annotations

import re
from pathlib import PurePath
from typing import Any

from django.core.files.base import ContentFile
from servestatic.storage import CompressedManifestStaticFilesStorage

# Django's own switch for this (`support_js_module_import_aggregation`) also reads every package's
# files, and trips over their comments. So an import counts only at the beginning of a line, as we
# write it.
IMPORT = r"""^(?P<matched>(?P<what>import .+|\}) from "(?P<url>\./[a-z-]+\.js)";)$"""
# Comments are left out: a fifth of what a phone would load, and they compress badly.
COMMENTS = {
    ".js": re.compile(rb"^[ ]*//.*\n", re.MULTILINE),
    ".css": re.compile(rb"/\*.*?\*/\n?", re.DOTALL),
}


# Servestatic has no types.
class HashedStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Collects files by hashed names, with those names in imports and without our comments."""

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((f"(?m){IMPORT}", '%(what)s from "%(url)s";'),)),
    )

    def load_manifest(self) -> tuple[dict[str, str], str]:
        """Return what was collected; nothing if a power cut left the list empty or cut short.

        It is then collected again. Django would not start until somebody deletes the list by hand.
        """
        try:
            kept: tuple[dict[str, str], str] = super().load_manifest()
        except ValueError:
            return {}, ""
        return kept

    def _save(self, name: str, content: Any) -> str:
        comments = COMMENTS.get(PurePath(name).suffix)
        # files of packages are in a folder; their licence stays in them
        if comments and "/" not in name:
            content.seek(0)
            content = ContentFile(comments.sub(b"", content.read()))
        saved_as: str = super()._save(name, content)
        return saved_as
