"""The owe list, a chapter's end, the next chapter, coming back, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def chapters() -> list[Section]:
    """Return the sections on what goes on from chapter to chapter."""
    return [_owe(), _end(), _next(), _back(), _growing()]


def _owe() -> Section:
    return Section(
        "owe-list",
        _("We owe"),
        (
            _(
                "At the end of the first round, and only then, the name of a player's character "
                "goes to the end of the list if they rolled smaller dice than somebody they met, "
                "and are still in. NPCs are never written. (WA-76)"
            ),
            _("Smaller: compare the largest dice, and only if they are equal the next. (WA-77)"),
            _("Each time a name stands there is one more chapter that we owe. (WA-81)"),
        ),
        (
            _("Met means: they compared dice in that round. (WA-78)"),
            _("Whoever won outright against bigger dice is written, too. (WA-79)"),
            _("Several names go down in the order of turns. (WA-80)"),
        ),
    )


def _end() -> Section:
    return Section(
        "the-end",
        _("A chapter's end"),
        (
            _(
                "The GM proposes it, the table agrees: when the interests are achieved, lost or "
                "moot, when nobody is left to play, when it is late. A cliffhanger is a good end. "
                "Say what became of each interest, and add a line for your character. "
                "(WA-82, WA-83)"
            ),
            _(
                "A campaign takes six to ten chapters, more or less, and finds its feet with the "
                "third. (WA-84)"
            ),
        ),
    )


def _next() -> Section:
    return Section(
        "next-chapter",
        _("The next chapter"),
        (
            _(
                "Whoever stands at the top of the owe list comes back, and that name is struck, "
                "once. The character's player chooses the oracle, then picks one element; three "
                "cards bring the rest. Everybody else chooses as in the first chapter. (WA-85, "
                "WA-86, WA-88)"
            ),
            _(
                "A character who is not at the top can be played again if they fit somebody on "
                "the list, or if their name is struck once for it. (WA-88)"
            ),
            _("The chapter may take place before, after or at the same time as any other. (WA-93)"),
            _(
                "You play one character in a chapter. Over the campaign several may be yours, and "
                "all their names may be on the list. (WA-89)"
            ),
        ),
        _next_rulings(),
    )


def _next_rulings() -> tuple[str, ...]:
    return (
        _("An empty list: set it up like the first. (WA-87)"),
        _(
            "If the player is not there, or would rather not, the name stays and the next one "
            "counts. (WA-87)"
        ),
        _("NPCs may return with whole dice; they earn nothing. (WA-90, WA-104)"),
        _(
            "Even the dead are owed: they come back earlier, as a ghost, reborn, or never "
            "quite dead. (WA-95)"
        ),
        _("Somebody else's character is played only with their permission. (WA-88)"),
        _(
            "Years are the story's, not the sheet's: in an earlier time, too, a character has "
            "the latest sheet. (WA-94)"
        ),
        _(
            "The names of a player who has left stay on the list, and are passed over; or the "
            "characters are handed to another player, and their names with them. (WA-105)"
        ),
        _(
            "The book's own paragraph on the third chapter and after was not to be had: here "
            "the rules are the same from the second on. (WA-91)"
        ),
    )


def _back() -> Section:
    return Section(
        "coming-back",
        _("Coming back"),
        (
            _(
                "Every character who returns makes one choice: mend all dice, take a new "
                "particular strength, give an old one another option, or let one form grow by a "
                "size, to a d12 at most. (WA-97, WA-98)"
            ),
            _("Forms at nothing come back as a d4 before the choice. (WA-99)"),
        ),
        (
            _(
                "The book's own page on this was not to be had; the choice is known from its "
                "playtest, its list is ours. A campaign may let mending be free. (WA-97, WA-99)"
            ),
            _("Playing twice in a row is coming back. (WA-100)"),
        ),
    )


def _growing() -> Section:
    return Section(
        "significance",
        _("Strengths that grow"),
        (
            _(
                "More significance is one more option: potent, then doubly potent, a d12; broad, "
                "consequential, unique, far-reaching. Four options are the most. (WA-101, WA-102)"
            ),
            _("Only your own copy grows. (WA-29)"),
        ),
        (_("It can't become unique while somebody else alive has it. (WA-106)"),),
    )
