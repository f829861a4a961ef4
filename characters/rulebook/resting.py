"""Nights, turns and light (KN-6, KN-21), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def resting() -> list[Section]:
    """Return the sections on time that passes."""
    return [_rest(), _light()]


def _rest() -> Section:
    return Section(
        "rest",
        _("Rest and rations"),
        (
            _(
                "Eat, and sleep the whole night: it costs a ration, and you regain a d8 and your "
                "Constitution bonus. (KN-21)"
            ),
            _("In a safe haven you regain everything. (KN-21)"),
            _("Hit points never rise above your maximum. (KN-21)"),
        ),
        (
            _("Whoever has nothing to eat sleeps, but regains nothing. (KN-21)"),
            _("Nobody wakes with fewer hit points than they lay down with. (KN-21)"),
            _("In a haven the table is laid: no ration is spent. (KN-21)"),
            _(
                "A hireling without a ration of their own eats one of the employer's. Where the "
                "app rolls for hirelings, it leaves the employer the last one. (KN-21, KN-24)"
            ),
            _(
                "A camp is struck on the next morning at eight, and nobody leaves a light burning "
                "through the night. (KN-21)"
            ),
        ),
    )


def _light() -> Section:
    return Section(
        "turns-and-light",
        _("Turns and light"),
        (
            _(
                "Where it is dark and dangerous, time is counted in turns of ten minutes. The "
                "referee lets them pass, and every screen shows the day and the hour. (KN-6)"
            ),
            _(
                "With every turn your lights burn down; the table of lights below tells how long "
                "they have. When one burns out, everybody is told. Candle and torch are gone "
                "then; a lantern takes another flask of oil. (KN-6)"
            ),
        ),
        (
            _(
                "Put a light out, and what is left of it is left. How far each one reaches is our "
                "own figure. (KN-6)"
            ),
        ),
    )
