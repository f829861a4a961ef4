"""A laptop whose address changes while people play: phones find it at the new one, and no foreign
name does."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client

from games.live import whereabouts
from games.live.whereabouts import Whereabouts
from tests.games.party import Party
from tests.games.sockets import looks

OLD, NEW, BRIDGE = "192.168.5.20", "10.11.12.13", "172.17.0.1"
OF_SIX = "[2001:db8::5]"


class Laptop:
    """What this machine's addresses are, the one by which it goes out first."""

    def __init__(self, settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
        self.settings, self.told = settings, list[str]()
        self.here, self.routed = [OLD], OLD
        monkeypatch.setattr(whereabouts, "local_addresses", lambda: self.here)
        monkeypatch.setattr(whereabouts, "routed_address", lambda: self.routed)
        settings.ALLOWED_HOSTS = ["testserver", "localhost", OLD]
        settings.PUBLIC_ORIGIN, settings.LAN_ORIGIN = "", f"http://{OLD}:8000"

    def opens(self, **how: bool) -> Whereabouts:
        return Whereabouts(8000, self.told.append, **how)


@pytest.fixture
def laptop(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Laptop:
    return Laptop(settings, monkeypatch)


def said(laptop: Laptop) -> str:
    return str(laptop.settings.LAN_ORIGIN)


def answer(host: str) -> int:
    return Client().get("/offline/", headers={"host": f"{host}:8000"}).status_code


@pytest.mark.django_db
def test_phones_are_answered_at_an_address_that_came_later_and_a_foreign_name_never_is(
    laptop: Laptop,
):
    opened = laptop.opens()
    laptop.here, laptop.routed = [NEW], NEW
    assert answer(NEW) == 400, "the control"
    opened.look()
    assert (answer(NEW), answer("localhost")) == (200, 200)
    assert (answer("evil.example"), answer("10.11.12.14")) == (400, 400)
    assert said(laptop) == f"http://{NEW}:8000"
    opened.look()
    assert laptop.told == [f"http://{NEW}:8000"], "it is told once"


@pytest.mark.parametrize("here", [[], [OLD, NEW], [NEW, OLD]])
def test_an_address_that_still_leads_here_stays_on_the_codes(laptop: Laptop, here: list[str]):
    """And so does the last one known where there is no network for a moment."""
    opened = laptop.opens()
    laptop.here, laptop.routed = here, next(iter(here), "")
    opened.look()
    assert (laptop.settings.LAN_ORIGIN, laptop.told) == (f"http://{OLD}:8000", [])


@pytest.mark.parametrize("first", ["localhost", BRIDGE])
def test_a_house_that_was_opened_before_there_was_a_network_gets_its_address(
    laptop: Laptop, first: str
):
    laptop.settings.LAN_ORIGIN, laptop.here, laptop.routed = f"http://{first}:8000", [BRIDGE], ""
    opened = laptop.opens()
    laptop.here, laptop.routed = [NEW, BRIDGE], NEW
    opened.look()
    assert laptop.told == [f"http://{NEW}:8000"]


def test_an_access_point_that_leads_no_further_is_better_than_a_bridge(
    laptop: Laptop, monkeypatch: pytest.MonkeyPatch
):
    """No way leads out of either, but phones are at one of them."""
    monkeypatch.setattr(whereabouts, "is_on_card", lambda address: address == NEW)
    laptop.settings.LAN_ORIGIN, laptop.here, laptop.routed = f"http://{BRIDGE}:8000", [BRIDGE], ""
    opened = laptop.opens()
    laptop.here = [NEW, BRIDGE]
    opened.look()
    opened.look()
    assert laptop.told == [f"http://{NEW}:8000"]


def test_of_two_networks_that_lead_no_further_the_one_on_the_codes_stays(
    laptop: Laptop, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(whereabouts, "is_on_card", lambda _address: True)
    laptop.routed = ""
    opened = laptop.opens()
    laptop.here = [NEW, OLD]
    opened.look()
    assert laptop.told == []


def test_an_address_is_known_once_however_often_is_looked(laptop: Laptop):
    """R8: each request is held to all that are known, and there is a look every two seconds."""
    opened = laptop.opens()
    laptop.here = [OLD, NEW]
    for _look in range(3):
        opened.look()
    assert laptop.settings.ALLOWED_HOSTS == ["testserver", "localhost", OLD, NEW]


@pytest.mark.django_db
def test_an_address_of_ipv6_is_known_again_and_told_once(laptop: Laptop):
    opened = laptop.opens(has_six=True)
    laptop.here, laptop.routed = [OF_SIX], ""
    opened.look()
    opened.look()
    assert laptop.told == [f"http://{OF_SIX}:8000"]
    assert answer(OF_SIX) == 200
    assert answer("[2001:db8::6]") == 400


@pytest.mark.django_db
def test_where_nobody_listens_by_ipv6_it_is_no_address_of_the_house(laptop: Laptop):
    """Between two leases of IPv4 a Wi-Fi may leave it alone: codes led to where nobody is."""
    opened = laptop.opens()
    laptop.here, laptop.routed = [OF_SIX], ""
    opened.look()
    assert (said(laptop), laptop.told, answer(OF_SIX)) == (f"http://{OLD}:8000", [], 400)
    laptop.here, laptop.routed = [NEW, OF_SIX], NEW
    opened.look()
    assert laptop.told == [f"http://{NEW}:8000"]


def test_an_address_that_somebody_has_set_stays(laptop: Laptop):
    opened = laptop.opens(moves=False)
    laptop.here, laptop.routed = [NEW], NEW
    opened.look()
    assert said(laptop) == f"http://{OLD}:8000"
    assert NEW in laptop.settings.ALLOWED_HOSTS


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("who", "page", "region"),
    [("tess", "screen", "table-foot"), ("ben", "phone", "people"), ("ana", "gm", "gm-invite")],
)
async def test_the_codes_on_every_screen_show_the_address_that_works_now(
    running_party: Party, laptop: Laptop, who: str, page: str, region: str
):
    """Whoever scans the code on the table is not sent to where nobody is."""
    opened = laptop.opens()
    async with looks(getattr(running_party, who), page) as line:
        await line.settles()
        laptop.here, laptop.routed = [NEW], NEW
        await sync_to_async(opened.look)()
        push = await line.takes()
    assert set(push["regions"]) == {region}
    assert 'class="qr' in push["regions"][region]


@pytest.mark.django_db
def test_a_page_speaks_of_the_hosts_laptop_where_the_house_has_no_name(laptop: Laptop):
    """What a page says that hears nothing for long (`tests/phones/test_silent_lines.py`)."""
    assert 'id="away"' in Client().get("/").text
    laptop.settings.PUBLIC_ORIGIN = "https://taproom.example"
    assert 'id="away"' not in Client().get("/").text


def test_a_network_that_went_and_came_back_is_on_the_codes_again(laptop: Laptop):
    """Meanwhile there was only a bridge, by which no phone finds here."""
    opened = laptop.opens()
    for laptop.here, laptop.routed in (([BRIDGE], ""), ([NEW, BRIDGE], NEW)):
        opened.look()
    assert laptop.told == [f"http://{BRIDGE}:8000", f"http://{NEW}:8000"]


def test_an_address_that_leads_to_a_network_by_now_is_no_other_one(laptop: Laptop):
    laptop.routed = ""
    opened = laptop.opens()
    laptop.routed = OLD
    opened.look()
    assert laptop.told == []


def test_a_look_that_fails_is_not_the_last(laptop: Laptop, monkeypatch: pytest.MonkeyPatch):
    """R5: a network that changes may be half there at that moment."""
    looks_left = [OSError("half there"), [NEW]]

    def addresses() -> list[str]:
        found = looks_left.pop(0)
        if isinstance(found, OSError):
            raise found
        return found

    def rests(seconds: float) -> None:
        assert seconds == whereabouts.LOOK_SECONDS
        if not looks_left:
            raise StopIteration

    def at_once(*, target: Callable[[], None], name: str, daemon: bool) -> SimpleNamespace:
        assert daemon, "a house that is closed does not wait for it"
        return SimpleNamespace(start=target)

    monkeypatch.setattr(whereabouts, "local_addresses", addresses)
    monkeypatch.setattr(whereabouts.time, "sleep", rests)
    monkeypatch.setattr(whereabouts, "Thread", at_once)
    with pytest.raises(StopIteration):
        laptop.opens().follow()
    assert laptop.told == [f"http://{NEW}:8000"]
