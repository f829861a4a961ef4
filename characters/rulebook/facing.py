"""Falling, dying, losing heart (KN-16, KN-20), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def facing() -> list[Section]:
    """Return the sections on how a fight ends for somebody."""
    return [_falling(), _morale()]


def _falling() -> Section:
    return Section(
        "falling",
        _("Falling, and dying"),
        (
            _("At 0 hit points you are unconscious. At −1 or less you are dead. (KN-16)"),
            _(
                "Unconscious, you do nothing until something brings you above 0 again. (KN-16, "
                "KN-21)"
            ),
            _(
                "If your knave dies, make another of level 1 and come back as soon as the story "
                "can find you a place. The app offers it at once, and a new knave walks straight "
                "into a fight that is still on. (KN-16)"
            ),
            _(
                "The dead lie in the graveyard, each with the day and with what killed them. "
                "(KN-16)"
            ),
        ),
    )


def _morale() -> Section:
    return Section(
        "morale",
        _("Morale"),
        (
            _(
                "Foes and hirelings have a rating, mostly from 5 to 9. On 2d6, more than the "
                "rating means that they flee, fall back or offer terms. (KN-20)"
            ),
            _(
                "It is rolled when half a group is down, when its leader falls, when somebody "
                "alone has lost half their hit points, and whenever the referee likes. Hirelings "
                "also waver when nobody pays them, when their employer dies, and in danger beyond "
                "all they were hired for. (KN-20)"
            ),
            _(
                "Pay well and treat them well, and the referee may raise a hireling's rating. "
                "(KN-20)"
            ),
        ),
        (
            _(
                "Each of these moments asks once. Everybody sees the roll, nobody but the referee "
                "the rating. (KN-20)"
            ),
            _(
                "In a fight, whoever breaks is out of it. What becomes of them is for the referee "
                "to say. (KN-20)"
            ),
        ),
    )
