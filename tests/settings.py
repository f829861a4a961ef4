"""The real settings, but for a folder of their own and static files without hashes."""

import atexit
import os
import shutil
import tempfile

if "TAPROOM_DATA" not in os.environ:
    made, maker = tempfile.mkdtemp(prefix="taproom-test-"), os.getpid()
    os.environ["TAPROOM_DATA"] = made
    # A forked child ends before the one whose folder it is.
    atexit.register(lambda: os.getpid() == maker and shutil.rmtree(made, ignore_errors=True))
# Each worker has tables 1, 2, 3: on one Redis it would hear of another's.
os.environ["TAPROOM_REDIS_PREFIX"] = f"tests-{os.getpid()}"
# What commands say is read in English, whatever this terminal speaks.
os.environ["LANGUAGE"] = "en"

from config.settings import *  # noqa: F403
from config.settings import BASE_DIR, DATA_DIR, DATABASES, IS_SQLITE

(DATA_DIR / "static").mkdir(exist_ok=True)
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# Wherever they run.
TIME_ZONE = "UTC"
# The real one is slow on purpose, and no test is about it.
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
ALLOWED_HOSTS = ["testserver", "localhost", "127.0.0.1"]
# Templates that any process of the tests has compiled serve all of them.
CACHE_DIR = BASE_DIR / ".pytest_cache"
if IS_SQLITE:
    # A file, as in an evening's play: an in-memory database shows no locking.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "tests.sqlite3")}
