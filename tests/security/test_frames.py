"""S1: whatever is sent to a socket, no fault of ours, and everybody else plays on.

Against a real server in a process of its own, on both servers that can be chosen.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.chaos.house import House, Zygote, house_of
from tests.security.attack import Found, attacked, troubles
from tests.security.figures import measured
from tests.security.servers import GROWS_AT_MOST_MB, forker
from tests.sizes import size

FRAMES = {"daphne": size(1400, 100_000), "uvicorn": size(600, 100_000)}
SERVED_WITHIN = 20.0
GAMES = ("brave_or_knave", "knave", "wicked_age")


def seeded(house: House) -> list[dict]:
    """Return tables of all games, the first for those who are left alone."""
    tables = house.seed(1, 3, plays=True) + house.seed(size(1, 6), 4, plays=True)
    for rules in GAMES:
        tables += house.seed(size(1, 4), 4, rules, trial=True)
    return tables


def held(found: Found, frames: int) -> None:
    assert found.wrong == [], "\n".join(f"{n} times: {w}" for w, n in kinds(found).items())
    assert found.sent >= frames
    assert found.answers["error"] > frames / 10
    assert {"204", "409", "422"} <= set(found.answers)
    assert found.served >= 1
    assert found.longest_wait < SERVED_WITHIN
    assert found.grown_mb < GROWS_AT_MOST_MB, found.memory[:: max(1, len(found.memory) // 20)]


def kinds(found: Found) -> Counter[str]:
    """Return what was wrong, each kind with its count: a traceback by its last line."""
    return Counter("\n".join(one.splitlines()[:1] + one.splitlines()[-8:]) for one in found.wrong)


@pytest.mark.parametrize("server", FRAMES)
async def test_no_frame_is_a_fault_of_ours(mother: Zygote, server: str):
    frames = FRAMES[server]
    with forker(server, mother) as zygote, house_of(zygote) as house:
        tables = seeded(house)
        await house.opens()
        found = await attacked(house, tables, frames)
        held(found, frames)
        kept = house.job("check")
    assert (kept["gaps"], kept["replayed_wrong"], kept["integrity"]) == ([], [], "ok")
    measured("S1", f"frames to {server}", found.sent)
    measured("S1", f"MB grown on {server}", round(found.grown_mb, 1))
    measured("S1", f"longest wait of others on {server}, s", round(found.longest_wait, 2))


async def test_a_careless_socket_would_be_found(mother: Zygote, monkeypatch: pytest.MonkeyPatch):
    """The control: one that decodes what it is sent with a plain JSON decoder."""
    monkeypatch.setattr("tests.security.attack.PATIENCE", 5.0)
    folder = mother.folder / "careless"
    folder.mkdir(exist_ok=True)
    careless = Zygote(
        folder, mother.template, DJANGO_SETTINGS_MODULE="tests.security.careless_settings"
    )
    try:
        with house_of(careless) as house:
            tables = house.seed(2, 3, plays=True)
            await house.opens()
            found = await attacked(house, tables, 100)
    finally:
        careless.close()
    assert any("Traceback" in one for one in found.wrong)
    assert any("closed by nonsense" in one for one in found.wrong)


def test_a_fault_in_a_log_is_seen():
    assert troubles("Not Found: /x\nTraceback (most recent call last):\n  ...\nKeyError: 1")
    assert troubles("Internal Server Error: /t/ABCDEF/") == ["Internal Server Error: /t/ABCDEF/"]
    assert troubles("Bad Request: /t/\nNot Found: /x") == []
