"""What one seat may do now: its legal actions, laid out as the choices of a phone."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from games import customs
from games.addresses import address_of
from games.grammar import and_list
from games.models import Event, Game, Seat
from games.regulars import REGULARS
from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import odds as chances
from games.rules.engine import Action
from games.said import gettext as _
from games.screens.cards import FingerCard, Mine, NumberChoice, Scene, SeatCard, ShoutMark, Split
from games.screens.house_rules import picked_for
from games.screens.scene import numbers_of_rules, percent
from games.seat_names import shown_name
from games.sentences import finger_name
from games.snapshot import Snapshot
from games.stored import rules_of

# The events with which the log begins to tell one of `games.deeds.undo.OWN_CHOICES`. The last three
# are what picking somebody for a house rule does.
FIRST_OF_OWN_CHOICES = {
    *("Challenged", "CalledBlind", "Dealt", "FingerGiven"),
    *("FingersLost", "FingersRegained", "DieTaken"),
}


def mine_of(now: Snapshot, seat: Seat, scene: Scene) -> Mine:
    """Build what this seat's phone offers; nothing that is not legal is in it."""
    name = shown_name(seat.name, seat.role)
    card = next(
        (s for s in (*scene.seats, *scene.knocking) if s.number == seat.number),
        SeatCard(seat.number, name, name, name[:1].upper(), 1),
    )
    basics: dict[str, Any] = {
        "seat": card,
        "act_url": address_of("act", now.table.code),
        "saw": now.saw,
        "bout": now.game.pk if now.game else 0,
        "sender": seat.number,
        "is_gm": seat.is_gm,
        "companions": _companions(now, seat, scene),
    }
    if scene.mode == "gathering":
        return Mine(**basics, **_gathering(now, card, scene))
    index = now.index_of(seat)
    if index is None or scene.mode != "playing" or scene.pause:
        return Mine(**basics, **_watching(now, seat, scene))
    assert now.game
    assert now.state
    legal: Sequence[Action] = rules_of(now.game).legal_actions(now.state, index)
    return Mine(**basics, **_moves(now, seat, scene, index, legal))


def _watching(now: Snapshot, seat: Seat, scene: Scene) -> dict[str, Any]:
    """What somebody may do who has no part in the bout, or while it stands still."""
    may = set()
    if scene.mode == "over":
        may.add("rematch")
    if scene.pause and seat.is_gm:
        may.add("resume")
    if scene.pause:
        return {"may": frozenset(may)}
    may |= _by_mouth(now, seat, scene)
    return {"may": frozenset(may), "heard_from": _heard_from(now, seat, scene)}


def _companions(now: Snapshot, seat: Seat, scene: Scene) -> tuple[SeatCard, ...]:
    """Return who else sits at this device."""
    held = now.held_by.get(seat.device_id, ())
    if len(held) < 2:
        return ()
    others = {s.number for s in held if s.pk != seat.pk and s.role != Seat.Role.SCREEN}
    return tuple(s for s in scene.seats if s.number in others)


def _gathering(now: Snapshot, card: SeatCard, scene: Scene) -> dict[str, Any]:
    late = [s.name for s in scene.ring if s.personal_number is None]
    may = {"take_part", "name_guild"} if card.plays else {"take_part"}
    if len(scene.ring) - len(late) >= bk.MIN_SEATS and (not late or card.role == "gm"):
        may.add("start_bout")
    regulars = sum(1 for s in scene.seats if s.is_regular)
    if regulars < len(REGULARS):
        may.add("add_regular")
    without = _("without %(names)s: no number yet") % {"names": and_list(late)}
    return {
        "may": frozenset(may),
        "start_hint": without if late else "",
        "numbers": number_choices(now, scene, card) if card.plays else (),
    }


def _holder(holder: SeatCard | None, me: SeatCard) -> str:
    return holder.name if holder and holder.number != me.number else ""


def number_choices(now: Snapshot, scene: Scene, card: SeatCard) -> tuple[NumberChoice, ...]:
    """List the personal numbers: who has which, and what each does to a challenger (BK-19)."""
    taken = {s.personal_number: s for s in scene.ring if s.personal_number}
    rules = numbers_of_rules(now)
    labels = {2: _("Severn's Noose"), 19: _("The Noose's mirror")}
    if now.settings.has_nine_sisters:
        labels[9] = _("then nobody may HEAL")
    return tuple(
        NumberChoice(
            number=n,
            taken_by=_holder(taken.get(n), card) or rules.get(n, ""),
            is_mine=card.personal_number == n,
            brave=percent(odds.brave),
            knave=percent(odds.knave),
            menace=percent(odds.menace),
            label=labels.get(n, ""),
        )
        for n, odds in chances.table().items()
    )


def _moves(
    now: Snapshot, seat: Seat, scene: Scene, index: int, legal: Sequence[Action]
) -> dict[str, Any]:
    """Return what somebody who plays in the bout may do, of the moves that are legal now."""
    # Of what a seat may know, this needs no more than what everybody may.
    view = now.public_view
    assert view
    kinds = {type(a) for a in legal}
    own_last = _own_last(now, index)
    words = {str(kind.__struct_config__.tag) for kind in kinds} | _by_mouth(now, seat, scene)
    words |= {"undo"} if own_last else set()
    if scene.by_mouth:
        words.discard("shout")
    shouts: tuple[str, ...] = ()
    if bk.Shout in kinds:
        shouts = tuple(a.call.value for a in legal if isinstance(a, bk.Shout))
    return {
        "may": frozenset(words),
        "is_turn": _is_turn(view, index, scene),
        "prompt": _prompt(view, index),
        "calls": () if scene.by_mouth else shouts,
        "may_shout_late": view.phase is bk.Phase.CHALLENGE and bool(shouts) and not scene.by_mouth,
        "waits_for_number": _waits(view, index) and not scene.by_mouth,
        **_rolls(now, scene, index, legal, view),
        "award_to": _shouts_to_award(scene, legal) if bk.Award in kinds else (),
        "name_to": _may_be_named(scene, legal) if bk.Name in kinds else (),
        "name_needs_call": view.naming_why != "house",
        "deal_to": _splits(view, scene, index) if bk.Deal in kinds else (),
        "deal_total": view.deal_amount,
        "fingers_owed": view.owed[index] if bk.Finger in kinds else 0,
        "finger_choices": _fingers_to_lose(legal) if bk.Finger in kinds else (),
        "own_last": own_last,
        "heard_from": _heard_from(now, seat, scene),
    }


def _rolls(
    now: Snapshot, scene: Scene, index: int, legal: Sequence[Action], view: bk.View
) -> dict[str, Any]:
    """Return in which ways this seat may roll, and with which fingers it holds a real die."""
    may_roll = any(isinstance(a, bk.Roll) for a in legal)
    may_type = may_roll and customs.face_may_be_typed(now.settings, view)
    may_cup = scene.dice != "server" and bk.Roll(cupped=True) in legal
    has_lost_some = view.fingers[index] < bk.HAND
    hand = scene.ring[index].hand if has_lost_some and (may_type or may_cup) else ()
    return {
        "may_tap_die": may_roll and customs.app_may_roll(now.settings, view),
        "may_type_dice": may_type,
        "may_cup": may_cup,
        "grip": tuple(f.name for f in hand if f.is_kept),
    }


def _may_be_named(scene: Scene, legal: Sequence[Action]) -> tuple[SeatCard, ...]:
    named = {a.to for a in legal if isinstance(a, bk.Name)}
    return tuple(s for s in scene.ring if s.index in named)


def _shouts_to_award(scene: Scene, legal: Sequence[Action]) -> tuple[ShoutMark, ...]:
    return tuple(m for m in scene.ruler if any(a == bk.Award(m.seat.index or 0) for a in legal))


def _fingers_to_lose(legal: Sequence[Action]) -> tuple[FingerCard, ...]:
    return tuple(
        FingerCard(a.which.value, finger_name(a.which.value), is_kept=True)
        for a in legal
        if isinstance(a, bk.Finger)
    )


def _waits(view: bk.View, index: int) -> bool:
    """Tell whether this seat will shout at the number that is about to fall."""
    # Of what falls under a Shroud its caller alone says what must be rolled.
    is_open = view.phase is bk.Phase.OPEN and view.caller is None
    about_to_fall = is_open or view.phase is bk.Phase.CHALLENGE
    return about_to_fall and view.alive[index] and index not in view.must


def _is_turn(view: bk.View, index: int, scene: Scene) -> bool:
    """Tell whether the table waits for this phone: where people shout aloud, not for a shout."""
    is_awaited = index in view.must and not (scene.by_mouth and view.phase is bk.Phase.SHOUT)
    return is_awaited or view.owed[index] > 0


def _splits(view: bk.View, scene: Scene, index: int) -> tuple[Split, ...]:
    return tuple(
        Split(s, min(view.deal_amount, s.fingers))
        for s in scene.ring
        if s.is_alive and s.index != index
    )


def _heard_from(now: Snapshot, seat: Seat, scene: Scene) -> tuple[SeatCard, ...]:
    """By mouth: who could have been first, offered to the roller, the host and the tablet.

    Where a regular was, so could anybody who shouted aloud before that roll (BK-10).
    """
    view, state = now.public_view, now.state
    if not _tells(now, seat, scene) or view is None or state is None:
        return ()
    if view.phase is bk.Phase.SHOUT and not view.shouts:
        return tuple(s for s in scene.ring if s.index in view.must)
    if not state.hears_late_shouts() or _was_by_ear(now):
        return ()
    left = state.may_shout()
    return tuple(s for s in scene.ring if s.index in left and not s.is_regular)


def _tells(now: Snapshot, seat: Seat, scene: Scene) -> bool:
    """By mouth: tell whether this seat says who was first."""
    view = now.public_view
    if not scene.by_mouth or view is None:
        return False
    return now.index_of(seat) == view.roller or seat.is_gm or seat.role == Seat.Role.SCREEN


def _by_mouth(now: Snapshot, seat: Seat, scene: Scene) -> set[str]:
    """By mouth: say who was first, or until the challenger rolls that it was heard wrong."""
    if not _tells(now, seat, scene):
        return set()
    if _heard_from(now, seat, scene):
        return {"heard"}
    is_open = now.state is not None and now.state.hears_late_shouts()
    may_go_back = is_open and _was_by_ear(now) and (seat.is_gm or not _has_left_since(now))
    return {"misheard"} if may_go_back else set()


def _was_by_ear(now: Snapshot) -> bool:
    """Tell whether somebody said who was first: a regular's shout comes from the house."""
    newest = next(_standing(now, "Shouted", "heard_by"), None)
    return newest is not None and newest.kind == "heard_by"


def _has_left_since(now: Snapshot) -> bool:
    """Tell whether somebody has left the bout since the last shout: only the host undoes that."""
    newest = next(_standing(now, "Shouted", "Out"))
    return newest.kind == "Out" and newest.data["cause"] == "left"


def _standing(now: Snapshot, *kinds: str) -> Iterator[Event]:
    """Yield the events of these kinds that were not taken back, the newest first."""
    return (e for e in reversed(now.events) if e.kind in kinds and e.seq not in now.gone)


def _own_last(now: Snapshot, index: int) -> int:
    """Return the number of this seat's own last choice, or 0 if something has followed from it."""
    if not now.events or now.game is None or now.game.status != Game.Status.PLAYING:
        return 0
    mine = now.latest
    if mine[0].kind not in FIRST_OF_OWN_CHOICES or mine[0].game_id != now.game.pk:
        return 0
    if any(event.kind == "Revealed" for event in mine):  # called blind, and seen since (BK-23)
        return 0
    by = mine[0].play.seat_id
    return mine[0].seq if by == now.entrants[index].seat_id else 0


def _opening(view: bk.View) -> str:
    if view.caller is None:
        return _("Your roll opens the round.")
    if view.blind_call is None:
        return _("Roll under a cupped hand: nobody sees the number, not even you.")
    return _("Lift your hand: which number is it?")


def _prompt(view: bk.View, index: int) -> str:
    """Say to this seat, and no other, what to do now."""
    if not view.alive[index]:
        return _("You are out. You see everything, and stay for the toast.")
    if index not in view.must:
        return ""
    call = view.call.value if view.call else ""
    if view.phase is bk.Phase.NAME and view.naming_why == "house":
        return _("Whom do you pick for %(rule)s?") % {"rule": picked_for(view)}
    match view.phase:
        case bk.Phase.OPEN:
            return _opening(view)
        case bk.Phase.BLIND:
            return _("You called for the Shroud: higher or lower than what nobody knows?")
        case bk.Phase.AWARD:
            return _("One breath! Whom did you hear first?")
        case bk.Phase.CHALLENGE:
            return _task(call) % {"number": view.standing}
        case bk.Phase.NAME:
            return _("Choose who rolls next, and how.")
        case bk.Phase.DEAL:
            return _("Deal out the fingers that the others lose.")
    return ""


def _task(call: str) -> str:
    """Say what a challenger has to roll."""
    match call:
        case "brave":
            return _("Roll higher than %(number)s!")
        case "knave":
            return _("Roll lower than %(number)s!")
        case "heal":
            return _("Roll under 9 and your hand is whole.")
    return ""
