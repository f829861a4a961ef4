"""People for hire (KN-24), foes, and the beginning and end of fights (KN-12 to KN-20)."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta

from characters.actions.kinds import KeyWord, KnaveAction, Name, NewestOr
from games.actions import RowKey


# --- people (KN-24) ------------------------------------------------------------------------------
class Hire(KnaveAction, frozen=True, tag="hire"):
    """Take a hireling on; at most as many as the Charisma bonus."""

    character: RowKey
    trade: RowKey
    name: Name = ""


MOST_DAYS_PAID = 60


class PayHireling(KnaveAction, frozen=True, tag="pay_hireling"):
    """Pay days of wage that are owed, from the employer's purse."""

    character: RowKey
    days: Annotated[int, Meta(ge=1, le=MOST_DAYS_PAID)] = 1


class Dismiss(KnaveAction, frozen=True, tag="dismiss"):
    """Send a hireling or an NPC away."""

    character: RowKey


class TakeOn(KnaveAction, frozen=True, tag="take_on"):
    """Take a hireling into service whose employer is dead, as far as the Charisma bonus goes."""

    character: RowKey
    employer: RowKey


class RollMorale(KnaveAction, frozen=True, tag="roll_morale"):
    """Roll a hireling's or an NPC's morale outside a fight (KN-20)."""

    character: RowKey
    moment: Literal["unpaid", "employer_died", "danger", "wish"] = "wish"


class SetMorale(KnaveAction, frozen=True, tag="set_morale"):
    """Raise or lower a rating after good or bad treatment (KN-20)."""

    character: RowKey
    morale: Annotated[int, Meta(ge=2, le=12)]


class ShowSheet(KnaveAction, frozen=True, tag="show_sheet"):
    """Show the table a sheet that was kept to oneself, or hide it again."""

    character: RowKey
    on: bool


class AddNpc(KnaveAction, frozen=True, tag="add_npc"):
    """Write a sheet of the referee's from a few figures."""

    name: Name
    level: Annotated[int, Meta(ge=0, le=30)] = 1
    hp: Annotated[int, Meta(ge=1, le=999)] = 4
    armor_defense: Annotated[int, Meta(ge=5, le=30)] = 11
    die: Literal[2, 3, 4, 6, 8, 10, 12, 20] = 6
    morale: Annotated[int, Meta(ge=2, le=12)] = 7
    is_shown: bool = True


# --- encounters and fights (KN-12 to KN-20) ------------------------------------------------------
class PrepareEncounter(KnaveAction, frozen=True, tag="prepare_encounter"):
    """Open an encounter to put foes into."""

    name: Name = ""


class AddFoes(KnaveAction, frozen=True, tag="add_foes"):
    """Put monsters from the book into an encounter, or into its running fight."""

    encounter: NewestOr
    monster: RowKey
    count: Annotated[int, Meta(ge=1, le=30)] = 1


class AddStatLine(KnaveAction, frozen=True, tag="add_stat_line"):
    """Put an old-school stat line, or several, into an encounter."""

    encounter: NewestOr
    text: Annotated[str, Meta(min_length=1, max_length=4000)]
    count: Annotated[int, Meta(ge=1, le=30)] = 1
    is_adnd: bool = False


class FaceParty(KnaveAction, frozen=True, tag="face_party"):
    """Put an NPC among the foes of an encounter, or of its running fight."""

    encounter: NewestOr
    character: RowKey


class DropFoe(KnaveAction, frozen=True, tag="drop_foe"):
    """Take a foe out of an encounter that has not begun."""

    encounter: RowKey
    foe: KeyWord


class NameLeader(KnaveAction, frozen=True, tag="name_leader"):
    """Say which foe leads the others of an encounter that has not begun, or none (KN-20)."""

    encounter: RowKey
    foe: KeyWord
    on: bool = True


class DropEncounter(KnaveAction, frozen=True, tag="drop_encounter"):
    """Put an encounter away."""

    encounter: RowKey


class StartFight(KnaveAction, frozen=True, tag="start_fight"):
    """Begin the fight: the party and its hirelings against the encounter's foes."""

    encounter: RowKey


class JoinFight(KnaveAction, frozen=True, tag="join_fight"):
    """Let somebody of the table come into the running fight, on the party's side."""

    character: RowKey


class SideDone(KnaveAction, frozen=True, tag="side_done"):
    """The side that goes first this round is done; now the other acts (KN-12)."""


class EndFight(KnaveAction, frozen=True, tag="end_fight"):
    """Close the fight."""
