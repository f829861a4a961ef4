"""Time, light and rest in words (KN-21)."""

from __future__ import annotations

from characters.sentences.words import plain
from games.grammar import and_list
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice


def _passed(d: Data, n: Names) -> str:
    told = {"count": d["turns"], "day": d["day"], "time": f"{d['hour']:02}:{d['minute']:02}"}
    if d["turns"] < 0:
        return _("The clock is turned back to %(time)s on day %(day)s.") % told
    text = ngettext(
        "A turn passes: %(time)s on day %(day)s.",
        "%(count)s turns pass: %(time)s on day %(day)s.",
        d["turns"],
    )
    return text % told


def _night(d: Data, n: Names) -> str:
    return _("Camp is made, and day %(day)s begins. %(names)s: roll what the night heals.") % {
        "names": and_list(d["names"]),
        "day": d["day"],
    }


def _haven(d: Data, n: Names) -> str:
    return _("A safe haven makes %(names)s whole. Day %(day)s begins.") % {
        "names": and_list(d["names"]),
        "day": d["day"],
    }


def _rested(d: Data, n: Names) -> str:
    if d["total"] == 0:
        return _("%(name)s eats, sleeps, rolls %(face)s and regains nothing.") % d + whose_dice(d)
    text = ngettext(
        "%(name)s eats, sleeps, rolls %(face)s and regains %(total)s hit point.",
        "%(name)s eats, sleeps, rolls %(face)s and regains %(total)s hit points.",
        d["total"],
    )
    return text % d + whose_dice(d)


TELLINGS: dict[str, Telling] = {
    "turns_passed": _passed,
    "light_burnt_out": plain(lambda: _("%(name)s's light burns out: %(item)s.")),
    "night_rest": _night,
    "haven_rest": _haven,
    "night_rested": _rested,
    "slept_hungry": plain(
        lambda: _("%(name)s has no ration: without a meal a night heals nothing.")
    ),
}
