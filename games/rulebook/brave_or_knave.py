"""Brave or Knave, told for players in our own words; each text names the rule that it tells.

The order is that of somebody at a bar: the whole game in one breath first,
then a turn, the special numbers, fingers, variations, how this app plays it.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.brave_or_knave_here import here
from games.rulebook.brave_or_knave_variations import variations
from games.rulebook.section import Figures, RuleBook, Section
from games.rules.brave_or_knave import odds
from games.screens.scene import percent


def book() -> RuleBook:
    """Return the rules page in the active language, with what each number does (BK-19)."""
    remark = _(
        "BRAVE and KNAVE: how often a challenger comes through. Menace: how often the number "
        "costs a finger under its harsher call."
    )
    rows = tuple((str(number), *map(percent, chances)) for number, chances in odds.table().items())
    head = (_("Number"), _("BRAVE"), _("KNAVE"), _("Menace"))
    figures = Figures("odds", _("What each number does"), head, rows, remark)
    return RuleBook(tuple(sections()), (figures,))


def sections() -> list[Section]:
    """Return the rule book in the active language."""
    return [
        _one_breath(),
        _before(),
        _turn(),
        _challenge(),
        _bounce(),
        _numbers(),
        _own_number(),
        _fingers(),
        *variations(),
        *here(),
    ]


def _one_breath() -> Section:
    return Section(
        "one-breath",
        _("In one breath"),
        (
            _(
                "Each of you has five fingers and a number of your own. Somebody rolls a die of "
                "twenty sides. Whoever shouts first takes it up: BRAVE, I roll higher, or KNAVE, "
                "I roll lower. Come through, and your number is the next one to beat. Fall short, "
                "and it costs you a finger. The last hand with a finger on it wins. "
                "(BK-8, BK-13, BK-14, BK-22)"
            ),
            _(
                "Three things break in. A 1 puts you out on the spot. A 20 takes a finger from "
                "everybody else. And when a player's own number falls, the die is theirs: they "
                "say who rolls next, and whether higher or lower. (BK-16, BK-17, BK-18)"
            ),
            _("That is enough to begin. The rest can be read when it happens to you."),
        ),
    )


def _before() -> Section:
    return Section(
        "before",
        _("Before the first roll"),
        (
            _(
                "Two can play and eighteen can, one for each number; with four to seven it is at "
                "its best. (BK-1)"
            ),
            _(
                "Take a guild name that nobody else at the table has; capitals and spaces around "
                "it make no difference. While the bout lasts, it is the only name you go by. "
                "(BK-2)"
            ),
            _(
                "Take a number from 2 to 19 that is nobody else's. You see at once which ones are "
                "gone. If two of you reach for the same one in the same instant, one of you gets "
                "it, the other is told and loses nothing else. (BK-3)"
            ),
            _(
                "Your five lives are the fingers of a hand. If your kind has fewer, or none, show "
                "the letters K-N-A-V-E instead. (BK-4)"
            ),
            _(
                "You sit in a ring, clockwise. Until the first roll the host may move people "
                "about. The table picks who rolls first, or leaves it to the die. (BK-5, BK-6)"
            ),
        ),
    )


def _turn() -> Section:
    return Section(
        "turn",
        _("A turn"),
        (
            _(
                "A round opens with a roll, and runs until somebody fails, dies, or the die "
                "changes hands by a special number. Whoever rolled last is the roller, and what "
                "they rolled is the standing number: the one to beat. Unless it is a special "
                "number, every other living player may shout at it. (BK-7)"
            ),
            _(
                "The first to shout BRAVE or KNAVE becomes the challenger and must roll what "
                "they shouted. (BK-8)"
            ),
            _(
                "Shouts that fall together count as one breath, and the roller picks which of "
                "them counts. (BK-9)"
            ),
            _(
                "The roller's word is final. Until the challenger has rolled, the roller may give "
                "the challenge to anybody else who shouted before that roll. Everybody sees who "
                "shouted when. (BK-10)"
            ),
            _(
                "Nobody dares? The roller knocks on the table three times. After the third the "
                "shouting is closed, and the roller names any other living player and says BRAVE "
                "or KNAVE for them: a cruelty or a kindness. (BK-11)"
            ),
        ),
    )


def _challenge() -> Section:
    return Section(
        "challenge",
        _("The challenge"),
        (
            _(
                "The challenger rolls. Look in this order, and stop at the first that fits: a 1 is "
                "GRAVE, a 20 is STAVE, the standing number again is a bounce; otherwise higher or "
                "lower decides. After that comes the personal number, if it was one. (BK-12)"
            ),
            _(
                "Come through, and you are safe. Your number stands now, you are the roller, and "
                "the others may shout at it that very moment. (BK-13)"
            ),
            _(
                "Fail, and you lose a finger. The round is over, and you open the next one. If "
                "that was your last finger, you are out, and the next living player clockwise "
                "takes the die. (BK-14)"
            ),
        ),
    )


def _bounce() -> Section:
    return Section(
        "bounce",
        _("The bounce"),
        (
            _(
                "A challenger who rolls exactly the standing number is neither safe nor lost. The "
                "die bounces back: the previous roller must roll against the same number, under "
                "the same call. That roll is judged like any challenge, and one more tie bounces "
                "again. (BK-15)"
            ),
        ),
        (
            _(
                "The die goes to the player who rolled the standing number. If they are out, it "
                "goes to whoever set the challenge by the power of a number. If nobody else is "
                "left to take it, the same player rolls again. (BK-15)"
            ),
            _("Every further tie sends the die back to the other of the two. (BK-15)"),
            _(
                "Whoever comes through on a bounce is the new roller, and their number stands. "
                "Whoever fails on it pays the finger. (BK-15)"
            ),
        ),
    )


def _numbers() -> Section:
    return Section(
        "special-numbers",
        _("Grave and Stave"),
        (
            _(
                "A 1 is GRAVE. Whoever rolls it is out at once, on any roll and with any number "
                "of fingers, and the next living player clockwise opens. Cry it out, all of you. "
                "(BK-16)"
            ),
            _(
                "A 20 is STAVE. Every other living player loses a finger, and whoever rolled it "
                "opens again. If that leaves nobody else with a finger, they have won. (BK-17)"
            ),
        ),
        (_("A challenger who rolls a 20 is safe under either call, even under KNAVE. (BK-17)"),),
    )


def _own_number() -> Section:
    return Section(
        "personal-number",
        _("Your own number"),
        (
            _(
                "When the number of a living player is rolled, the die is theirs. They name who "
                "rolls next against it, and whether BRAVE or KNAVE. On an opening roll this takes "
                "the place of the shouting. On a challenge the challenger comes through or fails "
                "first, and then the owner takes over; the number just rolled stands. (BK-18)"
            ),
            _(
                "Choose to suit your temper: a number near the middle is a fair fight, one near "
                "either end is a trap. At the very ends wait Severn's Noose, the 2, where KNAVE "
                "can be met only by a 1, and that is GRAVE; and its mirror, the 19, where BRAVE "
                "can be met only by a 20, and that saves. (BK-19)"
            ),
            _(
                "The table at the foot of this page tells what each number does to a challenger, "
                "to the last of the twenty faces. (BK-19)"
            ),
        ),
        (
            _("The owner may name anybody alive, and themselves too. (BK-18)"),
            _("The numbers of players who are out are ordinary numbers. (BK-18)"),
            _(
                "A bounce hands nobody the die, since the roll that it starts is still being "
                "settled. (BK-18)"
            ),
            _(
                "If the failure on that very roll puts the owner out, the number is an ordinary "
                "one. (BK-18)"
            ),
        ),
    )


def _fingers() -> Section:
    return Section(
        "fingers",
        _("Fingers, and the end of it"),
        (
            _(
                "Every finger lost is a particular finger, and you no longer hold the die with it. "
                "You choose which one to give up; if you take too long, it is the little one. "
                "Your phone shows what is left to you, and with real dice the screens remind you. "
                "(BK-20)"
            ),
            _(
                "No fingers, and you are out. Keep your chair: you see everything, but you do not "
                "shout, roll or take control any more. (BK-21)"
            ),
            _(
                "The last player with a finger wins. Honor is restored, the table drinks to it, "
                "and the bout goes into the table's records. (BK-22)"
            ),
        ),
    )
