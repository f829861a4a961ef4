"""Static files with their hash in the name, compressed, also where one script imports another."""

from servestatic.storage import CompressedManifestStaticFilesStorage


class HashedStorage(CompressedManifestStaticFilesStorage):
    """Hashes the addresses inside module imports as well, so that no old script meets a new one."""

    support_js_module_import_aggregation = True
