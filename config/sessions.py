"""Sessions in the database; only keys that it could have given out are asked for.

A session that is used is renewed: a phone is its seat for as long as it is used. Without renewal a
campaign's players would be turned out 400 days after they sat down.
"""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

from django.conf import settings
from django.contrib.sessions.backends import db
from django.utils import timezone

from games.models import rows

KEY = re.compile(r"[a-z0-9]{8,40}")
# Not with each page: that would be a write for each.
RENEWED_AFTER = timedelta(days=30)


class SessionStore(db.SessionStore):
    """A cookie can bring any letters, NUL among them, which PostgreSQL takes in no question."""

    is_due = False
    """Whether enough of its time is gone for it to be renewed; known once it has been read."""

    def load(self) -> dict[str, Any]:
        found = rows.first(self.model, session_key=self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return {}
        left = found.expire_date - timezone.now()
        self.is_due = left < timedelta(seconds=settings.SESSION_COOKIE_AGE) - RENEWED_AFTER
        read: dict[str, Any] = self.decode(found.session_data)
        return read

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key and KEY.fullmatch(key))
