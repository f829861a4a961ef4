"""The names and addresses under which phones may reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
from pathlib import Path
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the point is that phones can reach it
# Linux lists every local address here, also those without a route to anywhere.
FIB_TRIE = Path("/proc/net/fib_trie")
IF_INET6 = Path("/proc/net/if_inet6")
# What it says of an address: one for a while, one that is about to go, one that may be another's.
TEMPORARY, PASSING = 0x01, 0x60


def local_addresses() -> list[str]:
    """Return this machine's addresses on its networks, the likeliest for phones first.

    Those of IPv6 come last, in brackets: so they stand in an address, and in what a phone asks for.
    """
    return [*_of_four(), *_of_six()]


def listens_at(host: str) -> str:
    """Return where to listen: for everybody by IPv6 where this machine has nothing else.

    What is written short is written out, 0 and * as 0.0.0.0: the system takes all, phones do not.
    """
    if host == "*":
        host = EVERYWHERE[0]
    with contextlib.suppress(OSError, ValueError):
        host = socket.inet_ntoa(socket.inet_aton(host))
    return "::" if host == EVERYWHERE[0] and not _of_four() and _of_six() else host


def _of_four() -> list[str]:
    found = [routed_address()]
    if FIB_TRIE.exists():
        found += re.findall(r"\|-- (\S+)\n\s+/32 host LOCAL", FIB_TRIE.read_text())
    else:  # what a name means may be asked of a network that does not answer
        with contextlib.suppress(OSError):
            found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    usable = [a for a in dict.fromkeys(found) if _is_for_phones(a)]
    return sorted(usable, key=lambda a: not ipaddress.ip_address(a).is_private)


def _of_six() -> list[str]:
    """Return what routers have given or somebody has set; the ones that change each day last."""
    if not IF_INET6.exists():
        return []
    rows = [line.split() for line in IF_INET6.read_text().splitlines()]
    # Scope 00 leads further than to the next machine: an address without it needs an interface.
    found = sorted(
        (int(flags, 16) & TEMPORARY, str(ipaddress.ip_address(bytes.fromhex(address))))
        for address, _link, _length, scope, flags, _name in rows
        if scope == "00" and not int(flags, 16) & PASSING
    )
    return [f"[{address}]" for _temporary, address in found]


def routed_address() -> str:
    """Return the IPv4 address by which this machine goes out to others, or nothing without any.

    No packet is sent: connecting a datagram socket only asks the routing table.
    """
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe,
    ):
        probe.connect(("10.255.255.255", 1))
        return str(probe.getsockname()[0])
    return ""


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


def as_sockets_say(address: str) -> str:
    """Return an IP address, or nothing, written as the system writes who is at a line's other end.

    It has one way alone: 0:0:0:0:0:0:0:1 is ::1 there. Raises OSError for what is no address.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return address and socket.inet_ntop(family, socket.inet_pton(family, address))


def leads_only_here(address: str) -> bool:
    """Tell whether whoever opens this address elsewhere looks for a house on their own machine."""
    name = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return name == "localhost"


def why_not_here(host: str, port: int) -> str:
    """Return why nobody could listen at this address, in the system's words; else nothing."""
    try:
        for family, kind, protocol, _, where in socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        ):
            with socket.socket(family, kind, protocol) as line:
                line.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                line.bind(where)
    except OSError as error:
        return error.strerror or str(error)
    except UnicodeError:  # of a name with an empty part (192..168), or one that is far too long
        return "that is no address"
    return ""


def _is_for_phones(text: str) -> bool:
    try:
        address = ipaddress.ip_address(text)
    except ValueError:
        return False
    return address.version == 4 and not (address.is_loopback or address.is_unspecified)
