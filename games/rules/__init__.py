"""The games' rules: plain Python that knows no Django, no clock and no network.

How to add a game
-----------------

1. Write its module or package here, with what `engine.Rules` asks for: `setup`,
   `legal_actions`, `apply`, `view` and `outcome`; `must`, `refusal` and
   `scramble`; the types of its values; and the functions that read and write
   its records. States, views, actions and events are frozen structs.
2. Put it into `RULES` below, under its own `NAME`; `manage.py replay` then reads
   it. Give it tables in `tests/rules/test_contract.py`, which plays them: a state
   names its seats in `names`, or `tests/rules/walking.py` is told where.
3. Add a recorded game to `tests/playthroughs/<name>-*.jsonl`; beside it, in
   `.end.json`, the line that `manage.py replay` prints for it.
4. Give it deeds and screens in an app of its own, and register its `Stage`
   (`games/stage.py`) in that app's `AppConfig.ready` (CONTRIBUTING.md says more).
"""

from __future__ import annotations

from typing import Final

from games.rules import brave_or_knave, knave_fight, wicked_sequence
from games.rules.engine import Rules

RULES: Final[dict[str, Rules]] = {
    brave_or_knave.NAME: brave_or_knave,
    knave_fight.NAME: knave_fight,
    wicked_sequence.NAME: wicked_sequence,
}
"""Every game there is, by the name its records carry."""
