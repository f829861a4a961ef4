"""Sessions in the database; only keys that it could have given out are asked for.

A session that is used is renewed: a phone is its seat for as long as it is used. Without renewal a
campaign's players would be turned out 400 days after they sat down.

With each seat a session goes on under another key, so that one which somebody planted beforehand
holds nothing. The answer that brings the new key may be lost on its way, and then the browser has
the former one alone: that holds what it held until the new one is used for the first time.
"""

from __future__ import annotations

import logging
import re
from contextlib import suppress
from datetime import timedelta
from typing import Any, ClassVar

from django.conf import settings
from django.contrib.sessions.backends import db
from django.contrib.sessions.backends.base import CreateError, UpdateError
from django.core import signing
from django.utils import timezone

from games.models import rows

log = logging.getLogger(__name__)

KEY = re.compile(r"[a-z0-9]{8,40}")
# Not with each page: that would be a write for each.
RENEWED_AFTER = timedelta(days=30)
# Whose answer was lost asks again soon; afterwards nobody else should be taken for them.
WAITS_FOR_USE = timedelta(hours=1)
# Kept in a session that was never used: the key that it is in place of, if there was one.
_FORMER = "in_place_of"
UNREADABLE = (signing.BadSignature, ValueError)


class SessionStore(db.SessionStore):
    """A session: asked for only by a key of ours, renewed while it is used, and moved to new keys.

    A cookie can bring any letters, among them NUL, which PostgreSQL refuses in a query.
    """

    _session: dict[str, Any]
    is_due = False
    """Whether it is to be written when it was only read: enough of its time is gone for it to be
    renewed, or this is its first use. Known once it has been read, as the next two are."""
    was_never_used = False
    """Whether it was given out in the last hour, and no request has brought it back."""
    _former: str | None = None
    _has_said: ClassVar[bool] = False

    def load(self) -> dict[str, Any]:
        found = rows.first(self.model, session_key=self.session_key)
        if found is None or found.expire_date <= timezone.now():
            self._session_key = None
            return {}
        try:
            read = self._read(found.session_data)
        except UNREADABLE:
            # Not to be written over: with the key that it was signed with it holds its seats again.
            self._session_key = None
            self._say_once()
            return {}
        age = timedelta(seconds=settings.SESSION_COOKIE_AGE) - (found.expire_date - timezone.now())
        self._former = read.pop(_FORMER, None)
        self.was_never_used = self._former is not None and age < WAITS_FOR_USE
        self.is_due = self._former is not None or age > RENEWED_AFTER
        return read

    def _read(self, data: str) -> dict[str, Any]:
        """Return what was kept. Raises one of `UNREADABLE` for what is not signed with our key."""
        read: dict[str, Any] = signing.loads(data, salt=self.key_salt, serializer=self.serializer)
        return read

    def _say_once(self) -> None:
        """Tell whoever runs the server; phones are only asked to sit down anew."""
        if not SessionStore._has_said:
            SessionStore._has_said = True
            log.warning(
                "A phone's session was signed with another key than TAPROOM_SECRET_KEY, so it has "
                "no seat here. With that key again, the same at all processes, it has its seats."
            )

    def save(self, must_create: bool = False) -> None:
        """Write the session. If it took another one's place, that one ends now."""
        super().save(must_create)
        former, self._former = self._former, None
        if former:
            self.delete(former)

    def cycle_key(self) -> None:
        """Go on under a new key; the former one ends when the new one is first used."""
        self._session_cache = {**self._session, _FORMER: self.session_key or ""}
        self.create()

    def flush(self) -> None:
        """Log out of the admin, under this key too; the phone keeps its seats."""
        self._session_cache = {
            name: held for name, held in self._session.items() if not name.startswith("_auth_")
        }
        with suppress(UpdateError):  # where it is gone already
            if self.session_key:
                self.save()
        self.cycle_key()

    def begin(self, key: str, given: dict[str, Any]) -> None:
        """Hold what is given, under a key by which the same browser is known if it asks again.

        What was begun under it and never used is gone on with: its answer was lost.
        """
        mine = self._session
        begun = SessionStore(key)
        if not begun.get_waiting():
            self._session_cache = {**mine, **given, _FORMER: self.session_key or ""}
            if self._is_created(key):
                return
            begun = SessionStore(key)  # at the same instant by a second tap, or long ago
        if found := begun.get_waiting():
            self._session_cache = {**found, **mine, _FORMER: key}
        self.create()

    def get_waiting(self) -> dict[str, Any]:
        """Return what it holds if it was never used, else nothing."""
        held: dict[str, Any] = self._session
        return held if self.was_never_used else {}

    def _is_created(self, key: str) -> bool:
        self._session_key = key
        try:
            self.save(must_create=True)
        except CreateError:
            return False
        self.modified = True
        return True

    def _validate_session_key(self, key: str | None) -> bool:
        return bool(key and KEY.fullmatch(key))


def is_signed_here(data: str) -> bool:
    """Tell whether a kept session is signed with the key that is set."""
    try:
        SessionStore()._read(data)
    except UNREADABLE:
        return False
    return True
