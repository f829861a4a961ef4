"""Loot (KN-4): piles that anybody may claim from; who taps first gets it, and nothing is lost."""

from __future__ import annotations

import re
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connection

from characters.models import Character, Item, Pile
from tests.characters.crew import kept, kit, knave, last, owns, takes_back, told
from tests.games.party import Party, Person, done, refused, refused_at


@pytest.fixture
def hoard(party: Party) -> Pile:
    return Pile.objects.create(table=party.table, name="Hoard", gold=3, silver=10, copper=5)


# --- the referee lays it out -----------------------------------------------------------------


def test_what_is_laid_beside_what_the_dead_carried_is_told_of_that(party: Party, ash):
    """The log had a torch lie among "the loot, Ash"."""
    owns(ash, "crowbar")
    done(party.ana.does("change_hp", character=ash.pk, by=-9))
    done(party.ana.does("add_item", pile=Pile.objects.get().pk, name="Torch", count=2))
    added = last(party, "loot_added")
    assert told(added) == "Among the loot, what Ash carried: 2 × Torch."
    assert told(added, "es") == "En el botín, lo que llevaba Ash: 2 × Torch."


def test_loot_is_laid_out_hidden_filled_shown_and_left(party: Party, ash):
    done(party.ana.does("new_pile", name="كنز", gold=3, is_shown="false"))
    pile = party.table.piles.get()
    assert (pile.name, pile.gold, pile.is_shown) == ("كنز", 3, False)
    done(party.ana.does("add_item", pile=pile.pk, name="Crown", count=2))
    for kind in ("pile_laid", "loot_added"):
        assert last(party, kind).to == party.ana.row
    refused(party.ben.does("claim_coins", character=ash.pk, pile=pile.pk), 404)
    item = pile.items.get()
    refused(party.ben.does("claim_item", character=ash.pk, item=item.pk), 404)
    done(party.ana.does("show_pile", pile=pile.pk, on="true"))
    refused(party.ana.does("show_pile", pile=pile.pk, on="true"), 409)
    assert last(party, "pile_shown").to is None
    done(party.ben.does("claim_item", character=ash.pk, item=item.pk, count=1))
    done(party.ana.does("close_pile", pile=pile.pk))
    refused(party.ben.does("claim_item", character=ash.pk, item=item.pk), 404)


def test_phones_list_the_newest_piles_and_the_host_all_of_them(
    party: Party, ash: Character, monkeypatch: pytest.MonkeyPatch
):
    """R8: what the dead of years had left was drawn on every phone, at every tap."""
    monkeypatch.setattr("characters.screens.board.MOST_PILES", 2)
    party.turns_to("knave")
    for name in ("Oldest", "Older", "Newer", "Newest"):
        done(party.ana.does("new_pile", name=name, gold=1))
    phone = party.ben.sees()
    assert re.findall(r'<h3 id="pile-\d+"[^>]*>\W*(\w+)', phone) == ["Newest", "Newer"]
    assert "2 older piles are listed here as these are emptied" in phone
    assert len(re.findall(r'id="close-pile-\d+"', party.ana.sees("gm/"))) == 4
    done(party.ana.does("close_pile", pile=Pile.objects.get(name="Newest").pk))
    newer = Pile.objects.get(name="Newer").pk
    done(party.ben.does("claim_pile", character=ash.pk, pile=newer))
    phone = party.ben.sees()
    assert re.findall(r'<h3 id="pile-\d+"[^>]*>\W*(\w+)', phone) == ["Older", "Oldest"]
    assert "older pile" not in phone


def test_only_the_host_lays_out_loot(party: Party, ash, hoard):
    for action, more in (
        ("new_pile", {"name": "Mine"}),
        ("show_pile", {"pile": hoard.pk, "on": "false"}),
        ("close_pile", {"pile": hoard.pk}),
        ("add_item", {"pile": hoard.pk, "name": "Crown"}),
    ):
        refused(party.ben.does(action, **more), 403)


@pytest.mark.parametrize(
    ("field", "more"),
    [("name", {"name": ""}), ("name", {"name": "x" * 61}), ("gold", {"name": "x", "gold": -1})],
)
def test_a_pile_that_is_none_is_refused_with_its_field(party: Party, field, more):
    refused_at(party.ana.does("new_pile", **more), field)


# --- claiming --------------------------------------------------------------------------------


def test_of_two_who_claim_one_torch_the_second_was_too_slow(party: Party, ash, moth, hoard):
    torch = owns(hoard, "torch")
    done(party.ben.does("claim_item", character=ash.pk, item=torch.pk))
    late = refused(party.ana.does("claim_item", character=moth.pk, item=torch.pk), 404)
    assert "quicker" in late
    assert (ash.items.count(), moth.items.count()) == (1, 0)


def test_of_two_piles_only_the_one_that_is_named_gives_anything(party: Party, ash, hoard):
    chest = Pile.objects.create(table=party.table, name="Chest", gold=9)
    done(party.ben.does("claim_coins", character=ash.pk, pile=chest.pk, gold=2))
    done(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk, gold=1))
    for row in (ash, hoard, chest):
        row.refresh_from_db()
    assert (ash.gold, hoard.gold, chest.gold) == (3, 2, 7)


def test_part_of_a_bundle_is_claimed_and_the_rest_lies_on(party: Party, ash, hoard):
    torches = owns(hoard, "torch", 5)
    done(party.ben.does("claim_item", character=ash.pk, item=torches.pk, count=2))
    torches.refresh_from_db()
    assert (torches.count, ash.items.get().count) == (3, 2)
    assert "There are only 3" in refused(
        party.ben.does("claim_item", character=ash.pk, item=torches.pk, count=4), 409
    )
    assert told(last(party, "item_claimed")) == "Ash takes: 2 × Torch (Hoard)."


def test_kn4_what_does_not_fit_lies_on(party: Party, ash, hoard):
    plate = owns(hoard, "full-plate")
    for _each in range(3):
        owns(ash, "chest")
    assert "slot" in refused(party.ben.does("claim_item", character=ash.pk, item=plate.pk), 409)
    assert hoard.items.get() == plate


def test_loot_is_claimed_for_a_sheet_of_ones_own_that_lives(party: Party, ash, moth, hoard):
    torch = owns(hoard, "torch")
    refused(party.ben.does("claim_item", character=moth.pk, item=torch.pk), 403)
    Character.objects.filter(pk=ash.pk).update(state="dead")
    assert "Ash is dead" in refused(
        party.ben.does("claim_item", character=ash.pk, item=torch.pk), 409
    )
    refused(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk), 409)


def test_a_pile_from_which_the_last_thing_is_taken_is_put_away(party: Party, ash, hoard):
    torch = owns(hoard, "torch")
    done(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk))
    hoard.refresh_from_db()
    assert hoard.is_open
    done(party.ben.does("claim_item", character=ash.pk, item=torch.pk))
    hoard.refresh_from_db()
    assert not hoard.is_open


def test_what_is_dropped_after_the_ground_was_cleared_can_be_claimed(party: Party, ash, moth):
    """A pile that has been put away takes nothing in: it would be lost to everybody."""
    for key in ("crowbar", "torch"):
        thing = owns(ash, key)
        done(party.ben.does("drop_item", item=thing.pk))
        done(party.ana.does("claim_item", character=moth.pk, item=thing.pk))
    assert kit(moth) == [("Crowbar", 1), ("Torch", 1)]


def test_coins_are_claimed_all_or_as_many_as_named(party: Party, ash, moth, hoard):
    done(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk, gold=1, copper=5))
    ash.refresh_from_db()
    assert (ash.gold, ash.silver, ash.copper) == (1, 0, 5)
    assert "There are only 2" in refused(
        party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk, gold=3), 409
    )
    done(party.ana.does("claim_coins", character=moth.pk, pile=hoard.pk))
    moth.refresh_from_db()
    assert (moth.gold, moth.silver) == (2, 10)
    refused(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk), 404)
    assert told(last(party, "coins_claimed")) == (
        "Moth takes 2 gold pieces and 10 silver pieces (Hoard)."
    )


def test_kn4_ten_thousand_coins_stay_where_they_are(party: Party, ash, hoard):
    Pile.objects.filter(pk=hoard.pk).update(copper=10_000)
    assert "There are not enough free slots for so many" in refused(
        party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk), 409
    )
    done(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk, copper=1100))
    refused(party.ben.does("claim_coins", character=ash.pk, pile=hoard.pk, copper=1), 409)


def test_kn4_what_fits_of_too_many_coins_is_taken_and_the_rest_lies_on(party: Party, ash, hoard):
    """The dearest first, after the things there is room for."""
    Pile.objects.filter(pk=hoard.pk).update(gold=1000, silver=150, copper=0)
    owns(hoard, "long-sword")
    done(party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk))
    for row in (ash, hoard):
        row.refresh_from_db()
    assert kit(ash) == [("Long sword", 1)]
    assert (ash.gold, ash.silver) == (800, 0), "eight slots are left of eleven"
    assert (hoard.gold, hoard.silver, hoard.is_open) == (200, 150, True)
    assert told(last(party, "pile_claimed")) == "Ash takes from Hoard what there is room for."
    assert "There is no free slot for any of it" in refused(
        party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk), 409
    )


def test_kn4_a_begun_hundred_of_coins_is_filled(party: Party, ash, hoard):
    Character.objects.filter(pk=ash.pk).update(copper=1090)
    Pile.objects.filter(pk=hoard.pk).update(gold=7, silver=7, copper=7)
    done(party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk))
    ash.refresh_from_db()
    assert (ash.gold, ash.silver, ash.copper) == (7, 3, 1090)


def test_kn4_loot_says_what_it_takes_before_it_is_taken(party: Party, ash, hoard):
    """Phones and the referee's page name the slots of what takes more or less than one."""
    done(party.ana.does("turn_table", rules="knave"))
    done(party.ana.does("add_item", pile=hoard.pk, name="Anvil", slots=5))
    for page in (party.ben.sees(), party.ana.sees("gm/")):
        assert "slots: 5" in page


# --- sharing ---------------------------------------------------------------------------------


def test_coins_are_shared_evenly_metal_by_metal_and_the_rest_stays(party, ash, moth, hoard):
    (dora,) = party.welcomes("Dora")
    vela = knave(party.table, dora, "Vela")
    knave(party.table, None, "Nobody's")
    knave(party.table, dora, "Cold", state="dead")
    done(party.ana.does("share_coins", pile=hoard.pk))
    for one in (ash, moth, vela):
        one.refresh_from_db()
        assert (one.gold, one.silver, one.copper) == (1, 3, 1)
    hoard.refresh_from_db()
    assert (hoard.gold, hoard.silver, hoard.copper) == (0, 1, 2)
    assert "There are too few coins to share" in refused(
        party.ana.does("share_coins", pile=hoard.pk), 409
    )


def test_kn4_nobody_is_dealt_coins_without_a_slot_for_them(party: Party, ash, moth, hoard):
    """Whose slots are full leaves their share lying; the others have theirs."""
    for _each in range(3):
        owns(ash, "chest")
    owns(ash, "sword")
    before = hoard.gold
    done(party.ana.does("share_coins", pile=hoard.pk))
    for row in (ash, moth, hoard):
        row.refresh_from_db()
    assert (ash.gold, moth.gold + hoard.gold) == (0, before)
    assert moth.gold == before // 2
    said = told(last(party, "coins_shared"))
    assert said.startswith("Moth takes a share of the coins: ")
    assert said.endswith(" No free slot for their share: Ash.")
    Character.objects.filter(pk=moth.pk).update(state="dead")
    assert "Ash" in refused(party.ana.does("share_coins", pile=hoard.pk), 409)


def test_coins_are_shared_among_somebody(party: Party, hoard):
    refused(party.ana.does("share_coins", pile=hoard.pk), 409)


# --- undo and words --------------------------------------------------------------------------

DEEDS: dict[str, tuple[str, dict[str, object]]] = {
    "new_pile": ("ana", {"name": "Chest", "gold": 1}),
    "show_pile": ("ana", {"pile": "hoard", "on": "false"}),
    "close_pile": ("ana", {"pile": "hoard"}),
    "claim_item": ("ben", {"character": "ash", "item": "torches", "count": 2}),
    "claim_coins": ("ben", {"character": "ash", "pile": "hoard"}),
    "share_coins": ("ana", {"pile": "hoard"}),
    "add_item": ("ana", {"pile": "hoard", "name": "Crown"}),
}


@pytest.mark.parametrize("action", DEEDS)
def test_an_undo_sets_every_row_back_and_the_deed_has_words(party, ash, moth, hoard, action):
    keys = {"ash": ash.pk, "hoard": hoard.pk, "torches": owns(hoard, "torch", 3).pk}
    owns(ash, "torch", 1)
    who, fields = DEEDS[action]
    before = kept()
    named = {name: keys.get(str(value), value) for name, value in fields.items()}
    done(getattr(party, who).does(action, **named))
    assert kept() != before
    event = party.events()[-1]
    assert told(event)
    assert told(event, "es")
    takes_back(party, event)
    assert kept() == before


def test_an_undo_of_the_whole_of_a_bundle_finds_it_in_the_pile_again(party, ash, hoard):
    owns(ash, "torch", 1)
    torches = owns(hoard, "torch", 3)
    before = kept()
    done(party.ben.does("claim_item", character=ash.pk, item=torches.pk))
    assert not Item.objects.filter(pk=torches.pk).exists()
    takes_back(party, last(party, "item_claimed"))
    assert kept() == before


# --- the race --------------------------------------------------------------------------------


@pytest.mark.django_db(transaction=True)
def test_of_eight_who_claim_one_torch_at_once_one_has_it(dice, clock):
    party = Party(dice, clock).gathers()
    people = [party.ben, *party.welcomes("Dora", "Eli", "Fay", "Gus", "Hal", "Ivy", "Jon")]
    knaves = [knave(party.table, p, p.name) for p in people]
    hoard = Pile.objects.create(table=party.table, name="Hoard", gold=3)
    torch = owns(hoard, "torch")
    start = Barrier(len(people))

    def claims(person: Person, one: Character) -> int:
        start.wait()
        try:
            return person.does("claim_item", saw=0, character=one.pk, item=torch.pk).status_code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(people)) as threads:
        answers = sorted(threads.map(claims, people, knaves))
    assert answers == [204, *[404] * 7]
    assert Item.objects.count() == 1
    assert Item.objects.get().holder in knaves
    assert len(party.events("item_claimed")) == 1


def test_kn4_a_pile_is_taken_as_far_as_there_is_room_and_the_rest_stays(party: Party, ash, hoard):
    """Nothing is lost on the way: what is not on the sheet still lies there."""
    for name, slots in (("Statue", 20), ("Crown", 1)):
        done(party.ana.does("add_item", pile=hoard.pk, name=name, slots=slots))
    done(party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk))
    hoard.refresh_from_db()
    assert [i.name for i in ash.items.all()] == ["Crown"]
    assert [i.name for i in hoard.items.all()] == ["Statue"]
    assert hoard.is_open
    assert "slot" in refused(party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk), 409)


def test_a_pile_with_room_for_all_of_it_is_emptied_and_closed(party: Party, ash, hoard):
    done(party.ana.does("add_item", pile=hoard.pk, name="Crown"))
    coins = hoard.gold
    done(party.ben.does("claim_pile", character=ash.pk, pile=hoard.pk))
    for row in (hoard, ash):
        row.refresh_from_db()
    assert (ash.items.get().name, ash.gold, hoard.is_open) == ("Crown", coins, False)
