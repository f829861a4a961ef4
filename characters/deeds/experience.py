"""Experience by the table's other ways: milestones and sessions, coin brought home (KN-22)."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters import actions
from characters.models import Character
from characters.services.body import earn
from characters.services.finding import chosen
from characters.services.telling import tell
from games.errors import Malformed, MovedOn
from games.rules.knave import growth
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep
from games.text import set_apart


def _knaves(change: Change, keys: Iterable[int]) -> list[Character]:
    """Return the knaves among those chosen. Raises MovedOn when there is none."""
    who = [one for one in chosen(change, keys) if one.kind == Character.Kind.KNAVE]
    if not who:
        raise MovedOn(_("Only knaves gain experience: choose one."))
    return who


@deed(actions.AwardLevel)
def award_level(change: Change, action: actions.AwardLevel, tap: Tap) -> None:
    """Bring those chosen to where the next level is due; who is there already gets nothing by it.

    Raises MovedOn where that is all of them: a second tap is no second level.
    """
    asked = _knaves(change, action.who)
    waiting = [one for one in asked if not growth.is_due(one.level, one.xp)]
    who = [one for one in waiting if one.level < growth.HIGHEST_LEVEL]
    if not who and waiting:
        raise MovedOn(_("There is no level above %(level)s.") % {"level": growth.HIGHEST_LEVEL})
    if not who:
        text = ngettext(
            "%(names)s has a level to take first.",
            "They all have a level to take first: %(names)s.",
            len(asked),
        )
        raise MovedOn(text % {"names": ", ".join(set_apart(one.name) for one in asked)})
    for one in who:
        one.xp = growth.next_level_xp(one.level)
        keep(change, one)
    tell(change, "level_awarded", *who, names=[one.name for one in who])


@deed(actions.AwardCoin)
def award_coin(change: Change, action: actions.AwardCoin, tap: Tap) -> None:
    """Share the experience that coin is worth, a point a copper piece; a rest earns nothing."""
    who = _knaves(change, action.who)
    earned = growth.coin_xp(action.gold, action.silver, action.copper)
    each = earned // len(who)
    if not each:
        raise Malformed(_("Write how much coin was brought home."), field="gold")
    names = [one.name for one in who]
    tell(change, "coin_awarded", *who, names=names, amount=each, copper=earned)
    earn(change, who, each)
