"""Scenes in words."""

from __future__ import annotations

from campaigns.sentences.campaign import plain
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def _opened(d: Data, n: Names) -> str:
    where, what = d["where"].rstrip("."), d["what"].rstrip(".")
    told = {**d, "names": and_list(d["names"]), "where": where, "what": what}
    if d["names"] and d["what"]:
        return _("A scene: %(where)s. %(names)s. %(what)s.") % told
    if d["names"]:
        return _("A scene: %(where)s. %(names)s.") % told
    if d["what"]:
        return _("A scene: %(where)s. %(what)s.") % told
    return _("A scene: %(where)s.") % told


TELLINGS: dict[str, Telling] = {
    "scene_opened": _opened,
    "scene_edited": plain(lambda: _("The scene has changed: %(where)s.")),
    "scene_turned_to": plain(lambda: _("Cut to: %(where)s.")),
    "scene_closed": plain(lambda: _("The scene is over: %(where)s.")),
    "scene_reopened": plain(lambda: _("The scene is open again: %(where)s.")),
}
