"""Knave, told for players in our own words; each text names the rule that it tells.

*Knave*, first edition, is by Ben Milton (Questing Beast), CC BY 4.0. The order
is that of somebody at a table: the whole game in one breath, making a knave,
rolling, fighting, living on, what the referee does, how this app plays it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters.rulebook.facing import facing
from characters.rulebook.fighting import fighting
from characters.rulebook.figures import figures
from characters.rulebook.growing import growing
from characters.rulebook.here import here
from characters.rulebook.making import making
from characters.rulebook.refereeing import refereeing
from characters.rulebook.resting import resting
from characters.rulebook.rolling import rolling
from games.rulebook.section import RuleBook, Section

LICENCE = "creativecommons.org/licenses/by/4.0/"


def book() -> RuleBook:
    """Return the rules page in the active language."""
    return RuleBook(tuple(sections()), figures(), credit())


def sections() -> list[Section]:
    """Return the rule book in the active language, without its tables."""
    return [
        *making(),
        *rolling(),
        *fighting(),
        *facing(),
        *resting(),
        *growing(),
        *refereeing(),
        *here(),
    ]


def credit() -> str:
    """Say whose game it is, under which licence, and that it was changed, as that licence asks."""
    text = _(
        "Knave is by Ben Milton (Questing Beast), under the license CC BY 4.0 (%(licence)s). "
        "Rules, names and figures are his. The wording of this page, Spanish or English, is "
        "Taproom's own, and changes were made: the rulings, the ways of this app, the effects of "
        "the spells retold, and how far a light reaches."
    )
    return text % {"licence": LICENCE}
