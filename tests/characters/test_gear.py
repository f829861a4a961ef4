"""Gear in use (KN-5, KN-19, KN-25): worn, broken and mended, lit, read aloud, and in a fight."""

from __future__ import annotations

import pytest

from characters.models import Article, Character, Item, Spell
from characters.services import fighting
from characters.services.finding import party_of
from games.stored import state_of
from tests.characters.crew import (
    armor,
    book_of,
    fights,
    kit,
    last,
    new,
    owns,
    told,
    used,
)
from tests.games.party import Party, done, refused

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
    assert "That is neither worn nor wielded" in refused(
        party.ben.does("equip_item", item=owns(ash, "torch").pk, on="true"), 409
    )
    sword = owns(ash, "sword", is_home=True)
    assert "Sword is at home" in refused(
        party.ben.does("equip_item", item=sword.pk, on="true"), 409
    )
    refused(party.ben.does("equip_item", item=sword.pk, on="false"), 409)


def test_what_is_worn_is_not_put_on_again(party: Party, ash):
    """A tap that came twice as two taps tells nobody twice."""
    helmet = owns(ash, "helmet", is_equipped=True)
    refused(party.ben.does("equip_item", item=helmet.pk, on="true"), 409)
    done(party.ben.does("equip_item", item=helmet.pk, on="false"))
    refused(party.ben.does("equip_item", item=helmet.pk, on="false"), 409)


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
    assert "That has no quality to lose" in refused(
        party.ben.does("break_item", item=owns(ash, "torch").pk), 409
    )


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
    assert "Only the referee mends for free" in refused(
        party.ben.does("repair_item", item=sword.pk, is_free="true"), 403
    )
    assert "Only 2 of its quality is missing" in refused(
        party.ana.does("repair_item", item=sword.pk, points=3, is_free="true"), 409
    )
    done(party.ana.does("repair_item", item=sword.pk, points=2, is_free="true"))
    assert "That has all its quality" in refused(
        party.ana.does("repair_item", item=sword.pk, is_free="true"), 409
    )


def test_kn19_mending_is_offered_to_whom_the_purse_allows_it(party: Party, ash):
    """It was offered to an empty purse, which cannot pay for it."""
    done(party.ana.does("turn_table", rules="knave"))
    brigandine = owns(ash, "brigandine")
    Item.objects.filter(pk=brigandine.pk).update(quality=1)
    button = f'id="repair-{brigandine.pk}"'
    for copper, is_offered in ((49, False), (50, True)):
        Character.objects.filter(pk=ash.pk).update(copper=copper)
        assert (button in party.ben.sees()) is is_offered, copper
    done(party.ben.does("repair_item", item=brigandine.pk))


def test_kn19_each_point_and_each_piece_is_paid_for(party: Party, ash):
    blades = owns(ash, "dagger", 3)
    Item.objects.filter(pk=blades.pk).update(quality=1)
    Character.objects.filter(pk=ash.pk).update(copper=7)
    done(party.ben.does("repair_item", item=blades.pk, points=2))
    blades.refresh_from_db()
    ash.refresh_from_db()
    assert (blades.quality, ash.copper) == (3, 1)


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
    assert "It is burning already" in refused(
        party.ben.does("light_item", item=burning.pk, on="true"), 409
    )


def test_the_last_torch_is_lit_without_coming_apart(party: Party, ash):
    torch = owns(ash, "torch")
    done(party.ben.does("light_item", item=torch.pk, on="true"))
    assert told(last(party, "item_lit")) == "Ash lights it: Torch, 1 h."
    assert used(ash) == 1


def test_a_lantern_burns_oil(party: Party, ash):
    lantern = owns(ash, "lantern")
    assert "There is no oil left for it" in refused(
        party.ben.does("light_item", item=lantern.pk, on="true"), 409
    )
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


def test_kn4_what_shares_no_slot_with_its_likes_keeps_its_own_when_it_burns(party: Party, ash):
    lanterns, _oil = owns(ash, "lantern", 2), owns(ash, "lamp-oil")
    done(party.ben.does("light_item", item=lanterns.pk, on="true"))
    assert (used(ash), ash.items.filter(is_lit=True).count()) == (2, 1)


def test_a_lantern_burns_the_oil_at_hand_before_that_in_a_sack(party: Party, ash):
    sack, packed = owns(ash, "sack"), owns(ash, "lamp-oil", 2)
    done(party.ben.does("put_inside", item=packed.pk, container=sack.pk))
    loose, lantern = owns(ash, "lamp-oil", 2), owns(ash, "lantern")
    done(party.ben.does("light_item", item=lantern.pk, on="true"))
    assert [Item.objects.get(pk=oil.pk).count for oil in (packed, loose)] == [2, 1]


def test_what_is_no_light_or_burnt_down_does_not_burn(party: Party, ash):
    for key in ("sword", "lamp-oil"):
        answer = party.ben.does("light_item", item=owns(ash, key).pk, on="true")
        assert "gives no light" in refused(answer, 409)
    stub = owns(ash, "torch", turns_left=0)
    assert "It has burnt down" in refused(
        party.ben.does("light_item", item=stub.pk, on="true"), 409
    )
    assert "It is not burning" in refused(
        party.ben.does("light_item", item=owns(ash, "torch").pk, on="false"), 409
    )


def test_kn4_no_light_burns_that_was_left_at_home(party: Party, ash):
    torch = owns(ash, "torch", is_home=True)
    assert "at home" in refused(party.ben.does("light_item", item=torch.pk, on="true"), 409)


# --- spells (KN-25) --------------------------------------------------------------------------


def test_kn25_each_book_works_once_a_day_and_anybody_reads_it(party: Party, ash, moth):
    book = book_of(ash)
    done(party.ben.does("cast_spell", item=book.pk))
    assert "once a day" in refused(party.ben.does("cast_spell", item=book.pk), 409)
    done(party.ben.does("give_item", item=book.pk, to=moth.pk))
    assert "Each spell book works once a day" in refused(
        party.ana.does("cast_spell", item=book.pk), 409
    )
    done(party.ben.does("cast_spell", item=book_of(ash, 16).pk))
    evening = party_of(party.table)
    evening.day += 1
    evening.save()
    done(party.ana.does("cast_spell", item=book.pk))


def test_kn25_the_log_names_the_spell_and_what_its_target_saves_with(party: Party, ash):
    done(party.ben.does("cast_spell", item=book_of(ash).pk))
    words = told(last(party, "spell_cast"))
    assert words.startswith("Ash reads aloud: Charm.")
    assert words.endswith("saves with Intelligence: more than 11.")
    assert "Wins over L creatures" in words
    assert "Reach: 40 ft. Duration: L × 10 minutes. L is 1." in words
    assert Spell.objects.get(number=15).name_es in told(last(party, "spell_cast"), "es")


@pytest.mark.parametrize(
    ("number", "words"),
    [
        (1, "Duration: L × 10 minutes. L is 1. If the object is a creature, it may save: more"),
        (3, "Reach: touch. Duration: L days. L is 1. Whoever is unwilling may save: more than 11."),
        (16, "Reach: 40 ft. Duration: instant. Whoever is aimed at saves with Intelligence: more"),
        (70, "Reach: unlimited. Duration: L × 10 minutes."),
    ],
)
def test_kn25_everybody_is_told_how_far_how_long_and_who_may_save(party: Party, ash, number, words):
    done(party.ben.does("cast_spell", item=book_of(ash, number).pk))
    assert words in told(last(party, "spell_cast"))


def test_kn25_whoever_holds_a_book_reads_how_far_how_long_and_what_its_l_stands_for(
    party: Party, ash
):
    done(party.ana.does("turn_table", rules="knave"))
    book_of(ash, 16)
    assert "Reach: 40 ft. Duration: instant." in party.ben.sees()
    assert "L is the caster" not in party.ben.sees()
    book_of(ash, 15)
    assert "Duration: L × 10 minutes. L is the caster" in party.ben.sees()


def test_kn16_the_unconscious_read_and_light_nothing(party: Party, ash):
    book, torch = book_of(ash), owns(ash, "torch")
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    for who, say in ((party.ben, refused), (party.ana, lambda answer, _status: done(answer))):
        say(who.does("cast_spell", item=book.pk), 409)
        say(who.does("light_item", item=torch.pk, on="true"), 409)


def test_kn25_nothing_but_a_spell_book_is_read(party: Party, ash):
    sword = owns(ash, "sword")
    assert "not a spell book" in refused(party.ben.does("cast_spell", item=sword.pk), 409)


def test_kn4_nobody_reads_a_book_that_was_left_at_home(party: Party, ash):
    book = book_of(ash)
    done(party.ben.does("leave_home", item=book.pk, home="true"))
    assert "at home" in refused(party.ben.does("cast_spell", item=book.pk), 409)


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
    assert "Nobody has rolled for initiative yet" in refused(
        party.ben.does("cast_spell", item=books[0].pk), 409
    )
    party.dice.fall(4)
    done(party.ana.does("fight-initiative", saw=fighting.fight_of(party.table).scene))
    done(party.ben.does("cast_spell", item=books[0].pk))
    assert "Ash has used this round" in refused(party.ben.does("cast_spell", item=books[1].pk), 409)
    books[1].refresh_from_db()
    assert books[1].cast_on is None, "what was refused is not spent"


@pytest.mark.parametrize("how", ["give_item", "drop_item", "dies"])
def test_kn4_a_torch_that_leaves_its_bundle_takes_a_slot_again(party: Party, ash, moth, how: str):
    """One that had been lit was taken by whoever had no slot left for it."""
    torches = owns(ash, "torch", 5)
    owns(moth, "crowbar", 11)
    done(party.ben.does("light_item", item=torches.pk, on="true"))
    lit = Item.objects.get(is_lit=True)
    if how == "give_item":
        assert "Moth has no free slots for that" in refused(
            party.ben.does("give_item", item=lit.pk, to=moth.pk), 409
        )
        return
    if how == "dies":
        done(party.ana.does("change_hp", character=ash.pk, by=-9))
    else:
        done(party.ben.does("drop_item", item=lit.pk))
    assert "Every slot is full" in refused(
        party.ana.does("claim_item", character=moth.pk, item=lit.pk), 409
    )
    assert "There is no free slot for any of it" in refused(
        party.ana.does("claim_pile", character=moth.pk, pile=party.table.piles.get().pk), 409
    )


def test_a_weapon_of_the_hosts_without_a_die_is_offered_with_none(party: Party, ash):
    """It stood in the fight, and before whoever chose a new knave's weapon, as a "dNone"."""
    done(party.ana.does("turn_table", rules="knave"))
    banner = Article.objects.create(key="banner", name="Banner", kind="weapon", is_own=True)
    owns(ash, "banner")
    (dora,) = party.welcomes("Dora")
    new(party, dora)
    fights(party)
    for page in (party.ben.sees(), party.ana.sees("gm/"), dora.sees()):
        assert banner.name in page
        assert "dNone" not in page
