"""A fight in the log: its record, its undo, its secrets, its words."""

from __future__ import annotations

import json

import pytest
from django.utils import translation

from characters.models import Item
from characters.services.foe_names import blow_in_tongue, encounter_in_tongue, in_tongue
from games import stored
from games.models import Game, Seat
from games.rules import knave_fight as kf
from games.rules import records
from games.sentences import tell
from tests.characters.arena import (
    GAMBESON,
    SHIELD,
    Arena,
    holds,
    knave,
    seen_by_all,
)
from tests.characters.crew import book_of, told
from tests.games.party import done, fresh, refused
from tests.set_back import kept_rows


# --- the record ----------------------------------------------------------------------------------
def a_whole_fight(arena: Arena) -> None:
    """Fight to the end, with an undo in the middle, and close the fight."""
    arena.begins(2, face=2)
    arena.goblin_strikes(20, 1, 1)
    arena.ash_strikes(1)
    arena.undoes("Attacked")
    arena.ash_strikes(15, 8)
    arena.dice.fall(2, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-2"))
    arena.rolls_initiative(6)
    arena.ash_strikes(20, 2, 2, on="cave-goblin-2")
    done(arena.ana.does("end_fight"))


def test_where_foes_defenses_are_hidden_a_fights_record_stays_the_hosts(arena: Arena):
    """They stood in the file, for whoever had not been told in the log what it takes to hit."""
    a_whole_fight(arena)
    path = f"/t/{arena.table.code}/records/{arena.game.pk}/"
    for shown, status in (("true", 200), ("false", 403)):
        done(arena.ana.does("configure_knave", setting="foes_shown", value=shown))
        assert arena.ben.client.get(path).status_code == status
        assert (path in arena.ben.sees("records/")) is (status == 200)
        assert arena.ana.client.get(path).status_code == 200
        assert path in arena.ana.sees("records/")


def test_a_fight_goes_to_the_records_and_replays_to_the_same_end(arena: Arena):
    a_whole_fight(arena)
    assert arena.game.status == Game.Status.OVER
    assert arena.game.winners == ["Ash"]
    assert arena.last("Ended").data["is_won"] is True
    answer = arena.ana.client.get(f"/t/{arena.table.code}/records/{arena.game.pk}/")
    assert answer.status_code == 200
    end = records.replay(answer.content.decode())
    assert end.state == arena.state
    lines = [json.loads(line) for line in answer.content.decode().splitlines()]
    assert [line.get("action") for line in lines[1:]] == [
        "initiative",
        "engage",
        "attack",
        "attack",
        "morale",
        "initiative",
        "engage",
        "attack",
        "end",
    ]


def test_play_again_reaches_the_state_that_is_kept(arena: Arena):
    a_whole_fight(arena)
    game = arena.game
    assert stored.play_again(game, stored.plays_that_count(game)) == arena.state


# --- undo ----------------------------------------------------------------------------------------
@pytest.mark.parametrize("faces", [(15, 6), (20, 2, 3), (15, 2), (15, 5), (1,)])
def test_undoing_a_blow_sets_back_state_sheet_gear_pile_and_grave(arena: Arena, faces):
    holds(arena.ash, "shield", **SHIELD)
    Item.objects.filter(pk=arena.gambeson.pk).update(quality=1)
    arena.begins(2, face=1)
    before = kept_rows()
    arena.goblin_strikes(*faces)
    assert kept_rows() != before
    arena.undoes("Attacked")
    assert kept_rows() == before


def test_undoing_a_blow_takes_back_what_came_of_it_too(arena: Arena):
    arena.begins(2, face=6)
    before = kept_rows()
    arena.ash_strikes(15, 8)
    first = arena.last("Attacked")
    arena.goblin_strikes(15, 6, by="cave-goblin-2")
    arena.dice.fall(2, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-2"))
    done(arena.ana.does("undo", event=first.seq, sure="true"))
    assert kept_rows() == before


def test_undoing_the_beginning_leaves_the_log_whole(arena: Arena):
    encounter = arena.prepares()
    before = kept_rows()
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    arena.rolls_initiative(6)
    arena.ash_strikes(15, 8)
    seq, game = arena.table.seq, arena.game
    done(arena.ana.does("undo", event=arena.last("fight_begun").seq, sure="true"))
    assert (fresh(game).status, fresh(game).setup, fresh(game).state) == ("ended", "", "")
    left = kept_rows()
    left["games.Game"] = [row for row in left["games.Game"] if row["id"] != game.pk]
    assert left == before
    assert [e.seq for e in arena.table.events.order_by("seq")] == list(range(1, seq + 2))
    assert "A fight" not in arena.ana.sees("records/")
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    assert arena.game.pk != game.pk
    done(arena.ana.does("end_fight"))
    assert "Ambush" in arena.ana.sees("records/")


def test_undoing_the_end_of_a_fight_takes_back_the_next_one(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(15, 8)
    done(arena.ana.does("end_fight"))
    first = arena.game
    ended = arena.last("Ended")
    arena.begins(face=6)
    done(arena.ana.does("undo", event=ended.seq, sure="true"))
    assert fresh(first).status == Game.Status.PLAYING
    assert arena.table.games.filter(rules=kf.NAME, status="playing").count() == 1
    done(arena.ana.does("fight-initiative", dice="4", saw=fresh(first).scene))


def test_a_player_does_not_take_back_a_die(arena: Arena):
    arena.begins(face=6)
    arena.ash_strikes(15, 3)
    refused(arena.ben.does("undo", event=arena.last("Attacked").seq), 403)


# --- secrets -------------------------------------------------------------------------------------
def test_no_public_event_tells_a_foes_hit_points_or_morale(arena: Arena):
    arena.monster.hp, arena.monster.morale = 937, 11
    arena.monster.save()
    arena.begins(2, face=6)
    arena.ash_strikes(15, 8)
    arena.goblin_strikes(15, 1)
    arena.dice.fall(1, 3)
    done(arena.ana.does("fight-morale", of="cave-goblin-1"))
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=2))
    done(arena.ana.does("fight-heal", on="cave-goblin-1", amount=1))
    done(arena.ana.does("add_foes", encounter=arena.game.encounter.pk, monster=arena.monster.pk))
    seen = seen_by_all(arena.table)
    for secret in ("937", "929", "927", "928", "11}", "'morale'"):
        assert secret not in seen


def test_where_foes_are_not_shown_the_log_hides_what_was_rolled_against(arena: Arena):
    done(arena.ana.does("configure_knave", setting="foes_shown", value="false"))
    arena.begins(2, face=6)
    arena.ash_strikes(15, 1)
    assert arena.last("Attacked").data["target"] is None
    assert "needed" not in told(arena.last("Attacked"))
    arena.goblin_strikes(15, 1)
    assert arena.last("Attacked").data["target"] == 12  # Ash's own armor is no secret


def test_every_event_of_a_fight_has_words_or_needs_none(arena: Arena):
    [cy] = arena.cast.welcomes("Cy")
    moth = knave(cy, "Moth")
    holds(moth, "gambeson", **{**GAMBESON, "quality": 1})
    a_whole_fight(arena)
    for event in arena.table.events.exclude(game=None).filter(game__rules=kf.NAME):
        text = tell(event.kind, event.data, [])
        assert "%(" not in text
        # A wound that a blow has dealt is told with the blow.
        assert text or (event.kind == "Damaged" and event.data["by"]), event.kind


def test_a_foe_of_the_book_is_named_in_the_readers_language(arena: Arena):
    """A table's phones may speak two languages; a knave keeps the name that its owner wrote."""
    arena.ash.name = "Goblin 7"
    arena.ash.save()
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ben.does("speak", language="es"))
    arena.begins(count=2, face=6)
    page = arena.ben.sees()
    assert "Trasgo 1" in page
    assert "Goblin 1" not in page
    assert "Goblin 2" in arena.ana.sees("gm/")
    arena.ash_strikes(19, 8)
    page = arena.ben.sees()
    assert "Goblin 7 saca un" in page
    assert "le da a Trasgo 1" in page
    blow = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    answer = arena.ben.does("fight-stunt", **blow, ability="str", against="dex")
    assert "Goblin 1" not in refused(answer, 409)


def test_our_own_names_of_encounters_and_attacks_are_in_the_readers_language(arena: Arena):
    """What nobody has named, and what the book has; the rest is as it was typed."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("prepare_encounter", name="The mill"))
    monster = arena.monster.pk
    done(arena.ana.does("prepare_encounter"))
    assert "Encounter 2" in arena.ana.sees("gm/")
    second = arena.table.encounters.latest("pk").pk
    done(arena.ana.does("add_foes", encounter=second, monster=monster, count=2))
    done(arena.ana.does("start_fight", encounter=second))
    arena.rolls_initiative(1)
    pages = {}
    for language in ("en", "es"):
        for person in (arena.ana, arena.ben):
            done(person.does("speak", language=language))
        pages[language] = arena.ana.sees("gm/") + arena.ben.sees() + arena.ana.sees("records/")
    assert "Encounter 1" in pages["en"]
    assert "Encuentro 1" not in pages["en"]
    assert "Encuentro 1" in pages["es"]
    assert "Encounter 1" not in pages["es"]
    assert all("The mill" in page for page in pages.values())
    assert "club +1 d6" in pages["en"]
    assert "porra +1 d6" in pages["es"]
    assert "club +1 d6" not in pages["es"]


def test_what_the_referee_has_typed_is_nobodys_to_translate(arena: Arena):
    assert arena.monster.key == "cave-goblin"
    names = ("The mill", "Encounter", "Encounter two", "Encuentro 3b", "", "2")
    with translation.override("es"):
        assert [encounter_in_tongue(name) for name in names] == list(names)
        assert blow_in_tongue("cave-goblin-1", "spite") == "spite"
        assert blow_in_tongue("nobody-1", "club") == "club"
        assert in_tongue("Foe 3") == "Enemigo 3"


def test_what_killed_somebody_is_named_in_the_readers_language(arena: Arena):
    """KN-16: on the phone, on the grave and in the log."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ben.does("speak", language="es"))
    arena.begins(count=1, face=1)
    arena.goblin_strikes(20, 6, 6)
    page = arena.ben.sees()
    assert "Ash ha muerto: Trasgo 1" in page
    assert "<b>Causa: Trasgo 1</b>" in page
    assert "Trasgo 1" in arena.ben.sees("graveyard/")


def test_a_spell_has_the_tables_name_in_the_record_whoever_reads_it_aloud(arena: Arena):
    """A record has one name for each: a Spanish phone wrote its own beside the English weapons."""
    book = book_of(arena.ash)
    arena.begins()
    Seat.objects.filter(pk=arena.ben.row.pk).update(language="es")
    done(arena.ben.does("cast_spell", item=book.pk))
    (cast,) = arena.cast.last_play.action["moves"]
    assert cast["action"]["spell"] == "Charm"


# --- how it is shown -----------------------------------------------------------------------------
def test_a_foes_luck_is_not_drawn_as_the_partys(arena: Arena):
    """Colour and sign mean one thing each: a golden tick is good news, and a wound is none."""
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(face=2)
    arena.goblin_strikes(18, 1)
    for page in (arena.ben.sees(), arena.cast.tess.sees("screen/")):
        assert 'is-hit by-foes"' in page
    arena.ash_strikes(15, 1)
    for page in (arena.ben.sees(), arena.cast.tess.sees("screen/")):
        assert 'is-hit"' in page
        assert "by-foes" not in page


def test_the_table_does_not_wait_for_the_roll_of_a_dead_knave(arena: Arena):
    """KN-16: as on the referee's page, so on the tablet: the dead answer no more."""
    done(arena.ana.does("turn_table", rules="knave"))
    shade = knave(arena.ana, "Shade")
    done(arena.ana.does("ask_saves", ability="dex"))
    assert "Waiting for Ash and Shade to roll" in arena.cast.tess.sees("screen/")
    done(arena.ana.does("change_hp", character=shade.pk, by=-9))
    assert "Waiting for Ash to roll" in arena.cast.tess.sees("screen/")
