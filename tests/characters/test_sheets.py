"""The sheet: hit points, saves, levels, names and notes, the referee's corrections."""

from __future__ import annotations

import re

import pytest

from characters.models import Answer, Call, Character
from characters.services.purse import coins_of
from tests.characters.crew import kept, knave, last, owns, takes_back, told
from tests.games.party import Party, done, refused, refused_at


def call_for(party: Party, *who: Character, **terms: object) -> Call:
    call = Call.objects.create(table=party.table, **{"ability": "dex", **terms})
    for one in who:
        Answer.objects.create(call=call, character=one)
    return call


# --- names, notes, marks ---------------------------------------------------------------------


def test_name_gender_and_notes_are_cleaned_and_kept(party: Party, ash):
    notes = "one\r\ntwo\ta\u202eb\u0007\n\nمرحبا  "
    done(party.ben.does("edit_knave", character=ash.pk, name="ليلى", gender="she", notes=notes))
    ash.refresh_from_db()
    assert (ash.name, ash.gender, ash.notes) == ("ليلى", "she", "one\ntwo ab\n\nمرحبا")
    assert told(last(party, "knave_edited")) == "Ash is called ليلى now."
    assert "مرحبا" not in str(last(party, "knave_edited").data), "notes are nobody else's"


@pytest.mark.parametrize(
    ("field", "text"),
    [("name", "x" * 61), ("name", "\u202e"), ("gender", "x" * 31), ("notes", "x" * 8001)],
)
def test_what_is_too_long_or_nothing_is_refused_with_its_field(party: Party, ash, field, text):
    given = {"character": ash.pk, "name": "Ash", field: text}
    refused_at(party.ben.does("edit_knave", **given), field)


def test_a_mark_takes_the_portraits_place_and_nothing_takes_both_away(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(portrait=b"jpeg", portrait_at="2026-01-01T00:00Z")
    done(party.ben.does("choose_mark", character=ash.pk, mark="crow"))
    ash.refresh_from_db()
    assert (ash.mark, ash.portrait_at) == ("crow", None)
    done(party.ben.does("choose_mark", character=ash.pk))
    ash.refresh_from_db()
    assert ash.mark == ""
    refused(party.ben.does("choose_mark", character=ash.pk, mark="dragon"), 422)
    refused(party.ben.does("keep_portrait", character=ash.pk), 422)


# --- hit points (KN-16) ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("by", "hp", "state"),
    [(1, 5, "up"), (99, 6, "up"), (-3, 1, "up"), (-4, 0, "unconscious"), (-5, -1, "dead")],
)
def test_kn16_hit_points_by_a_tap_or_typed(party: Party, ash, by, hp, state):
    done(party.ben.does("change_hp", character=ash.pk, by=by))
    ash.refresh_from_db()
    assert (ash.hp, ash.state) == (hp, state)
    assert last(party, "hp_changed").data["by"] == hp - 4
    assert not party.events("knave_woke"), "who never fell does not wake"


def test_kn16_the_dead_leave_their_kit_and_are_not_healed(party: Party, ash):
    owns(ash, "torch", 3)
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    pile = party.table.piles.get()
    assert (pile.of, pile.items.get().count) == (ash, 3)
    assert [e.kind for e in party.events()[-2:]] == ["hp_changed", "knave_died"]
    refused(party.ana.does("change_hp", character=ash.pk, by=5), 409)


def test_kn16_the_coins_of_the_dead_lie_with_their_kit_and_nowhere_else(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(gold=3, silver=2, copper=1)
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    ash.refresh_from_db()
    assert coins_of(party.table.piles.get()) == {"gold": 3, "silver": 2, "copper": 1}
    assert coins_of(ash) == {"gold": 0, "silver": 0, "copper": 0}


def test_kn16_an_undo_brings_the_dead_and_their_kit_back(party: Party, ash):
    owns(ash, "torch", 3)
    before = kept()
    done(party.ben.does("change_hp", character=ash.pk, by=-9))
    takes_back(party, last(party, "hp_changed"))
    assert kept() == before


@pytest.mark.parametrize(("by", "status"), [(0, 422), (-1000, 422), (10**20, 422), ("x", 422)])
def test_hit_points_that_are_no_number_are_refused(party: Party, ash, by, status):
    refused(party.ben.does("change_hp", character=ash.pk, by=by), status)


def test_nobody_is_healed_who_has_all(party: Party, ash):
    done(party.ben.does("change_hp", character=ash.pk, by=2))
    refused(party.ben.does("change_hp", character=ash.pk, by=1), 409)


def test_another_players_sheet_is_theirs_and_a_hidden_one_is_not_there(party: Party, ash):
    (dora,) = party.welcomes("Dora")
    lurker = knave(party.table, None, "Lurker", kind="npc", is_hidden=True)
    refused(dora.does("change_hp", character=ash.pk, by=-1), 403)
    refused(dora.does("change_hp", character=lurker.pk, by=-1), 404)
    refused(party.tess.does("change_hp", character=ash.pk, by=-1), 403)
    refused(party.ben.does("change_hp", character=9999, by=-1), 404)


def test_what_befalls_a_hidden_sheet_only_the_host_is_told(party: Party, ash):
    lurker = knave(party.table, None, "Lurker", kind="npc", is_hidden=True)
    done(party.ana.does("change_hp", character=lurker.pk, by=-1))
    done(party.ana.does("roll_save", character=lurker.pk, dice=3))
    for kind in ("hp_changed", "save_rolled"):
        assert last(party, kind).to == party.ana.row


# --- the referee's corrections ---------------------------------------------------------------


def test_the_referee_sets_abilities_levels_and_the_open_override(party: Party, ash):
    done(party.ana.does("set_ability", character=ash.pk, ability="con", bonus=4))
    done(party.ana.does("set_level", character=ash.pk, level=3, xp=2500, max_hp=3))
    done(party.ana.does("allow_overload", character=ash.pk, on="true"))
    ash.refresh_from_db()
    assert (ash.constitution, ash.level, ash.xp, ash.max_hp, ash.hp) == (4, 3, 2500, 3, 3)
    assert ash.may_overload
    assert last(party, "ability_set").data["before"] == 1


def test_kn4_whether_more_than_the_slots_is_allowed_stands_where_it_is_set(party: Party, ash):
    """Neither of the two was marked, before the tap as after it."""
    done(party.ana.does("turn_table", rules="knave"))
    for on, marked in (("true", "on"), ("false", "off")):
        done(party.ana.does("allow_overload", character=ash.pk, on=on))
        page = party.ana.sees("gm/")
        assert re.findall(r'id="overload-\d+-(\w+)"[^>]*aria-pressed="true"', page) == [marked]


@pytest.mark.parametrize(
    ("action", "more"),
    [
        ("set_ability", {"ability": "con", "bonus": 4}),
        ("set_level", {"level": 3, "xp": 0, "max_hp": 3}),
        ("allow_overload", {"on": "true"}),
    ],
)
def test_only_the_host_corrects_a_sheet(party: Party, ash, action, more):
    refused(party.ben.does(action, character=ash.pk, **more), 403)


@pytest.mark.parametrize(("ability", "bonus"), [("con", 11), ("con", -6), ("luck", 1)])
def test_kn23_no_ability_is_set_above_20_10(party: Party, ash, ability, bonus):
    answer = party.ana.does("set_ability", character=ash.pk, ability=ability, bonus=bonus)
    refused(answer, 422)


# --- saves (KN-8 to KN-10) -------------------------------------------------------------------


@pytest.mark.parametrize(
    ("faces", "terms", "total", "success"),
    [
        ([14], {}, 15, False),
        ([15], {}, 16, True),
        ([3, 17], {"edge": "advantage"}, 18, True),
        ([3, 17], {"edge": "disadvantage"}, 4, False),
        ([12], {"defense": 13}, 13, False),
        ([12], {"defense": 12}, 13, True),
        ([12], {"modifier": 3}, 16, True),
        ([12], {"modifier": -20}, -7, False),
    ],
)
def test_kn8_9_10_a_save_is_more_than_its_target(party: Party, ash, faces, terms, total, success):
    party.dice.fall(*faces)
    done(party.ben.does("roll_save", character=ash.pk, ability="wis", **terms))
    rolled = last(party, "save_rolled")
    assert (rolled.data["total"], rolled.data["success"]) == (total, success)
    assert rolled.data["target"] == terms.get("defense", 15)
    assert rolled.data["faces"] == rolled.play.faces == faces
    assert not rolled.data["is_real"]


def test_a_saves_sentence_shows_how_it_added_up(party: Party, ash):
    party.dice.fall(14)
    done(party.ben.does("roll_save", character=ash.pk, ability="wis"))
    words = told(last(party, "save_rolled"))
    assert words == "Ash fails the Wisdom save: 14\u00a0+\u00a01\u00a0=\u00a015, not more than 15."


def test_kn10_real_dice_are_one_or_two_and_marked(party: Party, ash):
    refused(party.ben.does("roll_save", character=ash.pk, edge="advantage", dice=9), 422)
    refused(party.ben.does("roll_save", character=ash.pk, dice=21), 422)
    done(party.ben.does("roll_save", character=ash.pk, edge="advantage", dice="9 18"))
    rolled = last(party, "save_rolled")
    assert (rolled.data["faces"], rolled.data["is_real"]) == ([9, 18], True)
    assert "real dice" in told(rolled)


def test_a_call_is_answered_once_on_its_own_terms(party: Party, ash):
    call = call_for(party, ash, ability="con", edge="disadvantage", modifier=2, defense=12)
    party.dice.fall(19, 9)
    done(party.ben.does("roll_save", character=ash.pk, ability="str", modifier=9, call=call.pk))
    answer = call.answers.get()
    assert (answer.faces, answer.total, answer.is_success) == ([19, 9], 12, False)
    assert last(party, "save_rolled").data["ability"] == "con"
    refused(party.ben.does("roll_save", character=ash.pk, call=call.pk), 409)


def test_who_is_not_asked_does_not_answer(party: Party, ash):
    other = knave(party.table, party.ana, "Moth")
    call = call_for(party, other)
    closed = call_for(party, ash, is_open=False)
    for key in (call.pk, closed.pk, 9999):
        refused(party.ben.does("roll_save", character=ash.pk, call=key), 409)


def test_kn16_the_unconscious_roll_only_what_is_asked_of_them(party: Party, ash):
    Character.objects.filter(pk=ash.pk).update(hp=0, state="unconscious")
    refused(party.ben.does("roll_save", character=ash.pk), 409)
    call = call_for(party, ash)
    party.dice.fall(11)
    done(party.ben.does("roll_save", character=ash.pk, call=call.pk))


def test_kn21_a_nights_die_is_rolled_by_the_same_tap(party: Party, ash):
    owns(ash, "travel-rations", 1)
    call = call_for(party, ash, kind="night", ability="")
    done(party.ben.does("roll_save", character=ash.pk, call=call.pk, dice=1))
    ash.refresh_from_db()
    assert ash.hp == 6
    assert not ash.items.exists()


def test_no_dice_fall_while_the_table_is_paused(party: Party, ash):
    done(party.ana.does("pause"))
    refused(party.ben.does("roll_save", character=ash.pk), 409)
    done(party.ben.does("change_hp", character=ash.pk, by=1))


# --- undo and words --------------------------------------------------------------------------

DEEDS: dict[str, tuple[str, dict[str, object], list[int]]] = {
    "edit_knave": ("ben", {"name": "Vela", "notes": "long " * 200}, []),
    "choose_mark": ("ben", {"mark": "wolf"}, []),
    "change_hp": ("ben", {"by": -2}, []),
    "set_ability": ("ana", {"ability": "str", "bonus": 5}, []),
    "set_level": ("ana", {"level": 2, "xp": 1200, "max_hp": 2}, []),
    "allow_overload": ("ana", {"on": "true"}, []),
    "set_coins": ("ben", {"gold": 7}, []),
    "level_up": ("ben", {"abilities": "str dex con"}, [8, 8]),
}


@pytest.mark.parametrize("action", DEEDS)
def test_an_undo_sets_every_row_back(party: Party, ash, action):
    Character.objects.filter(pk=ash.pk).update(xp=1000)
    who, fields, faces = DEEDS[action]
    before = kept()
    party.dice.fall(*faces)
    done(getattr(party, who).does(action, character=ash.pk, **fields))
    assert kept() != before
    event = party.events()[-1]
    for language in ("en", "es"):
        assert told(event, language) or action == "choose_mark"
    takes_back(party, event)
    assert kept() == before


def test_an_undo_of_an_answer_asks_again(party: Party, ash):
    call = call_for(party, ash)
    before = kept()
    party.dice.fall(11)
    done(party.ben.does("roll_save", character=ash.pk, call=call.pk))
    takes_back(party, last(party, "save_rolled"))
    assert kept() == before
    party.dice.fall(12)
    done(party.ben.does("roll_save", character=ash.pk, call=call.pk))


def test_an_undo_takes_back_what_followed_from_it(party: Party, ash):
    before = kept()
    for by in (-1, -1, 2):
        done(party.ben.does("change_hp", character=ash.pk, by=by))
    takes_back(party, party.events("hp_changed")[0])
    assert kept() == before
    assert last(party, "undone").data["count"] == 3


def test_the_host_is_told_the_last_three_that_go_back_too_and_whether_there_are_more(
    party: Party, ash
):
    """The question names what is lost: a dot-dot-dot stands for what it does not name."""
    for by in (-1, -1, -1, 2):
        done(party.ben.does("change_hp", character=ash.pk, by=by))
    first, second = party.events("hp_changed")[:2]
    assert "…" not in refused(party.ana.does("undo", event=first.seq), 409)
    done(party.ben.does("change_hp", character=ash.pk, by=-1))
    assert "…" not in refused(party.ana.does("undo", event=second.seq), 409)
    assert "…" in refused(party.ana.does("undo", event=first.seq), 409)


def test_a_player_takes_back_a_choice_of_their_own_and_no_die(party: Party, ash):
    done(party.ben.does("change_hp", character=ash.pk, by=-1))
    done(party.ben.does("undo", event=last(party, "hp_changed").seq))
    party.dice.fall(10)
    call = call_for(party, ash)
    done(party.ben.does("roll_save", character=ash.pk, call=call.pk))
    refused(party.ben.does("undo", event=last(party, "save_rolled").seq), 403)
