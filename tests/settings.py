"""The real settings, but for a folder of their own and static files without hashes."""

import os
import tempfile

os.environ.setdefault("TAPROOM_DATA", tempfile.mkdtemp(prefix="taproom-test-"))

from config.settings import *  # noqa: E402, F403

STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
