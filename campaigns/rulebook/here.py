"""How this app plays In a Wicked Age, for the rule book."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games.rulebook.section import Section


def here() -> list[Section]:
    """Return the section on what is this app's own."""
    return [
        Section(
            "at-this-table",
            _("At this table"),
            (
                _(
                    "Roll here or with real dice: tap the faces, they are checked against the die. "
                    "A roll once shown stands; only the GM can set it right, and the log says so. "
                    "(WA-111)"
                ),
                _(
                    "Several sequences may run at once. Between rounds the GM may hold the dice of "
                    "one and cut to another scene. (WA-38)"
                ),
                _(
                    "Nothing in this game is hidden: everybody sees everybody's sheet, interests "
                    "and dice."
                ),
                _(
                    "Tables may write their own oracles, of any length. The book's own may be "
                    "typed in for your table alone. (WA-5)"
                ),
                _(
                    "Whoever comes when the others have chosen takes somebody whom nobody plays, "
                    "makes the sheet while the story goes on, and is in it when the sheet is "
                    "ready. (WA-9, WA-11)"
                ),
                _("Dice can't be handed to somebody else. Helping is joining in. (WA-110)"),
            ),
        )
    ]
