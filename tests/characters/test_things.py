"""Things on a sheet (KN-3 to KN-5, KN-19, KN-25): what is done with them, and what is refused."""

from __future__ import annotations

import pytest

from characters.models import Article, Character, Item, Spell
from characters.services import fighting, goods
from characters.services.hand import party_of
from games.bouts import state_of
from tests.characters.crew import fights, kept, knave, last, owns, plays_by, takes_back, told
from tests.games.party import Party, done, refused


@pytest.fixture
def ash(party: Party) -> Character:
    """Ben's knave: eleven slots, empty hands."""
    return knave(party.table, party.ben)


@pytest.fixture
def moth(party: Party) -> Character:
    """Ana's knave."""
    return knave(party.table, party.ana, "Moth")


def used(character: Character) -> int:
    character.refresh_from_db()
    return goods.numbers_of(character)["slots_used"].value


def armor(character: Character) -> int:
    return goods.numbers_of(character)["armor_defense"].value


def kit(character: Character) -> list[tuple[str, int]]:
    return [(i.said_name, i.count) for i in character.items.all()]


# --- using, dropping, giving -----------------------------------------------------------------


def test_what_is_used_is_one_less_and_then_gone(party: Party, ash):
    rations = owns(ash, "travel-rations", 2)
    done(party.ben.does("use_item", item=rations.pk))
    assert kit(ash) == [("Travel rations, 1 day", 1)]
    assert told(last(party, "item_used")) == "Ash eats: Travel rations, 1 day."
    done(party.ben.does("use_item", item=rations.pk))
    assert kit(ash) == []
    refused(party.ben.does("use_item", item=rations.pk), 404)


def test_several_arrows_are_shot_but_no_more_than_there_are(party: Party, ash):
    arrows = owns(ash, "arrows", 20)
    done(party.ben.does("use_item", item=arrows.pk, count=3))
    refused(party.ben.does("use_item", item=arrows.pk, count=18), 409)
    assert kit(ash) == [("Arrows", 17)]
    assert told(last(party, "item_used")) == "Ash shoots: 3 × Arrows."


def test_a_sword_is_not_used_up_and_the_unconscious_eat_nothing(party: Party, ash):
    refused(party.ben.does("use_item", item=owns(ash, "sword").pk), 409)
    rations = owns(ash, "travel-rations")
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    refused(party.ben.does("use_item", item=rations.pk), 409)


def test_what_is_dropped_lies_where_all_can_claim_it(party: Party, ash, moth):
    torches = owns(ash, "torch", 5)
    done(party.ben.does("drop_item", item=torches.pk, count=2))
    done(party.ana.does("drop_item", item=owns(moth, "crowbar").pk))
    pile = party.table.piles.get()
    assert (pile.name, pile.is_shown, pile.of) == ("", True, None)
    assert sorted((i.said_name, i.count) for i in pile.items.all()) == [
        ("Crowbar", 1),
        ("Torch", 2),
    ]
    assert told(last(party, "item_dropped")) == "Moth drops: Crowbar."


def test_a_thing_in_use_is_put_out_and_taken_off_before_it_changes_hands(party: Party, ash, moth):
    helmet = owns(ash, "helmet", is_equipped=True)
    torch = owns(ash, "torch", is_lit=True, turns_left=4)
    for item in (helmet, torch):
        done(party.ben.does("give_item", item=item.pk, to=moth.pk))
        item.refresh_from_db()
        assert (item.is_equipped, item.is_lit) == (False, False)
        assert item.holder == moth
    assert torch.turns_left == 4


def test_kn4_a_gift_needs_room_or_nothing_is_given(party: Party, ash, moth):
    owns(moth, "chest", 3)
    owns(moth, "travel-rations", 2)  # eleven slots
    sword = owns(ash, "sword")
    assert "slot" in refused(party.ben.does("give_item", item=sword.pk, to=moth.pk), 409)
    assert kit(ash) == [("Sword", 1)]
    done(party.ana.does("allow_overload", character=moth.pk, on="true"))
    done(party.ben.does("give_item", item=sword.pk, to=moth.pk))
    assert used(moth) == 13


def test_kn4_what_joins_a_begun_bundle_needs_no_room(party: Party, ash, moth):
    owns(moth, "chest", 3)
    owns(moth, "crowbar")
    owns(moth, "torch", 2)
    torches = owns(ash, "torch", 3)
    done(party.ben.does("give_item", item=torches.pk, to=moth.pk))
    assert kit(moth)[-1] == ("Torch", 5)
    assert used(moth) == 11


def test_a_gift_goes_to_somebody_living_in_sight(party: Party, ash, moth):
    lurker = knave(party.table, None, "Lurker", kind="npc", is_hidden=True)
    dead = knave(party.table, None, "Cold", state="dead")
    torch = owns(ash, "torch", 2)
    refused(party.ben.does("give_item", item=torch.pk, to=lurker.pk), 404)
    refused(party.ben.does("give_item", item=torch.pk, to=dead.pk), 409)
    refused(party.ben.does("give_item", item=torch.pk, to=ash.pk), 422)
    refused(party.ben.does("give_item", item=torch.pk, to=moth.pk, count=3), 409)
    refused(party.ben.does("give_item", item=owns(moth, "torch").pk, to=ash.pk), 403)


# --- wearing and wielding (KN-5) -------------------------------------------------------------


def test_kn5_armor_shield_and_helmet_add_up(party: Party, ash):
    for key, defense in (("gambeson", 12), ("shield", 13), ("helmet", 14)):
        done(party.ben.does("equip_item", item=owns(ash, key).pk, on="true"))
        assert armor(ash) == defense


@pytest.mark.parametrize("kind", ["armor", "shield", "helmet"])
def test_kn5_of_each_piece_one_is_worn(party: Party, ash, kind):
    key = {"armor": "gambeson"}.get(kind, kind)
    first, second = owns(ash, key, is_equipped=True), owns(ash, key)
    done(party.ben.does("equip_item", item=second.pk, on="true"))
    first.refresh_from_db()
    assert not first.is_equipped
    assert last(party, "item_equipped").data["instead"]


def test_two_hands_hold_no_more_and_the_log_says_what_was_put_away(party: Party, ash):
    sword, shield = owns(ash, "sword"), owns(ash, "shield")
    halberd, dagger = owns(ash, "halberd"), owns(ash, "dagger")

    def in_hand() -> set[str]:
        return {i.said_name for i in ash.items.filter(is_equipped=True)}

    for item, held in (
        (sword, {"Sword"}),
        (shield, {"Sword", "Shield"}),
        (halberd, {"Halberd"}),
        (shield, {"Shield"}),
        (dagger, {"Shield", "Dagger"}),
        (sword, {"Shield", "Sword"}),
    ):
        done(party.ben.does("equip_item", item=item.pk, on="true"))
        assert in_hand() == held
    assert told(last(party, "item_equipped")).endswith("Put away for it: Dagger.")
    done(party.ben.does("equip_item", item=sword.pk, on="false"))
    assert in_hand() == {"Shield"}


def test_nothing_is_put_on_that_is_no_gear_or_is_at_home(party: Party, ash):
    refused(party.ben.does("equip_item", item=owns(ash, "torch").pk, on="true"), 409)
    sword = owns(ash, "sword", is_home=True)
    refused(party.ben.does("equip_item", item=sword.pk, on="true"), 409)
    refused(party.ben.does("equip_item", item=sword.pk, on="false"), 409)


# --- at home, in containers, on the ladder (KN-4) --------------------------------------------


def test_kn4_what_is_at_home_takes_no_slot_and_comes_back_if_there_is_room(party: Party, ash):
    plate = owns(ash, "full-plate", is_equipped=True)
    done(party.ben.does("leave_home", item=plate.pk, home="true"))
    assert used(ash) == 0
    assert armor(ash) == 11
    chests = [owns(ash, "chest") for _each in range(3)]
    refused(party.ben.does("leave_home", item=plate.pk, home="false"), 409)
    done(party.ben.does("leave_home", item=chests[0].pk, home="true"))
    done(party.ben.does("leave_home", item=plate.pk, home="false"))
    assert used(ash) == 11
    refused(party.ben.does("leave_home", item=plate.pk, home="false"), 409)
    refused(party.ben.does("drop_item", item=chests[0].pk), 409)


def test_kn4_a_chest_left_at_home_keeps_what_is_in_it(party: Party, ash):
    chest, rope = owns(ash, "chest"), owns(ash, "rope-50ft")
    done(party.ben.does("put_inside", item=rope.pk, container=chest.pk))
    done(party.ben.does("leave_home", item=chest.pk, home="true"))
    assert used(ash) == 0
    refused(party.ben.does("use_item", item=rope.pk), 409)
    for name in ("sword", "sword", "sword", "sword", "halberd"):
        owns(ash, name)
    refused(party.ben.does("leave_home", item=chest.pk, home="false"), 409)
    done(party.ben.does("put_inside", item=rope.pk))
    rope.refresh_from_db()
    assert rope.is_home, "what is taken out of a chest at home is at home"


def test_kn4_a_container_holds_so_many_slots_and_never_itself(party: Party, ash):
    bag, sack = owns(ash, "oilskin-bag"), owns(ash, "sack")
    halberd, rope = owns(ash, "halberd"), owns(ash, "rope-50ft")
    refused(party.ben.does("put_inside", item=halberd.pk, container=bag.pk), 409)
    refused(party.ben.does("put_inside", item=bag.pk, container=bag.pk), 409)
    refused(party.ben.does("put_inside", item=rope.pk, container=halberd.pk), 409)
    done(party.ben.does("put_inside", item=bag.pk, container=sack.pk))
    refused(party.ben.does("put_inside", item=sack.pk, container=bag.pk), 409)
    done(party.ben.does("put_inside", item=rope.pk, container=bag.pk))
    refused(party.ben.does("put_inside", item=halberd.pk), 409)


def test_kn4_arrows_in_a_quiver_take_no_slot_until_they_are_taken_out(party: Party, ash):
    quiver, arrows = owns(ash, "quiver"), owns(ash, "arrows", 20)
    torch = owns(ash, "torch")
    refused(party.ben.does("put_inside", item=torch.pk, container=quiver.pk), 409)
    done(party.ben.does("put_inside", item=arrows.pk, container=quiver.pk))
    assert used(ash) == 2
    for _each in range(3):
        owns(ash, "chest")
    refused(party.ben.does("put_inside", item=arrows.pk), 409)
    assert used(ash) == 11


def test_anothers_container_takes_nothing(party: Party, ash, moth):
    rope, sack = owns(ash, "rope-50ft"), owns(moth, "sack")
    refused(party.ben.does("put_inside", item=rope.pk, container=sack.pk), 403)
    refused(party.ana.does("put_inside", item=rope.pk, container=sack.pk), 409)


def test_kn4_a_bundle_comes_apart_and_together(party: Party, ash):
    torches = owns(ash, "torch", 5)
    done(party.ben.does("split_item", item=torches.pk, count=2))
    assert kit(ash) == [("Torch", 3), ("Torch", 2)]
    assert used(ash) == 2
    for count in (3, 9):
        refused(party.ben.does("split_item", item=torches.pk, count=count), 409)
    refused(party.ben.does("split_item", item=torches.pk, count=0), 422)
    done(party.ben.does("merge_item", item=torches.pk))
    assert kit(ash) == [("Torch", 5)]
    refused(party.ben.does("merge_item", item=torches.pk), 409)


def test_kn4_coming_apart_needs_a_slot(party: Party, ash):
    for _each in range(3):
        owns(ash, "chest")
    owns(ash, "crowbar")
    torches = owns(ash, "torch", 5)
    refused(party.ben.does("split_item", item=torches.pk, count=2), 409)
    torches.refresh_from_db()
    assert torches.count == 5


def test_a_sword_is_no_bundle(party: Party, ash):
    refused(party.ben.does("split_item", item=owns(ash, "sword").pk, count=1), 409)


def test_a_thing_moves_up_and_down_the_ladder(party: Party, ash):
    first, second, third = (owns(ash, key) for key in ("sword", "torch", "crowbar"))
    done(party.ben.does("move_item", item=third.pk, by=-1))
    assert list(ash.items.all()) == [first, third, second]
    done(party.ben.does("move_item", item=first.pk, by=1))
    assert list(ash.items.all()) == [third, first, second]
    refused(party.ben.does("move_item", item=third.pk, by=-1), 409)
    refused(party.ben.does("move_item", item=third.pk, by=2), 422)
    assert told(last(party, "item_moved")) == ""


# --- quality (KN-19) -------------------------------------------------------------------------


def test_kn19_quality_is_lost_point_by_point_and_then_the_thing(party: Party, ash):
    mail = owns(ash, "gambeson", is_equipped=True)
    for left in (2, 1):
        done(party.ben.does("break_item", item=mail.pk))
        mail.refresh_from_db()
        assert mail.quality == left
    done(party.ben.does("break_item", item=mail.pk))
    assert not ash.items.exists()
    assert armor(ash) == 11
    assert told(last(party, "item_destroyed")) == "Ash: Gambeson is broken past mending."
    refused(party.ben.does("break_item", item=owns(ash, "torch").pk), 409)


@pytest.mark.parametrize(("key", "price"), [("brigandine", 50), ("dagger", 1), ("bow", 2)])
def test_kn19_a_point_costs_a_tenth_of_the_price_rounded_up(party: Party, ash, key, price):
    item = owns(ash, key, quality_lost := 1)
    Item.objects.filter(pk=item.pk).update(quality=item.max_quality - quality_lost)
    refused(party.ben.does("repair_item", item=item.pk), 409)
    Character.objects.filter(pk=ash.pk).update(copper=price)
    done(party.ben.does("repair_item", item=item.pk))
    item.refresh_from_db()
    ash.refresh_from_db()
    assert (item.quality, ash.copper) == (item.max_quality, 0)


def test_kn19_only_what_is_missing_is_mended_and_free_by_the_referee_alone(party: Party, ash):
    sword = owns(ash, "sword")
    Item.objects.filter(pk=sword.pk).update(quality=1)
    refused(party.ben.does("repair_item", item=sword.pk, is_free="true"), 403)
    refused(party.ana.does("repair_item", item=sword.pk, points=3, is_free="true"), 409)
    done(party.ana.does("repair_item", item=sword.pk, points=2, is_free="true"))
    refused(party.ana.does("repair_item", item=sword.pk, is_free="true"), 409)


# --- light -----------------------------------------------------------------------------------


def test_a_torch_is_lit_out_of_its_bundle_and_burns_on_where_it_was(party: Party, ash):
    torches = owns(ash, "torch", 5)
    before = used(ash)
    done(party.ben.does("light_item", item=torches.pk, on="true"))
    burning = ash.items.get(is_lit=True)
    assert (burning.count, burning.turns_left) == (1, 6)
    assert kit(ash) == [("Torch", 4), ("Torch", 1)]
    assert used(ash) == before, "it goes on sharing the slot of its bundle"
    Item.objects.filter(pk=burning.pk).update(turns_left=2)
    done(party.ben.does("light_item", item=burning.pk, on="false"))
    done(party.ben.does("light_item", item=burning.pk, on="true"))
    burning.refresh_from_db()
    assert burning.turns_left == 2
    refused(party.ben.does("light_item", item=burning.pk, on="true"), 409)


def test_the_last_torch_is_lit_without_coming_apart(party: Party, ash):
    torch = owns(ash, "torch")
    done(party.ben.does("light_item", item=torch.pk, on="true"))
    assert told(last(party, "item_lit")) == "Ash lights it: Torch, 6 turns."
    assert used(ash) == 1


def test_a_lantern_burns_oil(party: Party, ash):
    lantern = owns(ash, "lantern")
    refused(party.ben.does("light_item", item=lantern.pk, on="true"), 409)
    owns(ash, "lamp-oil", 2, is_home=True)
    refused(party.ben.does("light_item", item=lantern.pk, on="true"), 409)
    owns(ash, "lamp-oil", 2)
    done(party.ben.does("light_item", item=lantern.pk, on="true"))
    lantern.refresh_from_db()
    assert (lantern.is_lit, lantern.turns_left) == (True, 24)
    assert ash.items.get(kind="fuel", is_home=False).count == 1
    done(party.ben.does("light_item", item=lantern.pk, on="false"))
    done(party.ben.does("light_item", item=lantern.pk, on="true"))
    assert ash.items.get(kind="fuel", is_home=False).count == 1


def test_what_is_no_light_or_burnt_down_does_not_burn(party: Party, ash):
    refused(party.ben.does("light_item", item=owns(ash, "sword").pk, on="true"), 409)
    stub = owns(ash, "torch", turns_left=0)
    refused(party.ben.does("light_item", item=stub.pk, on="true"), 409)
    refused(party.ben.does("light_item", item=owns(ash, "torch").pk, on="false"), 409)


# --- spells (KN-25) --------------------------------------------------------------------------


def book_of(character: Character, number: int = 15) -> Item:
    book = goods.spell_book(character.table, Spell.objects.get(number=number), holder=character)
    book.save()
    return book


def test_kn25_each_book_works_once_a_day_and_anybody_reads_it(party: Party, ash, moth):
    book = book_of(ash)
    done(party.ben.does("cast_spell", item=book.pk))
    assert "once a day" in refused(party.ben.does("cast_spell", item=book.pk), 409)
    done(party.ben.does("give_item", item=book.pk, to=moth.pk))
    refused(party.ana.does("cast_spell", item=book.pk), 409)
    done(party.ben.does("cast_spell", item=book_of(ash, 16).pk))
    evening = party_of(party.table)
    evening.day += 1
    evening.save()
    done(party.ana.does("cast_spell", item=book.pk))


def test_kn25_the_log_names_the_spell_and_what_its_target_saves_with(party: Party, ash):
    done(party.ben.does("cast_spell", item=book_of(ash).pk))
    words = told(last(party, "spell_cast"))
    assert words.startswith("Ash reads aloud: Charm.")
    assert words.endswith("saves with Intelligence, more than 11.")
    assert "Hechizar" in told(last(party, "spell_cast"), "es") or told(
        last(party, "spell_cast"), "es"
    )


def test_kn16_the_unconscious_read_nothing(party: Party, ash):
    book = book_of(ash)
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    refused(party.ben.does("cast_spell", item=book.pk), 409)
    refused(party.ben.does("cast_spell", item=owns(ash, "sword").pk), 409)


# --- in a fight ------------------------------------------------------------------------------


def test_kn14_a_fight_hears_what_is_taken_in_hand_and_put_on(party: Party, ash):
    sword, helmet = owns(ash, "sword"), owns(ash, "helmet")
    fights(party)

    def fighter():
        game = fighting.fight_of(party.table)
        assert game
        return state_of(game).find(f"k{ash.pk}")

    bare = fighter()
    done(party.ben.does("equip_item", item=sword.pk, on="true"))
    assert (bare.weapon, fighter().weapon.die) == (None, 8)
    done(party.ben.does("equip_item", item=helmet.pk, on="true"))
    assert (bare.helmet, fighter().helmet.quality) == (None, 1)
    done(party.ben.does("drop_item", item=sword.pk))
    assert fighter().weapon is None
    done(party.ben.does("break_item", item=helmet.pk))
    assert fighter().helmet is None


def test_kn13_in_a_fight_a_spell_is_the_rounds_action(party: Party, ash):
    books = [book_of(ash), book_of(ash, 16)]
    fights(party)
    refused(party.ben.does("cast_spell", item=books[0].pk), 409)
    party.dice.fall(4)
    done(party.ana.does("fight-initiative", saw=fighting.fight_of(party.table).scene))
    done(party.ben.does("cast_spell", item=books[0].pk))
    refused(party.ben.does("cast_spell", item=books[1].pk), 409)
    books[1].refresh_from_db()
    assert books[1].cast_on is None, "what was refused is not spent"


# --- the shop, and things of one's own (KN-3, KN-4) ------------------------------------------


def article(key: str) -> int:
    return Article.objects.get(key=key).pk


def test_kn3_things_are_bought_for_the_purse_by_the_lot(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(silver=2)
    done(party.ben.does("buy_item", character=ash.pk, article=article("arrows"), count=2))
    ash.refresh_from_db()
    assert kit(ash) == [("Arrows", 40)]
    assert (ash.gold, ash.silver, ash.copper) == (0, 1, 0)
    assert told(last(party, "item_bought")) == "Ash buys for 1 silver: 40 × Arrows."
    refused(party.ben.does("buy_item", character=ash.pk, article=article("chain")), 409)


def test_kn4_what_is_bought_needs_room(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(gold=100)
    refused(party.ben.does("buy_item", character=ash.pk, article=article("chest"), count=4), 409)
    done(party.ben.does("buy_item", character=ash.pk, article=article("chest"), count=3))
    ash.refresh_from_db()
    assert ash.items.count() == 3, "each chest has a content of its own"
    assert ash.gold == 99
    assert ash.silver == 4


def test_kn4_coins_that_are_paid_make_room(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(copper=1010)  # eleven slots of coins
    done(party.ben.does("buy_item", character=ash.pk, article=article("chain-10ft"), count=1))
    assert used(ash) <= 11
    refused(party.ben.does("buy_item", character=ash.pk, article=article("torch"), count=9999), 409)


def test_the_shop_is_open_when_the_table_says_so(party: Party, ash):
    plays_by(party.table, shop_open=False)
    Character.objects.filter(pk=ash.pk).update(copper=50)
    torch = {"character": ash.pk, "article": article("torch")}
    refused(party.ben.does("buy_item", **torch), 409)
    done(party.ana.does("buy_item", **torch))


@pytest.mark.parametrize("key", ["spell-book", "coins"])
def test_what_is_not_on_sale_is_not_bought(party: Party, ash, key):
    Character.objects.filter(pk=ash.pk).update(gold=50)
    refused(party.ben.does("buy_item", character=ash.pk, article=article(key)), 409)


def test_a_hidden_article_is_not_bought(party: Party, ash):
    Article.objects.filter(key="torch").update(is_hidden=True)
    refused(party.ben.does("buy_item", character=ash.pk, article=article("torch")), 409)


def test_a_service_is_paid_for_and_a_mule_is_led(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(gold=50)
    service = Article.objects.filter(kind="service").first()
    animal = Article.objects.filter(kind="animal").first()
    done(party.ben.does("buy_item", character=ash.pk, article=service.pk))
    assert kit(ash) == []
    done(party.ben.does("buy_item", character=ash.pk, article=animal.pk))
    assert kit(ash) == [(animal.name, 1)]
    assert used(ash) == goods.rules.coin_slots(goods.load_of(ash))


def test_things_are_written_onto_a_sheet(party: Party, ash):
    spell = Spell.objects.get(number=3)
    done(party.ben.does("add_item", character=ash.pk, name="حجر القمر", slots=2, count=2))
    done(party.ben.does("add_item", character=ash.pk, article=article("sword")))
    done(party.ben.does("add_item", character=ash.pk, spell=spell.pk))
    assert kit(ash) == [("حجر القمر", 2), ("Sword", 1), (spell.name, 1)]
    assert used(ash) == 7


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"name": "x" * 61},
        {"name": "\u202e"},
        {"name": "x", "slots": 21},
        {"name": "x", "count": 0},
        {"name": "x", "count": 10_000},
        {"name": "x", "pile": 1},
    ],
)
def test_a_thing_that_is_nothing_is_refused_with_its_field(party: Party, ash, more):
    refused(party.ben.does("add_item", character=ash.pk, **more), 422)
    assert not ash.items.exists()


def test_players_add_things_only_where_the_table_lets_them(party: Party, ash):
    plays_by(party.table, may_add=False)
    refused(party.ben.does("add_item", character=ash.pk, name="Crown"), 403)
    done(party.ana.does("add_item", character=ash.pk, name="Crown"))


def test_a_sheet_of_more_than_120_things_is_nobodys(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(may_overload=True)
    rope = Article.objects.get(key="rope-50ft")
    Item.objects.bulk_create(
        goods.from_article(party.table, rope, holder=ash, name=f"thing {n}") for n in range(119)
    )
    done(party.ben.does("add_item", character=ash.pk, name="the last"))
    refused(party.ben.does("add_item", character=ash.pk, name="one more"), 409)
    assert ash.items.count() == 120
    item = ash.items.first()
    done(party.ben.does("move_item", item=item.pk, by=1))
    done(party.ben.does("drop_item", item=item.pk))


def test_things_of_another_table_are_not_there(party: Party, ash, db):
    torch = owns(ash, "torch")
    ana = party.ana
    code = ana.code
    ana.code, ana.seat = "", 0
    ana.opens_table("Elsewhere")
    refused(ana.does("drop_item", item=torch.pk), 404)
    refused(ana.does("change_hp", character=ash.pk, by=-1), 404)
    ana.code = code


# --- undo and words --------------------------------------------------------------------------

DEEDS: dict[str, dict[str, object]] = {
    "use_item": {"item": "rations"},
    "drop_item": {"item": "torches", "count": 2},
    "give_item": {"item": "torches", "to": "moth"},
    "equip_item": {"item": "halberd", "on": "true"},
    "leave_home": {"item": "sack", "home": "true"},
    "put_inside": {"item": "torches", "container": "sack"},
    "split_item": {"item": "torches", "count": 1},
    "merge_item": {"item": "torches"},
    "break_item": {"item": "shield"},
    "repair_item": {"item": "sword", "points": 1},
    "light_item": {"item": "torches", "on": "true"},
    "cast_spell": {"item": "book"},
    "move_item": {"item": "torches", "by": -1},
    "buy_item": {"character": "ash", "article": "rope"},
    "add_item": {"character": "ash", "name": "Crown"},
}


def things(ash: Character, moth: Character) -> dict[str, int]:
    """Everything that the deeds above are done with, by name."""
    sack = owns(ash, "sack")
    kit = {
        "ash": ash,
        "moth": moth,
        "sack": sack,
        "inside": owns(ash, "crowbar", inside=sack),
        "rations": owns(ash, "travel-rations"),
        "sword": owns(ash, "sword", is_equipped=True),
        "shield": owns(ash, "shield", is_equipped=True),
        "torches": owns(ash, "torch", 3),
        "more": owns(ash, "torch", 1),
        "halberd": owns(ash, "halberd", is_home=False),
        "book": book_of(ash),
        "rope": Article.objects.get(key="rope-50ft"),
    }
    owns(moth, "torch", 1)
    Character.objects.filter(pk=ash.pk).update(gold=3, may_overload=True)
    Item.objects.filter(pk=kit["sword"].pk).update(quality=2)
    return {name: row.pk for name, row in kit.items()}


@pytest.mark.parametrize("action", DEEDS)
def test_an_undo_sets_every_row_back_and_the_deed_has_words(party: Party, ash, moth, action):
    keys = things(ash, moth)
    fields = {name: keys.get(str(value), value) for name, value in DEEDS[action].items()}
    before = kept()
    done(party.ben.does(action, **fields))
    assert kept() != before
    event = next(e for e in reversed(party.events()) if ash.mentions.filter(event=e).exists())
    told(event)
    told(event, "es")
    takes_back(party, event)
    assert kept() == before
