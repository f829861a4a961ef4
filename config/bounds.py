"""How much one line may cost the house: what a request brings, how slowly, what a phone leaves.

What is too long is refused before a disk is full of it.
"""

from __future__ import annotations

import errno
import logging
import os
import resource
from collections.abc import Callable
from typing import Any

log = logging.getLogger(__name__)

# A campaign's file of 30,000,000 bytes is the most that a page of ours sends, with its form.
MOST = 31_000_000
# A request that says it brings more than that, but no more than this, is heard to its end, and none
# of it is kept: a browser shows no answer before it has sent all.
MOST_HEARD = 4 * MOST
# A browser opens lines that it may want soon; nobody is slower than this with a request's head.
HEAD_SECONDS = 20.0
# A line carries hundreds of bytes at a time; a proxy that cuts what it passes on cuts no smaller.
MOST_PARTS, SMALLEST_PART = 1000, 100
# A body that is longer under way than this comes at so many bytes a second, or its line is hung up:
# at one every minute it would be open for ever. Of the slowest lines we know of it is a tenth.
BODY_SECONDS, SLOWEST = 60.0, 100
# Requests that a line brings while an earlier one is being answered. No browser sends any.
MOST_AHEAD = 16
# Bytes said to a phone and not taken by it at which its socket is closed. A push waits for its
# acknowledgement, so a phone of ours never has that many.
MOST_UNREAD = 2_000_000
# Bytes of answers that are kept for lines which do not take them, of all together: a campaign's
# file has up to 30,000,000.
MOST_KEPT = 200_000_000
# Files that stay free for the house itself, for its database, a backup or what is sent, however
# many lines are open.
KEPT_FILES = 24


def is_one_too_many(file: int) -> bool:
    """Tell whether a new line leaves the house too few files, by the number that its own has.

    The system gives each the lowest number that is free.
    """
    most, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    is_last = 0 <= most <= file + min(KEPT_FILES, most // 2)
    if is_last:
        log.warning(
            "Nobody else can come in: of the %s files that the system allows this house (ulimit "
            "-n, LimitNOFILE) all but %s are open, most of them lines of phones",
            *(most, most - file),
        )
    return is_last


class SlowLines:
    """Lines that do not take what they are answered, so that it is kept for them.

    Where that is too much, whoever has not read for the longest is hung up: everybody else is
    answered, whatever some ask for and leave.
    """

    def __init__(self) -> None:
        self._bytes = 0
        self._lines: dict[Any, tuple[int, Callable[[], None]]] = {}

    def waits(self, line: Any, count: int, hang_up: Callable[[], None]) -> None:
        """Note that a line does not take so many bytes for now."""
        known, _hang_up = self._lines.get(line, (0, hang_up))
        self._lines[line] = (count, hang_up)
        self._bytes += count - known
        while self._bytes > MOST_KEPT:
            oldest, (some, its_end) = next(iter(self._lines.items()))
            del self._lines[oldest]
            self._bytes -= some
            its_end()

    def goes_on(self, line: Any) -> None:
        """Note that a line has taken all, or is gone."""
        count, _hang_up = self._lines.pop(line, (0, None))
        self._bytes -= count


slow_lines = SlowLines()


class TooLong(Exception):
    """More came than is ever read."""


def is_crumbled(parts: int, came: int) -> bool:
    """Tell whether so many bytes came in more parts than anybody has a use for.

    Each part costs as much time as a longer one, and others wait meanwhile.
    """
    return parts > MOST_PARTS and came < parts * SMALLEST_PART


def is_too_slow(seconds: float, came: int) -> bool:
    """Tell whether a body of which so much has come is slower than any that somebody waits for."""
    return seconds > BODY_SECONDS and came < seconds * SLOWEST


def declares_too_much(scope: dict[str, Any]) -> bool:
    """Tell whether a request says of itself that it is too long."""
    return _declared(scope) > MOST


async def hear_out(scope: dict[str, Any], receive: Any) -> None:
    """Throw away all that a request brings which is too long, but not beyond any measure."""
    more = _declared(scope) <= MOST_HEARD
    while more:
        message = await receive()
        more = message.get("more_body", False)


def refuse_less_than_declared(scope: dict[str, Any], body: Any) -> None:
    """Raise OSError where not all came that a request says it brings: there was no room for it.

    A line that breaks before all has come is no request; Daphne keeps what comes, and may find no
    place for it (`config.daphne_requests`).
    """
    came = body.seek(0, os.SEEK_END)
    body.seek(0)
    if _declared(scope) > came:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def _declared(scope: dict[str, Any]) -> int:
    """Return how many bytes a request says it brings, 0 where it says nothing of use."""
    length = dict(scope["headers"]).get(b"content-length", b"")
    return int(length.lstrip(b"0")[:20] or 0) if length.isdigit() else 0


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
