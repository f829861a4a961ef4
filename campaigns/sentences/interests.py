"""Best interests in words."""

from __future__ import annotations

from campaigns.sentences.sheets import about
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def _named(d: Data, n: Names) -> str:
    text = about(_("%(name)s wants: “%(text)s”."), d)
    if d["targets"]:
        return f"{text} " + _("It is about %(names)s.") % {"names": and_list(d["targets"])}
    return text


def _marked(d: Data, n: Names) -> str:
    text = {
        "open": _("Open again for %(name)s: “%(text)s”."),
        "achieved": _("%(name)s has achieved it: “%(text)s”."),
        "lost": _("%(name)s has lost it: “%(text)s”."),
        "moot": _("For %(name)s it no longer matters: “%(text)s”."),
    }[d["state"]]
    return about(text, d)


TELLINGS: dict[str, Telling] = {
    "interest_named": _named,
    "interest_edited": lambda d, n: about(_("%(name)s now wants: “%(text)s”."), d),
    "interest_dropped": lambda d, n: about(_("%(name)s no longer wants: “%(text)s”."), d),
    "interest_marked": _marked,
}
