"""The table itself: its door, its name, how it plays, pausing."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone
from django.utils.translation import gettext as _

from games import actions
from games.deeds.gathering import gather_again, take_own_names
from games.errors import Malformed, MovedOn, paused, too_late
from games.models import Game
from games.models.table import TABLE_NAME_LENGTH
from games.rules import brave_or_knave as bk
from games.services.act import Tap, deed
from games.services.change import Change
from games.settings import with_setting
from games.stage import STAGES
from games.text import clean_name

# A code that somebody photographed must not open the table for ever.
DOOR_HOURS = 12
# What shapes the rules of a bout can't change in its middle.
BEFORE_A_BOUT = {"has_shroud", "has_nine_sisters", "unison_ms"}


@deed(actions.SetDoor)
def set_door(change: Change, action: actions.SetDoor, tap: Tap) -> None:
    """Open, ask or lock; whoever is seated stays, whatever the door."""
    before = change.table.door_now
    change.table.door = action.door
    change.table.door_closes_at = timezone.now() + timedelta(hours=DOOR_HOURS)
    if action.door != before:
        change.log("door_set", door=action.door)


@deed(actions.RenameTable)
def rename_table(change: Change, action: actions.RenameTable, tap: Tap) -> None:
    """Give the table a name. Raises Malformed for one with nothing in it, or too long."""
    name = clean_name(action.name, longest=TABLE_NAME_LENGTH)
    if name == change.table.name:
        return
    change.table.name = name
    change.log("table_renamed", name=name)


@deed(actions.Configure)
def configure(change: Change, action: actions.Configure, tap: Tap) -> None:
    """Change one setting; variations and the unison window only between bouts."""
    game = change.game()
    is_playing = game is not None and game.status == Game.Status.PLAYING
    if action.setting in BEFORE_A_BOUT and is_playing:
        raise MovedOn(_("Variations are chosen before a bout, not in the middle of one."))
    settings = with_setting(change.table.settings, action.setting, action.value)
    if settings == change.table.settings:
        return
    change.table.keep_settings(settings)
    value = getattr(settings, action.setting)
    change.log("configured", setting=action.setting, value=value)


@deed(actions.TurnTable)
def turn_table(change: Change, action: actions.TurnTable, tap: Tap) -> None:
    """Put another game in front; a bout is played to its end or called off first."""
    if action.rules not in STAGES:
        raise Malformed(_("That is not one of the choices."), field="rules")
    if action.rules == change.table.rules:
        raise MovedOn(_("That game is on the table already."))
    game = change.game()
    if game is not None and game.status == Game.Status.PLAYING:
        raise MovedOn(_("Play the bout to its end first, or call it off."))
    if action.rules == bk.NAME:
        game = game or gather_again(change, change.table.games.filter(rules=bk.NAME).first())
        take_own_names(game)
    change.table.rules = action.rules
    change.log("table_turned", rules=action.rules)


@deed(actions.Pause)
def pause(change: Change, action: actions.Pause, tap: Tap) -> None:
    """Stop play and its clocks until `resume`. Raises MovedOn where they stand still already."""
    if change.table.paused_at:
        raise paused()
    change.table.paused_at = timezone.now()
    change.log("paused")


@deed(actions.Resume)
def resume(change: Change, action: actions.Resume, tap: Tap) -> None:
    """Go on; the clocks that stood still start where they stopped."""
    if change.table.paused_at is None:
        raise MovedOn(_("The table is not paused."))
    # A phone without a line keeps its taps: the pause that this one ended may be long over.
    if action.pause not in (None, change.table.pause):
        raise too_late()
    stood = int((timezone.now() - change.table.paused_at).total_seconds() * 1000)
    change.table.paused_at = None
    game = change.game()
    if game and game.status == Game.Status.PLAYING:
        game.scene_ms += stood
        game.moved_ms += stood
        game.closes_ms = None if game.closes_ms is None else game.closes_ms + stood
        game.owed_ms = {index: since + stood for index, since in game.owed_ms.items()}
        game.save(update_fields=["scene_ms", "moved_ms", "closes_ms", "owed_ms"])
    change.log("resumed")
