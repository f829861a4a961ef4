"""Where phones find a machine that has IPv6, or nothing else."""

from __future__ import annotations

from pathlib import Path

import pytest

from config import addresses

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
