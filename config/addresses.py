"""The names and addresses under which phones may reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from pathlib import Path

# Linux lists every local address here, also those without a route to anywhere.
FIB_TRIE = Path("/proc/net/fib_trie")


def local_addresses() -> list[str]:
    """Return this machine's IPv4 addresses on its networks, the likeliest for phones first.

    No packet is sent: connecting a datagram socket only asks the routing table.
    """
    found: list[str] = []
    # Without any network there is no route to ask for; the laptop alone can still play.
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.connect(("10.255.255.255", 1))
        found.append(probe.getsockname()[0])
    with contextlib.suppress(OSError):
        found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    if FIB_TRIE.exists():
        found += re.findall(r"\|-- (\S+)\n\s+/32 host LOCAL", FIB_TRIE.read_text())
    usable = [a for a in dict.fromkeys(found) if _is_for_phones(a)]
    return sorted(usable, key=lambda a: not ipaddress.ip_address(a).is_private)


def host_names() -> list[str]:
    """Return every Host header that means this machine when nobody configured a public name."""
    name = socket.gethostname().lower()
    return [
        "localhost",
        "127.0.0.1",
        "[::1]",
        name,
        f"{name}.local",
        *local_addresses(),
    ]


def _is_for_phones(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.version == 4 and not (address.is_loopback or address.is_unspecified)
