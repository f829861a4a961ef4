"""House rules as something one can send: a short text that a link carries, and back."""

from __future__ import annotations

import base64
import re

import msgspec
from django.utils.translation import gettext as _

from games.errors import Malformed
from games.rules import brave_or_knave as bk

# The address of the page that shows a rule, and one that leads to the editor with it.
IN_A_LINK = re.compile(r"(?:/house-rule/|[?&]rule=)([\w-]+)", re.ASCII)


def share_code(rule: bk.HouseRule) -> str:
    """Return a house rule as the text that a link carries."""
    return base64.urlsafe_b64encode(msgspec.json.encode(rule)).decode().rstrip("=")


def rule_of_share(text: str) -> str:
    """Return a house rule's JSON, from JSON, a shared link, or the text that such a link carries.

    Raises Malformed for what is none of these; whether it is a rule is not looked at.
    """
    if text.lstrip().startswith("{"):
        return text
    link = IN_A_LINK.search(text)
    packed = link[1] if link else text.strip()
    try:
        return base64.urlsafe_b64decode(packed + "=" * (-len(packed) % 4)).decode()
    except ValueError as error:
        raise Malformed(_("That is not a house rule."), field="text") from error
