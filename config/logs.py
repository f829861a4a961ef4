"""Keeps the log short: anybody can send requests that are refused, each with a traceback."""

from __future__ import annotations

import logging


class Terse(logging.Filter):
    """Leaves one line of a refused request or of an absent layer; faults of ours stay whole."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.name.startswith("channels_redis") and record.exc_info:
            record.msg, record.args = f"{record.getMessage()}: {record.exc_info[1]!r}", ()
            record.exc_info, record.exc_text = None, None
        is_refused = record.name == "django.request" and record.levelno < logging.ERROR
        is_no_text = str(record.msg).startswith("Invalid UTF-8")
        if is_refused or is_no_text or record.name.startswith("django.security."):
            record.exc_info, record.exc_text = None, None
        return True
