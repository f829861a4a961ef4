"""How this app plays Knave: dice, undo, secrets, loot, seats, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def here() -> list[Section]:
    """Return the sections on what phones and screens do at the table."""
    return [_dice(), _taking_back(), _secrets(), _loot(), _coming_and_going()]


def _dice() -> Section:
    return Section(
        "here-dice",
        _("Here: real dice"),
        (
            _(
                "The table says whose dice roll: the app's, real ones, or as each of you likes. "
                "With real dice, roll, then tap the faces that lie there; the sum and all that "
                "comes of it is the app's work. (KN-8, KN-14)"
            ),
            _(
                "A new knave is rolled by the app in one go. Where real dice are welcome, roll "
                "three d6 six times over, and type the eighteen faces in place of the app's. "
                "(KN-1)"
            ),
            _(
                "The app's dice fall at the table, never on a phone. The log keeps every face, "
                "and says which dice were real. (KN-1, KN-8)"
            ),
        ),
    )


def _taking_back() -> Section:
    return Section(
        "here-undo",
        _("Here: taking back"),
        (
            _(
                "Dropped the wrong torch? Take back what you did yourself, as long as no die was "
                "rolled for it and nothing has come of it since. (KN-4)"
            ),
            _(
                "The referee can take back anything, together with what came of it: hit points, "
                "gear and graves stand again as they stood. No die is rolled a second time, and "
                "the log keeps both what was done and who took it back. (KN-16, KN-19)"
            ),
        ),
    )


def _secrets() -> Section:
    return Section(
        "here-secrets",
        _("Here: what only the referee sees"),
        (
            _(
                "Of a foe you see what anybody there would see: unhurt, wounded, badly hurt at "
                "half its hit points or fewer, down, dead or fled. Its hit points, its bonuses and "
                "its morale rating stay on the referee's page. (KN-14, KN-20)"
            ),
            _(
                "What your roll had to exceed is told once you have rolled, unless the referee "
                "keeps that hidden too. (KN-9, KN-14)"
            ),
            _(
                "The referee can roll behind the screen and show it later or never, and can keep "
                "goals, loot and people hidden until they come to light. (KN-11, KN-22)"
            ),
            _(
                "Everything about your own knave you can see at any time, and the referee can "
                "look at the table as your phone shows it. (KN-7)"
            ),
        ),
    )


def _loot() -> Section:
    return Section(
        "here-loot",
        _("Here: loot, and what the dead leave"),
        (
            _(
                "Loot lies on the table in piles. Whoever taps first gets what they asked for, "
                "all of it or nothing, and there must be a slot for it. (KN-4)"
            ),
            _(
                "Coins can be claimed, or shared out evenly among the living knaves; what does "
                "not divide stays in the pile. (KN-4, KN-22)"
            ),
            _(
                "What you drop lies on the ground for anybody. When a knave dies, all they "
                "carried, down to the last copper, becomes such a pile; what they had left at "
                "home stays there. (KN-4, KN-16)"
            ),
        ),
    )


def _coming_and_going() -> Section:
    return Section(
        "here-seats",
        _("Here: coming late, going early"),
        (
            _(
                "Come late, and make a knave or take one that nobody plays. The referee can roll "
                "a whole party of any level and leave it lying ready. (KN-7, KN-23)"
            ),
            _(
                "If you leave, your knave stays with the table, and the referee can hand the "
                "sheet to somebody else. (KN-7)"
            ),
            _(
                "A phone that falls asleep or loses the network loses nothing: the table shows "
                "for whose roll it waits. (KN-8)"
            ),
        ),
    )
