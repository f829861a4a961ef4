"""Experience by the table's other ways: milestones and sessions, coin brought home (KN-22)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from characters import actions
from characters.models import Character
from characters.services.body import earn
from characters.services.finding import chosen
from characters.services.telling import tell
from games.errors import Malformed
from games.rules.knave import growth
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep


@deed(actions.AwardLevel)
def award_level(change: Change, action: actions.AwardLevel, tap: Tap) -> None:
    """Bring everybody chosen to where the next level is due; who is there already stays."""
    who = [one for one in chosen(change, action.who) if one.kind == Character.Kind.KNAVE]
    for one in who:
        one.xp = max(one.xp, growth.next_level_xp(one.level))
        keep(change, one)
    tell(change, "level_awarded", *who, names=[one.name for one in who])


@deed(actions.AwardCoin)
def award_coin(change: Change, action: actions.AwardCoin, tap: Tap) -> None:
    """Share the experience that coin is worth, a point a copper piece; a rest earns nothing."""
    who = [one for one in chosen(change, action.who) if one.kind == Character.Kind.KNAVE]
    earned = growth.coin_xp(action.gold, action.silver, action.copper)
    each = earned // max(1, len(who))
    if not each:
        raise Malformed(_("Write how much coin was brought home."), field="gold")
    names = [one.name for one in who]
    tell(change, "coin_awarded", *who, names=names, amount=each, copper=earned)
    earn(change, who, each)
