"""Errors that are the machine's trouble and no mistake of ours: told apart, logged in one line."""

from __future__ import annotations

import errno
import logging

from django.db import DatabaseError, InterfaceError, InternalError, OperationalError

# Nothing of ours is wrong, and it passes: this process or the whole machine may open no more files
# or has no more memory; a disk has no room, fails, or can only be read.
PASSES = frozenset(
    (
        *(errno.EMFILE, errno.ENFILE, errno.ENOMEM),
        *(errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EROFS, errno.EIO),
    )
)
# PostgreSQL's codes for a right that our user lacks for now (insufficient_privilege), and for a
# table that is not there (undefined_table), as in an empty copy that has taken over.
NOT_OUR_MISTAKES = frozenset(("42501", "42P01"))


def in_trouble(error: BaseException) -> bool:
    """Tell whether an error is the machine's trouble, not a mistake in a query of ours."""
    kinds = (OperationalError, InterfaceError, InternalError)
    if isinstance(error, OSError):
        return error.errno in PASSES
    if getattr(error.__cause__, "sqlstate", None) in NOT_OUR_MISTAKES:
        return True
    return isinstance(error, (*kinds, MemoryError)) or type(error) is DatabaseError


def log_failure(log: logging.Logger, error: Exception, text: str, *given: object) -> None:
    """Log a failure: one line for the machine's trouble, with a traceback for a fault of ours.

    Tracebacks of what is tried again every few seconds would fill a disk.
    """
    if in_trouble(error):
        log.warning(f"{text}: %s", *given, error)
    else:
        log.error(text, *given, exc_info=error)
