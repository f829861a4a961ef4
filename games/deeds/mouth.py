"""Shouting by mouth (BK-8): somebody taps who was first, and may say that it was heard wrong."""

from __future__ import annotations

from django.utils.translation import gettext as _

from games import actions
from games.customs import shouts_aloud
from games.deeds.bout import bout, indexes_of, make_move
from games.deeds.undo import set_back_to
from games.errors import Forbidden, MovedOn, too_late
from games.models import Game, Seat
from games.rules import brave_or_knave as bk
from games.rules.dice import RecordedDice, SystemDice
from games.services.act import Tap, deed
from games.services.change import Change
from games.stored import plays_that_count, state_of


@deed(actions.Heard, may="screen", stops_in_pause=True, answers_scene=True)
def heard(change: Change, action: actions.Heard, tap: Tap) -> None:
    """BK-8 by mouth: the roller's phone or the tablet taps who was first, and that decides."""
    assert change.seat
    game = bout(change, tap)
    state = state_of(game)
    told_by = _teller(change, game, state)
    shouter = change.table.seats.filter(number=action.who).first()
    index = indexes_of(change, game).get(shouter.pk) if shouter else None
    if shouter is None or index is None:
        raise MovedOn(_("Nobody sits there."))
    at_ms = max(0, change.now_ms - game.scene_ms)
    change.play.seat = shouter
    shout = bk.Shout(bk.Call(action.call), at_ms=at_ms)
    make_move(change, game, index, shout, RecordedDice(SystemDice()))
    name, role = state.names[index], change.seat.role
    change.log("heard_by", game=game, name=name, teller=told_by, teller_role=role)
    # Nobody else can be in a race that was judged by ear: it closes at the next tick.
    game.closes_ms = change.now_ms
    game.save(update_fields=["closes_ms"])


@deed(actions.Misheard, may="screen", stops_in_pause=True, answers_scene=True)
def misheard(change: Change, action: actions.Misheard, tap: Tap) -> None:
    """BK-10 by mouth: until the challenger has rolled, who was first can be said anew.

    Of those who shouted only one was tapped, so that there is nobody else to
    give the challenge to: the shouting is open again as it was. Who has left since would be back
    in the bout, and that is the host's to do.
    """
    game = bout(change, tap)
    state = state_of(game)
    told_by = _teller(change, game, state)
    plays = plays_that_count(game)
    shouts = [at for at, one in enumerate(plays) if one.action["action"] == "shout"]
    told = list(plays[shouts[-1]].events.order_by("seq")) if shouts else []
    by_ear = any(event.kind == "heard_by" for event in told)
    if not (by_ear and state.hears_late_shouts()):
        raise too_late()
    assert change.seat
    has_left = any(one.action["action"] == "leave" for one in plays[shouts[-1] :])
    if has_left and not change.seat.is_gm:
        raise MovedOn(_("Something has come of it since: ask the host to take it back."))
    set_back_to(change, game, plays, shouts[-1], told[0], by=told_by)


def _teller(change: Change, game: Game, state: bk.State) -> str:
    """Return the name of whoever says who was first. Raises Forbidden for one who may not."""
    assert change.seat
    if not shouts_aloud(change.table.settings):
        raise Forbidden(_("At this table everyone shouts on their own phone."))
    teller = indexes_of(change, game).get(change.seat.pk)
    if not (teller == state.roller or change.seat.role == Seat.Role.SCREEN or change.seat.is_gm):
        raise Forbidden(_("The roller or the shared screen says who was first."))
    return change.seat.name if teller is None else state.names[teller]
