"""What the phones' house need not wait for in full."""

from __future__ import annotations

from django.apps import AppConfig


class Quick(AppConfig):
    """Let a pause follow a stop within half a second of the beat that brought it.

    Phones beat as they always do. That the house waits for every phone's beat is held by
    `tests/games/test_safety.py`, and with the product's own times by `tests/chaos`.
    """

    name = "tests.phones"
    label = "phones"

    def ready(self) -> None:
        from games.live import stops

        stops.BEAT_SECONDS = 0.25
