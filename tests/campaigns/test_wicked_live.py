"""The live table of a campaign: what somebody does reaches every screen, in its language, and no
more; nothing of it reaches another table."""

from __future__ import annotations

from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.stage import PAGES
from games import snapshot
from games.live.drawing import draw_all
from games.live.viewers import Viewer
from games.screens import pages as bouts
from tests.campaigns.conftest import Places, SagaAt
from tests.campaigns.saga import Saga, grows
from tests.games.party import Clock, Dice, Person, done, refused
from tests.games.sockets import does, looks, told

VIEWS = (("amy", "phone"), ("tess", "screen"), ("erin", "gm"))


@pytest.fixture
def saga_where(places: Places, transactional_db: None, dice: Dice) -> SagaAt:
    """Go to a place with the clock running; Tom reads Spanish."""

    def goes(place: str) -> Saga:
        saga = places(place).put_down(dice, Clock())
        done(saga.tom.does("speak", language="es"))
        return saga

    return goes


@pytest.fixture
def begun(saga_where: SagaAt) -> Saga:
    return saga_where("begun")


@pytest.fixture
def saga(saga_where: SagaAt) -> Saga:
    """Tajie has moved, and Mekha must answer."""
    return saga_where("answer")


def answering(saga: Saga) -> dict[str, Any]:
    """Mekha's answer falls: 11 and 2 lose her the advantage."""
    return {
        "sequence": saga.fight.key,
        "who": saga.named("Mekha").pk,
        "saw": saga.saw,
        "dice": "11,2",
    }


@pytest.mark.django_db(transaction=True)
async def test_an_answer_reaches_all_in_their_language_and_only_what_changed(saga: Saga):
    lines = {}
    fields = await sync_to_async(answering)(saga)
    async with (
        looks(saga.amy) as amy,
        looks(saga.tom) as tom,
        looks(saga.erin, "gm") as gm,
        looks(saga.tess, "screen") as screen,
    ):
        for line, page in ((amy, "phone"), (tom, "phone"), (gm, "gm"), (screen, "screen")):
            first = (await line.settles())[0]
            assert set(first["regions"]) >= set(PAGES[page])  # connecting draws everything
            assert (first["game"], first["mode"]) == ("wicked_age", "wicked_age")
            lines[line] = page
        await does(saga.amy, "roll_forms", **fields)
        hers, his, gms, laid = [await line.takes() for line in (amy, tom, gm, screen)]
    assert {push["seq"] for push in (hers, his, gms, laid)} == {hers["seq"]}
    for push, page in ((hers, "phone"), (his, "phone"), (gms, "gm"), (laid, "screen")):
        assert 0 < len(push["regions"]) < len(PAGES[page]), page
    assert {"fight", "asks"} & set(hers["regions"])
    assert "fight" in his["regions"]
    assert "gm-fights" in gms["regions"]
    assert "fight-board" in laid["regions"]
    for push in (hers, his, gms, laid):
        assert not {"people", "setup", "gm-scenes", "story-board"} & set(push["regions"])
    assert "Mekha" in told(hers)
    assert "Mekha" in told(his)
    assert told(hers) != told(his)


@pytest.mark.django_db(transaction=True)
async def test_nothing_reaches_another_table(begun: Saga):
    """At Fay's table a chapter is set up meanwhile, by words that nobody at Erin's may read."""
    fay = Person("Fay")

    def opens() -> None:
        fay.opens_table("The Goose")
        for word, fields in (
            ("turn_table", {"rules": "wicked_age"}),
            ("begin_campaign", {"name": "The Secret War"}),
        ):
            done(fay.does(word, **fields))

    await sync_to_async(opens)()
    async with looks(begun.amy) as amy, looks(begun.tess, "screen") as screen, looks(fay) as other:
        for line in (amy, screen, other):
            await line.settles()
        await does(fay, "open_chapter")
        assert "top" in (await other.takes())["regions"]
        assert await amy.is_quiet()
        assert await screen.is_quiet()
        await does(begun.erin, "rename_campaign", name="The Hidden Well")
        assert "story" in (await amy.takes())["regions"]
        assert await other.is_quiet()
    assert not any("Secret" in frame for frame in amy.frames + screen.frames)
    assert not any("Hidden Well" in frame for frame in other.frames)


@pytest.mark.django_db(transaction=True)
async def test_a_refused_tap_pushes_nothing_and_who_comes_back_is_told_what_was_missed(saga: Saga):
    fields = await sync_to_async(answering)(saga)
    async with looks(saga.tom) as tom:
        last = (await tom.settles())[-1]["seq"]
        await sync_to_async(lambda: refused(saga.tom.does("roll_forms", **fields), 403))()
        assert await tom.is_quiet()
    await does(saga.amy, "roll_forms", **fields)
    async with looks(saga.tom, seq=str(last)) as tom:
        push = await tom.takes()
    assert set(push["regions"]) >= set(PAGES["phone"])
    assert push["told"]
    assert all(one["seq"] > last for one in push["told"])


@pytest.mark.django_db(transaction=True)
async def test_turning_the_table_tells_every_page_to_load_anew(begun: Saga):
    async with looks(begun.amy) as amy, looks(begun.tess, "screen") as screen:
        for line in (amy, screen):
            await line.settles()
        await does(begun.erin, "turn_table", rules="brave_or_knave")
        for line, page in ((amy, "phone"), (screen, "screen")):
            push = await line.takes()
            assert push["game"] == "brave_or_knave"
            whole = {n for n in push["regions"] if not n.startswith(("ring-seat-", "place-"))}
            assert whole <= set(bouts.PAGES[page])


# --- what a push costs ---------------------------------------------------------------------------


@pytest.mark.django_db
def test_a_push_asks_the_same_few_questions_however_old_the_campaign(saga_at: SagaAt):
    saga = saga_at("answer")
    viewers = {Viewer(page, getattr(saga, who).seat, device_of(saga, who)) for who, page in VIEWS}
    more = {Viewer("phone", one.seat, one.device.pk) for one in saga.players}

    def asked(viewers: set[Viewer]) -> int:
        with CaptureQueriesContext(connection) as found:
            now = snapshot.load(saga.table.pk)
            assert len(draw_all(now, viewers, {})) == len(viewers)
        return len(found)

    asked(viewers)
    few = asked(viewers)
    assert asked(viewers | more) == few  # nor for each phone
    grows(saga, 100)
    assert asked(viewers) == few < 40


def device_of(saga: Saga, who: str) -> Any:
    return getattr(saga, who).device.pk
