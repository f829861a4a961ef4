"""What a sheet says to its player: plain words, and with each button what it will do."""

from __future__ import annotations

from characters.models import Character
from characters.screens.sheets import number_cards
from tests.characters.crew import book_of, knave, owns
from tests.games.party import Party, done


def test_a_number_of_the_sheet_says_what_it_is_made_of_without_our_rule_numbers(party: Party):
    """KN-4, KN-5, KN-6: in the words of the table; "KN-5" says nothing to who plays."""
    ash = knave(party.table, party.ben, constitution=2)
    owns(ash, "gambeson", is_equipped=True)
    owns(ash, "helmet", is_equipped=True)
    why = {card.key: card.why for card in number_cards(ash, list(ash.items.all()))}
    assert why["armor_defense"] == ("Gambeson: 12", "Helmet: +1")
    assert why["armor_bonus"][-1] == "the bonus is ten less: −10"
    assert why["slots"] == ("to begin with: 10", "Constitution bonus: +2")
    assert why["healing"] == ("Constitution bonus: +2",)
    done(party.ana.does("turn_table", rules="knave"))
    seen = party.ben.sees()
    assert "number-armor_defense" in seen
    assert "Gambeson: 12" in seen
    assert "KN-" not in seen
    assert "KN-" not in party.ben.sees(f"knave/{ash.pk}/")


def test_what_is_done_with_a_thing_says_with_how_many(party: Party):
    """Handing over and using up begin with all of a bundle, or with the only one."""
    ash = knave(party.table, party.ben)
    knave(party.table, party.ana, "Moth")
    owns(ash, "torch", 4)
    owns(ash, "crowbar")
    done(party.ana.does("turn_table", rules="knave"))
    seen = party.ben.sees()
    for words in ("Give all to…", "Give to…", "Use it up"):
        assert words in seen
    assert "Use up one" not in seen


def test_kn16_the_unconscious_are_offered_nothing_that_they_can_not_do(party: Party):
    """Only the referee may read, eat and light for them."""
    ash = knave(party.table, party.ben)
    deeds = [
        f'id="cast-{book_of(ash).pk}"',
        *(
            f'id="{verb}-{owns(ash, what).pk}"'
            for verb, what in (("light", "torch"), ("use", "travel-rations"))
        ),
    ]
    drops = f'id="drop-{owns(ash, "crowbar").pk}"'
    done(party.ana.does("turn_table", rules="knave"))
    seen = party.ben.sees()
    assert all(deed in seen for deed in [*deeds, drops])
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    seen = party.ben.sees()
    assert not any(deed in seen for deed in deeds)
    assert drops in seen
    Character.objects.filter(pk=ash.pk).update(seat=party.ana.row)
    seen = party.ana.sees()
    assert all(deed in seen for deed in deeds)


def test_a_purse_says_the_coins_that_fill_the_slots_and_not_what_they_are_worth(party: Party):
    """KN-4: a hundred coins fill a slot, so three slots of coins are not "2 gold 2 silver"."""
    done(party.ana.does("turn_table", rules="knave"))
    knave(party.table, party.ben, copper=220)
    sheet = party.ben.sees()
    assert "220 copper" in sheet
    assert "2 gold 2 silver" not in sheet
    assert sheet.count("<b>Coins</b>") == 3
    ash = party.table.characters.get()
    shop = party.ben.sees(f"knave/{ash.pk}/shop/")
    assert "220 copper</b> = 2 gold 2 silver" in shop  # where it is weighed against prices
