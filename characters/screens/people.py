"""Characters as cards: what the whole table may see of each."""

from __future__ import annotations

from typing import TypedDict

from msgspec.structs import replace

from characters.actions.fights import MOST_DAYS_PAID
from characters.models import Article, Character, Item
from characters.screens.cards import PersonCard
from characters.screens.room import Room
from characters.sentences.words import span_of
from characters.services.combatants import fighter_id
from characters.services.goods import defense_of, load_of
from characters.services.purse import money
from characters.snapshot import Evening
from games.addresses import address_of
from games.presence import Connections
from games.rules import knave_fight as kf
from games.rules.knave import growth, slots
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import Choice, colour_by
from games.screens.scene import connection_of
from games.snapshot import Snapshot

State = Character.State


def state_word(state: str) -> str:
    """Say how somebody is, in a word; nothing for those who are well."""
    return {
        State.UNCONSCIOUS: _("unconscious"),
        State.DEAD: _("dead"),
        State.DRAFT: _("in the making"),
    }.get(State(state), "")


def status_word(status: kf.Status) -> str:
    """Say how somebody in a fight is who does not stand; nothing of who does."""
    return {
        kf.Status.UP: "",
        kf.Status.UNCONSCIOUS: _("unconscious"),
        kf.Status.DEAD: _("dead"),
        kf.Status.FLED: _("fled"),
    }[status]


def person_card(
    now: Snapshot,
    evening: Evening,
    one: Character,
    connections: Connections | None = None,
) -> PersonCard:
    """Build the public card of a character."""
    seat = one.seat
    is_here = (
        seat is None
        or connections is None
        or bool(seat.regular)
        or connection_of(now, seat, connections) is not None
    )
    fighter = fighter_of(evening, one)
    about = (now.table.code, one, evening.items_of(one), fighter, is_here)
    card = evening.memory.once(_person_card, *about)
    return evening.memory.once(_acting, card) if _may_act(evening, fighter) else card


def _acting(card: PersonCard) -> PersonCard:
    return replace(card, is_acting=True)


def _may_act(evening: Evening, fighter: kf.Seen | None) -> bool:
    """Tell whether somebody has an action left in a round that is their side's now (KN-12)."""
    if fighter is None or fighter.is_done or fighter.status is not kf.Status.UP:
        return False
    return evening.acting is fighter.side


def _person_card(
    code: str, one: Character, items: list[Item], fighter: kf.Seen | None, is_here: bool
) -> PersonCard:
    seat = one.seat
    days_due = min(one.days_owed, MOST_DAYS_PAID) if one.is_employed else 0
    return PersonCard(
        id=one.pk,
        name=one.name or _("A new knave"),
        kind=one.kind,
        state=one.state,
        state_word=state_word(one.state),
        hp=one.hp,
        max_hp=one.max_hp,
        level=one.level,
        armor_defense=defense_of(one, items),
        player=seat.name if seat else "",
        colour=_colour(one),
        mark=(one.name or "?")[:1].upper(),
        drawn=one.mark,
        portrait_url=portrait_url(code, one),
        lights=", ".join(light_words(i.said_name, i.turns_left) for i in items if i.is_lit),
        is_connected=is_here,
        is_over=slots.used(load_of(one, items)) > slots.capacity(one.bonuses),
        **_service(one),
        trade=one.trade.said("name") if one.trade else "",
        wage=wage_a_day(one.wage) if one.wage else "",
        owed=days_unpaid(one),
        days_due=days_due,
        dues=money(one.wage * days_due),
        has_acted=bool(fighter and fighter.is_done),
        url=address_of("knave_sheet", code, one.pk),
        xp=_("%(xp)s XP") % {"xp": one.xp} if one.kind == Character.Kind.KNAVE else "",
        combatant=fighter.id if fighter else "",
        is_engaged=bool(fighter and fighter.engaged_with),
        weapons=weapons_of(one, items) if fighter else (),
        may_overload=one.may_overload,
        is_hidden=one.is_hidden,
        is_due=one.kind == Character.Kind.KNAVE and growth.is_due(one.level, one.xp),
    )


class _Service(TypedDict, total=False):
    employer: str
    employer_id: int
    service: str


def _service(one: Character) -> _Service:
    """Say whom a hireling works for, or did as long as that one lived (KN-24)."""
    if one.employer is None:
        return {}
    text = _("works for %(name)s") if one.is_employed else _("worked for %(name)s")
    return {
        "employer": one.employer.name,
        "employer_id": one.employer.pk,
        "service": text % {"name": one.employer.name},
    }


def calm_card(now: Snapshot, evening: Evening, one: Character) -> PersonCard:
    """Build a character's card for its own sheet, where nothing of a fight's round stands."""
    return evening.memory.once(_person_card, now.table.code, one, evening.items_of(one), None, True)


def host_card(
    now: Snapshot,
    evening: Evening,
    one: Character,
    connections: Connections | None = None,
) -> PersonCard:
    """Build a character's card for the host, whose alone the morale ratings are (KN-20)."""
    card = person_card(now, evening, one, connections)
    return evening.memory.once(_with_morale, card, one.morale)


def _with_morale(card: PersonCard, morale: int | None) -> PersonCard:
    return replace(card, morale=morale)


def in_fight(evening: Evening, card: PersonCard) -> PersonCard:
    """Return a card that says of who has fled that they have: on the sheet they are well."""
    fighter = evening.seen.get(card.combatant)
    has_fled = fighter is not None and fighter.status is kf.Status.FLED
    return evening.memory.once(_fled, card) if has_fled else card


def _fled(card: PersonCard) -> PersonCard:
    return replace(card, state=kf.Status.FLED.value, state_word=status_word(kf.Status.FLED))


def fighter_of(evening: Evening, one: Character) -> kf.Seen | None:
    """Return a character's part in the running fight, as everybody sees it."""
    return evening.seen.get(fighter_id(one))


def weapons_of(one: Character, items: list[Item]) -> tuple[Choice, ...]:
    """Return the weapons somebody carries; the one in hand is chosen already, and off.

    So is one on a mule that there is no room for off it (KN-4).
    """
    room, found = Room(one, items), []
    for item in items:
        if item.kind != Article.Kind.WEAPON or room.is_left(item):
            continue
        # What is in nothing has its room: on the live path no slots are counted for it.
        fits = item.inside_id is None or room.has_for(item)
        die = f"d{item.die}" if item.die else ""
        hint = die if fits else _("no free slot")
        in_hand = item.is_equipped
        off = in_hand or not fits
        found.append(Choice(item.pk, item.said_name, hint=hint, is_off=off, is_on=in_hand))
    return tuple(found)


def light_words(name: str, turns_left: int | None) -> str:
    """Say how long a light still burns."""
    if turns_left is None:
        return name
    return f"{name}, {span_of(turns_left)}"


def portrait_url(code: str, one: Character) -> str:
    """Return where a portrait is, anew with each picture; nothing for who has none."""
    if one.portrait_at is None:
        return ""
    stamp = int(one.portrait_at.timestamp())
    return address_of("knave_portrait", code, one.pk) + f"?v={stamp}"


def _colour(one: Character) -> int:
    employer = one.employer
    seat = one.seat or (employer.seat if employer and employer.seat_id else None)
    # Whom nobody plays counts from the last colour, as seats do from the first.
    return colour_by(seat.number if seat else -one.pk)


def wage_a_day(copper: int) -> str:
    """Say what a hireling costs a day."""
    return _("%(wage)s a day") % {"wage": money(copper)}


def days_unpaid(one: Character) -> str:
    """Say for how many days a hireling has not been paid; nothing where nothing is owed."""
    if not one.days_owed:
        return ""
    text = ngettext("%(count)s day unpaid", "%(count)s days unpaid", one.days_owed)
    return text % {"count": one.days_owed}
