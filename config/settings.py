"""Settings: safe by default, changed by environment variables alone.

With nothing set, Taproom serves one laptop's network: SQLite, in-memory
wake-ups, one process. `docs/hosting.md` lists every variable.
"""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import dj_database_url
from csp.constants import NONCE

from config import languages
from config.addresses import as_sockets_say, host_names, name_in
from config.checks import journal_mode, refuse_misread, refuse_unsafe
from config.data_folder import kept_secret, made_folder, refuse_no_file
from config.putting_back import KEY, USUAL, go_on
from config.time_zone import zone_here

refuse_misread(os.environ)
BASE_DIR = Path(__file__).resolve().parent.parent
DATA_DIR = made_folder(Path(os.environ.get("TAPROOM_DATA") or BASE_DIR / "var"))
# What can be made again at any moment.
CACHE_DIR = DATA_DIR / "cache"


# --- who is asked, and by what name --------------------------------------------------------------
DEBUG = os.environ.get("TAPROOM_DEBUG") == "1"
PUBLIC_ORIGIN = os.environ.get("TAPROOM_ORIGIN", "").rstrip("/")
PROCESSES = int(os.environ.get("TAPROOM_PROCESSES", "1"))
# Daphne, or uvicorn: quicker per message (docs/performance.md has the figures).
SERVER = os.environ.get("TAPROOM_SERVER", "daphne")
# Threads that play tables' actions on PostgreSQL; SQLite, which has one writer, gets one.
WORKERS = int(os.environ.get("TAPROOM_WORKERS", "4"))
IS_TLS = PUBLIC_ORIGIN.startswith("https://")

ALLOWED_HOSTS = [h.strip() for h in os.environ.get("TAPROOM_HOSTS", "").split(",") if h.strip()]
# Where phones on the laptop's network find it; `manage.py play` knows the port and sets it.
LAN_ORIGIN = os.environ.get("TAPROOM_LAN_ORIGIN", "").rstrip("/")
if PUBLIC_ORIGIN or LAN_ORIGIN:
    ALLOWED_HOSTS.append(name_in(PUBLIC_ORIGIN or LAN_ORIGIN))
if not PUBLIC_ORIGIN:
    ALLOWED_HOSTS += host_names()
CSRF_TRUSTED_ORIGINS = [PUBLIC_ORIGIN] if PUBLIC_ORIGIN else []
# Only a proxy of ours may say who the visitor is or that the line was encrypted: what Django would
# believe of anybody, `games.middleware.ProxyMiddleware` takes away from all others.
TRUSTED_PROXY = as_sockets_say(os.environ.get("TAPROOM_PROXY", ""))
if TRUSTED_PROXY:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")

# --- what it is made of --------------------------------------------------------------------------
# The apps of this project: what looks at all of them asks here, tests and `make check` as well.
OUR_APPS = ("games", "characters", "campaigns")
INSTALLED_APPS = [
    # Half a second and 25 MB of imports, of use to this command alone.
    *(["daphne"] if "runserver" in sys.argv else []),
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.messages",
    "django.contrib.sessions",
    "servestatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_htmx",
    "rest_framework",
    "drf_spectacular",
    *OUR_APPS,
]
MIDDLEWARE = [
    "games.middleware.ProxyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "config.static_files.StaticFiles",
    "games.middleware.HouseMiddleware",
    # Pads its output at random; our tokens are masked anew for each page, so BREACH learns nothing.
    "django.middleware.gzip.GZipMiddleware",
    "csp.middleware.CSPMiddleware",
    "games.middleware.SessionMiddleware",
    "games.middleware.LanguageMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "games.middleware.PrivatePagesMiddleware",
    "games.middleware.TroubleMiddleware",
]
ROOT_URLCONF = "config.urls"
ASGI_APPLICATION = "config.asgi.application"
CSRF_FAILURE_VIEW = "games.views.errors.stale_form"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.jinja2.Jinja2",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "environment": "config.jinja.environment",
            "context_processors": ["games.context.page"],
        },
    },
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ]
        },
    },
]

# --- where it is kept ----------------------------------------------------------------------------
SQLITE_JOURNAL = os.environ.get("TAPROOM_SQLITE_JOURNAL", journal_mode())
# FULL means that a commit is on the disk, not in its cache; macOS needs fullfsync for that.
SQLITE_WAITS = "PRAGMA synchronous=FULL; PRAGMA fullfsync=ON;"
_address = os.environ.get("TAPROOM_DATABASE")
# Not as an address: in a folder's name "#", "?" and "%" are letters like any others.
_file = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(DATA_DIR / USUAL)}
DATABASES: dict[str, dict[str, Any]] = {
    "default": {**dj_database_url.parse(_address)} if _address else _file
}
IS_SQLITE = DATABASES["default"]["ENGINE"].endswith("sqlite3")
if IS_SQLITE:  # before the key is read: it may be another house's
    refuse_no_file(Path(DATABASES["default"]["NAME"]))
    go_on(Path(DATABASES["default"]["NAME"]), DATA_DIR)
SECRET_KEY = os.environ.get("TAPROOM_SECRET_KEY") or kept_secret(DATA_DIR / KEY)
if IS_SQLITE:
    # IMMEDIATE takes the write lock before the first read, so that nobody works on an old row.
    DATABASES["default"]["ENGINE"] = "config.sqlite3"
    DATABASES["default"]["CONN_MAX_AGE"] = None
    DATABASES["default"]["OPTIONS"] = {
        "timeout": 20,
        "transaction_mode": "IMMEDIATE",
        "init_command": f"PRAGMA journal_mode={SQLITE_JOURNAL}; {SQLITE_WAITS} "
        # In pages, 40 MB: a thread beside the taps does it long before (games/live/checkpoints.py).
        "PRAGMA wal_autocheckpoint=10000;",
    }
else:
    asked: dict[str, Any] = DATABASES["default"].get("OPTIONS", {})  # by the address: sslmode
    DATABASES["default"]["ENGINE"] = "config.postgresql"
    DATABASES["default"]["CONN_MAX_AGE"] = 0
    DATABASES["default"]["OPTIONS"] = {
        # A pool doubles its pauses as long as it goes on trying, and in the end waits for as long
        # again as the server was away. After `reconnect_timeout` it gives up, and then tries as
        # soon as somebody asks. A connection unused for a minute is closed: others may need one.
        "pool": {
            "min_size": 1,
            "max_size": 10,
            "timeout": 5,
            "reconnect_timeout": 4,
            "max_idle": 60,
        },
        # For a server whose machine is gone without a word: given up before a phone gives us up.
        "connect_timeout": 5,
        # What a tap asks (config/postgresql) is prepared when it comes again. Some PgBouncers hand
        # a statement to a connection that has never heard of it.
        "prepare_threshold": None if os.environ.get("TAPROOM_PREPARED") == "0" else 2,
        "tcp_user_timeout": 15_000,
        "keepalives_idle": 10,
        "keepalives_interval": 3,
        "keepalives_count": 3,
        **asked,
        # A process that stands still in the middle of an action holds its table's row. Others' taps
        # there are refused after three seconds, so that a worker and its other tables go on.
        # After fifteen PostgreSQL ends the transaction. By itself it would wait for as long as the
        # process stands, and for two hours where its machine has gone without a word.
        "options": "-c lock_timeout=3s -c idle_in_transaction_session_timeout=15s "
        # An administrator may have set these otherwise for other programs. We need them so: whoever
        # waited for a row reads it as it is by then, times are in ISO, a commit is on the disk, and
        # a backup of a house of years is not ended (who plays waits less long than a phone does).
        "-c default_transaction_isolation=read\\ committed -c datestyle=ISO "
        "-c synchronous_commit=on -c statement_timeout=0 "
        f"{asked.get('options', '')}".rstrip(),
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Every four minutes, and a minute for making it: nobody loses more than five.
BACKUPS = os.environ.get("TAPROOM_BACKUPS", "1") != "0"
BACKUP_DIR = Path(os.environ.get("TAPROOM_BACKUP_DIR") or DATA_DIR / "backups")
BACKUP_SECONDS = float(os.environ.get("TAPROOM_BACKUP_SECONDS", "240"))

REDIS = os.environ.get("TAPROOM_REDIS", "")
# Pub/sub does not keep Redis's numbered databases apart. So channels are named after the key, which
# all processes of a house have in common and no other house has.
_mark = hashlib.sha256(f"channel layer {SECRET_KEY}".encode()).hexdigest()[:12]
_prefix = f"{os.environ.get('TAPROOM_REDIS_PREFIX', 'taproom')}-{_mark}"
CHANNEL_LAYERS: dict[str, dict[str, Any]] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [REDIS], "prefix": _prefix},
    }
    if REDIS
    else {"BACKEND": "channels.layers.InMemoryChannelLayer"}
}

# --- what it looks like from outside --------------------------------------------------------------
LANGUAGE_CODE = languages.LANGUAGE_CODE
LANGUAGES = languages.LANGUAGES
LOCALE_PATHS = languages.LOCALE_PATHS
USE_TZ = True
TIME_ZONE = zone_here()  # for what is shown: what is kept is in UTC
STATIC_URL = "/static/"
STATICFILES_DIRS = [BASE_DIR / "static"]
STATIC_ROOT = DATA_DIR / "static"
# Collected with the rights that new files have. Disks of other systems refuse to change any.
FILE_UPLOAD_PERMISSIONS = None
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.hashed_files.HashedStorage"
    },
}
SERVESTATIC_USE_FINDERS = DEBUG
SERVESTATIC_AUTOREFRESH = DEBUG

# --- what it refuses ------------------------------------------------------------------------------
SESSION_ENGINE = "config.sessions"
SESSION_COOKIE_AGE = 400 * 24 * 3600  # the longest that browsers keep a cookie
SESSION_COOKIE_NAME = "__Host-sid" if IS_TLS else "sid"
CSRF_COOKIE_NAME = "__Host-csrf" if IS_TLS else "csrf"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = IS_TLS
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = CSRF_COOKIE_SAMESITE = "Lax"
SECURE_SSL_REDIRECT = IS_TLS
SECURE_HSTS_SECONDS = 31536000 if IS_TLS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = IS_TLS
SECURE_REFERRER_POLICY = "same-origin"
# Browsers ignore this header over plain http, and warn about it in every console.
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin" if IS_TLS else None
SILENCED_SYSTEM_CHECKS = ["security.W021"]  # preloading is the operator's choice
X_FRAME_OPTIONS = "DENY"
# An oracle may have 200,000 letters (campaigns/actions), most of which take three bytes at most.
DATA_UPLOAD_MAX_MEMORY_SIZE = 655_360
DATA_UPLOAD_MAX_NUMBER_FIELDS = 200
CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": ["'none'"],
        "script-src": ["'self'"],
        "style-src": ["'self'", NONCE],
        "img-src": ["'self'", "data:"],
        "font-src": ["'self'"],
        "connect-src": ["'self'"],
        "manifest-src": ["'self'"],
        "worker-src": ["'self'"],
        "form-action": ["'self'"],
        "base-uri": ["'none'"],
        "object-src": ["'none'"],
        "frame-ancestors": ["'none'"],
    }
}
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": ["rest_framework.authentication.SessionAuthentication"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "UNAUTHENTICATED_USER": None,
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Taproom",
    "VERSION": "1",
    "DESCRIPTION": "The same table and the same actions as on a phone, as JSON, for programs.",
    "OAS_VERSION": "3.1.1",
    "POSTPROCESSING_HOOKS": ["games.api_schema.add_components"],
}
PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher"]

# --- the table ------------------------------------------------------------------------------------
SHOUT_DELAY_MAX_MS = int(os.environ.get("TAPROOM_SHOUT_DELAY_MAX_MS", "700"))
BAD_CODES_PER_ADDRESS = 10  # in ten minutes
BAD_CODES_OVERALL = 60  # in a minute
BAD_PASSWORDS_PER_ADDRESS = 10  # in ten minutes, at the admin's door
BAD_PASSWORDS_PER_NAME = 50  # likewise; more, or anybody could keep its owner out

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {
        "terse": {"()": "config.logs.Terse"},
        "seldom": {"()": "config.logs.Seldom"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "filters": ["terse", "seldom"]}},
    "root": {"handlers": ["console"], "level": "WARNING"},
}

refuse_unsafe(
    debug=DEBUG,
    public=bool(PUBLIC_ORIGIN),
    processes=PROCESSES,
    has_shared_layer=bool(REDIS),
    is_sqlite=IS_SQLITE,
    journal=SQLITE_JOURNAL,
    key_is_weak=len(SECRET_KEY) < 50,
)
