"""Action sequences: rounds, answers, advantage, and what losing costs, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def dice() -> list[Section]:
    """Return the sections on dice."""
    return [_when(), _hand(), _reading(), _round(), _advantage(), _cost(), _talking()]


def _when() -> Section:
    return Section(
        "when",
        _("When dice are rolled"),
        (
            _(
                "Open wide, come down to one place, begin with two who have something to say to "
                "each other. Talk needs no dice, however heated. (WA-36, WA-39)"
            ),
            _(
                "Roll when somebody does something, and somebody else can and would stop it. "
                "Whoever is there may join or stay out. All roll for their own characters; the GM "
                "rolls for every NPC by itself. (WA-39, WA-40)"
            ),
            _(
                "When your character first appears, say what everybody sees: the obvious, and one "
                "detail. You have the last word on your own character, the GM on all the rest; "
                "anybody may ask and suggest. (WA-37)"
            ),
        ),
        (
            _(
                "Two to eight take part. One act, one actor, and who interferes: that is all that "
                "is written down beforehand. (WA-41)"
            ),
        ),
    )


def _hand() -> Section:
    return Section(
        "in-hand",
        _("Dice in hand"),
        (
            _(
                "Take the two forms that fit what your character does and why; an NPC takes one "
                "form and both its dice. Add the dice of strengths that fit. (WA-42)"
            ),
        ),
        (
            _("What you take up you keep to the end of the sequence. (WA-43)"),
            _("A form at 0 gives no die; at least one form must give one. (WA-44)"),
        ),
    )


def _reading() -> Section:
    return Section(
        "reading",
        _("Reading a roll"),
        (
            _(
                "Find the highest die and add all pips of advantage dice to it: that is the total. "
                "The other dice follow, from high to low. The larger total is the higher roll; if "
                "totals are equal, the next die decides, and so on. (WA-46, WA-47)"
            ),
        ),
        (
            _("A die that one has and the other has not counts against 0. (WA-46)"),
            _(
                "Only the dice of forms and strengths are compared one by one: an advantage die "
                "adds its pips, and no more. (WA-45, WA-46)"
            ),
        ),
    )


def _round() -> Section:
    return Section(
        "rounds",
        _("Three rounds"),
        (
            _(
                "Everybody rolls. The highest roll stands on the table; all others pick their dice "
                "up again. From high to low, that is the order of turns. (WA-51)"
            ),
            _(
                "On your turn say what you do and who must answer. The first does it with the roll "
                "that stands; whoever comes later rolls anew first. (WA-54)"
            ),
            _(
                "Nobody's move can make undone what somebody else does; but whoever moves first "
                "says how much of it has happened already. What you say must fit your forms. "
                "(WA-55)"
            ),
            _(
                "You may also do something that threatens nobody: nobody answers, no dice, and it "
                "happens. (WA-56)"
            ),
            _(
                "Whoever is named rolls all their dice against the roll that stands. Twice as much "
                "or more wins outright. Half or less loses outright. Equal or higher wins the "
                "advantage. Lower: the mover has it. (WA-48, WA-49, WA-57)"
            ),
            _("Answer before your turn, and your move is lost for this round. (WA-58)"),
            _(
                "You may let it pass: no dice, and it happens. And if you were not named but would "
                "stop it, you may answer as well. (WA-56)"
            ),
            _(
                "In the third round there is no middle: equal or higher wins outright, lower "
                "loses outright. There is never a fourth. (WA-50)"
            ),
        ),
        _round_rulings(),
    )


def _round_rulings() -> tuple[str, ...]:
    return (
        _(
            "Exactly the same dice at the top: those tied may all back away, without harm. If "
            "one presses on, each rolls the lowest die again. (WA-52)"
        ),
        _("Ties below the top only decide the order: the app draws lots. (WA-53)"),
        _(
            "A mover who is beaten outright is out, and whoever was named but not yet heard "
            "still has a turn. (WA-59)"
        ),
        _("It also ends when fewer than two are left, or all left agree. (WA-60)"),
        _(
            "Allies whose last opponent is out may let each other be, or agree to end. Turning on "
            "an ally is a move like any other. (WA-109)"
        ),
        _("Whoever comes in between rounds is not written on the owe list for it. (WA-108)"),
        _(
            "Whoever leaves between rounds without a settlement needs the consent of all who hold "
            "an advantage over them. (WA-108)"
        ),
    )


def _advantage() -> Section:
    return Section(
        "advantage",
        _("Advantage dice"),
        (
            _(
                "Win the advantage over somebody, and from the next round on you roll a six-sided "
                "die with pips, whomever you face. Between two people there is only one: it goes "
                "to whoever won it last. (WA-61, WA-62, WA-63, WA-64)"
            ),
            _(
                "Before any roll you may strike a name of your own off the owe list and take such "
                "a die. It stays until the sequence is over, and can't be lost. The GM can't. "
                "(WA-65, WA-66)"
            ),
        ),
        (
            _("It is not lost when the one it was won from is out. (WA-63)"),
            _("You may strike a name that this very sequence has written. (WA-65)"),
        ),
    )


def _cost() -> Section:
    return Section(
        "cost",
        _("What losing costs"),
        (
            _(
                "Whoever loses outright is out of it, and is exhausted or injured: the winner "
                "says which. Exhausted: one size off directly and off with violence. Injured: one "
                "off covertly and off for others. An NPC loses one size off both dice of action, "
                "or of maneuvering. (WA-60, WA-67)"
            ),
            _(
                "After the d4 comes nothing. With two dice at nothing somebody is out for the rest "
                "of the chapter. (WA-68, WA-69)"
            ),
        ),
        (
            _("Nothing heals inside a chapter. (WA-75)"),
            _("Where several lose, each settles at once with whoever won over them. (WA-73)"),
            _(
                "A consequential strength takes its size besides, if its die was in the roll that "
                "decided; the winner may spare the loser that. Of an NPC's two dice the GM says "
                "which. (WA-24)"
            ),
        ),
    )


def _talking() -> Section:
    return Section(
        "talking",
        _("Talking with a stick in hand"),
        (
            _(
                "Instead, winner and loser may agree on anything both like better: other dice, a "
                "strength lost, captivity, death, or simply what happens. Either may break off at "
                "any moment, and then it is exhausted or injured. Nobody dies who has not agreed "
                "to it. (WA-70, WA-71)"
            ),
            _(
                "Between rounds it is the same with a smaller stick: agree, or the dice roll on. "
                "(WA-74)"
            ),
        ),
        (
            _(
                "What can't be agreed: what somebody will do later, what happens to anyone else, "
                "what makes the winner's sheet better, the owe list. (WA-72)"
            ),
        ),
    )
