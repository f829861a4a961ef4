"""In a Wicked Age, told for players in our own words; each text names the rule that it tells.

*In a Wicked Age* is by D. Vincent Baker (lumpley games, 2007). The order is
that of an evening: the whole game in one breath, the setup, the dice, what they
cost, the owe list, coming back, how this app plays it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns.rulebook.chapters import chapters
from campaigns.rulebook.dice import dice
from campaigns.rulebook.figures import figures
from campaigns.rulebook.here import here
from campaigns.rulebook.setup import setup
from games.rulebook.section import RuleBook, Section


def book() -> RuleBook:
    """Return the rules page in the active language."""
    return RuleBook(tuple(sections()), figures(), credit())


def sections() -> list[Section]:
    """Return the rule book in the active language, without its tables."""
    return [*setup(), *dice(), *chapters(), *here()]


def credit() -> str:
    """Say whose game it is."""
    return _(
        "In a Wicked Age is by D. Vincent Baker (lumpley games, 2007). The wording of this page "
        "is Taproom's own, and so are its oracles and names; where the book was silent, or two of "
        "its pages were not to be had, Taproom rules, and says so."
    )
