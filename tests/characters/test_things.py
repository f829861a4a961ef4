"""Things on a sheet (KN-4): used, dropped, given, left at home, put away, taken apart."""

from __future__ import annotations

import pytest

from characters.models import Article, Call, Character, Item
from characters.screens.mine import my_knave
from characters.stage import RULES
from games import snapshot
from games.rules.knave import slots
from tests.characters.crew import (
    armor,
    book_of,
    kept,
    kit,
    knave,
    last,
    owns,
    takes_back,
    told,
    used,
)
from tests.games.party import Party, done, refused

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
    assert "That is not used up" in refused(
        party.ben.does("use_item", item=owns(ash, "sword").pk), 409
    )
    rations = owns(ash, "travel-rations")
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    assert "Ash lies unconscious" in refused(party.ben.does("use_item", item=rations.pk), 409)


@pytest.mark.parametrize(
    "key", ["travel-rations", "arrows", "lamp-oil", "crowbar", "torch", "sword"]
)
def test_a_sheet_offers_to_use_up_what_may_be_used_up(party: Party, ash, key: str):
    thing = owns(ash, key, 2)
    sheet = my_knave(snapshot.load(party.table.pk, RULES), party.ben.row).sheet
    assert sheet
    offered = {r.item.id: r.item.may for r in sheet.rungs if r.item}[thing.pk]
    assert (party.ben.does("use_item", item=thing.pk).status_code == 204) == ("use" in offered)


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
    assert told(last(party, "light_gone_out")) == "Ash's light goes out: Torch."


@pytest.mark.parametrize("how", ["drop_item", "leave_home", "put_inside", "change_hp"])
def test_everybody_reads_that_a_light_goes_out_with_who_lets_go_of_it(party: Party, ash, how):
    """Dropped, left at home, put away or fallen with its bearer: the others stand in the dark."""
    torch, sack = owns(ash, "torch", is_lit=True, turns_left=4), owns(ash, "sack")
    more = {
        "leave_home": {"home": "true"},
        "put_inside": {"container": sack.pk},
        "change_hp": {"character": ash.pk, "by": -99},
    }
    done(party.ben.does(how, **{"item": torch.pk, **more.get(how, {})}))
    torch.refresh_from_db()
    assert not torch.is_lit
    event = last(party, "light_gone_out")
    assert event.to is None
    assert told(event) == "Ash's light goes out: Torch."


def test_of_a_thing_that_does_not_burn_nothing_is_said(party: Party, ash):
    done(party.ben.does("drop_item", item=owns(ash, "torch").pk))
    assert not party.events("light_gone_out")


def test_kn4_a_gift_needs_room_or_nothing_is_given(party: Party, ash, moth):
    owns(moth, "chest", 3)
    owns(moth, "travel-rations", 2)  # eleven slots
    sword = owns(ash, "sword")
    full = "Moth has no free slots for that"  # whose, the giver is told: it is not their own
    assert full in refused(party.ben.does("give_item", item=sword.pk, to=moth.pk), 409)
    Character.objects.filter(pk=ash.pk).update(gold=1)
    assert full in refused(party.ben.does("give_coins", character=ash.pk, to=moth.pk, gold=1), 409)
    assert kit(ash) == [("Sword", 1)]
    done(party.ana.does("allow_overload", character=moth.pk, on="true"))
    done(party.ben.does("give_item", item=sword.pk, to=moth.pk))
    assert used(moth) == 13


def test_who_is_given_something_is_told_of_it(party: Party, ash):
    """A gift is news on the phone of its taker, as what the referee hands out is."""
    (dora,) = party.welcomes("Dora")
    knave(party.table, dora, "Birch")
    torch = owns(ash, "torch")
    done(party.ben.does("give_item", item=torch.pk, to=Character.objects.get(name="Birch").pk))
    now = snapshot.load(party.table.pk, RULES)
    assert my_knave(now, dora.row).news == "Ash gives Birch: Torch."
    assert not my_knave(now, party.ben.row).news


def test_kn4_what_joins_a_begun_bundle_needs_no_room(party: Party, ash, moth):
    owns(moth, "chest", 3)
    owns(moth, "crowbar")
    owns(moth, "torch", 2)
    torches = owns(ash, "torch", 3)
    done(party.ben.does("give_item", item=torches.pk, to=moth.pk))
    assert kit(moth)[-1] == ("Torch", 5)
    assert used(moth) == 11


def test_a_sack_that_is_given_away_is_emptied_first(party: Party, ash, moth):
    """KN-4: what was in it stays with its owner, and in no thing of another's."""
    sack, rope = owns(ash, "sack"), owns(ash, "rope-50ft")
    done(party.ben.does("put_inside", item=rope.pk, container=sack.pk))
    done(party.ben.does("give_item", item=sack.pk, to=moth.pk))
    rope.refresh_from_db()
    assert (rope.holder, rope.inside) == (ash, None)


@pytest.mark.parametrize("how", ["put_inside", "drop_item", "leave_home", "light_item"])
def test_what_was_taken_out_of_a_sack_comes_back_into_it_only_with_the_sack(
    party: Party, ash, moth, how: str
):
    """An undo would put Ash's torch into a sack that Moth carries."""
    sack, torch = owns(ash, "sack"), owns(ash, "torch")
    owns(ash, "tinderbox")
    done(party.ben.does("put_inside", item=torch.pk, container=sack.pk))
    fields = {"leave_home": {"home": "true"}, "light_item": {"on": "true"}}.get(how, {})
    done(party.ben.does(how, item=torch.pk, **fields))
    taken_out = party.table.events.order_by("-seq").first()
    done(party.ben.does("give_item", item=sack.pk, to=moth.pk))
    told_why = refused(party.ana.does("undo", event=taken_out.seq), 409)
    assert "1 later move hangs on it" in told_why
    done(party.ana.does("undo", event=taken_out.seq, sure="true"))
    back = Item.objects.get(holder=ash, article__key="torch")
    assert (back.inside, back.inside.holder) == (sack, ash)


def test_kn4_what_is_brought_joins_no_bundle_at_home(party: Party, ash, moth):
    """One bundle would be in two places, and weigh in one of them only."""
    owns(moth, "torch", 2, is_home=True)
    done(party.ben.does("give_item", item=owns(ash, "torch", 3).pk, to=moth.pk))
    assert sorted(moth.items.values_list("count", "is_home")) == [(2, True), (3, False)]


def test_a_gift_goes_to_somebody_living_in_sight(party: Party, ash, moth):
    lurker = knave(party.table, None, "Lurker", kind="npc", is_hidden=True)
    dead = knave(party.table, None, "Cold", state="dead")
    torch = owns(ash, "torch", 2)
    refused(party.ben.does("give_item", item=torch.pk, to=lurker.pk), 404)
    assert "Cold is dead" in refused(party.ben.does("give_item", item=torch.pk, to=dead.pk), 409)
    assert "Ash has it already" in refused(
        party.ben.does("give_item", item=torch.pk, to=ash.pk), 422
    )
    assert "There are only 2" in refused(
        party.ben.does("give_item", item=torch.pk, to=moth.pk, count=3), 409
    )
    refused(party.ben.does("give_item", item=owns(moth, "torch").pk, to=ash.pk), 403)


# --- at home, in containers, on the ladder (KN-4) --------------------------------------------


def test_kn4_what_is_at_home_takes_no_slot_and_comes_back_if_there_is_room(party: Party, ash):
    plate = owns(ash, "full-plate", is_equipped=True)
    done(party.ben.does("leave_home", item=plate.pk, home="true"))
    assert used(ash) == 0
    assert armor(ash) == 11
    chests = [owns(ash, "chest") for _each in range(3)]
    assert "There are not enough free slots for this" in refused(
        party.ben.does("leave_home", item=plate.pk, home="false"), 409
    )
    done(party.ben.does("leave_home", item=chests[0].pk, home="true"))
    done(party.ben.does("leave_home", item=plate.pk, home="false"))
    assert used(ash) == 11
    assert "Full plate is not at home" in refused(
        party.ben.does("leave_home", item=plate.pk, home="false"), 409
    )
    assert "Chest is at home" in refused(party.ben.does("drop_item", item=chests[0].pk), 409)


def test_kn4_a_chest_left_at_home_keeps_what_is_in_it(party: Party, ash):
    chest, rope = owns(ash, "chest"), owns(ash, "rope-50ft")
    done(party.ben.does("put_inside", item=rope.pk, container=chest.pk))
    done(party.ben.does("leave_home", item=chest.pk, home="true"))
    assert used(ash) == 0
    assert "Rope, 50 ft is at home" in refused(party.ben.does("use_item", item=rope.pk), 409)
    for name in ("sword", "sword", "sword", "sword", "halberd"):
        owns(ash, name)
    assert "Every slot is full" in refused(
        party.ben.does("leave_home", item=chest.pk, home="false"), 409
    )
    done(party.ben.does("put_inside", item=rope.pk))
    rope.refresh_from_db()
    assert rope.is_home, "what is taken out of a chest at home is at home"


def left_at_home(party: Party, ash: Character, *keys: str) -> list[Item]:
    """Put things into a sack, and leave that at home."""
    sack, things = owns(ash, "sack"), [owns(ash, key, 2) for key in keys]
    for thing in things:
        done(party.ben.does("put_inside", item=thing.pk, container=sack.pk))
    done(party.ben.does("leave_home", item=sack.pk, home="true"))
    return things


def test_kn21_nobody_eats_what_is_in_a_sack_at_home(party: Party, ash):
    [food] = left_at_home(party, ash, "travel-rations")
    done(party.ana.does("make_camp", kind="night"))
    done(party.ben.does("roll_save", character=ash.pk, call=Call.objects.get().pk))
    food.refresh_from_db()
    assert food.count == 2
    assert last(party, "slept_hungry").data["name"] == "Ash"


def test_kn16_what_is_in_a_sack_at_home_lies_not_beside_the_dead(party: Party, ash):
    left_at_home(party, ash, "travel-rations")
    owns(ash, "rope-50ft")
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    assert [i.said_name for i in party.table.piles.get().items.all()] == ["Rope, 50 ft"]
    assert sorted(i.said_name for i in ash.items.all()) == ["Sack", "Travel rations, 1 day"]


def test_kn4_what_is_in_a_sack_at_home_is_only_taken_out(party: Party, ash):
    left_at_home(party, ash, "torch", "travel-rations")
    sheet = my_knave(snapshot.load(party.table.pk, RULES), party.ben.row).sheet
    assert sheet
    [sack] = sheet.home
    assert [set(inner.may) for inner in sack.contents] == [{"outside"}, {"outside"}]


def test_kn4_a_sheet_counts_its_slots_a_few_times_however_much_it_offers(
    party: Party, ash, monkeypatch: pytest.MonkeyPatch
):
    """It is laid out with each hit point: counted for each thing and place, that took longest."""
    owns(ash, "sack")
    owns(ash, "oilskin-bag")
    for key in ("torch", "rope-50ft", "travel-rations", "halberd", "crowbar"):
        owns(ash, key)
    now, counted = snapshot.load(party.table.pk, RULES), []
    slots_of = slots.slots_taken
    monkeypatch.setattr(slots, "slots_taken", lambda load: counted.append(load) or slots_of(load))
    sheet = my_knave(now, party.ben.row).sheet
    assert sheet
    boxes = sum(len(rung.item.containers) for rung in sheet.rungs if rung.item and rung.is_first)
    assert boxes >= 10
    assert len(counted) <= boxes


def test_kn4_a_bundle_comes_apart_and_together(party: Party, ash):
    torches, _last = owns(ash, "torch", 5), owns(ash, "dagger")
    done(party.ben.does("split_item", item=torches.pk, count=2))
    assert kit(ash) == [("Torch", 3), ("Dagger", 1), ("Torch", 2)]
    assert used(ash) == 3
    for count in (3, 9):
        assert "Take at least one and leave at least one" in refused(
            party.ben.does("split_item", item=torches.pk, count=count), 409
        )
    refused(party.ben.does("split_item", item=torches.pk, count=0), 422)
    done(party.ben.does("merge_item", item=torches.pk))
    assert kit(ash) == [("Torch", 5), ("Dagger", 1)]
    assert "There is nothing like it to put it together" in refused(
        party.ben.does("merge_item", item=torches.pk), 409
    )


def test_kn4_coming_apart_needs_a_slot(party: Party, ash):
    for _each in range(3):
        owns(ash, "chest")
    owns(ash, "crowbar")
    torches = owns(ash, "torch", 5)
    assert "Every slot is full" in refused(
        party.ben.does("split_item", item=torches.pk, count=2), 409
    )
    torches.refresh_from_db()
    assert torches.count == 5


def test_a_sword_is_no_bundle(party: Party, ash):
    assert "Each of these is counted by itself" in refused(
        party.ben.does("split_item", item=owns(ash, "sword").pk, count=1), 409
    )


def test_a_thing_moves_up_and_down_the_ladder(party: Party, ash):
    first, second, third = (owns(ash, key) for key in ("sword", "torch", "crowbar"))
    done(party.ben.does("move_item", item=third.pk, by=-1))
    assert list(ash.items.all()) == [first, third, second]
    done(party.ben.does("move_item", item=first.pk, by=1))
    assert list(ash.items.all()) == [third, first, second]
    assert "It is at the end already" in refused(
        party.ben.does("move_item", item=third.pk, by=-1), 409
    )
    refused(party.ben.does("move_item", item=third.pk, by=2), 422)
    assert told(last(party, "item_moved")) == ""


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
