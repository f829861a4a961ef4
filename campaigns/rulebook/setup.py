"""Before play: oracle, cast, sheets, strengths and best interests, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def setup() -> list[Section]:
    """Return the sections on setting a chapter up."""
    return [_one_breath(), _table(), _oracle(), _cast(), _sheets(), _strengths(), _interests()]


def _one_breath() -> Section:
    return Section(
        "one-breath",
        _("In one breath"),
        (
            _(
                "Four cards make a world in trouble. You read people out of them, take one each, "
                "and say what would be best for them, so that it can't all come true. Then you "
                "play it out. When somebody acts and somebody else would stop it, dice decide. "
                "Go against the strong and last a round, and your name goes on a list: we owe you "
                "another chapter. (WA-7, WA-8, WA-11, WA-31, WA-39, WA-76)"
            ),
            _(
                "One of you is the GM and plays everybody else. A session is a chapter, and "
                "chapters may be years or a heartbeat apart. (WA-1, WA-93)"
            ),
        ),
    )


def _table() -> Section:
    return Section(
        "the-table",
        _("Who plays"),
        (
            _("A GM and two to six players; three or four are best. (WA-1)"),
            _("Players choose the oracle and deal; the GM writes down what comes of it. (WA-3)"),
            _(
                "Before you begin, say what shall stay out of the story. During play one word is "
                "enough to drop an element, a move or a consequence. Every phone has a stop "
                "that gives nobody away. (WA-4)"
            ),
        ),
    )


def _oracle() -> Section:
    return Section(
        "the-oracle",
        _("The oracle"),
        (
            _(
                "An oracle is a list of fifty-two things that might be so, one for each card. Any "
                "player chooses one of the four, before looking. Four cards are dealt; their "
                "entries are this chapter's elements. (WA-5, WA-6, WA-7)"
            ),
            _("Type the cards, if a real deck has dealt them. (WA-7)"),
        ),
        (
            _(
                "If a player finds nobody to play, the GM may agree to one more card: a fifth, and "
                "that is the last. (WA-7)"
            ),
        ),
    )


def _cast() -> Section:
    return Section(
        "the-cast",
        _("Reading people out of it"),
        (
            _(
                "Go through the elements together and list everybody in them: those who are named, "
                "and those who must exist for it all to make sense. A god counts, a ghost counts, "
                "one of a crowd counts. The list stays open while you choose. (WA-8, WA-9)"
            ),
            _(
                "Every player takes one. The GM gets the rest. If two want the same, talk; if that "
                "does not help, draw lots. (WA-11)"
            ),
            _("Whoever takes a character may say that two on the list are one. (WA-9)"),
        ),
    )


def _sheets() -> Section:
    return Section(
        "sheets",
        _("Sheets"),
        (
            _(
                "A player's character acts in six ways, which are called forms: covertly, "
                "directly, for myself, for others, with love, with violence. Put a d12, a d10, a "
                "d8, two d6 and a d4 on them as you like. (WA-12, WA-13)"
            ),
            _(
                "An NPC has three forms: action, maneuvering, self-protection. One of them gets "
                "d12 and d8, one d10 and d6, one d6 and d4. That takes ten seconds, also in the "
                "middle of a scene. (WA-15, WA-16)"
            ),
            _(
                "Every die has the size it was made with and the size it has now. Losses touch "
                "only the second. (WA-17)"
            ),
        ),
        (
            _("A group that acts as one has one sheet and one roll. (WA-107)"),
            _("Ghosts and spirits have ordinary sheets. (WA-96)"),
        ),
    )


def _strengths() -> Section:
    return Section(
        "strengths",
        _("Particular strengths"),
        (
            _(
                "A new character may have one particular strength: a skill beyond the usual, "
                "magic, a power, an ally, a treasure. It has one form for players' characters and "
                "one for NPCs; act in that form, and its die is rolled along: a d8. "
                "(WA-14, WA-19, WA-20, WA-27)"
            ),
            _(
                "It has one of five options besides. Potent: its die is a d10. Broad: a second "
                "form for players' characters. Consequential: whoever loses outright to it loses "
                "one die size more, from a form that is written down. Unique: nobody else has it. "
                "Far-reaching: it reaches what no human hand could. "
                "(WA-21, WA-22, WA-24, WA-25, WA-26)"
            ),
            _("Use it, and it must show in what you do. (WA-27)"),
        ),
        (
            _("Several strengths may be used at once, if each one's form is rolled. (WA-28)"),
            _("An option can be taken once, and a broad strength's forms differ. (WA-23)"),
            _(
                "A unique strength is free again when its holder is dead or has lost it. The whole "
                "campaign is searched for holders. (WA-25)"
            ),
            _("An NPC has at most one when made, of the first significance. (WA-18, WA-103)"),
        ),
    )


def _interests() -> Section:
    return Section(
        "interests",
        _("Best interests"),
        (
            _(
                "What would be best for your character? Not what is right, and not what they "
                "know: what would be best. The GM begins with one of the strongest NPCs and two "
                "interests that strike at players' characters; then it goes round the table, until "
                "every player's character has two and every NPC at least one. "
                "(WA-30, WA-31, WA-33)"
            ),
            _("Nobody argues with them. You may ask why. (WA-33)"),
            _(
                "Aim at somebody, best of all where they are strong: only who goes against "
                "strength is owed another chapter. (WA-34, WA-76)"
            ),
        ),
        (
            _("Three is the most for anybody; play begins when nobody lacks any. (WA-32)"),
            _("Interests are new in each chapter; old ones may be named again. (WA-92)"),
            _(
                "Whoever has an interest says what has come of it, at any time: achieved, lost or "
                "moot. The GM says it for NPCs. (WA-35)"
            ),
        ),
    )
