"""The names and addresses under which phones may reach this machine."""

from __future__ import annotations

import contextlib
import ipaddress
import re
import socket
import sys
from pathlib import Path
from urllib.parse import urlsplit

EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104 - the point is that phones can reach it
# Linux lists every local address here, also those without a route to anywhere.
FIB_TRIE = Path("/proc/net/fib_trie")
# Here it says which interface leads to which network, and what each interface is.
ROUTES = Path("/proc/net/route")
CARDS = Path("/sys/class/net")
IF_INET6 = Path("/proc/net/if_inet6")
# Its flags for an address: made for a while, for privacy; about to end (0x20), or not yet known to
# be nobody else's (0x40).
TEMPORARY, PASSING = 0x01, 0x60


def local_addresses() -> list[str]:
    """Return this machine's addresses on its networks, the likeliest for phones first.

    Those of IPv6 come last, in the brackets that they have in a URL and in a Host header.
    """
    return [*_of_four(), *_of_six()]


def listens_at(host: str) -> str:
    """Return the address to listen at: `::` for everywhere where this machine has IPv6 alone.

    A short form is written out, 0 and * as 0.0.0.0: phones could not open what the system accepts.
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
    else:  # finding the name's address may need a network that does not answer
        with contextlib.suppress(OSError):
            found += [str(info[4][0]) for info in socket.getaddrinfo(socket.gethostname(), None)]
    usable = [a for a in dict.fromkeys(found) if _is_for_phones(a)]
    return sorted(usable, key=_unlikeliness)


def _unlikeliness(address: str) -> tuple[bool, bool, bool]:
    """Sort an IPv4 address behind those by which phones more likely find this machine.

    A bridge of containers or a tunnel leads to none here, whatever its number; and the number that
    a machine gives itself where no network gave it one to few.
    """
    read = ipaddress.ip_address(address)
    return not is_on_card(address), read.is_link_local, not read.is_private


def is_on_card(address: str) -> bool:
    """Tell whether an IPv4 address is of a network at a card of this machine, wireless or not.

    Where the system does not say it, as others than Linux, none is.
    """
    try:
        read = ipaddress.IPv4Address(address)
    except ValueError:
        return False
    around = [(network, name) for network, name in _networks() if read in network]
    closest = max(around, key=lambda found: found[0].prefixlen, default=None)
    return closest is not None and _has_card(CARDS / closest[1])


def _networks() -> list[tuple[ipaddress.IPv4Network, str]]:
    """Return the networks that this machine is in, each with the interface that leads there."""
    if not ROUTES.exists():
        return []
    rows = [line.split() for line in ROUTES.read_text().splitlines()[1:]]
    return [
        (ipaddress.IPv4Network(f"{_of_hex(row[1])}/{_of_hex(row[7])}"), row[0])
        for row in rows
        if int(row[1], 16) and not int(row[2], 16)  # not by a gateway
    ]


def _of_hex(said: str) -> ipaddress.IPv4Address:
    return ipaddress.IPv4Address(int(said, 16).to_bytes(4, sys.byteorder))


def _has_card(interface: Path) -> bool:
    """Tell whether an interface is a card, or a bridge or a bond with one in it."""
    below = interface.glob("lower_*")
    return (interface / "device").exists() or any(_has_card(one) for one in below)


def _of_six() -> list[str]:
    """Return the lasting IPv6 addresses first, then the temporary ones, which change each day."""
    if not IF_INET6.exists():
        return []
    rows = [line.split() for line in IF_INET6.read_text().splitlines()]
    # Scope 00 is global. A link-local address would need the name of an interface beside it.
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


def name_in(origin: str) -> str:
    """Return the name of an origin as it stands in a Host header: IPv6 in its brackets."""
    name = urlsplit(origin).hostname or ""
    return f"[{name}]" if ":" in name else name


def as_sockets_say(address: str) -> str:
    """Return an IP address as the system writes a socket's peer; an empty one stays empty.

    There is one way for each: 0:0:0:0:0:0:0:1 is ::1. Raises OSError for what is no address.
    """
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    return address and socket.inet_ntop(family, socket.inet_pton(family, address))


def leads_only_here(address: str) -> bool:
    """Tell whether an address means the machine on which it is opened, whichever that is."""
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
