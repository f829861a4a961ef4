"""Whose turn it is at the table, and what is left of it (KN-12, KN-13, KN-18)."""

from __future__ import annotations

import re

import pytest

from games.rules import knave_fight as kf
from tests.characters.arena import Arena
from tests.characters.crew import knave
from tests.games.party import Party, done, refused

THREE_ATTACKS = [
    {"name": "claw", "name_es": "garra", "count": 2, "damage": "d8", "die": 8},
    {"name": "bite", "name_es": "mordisco", "count": 1, "damage": "d10", "die": 10},
]


@pytest.fixture
def arena(party: Party) -> Arena:
    found = Arena(party, hp=30, max_hp=30)
    done(found.ana.does("turn_table", rules="knave"))
    return found


@pytest.fixture
def beast(arena: Arena) -> Arena:
    """One foe with three attacks, which acts first."""
    arena.monster.attacks = THREE_ATTACKS
    arena.monster.save()
    arena.begins(face=2)
    return arena


def strikes(arena: Arena, **more: object) -> None:
    arena.dice.fall(2)
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "attacker", **more}
    done(arena.ana.does("fight-attack", **blow))


def test_kn13_a_monsters_turn_lasts_until_its_last_attack(beast: Arena):
    """KN-12, KN-13: no hasty tap of a player takes the attacks that a monster has left."""
    blow = {"by": beast.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    for left in ("2 attacks left", "1 attack left"):
        strikes(beast)
        assert left in beast.ana.sees("gm/")
        assert "Still to act: Goblin 1" in beast.ben.sees()
        assert "foes act first" in refused(beast.ben.does("fight-attack", **blow), 409)
    strikes(beast, **{"with": "0"})
    assert "has acted" in beast.ana.sees("gm/")
    beast.dice.fall(2)
    done(beast.ben.does("fight-attack", **blow))


def test_the_next_round_is_not_offered_first_while_a_monster_has_attacks_left(beast: Arena):
    """KN-13: the button that would end the monster's turn stands out of the way."""
    done(beast.ana.does("side_done"))
    beast.dice.fall(2)
    done(beast.ben.does("fight-attack", by=beast.id, on="cave-goblin-1", rolled_by="attacker"))
    assert "Everybody has acted" in beast.ana.sees("gm/")
    beast.rolls_initiative(6)
    beast.dice.fall(2)
    done(beast.ben.does("fight-attack", by=beast.id, on="cave-goblin-1", rolled_by="attacker"))
    strikes(beast)
    assert "Everybody has acted" not in beast.ana.sees("gm/")


def test_kn12_a_foes_blow_asks_twice_while_the_party_has_its_turn(arena: Arena):
    """One tap at the wrong moment would end the turn of everybody who has not acted yet."""
    fold, button = 'id="early-cave-goblin-1-1"', 'id="strike-cave-goblin-1-'
    words = "ends the party"
    arena.begins(face=6)
    page = arena.ana.sees("gm/")
    assert page.index(fold) < page.index(button)
    assert words in page
    arena.ash_strikes(2)
    page = arena.ana.sees("gm/")
    assert "The foes act" in page
    assert button in page
    assert fold not in page
    assert words not in page


def test_kn12_nor_does_a_friend_end_the_foes_turn_by_one_tap(arena: Arena):
    """Who has come over to the party waits for the party's turn."""
    arena.begins(count=2, face=2)
    done(arena.ana.does("fight-turn", of="cave-goblin-2"))
    page = arena.ana.sees("gm/")
    assert 'id="early-cave-goblin-2-1"' in page
    assert 'id="early-cave-goblin-1-1"' not in page
    assert "ends the foes" in page


def test_kn18_the_other_half_may_follow_until_a_foe_has_acted(arena: Arena):
    """Also where the referee has said that the party is done: the phone offers it."""
    arena.begins(face=6)
    arena.ash_strikes(2, both="true")
    done(arena.ana.does("side_done"))
    half = {"by": arena.id, "on": "cave-goblin-1", "ability": "dex", "against": "str"}
    arena.dice.fall(15)
    done(arena.ben.does("fight-stunt", **half))
    arena.rolls_initiative(6)
    arena.ash_strikes(2, both="true")
    arena.goblin_strikes(2)
    assert "begun to act" in refused(arena.ben.does("fight-stunt", **half), 409)


def test_kn18_the_other_half_goes_against_the_same_foe_whoever_asks(arena: Arena):
    """KN-18: also from the host's form, which lists every foe, and from a program."""
    arena.begins(count=2, face=6)
    arena.ash_strikes(2, both="true")
    half = {"by": arena.id, "ability": "dex", "against": "str"}
    for who in (arena.ana, arena.ben):
        told = refused(who.does("fight-stunt", on="cave-goblin-2", **half), 409)
        assert "the same foe: Goblin 1." in told
    arena.dice.fall(15)
    done(arena.ana.does("fight-stunt", on="cave-goblin-1", **half))
    arena.rolls_initiative(6)
    arena.dice.fall(15)
    done(arena.ben.does("fight-stunt", on="cave-goblin-2", both="true", **half))
    blow = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    assert "the same foe: Goblin 2." in refused(arena.ben.does("fight-attack", **blow), 409)


def test_kn18_who_owes_the_other_half_is_still_to_act_unless_the_foe_is_gone(arena: Arena):
    """KN-18: an attack and a stunt are one turn; of a dead foe nothing more is asked."""
    arena.begins(count=2, face=6)
    arena.ash_strikes(2, both="true")
    assert "Still to act: Ash" in arena.ben.sees()
    done(arena.ana.does("fight-hurt", on="cave-goblin-1", amount=9))
    assert "Still to act: Ash" not in arena.ben.sees()
    assert "Still to act: Goblin 2" in arena.ben.sees()


@pytest.mark.parametrize(
    ("has_acted", "why"),
    [
        (True, "You have made all your attacks for this round."),
        (False, "Your side&#39;s turn is over"),
    ],
)
def test_nobody_reads_that_the_foes_act_first_when_they_do_not(
    arena: Arena, has_acted: bool, why: str
):
    """KN-12: the party went first this round, and what somebody did is the reason they wait."""
    arena.begins(count=1, face=6)
    if has_acted:
        arena.ash_strikes(2)
    else:
        done(arena.ana.does("side_done"))
    page = arena.ben.sees()
    assert "The foes act first this round." not in page
    assert why in page


def test_who_comes_into_a_round_that_is_done_reads_that_it_is(arena: Arena):
    """KN-12: "the other side has begun to act" stood under "The round is done"."""
    arena.begins(count=1, face=6)
    arena.goblin_strikes(2)
    page = arena.ben.sees()
    assert "The round is done" in page
    assert "Your side&#39;s turn is over" in page
    assert "begun to act" not in page


def test_who_lies_unconscious_reads_that_whoever_acts(arena: Arena):
    """KN-16: the foes' turn is not why they do nothing."""
    arena.begins(count=1, face=2)
    done(arena.ana.does("fight-hurt", on=arena.id, amount=30))
    page = arena.ben.sees()
    assert "You are unconscious." in page
    assert "The foes act first this round." not in page


def test_kn12_who_is_late_is_told_so(arena: Arena):
    """KN-12: of a round that the party began nobody reads that the foes act first."""
    arena.begins(face=6)
    done(arena.ana.does("side_done"))
    blow = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    assert "turn is over" in refused(arena.ben.does("fight-attack", **blow), 409)
    assert arena.state.first is kf.Side.PARTY


def test_of_a_crowd_the_first_are_named(arena: Arena):
    """A list of thirty names would cover the foes themselves on the shared screen."""
    arena.begins(count=30, face=2)
    page = arena.ben.sees()
    assert "Still to act: Goblin 1, Goblin 2, Goblin 3, Goblin 4, Goblin 5 and 25 more" in page


def test_a_blow_with_more_to_it_names_the_attacks(beast: Arena):
    """A number alone does not say which attack it is."""
    page = beast.ana.sees("gm/")
    assert "1 · claw" in page
    assert "2 · bite" in page
    assert "claw d8 ×2 at" in page


def test_only_the_referee_is_told_to_roll_and_a_done_round_is_nobodys(beast: Arena):
    """KN-12: on a phone no button rolls for initiative, so its words say who does."""
    done(beast.ana.does("side_done"))
    beast.ash_strikes(2)
    for page, word in (("", "referee rolls for"), ("gm/", "roll for")):
        seen = (beast.ana if page else beast.ben).sees(page)
        assert f"Everybody has acted: {'the ' if not page else ''}{word} the next round" in seen
        assert "The round is done" in seen
    assert "Your side acts" not in beast.ben.sees()


def test_a_roll_of_an_earlier_round_does_not_lie_over_this_one(arena: Arena):
    """What one rolled is old news when the dice have said anew who acts first."""
    arena.begins(face=6)
    arena.ash_strikes(2)
    assert "Put this roll away" in arena.ben.sees()
    arena.goblin_strikes(2)
    arena.rolls_initiative(6)
    assert "Put this roll away" not in arena.ben.sees()


def test_a_blow_is_told_on_the_phone_that_it_falls_on_until_its_player_acts(arena: Arena):
    """KN-13: the referee's dice fall on another screen; own old dice are no answer."""
    arena.begins(face=6)
    arena.ash_strikes(2)
    arena.goblin_strikes(15, 3)
    arena.undoes("Attacked")
    assert re.search(r'class="my-news">Ana takes the last move back: “[^<]*hits', arena.ben.sees())
    arena.goblin_strikes(15, 3)
    done(arena.ana.does("pass_turns", turns=1))  # what comes after it does not hide it
    assert re.search(r'class="my-news">[^<]*Goblin[^<]*hits[^<]*Ash', arena.ben.sees())
    assert "Put this roll away" not in arena.ben.sees()
    assert "my-news" not in arena.ana.sees()
    arena.rolls_initiative(6)
    arena.ash_strikes(2)
    assert "my-news" not in arena.ben.sees()


def test_kn24_who_pays_a_hireling_is_told_of_its_death_until_they_act(arena: Arena):
    """It was gone from the phone, and of the blows there the only one that was not told."""
    figures = {"kind": "hireling", "hp": 1, "max_hp": 1, "natural_die": 6}
    carl = knave(arena.table, None, "Carl", employer=arena.ash, **figures)
    arena.begins(face=2)
    arena.goblin_strikes(15, 4, on=f"k{carl.pk}")
    told = 'class="my-news">'
    assert f"{told}Carl is dead: Goblin 1." in arena.ben.sees()
    done(arena.ana.does("pass_turns", turns=1))  # what comes after it does not hide it
    both = told + r"[^<]*Goblin 1[^<]*hits Carl for 4\.[^<]*Carl is dead: Goblin 1\."
    assert re.search(both, arena.ben.sees())
    arena.ash_strikes(2)
    assert told not in arena.ben.sees()


def test_kn20_who_has_fled_is_seen_to_have_on_the_tablet_and_among_the_party(arena: Arena):
    """It was said of foes alone: whoever counted heads counted one who would not act again."""
    arena.begins(face=6)
    done(arena.ben.does("fight-flee", of=arena.id))
    assert '<b class="flag is-warn">fled</b>' in arena.cast.tess.sees("screen/")
    assert '<span class="flag is-fled">fled</span>' in arena.ben.sees()


def test_what_the_referee_takes_back_is_told_on_the_players_phones(arena: Arena):
    """A round and hit points go back there as well: nobody wonders where they have gone."""
    arena.begins(face=6)
    arena.rolls_initiative(2)
    arena.undoes("RoundBegun")
    told = "Ana takes the last move back: “Round 2: a 2, and the foes act first.”"
    assert f'class="my-news">{told}<' in arena.ben.sees()
    assert "my-news" not in arena.ana.sees()
    arena.ash_strikes(2)
    assert told not in re.sub(r"(?s)<ol.*", "", arena.ben.sees())


def test_kn12_a_hasty_player_does_not_cut_the_foes_turn_short(arena: Arena):
    arena.begins(face=2)
    blow = {"by": arena.id, "on": "cave-goblin-1", "rolled_by": "attacker"}
    assert "foes act first" in refused(arena.ben.does("fight-attack", **blow), 409)
    done(arena.ana.does("side_done"))
    refused(arena.ana.does("side_done"), 409)
    arena.dice.fall(2)
    done(arena.ben.does("fight-attack", **blow))


def test_kn12_the_foes_turn_is_over_when_every_foe_has_acted(arena: Arena):
    arena.begins(face=2)
    for foe in [f for f in arena.state.fighters if f.side is kf.Side.FOES]:
        arena.dice.fall(2)
        strike = {"by": foe.id, "on": arena.id, "rolled_by": "attacker"}
        done(arena.ana.does("fight-attack", **strike))
    arena.dice.fall(2)
    done(arena.ben.does("fight-attack", by=arena.id, on="cave-goblin-1", rolled_by="attacker"))


def test_why_nobody_is_struck_any_more_is_a_sentence_like_every_other_reason(arena: Arena):
    arena.begins(face=6)
    for foe in [f for f in arena.state.fighters if f.side is kf.Side.FOES]:
        done(arena.ana.does("fight-flee", of=foe.id))
    assert '<p class="why-not">Nobody is left to fight.</p>' in arena.ben.sees()
