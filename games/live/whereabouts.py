"""Follows the laptop's address, which changes with its network while people play.

Requests are answered only for names that are known; otherwise a foreign page could speak to the
house under a name of its own (DNS rebinding). So only addresses that this machine has are added,
never what a request asks for.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from threading import Thread

from django.conf import settings

from config.addresses import is_on_card, local_addresses, name_in, routed_address
from games.live import readers

log = logging.getLogger(__name__)

LOOK_SECONDS = 2.0


class Whereabouts:
    """Keeps the allowed names, and the address in QR codes, in step with this machine's addresses.

    `tell` is called with the new address when the one in QR codes changes. With `moves` off
    somebody has set that address by hand, and it stays. Without `has_six` nobody listens at
    addresses of IPv6.
    """

    def __init__(
        self,
        port: int,
        tell: Callable[[str], None],
        *,
        moves: bool = True,
        has_six: bool = False,
    ) -> None:
        self._port, self._tell, self._moves, self._has_six = port, tell, moves, has_six
        self._is_routed = _name() == routed_address()

    def follow(self) -> None:
        """Look every two seconds, for as long as this process lives."""
        Thread(target=self._follow, name="whereabouts", daemon=True).start()

    def look(self) -> None:
        """Take in the addresses that this machine has now. If it has none, what was known stays."""
        here = [a for a in local_addresses() if self._has_six or not a.startswith("[")]
        settings.ALLOWED_HOSTS += [a for a in here if a not in settings.ALLOWED_HOSTS]
        if self._moves and here and (_name() not in here or self._is_better(here[0])):
            self._move(here[0])

    def _is_better(self, address: str) -> bool:
        """Tell whether this address leads to a network and ours never did (a bridge's, say)."""
        if self._is_routed:
            return False
        return address == routed_address() or (is_on_card(address) and not is_on_card(_name()))

    def _move(self, address: str) -> None:
        self._is_routed = address == routed_address()
        origin = f"http://{address}:{self._port}"
        if origin != settings.LAN_ORIGIN:
            settings.LAN_ORIGIN = origin
            readers.draw_all_again()
            self._tell(origin)

    def _follow(self) -> None:
        while True:
            time.sleep(LOOK_SECONDS)
            try:
                self.look()
            except Exception:
                log.exception("This machine's addresses could not be looked at")


def _name() -> str:
    return name_in(settings.LAN_ORIGIN)
