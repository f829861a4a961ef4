"""Where phones find a machine that has several networks, or IPv6, or nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest
from django.http.request import validate_host

from config import addresses
from tests.starting import with_settings

# As Linux says it: loopback, link, two of a network's (one for today), one that may be another's.
SAID = """\
00000000000000000000000000000001 01 80 10 80       lo
fe800000000000000000000000000005 02 40 20 80     eth0
20010db8000000000000000000000abc 02 40 00 01     eth0
20010db8000000000000000000000005 02 40 00 80     eth0
20010db8000000000000000000000007 02 40 00 40     eth0
"""
STAYS, TODAY = "[2001:db8::5]", "[2001:db8::abc]"


@pytest.fixture
def of_six(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said = tmp_path / "if_inet6"
    said.write_text(SAID)
    monkeypatch.setattr(addresses, "IF_INET6", said)


def test_a_house_without_a_public_name_is_known_by_this_machines_alone():
    """docs/security.md: a name of somebody else's that leads here is a page elsewhere."""
    names = addresses.host_names()
    assert validate_host("localhost", names)
    for foreign in ("evil.example", "localhost.evil.example", "192.0.2.1"):
        assert not validate_host(foreign, names), foreign


@pytest.mark.usefixtures("of_six")
def test_a_machine_with_ipv6_alone_is_found_and_listened_at_by_it(monkeypatch):
    """`make play` showed "localhost", listened where nobody could come, and knew no such name."""
    monkeypatch.setattr(addresses, "_of_four", list)
    assert addresses.local_addresses() == [STAYS, TODAY]
    assert addresses.listens_at("0.0.0.0") == "::"
    assert addresses.listens_at("10.0.0.7") == "10.0.0.7"
    assert {STAYS, TODAY} < set(addresses.host_names())


@pytest.mark.usefixtures("of_six")
def test_where_there_is_ipv4_phones_are_shown_that(monkeypatch):
    """The control of the one above."""
    monkeypatch.setattr(addresses, "_of_four", lambda: ["192.168.1.7"])
    assert addresses.local_addresses() == ["192.168.1.7", STAYS, TODAY]
    assert addresses.listens_at("0.0.0.0") == "0.0.0.0"


@pytest.mark.parametrize(
    ("host", "meant"),
    [
        ("0", "0.0.0.0"),
        ("*", "0.0.0.0"),
        ("127.1", "127.0.0.1"),
        ("localhost", "localhost"),
        ("\udcff", "\udcff"),
    ],
)
def test_an_address_that_is_written_short_is_written_out(host, meant, monkeypatch):
    """`make play HOST=0` listened for all, showed http://0:8000/, and answered every phone 400.

    With HOST=* it called itself open, and ended.
    """
    monkeypatch.setattr(addresses, "_of_four", lambda: ["192.168.1.7"])
    assert addresses.listens_at(host) == meant


def test_a_machine_without_ipv6_has_none(tmp_path, monkeypatch):
    monkeypatch.setattr(addresses, "IF_INET6", tmp_path / "none")
    assert addresses._of_six() == []


@pytest.mark.parametrize("host", ["192..168.1", ".5", "x" * 300, "\udcff"])
def test_what_is_no_address_is_said_to_be_none(host):
    """Python takes these for names that it cannot spell: `make play HOST=` ended in a traceback."""
    assert addresses.why_not_here(host, 8000) == "that is no address"


# As Linux says them: Docker's bridge, no network's lease, and the laptop's own access point, from
# which nothing leads any further.
TRIE = """\
           |-- 127.0.0.1
              /32 host LOCAL
           |-- 169.254.3.4
              /32 host LOCAL
           |-- 172.17.0.1
              /32 host LOCAL
           |-- 192.168.1.20
              /32 host LOCAL
"""
ROUTES = """\
Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT
docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
eth0\t0000FEA9\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0
wlan0\t0001A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0
"""
BRIDGE, NO_LEASE, WIRELESS = "172.17.0.1", "169.254.3.4", "192.168.1.20"


@pytest.fixture
def of_four(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A laptop with three networks; returns where Linux says which of them has a card."""
    for name, said in (("FIB_TRIE", TRIE), ("ROUTES", ROUTES)):
        (tmp_path / name).write_text(said)
        monkeypatch.setattr(addresses, name, tmp_path / name)
    cards = tmp_path / "net"
    for card in ("eth0", "wlan0"):
        (cards / card / "device").mkdir(parents=True)
    (cards / "docker0").mkdir()
    monkeypatch.setattr(addresses, "CARDS", cards)
    monkeypatch.setattr(addresses, "routed_address", lambda: "")
    return cards


def test_phones_are_shown_a_card_s_network_before_one_inside_this_machine(of_four: Path):
    """README: no internet. At an access point that leads no further the code named the bridge of
    the laptop's containers, which has a lower number, and no phone found the house."""
    assert addresses._of_four() == [WIRELESS, NO_LEASE, BRIDGE]
    assert [addresses.is_on_card(a) for a in (WIRELESS, BRIDGE, "localhost")] == [
        True,
        False,
        False,
    ]


def test_an_address_that_strangers_have_as_well_is_shown_if_the_card_has_it(
    of_four: Path, monkeypatch: pytest.MonkeyPatch
):
    """A university gives each laptop a public one: the code named the bridge, which is private."""
    here = addresses.FIB_TRIE.read_text().replace(WIRELESS, "130.92.1.20")
    addresses.FIB_TRIE.write_text(here)
    addresses.ROUTES.write_text(ROUTES.replace("0001A8C0", "00015C82"))
    monkeypatch.setattr(addresses, "routed_address", lambda: "130.92.1.20")
    assert addresses._of_four()[0] == "130.92.1.20"


def test_a_bridge_that_has_a_card_in_it_leads_to_phones(of_four: Path):
    (of_four / "docker0" / "lower_eth0").symlink_to(of_four / "eth0")
    assert addresses.is_on_card(BRIDGE)


def test_where_nobody_says_what_is_a_card_the_lease_of_no_network_comes_last(
    of_four: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(addresses, "ROUTES", tmp_path / "none")
    assert addresses._of_four() == [BRIDGE, WIRELESS, NO_LEASE]


@pytest.mark.parametrize(
    ("variable", "origin", "name"),
    [
        ("TAPROOM_LAN_ORIGIN", "http://Bar.example:8000", "bar.example"),
        ("TAPROOM_LAN_ORIGIN", "http://[2001:db8::5]:8000", "[2001:db8::5]"),
        ("TAPROOM_ORIGIN", "http://[2001:db8::5]:8000", "[2001:db8::5]"),
    ],
)
def test_an_address_that_is_set_is_answered_at(
    tmp_path: Path, variable: str, origin: str, name: str
):
    """docs/hosting.md: it is what the codes say. Whoever scanned one was answered 400."""
    assert repr(name) in with_settings(tmp_path, "print(s.ALLOWED_HOSTS)", **{variable: origin})
