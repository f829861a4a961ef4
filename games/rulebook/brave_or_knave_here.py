"""How this app plays Brave or Knave, and whose game it is, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def here() -> list[Section]:
    """Return the sections on what phones and screens do at the table."""
    return [_fair_shouting(), _mouth_and_dice(), _coming_and_going(), _taking_back(), _credits()]


def _fair_shouting() -> Section:
    return Section(
        "fair-shouting",
        _("Here: who shouted first"),
        (
            _(
                "A shout counts from the moment your thumb came down, not from when the network "
                "delivered it. Your phone says when that was, and the table believes it as far as "
                "the delay that it has measured on your line can explain. A claim beyond that "
                "counts from when it arrived, so a good line is no head start and a bad one no "
                "excuse. (BK-9)"
            ),
            _(
                "After the first shout the table listens a moment longer, until the slowest line "
                "could have been heard. Shouts within the one-breath window of the first, 120 "
                "thousandths of a second unless the host sets another, are one breath: the roller "
                "is asked whom they heard. (BK-9)"
            ),
            _(
                "If two tap at once, nobody has to argue. Either one was clearly first, or it was "
                "one breath and the roller decides. The little ruler under the number shows each "
                "shout with its gap to the first, on every phone and screen. (BK-9, BK-10)"
            ),
            _(
                "Were you sure that you were first? Shout all the same, as long as the challenger "
                "has not rolled. A late shout does nothing by itself, but the roller may still "
                "give you the challenge. (BK-10)"
            ),
            _(
                "Press before the number is out, and it is a false start: your phone is locked "
                "for half a second, and everybody sees it. (BK-8)"
            ),
            _(
                "The roller knocks by hand, and every phone hears and feels it; or the host sets "
                "a pace, and the table knocks by itself. A shout stops the knocking. (BK-11)"
            ),
        ),
    )


def _mouth_and_dice() -> Section:
    return Section(
        "mouth-and-dice",
        _("Here: real voices, real dice"),
        (
            _(
                "The host can have the shouting done by mouth. Then the roller, the host or "
                "whoever is nearest to the shared screen taps who was first and with what, and "
                "that decides. Until the challenger has rolled, the same three can say that it "
                "was heard wrong, and tap anew. Where a regular of the house was quicker, they "
                "tap who shouted aloud as well, and the roller chooses. (BK-8, BK-10)"
            ),
            _(
                "The table says whose dice roll: the app's, real ones, or as each of you likes. "
                "With a real die, roll it, then tap the face that lies on top; from there "
                "everything goes on by itself. Hold it with the fingers you have left. "
                "(BK-7, BK-20)"
            ),
            _(
                "The app's die has twenty faces, each as likely as the next, and is rolled at the "
                "table, never on a phone. What has fallen stays fallen. (BK-7)"
            ),
        ),
    )


def _coming_and_going() -> Section:
    return Section(
        "coming-and-going",
        _("Here: late, gone, or short of people"),
        (
            _(
                "Whoever comes late watches until the next bout, and sees all there is to see. "
                "(BK-1)"
            ),
            _(
                "Whoever gets up in the middle of a bout is out at once. If the round cannot go on "
                "without them, it ends there, and the next living player clockwise opens. (BK-21)"
            ),
            _(
                "A phone that falls asleep or loses the network loses nothing: the seat is kept, "
                "and the table shows whom it is waiting for. A seat can move to another phone at "
                "any time. (BK-21)"
            ),
            _(
                "If you are too few, call some of the regulars to the table. They see what any "
                "seat sees, no more, and each has a nerve of their own. (BK-1)"
            ),
        ),
    )


def _taking_back() -> Section:
    return Section(
        "taking-back",
        _("Here: taking back"),
        (
            _(
                "A slip of the thumb is no matter of honor. You can take back a choice of your "
                "own as long as nothing has followed from it: whom you named, whom you heard, how "
                "you dealt, what you called blind, which finger you gave. (BK-10, BK-18, BK-20)"
            ),
            _(
                "Rolls and shouts belong to everybody, so only the host takes those back, together "
                "with all that came of them. What fell before stays as it fell, and the log keeps "
                "both what was done and who took it back. (BK-12)"
            ),
        ),
    )


def _credits() -> Section:
    return Section(
        "credits",
        _("Whose game this is"),
        (
            _(
                "Brave or Knave was made by Justin Ware and Matthew Lillard. The game's page is © "
                "Find Familiar Spirits: findfamiliarspirits.com/pages/npc. Read it there, and "
                "raise a glass to them."
            ),
            _(
                "Taproom is an unofficial companion. It tells the rules in its own words; what is "
                "marked as a ruling is how Taproom settles what that page leaves open."
            ),
        ),
    )
