"""How every game's deeds refuse: in the rules' own words, or because the table has moved on."""

from __future__ import annotations

from games.errors import MovedOn, too_late
from games.models import Game
from games.rules.engine import IllegalAction
from games.rules.words import Reason
from games.said import gettext as _
from games.services.act import Tap
from games.text import as_sentence


def reason_of(refusal: IllegalAction | Reason) -> str:
    """Return why a rule refuses something as a sentence in the active language."""
    return as_sentence(_(refusal.why))


def refused(refusal: IllegalAction | Reason, *, field: str = "") -> MovedOn:
    """Return what a rule does not allow now, with its reason."""
    return MovedOn(reason_of(refusal), field=field)


def check_scene(game: Game, tap: Tap) -> None:
    """Raise MovedOn for a tap that answers an earlier scene of a game than the one it is in."""
    if tap.saw is not None and tap.saw != game.scene:
        raise too_late()


def look_again() -> MovedOn:
    """Return the refusal of what somebody has done a moment before, or taken away."""
    return MovedOn(_("The table has moved on. Look again."))


def so_already() -> MovedOn:
    """Return the refusal of what would change nothing, on a page that may well be new."""
    return MovedOn(_("That is so already."))
