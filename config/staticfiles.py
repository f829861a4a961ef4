"""Static files under hashed names that are kept for ever, in modules' imports as in pages.

An import that names the plain file would fetch what a page has asked for beforehand a second time,
and nobody would keep it.
"""

from servestatic.storage import CompressedManifestStaticFilesStorage

# Django's own switch for this reads every package's files as well, and trips over what stands in
# their comments; so an import is what we write, at the beginning of a line.
IMPORT = r"""^(?P<matched>(?P<what>import .+|\}) from "(?P<url>\./[a-z-]+\.js)";)$"""


class HashedStorage(CompressedManifestStaticFilesStorage):
    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("*.js", ((f"(?m){IMPORT}", '%(what)s from "%(url)s";'),)),
    )
