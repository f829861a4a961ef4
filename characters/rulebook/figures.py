"""The tables of Knave's rule book: odds by counting, gear from the book, spells as hosts edit them.

Rows begin with what they are about, so that a screen reader names it first.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise, product

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from characters.models import Spell
from characters.screens.sheets import signed
from characters.sentences.things import spell_said
from games.grammar import and_list
from games.rulebook.section import Figures
from games.rules.knave import chances
from games.rules.knave.abilities import HIGHEST
from games.rules.knave.book import Article, Text, read_book
from games.rules.knave.people import REACTIONS
from games.rules.knave.saves import Edge
from games.screens.scene import percent

BONUSES = range(HIGHEST + 1)
DEFENSES = range(11, 18)
"""From bare skin to full plate with a helmet or a shield (KN-5)."""
NOTHING = "–"


def figures() -> tuple[Figures, ...]:
    """Return the tables in the active language, in the order in which the texts name them."""
    return (
        save_odds(),
        attack_odds(),
        weapons(),
        armor(),
        lights(),
        reactions(),
        spells(),
    )


def save_odds() -> Figures:
    """Return how often a save succeeds, by bonus (KN-8, KN-10)."""
    rows = tuple(
        (
            signed(bonus),
            *(
                percent(chances.save_chance(bonus, edge))
                for edge in (None, Edge.ADVANTAGE, Edge.DISADVANTAGE)
            ),
        )
        for bonus in BONUSES
    )
    head = (_("Bonus"), _("One d20"), _("Advantage"), _("Disadvantage"))
    remark = _("How often a save succeeds that nobody opposes. (KN-8, KN-10)")
    return Figures("save-odds", _("Saves: how often"), head, rows, remark)


def attack_odds() -> Figures:
    """Return how many attacks of a hundred hit, by bonus and armor defense (KN-14).

    They are bare numbers: eight columns with percent signs are wider than a phone.
    """
    rows = tuple(
        (
            signed(bonus),
            *(str(100 * chances.attack_chance(bonus, defense)) for defense in DEFENSES),
        )
        for bonus in BONUSES
    )
    remark = _(
        "So many of a hundred attacks hit: the bonus stands beside the row, the armor defense "
        "above the column. An opposed save against such a defense has the same odds. (KN-9, "
        "KN-14)"
    )
    head = (_("Bonus"), *(str(defense) for defense in DEFENSES))
    return Figures("attack-odds", _("Attacks: how often"), head, rows, remark)


def weapons() -> Figures:
    """Return the weapons with what they do, take and cost (KN-3, KN-15, KN-19)."""
    every = read_book().weapons()
    rows = tuple(
        (
            _said(one.name),
            f"d{one.die}" if one.die else NOTHING,
            str(one.slots),
            _quality(one),
            str(one.cost),
        )
        for one in every
    )
    head = (_("Weapon"), _("Die"), _("Slots"), _("Quality"), _("Price"))
    remark = _(
        "Shot with Wisdom: %(shot)s. All others strike with Strength. For both hands: %(both)s. "
        "Prices are in copper. (KN-14, KN-15, KN-19)"
    ) % {
        "shot": and_list([_said(one.name) for one in every if one.is_ranged]),
        "both": and_list([_said(one.name) for one in every if one.hands > 1]),
    }
    return Figures("weapons", _("Weapons"), head, rows, remark)


def armor() -> Figures:
    """Return what protects: what body armor sets, what shield and helmet add (KN-5)."""
    rows = tuple(
        (
            _said(one.name),
            str(one.defense) if one.defense else signed(one.bonus),
            str(one.slots),
            _quality(one),
            str(one.cost),
        )
        for one in _articles("armor", "shield", "helmet")
    )
    head = (_("Armor"), _("Defense"), _("Slots"), _("Quality"), _("Price"))
    remark = _(
        "Body armor sets the armor defense, which is 11 without any; shield and helmet add to "
        "it. Prices are in copper. (KN-5, KN-19)"
    )
    return Figures("armor", _("Armor"), head, rows, remark)


def lights() -> Figures:
    """Return what gives light, how long and how far; a lamp burns one flask at a time (KN-6)."""
    rows = tuple(
        (
            _said(one.name),
            str(one.burns_turns or NOTHING),
            str(one.light_feet or NOTHING),
            str(one.bundle),
        )
        for one in _articles("light")
    )
    head = (_("Light"), _("Turns"), _("Feet"), _("To a slot"))
    remark = _(
        "A turn is ten minutes. A lantern burns as long as the one flask of oil that is in it. "
        "(KN-4, KN-6)"
    )
    return Figures("lights", _("Lights"), head, rows, remark)


def reactions() -> Figures:
    """Return what 2d6 say of a stranger's mood, and how often (KN-11)."""
    steps = pairwise(((1, "", ""), *REACTIONS))
    rows = tuple(
        (_span(below + 1, highest), _(word), percent(_two_dice(below + 1, highest)))
        for (below, _key, _word), (highest, _this_key, word) in steps
    )
    remark = _("How somebody takes to the party at first sight. (KN-11)")
    return Figures(
        "reaction-table", _("Reactions"), (_("2d6"), _("They are"), _("How often")), rows, remark
    )


def spells() -> Figures:
    """Return the spells that this house has, with its host's edits (KN-25)."""
    rows = tuple(
        (str(one.number), one.said("name"), " ".join(spell_said(*map(one.said, Spell.TOLD))))
        for one in Spell.objects.filter(is_hidden=False)
    )
    remark = _("A d100 picks one. L is the caster's level. (KN-25)")
    head = (_("d100"), _("Spell"), _("What it does"))
    return Figures("spells", _("Spells"), head, rows, remark)


def _articles(*kinds: str) -> list[Article]:
    """Return the book's articles of these kinds, kind by kind."""
    return [one for kind in kinds for one in read_book().articles if one.kind == kind]


def _said(text: Text) -> str:
    return text.of(get_language() or "en")


def _quality(one: Article) -> str:
    return NOTHING if one.quality is None else str(one.quality)


def _span(low: int, high: int) -> str:
    return str(low) if low == high else f"{low}–{high}"


def _two_dice(low: int, high: int) -> Fraction:
    """Return the chance that 2d6 fall from one sum to another, by counting all 36 throws."""
    throws = [a + b for a, b in product(range(1, 7), repeat=2)]
    return Fraction(sum(low <= total <= high for total in throws), len(throws))
