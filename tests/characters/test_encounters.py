"""Encounters: put together out of sight, begun and ended by the host."""

from __future__ import annotations

from html import unescape

import pytest

from characters.models import Character, Encounter
from games.models import Game
from games.rules import knave_fight as kf
from tests.characters.arena import Arena, foes_of, knave, seen_by_all
from tests.characters.crew import told
from tests.games.party import done, refused
from tests.set_back import kept_rows


def test_an_encounter_without_a_name_is_numbered(arena: Arena):
    arena.prepares(name="The bridge")
    done(arena.ana.does("prepare_encounter"))
    assert arena.table.encounters.first().name == "Encounter 2"


def test_a_number_that_all_read_counts_fights_and_not_what_waits(arena: Arena):
    """What is prepared and not begun is the host's alone, and so is how much of it there is."""

    def names() -> list[str]:
        return [one.name for one in arena.table.encounters.order_by("pk")]

    done(arena.ana.does("turn_table", rules="knave"))
    _waits, put_away, begun = (arena.prepares(name="") for _each in range(3))
    done(arena.ana.does("drop_encounter", encounter=put_away.pk))
    done(arena.ana.does("start_fight", encounter=begun.pk))
    assert "Encounter 1" in arena.ben.sees()
    assert "Encounter 3" not in arena.ben.sees()
    assert names() == ["Encounter 3", "Encounter 2", "Encounter 1"]  # and no two are called alike

    arena.undoes("fight_begun")
    assert names() == ["Encounter 1", "Encounter 2", "Encounter 3"]


def test_the_end_of_a_fight_is_taken_back_with_the_fight_that_began_since(arena: Arena):
    """A table has one fight at a time: both would be on."""
    arena.begins(face=None)
    first = arena.game
    done(arena.ana.does("end_fight"))
    arena.begins(face=None)
    arena.undoes("Ended")
    assert arena.table.games.get(status=Game.Status.PLAYING) == first
    again = {"encounter": arena.prepares(name="Next").pk}
    assert "already" in refused(arena.ana.does("start_fight", **again), 409)


def test_a_name_is_cleaned_and_not_cut(arena: Arena):
    done(arena.ana.does("prepare_encounter", name="  كمين\u202e  "))
    assert arena.table.encounters.first().name == "كمين"
    refused(arena.ana.does("prepare_encounter", name="x" * 61), 422)


def test_foes_are_numbered_on(arena: Arena):
    encounter = arena.prepares(2)
    done(arena.ana.does("add_foes", encounter=encounter.pk, monster=arena.monster.pk, count=1))
    assert foes_of(encounter) == ["Goblin 1", "Goblin 2", "Goblin 3"]
    done(arena.ana.does("drop_foe", encounter=encounter.pk, foe="cave-goblin-2"))
    done(arena.ana.does("add_foes", encounter=encounter.pk, monster=arena.monster.pk, count=1))
    assert foes_of(encounter) == ["Goblin 1", "Goblin 3", "Goblin 4"]


def test_foes_have_the_names_of_the_tables_language(arena: Arena):
    arena.table.__class__.objects.filter(pk=arena.table.pk).update(language="es")
    arena.begins(face=1)
    foe = arena.of("cave-goblin-1")
    assert (foe.name, foe.weapon.name) == ("Trasgo 1", "porra")


def test_every_ability_of_a_monster_is_its_level(arena: Arena):
    arena.monster.level = 3
    arena.monster.save()
    arena.begins(face=None)
    foe = arena.of("cave-goblin-1")
    assert foe.bonus == kf.Abilities(3, 3, 3, 3, 3, 3)
    assert (foe.attack, foe.morale, foe.group) == (1, 7, "cave-goblin")


def test_a_fight_holds_so_many_and_no_more(arena: Arena):
    encounter = arena.prepares(30)
    more = {"encounter": encounter.pk, "monster": arena.monster.pk}
    assert "60" in refused(arena.ana.does("add_foes", count=30, **more), 409)
    done(arena.ana.does("add_foes", count=29, **more))
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    assert len(arena.state.fighters) == 60
    assert "60" in refused(arena.ana.does("add_foes", count=1, **more), 409)


def test_foes_come_into_the_running_fight_for_all_to_see(arena: Arena):
    arena.begins(face=6)
    encounter = arena.game.encounter
    done(arena.ana.does("add_foes", encounter=encounter.pk, monster=arena.monster.pk, count=2))
    assert [f.name for f in arena.state.fighters[2:]] == ["Goblin 2", "Goblin 3"]
    assert [e.data["name"] for e in arena.events("Joined")] == ["Goblin 2", "Goblin 3"]


def test_the_fight_lines_up_played_knaves_and_their_hirelings(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth")
    carl = Character.objects.create(
        table=arena.table, kind="hireling", state="up", name="Carl", employer=moth, hp=2, max_hp=2
    )
    Character.objects.create(table=arena.table, state="up", name="Nobody's", hp=2, max_hp=2)
    Character.objects.create(
        table=arena.table, seat=cy.row, state="draft", name="Half", hp=2, max_hp=2
    )
    Character.objects.create(
        table=arena.table, seat=cy.row, state="dead", name="Late", hp=-1, max_hp=2
    )
    arena.begins(face=None)
    assert [f.id for f in arena.state.party] == [arena.id, f"k{moth.pk}", f"k{carl.pk}"]
    begun = arena.last("fight_begun")
    assert begun.data["party"] == ["Ash", "Moth", "Carl"]
    assert begun.data["foes"] == ["Goblin 1"]
    assert begun.mentions.count() == 3


def test_a_fight_needs_foes_and_somebody_who_stands(arena: Arena):
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("prepare_encounter"))
    encounter = arena.table.encounters.first()
    assert "add foes" in refused(arena.ana.does("start_fight", encounter=encounter.pk), 409)
    done(arena.ana.does("add_foes", encounter=0, monster=arena.monster.pk))
    assert may_begin(arena, encounter)
    Character.objects.update(hp=0, state="unconscious")
    assert not may_begin(arena, encounter)
    assert "stand" in refused(arena.ana.does("start_fight", encounter=encounter.pk), 409)
    Character.objects.update(hp=-1, state="dead")
    assert "stand" in refused(arena.ana.does("start_fight", encounter=encounter.pk), 409)
    assert not arena.table.games.filter(rules=kf.NAME).exists()


def may_begin(arena: Arena, encounter: Encounter) -> bool:
    """Tell whether the GM's page offers to begin this fight; if not, it says why."""
    page = arena.ana.sees("gm/")
    offered = page.split(f'id="start-fight-{encounter.pk}"', 1)[1].split(">", 1)[0]
    assert ("disabled" in offered) == ("can stand up to fight" in page)
    return "disabled" not in offered


def test_one_fight_at_a_time(arena: Arena):
    arena.begins(face=None)
    other = arena.prepares()
    assert "already" in refused(arena.ana.does("start_fight", encounter=other.pk), 409)
    running = arena.game.encounter
    for deed in ("start_fight", "drop_encounter"):
        refused(arena.ana.does(deed, encounter=running.pk), 409)
    assert "That fight has begun" in refused(
        arena.ana.does("drop_foe", encounter=running.pk, foe="cave-goblin-1"), 409
    )


def test_an_ended_fight_closes_its_encounter_and_another_may_begin(arena: Arena):
    arena.begins(face=6)
    first = arena.game
    done(arena.ana.does("end_fight"))
    assert arena.last("Ended").data["is_won"] is False
    assert not arena.table.encounters.filter(is_open=True).exists()
    assert Game.objects.get(pk=first.pk).winners == []
    arena.begins(face=6)
    assert arena.game != first
    refused(arena.ana.does("end_fight", saw=first.scene), 409)


def test_only_the_host_prepares_and_begins(arena: Arena):
    encounter = arena.prepares()
    for deed in ("prepare_encounter", "start_fight", "drop_encounter", "end_fight"):
        refused(arena.ben.does(deed, encounter=encounter.pk), 403)
    refused(arena.ben.does("add_foes", encounter=0, monster=arena.monster.pk), 403)


def test_figures_that_no_fight_allows_are_refused(arena: Arena):
    encounter = arena.prepares()
    for figure, value in (("hp", 10_000), ("armor_defense", 41), ("attack_bonus", 100)):
        setattr(arena.monster, figure, value)
        arena.monster.save()
        asked = {"encounter": encounter.pk, "monster": arena.monster.pk}
        assert "bounds" in refused(arena.ana.does("add_foes", **asked), 409)
        arena.monster.refresh_from_db()
        setattr(arena.monster, figure, 11)
        arena.monster.save()


def test_what_is_not_there_is_refused(arena: Arena):
    refused(arena.ana.does("add_foes", encounter=10**9, monster=arena.monster.pk), 404)
    encounter = arena.prepares()
    refused(arena.ana.does("add_foes", encounter=encounter.pk, monster=10**9), 404)
    refused(arena.ana.does("drop_foe", encounter=encounter.pk, foe="nobody"), 404)
    refused(arena.ana.does("start_fight", encounter=10**9), 404)
    refused(arena.ana.does("add_foes", encounter=-1, monster=arena.monster.pk), 422)
    arena.monster.is_hidden = True
    arena.monster.save()
    refused(arena.ana.does("add_foes", encounter=0, monster=arena.monster.pk), 404)


def test_the_first_foes_make_an_encounter_for_themselves(arena: Arena):
    assert not arena.table.encounters.exists()
    done(arena.ana.does("add_foes", encounter=0, monster=arena.monster.pk, count=2))
    assert [len(one.foes) for one in arena.table.encounters.all()] == [2]


def test_an_encounter_put_away_is_gone(arena: Arena):
    encounter = arena.prepares()
    done(arena.ana.does("drop_encounter", encounter=encounter.pk))
    refused(arena.ana.does("start_fight", encounter=encounter.pk), 404)
    assert told(arena.last("encounter_dropped")) == ("Ambush is put away.")


def test_nobody_but_the_host_hears_of_what_waits(arena: Arena):
    encounter = arena.prepares(2, name="The traitor's men")
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Ogre: HD 4"))
    done(arena.ana.does("drop_foe", encounter=encounter.pk, foe="ogre-1"))
    seen = seen_by_all(arena.table)
    for secret in ("traitor", "Goblin", "Ogre"):
        assert secret not in seen


def groups_of(encounter: Encounter) -> list[tuple[str, bool]]:
    foes = Encounter.objects.get(pk=encounter.pk).foes
    return [(foe["group"], foe.get("leader", False)) for foe in foes]


def test_kn20_the_host_names_a_leader_and_morale_is_asked_for_when_they_fall(arena: Arena):
    """KN-20: a roll is offered when a group's leader falls, be they of another kind than it."""
    encounter = arena.prepares(3)
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Chief: HD 1, hp 4, AC 9"))
    done(arena.ana.does("name_leader", encounter=encounter.pk, foe="chief-1", on="true"))
    assert groups_of(encounter) == [("", False)] * 3 + [("", True)]
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    arena.rolls_initiative(6)
    assert not arena.events("MoraleDue")
    arena.ash_strikes(15, 4, on="chief-1")
    assert arena.of("chief-1").status is kf.Status.UNCONSCIOUS
    assert arena.last("MoraleDue").data["of_names"] == ["Goblin 1", "Goblin 2", "Goblin 3"]


def test_kn20_the_flag_of_a_foe_who_waits_says_what_it_is_for_before_it_is_tapped(arena: Arena):
    """A host who tapped it to learn that had named a leader; of one foe nobody leads, and once is
    enough."""
    done(arena.ana.does("turn_table", rules="knave"))
    says, encounter = "A foe's flag says who leads", arena.prepares(1)
    assert says not in unescape(arena.ana.sees("gm/"))
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Chief: HD 1, hp 4, AC 9"))
    arena.prepares(2)
    assert unescape(arena.ana.sees("gm/")).count(says) == 1
    for one in arena.table.encounters.all():
        done(arena.ana.does("name_leader", encounter=one.pk, foe=one.foes[-1]["id"], on="true"))
    assert says not in unescape(arena.ana.sees("gm/"))


def test_kn20_who_comes_in_late_to_a_led_band_wavers_with_it(arena: Arena):
    """KN-20: all foes beside a leader are one group, those too who come while it is fought."""
    encounter = arena.prepares(1)
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Chief: HD 1, hp 4, AC 9"))
    done(arena.ana.does("name_leader", encounter=encounter.pk, foe="chief-1", on="true"))
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    done(arena.ana.does("add_foes", encounter=encounter.pk, monster=arena.monster.pk, count=2))
    done(arena.ana.does("fight-hurt", on="chief-1", amount=4))
    assert arena.last("MoraleDue").data["of_names"] == ["Goblin 1", "Goblin 2", "Goblin 3"]


def test_kn20_foes_without_a_leader_are_groups_of_one_kind_again(arena: Arena):
    encounter = arena.prepares(1)
    done(arena.ana.does("add_stat_line", encounter=encounter.pk, text="Chief: HD 1, AC 9"))
    apart = [("cave-goblin", False), ("chief", False)]
    lead = {"encounter": encounter.pk, "foe": "cave-goblin-1"}
    refused(arena.ana.does("name_leader", on="false", **lead), 409)
    done(arena.ana.does("name_leader", on="true", **lead))
    refused(arena.ana.does("name_leader", on="true", **lead), 409)
    done(arena.ana.does("name_leader", on="true", **lead | {"foe": "chief-1"}))
    assert groups_of(encounter) == [("", False), ("", True)]
    done(arena.ana.does("turn_table", rules="knave"))
    page = arena.ana.sees("gm/")
    assert page.count("leads the others</small>") == 1
    assert 'aria-label="Chief 1 leads the others" aria-pressed="true"' in page
    assert 'aria-label="Goblin 1 leads the others" aria-pressed="false"' in page
    assert "leads the others" not in arena.ben.sees()
    done(arena.ana.does("name_leader", on="false", **lead | {"foe": "chief-1"}))
    assert groups_of(encounter) == apart
    done(arena.ana.does("name_leader", on="true", **lead))
    done(arena.ana.does("drop_foe", **lead))
    assert groups_of(encounter) == apart[1:]
    refused(arena.ana.does("name_leader", **lead), 404)


@pytest.mark.parametrize("kind", ["encounter_prepared", "foes_added", "foe_dropped"])
def test_undo_of_each_step_sets_it_back(arena: Arena, kind: str):
    rows = [kept_rows()]
    done(arena.ana.does("prepare_encounter"))
    rows.append(kept_rows())
    done(arena.ana.does("add_foes", encounter=0, monster=arena.monster.pk))
    rows.append(kept_rows())
    encounter = arena.table.encounters.first()
    done(arena.ana.does("drop_foe", encounter=encounter.pk, foe="cave-goblin-1"))
    arena.undoes(kind)
    before = rows[["encounter_prepared", "foes_added", "foe_dropped"].index(kind)]
    assert kept_rows() == before


def test_undo_of_a_leaders_name_sets_it_back(arena: Arena):
    encounter = arena.prepares(2)
    before = kept_rows()
    lead = {"encounter": encounter.pk, "foe": "cave-goblin-2", "on": "true"}
    done(arena.ana.does("name_leader", **lead))
    arena.undoes("leader_named")
    assert kept_rows() == before


def test_undoing_reinforcements_takes_them_away(arena: Arena):
    arena.begins(face=6)
    before = kept_rows()
    done(arena.ana.does("add_foes", encounter=arena.game.encounter.pk, monster=arena.monster.pk))
    arena.undoes("Joined")
    assert kept_rows() == before


@pytest.mark.parametrize("attacks", [{"name": "club"}, [], ["club"], [{"die": 0}], "club"])
def test_a_monster_whose_attacks_the_host_wrote_wrongly_comes_unarmed(arena: Arena, attacks):
    arena.monster.attacks = attacks
    arena.monster.save()
    arena.begins(face=None)
    assert arena.of("cave-goblin-1").weapon is None


def test_a_number_out_of_bounds_is_refused_with_the_bound(arena: Arena):
    """Errors say what to do next: also to a program, and where no script runs."""
    asked = {"encounter": 0, "monster": arena.monster.pk}
    for count, why in ((999, "too large: at most 30."), (0, "too small: at least 1.")):
        assert why in refused(arena.ana.does("add_foes", count=count, **asked), 422)
    assert "whole number" in refused(arena.ana.does("add_foes", count="many", **asked), 422)


def test_kn12_a_fight_that_is_full_says_how_many_may_still_come(arena: Arena):
    arena.prepares(30)
    asked = {"encounter": 0, "monster": arena.monster.pk}
    why = refused(arena.ana.does("add_foes", count=30, **asked), 409)
    assert why == "A fight holds at most 60 combatants. There is room for 29 more."
    done(arena.ana.does("add_foes", count=29, **asked))
    done(arena.ana.does("start_fight", encounter=arena.table.encounters.first().pk))
    why = refused(arena.ana.does("add_foes", count=1, **asked), 409)
    assert "room for 0 more" in why
