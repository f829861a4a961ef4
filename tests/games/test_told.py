"""What nobody rolled is told on the screens as well: who was picked, dealt to, or got up."""

from __future__ import annotations

import json
from typing import Any

from tests.games.party import Party, done

BALM: dict[str, Any] = {"kind": "regain", "target": "everyone", "amount": 1}


def rules(party: Party, **effects: dict[str, Any]) -> None:
    """Write house rules on 10 and the numbers after it."""
    for number, (name, effect) in enumerate(effects.items(), 10):
        rule = {"name": name, "cry": f"{name}!", "number": number, "on": "both"}
        done(party.ana.does("add_house_rule", rule=json.dumps({**rule, "effects": [effect]})))


def told(party: Party) -> str:
    """Return what the tablet says has just happened."""
    return party.tess.sees("screen/").split('class="moment">')[1].split("</p>")[0]


def test_bk25_fingers_regained_are_told_as_lost_ones_are(party: Party):
    """The hand beside it has five again, where “4 are left” would be the last word."""
    rules(party, Balm=BALM)
    party.begins().rolls(party.ana, 7).challenges(party.ben, "knave", 10)
    assert told(party).endswith("Ben has 5 fingers again.")


def test_bk21_who_gets_up_is_told_before_the_next_roll(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    done(party.ben.does("leave_table"))
    assert told(party) == "Ben gets up and is out."
