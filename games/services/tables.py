"""Opening a table, sitting down, and taking a seat over: the deeds of somebody without a seat."""

from __future__ import annotations

from datetime import timedelta

from django.db import transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext as _

from games import actions
from games.deeds.gathering import start_bout
from games.deeds.people import bring_in, digest, namesakes, new_seat, seat_regular
from games.deeds.table import DOOR_HOURS
from games.errors import Malformed, MovedOn, NotFound
from games.models import Device, Game, Seat, SeatPass, Table, rows
from games.models.table import TABLE_NAME_LENGTH, new_code
from games.rules import brave_or_knave as bk
from games.rules.engine import Action
from games.services.act import Tap
from games.services.change import changing
from games.services.host import make_host
from games.services.locking import locked
from games.stage import STAGES
from games.text import clean_name

REGULARS_IN_A_TRIAL = 3
# What a trial's host is given: one more than there are regulars, so that one of them is free.
NUMBERS_IN_A_TRIAL = (11, 10, 12, 9)
# The tap of a form that names none: it opens another table each time.
UNNAMED = "open"


class OpenTable(Action, frozen=True, tag="open_table"):
    """Start a table and be its host."""


class SitDown(Action, frozen=True, tag="sit_down"):
    """Take a new seat."""


class UsePass(Action, frozen=True, tag="use_pass"):
    """Take a seat over from another device."""


def open_table(
    device: Device,
    *,
    host_name: str,
    language: str,
    table_name: str = "",
    rules: str = bk.NAME,
    tap: str = UNNAMED,
) -> tuple[Table, Seat]:
    """Start a table with its host seated; at Brave or Knave a bout gathers.

    Whoever asks with the same tap again, because the answer was lost, has the table that they
    opened with it: else a second one stood beside it.
    Raises Malformed for a name that is none, or a game that is not played here.
    """
    with transaction.atomic():
        return _opened(device, tap) or _open(
            device,
            host_name=host_name,
            language=language,
            table_name=table_name,
            rules=rules,
            tap=tap,
        )


def _open(
    device: Device,
    *,
    host_name: str,
    language: str,
    table_name: str = "",
    rules: str,
    is_trial: bool = False,
    tap: str,
) -> tuple[Table, Seat]:
    host_name = clean_name(host_name, field="host_name")
    if rules not in STAGES:
        raise Malformed(_("That is not one of the choices."), field="rules")
    name = table_name or _("%(name)s's table") % {"name": host_name}
    table = _new_table(name, language=language, rules=rules, is_trial=is_trial)
    seat = new_seat(table, name=host_name, role=Seat.Role.GM, language=language, device=device)
    with changing(table, seat, OpenTable(), tap) as change:
        bring_in(change, seat)
        change.log("table_opened", name=seat.name)
    return table, seat


def _new_table(name: str, *, language: str, rules: str, is_trial: bool) -> Table:
    table = Table.objects.create(
        code=_free_code(),
        name=clean_name(name, field="table_name", longest=TABLE_NAME_LENGTH),
        language=language,
        rules=rules,
        is_trial=is_trial,
        door_closes_at=timezone.now() + timedelta(hours=DOOR_HOURS),
    )
    if rules == bk.NAME:
        Game.objects.create(table=table)
    return table


def _opened(device: Device, tap: str) -> tuple[Table, Seat] | None:
    """Return what this device has opened with this tap, if it sits there still."""
    if tap == UNNAMED:
        return None
    rows.first(Device, lock=True, id=device.pk)  # the same tap sent twice at once waits here
    there = Seat.objects.filter(
        device=device, standing=Seat.Standing.SEATED, table__plays__tap=tap, table__plays__seq=1
    )
    seat = there.select_related("table").order_by("number").first()
    return (seat.table, seat) if seat else None


def _free_code() -> str:
    """Return a code that no table has: of a million tables, one in 900 would draw another's."""
    while Table.objects.filter(code=(code := new_code())).exists():
        pass
    return code


def open_trial(
    device: Device, *, name: str, language: str, rules: str = bk.NAME, tap: str = UNNAMED
) -> tuple[Table, Seat]:
    """Start a game to look at, one tap from the front page.

    At Brave or Knave a bout against the house's regulars has begun already;
    the other games lay out what they show.
    """
    with transaction.atomic():
        if had := _opened(device, tap):
            return had
        table, seat = _open(
            device, host_name=name, language=language, rules=rules, is_trial=True, tap=tap
        )
        if rules != bk.NAME:
            with changing(table, seat, OpenTable(), "trial") as change:
                STAGES[rules].try_out(change)
            return table, seat
        with changing(table, seat, actions.AddRegular(), "regulars") as change:
            for _regular in range(REGULARS_IN_A_TRIAL):
                seat_regular(change)
            game = change.game()
            assert game
            taken = set(game.entrants.values_list("number", flat=True))
            entrant = game.entrants.get(seat=seat)
            entrant.number = next(n for n in NUMBERS_IN_A_TRIAL if n not in taken)
            entrant.save(update_fields=["number"])
            game.first = seat
            game.save(update_fields=["first"])
        with changing(table, seat, actions.StartBout(), "start") as change:
            start_bout(change, actions.StartBout(), Tap("start"))
    return table, seat


def sit_down(table_id: int, device: Device, *, name: str, role: str, language: str) -> Seat:
    """Take a new seat, or knock where the host admits.

    Who sits down at a table whose host has got up becomes its host: nobody is
    left who could hand it over. A host whose phone only sleeps sits there still.
    A device that has such a seat already, and was not told of it, gets that one.
    Raises MovedOn when the door is locked, a namesake sits here or nobody is
    there to admit them, Malformed for a name that is none.
    """
    name = clean_name(name)
    with transaction.atomic():
        table = locked(table_id)
        assert table
        if had := _seat_had(table, device, role):
            return had
        if table.is_door_shut or table.door == Table.Door.ASK:
            _check_is_heard(table)
        if table.is_door_shut:
            raise MovedOn(_("The door is closed: the host can open it again."))
        if role != Seat.Role.SCREEN:
            _check_is_nobody(table, name)
        knocks = table.door == Table.Door.ASK
        seat = new_seat(
            table,
            name=name,
            role=Seat.Role.SCREEN if role == Seat.Role.SCREEN else Seat.Role.PLAYER,
            language=language,
            device=device,
            standing=Seat.Standing.KNOCKING if knocks else Seat.Standing.SEATED,
        )
        with changing(table, seat, SitDown(), f"sit-{seat.number}") as change:
            if knocks:
                change.log("knocked_at_door", name=seat.name, role=seat.role)
                return seat
            bring_in(change, seat)
            change.log("seat_taken", name=seat.name, role=seat.role)
            if seat.role == Seat.Role.PLAYER and not has_host(table):
                make_host(change, seat)
    return seat


def _seat_had(table: Table, device: Device, role: str) -> Seat | None:
    here = table.seats.filter(device=device).exclude(standing=Seat.Standing.GONE)
    is_screen = Q(role=Seat.Role.SCREEN)
    return here.filter(is_screen if role == Seat.Role.SCREEN else ~is_screen).first()


def has_host(table: Table) -> bool:
    """Tell whether a host sits at a table, however long their phone sleeps."""
    return table.seats.filter(role=Seat.Role.GM, standing=Seat.Standing.SEATED).exists()


def _check_is_nobody(table: Table, name: str) -> None:
    """Raise MovedOn for a name that somebody here has already; says who can give that seat back."""
    there = namesakes(table, name)
    if not there:
        return
    text = (
        _(
            "%(name)s is the host here. If that is you, whoever runs this Taproom can give you "
            "the seat back; otherwise choose another name."
        )
        if any(seat.is_gm for seat in there)
        else _(
            "%(name)s sits here already. If that is you, the host can move your seat to "
            "this phone; otherwise choose another name."
        )
    )
    raise MovedOn(text % {"name": name}, field="name")


def _check_is_heard(table: Table) -> None:
    """Raise MovedOn where no host sits at the table: whoever knocks would wait for ever."""
    if not has_host(table):
        raise MovedOn(
            _(
                "Nobody who could let you in sits here any more. Whoever runs this Taproom can "
                "open the door."
            )
        )


def seat_of_pass(token: str) -> Seat:
    """Return the seat a pass leads to, without using it up. Raises NotFound when it is spent."""
    found = (
        SeatPass.objects.filter(
            digest=digest(token),
            used_at=None,
            expires_at__gt=timezone.now(),
            seat__standing=Seat.Standing.SEATED,
        )
        .select_related("seat__table")
        .first()
    )
    if found is None:
        raise NotFound(_("This pass has been used or is too old. Ask for a new one."))
    return found.seat


def seat_had_by_pass(token: str, device: Device | None) -> Seat | None:
    """Return the seat that this device took over with this pass and still holds."""
    used = SeatPass.objects.filter(
        digest=digest(token),
        used_at__isnull=False,
        seat__device=device,
        seat__standing=Seat.Standing.SEATED,
    )
    found = used.select_related("seat__table").first() if device else None
    return found.seat if found else None


def use_pass(token: str, device: Device) -> Seat:
    """Take a seat over with a one-time pass; the device that held it holds it no more.

    Whoever took it over with this pass, and was not told so, has it still. Raises NotFound when
    the pass was used by another, is too old or never was.
    """
    with transaction.atomic():
        table = locked((seat_had_by_pass(token, device) or seat_of_pass(token)).table_id)
        assert table
        # Asked again under the lock: of two phones that scan the same QR code, only one sits down.
        if had := seat_had_by_pass(token, device):
            return had
        seat = seat_of_pass(token)
        SeatPass.objects.filter(digest=digest(token)).update(used_at=timezone.now())
        seat.device = device
        seat.save(update_fields=["device"])
        with changing(table, seat, UsePass(), f"pass-{digest(token)[:16]}") as change:
            change.log("seat_passed", name=seat.name, role=seat.role, seat=seat.number)
    return seat
