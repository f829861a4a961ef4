"""Calls for rolls, reactions, monsters of other games (KN-11 and more), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def refereeing() -> list[Section]:
    """Return the sections for whoever is the referee."""
    return [_calls(), _reactions(), _foes(), _conversion()]


def _calls() -> Section:
    return Section(
        "calls",
        _("For the referee: calling for a roll"),
        (
            _(
                "Ask one knave, some or all for a save: name the ability and, if you like, the "
                "reason, an advantage, a number to add, or a defense to beat. It stands on their "
                "phones until they have rolled, and you see who has. (KN-8, KN-9, KN-10)"
            ),
            _(
                "Several calls can be open at once. For those who take too long the house can "
                "roll. (KN-8)"
            ),
            _(
                "In a fight you roll for a foe that a spell is aimed at: against the defense of "
                "whoever read it, or against a danger, where more than 15 is needed. (KN-9, KN-25)"
            ),
            _(
                "A trap or a fall can hurt several at once, and a potion heal them; the sheets, "
                "the graveyard and a fight that is on all know of it. (KN-16)"
            ),
        ),
    )


def _reactions() -> Section:
    return Section(
        "reactions",
        _("For the referee: reactions"),
        (
            _(
                "When you do not know how somebody takes to the party, roll 2d6 and look it up in "
                "the table of reactions below. (KN-11)"
            ),
        ),
        (
            _(
                "The text of the game that we have is garbled here; these steps are how we read "
                "it. (KN-11)"
            ),
        ),
    )


def _foes() -> Section:
    return Section(
        "encounters",
        _("For the referee: foes"),
        (
            _(
                "Put foes together out of sight, from the book or from a stat line, and begin the "
                "fight when the party walks in. More of them can come in later. (KN-12)"
            ),
            _(
                "The app tells you, and only you, when a roll for morale is due; whether you roll "
                "it is up to you. (KN-20)"
            ),
            _(
                "With the flag beside a foe who waits you say that this one leads the others: "
                "then all of them are one group, and waver when the leader falls. (KN-20)"
            ),
            _(
                "One of yours may stand among them, as their sheet is. Whoever is bought, charmed "
                "or a traitor goes over to the other side at your word, in the middle of a fight, "
                "and acts no second time in that round by it. (KN-13)"
            ),
        ),
    )


def _conversion() -> Section:
    return Section(
        "other-games",
        _("For the referee: monsters of other games"),
        (
            _(
                "Paste an old-school stat line, and the app converts it and tells how it came by "
                "each figure. This is what it does. (KN-14)"
            ),
            _(
                "The level is the number of hit dice. Every ability bonus is the level, every "
                "defense ten more. Hit points are 4 for each die; make it 5 if you want a harder "
                "game. (KN-1, KN-6)"
            ),
            _(
                "An armor class that rises with better armor is the armor defense. One that falls "
                "is taken from 19, or from 20 if it is AD&D's. (KN-5)"
            ),
            _(
                "Attack bonus, damage and morale stay as they are. Where no attack bonus is "
                "given, it is the number of hit dice. (KN-14, KN-15, KN-20)"
            ),
        ),
        (
            _("Less than one hit die is level 0, with 2 hit points. (KN-6)"),
            _("Where nothing is said of morale it is 7; 12 is for what knows no fear. (KN-20)"),
            _(
                "A hit rolls what the line has, be it several dice or a die and a plus. A critical "
                "is one more die of the same kind, an ideal weapon one more; the plus counts "
                "once. (KN-15, KN-19)"
            ),
            _(
                "A sum without dice is what every hit costs, and each further die adds 1 to it. "
                "More than 20 dice are rolled as the one die whose highest face comes nearest. "
                "Where a die has a minus, a hit may cost nothing, and never gives hit points "
                "back. (KN-15, KN-19)"
            ),
        ),
    )
