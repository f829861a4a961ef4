"""What the API's answer at a Knave table offers to a seat, as actions with their fields."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Told = dict[str, Any]
Offer = tuple[str, Told]

OF_A_THING = {
    "use": ("use_item", {}),
    "drop": ("drop_item", {}),
    "merge": ("merge_item", {}),
    "break": ("break_item", {}),
    "repair": ("repair_item", {}),
    "equip": ("equip_item", {"on": True}),
    "unequip": ("equip_item", {"on": False}),
    "light": ("light_item", {"on": True}),
    "douse": ("light_item", {"on": False}),
    "home": ("leave_home", {"home": True}),
    "fetch": ("leave_home", {"home": False}),
    "outside": ("put_inside", {}),
    "up": ("move_item", {"by": -1}),
    "down": ("move_item", {"by": 1}),
    "cast": ("cast_spell", {}),
}
"""By the words of `ItemCard.may`: the action that does it."""


def offers(told: Told) -> Iterator[Offer]:
    """Yield all that a seat is told that it may do."""
    my = told["my"]
    if my["sheet"]:
        yield from of_a_sheet(my["sheet"])
    for me in my["fighters"]:
        yield from of_a_fighter(me)
    for pile in my["piles"]:
        for item in pile["items"]:
            yield from of_a_thing(item, [one["id"] for one in my["claims"]])
    if my["undo"]:
        yield "undo", {"event": my["undo"], "sure": True}


def of_a_sheet(sheet: Told) -> Iterator[Offer]:
    who, may = sheet["person"]["id"], set(sheet["may"])
    if "hp" in may:
        yield "change_hp", {"character": who, "by": -1}
    for item in (*(rung["item"] for rung in sheet["rungs"] if rung["is_first"]), *sheet["home"]):
        if item:
            yield from of_a_thing(item, [])


def of_a_thing(item: Told, claimers: list[int]) -> Iterator[Offer]:
    may, about = set(item["may"]), {"item": item["id"]}
    for word in may & set(OF_A_THING):
        action, more = OF_A_THING[word]
        yield action, {**about, **more}
    if "inside" in may:
        for one in item["containers"]:
            yield "put_inside", {**about, "container": one["id"]}
    if "split" in may:
        for count in item["split_counts"]:
            yield "split_item", {**about, "count": count}
    if "claim" in may:
        for one in claimers:
            yield "claim_item", {**about, "character": one}
    for one in item["contents"]:
        yield from of_a_thing(one, claimers)


def of_a_fighter(me: Told) -> Iterator[Offer]:
    may, by = set(me["may"]), {"by": me["id"]}
    if "flee" in may:
        yield "fight-flee", {"of": me["id"]}
    if "disengage" in may:
        yield "fight-disengage", by
    if "attack" in may:
        for one in me["targets"]:
            yield "fight-attack", {**by, "on": one["target"], "rolled_by": "attacker"}
    if "wield" in may:
        for one in (one for one in me["weapons"] if not one["is_off"]):
            yield "fight-wield", {**by, "item": one["id"]}
