"""Particular strengths in words."""

from __future__ import annotations

from collections.abc import Callable

from campaigns.sentences.sheets import about
from campaigns.words import option_name
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def _of_strength(text: Callable[[], str]) -> Telling:
    """A sentence about somebody's strength and its option."""

    def telling(d: Data, n: Names) -> str:
        return about(text(), d, option=option_name(d.get("option", "")))

    return telling


TELLINGS: dict[str, Telling] = {
    "strength_written": _of_strength(
        lambda: _("%(name)s has a particular strength: %(strength)s, %(option)s.")
    ),
    "strength_taken": _of_strength(lambda: _("%(name)s takes up a strength: %(strength)s.")),
    "strength_put_back": _of_strength(
        lambda: _("%(name)s does without the strength %(strength)s after all.")
    ),
    "strength_crossed_out": _of_strength(
        lambda: _("The GM crosses out a strength of %(name)s's: %(strength)s.")
    ),
    "strength_raised": _of_strength(
        lambda: _("%(name)s comes back with more in %(strength)s: it is %(option)s now.")
    ),
}
