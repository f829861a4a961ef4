"""After a commit: wake this process's reader at once, and the readers of other processes."""

from __future__ import annotations

import logging
from collections.abc import Callable

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

log = logging.getLogger(__name__)

# Readers stand above the services that announce, so they put themselves in here.
wakers: list[Callable[[int], None]] = []


def announce(table_id: int, seq: int) -> None:
    """Say that a table's log has grown. Carries no state, so it cannot leak any.

    The commit stands whatever happens here: a wake-up that is lost is healed
    by the readers' own look at the newest number.
    """
    for waker in wakers:
        waker(table_id)
    layer = get_channel_layer()
    if layer is None or isinstance(layer, InMemoryChannelLayer):
        return  # one process: its reader has been woken already
    try:
        async_to_sync(layer.group_send)(
            f"table.{table_id}", {"type": "table.wake", "table": table_id, "seq": seq}
        )
    except Exception:
        log.warning("Other processes were not woken for table %s", table_id, exc_info=True)
