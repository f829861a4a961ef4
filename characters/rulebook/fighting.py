"""Whose turn it is, attacks, damage, quality, stunts (KN-12 to KN-19), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def fighting() -> list[Section]:
    """Return the sections on what you do in a fight."""
    return [_rounds(), _attack(), _range(), _damage(), _quality(), _stunts()]


def _rounds() -> Section:
    return Section(
        "rounds",
        _("A fight: whose turn it is"),
        (
            _(
                "Each round begins with a d6 for everybody: on 1 to 3 all the enemies act first, "
                "on 4 to 6 all the player characters. (KN-12)"
            ),
            _(
                "Your turn is a move, 40 feet as a rule, and one combat action: attack, try a "
                "stunt, read a spell, move again, or whatever else makes sense. (KN-13)"
            ),
            _(
                "Which of you goes first is for your side to agree. Hirelings act with the party. "
                "(KN-12)"
            ),
            _(
                "Whoever comes late, with a new knave or at the referee's word, acts with the "
                "party from then on; their hirelings come with them. (KN-12, KN-16)"
            ),
        ),
        (
            _(
                "Once somebody of the second side has acted, the first side's turn is over for "
                "that round. Saves, morale and the referee's word can come at any time. (KN-12)"
            ),
            _("A creature with several attacks makes them all in its turn. (KN-13)"),
        ),
    )


def _attack() -> Section:
    return Section(
        "attack",
        _("A fight: attacking"),
        (
            _(
                "Strike at a foe beside you with Strength, shoot at one farther off with Wisdom: "
                "a d20 and that bonus. You hit with more than the armor defense; just as much is "
                "a miss. (KN-14)"
            ),
            _(
                "Or the one attacked rolls: a d20 and the armor bonus. With more than the "
                "attacker's defense in Strength or Wisdom, it misses. The odds are the same, and "
                "a table can let the players roll all the dice. (KN-14)"
            ),
            _("The table of attacks below tells how often it hits. (KN-14)"),
        ),
        (
            _(
                "A monster attacks with its attack bonus. Whoever rolls to escape it needs more "
                "than ten plus that bonus. (KN-14)"
            ),
            _("Somebody who lies unconscious can still be attacked. (KN-14, KN-16)"),
        ),
    )


def _range() -> Section:
    return Section(
        "melee-and-range",
        _("A fight: melee and range"),
        (_("While somebody is upon you, you cannot shoot. (KN-14)"),),
        (
            _(
                "A blow at a foe puts the two of you in melee. It lasts until one of you falls, "
                "flees or steps clear, and stepping clear is part of a move. (KN-13, KN-14)"
            ),
        ),
    )


def _damage() -> Section:
    return Section(
        "damage",
        _("A fight: damage, and the ideal weapon"),
        (
            _(
                "A hit rolls the weapon's die, and the target loses that many hit points. The "
                "table of weapons below has the dice. (KN-15)"
            ),
            _(
                "If your weapon is just the thing for this enemy, roll one more die of the same "
                "kind: an axe for a tree that walks, say. The referee has the last word. (KN-15)"
            ),
        ),
    )


def _quality() -> Section:
    return Section(
        "quality",
        _("A fight: the 20, the 1, and quality"),
        (
            _(
                "Weapons, armor, shields and helmets have points of quality. When an attacker "
                "rolls a natural 20, the armor they strike at loses one, and the weapon deals one "
                "more die. When they roll a natural 1, their weapon loses one. (KN-19)"
            ),
            _(
                "If the defender rolls, it is the other way about: a 1 is the attacker's luck, "
                "and a 20 costs the attacker's weapon. (KN-19)"
            ),
            _(
                "With no quality left it is destroyed. Before that, each point can be mended for "
                "a tenth of the price. (KN-19)"
            ),
        ),
        (
            _(
                "Body armor loses the point; if there is none, the shield; then the helmet. A "
                "hide has no quality, and whoever has no gear loses nothing. (KN-19)"
            ),
            _(
                "A natural 20 that is still not more than the defense is no hit, but the armor "
                "loses its point. Whether it hits is judged before that. (KN-19)"
            ),
            _(
                "The extra die of a 20 and that of an ideal weapon add up: three in all. (KN-15, "
                "KN-19)"
            ),
            _("With advantage or disadvantage, look at the die that counts. (KN-10, KN-19)"),
        ),
    )


def _stunts() -> Section:
    return Section(
        "stunts",
        _("A fight: stunts, and the upper hand"),
        (
            _(
                "Stun, shove, trip, disarm, hack at armor: what changes a fight without drawing "
                "blood is a stunt. Say what you try; the referee says which abilities meet. It is "
                "an opposed save and does no damage of its own. (KN-17)"
            ),
            _(
                "Against a foe over whom you have the upper hand, choose on your turn: roll the "
                "attack or the stunt with advantage, or do both without it. (KN-18)"
            ),
        ),
        (
            _(
                "Say that you will do both before the first of the two; afterwards it is too "
                "late. (KN-18)"
            ),
        ),
    )
