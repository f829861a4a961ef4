"""A house that has been lived in: every game of ours over, running, undone, and things typed.

Whatever a release does not have yet is left out, so that the same lines make a house of each.
"""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from tests.games.party import Clock, Dice, Party, done


def live(dice: Dice, clock: Clock) -> list[Any]:
    """Play at three tables; return what stands for each, for tests to go on with."""
    stands: list[Any] = [bouts(dice, clock)]
    if find_spec("tests.characters"):
        stands.append(fights(dice, clock))
    if find_spec("tests.campaigns"):
        stands.append(campaign(dice, clock))
    return stands


def bouts(dice: Dice, clock: Clock) -> Party:
    """Play one bout of Brave or Knave to its end and a second one to its middle."""
    import json

    from tests.games.at_random import HOUSE_RULE, plays_at_random

    party = Party(dice, clock).gathers()
    party.welcomes("Dora", "Emil")
    done(party.ana.does("add_house_rule", rule=json.dumps(HOUSE_RULE)))
    party.begins(17, 18, 4, 3, has_shroud="true")
    plays_at_random(party, 5, undoes=True, leaves=False)
    del dice.roll
    done(party.ana.does("rematch"))
    done(party.ana.does("configure", setting="has_shroud", value="false"))
    party.begins(first=party.ana).rolls(party.ana, 7)
    return party


def fights(dice: Dice, clock: Clock) -> Any:
    """Fight to an end with something taken back, and begin another fight."""
    from tests.characters.arena import Arena

    arena = Arena(Party(dice, clock).gathers())
    done(arena.ana.does("turn_table", rules="knave"))
    arena.begins(2, face=2)
    arena.goblin_strikes(20, 1, 1)
    arena.ash_strikes(1)
    arena.undoes("Attacked")
    arena.ash_strikes(15, 8)
    done(arena.ana.does("end_fight"))
    arena.begins(2, face=6)
    arena.ash_strikes(12, 2)
    return arena


def campaign(dice: Dice, clock: Clock) -> Any:
    """Bring a campaign into the middle of a fight, with a line that stays out of play."""
    from tests.campaigns.saga import Saga

    saga = Saga(dice, clock).gathers()
    done(saga.amy.does("add_content_line", text="No spiders"))
    done(saga.erin.does("offer_pass", who=saga.amy.seat))
    for place in ("begun", "oracle", "deal", "cast", "choose", "sheets", "interests", "play",
                  "dice", "roll", "turn"):  # fmt: skip
        saga.goes_to(place)
    return saga
