"""A whole sheet as a card: the ladder of slots, and numbers that explain themselves."""

from __future__ import annotations

from functools import lru_cache

from characters.models import Character, Item, Party
from characters.screens.cards import (
    AbilityCard,
    ItemCard,
    NumberCard,
    PersonCard,
    RungCard,
    SheetCard,
    TraitCard,
)
from characters.screens.hiring import has_room
from characters.screens.people import calm_card, host_card, person_card
from characters.screens.room import Room
from characters.screens.things import NEEDS_WAKING, item_card
from characters.sentences.words import ability_name, ability_short
from characters.services import traits
from characters.services.combatants import fighter_id
from characters.services.goods import brought, load_of, numbers_of
from characters.services.purse import CoinsTold, purse_of
from characters.settings import KnaveSettings
from characters.snapshot import Evening
from games.addresses import address_of
from games.rules import knave_fight as kf
from games.rules.knave import chances, growth, slots
from games.rules.knave.abilities import FLOOR, Ability, Bonuses
from games.rules.knave.numbers import Number
from games.said import gettext as _
from games.said import language
from games.screens.cards import Choice
from games.screens.scene import percent
from games.snapshot import Snapshot
from games.text import set_apart

Kind = Character.Kind
State = Character.State


def sheet_card(
    now: Snapshot, evening: Evening, one: Character, *, is_gm: bool, is_mine: bool
) -> SheetCard:
    """Build the sheet of a character for somebody who may write on it."""
    return evening.memory.once(
        _sheet_card,
        now.table.code,
        one,
        evening.items_of(one),
        evening.party,
        calm_card(now, evening, one),
        give_to(evening, one, is_gm=is_gm),
        hirelings_of(now, evening, one, is_gm=is_gm),
        now.settings.shows_odds,
        _barred(evening, one, is_gm=is_gm),
        is_gm,
        is_mine,
    )


def _barred(evening: Evening, one: Character, *, is_gm: bool) -> frozenset[str]:
    """Return what somebody may do with nothing they hold: asleep, or as long as they fight.

    Reading a spell aloud is a combat action (KN-13), which the fight itself offers in its turn:
    what the sheet offers is the same from blow to blow.
    """
    barred = frozenset() if is_gm or one.state == State.UP else NEEDS_WAKING
    seen = evening.seen.get(fighter_id(one))
    fights = seen is not None and seen.status not in (kf.Status.DEAD, kf.Status.FLED)
    return barred | {"cast"} if fights else barred


def _sheet_card(  # noqa: PLR0917 - a sheet is made of all these
    code: str,
    one: Character,
    items: list[Item],
    party: Party,
    person: PersonCard,
    friends: tuple[Choice, ...],
    hirelings: tuple[PersonCard, ...],
    shows_odds: bool,
    barred: frozenset[str],
    is_gm: bool,
    is_mine: bool,
) -> SheetCard:
    how = party.settings
    may = frozenset(_may(one, how, is_gm=is_gm, is_mine=is_mine))
    if "hp" in may and has_room(one, len(hirelings)):
        may |= {"hire"}
    return SheetCard(
        person=person,
        gender=one.gender,
        xp=one.xp,
        next_xp=growth.next_level_xp(one.level),
        is_due=one.kind == Kind.KNAVE and one.is_alive and growth.is_due(one.level, one.xp),
        abilities=ability_cards(one, shows_odds=shows_odds),
        **_kit(one, items, party.day, barred),
        traits=tuple(trait for trait in trait_cards(one) if trait.text),
        notes=one.__dict__.get("notes", ""),  # a snapshot leaves them unread
        may=may,
        may_overload=one.may_overload,
        give_to=friends,
        hirelings=hirelings,
        more_url=address_of("knave_sheet", code, one.pk),
        shop_url=address_of("knave_shop", code, one.pk)
        if "buy" in may and (how.shop_open or is_gm)
        else "",
        print_url=address_of("knave_print", code, one.pk),
        raises=tuple(c for c in ability_cards(one) if c.may_raise),
        raises_by_dice=how.raising == "dice",
        level_dice=one.level + 1,
    )


class _Kit(CoinsTold):
    numbers: tuple[NumberCard, ...]
    rungs: tuple[RungCard, ...]
    home: tuple[ItemCard, ...]
    slots_used: int
    slots: int
    purse: str


def _kit(one: Character, items: list[Item], day: int, barred: frozenset[str]) -> _Kit:
    """Lay out what somebody has, and what follows from it."""
    load = load_of(one, items)
    room = Room(one, items)
    cards = {i.pk: item_card(i, day, room, barred) for i in items}
    return {
        "numbers": number_cards(one, items),
        "rungs": _rungs(load, one, items, cards),
        "home": tuple(cards[i.pk] for i in items if i.is_home),
        "slots_used": slots.used(load),
        "slots": slots.capacity(one.bonuses),
        "purse": purse_of(one),
        "gold": one.gold,
        "silver": one.silver,
        "copper": one.copper,
    }


def _rungs(
    load: slots.Load, one: Character, items: list[Item], cards: dict[int, ItemCard]
) -> tuple[RungCard, ...]:
    """Lay out the ladder; what takes no slot comes after it, without a number.

    That is what is tiny, and what is led along, such as a mule, which has on it what it carries.
    """
    ladder = slots.ladder(load, one.bonuses)
    rungs = [
        RungCard(
            number=r.number,
            item=cards.get(r.thing) if r.thing else None,
            is_first=r.part == 1,
            is_coins=r.coins,
            is_over=r.is_over,
            more=r.more,
        )
        for r in ladder
    ]
    shown = {r.thing for r in ladder}
    along = (i for i in brought(items) if i.pk not in shown and i.inside_id not in cards)
    return (*rungs, *(RungCard(0, cards[i.pk]) for i in along))


def hirelings_of(
    now: Snapshot, evening: Evening, one: Character, *, is_gm: bool
) -> tuple[PersonCard, ...]:
    """Build the cards of those who follow one; the referee's tell more."""
    card = host_card if is_gm else person_card
    return evening.memory.row(card(now, evening, h) for h in evening.hired_by(one))


def _may(one: Character, how: KnaveSettings, *, is_gm: bool, is_mine: bool) -> set[str]:
    if not (is_gm or is_mine) or one.state in (State.DEAD, State.DRAFT):
        return {"edit"} if is_gm or is_mine else set()
    may = {"edit", "hp", "buy", "repair"}
    if one.state == State.UP:
        may.add("roll")
    if is_gm:
        may |= {"overload", "correct", "hand"}
    if is_gm or how.may_add:
        may.add("add")
    return may


def signed(number: int) -> str:
    """Write a bonus as sheets do: +3, −1, +0."""
    return f"+{number}" if number >= 0 else f"−{-number}"


def dice_words(weapon: kf.Weapon) -> str:
    """Write what a hit rolls as books do: d8, 2d4, d6+2, or a fixed sum (KN-15)."""
    if weapon.die == 1:
        return str(max(0, weapon.dice + weapon.plus))
    many = weapon.dice if weapon.dice > 1 else ""
    return f"{many}d{weapon.die}{signed(weapon.plus) if weapon.plus else ''}"


def ability_cards(one: Character, *, shows_odds: bool = False) -> tuple[AbilityCard, ...]:
    """Return the six abilities, with the odds of a plain save where the table shows them."""
    return _ability_cards(one.bonuses, language(), shows_odds=shows_odds)


# They change with a level, and a sheet is laid out anew with each hit point.
@lru_cache(maxsize=512)
def _ability_cards(bonuses: Bonuses, _spoken: str, *, shows_odds: bool) -> tuple[AbilityCard, ...]:
    may_rise = set(growth.may_rise(bonuses))
    return tuple(
        AbilityCard(
            key=a.value,
            name=ability_name(a.value),
            short=ability_short(a.value),
            bonus=signed(bonuses.of(a)),
            defense=bonuses.defense(a),
            odds=percent(chances.save_chance(bonuses.of(a))) if shows_odds else "",
            may_raise=a in may_rise,
        )
        for a in Ability
    )


SHOWN = ("armor_defense", "armor_bonus", "slots", "healing", "hirelings", "speed_exploration")


def number_cards(one: Character, items: list[Item]) -> tuple[NumberCard, ...]:
    """Return the derived numbers, each saying where it comes from."""
    by_key = {i.pk: i.said_name for i in items}
    numbers = numbers_of(one, items)
    by_nature = _cards_by_nature(one, numbers["armor_defense"])
    return tuple(
        by_nature.get(key)
        or NumberCard(key, number_name(key), _value(numbers[key]), _why(numbers[key], by_key))
        for key in SHOWN
    )


def _cards_by_nature(one: Character, worn: Number) -> dict[str, NumberCard]:
    """Return the numbers that are an NPC's by nature, where that is more than what is worn."""
    natural = one.natural_defense or 0
    if natural <= worn.value:
        return {}
    why = (_("By nature: %(number)s") % {"number": natural},)
    values = {"armor_defense": str(natural), "armor_bonus": signed(natural - FLOOR)}
    return {key: NumberCard(key, number_name(key), value, why) for key, value in values.items()}


def number_name(key: str) -> str:
    """Return what a derived number is called."""
    return {
        "armor_defense": _("Armor defense"),
        "armor_bonus": _("Armor bonus"),
        "slots": _("Item slots"),
        "healing": _("Night's healing"),
        "hirelings": _("Hirelings at most"),
        "speed_exploration": _("Speed"),
    }[key]


def _value(number: Number) -> str:
    if number.key == "healing":
        return f"d8{signed(number.value)}" if number.value else "d8"
    if number.key == "speed_exploration":
        return _("%(feet)s ft") % {"feet": number.value}
    return signed(number.value) if number.key == "armor_bonus" else str(number.value)


def _why(number: Number, things: dict[int, str]) -> tuple[str, ...]:
    """Say what a number is made of. By which rule is told in the rule book, where its number is."""
    lines: list[str] = []
    for part in number.parts:
        name = set_apart(things.get(part.params.get("thing", 0), "")) or _(part.label)
        is_added = bool(lines) or number.key == "healing"
        lines.append(f"{name}: {signed(part.amount) if is_added else part.amount}")
    return tuple(lines)


def trait_cards(one: Character) -> tuple[TraitCard, ...]:
    """Return every trait in the reader's language, in the book's order (KN-7)."""
    known = ((key, one.traits.get(key) or {"en": ""}) for key in traits.KEYS)
    return tuple(
        TraitCard(key, traits.title(key), traits.said(trait), traits.told(trait))
        for key, trait in known
    )


def give_to(evening: Evening, one: Character, *, is_gm: bool) -> tuple[Choice, ...]:
    """Return who could be handed something: everybody alive in sight but the giver."""
    return evening.memory.once(_give_to, one.pk, is_gm, evening.characters)


def _give_to(giver: int, is_gm: bool, everybody: tuple[Character, ...]) -> tuple[Choice, ...]:
    return tuple(
        Choice(c.pk, c.name)
        for c in everybody
        if c.pk != giver and c.is_alive and (is_gm or not c.is_hidden)
    )
