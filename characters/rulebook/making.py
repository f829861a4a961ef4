"""Knave in one breath, and everything on a sheet (KN-1 to KN-7), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def making() -> list[Section]:
    """Return the sections on making a knave, its sheet and its slots."""
    return [_one_breath(), _abilities(), _first_gear(), _person(), _sheet(), _slots()]


def _one_breath() -> Section:
    return Section(
        "one-breath",
        _("In one breath"),
        (
            _(
                "You are a knave: six numbers, a few hit points, and what you can carry. When "
                "something might go wrong, roll a d20 and add the number that fits. More than 15, "
                "and it goes your way. If somebody is against you, it takes more than their "
                "defense. (KN-8, KN-9)"
            ),
            _(
                "In a fight one die says which side goes first. A hit takes more than the armor "
                "defense, and the weapon's die is what it costs. At 0 hit points you lie there; "
                "below 0 you are dead, and the next knave is one tap away. (KN-12, KN-14, KN-15, "
                "KN-16)"
            ),
            _(
                "There are no classes. You are what you carry, and there is never room enough: "
                "put on chain and you are the fighter, open a spell book and you are the wizard. "
                "(KN-4, KN-5, KN-25)"
            ),
        ),
    )


def _abilities() -> Section:
    return Section(
        "abilities",
        _("Making a knave: six abilities"),
        (
            _(
                "Strength, Dexterity, Constitution, Intelligence, Wisdom, Charisma: for each in "
                "turn, roll three d6. The lowest of them is the bonus, and ten more is the "
                "defense: a 3, a 5 and another 5 make +3 and 13. All the dice stay in the "
                "record. (KN-1)"
            ),
            _(
                "With all six on the table, you may let two abilities trade places, scores and "
                "all. Once. (KN-2)"
            ),
            _("Your hit points are a d8 to begin with, both now and at most. (KN-6)"),
        ),
    )


def _first_gear() -> Section:
    return Section(
        "first-gear",
        _("Making a knave: what you begin with"),
        (
            _(
                "Two days of rations are yours, and one weapon, whichever you like. The dice give "
                "you the rest: armor; helmet and shield; dungeoneering gear, twice; and one thing "
                "from each of the two lists of general gear. (KN-3)"
            ),
            _(
                "A table may do it otherwise: 3d6 times 20 copper for the shop instead of those "
                "rolls; a spell book that chance picks, instead of armor; or such a book on top "
                "of it all. (KN-3)"
            ),
        ),
        (
            _("A bow, a crossbow or a sling comes with 20 arrows, bolts or bullets. (KN-3)"),
            _(
                "Where gear is bought, rations, weapon and ammunition are free all the same. "
                "Where a spell book takes the place of armor, leave body armor out of your first "
                "purchases: the app sells it all the same. (KN-3)"
            ),
            _(
                "What does not fit into your slots waits at home. Rations, weapon, ammunition and "
                "spell book are packed before the rest. (KN-4)"
            ),
            _("With a weapon that takes both hands, your shield begins in the pack. (KN-5)"),
        ),
    )


def _person() -> Section:
    return Section(
        "person",
        _("Making a knave: somebody"),
        (
            _(
                "Physique, face, skin, hair, clothing, virtue, vice, speech, background, "
                "misfortune and alignment make six numbers into somebody. Roll them, choose them "
                "or write your own, each by itself. Then come a name and, if you like, a gender. "
                "(KN-7)"
            ),
            _(
                "Here one tap makes a whole knave. Look it over before you say that it is yours: "
                "until then any part can be rolled anew or set, unless your table lets the dice "
                "stand. Weapon and traits are your choice even so. (KN-7)"
            ),
        ),
    )


def _sheet() -> Section:
    return Section(
        "sheet",
        _("Your sheet"),
        (
            _(
                "With nothing on, your armor defense is 11. Body armor sets another, from 12 for "
                "a gambeson to 16 for full plate; a shield adds 1, and so does a helmet. Take 10 "
                "away, and you have the armor bonus. (KN-5)"
            ),
            _(
                "Exploring with care you cover 120 feet in a turn of ten minutes; in a fight, 40 "
                "feet in a round. (KN-6)"
            ),
            _(
                "What a good night gives back is a d8 and your Constitution bonus. Every number on "
                "the sheet tells, when you tap it, what it is made of. (KN-6)"
            ),
        ),
        (
            _("Without body armor, shield and helmet still add 1 each to the 11. (KN-5)"),
            _(
                "One body armor, one shield and one helmet count, and one weapon is in hand. It "
                "shares two hands with the shield: take something up, and what no longer fits is "
                "put away. (KN-5)"
            ),
        ),
    )


def _slots() -> Section:
    return Section(
        "slots",
        _("Item slots"),
        (
            _(
                "You have as many item slots as your Constitution defense. A thing takes one, if "
                "it is heavy or unwieldy more, and a hundred coins take one. (KN-4)"
            ),
            _(
                "Small things of one kind can share: twenty arrows to a slot, five torches. Tiny "
                "ones take nothing until there are many of them. (KN-4)"
            ),
            _(
                "Full is full. You are told so, and nothing is lost: drop something, hand it on, "
                "leave it at home. Only the referee can allow you more, and then your sheet says "
                "so. (KN-4)"
            ),
        ),
        (
            _(
                "A hundred tiny things fill a slot. Part of a hundred coins counts as a whole "
                "hundred. (KN-4)"
            ),
            _(
                "What is in a sack takes its slots all the same; only a quiver holds its twenty "
                "arrows or bolts for nothing. (KN-4)"
            ),
            _("What is at home, or on a mule or a cart, takes none of your slots. (KN-4)"),
            _("A torch that is lit goes on sharing the slot of its bundle. (KN-4)"),
        ),
    )
