"""From sheets to who takes part in a sequence: dice, strengths, whose she is."""

from __future__ import annotations

from collections import Counter

from campaigns.models import Campaign, Character, Holding, Owed
from campaigns.services.returning import standing
from campaigns.services.sheets import holdings_of
from campaigns.services.strengths import version_of
from games.rules import wicked_sequence as ws
from games.rules.wicked_age import strengths


def participant_of(character: Character) -> ws.Participant:
    """Return a character as a sequence takes her: `id` is her ref, `player` who plays her."""
    held = holdings_of(character)
    names = _names(held)
    return ws.Participant(
        id=character.ref,
        kind="pc" if character.is_pc else "npc",
        player=_playing(character),
        name=str(character),
        forms=dice_of(character),
        strengths=tuple(_strength_die(names[one.pk], one) for one in held if not one.is_lost),
    )


def player_of(character: Character) -> str | None:
    """Return what a sequence calls her own player, also while she is lent (WA-81, WA-88)."""
    owner = character.owner
    return f"m{owner.number}" if character.is_pc and owner else None


def _playing(character: Character) -> str | None:
    """Return who plays her, and strikes only names of characters of their own (WA-65).

    Nobody while she is lent to the GM, who cannot buy.
    """
    lent = character.lent_to if character.is_pc else None
    if lent is None:
        return player_of(character)
    return None if lent.is_gm else f"m{lent.number}"


def dice_of(character: Character) -> dict[str, int | tuple[int, int]]:
    """Return a sheet's current dice as a sequence takes them: an NPC's in pairs (WA-17)."""
    return {
        form: one if isinstance(one, int) else (max(one), min(one))
        for form, one in character.dice().items()
    }


def strength_names(character: Character) -> dict[int, str]:
    """Return what a sequence calls each strength on a sheet, by the holding's key.

    Two of the same name are told apart by number. Lost ones count too, so that
    a name never passes from one strength to another.
    """
    return _names(holdings_of(character))


def _names(held: list[Holding]) -> dict[int, str]:
    times = Counter(one.strength.name for one in held)
    return {
        one.pk: one.strength.name
        if times[one.strength.name] == 1
        else f"{one.strength.name} ({one.strength.number})"
        for one in held
    }


def is_at_hand(fighter: ws.Fighter, held: Holding) -> bool:
    """Tell whether a strength was on the sheet already when the dice came onto the table."""
    row = held.strength
    called = {row.name, f"{row.name} ({row.number})"}
    return any(one.name in called for one in fighter.strengths)


def owe_list_of(campaign: Campaign) -> tuple[ws.Owed, ...]:
    """Return the names that stand on the owe list, in its order (WA-81)."""
    return tuple(owed_value(row) for row in standing(campaign))


def owed_value(row: Owed) -> ws.Owed:
    """Return an occurrence as a sequence knows it."""
    return ws.Owed(row.character.ref, player_of(row.character))


def _strength_die(name: str, held: Holding) -> ws.StrengthDie:
    version = version_of(held)
    row = held.strength
    written = strengths.Strength(row.name, row.pc_form, row.npc_form, version)
    hits = strengths.Option.CONSEQUENTIAL in version.options
    return ws.StrengthDie(
        name=name,
        die=strengths.die_of(version),
        forms=strengths.forms_of(written),
        npc_form=row.npc_form,
        consequential=ws.Consequence(version.hits_pc, version.hits_npc) if hits else None,
        far_reaching=strengths.Option.FAR_REACHING in version.options,
    )
