"""How a table plays Knave: one typed value, kept as JSON in the party's row."""

from __future__ import annotations

from typing import Literal

import msgspec

from games.rules.engine import learn


class KnaveSettings(msgspec.Struct, frozen=True):
    """What a referee may set.

    `gear`: starting gear by the tables or by money (KN-3). `spell`: a random
    spell book instead of armor, or beside it (KN-3). `may_reroll`: parts of a
    new knave may be rolled again before it is confirmed (KN-7). `experience`:
    by accomplishments, milestones, sessions, or for coin brought home (KN-22).
    `raising`: chosen abilities, or the dice choose (KN-23). `players_roll_all`:
    players roll to defend too (KN-14). `foes_shown`: foes' defenses may be
    seen in the log. `may_add`: players may write items on their own sheets.
    `shop_open`: players may buy from the price list.
    """

    gear: Literal["tables", "money"] = "tables"
    spell: Literal["none", "instead_of_armor", "extra"] = "none"
    may_reroll: bool = True
    experience: Literal["accomplishments", "milestones", "sessions", "coin"] = "accomplishments"
    raising: Literal["chosen", "dice"] = "chosen"
    players_roll_all: bool = False
    foes_shown: bool = True
    may_add: bool = True
    shop_open: bool = True


learn(KnaveSettings)
