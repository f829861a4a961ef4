"""The local variations of Brave or Knave (BK-23 to BK-25), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def variations() -> list[Section]:
    """Return the sections on what a table may switch on before a bout."""
    return [_shroud(), _sisters(), _house_rules()]


def _shroud() -> Section:
    return Section(
        "shroud",
        _("Variation: the Witchrest Shroud"),
        (
            _(
                "Before an opening roll, any living player but the roller may call for a Shroud. "
                "The die is then rolled under a cupped hand, and nobody sees it, not "
                "even the roller. Whoever called says BRAVE or KNAVE blind; the hand is lifted, "
                "and they roll. (BK-23)"
            ),
            _(
                "Come through, and you deal out three lost fingers among the other living "
                "players, in any shares, though to nobody more than they have. If fewer than "
                "three are left among them, you deal out all of those. Fail, and you lose three "
                "of your own. (BK-23)"
            ),
            _(
                "Until the hand is lifted, the number is known to no phone and no screen. With a "
                "real die it stays under the hand, and is tapped in when the hand is lifted. "
                "(BK-23)"
            ),
        ),
        _shroud_rulings(),
    )


def _shroud_rulings() -> tuple[str, ...]:
    return (
        _("One Shroud a roll, for whoever called first. (BK-23)"),
        _(
            "If what comes to light is a 1, a 20, a living player's number or a house rule's, "
            "that number acts as usual and the wager is off. (BK-23)"
        ),
        _(
            "If the caller's own roll is a 1 or a 20, that acts as usual, in place of the "
            "wager. (BK-23)"
        ),
        _("A tie bounces. The wager holds only if the die comes back to whoever called. (BK-23)"),
        _(
            "The three fingers are dealt out first. Then the turn goes on as after any "
            "challenge that was met: the number stands, or its owner has the die. (BK-23)"
        ),
        _("A wager lost is a failure like any other, with three fingers in place of one. (BK-23)"),
    )


def _sisters() -> Section:
    return Section(
        "nine-sisters",
        _("Variation: the Nine Sisters"),
        (
            _(
                "When a 9 stands and may be shouted at, there is a third cry in the same race: "
                "HEAL. Roll under 9, and your hand is whole again, all five. Roll over 9, and the "
                "Sisters take it all: you are out. Roll a 9, and you roll again. A 1 is GRAVE as "
                "ever; a 20 puts you out too, and costs every other living player a finger. "
                "(BK-24)"
            ),
        ),
        (
            _("A healer who comes through is the new roller, and their number stands. (BK-24)"),
            _("If the healer goes out, the next living player clockwise has the die. (BK-24)"),
            _(
                "If the healer rolls a living player's number, the healing is settled first; then "
                "the owner has the die. (BK-24)"
            ),
            _(
                "If the 9 is itself a living player's number, its owner takes the die, and nobody "
                "can shout HEAL. (BK-24)"
            ),
            _(
                "If a healer's 20 leaves nobody alive, those who fell last fell together and "
                "share the win. (BK-24)"
            ),
        ),
    )


def _house_rules() -> Section:
    return Section(
        "house-rules",
        _("Variation: rules of your own"),
        (
            _(
                "A table can give a number from 2 to 19 a name, a cry and a fate: on opening "
                "rolls, on challenge rolls or on both. The fate is one effect or several, "
                "each with whom it strikes: lose fingers, regain fingers (never more than five), "
                "pass the die, make somebody roll next under BRAVE or KNAVE, roll again, or turn "
                "the direction of play. (BK-25)"
            ),
            _(
                "It can strike the roller, the challenger, the neighbor on the left or on the "
                "right, everyone else, everyone, or one picked by whoever has just rolled; one "
                "pick serves the whole rule. On a challenge the challenger comes through or fails "
                "first. (BK-25)"
            ),
            _(
                "House rules stay in the table's book and can be given to another table as a link "
                "or as a small file. They are read with care: what makes no sense is turned down, "
                "with the reason. (BK-25)"
            ),
        ),
        (
            _(
                "A house rule cannot take the 1 or the 20, nor a number that belongs to somebody "
                "in this bout. (BK-25)"
            ),
            _(
                "On a challenge the roller is whoever had rolled the number to beat. The "
                "neighbors and everyone else are counted from the challenger, who picks as well; "
                "whoever fell on that roll picks nobody. (BK-25)"
            ),
            _(
                "A rule does nothing to anybody who is out. If it puts out the very one to whom "
                "it gave the die, the next living player clockwise opens. (BK-21, BK-25)"
            ),
        ),
    )
