"""Campaigns, oracles of a table's own, and the people who play, in words."""

from __future__ import annotations

from collections.abc import Callable

from games.grammar import and_list
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling


def _set(d: Data, n: Names) -> str:
    return {
        ("mending_is_free", True): _("Whoever comes back has whole dice from now on."),
        ("mending_is_free", False): _("Whoever comes back has worn dice again, and may mend them."),
    }[d["setting"], d["value"]]


def _oracle(d: Data, n: Names) -> str:
    return ngettext(
        "The oracle “%(title)s” is written, with %(count)s entry.",
        "The oracle “%(title)s” is written, with %(count)s entries.",
        d["count"],
    ) % {"title": d["title"], "count": d["count"]}


def plain(text: Callable[[], str]) -> Telling:
    """A sentence whose gaps are the event's own fields; `all` are its names as people list them."""
    return lambda d, n: text() % {**d, "all": and_list(d.get("names", []))}


TELLINGS: dict[str, Telling] = {
    "campaign_begun": plain(lambda: _("A campaign begins: %(name)s.")),
    "campaign_renamed": plain(lambda: _("The campaign %(before)s is called %(name)s now.")),
    "campaign_fronted": plain(lambda: _("The table turns to the campaign %(name)s.")),
    "campaign_closed": plain(lambda: _("The campaign %(name)s is over.")),
    "campaign_reopened": plain(lambda: _("The campaign %(name)s goes on.")),
    "campaign_set": _set,
    "oracle_written": _oracle,
    "oracle_put_away": plain(lambda: _("The oracle “%(title)s” is put away.")),
    "member_added": plain(lambda: _("%(name)s plays too, without a phone.")),
    "member_linked": plain(lambda: _("%(seat)s plays as %(name)s in this campaign.")),
    "member_claimed": plain(lambda: _("%(seat)s plays as %(name)s in this campaign.")),
    "member_freed": plain(lambda: _("Nobody at the table is %(name)s now.")),
    "member_away": plain(lambda: _("%(name)s is not here for this chapter.")),
    "member_here": plain(lambda: _("%(name)s is here again.")),
    "member_left": plain(lambda: _("%(name)s leaves the campaign.")),
    "member_back": plain(lambda: _("%(name)s is back in the campaign.")),
    "character_handed": plain(lambda: _("%(name)s is %(by)s's character from now on.")),
    "character_lent": plain(lambda: _("%(by)s may play %(name)s for a chapter.")),
    "loan_ended": plain(lambda: _("%(name)s is no longer lent to anybody.")),
}
