"""A campaign that is carried to another table in its file."""

from __future__ import annotations

from django.db import transaction

from campaigns.models import Campaign
from campaigns.services.file_import import bring_in
from campaigns.services.file_read import read_file
from campaigns.services.file_rows import Rows
from campaigns.services.file_write import file_of, value_of
from campaigns.views.records import check_told
from games.models import Table
from tests.games.party import Person

ELSEWHERE = "Elsewhere"


def comes_in(campaign: Campaign, there: Table) -> Campaign:
    """Take a campaign's file to another table, and return what it is there."""
    read = read_file(file_of(campaign))
    check_told(read)
    return bring_in(there, Rows(read))


def comes_in_again(campaign: Campaign, there: Table) -> None:
    """Take a campaign's file to a table of strangers, and insist that it is the same there."""
    before = value_of(campaign)
    with transaction.atomic():
        made = comes_in(campaign, there)
        found = value_of(Campaign.objects.get(pk=made.pk))
        assert found == before, (found, before)
        transaction.set_rollback(True)


def table_elsewhere() -> Table:
    """Return a table at which nobody sits whose name is in the campaign."""
    return Person("Zoe").opens_table(ELSEWHERE)
