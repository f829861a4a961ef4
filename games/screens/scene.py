"""The table as everybody may see it, worded in one language."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

from games.customs import shouts_aloud
from games.grammar import and_list, cried, decimal
from games.models import Event, Game, Seat
from games.presence import Connection, Connections
from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import odds as chances
from games.said import gettext as _
from games.said import language, ngettext
from games.screens.cards import FingerCard, Moment, Odds, Scene, SeatCard, ShoutMark, colour_by
from games.screens.hints import hint_of
from games.screens.house_rules import picked_for
from games.screens.log import story_of
from games.seat_names import shown_name
from games.sentences import call_word, finger_name, tell
from games.snapshot import Snapshot
from games.text import set_apart

# The ruler is as long as its last shout, but never so short that a breath fills it.
RULER_MS = 600
# As many names of those who are waited for as are read at a glance. Of more the first two are told,
# and how many others there are: who they are is seen at their seats.
NAMED_AT_MOST, NAMED_OF_MORE = 3, 2


def scene_of(now: Snapshot, connections: Connections) -> Scene:
    """Build what is public at a table, from the bystander's view of the bout."""
    view = now.public_view if now.game and now.game.status != Game.Status.ENDED else None
    seats = tuple(seat_card(now, seat, view, connections) for seat in now.seats if seat.is_seated)
    cards = {s.number: s for s in seats}
    # Somebody who has left the table still belongs to this bout's story.
    ring = tuple(
        cards.get(e.seat.number) or seat_card(now, e.seat, view, connections) for e in now.entrants
    )
    by_index = {s.index: s for s in ring}
    how = now.settings
    common: dict[str, Any] = {
        "table_name": now.table.name,
        "code": now.table.code,
        "mode": mode_of(now),
        "pause": now.table.pause,
        "is_trial": now.table.is_trial,
        "seats": seats,
        "ring": ring,
        "places": ring or tuple(s for s in seats if s.plays and s.role != Seat.Role.SCREEN),
        "knocking": tuple(
            seat_card(now, s, None, connections)
            for s in now.seats
            if s.standing == Seat.Standing.KNOCKING
        ),
        "by_mouth": shouts_aloud(how),
        "dice": how.dice,
        "settings": how,
        "seq": now.seq,
    }
    if view is None:
        gathers = common["mode"] == "gathering"
        return Scene(headline=_gathering_headline(now, seats) if gathers else "", **common)
    return Scene(**common, **_bout_fields(now, view, by_index))


def mode_of(now: Snapshot) -> str:
    """Return gathering, playing or over: what the bout is busy with; else the game in front."""
    if now.table.rules != bk.NAME:
        return now.table.rules
    if now.game is None or now.game.status in (Game.Status.GATHERING, Game.Status.ENDED):
        return "gathering"
    return "playing" if now.game.status == Game.Status.PLAYING else "over"


def _bout_fields(
    now: Snapshot, view: bk.View, by_index: dict[int | None, SeatCard]
) -> dict[str, Any]:
    challenger = by_index.get(view.challenger) if view.challenger is not None else None
    how = now.settings
    standing = view.standing if how.shows_odds else None
    return {
        "headline": headline(view, by_mouth=shouts_aloud(how)),
        "phase": view.phase.value,
        "standing": view.standing,
        "is_shrouded": view.caller is not None and view.standing is None,
        "roller": by_index[view.roller],
        "challenger": challenger,
        "call": view.call.value if view.call else "",
        "call_word": call_word(view.call.value) if view.call else "",
        "knocks": view.knocks,
        "ruler": ruler(view, by_index),
        "moment": moment(now),
        "hint": hint_of(now),
        "odds": None if standing is None else odds_card(standing, heal=view.heal_open),
        "winners": tuple(by_index[w] for w in view.winners),
        "story": story_of(now) if view.winners else (),
        "is_reversed": view.direction < 0,
        "heal_open": view.heal_open,
        "has_wager": view.wager and view.challenger == view.caller,
    }


def connection_of(now: Snapshot, seat: Seat, connections: Connections) -> Connection | None:
    """Return a seat's own, or another's on its device: who has no phone is here with it."""
    beside = now.held_by.get(seat.device_id, ())
    own = connections.get(seat.number)
    return own or next((connections[s.number] for s in beside if s.number in connections), None)


def seat_card(
    now: Snapshot, seat: Seat, view: bk.View | None, connections: Connections
) -> SeatCard:
    """Build the public card of one seat; in a bout only its guild name is shown (BK-2)."""
    index = now.index_of(seat)
    entrant = None if index is None else now.entrants[index]
    person = shown_name(seat.name, seat.role)
    name = entrant.guild_name if entrant else person
    connection = connection_of(now, seat, connections)
    basics: dict[str, Any] = {
        "number": seat.number,
        "name": name,
        # Until a bout begins the table may know who hides behind a guild name, and once it is over.
        "person": "" if entrant and mode_of(now) == "playing" else person,
        "mark": name[:1].upper(),
        "colour": colour_by(seat.number),
        "role": seat.role,
        "index": index,
        "personal_number": entrant.number if entrant else None,
        "has_letters": seat.has_letters,
        # Who got up for good is not away: nobody waits for them to come back.
        "is_connected": bool(connection or seat.regular or seat.standing == Seat.Standing.GONE),
        "is_slow": bool(connection and connection.is_slow),
        "is_regular": bool(seat.regular),
        "plays": index is not None,
    }
    if view is None or index is None:
        return SeatCard(**basics, hand=_hand(tuple(bk.Digit)))
    shout = next((s for s in view.shouts if s.seat == index), None)
    return SeatCard(
        **basics,
        fingers=view.fingers[index],
        hand=_hand(view.hands[index]),
        is_alive=view.alive[index],
        is_roller=_die_holder(view) == index,
        is_awaited=index in view.must,
        call=shout.call.value if shout else "",
    )


def _die_holder(view: bk.View) -> int | None:
    """Return who has the die in hand, to roll it or to say who does.

    An owner in control has it before anybody rolls (BK-18), a challenger is handed it (BK-12).
    """
    if view.phase is bk.Phase.OVER:
        return None
    has_it = {bk.Phase.NAME: view.namer, bk.Phase.CHALLENGE: view.challenger}
    return has_it.get(view.phase, view.roller)


def _hand(kept: tuple[bk.Digit, ...]) -> tuple[FingerCard, ...]:
    return _hand_in(kept, language())


@cache  # no more than 32 hands in each language
def _hand_in(kept: tuple[bk.Digit, ...], _spoken: str) -> tuple[FingerCard, ...]:
    order = ("thumb", "index", "middle", "ring", "little")
    names = {finger.value for finger in kept}
    return tuple(FingerCard(which, finger_name(which), which in names) for which in order)


def ruler(view: bk.View, by_index: dict[int | None, SeatCard]) -> tuple[ShoutMark, ...]:
    """Lay the shouts on a line, each with its gap to the first (BK-10)."""
    if not view.shouts:
        return ()
    first = min(s.at_ms for s in view.shouts)
    length = max(RULER_MS, *(s.at_ms - first for s in view.shouts))
    return tuple(
        ShoutMark(
            seat=by_index[s.seat],
            call=s.call.value,
            call_word=call_word(s.call.value),
            plus=_gap(s.at_ms - first),
            percent=round(100 * (s.at_ms - first) / length),
            is_unison=s.unison,
            is_late=s.late,
            counts=s.seat == view.challenger,
        )
        for s in view.shouts
    )


def _gap(milliseconds: int) -> str:
    """Say how long after the first shout; the first needs no number."""
    if not milliseconds:
        return _("first")
    return _("+%(seconds)s s") % {"seconds": decimal(milliseconds / 1000)}


def headline(view: bk.View, *, by_mouth: bool) -> str:
    """Say what the table waits for, and whom: the sentence under the number."""
    names = view.names
    who = names[view.must[0]] if view.must else ""
    if view.phase is bk.Phase.OVER:
        return tell("Won", {"seats": view.winners}, names)
    if view.phase is bk.Phase.SHOUT:
        if view.shouts:
            return _("Listening for who else shouted…")
        if by_mouth:
            return _("Shout aloud! Who beats %(number)s?") % {"number": view.standing}
        return _("Shout! Who beats %(number)s?") % {"number": view.standing}
    if view.phase is bk.Phase.CHALLENGE and view.call:
        if view.call is bk.Call.HEAL:
            return _("%(name)s must roll under 9 to heal") % {"name": who}
        text = (
            _("%(name)s must roll higher than %(number)s")
            if view.call is bk.Call.BRAVE
            else _("%(name)s must roll lower than %(number)s")
        )
        return text % {"name": who, "number": view.standing}
    return _waiting(view, who)


def _waiting(view: bk.View, who: str) -> str:
    if view.phase is bk.Phase.NAME and view.naming_why == "house":
        return _("%(name)s picks for %(rule)s") % {"name": who, "rule": picked_for(view)}
    if view.phase is bk.Phase.OPEN and view.caller is not None:
        text = (
            _("%(caller)s calls for a Shroud: %(name)s rolls under a cupped hand")
            if view.blind_call is None
            else _("%(caller)s says %(call)s, blind. %(name)s lifts the hand and reads the number")
        )
        call = call_word(view.blind_call.value) if view.blind_call else ""
        return text % {"name": who, "caller": view.names[view.caller], "call": call}
    text = {
        bk.Phase.OPEN: _("%(name)s opens with a roll"),
        bk.Phase.BLIND: _("%(name)s says BRAVE or KNAVE, blind"),
        bk.Phase.AWARD: _("One breath! %(name)s says who was first"),
        bk.Phase.DEAL: _("%(name)s deals out lost fingers"),
        bk.Phase.NAME: _("%(name)s names who rolls next"),
    }[view.phase]
    return text % {"name": who}


def moment(now: Snapshot) -> Moment | None:
    """Pick the biggest thing that the last move brought, for the middle of every screen."""
    if not now.game:
        return None
    latest = _last_told(now, now.game.pk)
    biggest = min(
        (e for e in latest if e.kind in MOMENTS), key=lambda e: RANKS[e.kind], default=None
    )
    if biggest is None:
        return None
    rolled = next((e.data["face"] for e in latest if e.kind in ("Rolled", "Revealed")), None)
    house_cry = cried(set_apart(biggest.data["cry"])) if "cry" in biggest.data else ""
    cries = {"Grave": _("GRAVE!"), "Stave": _("STAVE!"), "Bounced": _("Bounce!")}
    cry = cries.get(biggest.kind, house_cry)
    spoken = SPOKEN - {"FingersLost"} if biggest.kind == "Stave" else SPOKEN
    text = " ".join(
        t for e in latest if e.kind in spoken and (t := tell(e.kind, e.data, now.names))
    )
    # The cry stands above the text already.
    text = text.removeprefix(cry).strip()
    return Moment(MOMENTS[biggest.kind], cry, text, rolled)


def _last_told(now: Snapshot, game_id: int) -> tuple[Event, ...]:
    """Return what the last play of this bout brought that has a moment and was not taken back."""
    for at in range(len(now.events) - 1, -1, -1):
        event = now.events[at]
        if event.kind in MOMENTS and event.seq not in now.gone and event.game_id == game_id:
            last = at
            while last + 1 < len(now.events) and now.events[last + 1].play_id == event.play_id:
                last += 1
            told = now.of_play(last)
            return tuple(e for e in told if e.seq not in now.gone and e.game_id == game_id)
    return ()


MOMENTS = {
    "Grave": "grave",
    "Stave": "stave",
    "HouseRuleActed": "house",
    "WagerWon": "wager",
    "Healed": "healed",
    "HealFailed": "failure",
    "Bounced": "bounce",
    "TookControl": "control",
    "Failed": "failure",
    "Succeeded": "success",
    "Rolled": "roll",
    # What was cried out before does not stand over a number that nobody knows, or that follows it.
    "Revealed": "roll",
    "CupRolled": "roll",
    "ShroudCalled": "roll",
    # What somebody chose, or left by, with no die: without it the screens go on telling what was
    # before, while fingers are fewer.
    "Dealt": "failure",
    "FingersLost": "failure",
    "FingersRegained": "success",
    "Out": "failure",
}
RANKS = {kind: rank for rank, kind in enumerate(MOMENTS)}
SPOKEN = {kind for kind, word in MOMENTS.items() if word != "roll"}


def percent(chance: Fraction) -> str:
    """Write an exact chance as a whole percentage."""
    return _percent_in(chance, language())


@lru_cache(maxsize=1024)
def _percent_in(chance: Fraction, _spoken: str) -> str:
    text: str = _("%(number)s%%") % {"number": round(chance * 100)}
    return text.replace(" ", "\N{NO-BREAK SPACE}")  # no line begins with the sign alone


def odds_card(number: int, *, heal: bool) -> Odds:
    """Return the chances against a number, in words."""
    return Odds(
        brave=percent(chances.survival(number, bk.Call.BRAVE)),
        knave=percent(chances.survival(number, bk.Call.KNAVE)),
        heal=percent(chances.heal().whole) if heal else "",
    )


def _gathering_headline(now: Snapshot, seats: tuple[SeatCard, ...]) -> str:
    players = [s for s in seats if s.plays]
    missing = [s.name for s in players if s.personal_number is None]
    if len(players) < bk.MIN_SEATS:
        return _("Invite somebody, or call a regular of the house")
    if len(missing) > NAMED_AT_MOST:
        others = len(missing) - NAMED_OF_MORE
        text = ngettext(
            "Waiting for %(names)s and %(others)s other to take a number",
            "Waiting for %(names)s and %(others)s others to take a number",
            others,
        )
        return text % {"names": ", ".join(missing[:NAMED_OF_MORE]), "others": others}
    if missing:
        return _("Waiting for %(names)s to take a number") % {"names": and_list(missing)}
    return next(iter(must_choose_anew(now, players).values()), _("Everybody is ready"))


def must_choose_anew(now: Snapshot, seats: Iterable[SeatCard]) -> dict[int, str]:
    """Say of each number that a house rule has taken from a person that they must choose another.

    A regular gives way by itself when the bout begins (BK-25).
    """
    rules = numbers_of_rules(now)
    text = _("%(name)s must choose another number: %(number)s is the house rule “%(rule)s”.")
    return {
        number: text % {"name": one.name, "number": number, "rule": rules[number]}
        for one in seats
        if not one.is_regular and (number := one.personal_number) and number in rules
    }


def numbers_of_rules(now: Snapshot) -> dict[int, str]:
    """Return which numbers the house rules that are on have taken, each with its rule's name."""
    return {k.rule["number"]: k.rule["name"] for k in now.house_rules if k.is_on}
