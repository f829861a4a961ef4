"""Sessions in the database, asked for by keys that it could have given out and by no others."""

from __future__ import annotations

import re

from django.contrib.sessions.backends import db

KEY = re.compile(r"[a-z0-9]{8,40}")


class SessionStore(db.SessionStore):
    """A cookie can bring any letters, NUL among them, which PostgreSQL takes in no question."""

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key and KEY.fullmatch(key))
