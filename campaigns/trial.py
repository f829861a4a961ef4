"""A campaign to look around in: three players without phones, and four cards on the table."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.deeds.campaign import begin_campaign
from campaigns.deeds.members import add_member
from campaigns.deeds.oracle import choose_oracle, deal_cards
from campaigns.deeds.setup import open_chapter
from games.rules.wicked_age.oracles import SHIPPED
from games.services.act import Tap
from games.services.change import Change


def try_out(change: Change) -> None:
    """Lay out a first chapter for one person, who reads the elements and plays everybody."""
    tap = Tap("trial")
    begin_campaign(change, actions.BeginCampaign(_("A wicked evening")), tap)
    for name in (_("Moth"), _("Ash"), _("Vane")):
        add_member(change, actions.AddMember(name), tap)
    open_chapter(change, actions.OpenChapter(), tap)
    choose_oracle(change, actions.ChooseOracle(SHIPPED[0]), tap)
    deal_cards(change, actions.DealCards(), tap)
    # What lies ready at a trial is nobody's doing: there is nothing to take back.
    change.ledger.clear()
