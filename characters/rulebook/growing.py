"""Experience, levels, hirelings, magic (KN-22 to KN-25), for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def growing() -> list[Section]:
    """Return the sections on what makes a knave more than the others."""
    return [_experience(), _new_level(), _hirelings(), _magic(), _spell_words()]


def _experience() -> Section:
    return Section(
        "experience",
        _("Experience"),
        (
            _(
                "Something accomplished at a low risk is worth 50, at a moderate one 100, at a "
                "high one 200. Every 1000 is a level. It is the sum that counts: with 1050 you "
                "are due the second level, and have 50 towards the third. (KN-22)"
            ),
            _(
                "The referee can name beforehand what a goal is worth. The list is there for all "
                "to see, and a goal that is reached pays every living knave. (KN-22)"
            ),
            _(
                "A table may prefer milestones, so much for each session, or experience for the "
                "coin brought home; a gold piece is 100 copper then, and a silver piece 10. "
                "(KN-22)"
            ),
        ),
    )


def _new_level() -> Section:
    return Section(
        "new-level",
        _("A new level"),
        (
            _(
                "Roll as many d8 as your new level has in it. Their sum is your new maximum of "
                "hit points; if you had more before, it is the old maximum and 1. (KN-23)"
            ),
            _(
                "Three different abilities rise by 1, bonus and defense together, though none "
                "above +10 and 20. (KN-23)"
            ),
            _(
                "A table may let the dice choose. Put your abilities in order and roll a d20 for "
                "each: one rises if the roll is less than its defense. Go round until three have "
                "risen, past those at the top. (KN-23)"
            ),
            _("With more Constitution you have more slots from that moment. (KN-4, KN-23)"),
        ),
        (
            _("If the dice make just the old maximum, it stays as it is. (KN-23)"),
            _("If fewer than three abilities are below the top, all of those rise. (KN-23)"),
            _("A new level heals nothing: what you had lost is still to be slept off. (KN-23)"),
            _(
                "Taken in the middle of a fight, a level's bonuses and maximum count from the next "
                "fight on. (KN-23)"
            ),
        ),
    )


def _hirelings() -> Section:
    return Section(
        "hirelings",
        _("Hirelings"),
        (
            _(
                "You can have as many hirelings as your Charisma bonus, and no more. Each has a "
                "wage for every day, a morale rating, and a record of how you have dealt with "
                "each other. (KN-24)"
            ),
            _(
                "Wages fall due as the days begin, and what you owe is counted. Pay it, or the "
                "referee may roll their morale. (KN-20, KN-24)"
            ),
            _("In a fight you act for those you pay. (KN-24)"),
        ),
        (
            _(
                "A hireling has no scores: every ability bonus is the hireling's level. What a "
                "trade fights with, beyond the wage, is our suggestion. (KN-24)"
            ),
            _(
                "When an employer dies and the hirelings hold, whoever played the employer goes on "
                "acting for them. Any knave with room for one more may take them into service; "
                "what they are owed stays owed. (KN-16, KN-20, KN-24)"
            ),
        ),
    )


def _magic() -> Section:
    return Section(
        "magic",
        _("Magic"),
        (
            _(
                "Anybody can cast a spell who has its book. A book holds one spell, takes one "
                "slot, and works once a day; to cast twice, carry two copies. (KN-25)"
            ),
            _(
                "Hold it in both hands and read aloud. In a fight that is your combat action. "
                "(KN-13, KN-25)"
            ),
            _(
                "No knave can write a spell book or copy one. They are found where it is "
                "dangerous, or taken from whoever has them, and somebody will want to take yours. "
                "(KN-25)"
            ),
            _(
                "A save against a spell is an opposed one, with the caster's Intelligence on one "
                "side. On the other, as a rule: Dexterity against what is aimed at the body, "
                "Constitution against what drains life, Intelligence against what alters the "
                "mind, Wisdom against what only seems. Either side may roll. (KN-9, KN-25)"
            ),
            _(
                "Spells of other games have levels: cast none above your own. The hundred below "
                "have none, and grow with you. (KN-25)"
            ),
        ),
        (
            _(
                "A full night's rest refreshes the books, and so does a haven. Midnight alone "
                "does not. (KN-21, KN-25)"
            ),
        ),
    )


def _spell_words() -> Section:
    return Section(
        "spell-words",
        _("What the spells mean by their words"),
        (
            _(
                "L is the caster's level. An item is what one hand can lift. An object is nothing "
                "larger than a human, and a creature can be one. (KN-25)"
            ),
            _(
                "Unless the spell says otherwise it reaches up to 40 feet, and what lasts lasts "
                "up to L times ten minutes. A creature struck by it directly may save, to be "
                "spared all of it or some. (KN-25)"
            ),
        ),
    )
