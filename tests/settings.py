"""The real settings, but for a folder of their own and static files without hashes."""

import os
import tempfile

os.environ.setdefault("TAPROOM_DATA", tempfile.mkdtemp(prefix="taproom-test-"))

from config.settings import *  # noqa: F403
from config.settings import DATA_DIR, DATABASES, IS_SQLITE

(DATA_DIR / "static").mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
if IS_SQLITE:
    # A file, as in an evening's play: an in-memory database shows no locking.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
