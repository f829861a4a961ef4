"""The worked fights of the rules text: the engine says what the text says, step by step."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from games.rules.wicked_sequence.rounds import dice_after_round
from tests.rules.wicked_sequence.scenario import SHEETS, Sequence

FIGHTS = yaml.safe_load((Path(__file__).parent / "worked_fights.yaml").read_text())


def facts(played: Sequence) -> dict[str, Any]:
    """Return a summary, with the advantage dice as they will lie after the round."""
    return {
        **played.summary,
        "taken": [[one.holder, one.over] for one in dice_after_round(played.state)],
    }


@pytest.mark.parametrize("fight", FIGHTS, ids=lambda fight: fight["fight"])
def test_a_worked_fight_comes_out_as_told(fight):
    cast = [{"id": who, **SHEETS[sheet]} for who, sheet in fight["sheets"].items()]
    played = Sequence({"participants": cast})
    for number, step in enumerate(fight["steps"]):
        line = dict(step["do"])
        played.does(line.pop("action"), line.pop("by", None), **line)
        now = facts(played)
        for field, expected in step.get("holds", {}).items():
            found = now[field]
            if field == "forms":
                found = {who: found[who] for who in expected}
            assert found == expected, (number, field)


def test_every_fight_of_the_text_is_there():
    assert len(FIGHTS) == 4
