"""The games' rules: plain Python that knows no Django, no clock and no network.

How to add a game
-----------------

1. Write its module or package here, with what `engine.Rules` asks for: `setup`,
   `legal_actions`, `apply`, `view` and `outcome`; `must`, `refusal` and
   `scramble`; and the five functions that read and write its records.
   States, views, actions and events are frozen structs.
2. Put it into `RULES` below, under its own `NAME`. The contract test in
   `tests/rules/test_contract.py` then plays it, and `manage.py replay` reads it.
3. Add a recorded game to `tests/playthroughs/<name>-*.jsonl` with the line it
   ends in beside it (`.end.json`).
4. Give it screens and a service in the app it belongs to; see `games/screens`.
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
