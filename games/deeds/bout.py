"""The moves of a bout: every rule action takes this one path, whoever or whatever plays it."""

from __future__ import annotations

import msgspec
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _

from games import actions, presence
from games.customs import is_real_one_under_hand, nobody_reads, shouts_aloud
from games.errors import Forbidden, Malformed, MovedOn
from games.models import Entrant, Game, Seat, rows
from games.rules import brave_or_knave as bk
from games.rules.dice import RecordedDice, SystemDice, TypedDice
from games.rules.engine import Action, IllegalAction, play
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import check_real_dice
from games.services.refusing import check_scene, refused
from games.stage import BOUT_OVER, tell_all
from games.stored import encode, rules_of, state_of

FALSE_START_MS = 500
# Moves that do not change what others look at: a press of theirs still answers the same number.
KEEPS_SCENE = (bk.Shout, bk.Close, bk.Knock, bk.Finger, bk.Award)
# How long a shouting stays open beyond the slowest line's way there and back. Everybody waits for
# it, so it goes by what a shout needs on an open socket: half that way. How far back a press may be
# claimed (`games/live/fair.py`) limits what a false claim wins, and goes by the longest way.
STAYS_OPEN_MS = 60


def bout_being_played(change: Change) -> Game:
    """Return the bout, whatever its scene. Raises MovedOn when none is being played."""
    game = change.game()
    if game is None or game.status != Game.Status.PLAYING:
        raise MovedOn(_("No bout is being played."))
    return game


def bout(change: Change, tap: Tap) -> Game:
    """Return the bout being played. Raises MovedOn when none is, or the scene has changed."""
    game = bout_being_played(change)
    check_scene(game, tap)
    return game


def entrant_of(game: Game, seat: Seat | None) -> Entrant:
    """Return the seat's part in a game. Raises MovedOn when it only watches."""
    entrant = rows.first(Entrant, game_id=game.pk, seat_id=seat.pk) if seat else None
    if entrant is None:
        raise MovedOn(_("You are watching this bout."))
    entrant.game = game
    return entrant


def play_move(change: Change, action: Action, tap: Tap) -> None:
    """Play one rules action for the seat that acts; without a seat it is the table's own.

    Raises MovedOn for a seat that only watches, for what the rules refuse now, and as `bout` does;
    Forbidden and Malformed for dice or a shout that are not this table's way.
    """
    game = bout(change, tap)
    seat = None
    if change.seat is not None:
        seat = indexes_of(change, game).get(change.seat.pk)
        if seat is None:
            raise MovedOn(_("You are watching this bout."))
    state = state_of(game)
    if isinstance(action, bk.Shout):
        _check_shouts_count(change)
        action = _timed(change, game, action, tap)
    if isinstance(action, bk.Deal):
        # A form names only those who can lose fingers.
        missing = len(change.entrants(game)) - len(action.fingers)
        action = bk.Deal((*action.fingers, *(0 for _seat in range(missing))))
    make_move(change, game, seat, action, _dice_for(change, state, action, tap))


def _check_shouts_count(change: Change) -> None:
    """Raise Forbidden for a phone's shout where people shout aloud: who was first is heard (BK-8).

    A regular of the house has no voice but this.
    """
    if shouts_aloud(change.table.settings) and _is_person(change):
        raise Forbidden(_("At this table everybody shouts aloud."))


def indexes_of(change: Change, game: Game) -> dict[int, int]:
    """Map the keys of the seats that take part to their indexes in the rules."""
    return {entrant.seat_id: index for index, entrant in enumerate(change.entrants(game))}


def make_move(
    change: Change, game: Game, seat: int | None, action: Action, dice: RecordedDice
) -> None:
    """Apply a move to the bout and log what happened. Raises MovedOn with the rule's reason."""
    rules = rules_of(game)
    before = state_of(game)
    try:
        state, events = play(rules, before, seat, action, dice)
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    change.play.game = game
    change.play.action = msgspec.to_builtins(action)
    change.play.faces = dice.faces
    entrants = change.entrants(game)
    first_seq = change.next_seq
    for event in events:
        told = msgspec.to_builtins(event)
        to = told.pop("to", None)
        if change.play.is_real and "face" in told:
            told["is_real"] = True
        change.log(
            told.pop("event"), game=game, to=None if to is None else entrants[to].seat, **told
        )
    game.state = encode(state)
    game.moved_ms = change.now_ms
    game.owed_ms = _owed_since(game, before, state, change.now_ms)
    if not isinstance(action, KEEPS_SCENE):
        # Locks stay: a false start before the number falls must hold when it is out.
        game.scene, game.scene_ms = first_seq, change.now_ms
    game.closes_ms = _closing(change, game, state)
    outcome = rules.outcome(state)
    if outcome is not None:
        game.status, game.ended_at = Game.Status.OVER, timezone.now()
        game.winners = [state.names[w] for w in outcome.winners]
        tell_all(BOUT_OVER, change, game, entrants)
    rows.update(game, rows.changed(game, game.was))


def _owed_since(game: Game, before: bk.State, state: bk.State, now_ms: int) -> dict[str, int]:
    """Return since when each player could have picked the finger they owe (BK-20).

    What others do meanwhile gives nobody more time; each finger that goes gives
    it anew for the next.
    """
    since = {}
    for index in state.seats:
        if owed := state.owed(index):
            is_anew = owed < before.owed(index)
            since[str(index)] = now_ms if is_anew else game.owed_ms.get(str(index), now_ms)
    return since


def _dice_for(change: Change, state: bk.State, action: Action, tap: Tap) -> RecordedDice:
    """Return whose dice fall, as `services.dice.dice_for` does, with what a bout has of its own.

    Under a Shroud no face can be typed before the hand is lifted: it says that
    the die lies `cupped`, which only a real one does (BK-23).
    """
    if not isinstance(action, bk.Roll):
        return RecordedDice(SystemDice())
    if tap.faces or action.cupped:
        check_real_dice(change)
    if tap.faces:
        if nobody_reads(state):
            raise MovedOn(_("Under a Shroud nobody reads the die yet."))
        if len(tap.faces) != 1 or not 1 <= tap.faces[0] <= bk.DIE:
            raise Malformed(_("A twenty-sided die shows 1 to 20."), field="dice")
        change.play.is_real = True
        return RecordedDice(TypedDice(tap.faces))
    if not _is_person(change):
        return RecordedDice(SystemDice())
    how = change.table.settings
    if how.dice == "real" and not action.cupped:
        raise Forbidden(_("This table rolls real dice: tap the face that you rolled."))
    if is_real_one_under_hand(how, state):
        raise Forbidden(_("A real die lies under the hand: tap the face that it shows."))
    return RecordedDice(SystemDice())


def _is_person(change: Change) -> bool:
    """Tell whether a person acts, and neither one of the house's regulars nor the table itself."""
    return change.seat is not None and not change.seat.regular


def _timed(change: Change, game: Game, action: bk.Shout, tap: Tap) -> bk.Shout:
    """Put the press on the shouting's clock (BK-9), unless that seat is locked or too soon."""
    pressed = change.now_ms if tap.pressed_ms is None else tap.pressed_ms
    assert change.seat
    _on_this_clock(game, change.now_ms)
    # A lock that lasts longer than one does was noted by a clock that has been set back.
    if pressed < game.locks.get(str(change.seat.number), 0) <= change.now_ms + FALSE_START_MS:
        raise MovedOn(_("False start: your phone is locked for half a second."))
    if pressed < game.scene_ms:
        pressed = change.now_ms  # nobody answers a number that has not fallen yet
    return bk.Shout(action.call, at_ms=max(0, pressed - game.scene_ms))


def _on_this_clock(game: Game, now_ms: int) -> None:
    """Let a scene that seems to begin in the future begin before now, and before its shouts.

    That is so when the server's clock was set back since the number fell.
    Otherwise all who shout from here on would have shouted in one breath.
    """
    if game.scene_ms > now_ms:
        shouts: tuple[bk.Heard, ...] = state_of(game).shouts
        game.scene_ms = now_ms - 1 - max((s.at_ms for s in shouts), default=0)


def _closing(change: Change, game: Game, state: bk.State) -> int | None:
    """Return when every connected phone's shout could have arrived, in server milliseconds."""
    if state.phase is not bk.Phase.SHOUT or not state.shouts:
        return None
    first = game.scene_ms + min(s.at_ms for s in state.shouts)
    must = set(bk.must(state))
    indexes = indexes_of(change, game)
    seats = rows.fetch(Seat, table_id=change.table.pk, standing=Seat.Standing.SEATED)
    waiting = [s.number for s in seats if indexes.get(s.pk) in must]
    if not waiting:
        return change.now_ms
    slowest = presence.slowest_delay(change.table.pk, waiting)
    wait = min(state.unison_ms + slowest + STAYS_OPEN_MS, settings.SHOUT_DELAY_MAX_MS)
    return max(change.now_ms, first + wait)


for _kind in bk.ACTIONS.values():
    deed(_kind, may="seat", stops_in_pause=True, answers_scene=True)(play_move)


@deed(actions.FalseStart, may="seat", stops_in_pause=True, answers_scene=True)
def false_start(change: Change, action: actions.FalseStart, tap: Tap) -> None:
    """Lock a phone that was pressed before the number was out, for all to see."""
    assert change.seat
    game = bout(change, tap)
    entrant = entrant_of(game, change.seat)
    pressed = change.now_ms if tap.pressed_ms is None else tap.pressed_ms
    game.locks = {**game.locks, str(change.seat.number): pressed + FALSE_START_MS}
    game.save(update_fields=["locks"])
    change.log("false_started", game=game, name=entrant.guild_name)
