"""Containers (KN-4): what is in one is where that is, and comes and goes with it."""

from __future__ import annotations

import pytest

from characters.models import Character, Item, Pile
from characters.screens.cards import ItemCard
from characters.screens.mine import my_knave
from characters.screens.people import weapons_of
from characters.screens.things import spells_at_hand
from characters.stage import RULES
from games import snapshot
from tests.characters.crew import book_of, last, owns, takes_back, used
from tests.games.party import Party, done, refused


@pytest.fixture
def packed(party: Party, ash) -> dict[str, Item]:
    """Pack a rope into a bag and that into a sack, which stays at home."""
    keys = {"sack": "sack", "bag": "oilskin-bag", "rope": "rope-50ft"}
    there = {name: owns(ash, key) for name, key in keys.items()}
    for inner, outer in (("rope", "bag"), ("bag", "sack")):
        answer = party.ben.does("put_inside", item=there[inner].pk, container=there[outer].pk)
        done(answer)
    done(party.ben.does("leave_home", item=there["sack"].pk, home="true"))
    assert used(ash) == 0
    return there


def test_kn4_what_is_taken_out_of_a_bag_in_a_sack_at_home_is_at_home(party: Party, ash, packed):
    done(party.ben.does("put_inside", item=packed["rope"].pk))
    assert used(ash) == 0
    refused(party.ben.does("drop_item", item=packed["rope"].pk), 409)


def test_kn4_nothing_goes_between_home_and_what_is_carried_but_by_being_fetched(
    party: Party, ash, packed
):
    carried, torch = owns(ash, "chest"), owns(ash, "torch")
    refused(party.ben.does("put_inside", item=packed["rope"].pk, container=carried.pk), 409)
    refused(party.ben.does("put_inside", item=torch.pk, container=packed["bag"].pk), 409)
    done(party.ben.does("leave_home", item=carried.pk, home="true"))
    done(party.ben.does("put_inside", item=packed["rope"].pk, container=carried.pk))
    assert used(ash) == 1, "only the torch is carried"


def test_kn4_what_was_put_into_a_chest_at_home_is_fetched_with_it(party: Party, ash):
    chest, rope = owns(ash, "chest"), owns(ash, "rope-50ft")
    for thing in (chest, rope):
        done(party.ben.does("leave_home", item=thing.pk, home="true"))
    done(party.ben.does("put_inside", item=rope.pk, container=chest.pk))
    done(party.ben.does("leave_home", item=chest.pk, home="false"))
    done(party.ben.does("drop_item", item=rope.pk))


def test_kn4_what_is_in_a_sack_at_home_may_be_fetched_by_itself(party: Party, ash, packed):
    refused(party.ben.does("leave_home", item=packed["rope"].pk, home="true"), 409)
    done(party.ben.does("leave_home", item=packed["rope"].pk, home="false"))
    assert used(ash) == 1


def test_kn4_a_sheet_offers_only_to_take_out_what_is_in_a_sack_at_home(party: Party, ash, packed):
    [sack] = _cards_at_home(party)
    [bag] = sack.contents
    [rope] = bag.contents
    assert (bag.may, rope.may) == ({"outside"}, {"outside"})


def _cards_at_home(party: Party) -> tuple[ItemCard, ...]:
    sheet = my_knave(snapshot.load(party.table.pk, RULES), party.ben.row).sheet
    assert sheet
    return sheet.home


def test_kn4_a_fight_offers_neither_weapon_nor_spell_that_is_in_a_chest_at_home(party: Party, ash):
    chest, sword, book = owns(ash, "chest"), owns(ash, "sword"), book_of(ash)
    Item.objects.filter(pk__in=[sword.pk, book.pk]).update(inside=chest)
    assert _offered(ash) == (1, 1)
    done(party.ben.does("leave_home", item=chest.pk, home="true"))
    assert _offered(ash) == (0, 0)


def _offered(one: Character) -> tuple[int, int]:
    items = list(one.items.all())
    return len(weapons_of(one, items)), len(spells_at_hand(items, 1))


@pytest.mark.parametrize("is_first", ["chest", "rope"])
def test_kn4_things_of_the_dead_for_which_there_is_room_come_out_of_a_chest_that_stays(
    party: Party, ash, moth, is_first: str
):
    """Otherwise they were on a sheet, took slots, and were drawn nowhere on it."""
    pile, there = _left_by(party, ash, is_first)
    for _each in range(9):
        owns(moth, "rope-50ft")
    done(party.ana.does("claim_pile", pile=pile.pk, character=moth.pk))
    chest, rope = (Item.objects.get(pk=there[key].pk) for key in ("chest", "rope-50ft"))
    assert (chest.pile_id, rope.holder_id, rope.inside_id) == (pile.pk, moth.pk, None)
    takes_back(party, last(party, "pile_claimed"))
    rope.refresh_from_db()
    assert (rope.pile_id, rope.inside_id) == (pile.pk, chest.pk)


def _left_by(party: Party, ash: Character, is_first: str) -> tuple[Pile, dict[str, Item]]:
    keys = sorted(("chest", "rope-50ft"), key=lambda key: not key.startswith(is_first))
    there = {key: owns(ash, key) for key in keys}
    answer = party.ben.does("put_inside", item=there["rope-50ft"].pk, container=there["chest"].pk)
    done(answer)
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    return party.table.piles.get(), there


def test_kn4_what_stays_for_want_of_room_lies_beside_the_chest_that_is_taken(
    party: Party, ash, moth
):
    chest, plate = owns(ash, "chest"), owns(ash, "full-plate")
    Item.objects.filter(pk=plate.pk).update(inside=chest)
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    pile = party.table.piles.get()
    for _each in range(7):
        owns(moth, "rope-50ft")
    done(party.ana.does("claim_pile", pile=pile.pk, character=moth.pk))
    chest.refresh_from_db()
    plate.refresh_from_db()
    assert (chest.holder_id, plate.pile_id, plate.inside_id) == (moth.pk, pile.pk, None)


def test_kn4_a_pile_that_is_taken_whole_stays_packed(party: Party, ash, moth):
    pile, there = _left_by(party, ash, "rope")
    done(party.ana.does("claim_pile", pile=pile.pk, character=moth.pk))
    assert Item.objects.get(pk=there["rope-50ft"].pk).inside_id == there["chest"].pk


def test_kn4_a_container_holds_so_many_slots_and_never_itself(party: Party, ash):
    bag, sack = owns(ash, "oilskin-bag"), owns(ash, "sack")
    halberd, rope = owns(ash, "halberd"), owns(ash, "rope-50ft")
    assert "Oilskin bag is full" in refused(
        party.ben.does("put_inside", item=halberd.pk, container=bag.pk), 409
    )
    refused(party.ben.does("put_inside", item=bag.pk, container=bag.pk), 409)
    assert "Nothing can be put into that" in refused(
        party.ben.does("put_inside", item=rope.pk, container=halberd.pk), 409
    )
    done(party.ben.does("put_inside", item=bag.pk, container=sack.pk))
    assert "Nothing fits into itself" in refused(
        party.ben.does("put_inside", item=sack.pk, container=bag.pk), 409
    )
    done(party.ben.does("put_inside", item=rope.pk, container=bag.pk))
    assert "Halberd is in nothing" in refused(party.ben.does("put_inside", item=halberd.pk), 409)


def test_kn4_arrows_in_a_quiver_take_no_slot_until_they_are_taken_out(party: Party, ash):
    quiver, arrows = owns(ash, "quiver"), owns(ash, "arrows", 20)
    torch = owns(ash, "torch")
    assert "That takes nothing but ammunition" in refused(
        party.ben.does("put_inside", item=torch.pk, container=quiver.pk), 409
    )
    done(party.ben.does("put_inside", item=arrows.pk, container=quiver.pk))
    assert used(ash) == 2
    for _each in range(3):
        owns(ash, "chest")
    assert "Every slot is full" in refused(party.ben.does("put_inside", item=arrows.pk), 409)
    assert used(ash) == 11


def test_anothers_container_takes_nothing(party: Party, ash, moth):
    rope, sack = owns(ash, "rope-50ft"), owns(moth, "sack")
    refused(party.ben.does("put_inside", item=rope.pk, container=sack.pk), 403)
    assert "Nothing can be put into that" in refused(
        party.ana.does("put_inside", item=rope.pk, container=sack.pk), 409
    )
