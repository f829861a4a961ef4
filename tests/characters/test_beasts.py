"""What nobody puts in a slot (KN-4): beasts and carts that are led along, and what they carry."""

from __future__ import annotations

import re

import pytest

from characters.models import Character, Item
from tests.characters.crew import article, fights, kit, owns, used
from tests.games.party import Party, done, refused


@pytest.fixture
def mule(party: Party, ash: Character) -> Item:
    """Lay a chest, ten slots of bulk and a sword on Ash's mule, and fill all eleven slots."""
    done(party.ana.does("turn_table", rules="knave"))
    beast = owns(ash, "donkey")
    owns(ash, "bear-trap", 10, inside=beast)
    owns(ash, "sword", inside=beast)
    owns(ash, "torch", inside=beast)
    owns(ash, "crowbar", 11)
    return beast


def on_it(mule: Item, key: str) -> Item:
    return mule.contents.get(article__key=key)


def offered(party: Party, thing: Item, deed: str) -> bool:
    return f'id="{deed}-{thing.pk}' in party.ben.sees()


@pytest.mark.parametrize("key", ["donkey", "cart", "hovel", "chicken"])
def test_kn4_what_takes_no_slot_stands_on_the_sheet_as_soon_as_it_is_bought(
    party: Party, ash, key: str
):
    """It was paid for and nowhere to be seen."""
    done(party.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=ash.pk).update(gold=50)
    done(party.ben.does("buy_item", character=ash.pk, article=article(key)))
    bought = Item.objects.get(holder=ash)
    assert f'id="item-{bought.pk}"' in party.ben.sees()
    assert bought.said_name in party.ben.sees(f"knave/{ash.pk}/print/")
    done(party.ben.does("leave_home", item=bought.pk, home="true"))
    assert party.ben.sees().count(f'id="item-{bought.pk}"') == 1


def test_kn4_a_mule_is_laden_and_unladen_from_the_sheet(party: Party, ash, mule):
    crowbars = Item.objects.get(article__key="crowbar")
    assert f'id="inside-{crowbars.pk}-{mule.pk}"' in party.ben.sees()
    done(party.ben.does("put_inside", item=crowbars.pk, container=mule.pk))
    assert used(ash) == 0
    assert f'id="outside-{crowbars.pk}"' in party.ben.sees()
    done(party.ben.does("put_inside", item=crowbars.pk))
    assert used(ash) == 11


def test_kn4_what_is_on_a_mule_is_at_hand(party: Party, ash, moth, mule):
    """It was called at home, though nobody had left it there."""
    done(party.ben.does("give_item", item=on_it(mule, "bear-trap").pk, to=moth.pk, count=4))
    done(party.ben.does("drop_item", item=on_it(mule, "bear-trap").pk, count=2))
    assert kit(moth) == [("Bear trap", 4)]
    assert on_it(mule, "bear-trap").count == 4


@pytest.mark.parametrize(("key", "deed"), [("sword", "equip"), ("torch", "light")])
def test_kn4_what_is_taken_in_hand_off_a_mule_needs_room(party: Party, ash, mule, key, deed):
    thing = on_it(mule, key)
    assert not offered(party, thing, deed)
    told = refused(party.ben.does(f"{deed}_item", item=thing.pk, on="true"), 409)
    assert "slot" in told
    Item.objects.filter(article__key="crowbar").update(count=5)
    assert offered(party, thing, deed)
    done(party.ben.does(f"{deed}_item", item=thing.pk, on="true"))
    thing.refresh_from_db()
    assert thing.inside is None


def test_kn4_a_fight_offers_no_weapon_off_a_mule_that_there_is_no_room_for(party: Party, ash, mule):
    """As the sheet does: it was offered to the phone and to the referee, and refused."""
    sword, dagger = on_it(mule, "sword"), owns(ash, "dagger")
    Item.objects.filter(holder=ash, article__key="crowbar").update(count=8)
    fights(party)
    for is_full in (False, True):
        if is_full:
            owns(ash, "crowbar")
        for page in (party.ben.sees(), party.ana.sees("gm/")):
            chips = {
                item: re.search(rf'<button id="wield-k{ash.pk}-{item.pk}"[^>]*>', page)[0]
                for item in (sword, dagger)
            }
            assert ("disabled" in chips[sword]) is is_full
            assert "disabled" not in chips[dagger]
    asked = {"by": f"k{ash.pk}", "item": sword.pk}
    refused(party.ben.does("fight-wield", **asked), 409)
    Item.objects.filter(holder=ash, article__key="crowbar", count=1).delete()
    done(party.ben.does("fight-wield", **asked))


@pytest.mark.parametrize("how", ["give_item", "drop_item"])
def test_kn4_a_laden_mule_is_not_parted_with_where_its_load_has_no_room(
    party: Party, ash, moth, mule, how: str
):
    to = {"to": moth.pk} if how == "give_item" else {}
    assert "slot" in refused(party.ben.does(how, item=mule.pk, **to), 409)
    assert used(ash) == 11
    done(party.ben.does("drop_item", item=Item.objects.get(article__key="crowbar").pk))
    refused(party.ben.does(how, item=mule.pk, **to), 409)
    done(party.ben.does("drop_item", item=on_it(mule, "bear-trap").pk))
    done(party.ben.does(how, item=mule.pk, **to))
    assert used(ash) == 3, "the sword and the torch"


def test_kn4_a_mule_goes_into_no_sack(party: Party, ash, mule):
    sack = owns(ash, "sack", inside=mule)
    assert f'id="inside-{mule.pk}-{sack.pk}"' not in party.ben.sees()
    asked = {"item": mule.pk, "container": sack.pk}
    said = "Donkey or pack horse fits into nothing."
    assert refused(party.ben.does("put_inside", **asked), 409) == said


def test_kn4_with_a_dead_mans_mule_goes_all_that_is_on_it(party: Party, ash, moth, mule):
    """What came before it in the pile was left lying, for want of slots that it does not need."""
    Item.objects.filter(pk=mule.pk).update(position=99)
    done(party.ana.does("change_hp", character=ash.pk, by=-9))
    left = party.table.piles.get()
    owns(moth, "shovel", 10)
    done(party.ana.does("claim_pile", character=moth.pk, pile=left.pk))
    assert [one.said_name for one in left.items.all()] == ["Crowbar"]
    assert {one.holder for one in mule.contents.all()} == {moth}
    assert used(moth) == 10


def test_kn4_a_mule_that_comes_beside_another_keeps_its_load(party: Party, ash, moth, mule):
    """The two became one: what was on the one lay in slots that nobody had, or stayed behind."""
    owns(ash, "donkey", is_home=True)
    done(party.ben.does("leave_home", item=mule.pk, home="true"))
    assert (used(ash), mule.contents.count()) == (11, 3)
    done(party.ben.does("leave_home", item=mule.pk, home="false"))
    owns(moth, "donkey")
    done(party.ana.does("change_hp", character=ash.pk, by=-9))
    left = party.table.piles.get()
    done(party.ana.does("claim_pile", character=moth.pk, pile=left.pk))
    assert {one.holder for one in mule.contents.all()} == {moth}


def test_kn4_two_mules_are_two_things(party: Party, ash, mule):
    """Put together, the load of one came onto their owner's back, whatever room there was."""
    Character.objects.filter(pk=ash.pk).update(gold=6)
    done(party.ben.does("buy_item", character=ash.pk, article=mule.article_id, count=2))
    assert ash.items.filter(article=mule.article).count() == 3
    assert not offered(party, mule, "merge")
    refused(party.ben.does("merge_item", item=mule.pk), 409)
    assert (used(ash), mule.contents.count()) == (11, 3)


def test_kn4_mules_that_an_earlier_release_has_bundled_come_apart(party: Party, ash, mule):
    Item.objects.filter(pk=mule.pk).update(count=2)
    assert offered(party, mule, "split")
    done(party.ben.does("split_item", item=mule.pk, count=1))
    assert [one.count for one in ash.items.filter(article=mule.article)] == [1, 1]


def test_kn14_a_sword_on_a_mule_is_drawn_in_a_fight(party: Party, ash, mule):
    Item.objects.filter(article__key="crowbar").delete()
    fights(party)
    sword = on_it(mule, "sword")
    done(party.ben.does("fight-wield", by=f"k{ash.pk}", item=sword.pk))
    sword.refresh_from_db()
    assert (sword.is_equipped, sword.inside) == (True, None)


def test_a_printed_sheet_has_what_is_in_a_quiver_in_a_chest_at_home_and_on_a_mule(
    party: Party, ash
):
    """On paper they were gone: none of them has a slot of its own."""
    quiver, chest = owns(ash, "quiver"), owns(ash, "chest", is_home=True)
    owns(ash, "arrows", 20, inside=quiver)
    owns(ash, "crowbar", 2, inside=owns(ash, "sack", inside=chest))
    owns(ash, "net", inside=owns(ash, "donkey"))
    page = re.sub(r"</?(bdi|b|small)>", "", party.ben.sees(f"knave/{ash.pk}/print/"))
    assert "Quiver holds\u00a01\u00a0slot (Arrows ×20)" in page
    assert "Takes no slot: Donkey or pack horse (Net)." in page
    assert "At home: Chest (Sack (Crowbar ×2))." in page
