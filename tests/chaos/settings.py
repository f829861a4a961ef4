"""The real settings for servers that are killed a hundred times: quick to start, all else alike.

Static files keep their names, and Daphne is imported by the process that serves, not by the one
that waits to fork it: its event loop can't be shared.
"""

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, DATA_DIR, INSTALLED_APPS

INSTALLED_APPS = [app for app in INSTALLED_APPS if app != "daphne"]
(DATA_DIR / "static").mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Templates that any process of the tests has compiled serve all of them.
CACHE_DIR = BASE_DIR / ".pytest_cache"
