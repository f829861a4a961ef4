"""Gear in use: worn and wielded, broken and mended, lit, and spell books read aloud."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from characters import actions
from characters.deeds.things import holder_of, tell_thing
from characters.models import Article, Item, Spell
from characters.services import fighting, finding, goods, kit, telling, trade
from games.errors import Forbidden, MovedOn
from games.rules.engine import IllegalAction
from games.rules.knave import days
from games.rules.knave.abilities import Ability
from games.rules.knave.equipment import EQUIPPED
from games.rules.knave.prices import repair_price
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import keep
from games.services.refusing import refused, so_already

Kind = Article.Kind


@deed(actions.EquipItem, may="seat")
def equip_item(change: Change, action: actions.EquipItem, tap: Tap) -> None:
    """Wear or wield a thing, or put it away; a fight that is running hears of it (KN-5)."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    if item.kind not in EQUIPPED:
        raise MovedOn(_("That is neither worn nor wielded."))
    if item.is_equipped == action.on:
        raise so_already()
    kit.check_at_hand(item)
    off: list[Item] = []
    if action.on:
        off = kit.put_on(change, item)
    else:
        item.is_equipped = False
        keep(change, item)
    tell_thing(
        change,
        "item_equipped" if action.on else "item_put_away",
        item,
        who,
        what=item.kind,
        instead=[goods.names_of(other) for other in off],
    )
    fighting.regear(change, who)


@deed(actions.BreakItem, may="seat")
def break_item(change: Change, action: actions.BreakItem, tap: Tap) -> None:
    """KN-19: a point of quality lost; at none the thing is destroyed."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    if not item.quality:
        raise MovedOn(_("That has no quality to lose."))
    left = item.quality - 1
    item = _single(change, item)
    names, most = goods.names_of(item), item.max_quality
    if left:
        item.quality = left
        keep(change, item)
    else:
        kit.destroy(change, item)
    telling.tell_of(
        change,
        "item_worn" if left else "item_destroyed",
        who,
        to=fighting.figures_to(change, who) if left else None,
        item=names,
        left=left,
        most=most,
    )
    fighting.regear(change, who)


def _single(change: Change, item: Item) -> Item:
    """Return one piece out of several: what happens to it does not happen to the others."""
    if item.count == 1:
        return item
    holder = holder_of(item)
    goods.check_rows(holder, 1)
    one = goods.part(change, item, 1)
    one.position = goods.next_position(holder)
    keep(change, one)
    return one


@deed(actions.RepairItem, may="seat")
def repair_item(change: Change, action: actions.RepairItem, tap: Tap) -> None:
    """KN-19: a tenth of the price for every point, out of the purse; free by the referee's word."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    missing = (item.max_quality or 0) - (item.quality or 0)
    if action.is_free and not is_gm(change):
        raise Forbidden(_("Only the referee mends for free."))
    if missing < action.points:
        if missing < 1:
            raise MovedOn(_("That has all its quality."))
        text = _("Only %(count)s of its quality is missing.")
        raise MovedOn(text % {"count": missing})
    price = 0 if action.is_free else repair_price(item.cost) * action.points * item.count
    if price:
        trade.pay(change, who, price)
    item.quality = (item.quality or 0) + action.points
    keep(change, item)
    tell_thing(
        change,
        "item_repaired",
        item,
        who,
        points=action.points,
        quality=item.quality,
        most=item.max_quality,
        price=price,
        to=fighting.figures_to(change, who),
    )
    fighting.regear(change, who)


@deed(actions.LightItem, may="seat")
def light_item(change: Change, action: actions.LightItem, tap: Tap) -> None:
    """Light one of a bundle, or put it out. How long it has left stays with it."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    if not item.burns_turns or item.kind != Kind.LIGHT:
        raise MovedOn(_("That gives no light."))
    if item.is_lit == action.on:
        raise MovedOn(_("It is burning already.") if action.on else _("It is not burning."))
    if action.on:
        kit.check_at_hand(item)
        kit.check_awake(change, who)
        item = _lit(change, item)
    else:
        item.is_lit = False
        keep(change, item)
    kind = "item_lit" if action.on else "item_doused"
    tell_thing(change, kind, item, who, turns=item.turns_left)


def _lit(change: Change, item: Item) -> Item:
    """Take one out of a bundle and light it, with oil where it burns oil.

    **Ruling:** what was bundled with others goes on sharing their slot when it burns.
    """
    is_of_bundle = item.count > 1 and item.bundle > 1
    item = _single(change, item)
    if not item.turns_left:
        if kit.needs_fuel(item):
            fuel = kit.fuel_for(item)
            if fuel is None:
                raise MovedOn(_("There is no oil left for it."))
            item.turns_left = fuel.burns_turns or item.burns_turns
            kit.spend(change, fuel)
        elif item.turns_left is None:
            item.turns_left = item.burns_turns
        else:
            raise MovedOn(_("It has burnt down."))
    if is_of_bundle:
        item.slots = 0
    kit.take_in_hand(change, item)
    item.is_lit = True
    keep(change, item)
    return item


@deed(actions.CastSpell, may="seat", stops_in_pause=True)
def cast_spell(change: Change, action: actions.CastSpell, tap: Tap) -> None:
    """KN-25: anybody awake reads a book aloud, each book once a day."""
    item = finding.thing_named(change, action.item)
    who = holder_of(item)
    if item.kind != Kind.SPELL_BOOK:
        raise MovedOn(_("That is not a spell book."))
    kit.check_at_hand(item)
    kit.check_awake(change, who)
    day = finding.party_of(change.table).day
    try:
        days.check_cast(item.cast_on, day)
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    item.cast_on = day
    keep(change, item)
    spell = item.spell
    texts: dict[str, Any] = {field: _in_both(spell, field) for field in Spell.TOLD}
    tell_thing(
        change,
        "spell_cast",
        item,
        who,
        **texts,
        save_with=spell.save_with if spell else "",
        level=who.level,
        defense=who.bonuses.defense(Ability.INTELLIGENCE),
    )
    fighting.cast(change, item)


def _in_both(spell: Spell | None, field: str) -> dict[str, str]:
    """Return a spell's text in every language, as events hold it; a book may have no spell."""
    if spell is None:
        return {"en": ""}
    return {"en": getattr(spell, field), "es": getattr(spell, f"{field}_es")}
