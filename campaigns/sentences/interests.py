"""Best interests in words."""

from __future__ import annotations

from campaigns.sentences.sheets import named
from games.said import gettext as _
from games.sentences import Data, Names, Telling, and_list


def _named(d: Data, n: Names) -> str:
    text = _("%(name)s wants: “%(text)s”.") % named(d)
    if d["targets"]:
        return f"{text} " + _("It is about %(names)s.") % {"names": and_list(d["targets"])}
    return text


def _marked(d: Data, n: Names) -> str:
    text = {
        "open": _("Open again for %(name)s: “%(text)s”"),
        "achieved": _("%(name)s has achieved it: “%(text)s”"),
        "lost": _("%(name)s has lost it: “%(text)s”"),
        "moot": _("For %(name)s it no longer matters: “%(text)s”"),
    }[d["state"]]
    return text % named(d)


TELLINGS: dict[str, Telling] = {
    "interest_named": _named,
    "interest_edited": lambda d, n: _("%(name)s now wants: “%(text)s”") % named(d),
    "interest_dropped": lambda d, n: _("%(name)s no longer wants: “%(text)s”") % named(d),
    "interest_marked": _marked,
}
