"""A Knave fight: initiative, attacks, stunts, saves, morale and rest, as one game.

After Knave, first edition, by Ben Milton (CC BY 4.0). Comments cite the rules by
number (KN-1 to KN-25), as the rules page does. A seat is an index into the party
in order of arrival; seat None is the referee, who may do everything for
anybody. Where the rules are silent, our rulings are written where they act;
those of our own making:

- The referee says who goes over to the other side, where they stand last.
- A player acts only for their own character: attacks, stunts, saves, spells,
  wielding, melee and retreat. All else is the referee's.
- The second side's first attack, stunt or spell ends the first side's turn.
  The order within a side is free, and nobody need have acted.
- Who is in melee is said, by `Engage` and `Disengage`, and ends when one of a
  pair falls or flees. An attack alone engages nobody.
- Who makes several attacks a round makes them all as the one combat action;
  with a stunt beside (KN-18) it is one attack.
- A spell is the round's only combat action; what it does are saves, and the
  referee's word.
- A fight is over when the referee closes it, since the night's rest afterwards
  belongs to it. Then the party's seats that are still up have won, if no foe is
  up.
"""

from __future__ import annotations

from typing import Final

from games.rules.knave.saves import Edge
from games.rules.knave_fight.actions import (
    ACTIONS,
    AnyAction,
    Attack,
    Cast,
    Disengage,
    End,
    Engage,
    FightAction,
    Flee,
    Heal,
    Hurt,
    Initiative,
    Join,
    Morale,
    Opponent,
    Rest,
    Save,
    Stunt,
    Turn,
    Wear,
    Wield,
)
from games.rules.knave_fight.events import AnyEvent
from games.rules.knave_fight.legal import legal_actions, must
from games.rules.knave_fight.model import (
    FORMAT,
    MOST_COMBATANTS,
    Abilities,
    Armor,
    Combatant,
    Fighter,
    Guard,
    Last,
    Setup,
    Side,
    State,
    Status,
    Weapon,
)
from games.rules.knave_fight.record import (
    play_line,
    read_play,
    read_setup,
    setup_line,
    summary,
    visible_plays,
)
from games.rules.knave_fight.start import setup
from games.rules.knave_fight.turn import apply, outcome
from games.rules.knave_fight.view import (
    LastSeen,
    Seen,
    View,
    scramble,
    view,
    wound,
)
from games.rules.knave_fight.why_not import fault, refusal

NAME: Final = "knave_fight"

__all__ = [
    "ACTIONS",
    "FORMAT",
    "MOST_COMBATANTS",
    "NAME",
    "Abilities",
    "AnyAction",
    "AnyEvent",
    "Armor",
    "Attack",
    "Cast",
    "Combatant",
    "Disengage",
    "Edge",
    "End",
    "Engage",
    "FightAction",
    "Fighter",
    "Flee",
    "Guard",
    "Heal",
    "Hurt",
    "Initiative",
    "Join",
    "Last",
    "LastSeen",
    "Morale",
    "Opponent",
    "Rest",
    "Save",
    "Seen",
    "Setup",
    "Side",
    "State",
    "Status",
    "Stunt",
    "Turn",
    "View",
    "Weapon",
    "Wear",
    "Wield",
    "apply",
    "fault",
    "legal_actions",
    "must",
    "outcome",
    "play_line",
    "read_play",
    "read_setup",
    "refusal",
    "scramble",
    "setup",
    "setup_line",
    "summary",
    "view",
    "visible_plays",
    "wound",
]
