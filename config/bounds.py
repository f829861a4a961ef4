"""How much one line may cost the house: what a request brings, how slowly, what a phone leaves.

What is too long is refused before a disk is full of it.
"""

from __future__ import annotations

from typing import Any

# A campaign's file of 30,000,000 bytes is the most that a page of ours sends, with its form.
MOST = 31_000_000
# A browser opens lines that it may want soon; nobody is slower than this with a request's head.
HEAD_SECONDS = 20.0
# Bytes said to a phone and not taken by it at which its socket is closed. A push waits for its
# acknowledgement, so a phone of ours never has that many.
MOST_UNREAD = 2_000_000


class TooLong(Exception):
    """More came than is ever read."""


def declares_too_much(scope: dict[str, Any]) -> bool:
    """Tell whether a request says of itself that it is too long."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return length.isdigit() and int(length[:20]) > MOST


def bounded(receive: Any) -> Any:
    """Count what is received; raises TooLong instead of going on for ever."""
    came = 0

    async def receive_some() -> Any:
        nonlocal came
        message = await receive()
        came += len(message.get("body", b""))
        if came > MOST:
            raise TooLong
        return message

    return receive_some
