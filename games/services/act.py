"""The one way in: a tap becomes an action, a locked table, rules, a log entry, a commit."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Literal
from uuid import UUID

from django.utils.translation import gettext as _

from games.actions import MOST_NUMBER
from games.errors import Forbidden, host_only, paused, stranger, too_late
from games.models import Event, Play, Seat, Table, rows
from games.models.acts import acting
from games.rules.engine import Action, learn
from games.services.change import Change, changing
from games.services.locking import locked
from games.services.repeats import check_same, newest_of

May = Literal["gm", "seat", "screen", "house"]
# Which roles may do what is for these; the house may do everything.
ROLES: dict[May, set[str]] = {
    "gm": {Seat.Role.GM},
    "seat": {Seat.Role.GM, Seat.Role.PLAYER},
    "screen": {Seat.Role.GM, Seat.Role.PLAYER, Seat.Role.SCREEN},
    "house": set(),
}

Do = Callable[[Change, Any, "Tap"], None]
Ahead = Callable[[Any], Any]
Again = Callable[[Seat, str], dict[str, Any]]


@dataclass(frozen=True)
class Actor:
    """Who acts: a seat, held by a device; a regular's seat; or the house itself (no seat)."""

    seat: int | None
    device: UUID | None = None
    is_house: bool = False


@dataclass(frozen=True)
class Tap:
    """One press, and what was sent along with it."""

    id: str  # the client's own: the same one again is the same press
    saw: int | None = None  # the scene that it answers
    pressed_ms: int | None = None  # when, on the server's clock
    timing: dict[str, Any] | None = None  # what that was judged by, for the log
    faces: tuple[int, ...] = ()  # of real dice, as a person typed them
    front: str = ""  # the game whose page it was pressed on, where the page says so
    picture: bytes = field(default=b"", repr=False)
    # What was read ahead of what it says, or of a file that is no picture.
    attachment: Any = field(default=None, repr=False)


@dataclass(frozen=True)
class Result:
    """What came of an action."""

    seq: int  # the log's newest number after it
    is_repeat: bool = False  # this tap had been done before
    answer: dict[str, Any] = field(default_factory=dict)  # what the deed hands back to the sender
    told: tuple[Event, ...] = ()  # the events that whoever acted may know of


@dataclass(frozen=True)
class Deed:
    """What one kind of action does, who may ask for it, and whether a pause stops it.

    What concerns people and seats goes on while the table is paused. An action that `answers_scene`
    is refused once the table has left the scene in which it was tapped; the others mean the same in
    every scene, and their forms need not name one. One that `gives_up_seat` is answered again to
    whoever has no seat any more. What the deed hands back to the sender may be lost on its way:
    `again` makes it anew, of the seat and the tap's full name, for as long as it is of use. What an
    action says that takes long to read is read `ahead`: no table waits for that.
    """

    may: May
    stops_in_pause: bool
    do: Do
    answers_scene: bool = False
    gives_up_seat: bool = False
    again: Again | None = None
    ahead: Ahead | None = None


DEEDS: dict[type[Action], Deed] = {}
ACTIONS: dict[str, type[Action]] = {}
"""Every action that has a deed, by the word that forms and the API name it with."""


def deed(
    kind: type[Action],
    *,
    may: May = "gm",
    stops_in_pause: bool = False,
    answers_scene: bool = False,
    gives_up_seat: bool = False,
    again: Again | None = None,
    ahead: Ahead | None = None,
    word: str = "",
) -> Callable[[Do], Do]:
    """Register what an action does. An action that nobody registered is refused.

    `word` names it in forms where its own tag is another game's as well.
    """

    def register(do: Do) -> Do:
        DEEDS[kind] = Deed(may, stops_in_pause, do, answers_scene, gives_up_seat, again, ahead)
        ACTIONS[word or str(kind.__struct_config__.tag)] = kind
        learn(kind)
        return do

    return register


def answers_scene(word: str) -> bool:
    """Tell whether an action, named by its word in forms, is refused once its scene is over."""
    kind = ACTIONS.get(word)
    return kind is not None and DEEDS[kind].answers_scene


def act(table_id: int, actor: Actor, action: Action, tap: Tap) -> Result:
    """Do one action at a table, once, and tell every screen.

    Raises Refused (see `games.errors`) with a reason in the active language;
    then nothing was changed. The same tap again does nothing, and returns what it did before.
    """
    deed = DEEDS[type(action)]
    if deed.ahead:
        tap = replace(tap, attachment=deed.ahead(action))
    with acting():
        table = locked(table_id)
        if table is None:
            raise stranger()
        # The house names its taps after the scene: no phone may use such a name up before it.
        tap_id = f"{'house-' if actor.is_house else ''}{actor.seat or ''}:{tap.id}"
        is_repeat = rows.exists(Play, table_id=table_id, tap=tap_id)
        # Whoever gave up the seat by this very tap has none to be asked for.
        seat = None if is_repeat and deed.gives_up_seat else _seat_of(table, actor)
        if is_repeat:
            return _as_before(table, seat, action, tap_id, by_house=actor.is_house)
        # Only after looking for a repeat: this very tap may have given away the role that it
        # needed.
        _check_role(seat, actor, deed)
        if table.paused_at and deed.stops_in_pause:
            raise paused()
        # A phone that slept may send its tap minutes later, when another game is in front: nobody
        # would look at the fight that it was meant for.
        if deed.answers_scene and tap.front not in ("", table.rules):
            raise too_late()
        with changing(table, seat, action, tap_id, timing=tap.timing) as change:
            deed.do(change, action, tap)
    mine = None if seat is None else seat.pk
    told = tuple(e for e in change.events if e.to_id in (None, mine))
    return Result(table.seq, answer=change.answer, told=told)


def _as_before(
    table: Table, seat: Seat | None, action: Action, tap_id: str, *, by_house: bool
) -> Result:
    """Return what a tap was answered when it was done. Raises MovedOn for another one's id.

    What the house does falls due by the scene, and two processes may have drawn it by lot.
    """
    done = Play.objects.only("action", "seq").get(table=table, tap=tap_id)
    if not by_house:
        check_same(done, action)
    again = DEEDS[type(action)].again
    anew = again(seat, tap_id) if again and seat else {}
    return Result(newest_of(done, table), is_repeat=True, answer=anew)


def _seat_of(table: Table, actor: Actor) -> Seat | None:
    if actor.seat is None and actor.is_house:
        return None
    # A database must not be asked for more than the column holds.
    number = actor.seat if actor.seat is not None and 0 < actor.seat <= MOST_NUMBER else 0
    seat = rows.first(Seat, table_id=table.pk, number=number, standing=Seat.Standing.SEATED)
    is_held = seat is not None and actor.device is not None and seat.device_id == actor.device
    if seat is None or not (actor.is_house or is_held):
        raise stranger()
    return seat


def _check_role(seat: Seat | None, actor: Actor, deed: Deed) -> None:
    """Raise Forbidden unless the seat's role may do this kind of action."""
    if actor.is_house:
        return
    if (seat.role if seat else "") not in ROLES[deed.may]:
        raise host_only() if deed.may == "gm" else Forbidden(_("Not from this seat."))
