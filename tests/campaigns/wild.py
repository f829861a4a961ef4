"""Taps that anybody might try: any action of a campaign, about whatever there is just now."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import msgspec
from msgspec import inspect

from campaigns.actions import CampaignAction
from campaigns.models import (
    CastLine,
    Chapter,
    Character,
    Element,
    Holding,
    Interest,
    Member,
    Offer,
    Owed,
    Scene,
    Sequence,
    Strength,
)
from games.models import Table
from tests.campaigns.saga import OWN

CAMPAIGN_ACTIONS: dict[str, type[CampaignAction]] = {
    str(kind.__struct_config__.tag): kind for kind in CampaignAction.__subclasses__()
}
"""Every action by the word that a form has for it, whether or not there is a deed."""
SIZES = (0, 4, 6, 8, 10, 12)
TEXTS = ("a spearwoman", "the widow", "Nine winters", "To own the ford", "Ghazi", "x" * 350)

# What ends or replaces what is there is tried seldom.
SELDOM = {
    "begin_campaign", "front_campaign", "close_campaign", "drop_chapter", "end_chapter",
    "propose_end", "call_off_sequence", "write_oracle", "drop_oracle", "import_campaign",
    "hold_sequence", "leave_sequence", "mark_left", "mark_away",
}  # fmt: skip
DICE = {
    "take_dice", "roll_forms", "make_move", "let_pass", "step_in", "press_on", "back_away",
    "settle", "offer_terms", "take_offer", "next_round", "agree_to_end", "buy_die",
}  # fmt: skip


class Wild:
    """Chooses actions for a table, by a luck of its own."""

    def __init__(self, table: Table, luck: random.Random) -> None:
        self.table, self.luck = table, luck

    def action(self) -> CampaignAction:
        """Return an action with fields that could be meant."""
        is_fought = Sequence.objects.filter(is_over=False).exists()
        words = list(DICE if is_fought and self.luck.random() < 0.6 else CAMPAIGN_ACTIONS)
        word = self.luck.choice(words)
        if word in SELDOM and self.luck.random() < 0.8:
            return self.action()
        kind = CAMPAIGN_ACTIONS[word]
        info = inspect.type_info(kind)
        assert isinstance(info, inspect.StructType)
        given = {
            f.name: self.value(word, f.name, f.type)
            for f in info.fields
            if f.required or self.luck.random() < 0.6
        }
        try:
            return msgspec.convert({"action": word, **given}, kind)
        except msgspec.ValidationError:
            return self.action()

    def value(self, word: str, name: str, kind: inspect.Type) -> Any:
        """Return something for a field: a row that is there, a choice, a few words."""
        match kind:
            case inspect.VarTupleType():
                some = [self.value(word, name, kind.item_type) for _n in range(self.count(name))]
                return tuple(dict.fromkeys(some))
            case inspect.UnionType():
                return self.value(word, name, self.luck.choice(kind.types))
            case inspect.LiteralType():
                return self.luck.choice(kind.values)
            case inspect.BoolType():
                return self.luck.random() < 0.6
            case inspect.NoneType():
                return None
            case inspect.IntType():
                return self.number(word, name)
            case _:
                return self.text(word, name)

    def count(self, name: str) -> int:
        return {"forms": self.luck.choice([1, 2, 2, 2]), "npc_dice": 0}.get(
            name, self.luck.randint(0, 2)
        )

    def number(self, word: str, name: str) -> int:
        if (word, name) == ("link_member", "who"):
            return self.luck.randint(0, 6)
        if (word, name) == ("same_cast", "other"):
            name = "line"
        if name in ("die", "current", "base") or (word == "write_sheet" and name != "character"):
            return self.luck.choice(SIZES)
        rows = KEYS.get(name)
        if rows is None:
            return self.luck.randint(0, 3)
        keys = list(rows(self.table))
        return self.luck.choice(keys) if keys else 0

    def text(self, word: str, name: str) -> str:
        own = {
            ("write_oracle", "text"): OWN,
            ("type_cards", "cards"): "AH 2H 3C 4S",
            ("choose_oracle", "oracle"): "bronze_and_dust",
            ("configure_campaign", "value"): self.luck.choice(["true", "false"]),
        }
        return own.get((word, name), self.luck.choice(TEXTS)[: 60 if name == "name" else 400])


Rows = Callable[[Table], Any]


def _all(model: Any, to_table: str, **which: Any) -> Rows:
    """Return the keys of a table's rows of one kind."""
    return lambda table: model.objects.filter(**{to_table: table}, **which).values_list(
        "pk", flat=True
    )


_people = _all(Character, "campaign__table")
KEYS: dict[str, Rows] = {
    **dict.fromkeys(("character", "actor", "who", "to", "loser", "other", "targets"), _people),
    "leave": _people,
    "campaign": lambda table: table.campaigns.values_list("pk", flat=True),
    "member": _all(Member, "campaign__table"),
    "oracle": lambda table: table.oracles.values_list("pk", flat=True),
    "owed": _all(Owed, "campaign__table"),
    "line": _all(CastLine, "chapter__campaign__table"),
    "element": _all(Element, "chapter__campaign__table"),
    "strength": _all(Strength, "campaign__table"),
    "strengths": _all(Holding, "character__campaign__table", is_lost=False),
    "holding": _all(Holding, "character__campaign__table", is_lost=False),
    "interest": _all(Interest, "chapter__campaign__table"),
    "scene": _all(Scene, "chapter__campaign__table"),
    "sequence": _all(Sequence, "chapter__campaign__table", is_over=False),
    "offer": _all(Offer, "sequence__chapter__campaign__table"),
    "chapter": _all(Chapter, "campaign__table"),
    "beside": _all(Chapter, "campaign__table"),
}
"""By the field that names them: the rows of a table."""
