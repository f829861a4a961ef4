"""What a hit rolls, as rows of faces for whoever rolled it with real dice (KN-15)."""

from __future__ import annotations

from characters.screens.cards import DamageCard
from characters.screens.sheets import dice_words
from games.rules import knave_fight as kf

# An ideal weapon (KN-15) and a critical (KN-19) are one die more each.
MORE = 2
# Beyond these a row of faces is no help to a thumb, and the house rolls.
MOST_ROWS = 8
MOST_SIDES = 20


def damage_of(weapon: kf.Weapon | None) -> DamageCard | None:
    """Return the dice of one weapon, if faces of them can be laid out."""
    if weapon is None or weapon.die > MOST_SIDES:
        return None
    return DamageCard(dice_words(weapon), min(MOST_ROWS, weapon.dice + MORE), weapon.die)


def damage_of_foes(state: kf.State) -> DamageCard | None:
    """Return rows that do for whichever foe strikes, with whichever of its attacks."""
    return _damage_of(state, kf.Side.FOES)


def damage_of_party(state: kf.State) -> DamageCard | None:
    """Return rows that do for whoever of the party strikes."""
    return _damage_of(state, kf.Side.PARTY)


def _damage_of(state: kf.State, side: kf.Side) -> DamageCard | None:
    fighters = [f for f in state.fighters if f.side is side and f.is_up]
    weapons = [w for f in fighters for w in (f.weapon, *f.weapons)]
    cards = list(filter(None, map(damage_of, weapons)))
    if not cards:
        return None
    words = " / ".join(dict.fromkeys(card.words for card in cards))
    key = f"{state.round}-{sum(f.attacked for f in state.fighters if f.side is side)}"
    return DamageCard(words, max(c.rows for c in cards), max(c.sides for c in cards), key)
