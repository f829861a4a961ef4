"""The GM's corrections of the owe list (WA-76, WA-81, WA-111)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import Owed
from campaigns.services.finding import campaign_of, character_named, open_chapter_of, owed_named
from campaigns.services.naming import called, in_log
from campaigns.services.numbers import next_number
from games.errors import MovedOn, NotFound
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep

MOST_OWED = 2000

Struck = Owed.Struck


@deed(actions.OweName)
def owe_name(change: Change, action: actions.OweName, tap: Tap) -> None:
    """Write a name at the end of the list; an NPC's never (WA-76)."""
    campaign = campaign_of(change)
    one = character_named(change, action.character)
    if not one.is_pc:
        text = _("%(name)s is one of the GM's characters, and they are never owed a chapter.")
        raise MovedOn(text % {"name": called(one)})
    order = next_number(campaign.owed, "order")
    if order > MOST_OWED:
        raise MovedOn(_("The owe list is as long as anybody can read."))
    chapter = open_chapter_of(campaign)
    keep(change, Owed(campaign=campaign, order=order, character=one, chapter=chapter))
    change.log("name_owed_by_word", name=in_log(one))


@deed(actions.StrikeName)
def strike_name(change: Change, action: actions.StrikeName, tap: Tap) -> None:
    """Strike an occurrence, or let one that is struck stand again in its old place."""
    if action.on:
        row = owed_named(change, action.owed)
        row.struck, kind = Struck.WORD, "name_struck_by_word"
    else:
        row = _struck(change, action.owed)
        _check_nothing_hangs_on_it(row)
        row.struck, kind = Struck.NOT, "name_stands_again"
        row.struck_sequence = row.struck_round = row.struck_chapter = None
    keep(change, row)
    change.log(kind, name=in_log(row.character))


def _struck(change: Change, key: int) -> Owed:
    rows = campaign_of(change).owed.select_related("character", "struck_sequence", "struck_chapter")
    row = rows.filter(pk=key).first()
    if row is None:
        raise NotFound(_("That name was never on this owe list."))
    if row.struck == Struck.NOT:
        raise MovedOn(_("That name stands already."))
    return row


def _check_nothing_hangs_on_it(row: Owed) -> None:
    """Raise MovedOn while what the stroke has paid for is still on the table."""
    if not row.is_in_use:
        return
    if row.struck == Struck.DIE:
        raise MovedOn(_("The die that this name has bought is still on the table."))
    text = _("%(name)s has come back for this in the chapter under way.")
    raise MovedOn(text % {"name": called(row.character)})
