"""The live Knave table: a move in a fight reaches every screen, in its language, and no more."""

from __future__ import annotations

import json
import re

import pytest
from asgiref.sync import sync_to_async

from characters.models import Monster
from characters.stage import PAGES
from games.live import consumer
from games.screens import pages as bouts
from tests.characters.company import Company
from tests.characters.crew import knave
from tests.conftest import Builder
from tests.games.party import Clock, Dice, Party, done
from tests.games.sockets import does, looks, told
from tests.standing import Standing

pytestmark = pytest.mark.django_db(transaction=True)

# What a server takes whole; what is longer goes in chunks.
WHOLE = 65_536


def in_their_fight(dice: Dice, clock: Clock) -> Company:
    company = Company(Party(dice, clock).gathers())
    company.fights()
    done(company.dora.does("speak", language="es"))
    return company


@pytest.fixture(scope="session")
def fighting(builds_once: Builder) -> Standing[Company]:
    return builds_once(in_their_fight, clock_runs=True)


@pytest.fixture
def company(fighting: Standing[Company], transactional_db: None, dice: Dice) -> Company:
    """The company in its fight, with the clock running; Dora reads Spanish."""
    return fighting.put_down(dice, Clock())


@pytest.mark.parametrize(("who", "page"), [("ben", "phone"), ("tess", "screen"), ("ana", "gm")])
async def test_connecting_draws_every_region_of_knaves_page(company: Company, who: str, page: str):
    async with looks(getattr(company, who), page) as line:
        push = await line.takes()
    assert set(push["regions"]) >= set(PAGES[page])
    assert (push["game"], push["mode"]) == ("knave", "knave")
    assert all(html.startswith("<") for html in push["regions"].values())


async def test_a_move_in_a_fight_reaches_all_in_their_language_and_only_what_changed(
    company: Company,
):
    async with (
        looks(company.ben) as ben,
        looks(company.dora) as dora,
        looks(company.ana, "gm") as gm,
        looks(company.tess, "screen") as screen,
    ):
        for line in (ben, dora, gm, screen):
            await line.settles()
        company.cast.dice.fall(15, 2)
        await does(company.ben, "fight-attack", by=company.id, on="goblin-1", rolled_by="attacker")
        his, hers, theirs, laid = [await line.takes() for line in (ben, dora, gm, screen)]
    assert {push["seq"] for push in (his, hers, theirs, laid)} == {his["seq"]}
    assert "fight" in his["regions"]
    assert "fight-now" in hers["regions"]
    assert "fight" not in hers["regions"]
    assert "foe-now-goblin-1" in theirs["regions"]
    assert "foe-face-goblin-1" in laid["regions"]
    for untouched in ("goals", "loot", "people", "clock", "sheet", "slots"):
        assert untouched not in his["regions"]
        assert untouched not in hers["regions"]
    assert "gm-goals" not in theirs["regions"]
    assert "hits" in told(his)
    assert "saca un 16" in told(hers)
    assert told(his) != told(hers)


async def test_only_the_gm_is_pushed_a_foes_figures(company: Company):
    async with looks(company.ben) as ben, looks(company.ana, "gm") as gm:
        for line in (ben, gm):
            await line.settles()
        await does(company.ana, "fight-hurt", on="goblin-1", amount=1)
        his, hers = await ben.takes(), await gm.takes()
    shown = {
        who: re.sub(r"<[^>]*>", "", "".join(drawn["regions"].values()))
        for who, drawn in (("his", his), ("hers", hers))
    }
    # Two of three hit points are left.
    left = re.compile(r"\b2\s*/\s*3\b")
    assert left.search(shown["hers"])
    assert "goblin-1" in json.dumps(his["regions"])
    assert not left.search(shown["his"])


async def test_a_secret_roll_is_pushed_to_nobody_but_the_gm(company: Company):
    async with (
        looks(company.ben) as ben,
        looks(company.tess, "screen") as screen,
        looks(company.ana, "gm") as gm,
    ):
        for line in (ben, screen, gm):
            await line.settles()
        company.cast.dice.fall(5)
        await does(company.ana, "roll_dice", dice="d6", is_secret="true", reason="Wanderers")
        assert "gm-secrets" in (await gm.takes())["regions"]
        for line in (ben, screen):
            for push in await line.settles():
                assert (push["regions"], push["told"]) == ({}, [])
    assert not any("Wanderers" in frame for frame in ben.frames + screen.frames)
    assert any("Wanderers" in frame for frame in gm.frames)


async def test_turning_the_table_tells_every_page_to_load_anew(company: Company):
    """A page of one game knows no region of the other's: it is told the game, and loads."""
    async with looks(company.ben) as ben, looks(company.tess, "screen") as screen:
        assert (await ben.settles())[-1]["game"] == "knave"
        await screen.settles()
        await does(company.ana, "turn_table", rules="brave_or_knave")
        for line, page in ((ben, "phone"), (screen, "screen")):
            push = await line.takes()
            assert push["game"] == "brave_or_knave"
            whole = {n for n in push["regions"] if not n.startswith(("ring-seat-", "place-"))}
            assert whole <= set(bouts.PAGES[page])
        await does(company.ana, "turn_table", rules="knave")
        assert (await ben.takes())["game"] == "knave"


async def test_a_page_says_which_game_it_was_served_with(company: Company):
    page = await sync_to_async(company.ben.sees)()
    assert 'data-game="knave"' in page
    await does(company.ana, "turn_table", rules="brave_or_knave")
    page = await sync_to_async(company.ben.sees)()
    assert 'data-game="brave_or_knave"' in page


def _crowded(company: Company) -> None:
    """Twelve foes against eight knaves, each with a name as long as names are."""
    for person in company.cast.welcomes("Emil", "Gus", "Hana", "Ivo", "Jo", "Lea"):
        one = knave(company.table, None, f"{person.name} {'of the seven bridges ' * 2}"[:58])
        done(company.ana.does("hand_knave", character=one.pk, seat_to=person.seat))
    goblin = Monster.objects.get(key="goblin").pk
    done(company.ana.does("add_foes", encounter=company.ambush.pk, monster=goblin, count=10))


async def test_a_gm_page_of_more_than_64_kb_arrives_whole(company: Company):
    await sync_to_async(_crowded)(company)
    async with looks(company.ana, "gm") as gm:
        push = await gm.takes()
    assert sum(len(html.encode()) for html in push["regions"].values()) > WHOLE
    assert len(gm.frames) > 1
    assert all(len(frame.encode()) <= WHOLE for frame in gm.frames)
    assert set(push["regions"]) >= set(PAGES["gm"])
    assert all(f"foe-goblin-{n}" in push["regions"]["gm-fight"] for n in range(1, 13))


async def test_a_push_that_is_not_cut_would_be_too_long(company: Company, monkeypatch):
    """The control: what the server would have to send at once."""
    monkeypatch.setattr(consumer, "chunks", lambda text: [text])
    await sync_to_async(_crowded)(company)
    async with looks(company.ana, "gm") as gm:
        await gm.takes()
    assert max(len(frame.encode()) for frame in gm.frames) > WHOLE


async def test_a_phone_that_comes_back_is_told_the_fight_it_missed(company: Company):
    async with looks(company.dora) as dora:
        last = (await dora.settles())[-1]["seq"]
    company.cast.dice.fall(15, 2)
    await does(company.ben, "fight-attack", by=company.id, on="goblin-1", rolled_by="attacker")
    async with looks(company.dora, seq=str(last)) as dora:
        push = await dora.takes()
    assert set(push["regions"]) >= set(PAGES["phone"])
    assert push["told"]
    assert all(one["seq"] > last for one in push["told"])


async def test_a_refused_move_pushes_nothing(company: Company):
    async with looks(company.dora) as dora:
        await dora.settles()
        answer = await sync_to_async(company.dora.does)(
            "fight-attack", by=company.id, on="goblin-1", rolled_by="attacker"
        )
        assert answer.status_code == 403
        assert await dora.is_quiet()
