"""What nobody rolled is told on the screens as well: who was picked, dealt to, or got up."""

from __future__ import annotations

import json
from typing import Any

import pytest

from games.sentences import tell
from tests.games.party import Party, done

AXE: dict[str, Any] = {"kind": "lose", "target": "picked", "amount": 2}
BALM: dict[str, Any] = {"kind": "regain", "target": "everyone", "amount": 1}
TOSS: dict[str, Any] = {"kind": "pass_die", "target": "picked", "amount": 1}


def rules(party: Party, **effects: dict[str, Any]) -> None:
    """Write house rules on 10 and the numbers after it."""
    for number, (name, effect) in enumerate(effects.items(), 10):
        rule = {"name": name, "cry": f"{name}!", "number": number, "on": "both"}
        done(party.ana.does("add_house_rule", rule=json.dumps({**rule, "effects": [effect]})))


def told(party: Party) -> str:
    """Return what the tablet says has just happened."""
    return party.tess.sees("screen/").split('class="moment">')[1].split("</p>")[0]


def test_bk25_who_picks_reads_what_the_rule_does_and_everybody_whom_it_met(party: Party):
    rules(party, Axe=AXE)
    party.begins().rolls(party.ana, 10)
    axe = "“Axe” (one picked by whoever has just rolled: −2 fingers)"
    assert f"Whom do you pick for {axe}?" in party.ana.sees()
    assert f"Ana picks for {axe}" in party.ben.sees()
    done(party.ana.does("name", to=1))
    assert told(party) == "Ben loses 2 fingers. 3 are left."


def test_bk25_of_two_rules_for_one_number_the_one_that_acts_is_named(party: Party):
    """One for opening rolls and one for challenges: who picked for the second read of the first."""
    for name, on, effect in (("Axe", "opening", AXE), ("Toss", "challenge", TOSS)):
        rule = {"name": name, "cry": name, "number": 10, "on": on, "effects": [effect]}
        done(party.ana.does("add_house_rule", rule=json.dumps(rule)))
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 10)
    assert "Whom do you pick for “Toss” (the die passes to one picked" in party.ben.sees()
    assert "Ben picks for “Toss”" in party.ana.sees()


def test_bk25_a_cry_from_right_to_left_is_cried_once(party: Party):
    """It stands above the words about what happened, which began with it once more."""
    rule = {"name": "L", "cry": "לחיים", "number": 10, "on": "both", "effects": [BALM]}
    done(party.ana.does("add_house_rule", rule=json.dumps(rule)))
    party.begins().rolls(party.ana, 10)
    assert "לחיים" in party.tess.sees("screen/").split('class="cry')[1].split("</p>")[0]
    assert "לחיים" not in told(party)


@pytest.mark.parametrize(
    ("typed", "cried", "in_spanish"),
    [
        ("Meow!", "Meow!", "¡Meow!"),
        ("Meow !!", "Meow!", "¡Meow!"),
        ("¡SPILL! 🍺", "SPILL! 🍺", "¡SPILL! 🍺"),
        ("SPILL! ❤️", "SPILL! ❤️", "¡SPILL! ❤️"),
        ("SPILL 🍺", "SPILL 🍺!", "¡SPILL 🍺!"),
        ("SPILL ❗", "SPILL ❗", "SPILL ❗"),
        ("SPILL！", "SPILL！", "SPILL！"),
        ("¿Quién?", "¿Quién?", "¿Quién?"),
        ("Who?!", "Who?!", "¡Who?!"),
        ("¿Quién?!", "¿Quién?!", "¿Quién?!"),
        ("Oh dear…", "Oh dear…", "Oh dear…"),
        ("Nevermore.", "Nevermore.", "Nevermore."),
    ],
)
def test_bk25_a_cry_has_no_second_mark_where_it_has_its_own(
    party: Party, typed: str, cried: str, in_spanish: str
):
    """Also before a picture at its end; and what stands above is not said once more below."""
    rule = {"name": "L", "cry": typed, "number": 10, "on": "both", "effects": [BALM]}
    done(party.ana.does("add_house_rule", rule=json.dumps(rule)))
    party.begins().rolls(party.ana, 10)
    for language, cry in (("en", cried), ("es", in_spanish)):
        done(party.tess.does("speak", language=language))
        above = party.tess.sees("screen/").split('<p class="cry')[1].split("</p>")[0]
        assert above.partition(">")[2] == cry
        assert told(party).startswith("10: ")


def test_bk25_fingers_regained_are_told_as_lost_ones_are(party: Party):
    """The hand beside it has five again, where “4 are left” would be the last word."""
    rules(party, Balm=BALM)
    party.begins().rolls(party.ana, 7).challenges(party.ben, "knave", 10)
    assert told(party).endswith("Ben has 5 fingers again.")


def test_bk25_whom_a_rule_was_picked_for_is_taken_back_by_who_picked(party: Party):
    """The rule book: a choice of your own, as long as nothing has followed from it."""
    rules(party, Axe=AXE, Toss=TOSS)
    party.begins().rolls(party.ana, 11)
    done(party.ana.does("name", to=1))
    assert 'id="undo"' in party.ana.sees()
    assert 'id="undo"' not in party.ben.sees()
    done(party.ana.does("undo", event=party.events("DieTaken")[-1].seq))
    assert (party.phase, party.state.namer) == ("name", 0)


def test_bk23_screens_tell_what_was_called_blind_and_who_lost_by_the_wager(party: Party):
    party.welcomes("Dora")
    party.begins(has_shroud="true", dice="either").calls_blind(party.ben, "brave")
    assert "Ben says BRAVE, blind. Ana lifts the hand and reads the number" in party.ben.sees()
    done(party.ana.does("roll", dice=6))
    assert "Miss it and you lose three." in party.ben.sees()
    done(party.ben.does("roll", dice=12))
    done(party.ben.does("deal", fingers_0=1, fingers_2=2))
    assert "Ana loses a finger. 4 are left. Dora loses 2 fingers. 3 are left." in told(party)


def test_bk23_who_has_one_finger_to_deal_out_is_told_of_one():
    """Where the others had a single finger left it was "1 lost fingers"."""
    said = "Ben wins the wager and deals out a lost finger."
    assert tell("WagerWon", {"seat": 0, "amount": 1}, ["Ben"]) == said


def test_bk20_the_fingers_that_are_left_are_named_for_a_die_under_a_cupped_hand_too(party: Party):
    """With real dice the screen reminds: it did so when the hand was lifted, after the roll."""
    party.begins(has_shroud="true", dice="real", first=party.ben)
    done(party.ben.does("roll", dice=7))
    party.shouts(party.ana, "brave").closes()
    done(party.ana.does("roll", dice=3))
    done(party.ana.does("finger", which="thumb"))
    done(party.ben.does("shroud"))
    assert "Grip the die only with: index finger" in party.ana.sees()
    done(party.ana.does("roll", cupped="true"))
    assert "Grip the die" not in party.ana.sees()


def test_bk24_who_heals_reads_what_a_miss_costs(party: Party):
    party.begins(has_nine_sisters="true").rolls(party.ana, 9)
    done(party.ben.does("shout", call="heal"))
    party.clock.passes(2000)
    party.closes()
    page = party.ben.sees()
    assert "Over 9, and you are out." in page
    assert "a finger goes" not in page


def test_bk21_who_gets_up_is_told_before_the_next_roll(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    done(party.ben.does("leave_table"))
    assert told(party) == "Ben gets up and is out."
