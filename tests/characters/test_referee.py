"""The referee's work: saves asked for, harm to several, experience, goals, settings."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.utils import translation

from characters.models import Answer, Call, Character, Goal
from characters.screens.mine import my_knave
from characters.sentences.referee import setting_name
from characters.services import finding
from characters.settings import KnaveSettings
from characters.snapshot import MOST_REACHED
from characters.stage import RULES
from games import snapshot
from tests.characters.arena import Arena, knave, seen_by_all
from tests.characters.crew import told
from tests.games.party import done, refused
from tests.set_back import kept_rows


@pytest.fixture
def moth(arena: Arena) -> Character:
    [cy] = arena.cast.welcomes("Cy")
    return knave(cy, "Moth", dexterity=3)


def spy(arena: Arena) -> Character:
    done(arena.ana.does("add_npc", name="Secret Spy", hp=9, is_shown="false"))
    return Character.objects.get(name="Secret Spy")


# --- calls ---------------------------------------------------------------------------------------
def test_kn8_a_call_asks_the_whole_party_when_nobody_is_named(arena: Arena, moth: Character):
    done(arena.ana.does("ask_saves", ability="dex", reason="The floor tilts."))
    call = arena.table.calls.get()
    assert {a.character for a in call.answers.all()} == {arena.ash, moth}
    assert all(a.total is None for a in call.answers.all())
    assert told(arena.last("saves_asked")) == (
        "Ash and Moth: save with Dexterity! The floor tilts."
    )


def test_what_is_asked_is_not_told_as_news_beside_its_own_card(arena: Arena):
    """What the referee asks is a card with one button, and says it once."""
    done(arena.ana.does("ask_saves", ability="dex", reason="The floor tilts."))
    mine = my_knave(snapshot.load(arena.table.pk, RULES), arena.ben.row)
    assert [ask.title for ask in mine.asks] == ["Dexterity save"]
    assert mine.asks[0].text.startswith("The floor tilts.")
    assert not mine.news


def test_several_calls_may_be_open_and_only_the_chosen_are_asked(arena: Arena, moth: Character):
    done(arena.ana.does("ask_saves", ability="dex", who=arena.ash.pk))
    done(arena.ana.does("ask_saves", ability="con", who=f"{arena.ash.pk},{moth.pk}"))
    assert [c.answers.count() for c in arena.table.calls.order_by("pk")] == [1, 2]


def test_that_somebody_hidden_is_asked_shows_in_no_refusal(arena: Arena):
    """S2: to whoever tried its number a call for the hidden was answered otherwise than none."""
    done(arena.ana.does("ask_saves", ability="dex", who=spy(arena).pk))
    asked = arena.table.calls.get().pk
    answers = [
        refused(arena.ben.does("roll_save", character=arena.ash.pk, call=call), 409)
        for call in (asked, asked + 999)
    ]
    assert answers == ["Nobody asks Ash for that roll."] * 2


def test_the_dead_and_strangers_are_asked_nothing(arena: Arena, moth: Character):
    Character.objects.filter(pk=moth.pk).update(state="dead")
    refused(arena.ana.does("ask_saves", ability="dex", who=moth.pk), 409)
    refused(arena.ana.does("ask_saves", ability="dex", who=10**9), 404)
    refused(arena.ana.does("ask_saves", ability="dex", who="9" * 25), 422)
    refused(arena.ana.does("ask_saves", ability="luck"), 422)
    refused(arena.ben.does("ask_saves", ability="dex"), 403)
    assert not Call.objects.exists()


def test_kn8_the_house_rolls_for_those_who_are_missing(arena: Arena, moth: Character):
    done(arena.ana.does("ask_saves", ability="dex"))
    call = arena.table.calls.get()
    arena.dice.fall(14, 13)  # Ash: 14 + 1 is 15, not more than 15; Moth: 13 + 3 is 16
    done(arena.ana.does("roll_missing", call=call.pk))
    answers = {a.character.name: (a.total, a.is_success) for a in call.answers.all()}
    assert answers == {"Ash": (15, False), "Moth": (16, True)}
    assert [e.data["name"] for e in arena.events("save_rolled")] == ["Ash", "Moth"]
    assert arena.cast.last_play.faces == [14, 13]
    assert "Everybody has rolled" in refused(arena.ana.does("roll_missing", call=call.pk), 409)


def test_nobody_is_waited_for_who_has_died_meanwhile(arena: Arena, moth: Character):
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("ask_saves", ability="dex", who=f"{arena.ash.pk},{moth.pk}"))
    assert "2 still have to roll" in arena.ana.sees("gm/")
    Character.objects.filter(pk=moth.pk).update(state="dead")
    assert "1 still has to roll" in arena.ana.sees("gm/")


def test_kn9_kn10_an_opposed_call_with_an_edge_and_a_modifier(arena: Arena):
    done(arena.ana.does("ask_saves", ability="str", edge="advantage", modifier=-2, defense=14))
    call = arena.table.calls.get()
    arena.dice.fall(9, 14)  # 14 + 2 - 2 is 14: only equal
    done(arena.ana.does("roll_missing", call=call.pk))
    event = arena.last("save_rolled").data
    assert (event["faces"], event["natural"], event["total"]) == ([9, 14], 14, 14)
    assert (event["target"], event["success"]) == (14, False)


def test_a_player_answers_a_call_once_on_its_own_terms(arena: Arena):
    done(arena.ana.does("ask_saves", ability="con", modifier=5))
    call = arena.table.calls.get()
    arena.dice.fall(10)
    roll = {"character": arena.ash.pk, "call": call.pk, "ability": "str", "modifier": 20}
    done(arena.ben.does("roll_save", **roll))
    assert Answer.objects.get().total == 16
    assert "already" in refused(arena.ben.does("roll_save", **roll), 409)


def test_a_closed_call_is_asked_no_more(arena: Arena):
    done(arena.ana.does("ask_saves", ability="int"))
    call = arena.table.calls.get()
    done(arena.ana.does("close_call", call=call.pk))
    refused(arena.ana.does("roll_missing", call=call.pk), 404)
    refused(arena.ben.does("roll_save", character=arena.ash.pk, call=call.pk), 409)
    assert told(arena.last("call_closed")) == "The call for the Intelligence save is closed."


def test_whoever_died_since_is_not_rolled_for(arena: Arena, moth: Character):
    done(arena.ana.does("ask_saves", ability="dex"))
    Character.objects.filter(pk=moth.pk).update(state="dead", hp=-1)
    arena.dice.fall(14)
    done(arena.ana.does("roll_missing", call=arena.table.calls.get().pk))
    assert [e.data["name"] for e in arena.events("save_rolled")] == ["Ash"]


def test_undo_sets_back_a_call_and_its_answers(arena: Arena, moth: Character):
    nothing = kept_rows()
    done(arena.ana.does("ask_saves", ability="dex"))
    call, asked = arena.table.calls.get(), kept_rows()
    arena.dice.fall(14, 13)
    done(arena.ana.does("roll_missing", call=call.pk))
    answered = kept_rows()
    done(arena.ana.does("close_call", call=call.pk))
    arena.undoes("call_closed")
    assert kept_rows() == answered
    arena.undoes("save_rolled")
    assert kept_rows() == asked
    arena.dice.fall(14, 13)
    done(arena.ana.does("roll_missing", call=call.pk))
    arena.undoes("saves_asked")
    assert kept_rows() == nothing


# --- harm ----------------------------------------------------------------------------------------
def test_kn16_hurting_several_and_what_killed_them(arena: Arena, moth: Character):
    done(arena.ana.does("hurt_many", amount=6, cause="A pit of spikes"))
    for one in Character.objects.filter(kind="knave"):
        assert (one.hp, one.state, one.death) == (-1, "dead", "A pit of spikes")
    assert told(arena.last("many_hurt")) == "Ash and Moth: 6 hit points lost. A pit of spikes."


@pytest.mark.parametrize("cause", ["a falling bookcase", "A falling bookcase."])
def test_what_the_host_has_typed_reads_as_a_sentence_among_ours(arena: Arena, cause: str):
    done(arena.ana.does("hurt_many", amount=6, cause=cause))
    assert told(arena.last("many_hurt")) == "Ash: 6 hit points lost. A falling bookcase."
    died = told(arena.last("knave_died"))
    assert died == f"Ash is dead: {cause.rstrip('.')}."


def test_kn21_healing_several_never_goes_above_the_maximum(arena: Arena, moth: Character):
    Character.objects.filter(pk=moth.pk).update(hp=1)
    done(arena.ana.does("heal_many", amount=99))
    assert [c.hp for c in Character.objects.order_by("pk")] == [5, 5]
    refused(arena.ana.does("heal_many", amount=0), 422)
    refused(arena.ana.does("hurt_many", amount=10**25), 422)
    refused(arena.ben.does("hurt_many", amount=1), 403)


def test_without_anybody_alive_there_is_nobody_to_hurt(arena: Arena):
    Character.objects.update(state="dead", hp=-1)
    for deed in ("hurt_many", "heal_many", "award_xp"):
        assert "living" in refused(arena.ana.does(deed, amount=1), 409)


def test_undo_of_harm_brings_back_the_dead_with_their_kit(arena: Arena, moth: Character):
    before = kept_rows()
    done(arena.ana.does("hurt_many", amount=6))
    arena.undoes("many_hurt")
    assert kept_rows() == before


# --- experience ----------------------------------------------------------------------------------
def test_kn22_a_level_is_due_at_every_thousand_and_told_once(arena: Arena, moth: Character):
    Character.objects.filter(pk=arena.ash.pk).update(xp=950)
    done(arena.ana.does("award_xp", amount=100, reason="the troll"))
    assert [c.xp for c in Character.objects.order_by("pk")] == [1050, 100]
    assert [e.data for e in arena.events("level_due")] == [{"name": "Ash", "level": 2}]
    assert told(arena.last("xp_awarded")) == "Ash and Moth: 100 experience for the troll."
    done(arena.ana.does("award_xp", amount=50))
    assert len(arena.events("level_due")) == 1


def test_a_reason_that_ends_with_a_full_stop_is_given_no_second_one(arena: Arena):
    done(arena.ana.does("award_xp", amount=50, reason="finding the key."))
    assert told(arena.last("xp_awarded")) == "Ash: 50 experience for finding the key."
    done(arena.ana.does("award_xp", amount=50, reason="."))
    assert told(arena.last("xp_awarded")) == "Ash: 50 experience."


def test_experience_has_an_end(arena: Arena):
    for _again in range(12):
        done(arena.ana.does("award_xp", amount=100_000))
    assert Character.objects.get().xp == 1_000_000


def test_kn22_a_goal_is_named_beforehand_and_reached_by_all_who_live(arena: Arena, moth: Character):
    done(arena.ana.does("announce_goal", text="Find the crown", worth=200))
    goal = Goal.objects.get()
    assert told(arena.last("goal_announced")) == "A goal: “Find the crown”, worth 200 experience."
    Character.objects.filter(pk=moth.pk).update(state="dead")
    done(arena.ana.does("reach_goal", goal=goal.pk))
    assert [c.xp for c in Character.objects.order_by("pk")] == [200, 0]
    assert "before" in refused(arena.ana.does("reach_goal", goal=goal.pk), 409)


def test_a_hidden_goal_is_the_hosts_alone_until_it_is_shown(arena: Arena):
    done(arena.ana.does("announce_goal", text="Spare the king", worth=300, is_shown="false"))
    goal = Goal.objects.get()
    assert "king" not in seen_by_all(arena.table)
    done(arena.ana.does("show_goal", goal=goal.pk, on="true"))
    assert "king" in seen_by_all(arena.table)
    refused(arena.ana.does("show_goal", goal=goal.pk, on="true"), 409)


def test_a_hidden_goal_that_is_dropped_or_hidden_again_is_told_to_nobody(arena: Arena):
    done(arena.ana.does("announce_goal", text="Spare the king", is_shown="false"))
    done(arena.ana.does("drop_goal", goal=Goal.objects.get().pk))
    assert not Goal.objects.exists()
    assert "king" not in seen_by_all(arena.table)


def test_a_goal_needs_words(arena: Arena):
    refused(arena.ana.does("announce_goal", text=" \u202e "), 422)
    refused(arena.ana.does("announce_goal", text="x" * 161), 422)
    refused(arena.ana.does("announce_goal", text="x", worth=0), 422)
    refused(arena.ana.does("drop_goal", goal=77), 404)


@pytest.mark.parametrize("deed", ["reach_goal", "drop_goal", "show_goal"])
def test_undo_sets_back_a_goal(arena: Arena, deed: str):
    done(arena.ana.does("announce_goal", text="Find the crown"))
    goal, before = Goal.objects.get(), kept_rows()
    done(arena.ana.does(deed, goal=goal.pk, **({"on": "false"} if deed == "show_goal" else {})))
    assert kept_rows() != before
    kinds = {"reach_goal": "goal_reached", "drop_goal": "goal_dropped", "show_goal": "goal_hidden"}
    arena.undoes(kinds[deed])
    assert kept_rows() == before


# --- hidden people -------------------------------------------------------------------------------
def test_what_becomes_of_a_hidden_npc_only_the_host_hears(arena: Arena):
    hidden = spy(arena)
    both = f"{hidden.pk},{arena.ash.pk}"
    done(arena.ana.does("ask_saves", ability="dex", who=both))
    arena.dice.fall(3, 4)
    done(arena.ana.does("roll_missing", call=arena.table.calls.get().pk))
    done(arena.ana.does("close_call", call=arena.table.calls.get().pk))
    done(arena.ana.does("award_xp", amount=100, who=both))
    done(arena.ana.does("hurt_many", amount=3, who=both))
    done(arena.ana.does("heal_many", amount=3, who=both))
    done(arena.ana.does("hurt_many", amount=9, who=hidden.pk))
    seen = seen_by_all(arena.table)
    assert "Spy" not in seen
    assert seen.count("Ash") >= 5
    assert arena.table.events.filter(kind="knave_fell", to=arena.ana.row).exists()


# --- settings ------------------------------------------------------------------------------------
def test_the_host_sets_how_knave_is_played(arena: Arena):
    done(arena.ana.does("configure_knave", setting="gear", value="money"))
    assert "starting gear, now “By money”" in told(arena.events("knave_configured")[-1])
    done(arena.ana.does("configure_knave", setting="shop_open", value="0"))
    assert "the shop is open, now “No”" in told(arena.events("knave_configured")[-1])
    done(arena.ana.does("configure_knave", setting="may_add", value="false"))
    assert (arena.party.settings.gear, arena.party.settings.may_add) == ("money", False)
    refused(arena.ana.does("configure_knave", setting="gear", value="gold"), 422)
    refused(arena.ana.does("configure_knave", setting="may_add", value="perhaps"), 422)
    refused(arena.ana.does("configure_knave", setting="weather", value="rain"), 422)
    refused(arena.ben.does("configure_knave", setting="gear", value="tables"), 403)
    before = arena.table.seq  # a chip that was pressed twice was told and taken back twice
    done(arena.ana.does("configure_knave", setting="may_add", value="false"))
    assert arena.table.seq == before
    arena.undoes("knave_configured")
    assert arena.party.settings.may_add is True


@pytest.mark.parametrize("language", ["en", "es"])
def test_what_the_host_sets_is_called_the_same_in_the_log_and_on_the_page(arena: Arena, language):
    """ "Who rolls for the foes' attacks, now Yes" is no answer: the question is the page's."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("speak", language=language))
    page = unescape(arena.ana.sees("gm/"))
    asked = [name for name, kind in KnaveSettings.__annotations__.items() if kind == "bool"]
    assert len(asked) == 5
    with translation.override(language):
        for setting in asked:
            label = re.search(f'id="label-{setting}">([^<]+)<', page)[1]
            assert label.casefold() == setting_name(setting)


def test_the_log_says_what_a_setting_of_knaves_is_now_in_the_words_of_its_chip(arena: Arena):
    """Every setting has its chips, and every choice its word (screens.md; CONTRIBUTING)."""
    form = re.compile(r'value="configure_knave">.*?name="setting" value="(\w+)"(.*?)</form>', re.S)
    chip = re.compile(r'name="value" value="(\w+)".*?<span>(.*?)</span>', re.S)
    done(arena.ana.does("turn_table", rules="knave"))
    forms = form.findall(arena.ana.sees("gm/"))
    assert {setting for setting, _chips in forms} == set(KnaveSettings.__struct_fields__)
    for setting, chips in forms:
        choices = chip.findall(chips)
        for value, _word in choices:  # so that each of them changes something afterwards
            done(arena.ana.does("configure_knave", setting=setting, value=value))
        for value, word in choices:
            done(arena.ana.does("configure_knave", setting=setting, value=value))
            assert f"now “{unescape(word)}”." in told(arena.last("knave_configured"))


# --- as many as anybody can look through ---------------------------------------------------------
@pytest.mark.parametrize(
    ("action", "given", "puts_away"),
    [
        ("ask_saves", {"ability": "dex"}, lambda table: table.calls.update(is_open=False)),
        ("announce_goal", {"text": "The crown"}, lambda table: table.goals.all().delete()),
        ("new_pile", {"name": "A chest"}, lambda table: table.piles.update(is_open=False)),
        ("prepare_encounter", {}, lambda table: table.encounters.update(is_open=False)),
    ],
)
def test_no_more_wait_than_anybody_can_look_through(
    arena: Arena, monkeypatch: pytest.MonkeyPatch, action: str, given: dict, puts_away: Any
):
    """Threat model: a host's page of 700 each slowed every table of the house."""
    puts_away(arena.table)
    monkeypatch.setattr(finding, "MOST_WAITING", 2)
    for _once in range(2):
        done(arena.ana.does(action, **given))
    assert "too many of these" in refused(arena.ana.does(action, **given), 409)
    puts_away(arena.table)
    done(arena.ana.does(action, **given))


def test_of_goals_that_were_reached_the_last_ones_stay_on_the_list(arena: Arena):
    """Threat model: those of years were drawn on every phone, at every tap."""
    done(arena.ana.does("announce_goal", text="The well"))
    for number in range(MOST_REACHED + 1):
        done(arena.ana.does("announce_goal", text=f"Door {number:02}"))
        goal = arena.table.goals.get(text=f"Door {number:02}")
        done(arena.ana.does("reach_goal", goal=goal.pk))
    done(arena.ana.does("turn_table", rules="knave"))
    shown = [f"Door {number:02}" for number in range(1, MOST_REACHED + 1)]
    for page in (arena.ben.sees(), arena.ana.sees("gm/")):
        goals = re.search(r'id="(?:gm-)?goals".*?</section>', page, re.S)[0]
        assert re.findall(r'dir="auto">([^<]+)<', goals) == ["The well", *shown]
