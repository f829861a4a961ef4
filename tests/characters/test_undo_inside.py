"""What is taken back lies in no container that somebody else has by now (KN-4)."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from characters.models import Character, Item
from games.models import Event
from tests.characters.crew import owns, told
from tests.games.party import Party, done, refused


def newest(party: Party) -> Event:
    found = party.table.events.order_by("-seq").first()
    assert found
    return found


def gives(party: Party, item: Item, to: Character) -> Event:
    done(party.ana.does("give_item", item=item.pk, to=to.pk))
    return newest(party)


def puts(party: Party, item: Item, into: Item) -> Event:
    done(party.ana.does("put_inside", item=item.pk, container=into.pk))
    return newest(party)


def wields_out_of_it(party: Party, ash: Character, moth: Character) -> Event:
    sack, sword = owns(ash, "sack"), owns(ash, "sword")
    puts(party, sword, sack)
    done(party.ben.does("equip_item", item=sword.pk, on="true"))
    wielded = newest(party)
    gives(party, sack, moth)
    return wielded


def eats_out_of_it(party: Party, ash: Character, moth: Character) -> Event:
    sack, ration = owns(ash, "sack"), owns(ash, "travel-rations")
    puts(party, ration, sack)
    done(party.ben.does("use_item", item=ration.pk))
    eaten = newest(party)
    gives(party, sack, moth)
    return eaten


def bundles_within_it(party: Party, ash: Character, moth: Character) -> Event:
    sack = owns(ash, "sack")
    torches = [owns(ash, "torch", count, inside=sack) for count in (2, 3)]
    done(party.ben.does("merge_item", item=torches[0].pk))
    merged = newest(party)
    gives(party, sack, moth)
    return merged


def fills_a_gift(party: Party, ash: Character, moth: Character) -> Event:
    sack, rope = owns(moth, "sack"), owns(ash, "rope-50ft")
    gift = gives(party, sack, ash)
    puts(party, rope, sack)
    return gift


def gives_content_after_it(party: Party, ash: Character, moth: Character) -> Event:
    sack, rope = owns(ash, "sack"), owns(ash, "rope-50ft")
    puts(party, rope, sack)
    gift = gives(party, sack, moth)
    gives(party, rope, moth)
    return gift


def gives_what_was_in_a_broken_one(party: Party, ash: Character, moth: Character) -> Event:
    sack, rope = owns(ash, "sack"), owns(ash, "rope-50ft")
    Item.objects.filter(pk=sack.pk).update(quality=1, max_quality=1)  # no book's has any
    puts(party, rope, sack)
    done(party.ana.does("break_item", item=sack.pk))
    broken = newest(party)
    gives(party, rope, moth)
    return broken


@pytest.mark.parametrize(
    "happens",
    [
        *(wields_out_of_it, eats_out_of_it, bundles_within_it, fills_a_gift),
        *(gives_content_after_it, gives_what_was_in_a_broken_one),
    ],
)
def test_kn4_an_undo_puts_nothing_into_what_another_has(
    party: Party, ash, moth, happens: Callable[[Party, Character, Character], Event]
):
    """Ash's sword was in Moth's sack: what hangs on where the sack is goes back along with it."""
    event = happens(party, ash, moth)
    assert "1 later move hangs on it" in refused(party.ana.does("undo", event=event.seq), 409)
    done(party.ana.does("undo", event=event.seq, sure="true"))
    packed = Item.objects.exclude(inside=None).select_related("inside")
    assert [item.said_name for item in packed if item.holder_id != item.inside.holder_id] == []


def test_kn4_what_was_put_into_a_chest_at_home_is_not_fetched_by_an_undo(party: Party, ash):
    """The chest came back from home by the undo, and with it what had never been carried."""
    chest, rope = owns(ash, "chest"), owns(ash, "rope-50ft", is_home=True)
    done(party.ben.does("leave_home", item=chest.pk, home="true"))
    left = newest(party)
    puts(party, rope, chest)
    done(party.ana.does("undo", event=left.seq, sure="true"))
    rope.refresh_from_db()
    assert (rope.inside, rope.is_home) == (None, True)


def test_how_many_go_into_a_sack_is_told(party: Party, ash):
    """Of five torches the log told as of one."""
    sack, torches = owns(ash, "sack"), owns(ash, "torch", 5)
    assert told(puts(party, torches, sack)) == "Ash: 5 × Torch goes into Sack."
    done(party.ben.does("put_inside", item=torches.pk))
    assert told(newest(party)) == "Ash: 5 × Torch comes out of Sack."
