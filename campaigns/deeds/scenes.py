"""Scenes: where, who, what is up, and which of them is playing (WA-36, WA-38)."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import LINE, Chapter, Scene
from campaigns.services.finding import any_scene_named, chapter_of, people_named, scene_named
from campaigns.services.naming import in_log
from campaigns.services.telling import narrate
from games.errors import Malformed, MovedOn
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import keep, lean
from games.services.refusing import look_again
from games.text import clean_line

MOST_SCENES = 200


def _play(change: Change) -> Chapter:
    return chapter_of(change, Chapter.Step.PLAY)


@deed(actions.OpenScene, stops_in_pause=True)
def open_scene(change: Change, action: actions.OpenScene, tap: Tap) -> None:
    """Open a scene and turn to it."""
    chapter = _play(change)
    if chapter.scenes.count() >= MOST_SCENES:
        raise MovedOn(_("This chapter has as many scenes as it can keep."))
    who = people_named(change, chapter, action.who)
    made = Scene(
        chapter=chapter,
        where=_place(action.where),
        what=clean_line(action.what, field="what", longest=LINE),
        who=[one.number for one in who],
    )
    _turn_to(change, chapter, made)
    names = [in_log(one) for one in who]
    narrate(change, chapter, "scene_opened", where=made.where, what=made.what, names=names)


def _place(text: str) -> str:
    place = clean_line(text, field="where", longest=LINE)
    if not place:
        raise Malformed(_("Say where it plays."), field="where")
    return place


def _turn_to(change: Change, chapter: Chapter, row: Scene) -> None:
    """Let this scene play, and no other: also none that an undo would have play again."""
    for other in chapter.scenes.exclude(pk=row.pk):
        lean(change, other, "is_current")
        other.is_current = False
        keep(change, other)
    row.is_current = True
    keep(change, row)


@deed(actions.EditScene)
def edit_scene(change: Change, action: actions.EditScene, tap: Tap) -> None:
    """Change where, what or who: somebody has come in, something else is up."""
    chapter = _play(change)
    row = scene_named(change, action.scene)
    who = people_named(change, chapter, action.who)
    row.where = _place(action.where)
    row.what = clean_line(action.what, field="what", longest=LINE)
    row.who = [one.number for one in who]
    keep(change, row)
    change.log("scene_edited", where=row.where)


@deed(actions.RewordScene)
def reword_scene(change: Change, action: actions.RewordScene, tap: Tap) -> None:
    """Set right where a scene played and what was up, also long afterwards."""
    row = any_scene_named(change, action.scene)
    row.where = _place(action.where)
    row.what = clean_line(action.what, field="what", longest=LINE)
    keep(change, row)
    change.log("scene_edited", where=row.where)


@deed(actions.TurnToScene, stops_in_pause=True)
def turn_to_scene(change: Change, action: actions.TurnToScene, tap: Tap) -> None:
    """Cut to another scene; dice may wait between two rounds meanwhile."""
    chapter = _play(change)
    row = scene_named(change, action.scene)
    if row.is_current:
        raise MovedOn(_("That scene is playing already."))
    if row.is_over:
        raise MovedOn(_("That scene is over. Open it again first."))
    _turn_to(change, chapter, row)
    narrate(change, chapter, "scene_turned_to", where=row.where)


@deed(actions.CloseScene)
def close_scene(change: Change, action: actions.CloseScene, tap: Tap) -> None:
    """Say that a scene is over, or open it again, which does not yet turn to it."""
    chapter = _play(change)
    row = scene_named(change, action.scene)
    if row.is_over == action.on:
        raise look_again()
    if action.on and chapter.sequences.filter(scene=row, is_over=False).exists():
        raise MovedOn(_("Dice are on the table in this scene. Play them to their end first."))
    row.is_over, row.is_current = action.on, False
    keep(change, row)
    change.log("scene_closed" if action.on else "scene_reopened", where=row.where)
