"""Seats and who holds them: admit, remove, pass to another phone, hand over, pass and play."""

from __future__ import annotations

import hashlib
from base64 import urlsafe_b64encode
from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext as _

from games import actions
from games.bouts import house_rules_on
from games.deeds.bout import indexes_of, make_move
from games.deeds.gathering import enter, number_for
from games.errors import MovedOn
from games.models import Game, Seat, SeatPass, Table
from games.models.table import COLOURS
from games.regulars import REGULARS
from games.rules import brave_or_knave as bk
from games.rules.dice import RecordedDice, SystemDice
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import make_host
from games.stage import SEAT_GONE, guild_name_of, tell_all
from games.stored import state_of
from games.text import clean_name, folded

MOST_SEATS = 40
PASS_MINUTES = 15


def new_seat(table: Table, *, name: str, role: str, language: str, **more: object) -> Seat:
    """Add a seat at the end of the ring. Raises MovedOn when the table is full or worn out."""
    _check_is_room(table, str(more.get("standing", Seat.Standing.SEATED)))
    last = table.seats.order_by("-number").values_list("number", flat=True).first()
    number = (last or 0) + 1
    if role != Seat.Role.SCREEN:
        here = table.seats.exclude(standing=Seat.Standing.GONE).exclude(role=Seat.Role.SCREEN)
        number = _in_another_colour(number, here.values_list("number", flat=True))
    if number > actions.MOST_NUMBER:
        raise MovedOn(_("This table has no number for one more guest. Open another table."))
    return Seat.objects.create(
        table=table, number=number, place=number, name=name, role=role, language=language, **more
    )


def _check_is_room(table: Table, standing: str) -> None:
    """Raise MovedOn where as many sit, or as many knock: who knocks takes nobody's chair."""
    if table.seats.filter(standing=standing).count() >= MOST_SEATS:
        raise MovedOn(_("This table is full. The host can free a seat of somebody who has gone."))


def _in_another_colour(number: int, others: Iterable[int]) -> int:
    """Return the next number whose colour none of these has, as long as there is one."""
    worn = {other % COLOURS for other in others}
    free = (n for n in range(number, number + COLOURS) if n % COLOURS not in worn)
    return next(free, number)


def seat_named(table: Table, number: int) -> Seat:
    """Return a seat that is taken or knocking. Raises MovedOn when nobody is there."""
    seat = table.seats.filter(number=number).exclude(standing=Seat.Standing.GONE).first()
    if seat is None:
        raise MovedOn(_("Nobody sits there."))
    return seat


def bring_in(change: Change, seat: Seat) -> None:
    """Give a newly seated person a part in the bout that is gathering."""
    game = change.game()
    if (
        game
        and game.status == Game.Status.GATHERING
        and seat.role != Seat.Role.SCREEN
        and game.entrants.count() < bk.MAX_SEATS
    ):
        enter(game, seat, guild_name_of(seat))


@deed(actions.Admit)
def admit(change: Change, action: actions.Admit, tap: Tap) -> None:
    """Seat whoever knocks; where a bout gathers they have a part in it."""
    seat = seat_named(change.table, action.who)
    if seat.is_seated:
        raise MovedOn(_("They sit at the table already."))
    _check_is_room(change.table, Seat.Standing.SEATED)
    seat.standing = Seat.Standing.SEATED
    seat.save(update_fields=["standing"])
    bring_in(change, seat)
    change.log("seat_taken", name=seat.name, role=seat.role)


@deed(actions.Remove)
def remove(change: Change, action: actions.Remove, tap: Tap) -> None:
    """Turn somebody away or off their seat; nobody ends their own hosting so."""
    seat = seat_named(change.table, action.who)
    if seat == change.seat:
        raise MovedOn(_("Make somebody else the host first."))
    _turn_out(change, seat)


def _turn_out(change: Change, seat: Seat) -> None:
    kind = "seat_removed" if seat.is_seated else "turned_away"
    change.log(kind, name=seat.name, role=seat.role)
    _get_up(change, seat)


@deed(actions.Leave, may="screen", gives_up_seat=True)
def leave(change: Change, action: actions.Leave, tap: Tap) -> None:
    """Get up. A host hands the table over first, unless nobody else sits there.

    Who waits at a door that nobody can open any more is turned away.
    """
    assert change.seat
    people = change.table.seats.filter(standing=Seat.Standing.SEATED, regular="")
    others = people.exclude(role=Seat.Role.SCREEN).exclude(pk=change.seat.pk)
    if change.seat.is_gm and others.exists():
        raise MovedOn(_("Make somebody else the host first."))
    change.log("seat_left", name=change.seat.name, role=change.seat.role)
    if change.seat.is_gm:  # nobody is left who could let them in
        for waiting in change.table.seats.filter(standing=Seat.Standing.KNOCKING):
            _turn_out(change, waiting)
    _get_up(change, change.seat)


def _get_up(change: Change, seat: Seat) -> None:
    """Empty a seat; in a bout its player is out, by the rule for early leavers.

    A pass for it leads nowhere from now on, not even where an undo fills the seat again.
    """
    SeatPass.objects.filter(seat=seat, used_at=None).delete()
    game = change.game()
    if game and game.status == Game.Status.PLAYING:
        index = indexes_of(change, game).get(seat.pk)
        if index is not None and state_of(game).is_alive(index):
            change.play.seat = seat
            make_move(change, game, index, bk.Leave(), RecordedDice(SystemDice()))
    elif game:
        game.entrants.filter(seat=seat).delete()
    tell_all(SEAT_GONE, change, seat)
    seat.standing, seat.device = Seat.Standing.GONE, None
    seat.save(update_fields=["standing", "device"])


def namesakes(table: Table, name: str) -> list[Seat]:
    """Return who has this name at a table or before its door, however it is written."""
    there = table.seats.exclude(standing=Seat.Standing.GONE)
    return [seat for seat in there if folded(seat.name) == folded(name)]


@deed(actions.AddPlayer)
def add_player(change: Change, action: actions.AddPlayer, tap: Tap) -> None:
    """Seat somebody without a phone on this device, under a name that nobody has here."""
    assert change.seat
    name = clean_name(action.name)
    if namesakes(change.table, name):
        raise MovedOn(
            _("%(name)s sits here already. Choose another name.") % {"name": name}, field="name"
        )
    seat = new_seat(
        change.table,
        name=name,
        role=Seat.Role.PLAYER,
        language=change.seat.language,
        device=change.seat.device,
    )
    bring_in(change, seat)
    change.log("seat_taken", name=seat.name, role=seat.role)
    change.answer["seat"] = seat.number


@deed(actions.AddRegular, may="seat")
def add_regular(change: Change, action: actions.AddRegular, tap: Tap) -> None:
    """Call one of the house's regulars to the table; see `seat_regular` for which."""
    seat_regular(change)


def seat_regular(change: Change) -> Seat:
    """Seat the next regular who is not at the table yet, with a number of their taste.

    Raises MovedOn where all of them sit there.
    """
    here = set(
        change.table.seats.filter(standing=Seat.Standing.SEATED).values_list("regular", flat=True)
    )
    regular = next((r for r in REGULARS.values() if r.key not in here), None)
    if regular is None:
        raise MovedOn(_("All of the house's regulars sit here already."))
    seat = new_seat(
        change.table,
        name=regular.name,
        role=Seat.Role.PLAYER,
        language=change.table.language,
        regular=regular.key,
    )
    bring_in(change, seat)
    game = change.game()
    entry = game.entrants.filter(seat=seat).first() if game else None
    if game and entry:
        entry.number = number_for(game, regular.key, house_rules_on(change.table))
        entry.save(update_fields=["number"])
    change.log("seat_taken", name=seat.name, role="regular")
    return seat


def _token_of(seat: Seat, tap: str) -> str:
    """Return the secret of the pass that a seat asked for by a tap.

    It follows from the tap's full name, so that whoever sends the tap again because the answer was
    lost is shown the same; only the house, with its key, can tell it.
    """
    told = salted_hmac("pass", f"{seat.pk} {tap}", algorithm="sha256").digest()
    return urlsafe_b64encode(told[:16]).decode().rstrip("=")


def _offered(seat: Seat, tap: str) -> dict[str, Any]:
    """Return the pass that a seat has offered by this tap, unless it is of no use any more."""
    token = _token_of(seat, tap)
    is_good = SeatPass.objects.filter(
        digest=digest(token), used_at=None, expires_at__gt=timezone.now()
    ).exists()
    return {"token": token} if is_good else {}


@deed(actions.OfferPass, may="seat", again=_offered)
def offer_pass(change: Change, action: actions.OfferPass, tap: Tap) -> None:
    """Make a one-time pass for one's own seat; the host for any seat."""
    assert change.seat
    seat = seat_named(change.table, action.who)
    if not change.seat.is_gm and seat != change.seat:
        raise MovedOn(_("Only the host may move another seat."))
    if not seat.is_seated:  # at the door: a pass leads to a seat that somebody has
        raise MovedOn(_("Nobody sits there."))
    if seat.regular:  # the house plays it: a second hand would play beside it
        raise MovedOn(_("Only a person has a seat that moves to another phone."))
    token = _token_of(change.seat, change.play.tap)
    SeatPass.objects.filter(seat=seat, used_at=None).delete()
    SeatPass.objects.create(
        seat=seat,
        digest=digest(token),
        expires_at=timezone.now() + timedelta(minutes=PASS_MINUTES),
    )
    change.log("pass_offered", name=seat.name)
    change.answer["token"] = token


def digest(token: str) -> str:
    """Return what is stored in place of a secret, so that a copy of the database opens no seat."""
    return hashlib.sha256(token.encode()).hexdigest()


@deed(actions.HandHost)
def hand_host(change: Change, action: actions.HandHost, tap: Tap) -> None:
    """Make a person with a seat the host in one's own place."""
    seat = seat_named(change.table, action.who)
    if not seat.is_seated or seat.regular or seat.role == Seat.Role.SCREEN:
        raise MovedOn(_("Only a person with a seat can be the host."))
    make_host(change, seat)


@deed(actions.Speak, may="screen")
def speak(change: Change, action: actions.Speak, tap: Tap) -> None:
    """Choose the language of one's own seat."""
    assert change.seat
    change.seat.language = action.language
    change.seat.save(update_fields=["language"])
    change.log("language_chosen", name=change.seat.name, language=action.language)


@deed(actions.ShowHand, may="seat")
def show_hand(change: Change, action: actions.ShowHand, tap: Tap) -> None:
    """BK-4: a hand, or the letters K-N-A-V-E."""
    assert change.seat
    change.seat.has_letters = action.letters
    change.seat.save(update_fields=["has_letters"])
    change.log("hand_chosen", name=change.seat.name, letters=action.letters)
