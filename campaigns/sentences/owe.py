"""The GM's corrections of the owe list in words."""

from __future__ import annotations

from campaigns.sentences.campaign import plain
from games.said import gettext as _
from games.sentences import Telling

TELLINGS: dict[str, Telling] = {
    "name_owed_by_word": plain(lambda: _("The GM writes %(name)s on the owe list.")),
    "name_struck_by_word": plain(lambda: _("The GM strikes %(name)s from the owe list, once.")),
    "name_stands_again": plain(
        lambda: _("%(name)s stands on the owe list again, in the old place.")
    ),
}
