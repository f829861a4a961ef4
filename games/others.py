"""The other processes of a house: how they are reached, and what a commit's news tells them."""

from __future__ import annotations

import os
import secrets
import socket
from dataclasses import dataclass
from typing import Any

from channels.layers import InMemoryChannelLayer, get_channel_layer

# In containers that share their host's name each process may be number 1. The number is for
# processes that begin as a copy of another.
_OURS = f"{socket.gethostname()}-{secrets.token_hex(8)}"


def this_process() -> str:
    """Return a name that no other process has: the layer brings our own messages back."""
    return f"{_OURS}-{os.getpid()}"


def layer_to_others() -> Any | None:
    """Return the channel layer to other processes, or None where this is the only one."""
    layer = get_channel_layer()
    return None if isinstance(layer, InMemoryChannelLayer) else layer


def group_of(table_id: int) -> str:
    """Return the layer's name for the processes at which somebody looks at a table."""
    return f"table.{table_id}"


@dataclass(frozen=True)
class Heard:
    """What another process says of its commits: from which number of the log to which.

    `touched` names the database tables that were written to; no contents are sent.
    """

    first_seq: int
    seq: int
    touched: frozenset[str]

    def and_then(self, later: Heard) -> Heard:
        """Return one wake-up that says what this one and a later one say."""
        first = min(self.first_seq, later.first_seq)
        return Heard(first, max(self.seq, later.seq), self.touched | later.touched)


def said(table_id: int, news: Heard) -> dict[str, Any]:
    """Return the message that tells other processes of this one's commits at a table."""
    who = {"type": "table.wake", "table": table_id, "from": this_process()}
    return who | {"first": news.first_seq, "seq": news.seq, "touched": sorted(news.touched)}


def heard(message: dict[str, Any]) -> Heard | None:
    """Return what another process has said; None from a release before 25 November 2026."""
    if "touched" not in message:
        return None
    return Heard(message["first"], message["seq"], frozenset(message["touched"]))
