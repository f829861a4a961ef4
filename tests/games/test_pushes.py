"""What a socket sends of what is drawn: each thing that is new, and nothing twice."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import msgspec
import pytest

from games.live.consumer import TableConsumer
from games.live.drawing import Drawing
from games.screens.cards import Told


class Shows(str):
    """Something drawn."""

    def html(self) -> str:
        return str(self)

    def json(self) -> bytes:
        return msgspec.json.encode(str(self))


class Phone:
    """What a phone is sent; it takes each push at once."""

    def __init__(self) -> None:
        self.pushes: list[dict[str, Any]] = []
        self.socket = TableConsumer(self)  # type: ignore[arg-type]
        self.socket._seq = self.socket._taken = 4
        self.socket._served, self.socket._back = {}, ""

    def say(self, text: bytes) -> None:
        self.pushes.append(msgspec.json.decode(text))
        self.socket.hear('{"ack": 0}')


FIRST = Drawing(
    epoch="this house",
    seq=5,
    game="brave_or_knave",
    mode="bout",
    language="en",
    regions={"stage": Shows("a stage")},
    told=(),
    common={"door": Shows("a door")},
    marks={"stage": 1, "door": 1},
)


@pytest.fixture
def phone() -> Phone:
    one = Phone()
    one.socket.offer(FIRST)
    one.pushes.clear()
    return one


@pytest.mark.parametrize(
    ("news", "pushed"),
    [
        ({"marks": {"stage": 2, "door": 1}}, {"regions": {"stage": "a stage"}}),
        ({"marks": {"stage": 1, "door": 2}}, {"common": {"door": "a door"}}),
        # What somebody else was told alone: a page that came again asked for what it has missed.
        ({"seq": 6}, {"seq": 6}),
    ],
)
def test_whatever_is_new_is_sent_and_that_alone(
    phone: Phone, news: dict[str, Any], pushed: dict[str, Any]
):
    for _time in range(2):
        phone.socket.offer(replace(FIRST, **news))
    [push] = phone.pushes
    assert push == {
        "epoch": "this house", "seq": 5, "game": "brave_or_knave", "mode": "bout",
        "language": "en", "regions": {}, "common": {}, "told": [], **pushed,
    }  # fmt: skip


def test_what_is_told_is_told_once(phone: Phone):
    told = (Told(5, "They begin.", "begun", "now"), Told(6, "A four.", "Rolled", "now"))
    for _time in range(2):
        phone.socket.offer(replace(FIRST, seq=6, told=told))
    [push] = phone.pushes
    assert [one["seq"] for one in push["told"]] == [6]
