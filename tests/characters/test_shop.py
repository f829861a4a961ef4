"""Where things come from (KN-3, KN-4): the price list, and what is written onto a sheet."""

from __future__ import annotations

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from characters.models import Article, Character, Item, Spell
from characters.rulebook import sections
from characters.services import goods, kept_book
from tests.characters.crew import article, kit, last, owns, plays_by, told, used
from tests.games.party import Party, done, refused, refused_at

# --- the shop, and things of one's own (KN-3, KN-4) ------------------------------------------


def test_kn3_things_are_bought_for_the_purse_by_the_lot(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(silver=2)
    done(party.ben.does("buy_item", character=ash.pk, article=article("arrows"), count=2))
    ash.refresh_from_db()
    assert kit(ash) == [("Arrows", 40)]
    assert (ash.gold, ash.silver, ash.copper) == (0, 1, 0)
    assert told(last(party, "item_bought")) == "Ash buys for 1 silver: 40 × Arrows."
    assert "That costs 12 gold" in refused(
        party.ben.does("buy_item", character=ash.pk, article=article("chain")), 409
    )


def test_kn4_what_is_bought_needs_room(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(gold=100)
    assert "There are not enough free slots for this" in refused(
        party.ben.does("buy_item", character=ash.pk, article=article("chest"), count=4), 409
    )
    done(party.ben.does("buy_item", character=ash.pk, article=article("chest"), count=3))
    ash.refresh_from_db()
    assert ash.items.count() == 3, "each chest has a content of its own"
    assert ash.gold == 99
    assert ash.silver == 4


def test_kn3_the_rule_book_leaves_it_to_people_that_a_book_stands_in_for_armor(party: Party, ash):
    """Any shop sells it to anybody, the first one too."""
    plays_by(party.table, gear="money", spell="instead_of_armor")
    Character.objects.filter(pk=ash.pk).update(gold=10)
    done(party.ben.does("buy_item", character=ash.pk, article=article("gambeson")))
    said = " ".join(text for part in sections() for text in part.rulings)
    assert "the app sells it all the same" in said


def offers(party: Party, buyer: Character, key: str) -> tuple[bool, bool]:
    """Return whether the shop's page lets one be bought, and five."""
    page = party.ben.sees(f"knave/{buyer.pk}/shop/")
    buttons = re.findall(rf'<button id="buy-(?:five-)?{article(key)}"[^>]*>', page)
    assert len(buttons) == 2
    one, five = (" disabled" not in button for button in buttons)
    return one, five


def test_the_price_list_reads_what_somebody_has_once(party: Party, ash):
    """R8: everything that is held was counted anew for each article, twice."""
    Character.objects.filter(pk=ash.pk).update(gold=1000)
    with CaptureQueriesContext(connection) as asked:
        party.ben.sees(f"knave/{ash.pk}/shop/")
    counted = [one["sql"] for one in asked if "COUNT(" in one["sql"]]
    assert len(counted) < 5, counted


def test_kn4_the_shop_offers_only_what_can_be_paid_and_carried(party: Party, ash):
    """No button of the price list leads to a refusal."""
    Character.objects.filter(pk=ash.pk).update(gold=1)
    assert offers(party, ash, "torch") == (True, True)
    assert offers(party, ash, "long-sword") == (True, False), "three slots each"
    assert offers(party, ash, "lantern") == (True, False), "five cost more than there is"
    assert offers(party, ash, "chain") == (False, False)
    owns(ash, "chest", 3)  # nine slots, and one of coins
    assert "no free slot" in party.ben.sees(f"knave/{ash.pk}/shop/")
    assert offers(party, ash, "long-sword") == (False, False)
    assert "There are not enough free slots for this" in refused(
        party.ben.does("buy_item", character=ash.pk, article=article("long-sword")), 409
    )
    done(party.ana.does("allow_overload", character=ash.pk, on="true"))
    assert offers(party, ash, "long-sword") == (True, True)


def test_what_was_bought_is_said_beside_it(party: Party, ash):
    """Whoever has bought something sees so where the button was pressed."""
    Character.objects.filter(pk=ash.pk).update(copper=5)
    done(party.ben.does("buy_item", character=ash.pk, article=article("torch"), count=5))
    assert "you have 5" in party.ben.sees(f"knave/{ash.pk}/shop/")


def test_kn4_coins_that_are_paid_make_room(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(copper=1010)  # eleven slots of coins
    done(party.ben.does("buy_item", character=ash.pk, article=article("chain-10ft"), count=1))
    assert used(ash) <= 11


def test_more_than_the_purse_pays_for_is_refused_for_the_purse(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(copper=1010)
    asked = party.ben.does("buy_item", character=ash.pk, article=article("torch"), count=9999)
    assert "the purse holds" in refused(asked, 409)


def test_the_shop_is_open_when_the_table_says_so(party: Party, ash):
    plays_by(party.table, shop_open=False)
    Character.objects.filter(pk=ash.pk).update(copper=50)
    torch = {"character": ash.pk, "article": article("torch")}
    assert "The shop is closed" in refused(party.ben.does("buy_item", **torch), 409)
    done(party.ana.does("buy_item", **torch))


def test_who_stands_in_a_shop_that_closes_is_led_back_to_the_sheet(party: Party, ash):
    """The front door was the only way out of it, for whoever looked for a thing just then."""
    plays_by(party.table, shop_open=False)
    sheet = f"/t/{party.table.code}/knave/{ash.pk}/"
    answer = party.ben.client.get(f"{sheet}shop/", {"q": "rope"})
    assert answer.status_code == 403
    assert f'href="{sheet}">Back</a>' in answer.content.decode()


@pytest.mark.parametrize("key", ["spell-book", "coins"])
def test_what_is_not_on_sale_is_not_bought(party: Party, ash, key):
    Character.objects.filter(pk=ash.pk).update(gold=50)
    assert "That is not on the price list" in refused(
        party.ben.does("buy_item", character=ash.pk, article=article(key)), 409
    )


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


def test_kn25_a_spell_book_off_the_list_holds_the_spell_that_is_chosen(party: Party, ash):
    done(party.ana.does("new_pile", name="Altar"))
    into = {"pile": party.table.piles.get().pk, "article": article("spell-book")}
    assert "which spell" in refused(party.ana.does("add_item", **into), 422)
    spell = Spell.objects.get(number=15)
    done(party.ana.does("add_item", **into, spell=spell.pk))
    found = Item.objects.get(pile__isnull=False)
    assert (found.spell, found.kind, found.said_name) == (spell, "spell_book", spell.name)
    done(party.ben.does("claim_item", character=ash.pk, item=found.pk))
    done(party.ben.does("cast_spell", item=found.pk))


def test_kn25_the_referees_page_offers_every_spell_that_is_not_hidden(party: Party):
    done(party.ana.does("turn_table", rules="knave"))
    Spell.objects.filter(number=16).update(is_hidden=True)
    kept_book.forget()
    offered = re.search(r'<select id="thing-spell".*?</select>', party.ana.sees("gm/"), re.DOTALL)
    assert offered
    keys = set(map(int, re.findall(r'value="(\d+)"', offered[0])))
    assert keys == set(Spell.objects.filter(is_hidden=False).values_list("pk", flat=True))


def test_a_spell_that_the_host_has_hidden_comes_into_no_book(party: Party, ash):
    spell = Spell.objects.get(number=16)
    Spell.objects.filter(pk=spell.pk).update(is_hidden=True)
    answer = party.ana.does("add_item", character=ash.pk, spell=spell.pk)
    assert "no such spell" in refused(answer, 409)


def test_no_thing_is_two_things_at_once(party: Party, ash):
    both = {"article": article("sword"), "spell": Spell.objects.get(number=3).pk}
    assert "Say what it is: from the list" in refused(
        party.ben.does("add_item", character=ash.pk, **both), 422
    )


@pytest.mark.parametrize(
    ("field", "more"),
    [
        ("name", {}),
        ("name", {"name": "x" * 61}),
        ("name", {"name": "\u202e"}),
        ("slots", {"name": "x", "slots": 21}),
        ("count", {"name": "x", "count": 0}),
        ("count", {"name": "x", "count": 10_000}),
        ("character", {"name": "x", "pile": 1}),
    ],
)
def test_a_thing_that_is_nothing_is_refused_with_its_field(party: Party, ash, field, more):
    refused_at(party.ben.does("add_item", character=ash.pk, **more), field)
    assert not ash.items.exists()


def test_players_add_things_only_where_the_table_lets_them(party: Party, ash):
    plays_by(party.table, may_add=False)
    assert "At this table only the referee adds things" in refused(
        party.ben.does("add_item", character=ash.pk, name="Crown"), 403
    )
    done(party.ana.does("add_item", character=ash.pk, name="Crown"))


def test_a_sheet_of_more_than_120_things_is_nobodys(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(may_overload=True)
    Item.objects.bulk_create(
        Item(table=party.table, holder=ash, name=f"thing {n}") for n in range(119)
    )
    done(party.ben.does("add_item", character=ash.pk, name="the last"))
    assert "Nobody keeps track of so many things" in refused(
        party.ben.does("add_item", character=ash.pk, name="one more"), 409
    )
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


@pytest.mark.parametrize("where", ["sheet", "pile", "shop", "split"])
def test_a_table_has_room_for_so_many_things(
    party: Party, ash, where: str, monkeypatch: pytest.MonkeyPatch
):
    """S1: 200 sheets of 120 things each, which one host fills by a program, took two seconds of
    everybody's with each reading of the table: things were counted by sheet and by pile alone."""
    Character.objects.filter(pk=ash.pk).update(gold=100)
    done(party.ana.does("new_pile", name="Loot"))
    owns(ash, "arrows", count=20)
    [arrows], pile = ash.items.all(), party.table.piles.get()
    action, fields = {
        "sheet": ("add_item", {"character": ash.pk, "name": "Crown"}),
        "pile": ("add_item", {"pile": pile.pk, "name": "Crown"}),
        "shop": ("buy_item", {"character": ash.pk, "article": article("chest")}),
        "split": ("split_item", {"item": arrows.pk, "count": 5}),
    }[where]
    monkeypatch.setattr("characters.services.finding.MOST_THINGS", 1)
    assert "too many of these" in refused(party.ana.does(action, **fields), 409)
    assert Item.objects.count() == 1
    monkeypatch.setattr("characters.services.finding.MOST_THINGS", 2)
    done(party.ana.does(action, **fields))
