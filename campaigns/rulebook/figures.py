"""The tables of the rule book: what an answer comes to, options, and dice sizes."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.words import die_name, form_name, option_name, option_text
from games.rulebook.section import Figures
from games.rules.wicked_age.forms import SIZES
from games.rules.wicked_age.odds import Hand, opening
from games.rules.wicked_age.strengths import Option
from games.rules.wicked_sequence.harm import DEFAULTS
from games.screens.scene import percent

HANDS = ((12, 10), (12, 6), (10, 8), (8, 6), (6, 4))


def figures() -> tuple[Figures, ...]:
    """Return the tables in the active language."""
    return (_options(), _costs(), _odds())


def _options() -> Figures:
    rows = tuple((option_name(o.value), option_text(o.value)) for o in Option)
    head = (_("Option"), _("What it does"))
    return Figures("options", _("What a strength can do"), head, rows)


def _costs() -> Figures:
    rows = []
    for (kind, how), forms in DEFAULTS.items():
        who = _("a player's character") if kind == "pc" else _("an NPC")
        name = _("exhausted") if how == "exhausted" else _("injured")
        rows.append((who, name, ", ".join(map(form_name, forms))))
    head = (_("Who"), _("How"), _("One size off each die of"))
    sizes = " → ".join(die_name(size) for size in sorted(SIZES, reverse=True))
    return Figures("costs", _("What losing outright costs"), head, tuple(rows), sizes)


def _odds() -> Figures:
    """Count what the first exchange of two comes to (WA-49), exactly."""
    rows = []
    for mine in HANDS:
        found = opening(Hand(mine), (Hand((10, 6)),))
        exchange = found.exchange
        assert exchange
        rows.append(
            (
                " + ".join(map(die_name, mine)),
                percent(found.first),
                percent(exchange.win_outright),
                percent(exchange.win_advantage),
                percent(exchange.lose_advantage),
                percent(exchange.lose_outright),
            )
        )
    head = (
        _("Your dice"),
        _("Highest"),
        _("Win outright"),
        _("Ahead"),
        _("Behind"),
        _("Lose outright"),
    )
    remark = _(
        "The first exchange against d10 + d6, whoever's roll stands; what is missing to a hundred "
        "is a tie at the top."
    )
    return Figures("odds", _("What a first exchange comes to"), head, tuple(rows), remark)
