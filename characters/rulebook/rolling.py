"""Saves, opposed saves, advantage (KN-8 to KN-10), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def rolling() -> list[Section]:
    """Return the sections on rolling a d20 for something."""
    return [_saves(), _opposed(), _advantage()]


def _saves() -> Section:
    return Section(
        "saves",
        _("Saves"),
        (
            _(
                "Is it risky, and would it matter? Then roll a d20 and add the bonus of the "
                "ability that fits. More than 15 succeeds; 15 itself does not. (KN-8)"
            ),
            _(
                "Strength is for blows at arm's length and for sheer force. Dexterity is for "
                "poise, speed and reflexes. Constitution is against poison, sickness and cold. "
                "(KN-8)"
            ),
            _(
                "Intelligence is for concentration, precision, magic, lore and machinery, and for "
                "other people's pockets. Wisdom is for shooting, for noticing, for a hunch. "
                "Charisma is to persuade, deceive, question, charm or provoke. (KN-8)"
            ),
            _(
                "Two of them do something besides: Constitution adds to what rest gives you back, "
                "and Charisma says how many hirelings will follow you. (KN-8, KN-21, KN-24)"
            ),
        ),
    )


def _opposed() -> Section:
    return Section(
        "opposed-saves",
        _("Opposed saves"),
        (
            _(
                "When somebody stands against you, the number to beat is not 15 but their defense "
                "in the ability they resist with. More than that, and you have your way; "
                "otherwise they have theirs. (KN-9)"
            ),
            _(
                "Either side may roll, and the odds are the same. Say that you lean on a door, "
                "with Strength +3 and so defense 13, and a guard leans on the other side of it, "
                "with +1 and 11. You push it open with a 9 or higher, on twelve faces of twenty; "
                "the guard who rolls instead holds it with a 13 or higher, on the other eight. "
                "(KN-9)"
            ),
            _("So give the die to whoever the moment is about. (KN-9)"),
        ),
    )


def _advantage() -> Section:
    return Section(
        "advantage",
        _("Advantage and disadvantage"),
        (
            _(
                "With advantage you roll two d20 and count the better, with disadvantage the "
                "worse. If you have both, you have neither. (KN-10)"
            ),
            _(
                "For a knave without any bonus, advantage turns one chance in four into seven in "
                "sixteen, and disadvantage into one in sixteen. The table of saves below has the "
                "rest. (KN-10)"
            ),
            _("The referee may also add or take off a plain number. (KN-10)"),
        ),
        (
            _(
                "Advantage and added numbers are the roller's. If the other side takes the die "
                "instead, they become disadvantage and a number taken off, so that the odds stay "
                "as they were. (KN-9, KN-10)"
            ),
        ),
    )
