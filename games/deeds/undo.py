"""Undo: an action with events of its own. The log keeps both what was done and who took it back."""

from __future__ import annotations

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import actions
from games.asked import Asked
from games.deeds.people import namesakes
from games.errors import AskFirst, Forbidden, MovedOn, too_late
from games.models import Entrant, Event, Game, Play, Seat, Undone, rows
from games.rules import brave_or_knave as bk
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import chain_of, take_back
from games.stage import GOING_BACK, tell_all
from games.stored import encode, play_again, plays_that_count, state_of

# A player may take back a choice of their own while nothing has followed from it; a die or a
# shout is everybody's, and only the host takes those back.
OWN_CHOICES = {"name", "award", "blind", "deal", "finger"}
# How many of the moves that would go back with one are named when the host is asked to confirm.
MOST_TOLD = 3
# More plays than this do not go back with one: each of them has an Undo of its own in the log.
LONGEST_CHAIN = 200

_EVENT = Asked(lambda table, seq: Event.objects.filter(table=table, seq=seq).select_related("play"))


@deed(actions.Undo, may="seat")
def undo(change: Change, action: actions.Undo, tap: Tap) -> None:
    """Set back what the play that logged this event changed; no die is rolled again."""
    assert change.seat
    event = _EVENT.first(change.table.pk, action.event)
    if event:
        event.play.table = change.table
    if event and not change.seat.is_gm and event.to_id not in (None, change.seat.pk):
        event = None  # it is not theirs to know of: not even whether it still stands
    if event and event.play.can_undo:
        _undo_by_ledger(change, event, sure=action.sure)
    else:
        _undo_in_bout(change, event, sure=action.sure)


def _undo_by_ledger(change: Change, event: Event, *, sure: bool) -> None:
    """Players take back their own last choice, the host anything with what followed from it."""
    assert change.seat
    play = event.play
    if rows.exists(Undone, play_id=play.pk):
        raise MovedOn(_("That has been taken back already, or can't be."))
    # First: to look for what hangs on a play of years ago, all others are read.
    is_own = play.seat_id == change.seat.pk and not (play.faces or event.to_id)
    if not (change.seat.is_gm or is_own):
        raise Forbidden(_("Only the host may take that back."))
    # The first that is too many ends the search, and for a player any is.
    chain = chain_of(play, most=LONGEST_CHAIN if change.seat.is_gm else 1)
    if len(chain) > 1 and not change.seat.is_gm:
        raise MovedOn(_("Something has come of it since: ask the host to take it back."))
    if len(chain) > LONGEST_CHAIN:
        raise MovedOn(_("Too much has happened since. Take back what came after it first."))
    tell_all(GOING_BACK, change, chain)
    if (also := chain[1:]) and not sure:
        raise _question(change, event, also)
    take_back(change, chain)
    change.play.action = {"action": "undo", "event": event.seq}
    change.log(
        "undone",
        to=event.to,
        by=change.seat.name,
        by_role=change.seat.role,
        what={"kind": event.kind, "data": event.data},
        count=len(chain),
    )


def _question(change: Change, event: Event, also: list[Play]) -> AskFirst:
    """Return what the host is asked before so many moves go back with one: none comes again."""
    assert change.seat
    text = ngettext(
        "%(count)s later move hangs on it and would go back with it.",
        "%(count)s later moves hang on it and would go back with it.",
        len(also),
    )
    told = _begun_by(also, change.seat)
    return AskFirst(text % {"count": len(also)}, event.seq, told, is_all=len(also) <= MOST_TOLD)


def _begun_by(plays: list[Play], reader: Seat) -> tuple[Event, ...]:
    """Return the first event of each of the newest of these plays that this reader may know of."""
    newest = reversed(plays[-MOST_TOLD:])
    firsts = (play.events.filter(Q(to=None) | Q(to=reader)).first() for play in newest)
    return tuple(event for event in firsts if event is not None)


def _undo_in_bout(change: Change, event: Event | None, *, sure: bool) -> None:
    """Set the bout back to before the play that logged this event.

    What has just happened goes back at once; a finger that slips on the log does not
    cost the table half an evening.
    """
    key = event.game_id if event else None
    game = None if key is None else change.table.games.filter(pk=key).first()
    if event is None or game is None:
        raise MovedOn(_("That can't be taken back."))
    _check_latest(change, game)
    plays = plays_that_count(game)
    at = next((i for i, p in enumerate(plays) if p.pk == event.play_id), None)
    if at is None:
        raise MovedOn(_("That has been taken back already, or can't be."))
    _check_may(change, plays[at:])
    if len(also := plays[at + 1 :]) > MOST_TOLD and not sure:
        raise _question(change, event, also)
    assert change.seat
    by = game.entrants.filter(seat=change.seat).values_list("guild_name", flat=True).first()
    set_back_to(change, game, plays, at, event, by=by or change.seat.name)


def set_back_to(
    change: Change, game: Game, plays: list[Play], at: int, event: Event, *, by: str
) -> None:
    """Set the bout back to before one of the plays that count, which logged this event."""
    assert change.seat
    state = play_again(game, plays[:at])
    back_to = plays[at].seq
    change.play.game = game
    change.play.action = {"action": "undo", "event": event.seq, "back_to": back_to}
    what, count = {"kind": event.kind, "data": event.data}, len(plays) - at
    role = change.seat.role
    change.log("undone", game=game, by=by, by_role=role, what=what, back_to=back_to, count=count)
    _seat_again(change, game, state)
    game.state = encode(state)
    game.scene, game.scene_ms, game.moved_ms = change.table.seq + 1, change.now_ms, change.now_ms
    game.closes_ms, game.locks, game.owed_ms = None, {}, {}
    if game.status == Game.Status.OVER:
        # What others have told of its end, in a knave's record for one, is no move of the rules.
        end = plays[-1]
        change.after_log.append(lambda: Undone.objects.create(play=end, by=change.play))
        game.status, game.ended_at, game.winners = Game.Status.PLAYING, None, []
    _reopen_shouting(change, game)
    game.save()


def _seat_again(change: Change, game: Game, state: bk.State) -> None:
    """Give whoever is back in the bout, and has got up meanwhile, a seat again.

    Who had left is back, and so is who was out and got up, or went once it was over. Who has sat
    down anew plays on from there. Any other seat is on the host's device until it is passed to a
    phone: a bout never waits for an empty chair. A regular's is on none, as the house plays it.
    """
    assert change.seat
    playing = [e for i, e in enumerate(change.entrants(game)) if state.is_alive(i)]
    gone = Seat.objects.filter(
        pk__in=[e.seat_id for e in playing], standing=Seat.Standing.GONE
    ).in_bulk()
    for entrant in playing:
        if (seat := gone.get(entrant.seat_id)) is None:
            continue
        if anew := _who_came_anew(change, game, seat):
            _plays_from(game, entrant, anew)
            continue
        seat.standing = Seat.Standing.SEATED
        seat.device = None if seat.regular else change.seat.device
        seat.save(update_fields=["standing", "device"])


def _who_came_anew(change: Change, game: Game, gone: Seat) -> Seat | None:
    """Return the seat on which somebody who had got up sits by now, if there is one.

    Two of one name would sit there otherwise, which the door lets nobody do. Raises MovedOn for
    one who knocks: that they come in is said by nothing but the door's own question.
    """
    there = namesakes(change.table, gone.name)
    taking_part = {entrant.seat_id for entrant in change.entrants(game)}
    for seat in there:
        is_other = seat.role == Seat.Role.SCREEN or seat.regular != gone.regular
        if is_other or seat.pk in taking_part:
            continue
        if not seat.is_seated:
            raise MovedOn(
                _(
                    "%(name)s knocks at the door: let them in, or turn them away, before you take "
                    "that back."
                )
                % {"name": seat.name}
            )
        return seat
    return None


def _plays_from(game: Game, entrant: Entrant, seat: Seat) -> None:
    """Give a seat somebody's part in a bout, and the moves by which it is played again."""
    game.plays.filter(seat=entrant.seat_id).update(seat=seat)
    entrant.seat = seat
    entrant.save(update_fields=["seat"])


def _check_latest(change: Change, game: Game) -> None:
    if change.table.rules != game.rules:
        raise too_late()
    newest = change.table.games.filter(rules=game.rules).order_by("-id").first()
    if game != newest or game.status not in (Game.Status.PLAYING, Game.Status.OVER):
        raise MovedOn(_("That bout is closed: the next one has begun."))


def _check_may(change: Change, undone: list[Play]) -> None:
    assert change.seat
    if change.seat.is_gm:
        return
    own = len(undone) == 1 and undone[0].seat_id == change.seat.pk
    is_choice = own and undone[0].action["action"] in OWN_CHOICES
    # A blind call that lifted the hand has shown what it was made without (BK-23).
    if not is_choice or undone[0].events.filter(kind="Revealed").exists():
        raise Forbidden(_("Only the host may take that back."))


def _reopen_shouting(change: Change, game: Game) -> None:
    """Let a shouting that an undo has opened again close, if some of its shouts still stand."""
    shouts = state_of(game).shouts
    if shouts:
        # Their instants count from the old opening: who shouts now comes after them.
        game.scene_ms = change.now_ms - max(s.at_ms for s in shouts)
        game.closes_ms = change.now_ms + change.table.settings.unison_ms
