"""Campaigns of a table: begun, named, put in front, closed, set; and its own oracles (WA-5)."""

from __future__ import annotations

import msgspec
from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import NAME, SET_UP, Campaign, Chapter, OwnOracle
from campaigns.services.finding import campaign_of, open_chapter_of
from campaigns.services.members import settle_gm
from campaigns.services.oracles import OWN, mark_of_oracle, read_oracle, value_of
from campaigns.services.people import seat_everybody
from campaigns.services.returning import mend_who_came_back
from campaigns.services.steps import is_played
from games.errors import MovedOn, NotFound
from games.models.table import Table
from games.rules.wicked_age.oracles import Oracle
from games.said import language
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import drop, keep, lean
from games.services.refusing import look_again
from games.settings import with_setting
from games.text import clean_name

MOST_CAMPAIGNS = 60
MOST_ORACLES = 60


@deed(actions.BeginCampaign)
def begin_campaign(change: Change, action: actions.BeginCampaign, tap: Tap) -> None:
    """Begin a campaign with everybody who sits here (WA-1); it is in front from now on."""
    check_room_for_one(change)
    name = clean_name(action.name if action.name.strip() else change.table.name, longest=NAME)
    if change.table.campaigns.filter(is_in_front=True, name=name, chapters=None).exists():
        raise look_again()  # of a double tap: an empty one would stand beside it for ever
    made = Campaign(table=change.table, name=name, is_in_front=False)
    keep(change, made)
    put_in_front(change, made)
    seat_everybody(change, made)
    change.log("campaign_begun", name=made.name)


def check_room_for_one(change: Change) -> None:
    """Raise MovedOn when the table has as many campaigns as it can keep."""
    if change.table.campaigns.count() >= MOST_CAMPAIGNS:
        raise MovedOn(_("This table has as many campaigns as it can keep."))


def put_in_front(change: Change, campaign: Campaign) -> None:
    """Turn to a campaign, and let the one in front wait: only one can be there at a time.

    In this order, and each as a step of its own, so that an undo can set them
    back without ever having two there.
    """
    if former := change.table.campaigns.filter(is_in_front=True).first():
        former.is_in_front = False
        keep(change, former)
    campaign.is_in_front = True
    keep(change, campaign)


@deed(actions.RenameCampaign)
def rename_campaign(change: Change, action: actions.RenameCampaign, tap: Tap) -> None:
    """Give the campaign in front another name."""
    campaign = campaign_of(change)
    before, campaign.name = campaign.name, clean_name(action.name, longest=NAME)
    if campaign.name == before:
        return
    keep(change, campaign)
    change.log("campaign_renamed", before=before, name=campaign.name)


@deed(actions.FrontCampaign)
def front_campaign(change: Change, action: actions.FrontCampaign, tap: Tap) -> None:
    """Put another of the table's campaigns in front; the other waits as it stands."""
    found = change.table.campaigns.filter(pk=action.campaign).first()
    if found is None:
        raise NotFound(_("This table has no such campaign."))
    if found.is_in_front:
        raise MovedOn(_("That campaign is in front already."))
    put_in_front(change, found)
    settle_gm(change, found)
    change.log("campaign_fronted", name=found.name)


@deed(actions.CloseCampaign)
def close_campaign(change: Change, action: actions.CloseCampaign, tap: Tap) -> None:
    """Say that the campaign is over (WA-84), or that it goes on after all."""
    campaign = campaign_of(change)
    if action.on == (campaign.closed_at is not None):
        raise look_again()
    if action.on and open_chapter_of(campaign):
        raise MovedOn(_("A chapter is under way. End it first, or put it away."))
    for told in campaign.chapters.order_by("-number")[:1]:
        lean(change, told, "step")
    campaign.closed_at = timezone.now() if action.on else None
    keep(change, campaign)
    change.log("campaign_closed" if action.on else "campaign_reopened", name=campaign.name)


@deed(actions.ConfigureCampaign)
def configure_campaign(change: Change, action: actions.ConfigureCampaign, tap: Tap) -> None:
    """Change one way in which the campaign is played (WA-99)."""
    campaign = campaign_of(change)
    settings = with_setting(campaign.settings, action.setting, action.value)
    if settings == campaign.settings:
        return
    campaign.keep_settings(settings)
    keep(change, campaign)
    chapter = open_chapter_of(campaign)
    if chapter is not None and not is_played(chapter):
        mend_who_came_back(change, chapter)
    value = getattr(campaign.settings, action.setting)
    change.log("campaign_set", setting=action.setting, value=value)


# --- oracles of the table's own (WA-5) -----------------------------------------------------------
def _own_oracle(table: Table, key: int) -> OwnOracle:
    found = table.oracles.filter(pk=key).first()
    if found is None:
        raise NotFound(_("This table has no such oracle."))
    return found


def _read_oracle(action: actions.WriteOracle) -> Oracle:
    return read_oracle(action.text, action.written_as, language())


@deed(actions.WriteOracle, may="seat", ahead=_read_oracle)
def write_oracle(change: Change, action: actions.WriteOracle, tap: Tap) -> None:
    """Write an oracle of the table's own, or write one anew; all that is wrong is said at once."""
    read: Oracle = tap.attachment
    if action.oracle:
        row = _own_oracle(change.table, action.oracle)
        _check_not_in_use(change, row)
        _check_as_given(row, action.was)
    elif change.table.oracles.count() >= MOST_ORACLES:
        raise MovedOn(_("This table has as many oracles as it can keep. Put one away first."))
    else:
        row = OwnOracle(table=change.table)
    row.title, row.blurb = read.title, read.blurb
    row.entries = msgspec.to_builtins(read.entries)
    keep(change, row)
    change.log("oracle_written", title=row.title, count=len(row.entries))
    change.answer["oracle"] = f"{OWN}{row.pk}"


def _check_as_given(row: OwnOracle, was: str) -> None:
    """Raise MovedOn where somebody else has written an oracle since the editor was opened."""
    if was and was != mark_of_oracle(value_of(row)):
        text = _(
            "Somebody else has written this oracle meanwhile. Open it once more beside this page to"
            " read theirs; keep yours again, and it takes their place."
        )
        raise MovedOn(text, field="was")


@deed(actions.DropOracle)
def drop_oracle(change: Change, action: actions.DropOracle, tap: Tap) -> None:
    """Put away an oracle; chapters that were played with it keep their elements."""
    row = _own_oracle(change.table, action.oracle)
    _check_not_in_use(change, row)
    change.log("oracle_put_away", title=row.title)
    drop(change, row)


def _check_not_in_use(change: Change, row: OwnOracle) -> None:
    """Raise MovedOn while a chapter may still be dealt from the oracle."""
    dealt_from = Chapter.objects.filter(
        campaign__table=change.table, oracle=f"{OWN}{row.pk}"
    ).exclude(step__in=SET_UP)
    if dealt_from.exists():
        raise MovedOn(_("A chapter is being set up from this oracle."))
