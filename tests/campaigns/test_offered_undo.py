"""What a phone offers to take back goes back: nobody is sent to the GM by a button of their own."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest

from campaigns.screens.newest import ended_text, own_lasts
from games import snapshot
from games.actions import Undo
from games.errors import AskFirst
from games.services.act import Tap, act
from tests.campaigns.conftest import SagaAt
from tests.campaigns.pages import foot
from tests.campaigns.saga import Saga
from tests.campaigns.walk import Walk
from tests.games.party import Person, dice_fall_by
from tests.games.tried import taken_back
from tests.sizes import size

DEEDS = size(10, 30)
EVERYWHERE = ("begun", "choose", "sheets", "play", "roll", "settle", "closing")
PLACES = size(("choose", "roll"), EVERYWHERE)


def takes_offers(walk: Walk) -> int:
    """Take back whatever is offered to anybody, and set it up again; raises what is refused."""
    offered = own_lasts(snapshot.load(walk.table.pk))
    for seat, (event, _text) in offered.items():
        actor = next(actor for person, actor in walk.people if person.row.pk == seat)
        # A GM is asked, and may say yes.
        with suppress(AskFirst), taken_back():
            act(walk.table.pk, actor, Undo(event), Tap(f"u{walk.taps}"))
    return len(offered)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_offered_is_never_refused(
    saga_at: SagaAt, place: str, monkeypatch: pytest.MonkeyPatch
):
    luck = random.Random(f"offered {place}")
    walk, count = Walk(saga_at(place), luck), 0
    dice_fall_by(luck, monkeypatch)
    for _deed in range(DEEDS):
        walk.does()
        count += takes_offers(walk)
    assert count


def offers_undo(person: Person) -> bool:
    return 'id="undo"' in person.sees()


def adds_the_dog(saga: Saga) -> None:
    saga.do(saga.amy, "add_cast", text="a dog")
    assert offers_undo(saga.amy)


def test_a_line_that_somebody_has_taken_is_not_offered_to_go(saga_at: SagaAt):
    saga = saga_at("choose")
    adds_the_dog(saga)
    saga.do(saga.tom, "take_cast", line=saga.line("a dog").pk)
    assert not offers_undo(saga.amy)
    saga.do(saga.tom, "leave_cast", line=saga.line("a dog").pk)
    saga.undoes("cast_left")
    saga.undoes("cast_taken")
    assert offers_undo(saga.amy)  # nothing hangs on it any more


def test_what_others_do_beside_it_takes_no_offer_away(saga_at: SagaAt):
    saga = saga_at("choose")
    adds_the_dog(saga)
    saga.do(saga.tom, "add_cast", text="a cat")
    assert offers_undo(saga.amy)


def test_another_campaign_in_front_offers_and_tells_nothing_of_the_one_before(saga_at: SagaAt):
    """Amy's phone offered to take back what she had done where nobody was looking any more."""
    saga = saga_at("settle")
    saga.do(saga.amy, "settle", sequence=saga.fight.key, loser=saga.named("Tajie").pk,
            kind="injured", saw=saga.saw)  # fmt: skip
    saga.do(saga.amy, "edit_interest", interest=saga.pc(saga.amy).interests.first().pk, text="Gold")

    def shown() -> tuple[bool, str]:
        now = snapshot.load(saga.table.pk)
        return saga.amy.row.pk in own_lasts(now), ended_text(now)

    offered, ended = shown()
    assert offered
    assert "injured" in ended
    old = saga.table.campaigns.get(name="The Old War")
    saga.do(saga.erin, "front_campaign", campaign=old.pk)
    assert shown() == (False, "")


def test_wa87_a_no_is_not_offered_to_go_once_the_next_has_come_back(saga_at: SagaAt):
    """Who had taken her no back was first on the list again, and somebody else had come back."""
    saga = saga_at("coming_back")
    saga.do(saga.amy, "decline_return", owed=saga.owed("Mekha"))
    assert offers_undo(saga.amy)
    saga.do(saga.tom, "bring_back", owed=saga.owed("Amek"))
    assert not offers_undo(saga.amy)
    saga.undoes("pc_came_back")
    assert offers_undo(saga.amy)


def test_to_take_back_the_beginning_of_play_is_called_that(saga_at: SagaAt):
    """It was offered as what a player had done an hour before: “Amy chose the oracle…”."""
    saga = saga_at("interests")
    saga.do(saga.erin, "begin_play")
    assert "Chapter 1 begins." in foot(saga.erin)
