"""The sheets follow a fight, and a fight the sheets."""

from __future__ import annotations

import pytest
from django.db import transaction

from characters.models import Character, HirelingKind, Item, Pile, Spell
from characters.rulebook.growing import growing
from characters.services import fighting
from games import stored
from games.actions import Resume
from games.rules import knave_fight as kf
from games.rules import records
from games.services.change import changing
from tests.characters.arena import (
    BOW,
    SHIELD,
    SWORD,
    Arena,
    holds,
    knave,
)
from tests.characters.crew import made, told
from tests.games.party import done, fresh, refused


# --- the sheets follow ---------------------------------------------------------------------------
def test_kn16_a_sheet_falls_unconscious_at_nothing_and_wakes_when_healed(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(15, 5)
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (0, "unconscious")
    assert [e.kind for e in arena.table.events.order_by("-seq")[:2]] == ["knave_fell", "Damaged"]
    assert "unconscious" in refused(
        arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker"), 409
    )
    done(arena.ana.does("fight-heal", on=arena.id, amount=2))
    assert (fresh(arena.ash).hp, fresh(arena.ash).state) == (2, "up")


def test_kn16_a_dead_knave_gets_a_grave_and_leaves_its_kit(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(15, 6)
    ash = fresh(arena.ash)
    assert (ash.hp, ash.state, ash.death, ash.died_on) == (-1, "dead", "Goblin 1", 1)
    pile = Pile.objects.get(of=ash)
    assert {i.name for i in pile.items.all()} == {"sword", "gambeson"}
    assert arena.last("knave_died").game == arena.game
    assert told(arena.last("knave_died")) == "Ash is dead: Goblin 1."
    assert not arena.events("Died")  # the sheet's own event tells it, once


def test_kn19_a_critical_wears_the_armor_and_adds_a_die(arena: Arena):
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert fresh(arena.gambeson).quality == 2
    assert fresh(arena.ash).hp == 3
    worn = arena.last("ArmorWorn").data
    assert worn["item"] == {"en": "gambeson"}


def test_kn19_armor_of_the_last_quality_is_destroyed_and_defense_falls(arena: Arena):
    Item.objects.filter(pk=arena.gambeson.pk).update(quality=1)
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert not Item.objects.filter(pk=arena.gambeson.pk).exists()
    assert arena.of(arena.id).armor_defense == 11
    assert "destroyed" in told(arena.last("ArmorBroken"))


def test_kn19_without_armor_the_shield_wears(arena: Arena):
    arena.gambeson.delete()
    shield = holds(arena.ash, "shield", **SHIELD)
    arena.begins(face=1)
    arena.goblin_strikes(20, 1, 1)
    assert not Item.objects.filter(pk=shield.pk).exists()


def test_kn19_a_fumble_wears_one_weapon_of_several(arena: Arena):
    Item.objects.filter(pk=arena.sword.pk).update(count=3, quality=1)
    arena.begins(face=6)
    arena.ash_strikes(1)
    left = Item.objects.get(name="sword")
    assert (left.count, left.quality, left.is_equipped) == (2, 1, False)
    assert arena.of(arena.id).weapon is None


def test_monsters_without_gear_lose_nothing_by_a_critical(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(20, 1, 1)
    assert not arena.events("ArmorWorn")


def test_the_fight_catches_up_with_what_was_done_to_a_sheet(arena: Arena):
    arena.begins(face=6)
    Item.objects.filter(pk=arena.sword.pk).update(die=10)
    Item.objects.filter(pk=arena.gambeson.pk).update(is_equipped=False)
    Character.objects.filter(pk=arena.ash.pk).update(hp=3)
    arena.ash_strikes(15, 10)
    ash = arena.of(arena.id)
    assert (ash.weapon.die, ash.armor_defense, ash.hp) == (10, 11, 3)
    assert not arena.events("Wielded")
    assert [m["action"]["action"] for m in arena.cast.last_play.action["moves"]] == [
        "hurt",
        "wear",
        "wield",
        "engage",
        "attack",
    ]
    assert records.replay(stored.record_of(arena.game)).state == arena.state


@pytest.mark.parametrize("how", ["drop_item", "give_item", "leave_home", "equip_item"])
def test_kn5_what_is_worn_no_more_protects_no_more_at_once(arena: Arena, how: str):
    """Before the next blow: everybody reads the defense that a fighter has now."""
    moth = knave(arena.ana, "Moth")
    arena.begins()
    more = {
        "give_item": {"to": moth.pk},
        "leave_home": {"home": "true"},
        "equip_item": {"on": "false"},
    }
    done(arena.ben.does(how, item=arena.gambeson.pk, **more.get(how, {})))
    assert arena.of(arena.id).armor_defense == 11


def test_hit_points_changed_on_the_sheet_go_through_the_fight(arena: Arena):
    arena.begins(face=6)
    done(arena.ana.does("hurt_many", amount=5, cause="The ceiling comes down."))
    assert arena.of(arena.id).status is kf.Status.UNCONSCIOUS
    assert fresh(arena.ash).state == "unconscious"
    done(arena.ana.does("heal_many", amount=9))
    assert arena.of(arena.id).hp == fresh(arena.ash).hp == 5
    assert not arena.events("Damaged")  # told once, by the deed
    done(arena.ana.does("hurt_many", amount=6, cause="The floor gives way."))
    assert fresh(arena.ash).death == "The floor gives way."
    assert arena.of(arena.id).status is kf.Status.DEAD


def test_kn21_a_level_gained_in_a_fight_heals_nobody_beyond_what_the_fight_knows(arena: Arena):
    """A new maximum counts from the next fight on: what the log tells is what the sheet has."""
    arena.begins(face=6)
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=-2))
    Character.objects.filter(pk=arena.ash.pk).update(max_hp=12)
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=9))
    assert (fresh(arena.ash).hp, arena.last("hp_changed").data["hp"]) == (5, 5)
    again = arena.ana.does("change_hp", character=arena.ash.pk, by=1)
    assert "from the next fight on" in refused(again, 409)
    done(arena.ana.does("end_fight"))
    done(arena.ana.does("change_hp", character=arena.ash.pk, by=9))
    assert fresh(arena.ash).hp == 12


def test_kn23_a_level_taken_in_a_fight_counts_from_the_next_one_on_as_the_rule_book_says(
    arena: Arena,
):
    """KN-23: Strength +3 stands on the sheet, and to the end of the fight a blow has +2 in it."""
    told = next(part for part in growing() if part.id == "new-level")
    assert any("from the next fight on" in sentence for sentence in told.rulings)
    done(arena.ana.does("award_xp", amount=1000))
    arena.begins(face=6)
    arena.dice.fall(4, 4)
    done(arena.ben.does("level_up", character=arena.ash.pk, abilities="str,dex,con"))
    arena.ash_strikes(2)
    assert (fresh(arena.ash).strength, arena.last("Attacked").data["total"]) == (3, 4)
    done(arena.ana.does("end_fight"))
    arena.begins(face=6)
    arena.ash_strikes(2, on="cave-goblin-1")
    assert arena.last("Attacked").data["total"] == 5


def test_kn23_a_maximum_set_right_below_what_somebody_has_is_so_in_the_fight_at_once(arena: Arena):
    """KN-23: sheet and fight show the same points, also before the next blow."""
    arena.begins(face=6)
    done(arena.ana.does("set_level", character=arena.ash.pk, level=1, xp=0, max_hp=3))
    assert (arena.of(arena.id).hp, fresh(arena.ash).hp) == (3, 3)


def test_kn16_a_blow_takes_no_more_where_a_sheet_has_more_than_the_fight_knows(arena: Arena):
    """A new maximum counts from the next fight on: what it brought is not lost to a blow."""
    arena.begins(face=6)
    Character.objects.filter(pk=arena.ash.pk).update(max_hp=12, hp=9)
    done(arena.ana.does("hurt_many", amount=2, who=arena.ash.pk))
    assert (arena.of(arena.id).hp, fresh(arena.ash).hp) == (3, 7)


def test_who_comes_late_joins_the_fight_at_the_end_of_the_party(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    arena.begins(face=6)
    moth = knave(cy, "Moth")
    play_for(arena, lambda change: fighting.join_late(change, moth))
    assert [f.name for f in arena.state.party] == ["Ash", "Moth"]
    assert arena.last("Joined").data["who_name"] == "Moth"
    play_for(arena, lambda change: fighting.join_late(change, moth))
    assert len(arena.state.party) == 2


def play_for(arena: Arena, deed) -> None:
    """Do something inside a play of the host's, as a deed of another module would."""
    with transaction.atomic():
        tap = f"other-{arena.table.seq}"
        with changing(arena.table, arena.ana.row, Resume(), tap) as change:
            deed(change)


def test_a_weapon_taken_in_hand_counts_from_the_next_blow_on(arena: Arena):
    axe = holds(arena.ash, "axe", kind="weapon", die=10, hands=2, is_equipped=False)
    arena.begins(face=6)
    done(arena.ben.does("fight-wield", by=arena.id, item=axe.pk))
    assert arena.of(arena.id).weapon.name == "axe"
    assert (fresh(axe).is_equipped, fresh(arena.sword).is_equipped) == (True, False)
    arena.ash_strikes(15, 10)
    assert arena.last("Attacked").data["weapon"] == {"en": "axe"}
    arena.rolls_initiative(6)
    done(arena.ben.does("equip_item", item=axe.pk, on="false"))
    assert arena.of(arena.id).weapon is None
    assert records.replay(stored.record_of(arena.game)).state == arena.state


def test_kn14_of_two_weapons_for_one_hand_the_last_one_taken_up_strikes(arena: Arena):
    """The tap took the dagger in hand beside the sword, and the fight went on with the sword."""
    dagger = holds(arena.ash, "dagger", **{**SWORD, "die": 6}, is_equipped=False, position=9)
    arena.begins()
    done(arena.ben.does("fight-wield", by=arena.id, item=dagger.pk))
    assert arena.state.of(arena.id).weapon.name == "dagger"
    assert not fresh(arena.sword).is_equipped
    done(arena.ben.does("equip_item", item=arena.sword.pk, on="true"))
    assert arena.state.of(arena.id).weapon.name == "sword"


def test_nobody_wields_what_another_carries(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth")
    axe = holds(moth, "axe", kind="weapon", die=10, is_equipped=False)
    arena.begins(face=6)
    refused(arena.ben.does("fight-wield", by=arena.id, item=axe.pk), 403)
    refused(arena.ana.does("fight-wield", by=arena.id, item=axe.pk), 409)
    refused(arena.ana.does("fight-wield", by=arena.id, item=10**9), 404)


def test_kn13_reading_a_spell_book_is_the_rounds_combat_action(arena: Arena):
    spell = Spell.objects.create(key="s-901", number=901, name="Fog", effect="Fog rises.")
    book = holds(arena.ash, "", kind="spell_book", spell=spell)
    arena.begins(face=None)
    assert "initiative" in refused(arena.ben.does("cast_spell", item=book.pk), 409)
    arena.rolls_initiative(6)
    done(arena.ben.does("cast_spell", item=book.pk))
    assert arena.of(arena.id).cast
    answer = arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker")
    assert "combat action" in refused(answer, 409)


def test_kn25_a_book_is_offered_to_whoever_cannot_strike(arena: Arena):
    """KN-13, KN-25: a spell needs no weapon, and may be read in melee where no bow is of use."""
    done(arena.ana.does("turn_table", rules="knave"))
    spell = Spell.objects.first()
    book = Item.objects.create(
        table=arena.table, holder=arena.ash, spell=spell, kind="spell_book", position=9
    )
    offered = f'id="spell-{arena.id}-{book.pk}"'
    arena.begins(count=1, face=6)
    done(arena.ben.does("equip_item", item=arena.sword.pk, on="false"))
    assert offered in arena.ben.sees()
    holds(arena.ash, "bow", **BOW)
    arena.rolls_initiative(2)
    arena.goblin_strikes(2)
    assert offered in arena.ben.sees(), "the foes have all acted"
    done(arena.ben.does("cast_spell", item=book.pk))
    assert offered not in arena.ben.sees()


def test_whose_sheet_is_taken_back_does_not_stand_in_the_fight(arena: Arena):
    """A hireling was still to act, and struck at, and nobody could act for them."""
    kind = HirelingKind.objects.first()
    done(arena.ben.does("hire", character=arena.ash.pk, trade=kind.pk, name="Tib"))
    done(arena.ana.does("add_npc", name="Zed", level=1, hp=4, die=6, morale=7))
    hired, added = (
        arena.table.events.filter(kind=kind).latest("seq")
        for kind in ("hireling_hired", "npc_added")
    )
    encounter = arena.prepares()
    zed = Character.objects.get(name="Zed")
    done(arena.ana.does("face_party", encounter=encounter.pk, character=zed.pk))
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    for event in (hired, added):
        told_why = refused(arena.ana.does("undo", event=event.seq), 409)
        assert "hang on it" in told_why or "hangs on it" in told_why
    done(arena.ana.does("undo", event=hired.seq, sure="true"))
    assert fighting.fight_of(arena.table) is None
    assert not Character.objects.filter(name="Tib").exists()


def test_who_comes_late_and_is_taken_back_takes_the_coming_back_too(arena: Arena):
    arena.begins(face=None)
    done(arena.ana.does("add_npc", name="Zed", level=1, hp=4, die=6, morale=7, is_shown="true"))
    added, zed = arena.table.events.latest("seq"), Character.objects.get(name="Zed")
    done(arena.ana.does("join_fight", character=zed.pk))
    assert "1 later move" in refused(arena.ana.does("undo", event=added.seq), 409)
    done(arena.ana.does("undo", event=added.seq, sure="true"))
    assert f"k{zed.pk}" not in stored.state_of(arena.game).ids


def test_a_knave_is_a_draft_again_only_with_the_fight_that_it_has_begun(arena: Arena):
    """In sight of all it fought on, and its player was asked whether to take it."""
    Character.objects.filter(pk=arena.ash.pk).update(state="gone")
    made(arena.cast)
    taken = arena.table.events.filter(kind="knave_made").latest("seq")
    arena.begins(face=None)
    assert "1 later move hangs on it" in refused(arena.ana.does("undo", event=taken.seq), 409)
    done(arena.ana.does("undo", event=taken.seq, sure="true"))
    assert fighting.fight_of(arena.table) is None
