"""House rules as something one can send: a short text that a link carries."""

from __future__ import annotations

import base64

import msgspec

from games.rules import brave_or_knave as bk


def share_code(rule: bk.HouseRule) -> str:
    """Return a house rule as the text that a link carries."""
    return base64.urlsafe_b64encode(msgspec.json.encode(rule)).decode().rstrip("=")
