"""What the log is spared: anybody can send what is no request, and each would be a traceback."""

from __future__ import annotations

import logging


class Terse(logging.Filter):
    """Leaves one line of what was refused as no request of ours; faults of ours stay whole."""

    def filter(self, record: logging.LogRecord) -> bool:
        is_refused = record.name == "django.request" and record.levelno < logging.ERROR
        is_no_text = str(record.msg).startswith("Invalid UTF-8")
        if is_refused or is_no_text or record.name.startswith("django.security."):
            record.exc_info, record.exc_text = None, None
        return True
