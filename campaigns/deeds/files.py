"""Bringing a campaign in from its file."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.deeds.campaign import check_room_for_one, put_in_front
from campaigns.services.file_fault import FIELD
from campaigns.services.file_format import CampaignValue
from campaigns.services.file_import import bring_in
from games.errors import Malformed
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import gm_seat
from games.text import folded


@deed(actions.ImportCampaign)
def import_campaign(change: Change, action: actions.ImportCampaign, tap: Tap) -> None:
    """Make a campaign of the file that came along; the one in front until now waits.

    What an undo sets back is only which of the two is in front. Its GM is who hosts
    this table (WA-1), and everybody is told where the file has it otherwise.
    """
    if not tap.attachment:
        raise Malformed(_("Choose a campaign's file first."), field=FIELD)
    check_room_for_one(change)
    made = bring_in(change.table, tap.attachment)
    put_in_front(change, change.table.campaigns.get(pk=made.pk))
    told = _gm_told(gm_seat(change).name, tap.attachment.value)
    change.log("campaign_imported", name=made.name, chapters=made.chapters.count(), **told)


def _gm_told(host: str, value: CampaignValue) -> dict[str, Any]:
    """Return what is to be told of who leads it: nothing where it is who the file says."""
    named = [one.name for one in value.members if one.is_gm and not one.has_left]
    if [folded(name) for name in named] == [folded(host)]:
        return {}
    return {"gm": host, "gms": named}
