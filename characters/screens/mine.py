"""What one seat's phone shows of Knave and offers; nothing else is in it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any

from characters.models import Article, Call, Character, Item
from characters.screens.board import STAYS_FOR, count_older_piles, events_of, own_roll, shown_piles
from characters.screens.cards import AskCard, Board, MyKnave, TurnCard
from characters.screens.drafts import draft_card
from characters.screens.fights import fighter_card
from characters.screens.people import person_card
from characters.screens.sheets import sheet_card, signed
from characters.sentences import KINDS
from characters.sentences.words import ability_name
from characters.services.foe_names import in_tongue
from characters.services.goods import brought
from characters.snapshot import Evening
from games.models import Event, Seat
from games.rules.knave import chances
from games.rules.knave.abilities import Ability
from games.rules.knave.saves import Edge
from games.said import gettext as _
from games.screens.cards import Choice
from games.screens.scene import percent
from games.sentences import tell
from games.services.recent import OFFERED_FOR, stands_alone
from games.snapshot import Snapshot
from games.text import as_sentence

# Whole people are not unmade by one tap; the host can take them back.
KEPT = {"knave_made", "knave_claimed", "knave_rolled"}
BLOWS_TOLD = 2
# What is asked has a card of its own beside the news, and says the same.
ON_A_CARD = {"saves_asked"}
Kind = Character.Kind
State = Character.State


def my_knave(now: Snapshot, seat: Seat) -> MyKnave:
    """Build what the holder of a seat sees of its own knave and may do."""
    evening: Evening = now.more
    own = _own(evening, seat)
    knave = knave_on_phone(evening, seat)
    begun = next((c for c in own if c.state == State.DRAFT), None)
    # Whose knave was dead and lives again, the death taken back, has no place for the next one yet.
    is_spare = begun is not None and knave is not None and not seat.is_gm
    draft = None if is_spare else begun
    company = [c for c in own if c.state != State.DRAFT] + _hired(evening.characters, seat)
    fallen = next((c for c in evening.dead if c.seat_id == seat.pk and c.kind == Kind.KNAVE), None)
    last = own_last(now, seat)
    sheet = sheet_card(now, evening, knave, is_gm=seat.is_gm, is_mine=True) if knave else None
    how = evening.party.settings
    names = {c.name for c in (*company, *_hired(evening.dead, seat))}
    return MyKnave(
        sheet=sheet,
        draft=draft_card(now, draft) if draft else None,
        asks=tuple(asks(now, evening, company)),
        fighters=tuple(f for c in company if (f := fighter_card(now, evening, c))),
        fallen=person_card(now, evening, fallen) if fallen and not knave else None,
        others=evening.memory.row(person_card(now, evening, c) for c in company if c is not knave),
        piles=shown_piles(evening),
        more_piles=count_older_piles(evening),
        may_make=knave is None and draft is None,
        spare=Choice(begun.pk, begun.name, is_off=not how.may_reroll)
        if begun and is_spare
        else None,
        last_roll=own_roll(now, seat),
        fallen_of=in_tongue(fallen.death) if fallen and not knave else "",
        news=news_of(now, seat, names) or blows_at(now, seat, names),
        claims=tuple(Choice(c.pk, c.name) for c in company if c.is_alive),
        undo=last.seq if last else None,
        undo_text=told_of(now, last) if last else "",
    )


def knave_on_phone(evening: Evening, seat: Seat) -> Character | None:
    """Return the knave whose sheet stands on a seat's phone: of several that live, the oldest."""
    own = (c for c in _own(evening, seat) if c.kind == Kind.KNAVE)
    return next((c for c in own if c.state != State.DRAFT), None)


def _own(evening: Evening, seat: Seat) -> list[Character]:
    """Return whom a seat plays, and has in the making."""
    # A hidden one that was handed on is the host's until it is shown, as for every deed.
    seen = (c for c in evening.characters if seat.is_gm or not c.is_hidden)
    return [c for c in seen if c.seat_id == seat.pk]


def _hired(people: Iterable[Character], seat: Seat) -> list[Character]:
    """Return those whom this seat's knave pays, or paid before one of them died (KN-24)."""
    return [
        one
        for one in people
        if one.employer and one.employer.seat_id == seat.pk and one.seat_id != seat.pk
    ]


def turn_of(board: Board, my: MyKnave) -> TurnCard:
    """Say what the fight asks of my fighters, and nothing that is not shown beside it."""
    fight = board.fight
    due = my.sheet if my.sheet and my.sheet.is_due else None
    if fight is None:
        return TurnCard(waiting=board.waiting, due=due)
    if fight.is_over:
        return TurnCard(is_there=True, due=due)
    must_defend = any(f.defends for f in my.fighters)
    is_ours = fight.acting == "party" and any(not f.why_not for f in my.fighters)
    says_nothing = must_defend or is_ours or fight.is_round_done
    return TurnCard(
        is_there=True,
        is_on=True,
        is_ours=is_ours,
        must_defend=must_defend,
        headline="" if says_nothing else fight.fallen or fight.headline,
        due=due,
    )


def told_of(now: Snapshot, event: Event) -> str:
    """Return what the log says of an event."""
    evening: Evening = now.more
    return evening.memory.once(_told, event)


def _told(event: Event) -> str:
    return tell(event.kind, event.data, [])


def own_last(now: Snapshot, seat: Seat) -> Event | None:
    """Return this seat's newest choice, if it may be taken back by who made it."""
    own = events_of(now, seat)
    newest = own[-1] if own else None
    if newest is None or not newest.play.can_undo or newest.play.faces:
        return None
    if newest.play_id in now.undone or now.seq - newest.seq > OFFERED_FOR:
        return None
    evening: Evening = now.more
    if not (seat.is_gm or stands_alone(evening.recent, newest.play_id)):
        return None
    play = [e for e in own if e.play_id == newest.play_id]
    if any(e.kind in KEPT for e in play):
        return None
    return next((e for e in play if e.kind in KINDS and told_of(now, e)), None)


def news_of(now: Snapshot, seat: Seat, names: set[str]) -> str:
    """Say what somebody else has just done to one of these, or taken back from all.

    It is no news any more once something came after it.
    """
    newest = now.events[-1] if now.events else None
    if newest is None or newest.play.seat_id == seat.pk or newest.play_id in now.undone:
        return ""
    if newest.kind == "undone" and newest.data["what"]["kind"] in KINDS:
        return told_of(now, newest)
    told = [e for e in now.latest if e.kind in KINDS and e.kind not in ON_A_CARD]
    mine = [e for e in told if names & _befallen(e.data)]
    return " ".join(filter(None, (told_of(now, e) for e in mine[:2])))


def blows_at(now: Snapshot, seat: Seat, names: set[str]) -> str:
    """Tell the newest blows at these until their player does something: the dice fell elsewhere.

    So is the death of a hireling: nothing else on the phone says why it is gone.
    """
    own = events_of(now, seat)
    since = max(own[-1].seq if own else 0, now.seq - STAYS_FOR)
    blows: list[str] = []
    for event in reversed(now.events):
        if event.seq <= since or len(blows) == BLOWS_TOLD:
            break
        struck = {"Attacked": "on_name", "knave_died": "name"}.get(event.kind, "")
        if event.data.get(struck) in names and event.play_id not in now.undone:
            blows.append(told_of(now, event))
    return " ".join(reversed(blows))


def _befallen(data: dict[str, Any]) -> set[Any]:
    """Return the names of those whom an event is about; a gift is its taker's news as well."""
    return {data.get("name"), data.get("taker"), *_listed(data.get("names"))}


def _listed(names: object) -> list[str]:
    return names if isinstance(names, list) else []


def asks(now: Snapshot, evening: Evening, company: list[Character]) -> list[AskCard]:
    """List what these characters are asked for and have not rolled yet, the oldest first."""
    by_key = {c.pk: c for c in company}
    found = []
    for call in reversed(evening.calls):
        for answer in evening.answers.get(call.pk, []):
            one = by_key.get(answer.character_id)
            if one is not None and answer.total is None and one.is_alive:
                feeds = [one.pk, one.employer_id]
                food = [i for c in company if c.pk in feeds for i in evening.items_of(c)]
                found.append(_ask(now, call, one, food))
    return found


def _night(one: Character, *, is_fed: bool) -> tuple[str, str]:
    """Say what a night brings, and on its button what to do; without a ration it brings nothing."""
    if is_fed:
        text = _("After a meal and a full night's sleep, d8 %(bonus)s hit points return.")
        return text % {"bonus": signed(one.constitution)}, _("Roll the d8")
    # There is time to beg one.
    text = _("No ration is left, and without a meal the night heals nothing: ask a friend for one.")
    return text, _("Sleep hungry")


def _ask(now: Snapshot, call: Call, one: Character, items: Iterable[Item]) -> AskCard:
    dice = now.settings.dice
    may_tap, may_type = dice != "real", dice != "server"
    ask = partial(
        AskCard, id=call.pk, character=one.pk, name=one.name, kind=call.kind, action="roll_save"
    )
    if call.kind == Call.Kind.NIGHT:
        is_fed = any(item.kind == Article.Kind.RATION for item in brought(items))
        text, button = _night(one, is_fed=is_fed)
        return ask(
            title=_("A night's rest"),
            text=text,
            button=button,
            dice="d8",
            sides=8,
            may_tap=may_tap or not is_fed,
            may_type=may_type and is_fed,
        )
    name = ability_name(call.ability)
    count = 2 if call.edge else 1
    return ask(
        title=_("%(ability)s save") % {"ability": name},
        text=" ".join(filter(None, (call.reason and as_sentence(call.reason), _terms(call)))),
        button=_("Roll %(ability)s %(bonus)s")
        % {"ability": name, "bonus": signed(one.bonuses.of(Ability(call.ability)))},
        ability=call.ability,
        dice="2d20" if call.edge else "d20",
        sides=20,
        count=count,
        odds=_odds(call, one) if now.settings.shows_odds else "",
        may_tap=may_tap,
        may_type=may_type,
    )


def _terms(call: Call) -> str:
    """Say what the roll must beat, and with what help or hindrance (KN-8 to KN-10)."""
    target = (
        _("More than 15 is needed.")
        if call.defense is None
        else _("More than %(defense)s is needed.") % {"defense": call.defense}
    )
    edge = {
        "advantage": _("With advantage: two dice, the better counts."),
        "disadvantage": _("With disadvantage: two dice, the worse counts."),
    }.get(call.edge, "")
    modifier = _("%(number)s to the roll.") % {"number": signed(call.modifier)}
    return " ".join(filter(None, (target, edge, modifier if call.modifier else "")))


def _odds(call: Call, one: Character) -> str:
    bonus = one.bonuses.of(Ability(call.ability))
    edge = Edge(call.edge) if call.edge else None
    if call.defense is None:
        return percent(chances.save_chance(bonus, edge, call.modifier))
    return percent(chances.opposed_chance(bonus, call.defense, edge, call.modifier))
