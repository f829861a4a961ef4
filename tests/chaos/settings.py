"""The real settings for servers that are killed a hundred times: quick to start, all else alike.

Static files keep their names.
"""

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, DATA_DIR

(DATA_DIR / "static").mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Templates that any process of the tests has compiled serve all of them.
CACHE_DIR = BASE_DIR / ".pytest_cache"
