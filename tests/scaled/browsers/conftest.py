"""Browsers at several processes are for `make test-scaled`; elsewhere they are not collected."""

from __future__ import annotations

import os

from tests.phones.conftest import browser, company, house, windows

__all__ = ["browser", "company", "house", "windows"]
collect_ignore = [] if os.environ.get("TAPROOM_SCALED") == "1" else ["test_a_kill.py"]
