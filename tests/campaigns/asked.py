"""Every action of a campaign: the place where it can be done, and fields with which it is done."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaigns.models import Offer
from tests.campaigns.saga import OWN, STRENGTH, Fields, Saga
from tests.games.party import Person

Make = Callable[[Saga], Fields]


def _one(name: str, /, **more: Any) -> Make:
    """Name a character in the field `character`; `pc` is Amy's, `npc` Erin's."""
    found = {"pc": lambda s: s.pc(s.amy).pk, "npc": lambda s: s.named("Esan").pk}[name]
    return lambda s: {"character": found(s), **more}


def _line(text: str, /, **more: Any) -> Make:
    return lambda s: {"line": s.line(text).pk, **more}


def _fighter(**more: Any) -> Make:
    return lambda s: {
        "sequence": s.fight.key,
        "who": s.named("Mekha").pk,
        "saw": s.saw,
        **{name: s.named(value).pk if name in ("to", "other") else value
           for name, value in more.items()},
    }  # fmt: skip


def _dice(**more: Any) -> Make:
    return lambda s: {"sequence": s.fight.key, "saw": s.saw, **more}


def _offer(s: Saga) -> Fields:
    return {"offer": Offer.objects.latest("pk").pk, "saw": s.saw}


def _scene(**more: Any) -> Make:
    return lambda s: {"scene": s.chapter.scenes.get(where="The ford").pk, **more}


def _interest(**more: Any) -> Make:
    return lambda s: {"interest": s.pc(s.amy).interests.first().pk, **more}


ASKED: dict[str, tuple[str, Make]] = {
    # campaigns, and who plays in them
    "begin_campaign": ("bare", lambda s: {"name": "The Salt Road"}),
    "import_campaign": ("begun", lambda s: {}),
    "rename_campaign": ("begun", lambda s: {"name": "The Long Road"}),
    "front_campaign": ("begun", lambda s: {"campaign": s.table.campaigns.last().pk}),
    "close_campaign": ("begun", lambda s: {"on": "true"}),
    "configure_campaign": ("begun", lambda s: {"setting": "mending_is_free", "value": "true"}),
    "link_member": ("begun", lambda s: {"member": s.member("Nell").pk, "who": s.amy.seat}),
    "claim_member": ("begun", lambda s: {"member": s.member("Nell").pk}),
    "add_member": ("begun", lambda s: {"name": "Osric"}),
    "mark_away": ("begun", lambda s: {"member": s.member(s.amy).pk, "on": "true"}),
    "mark_left": ("begun", lambda s: {"member": s.member(s.amy).pk, "on": "true"}),
    "hand_character": (
        "over",
        lambda s: {"character": s.named("Mekha").pk, "member": s.member("Nell").pk},
    ),
    "lend_character": (
        "over",
        lambda s: {"character": s.named("Mekha").pk, "member": s.member(s.tom).pk},
    ),
    "write_oracle": ("begun", lambda s: {"text": OWN, "written_as": "text"}),
    "drop_oracle": ("begun", lambda s: {"oracle": s.table.oracles.get().pk}),
    # a chapter is set up
    "open_chapter": ("begun", lambda s: {}),
    "drop_chapter": ("cast", lambda s: {}),
    "step_on": ("cast", lambda s: {}),
    "step_back": ("cast", lambda s: {}),
    "bring_back": ("coming_back", lambda s: {"owed": s.owed("Mekha"), "came_back_as": "thinner"}),
    "decline_return": ("coming_back", lambda s: {"owed": s.owed("Mekha")}),
    "choose_oracle": ("oracle", lambda s: {"oracle": "bronze_and_dust"}),
    "pick_element": ("pick", lambda s: {"entry": 3}),
    "deal_cards": ("deal", lambda s: {}),
    "type_cards": ("deal", lambda s: {"cards": "AH 2H 3C 4S"}),
    "deal_more": ("cast", lambda s: {}),
    "edit_element": ("cast", lambda s: {"element": s.elements[1].pk, "text": "Other words."}),
    "strike_element": ("cast", lambda s: {"element": s.elements[1].pk, "on": "true"}),
    "add_cast": (
        "cast",
        lambda s: {"text": "a dog", "element": s.elements[0].pk, "how": "implied"},
    ),
    "edit_cast": ("choose", _line("a priest", text="the priest of salt")),
    "drop_cast": ("choose", _line("the widow", on="true")),
    "same_cast": (
        "choose",
        lambda s: {"line": s.line("a priest").pk, "other": s.line("the soldier").pk},
    ),
    "take_cast": (
        "choose",
        lambda s: {"line": s.line("the widow").pk, "member": s.member(s.amy).pk},
    ),
    "leave_cast": (
        "choose",
        lambda s: {"line": s.line("a priest").pk, "member": s.member(s.amy).pk},
    ),
    "draw_lots": ("choose", _line("a priest")),
    "play_former": (
        "former",
        lambda s: {
            "character": s.named("Mekha").pk,
            "line": s.line("the widow").pk,
            "owed": s.owed("Mekha"),
            "member": s.member(s.amy).pk,
        },
    ),
    "make_npc": (
        "play",
        lambda s: {
            "name": "Ghazi",
            "description": "Two tattoos",
            "best": "maneuvering",
            "second": "action",
            "scene": s.chapter.scenes.first().pk,
        },
    ),
    "bring_npc": (
        "former",
        lambda s: {"character": s.named("Esan").pk, "line": s.line("the soldier").pk},
    ),
    "place_chapter": (
        "pick",
        lambda s: {
            "placement": "before",
            "chapter": s.chapter.pk,
            "beside": s.campaign.chapters.get(number=1).pk,
            "when_and_where": "Nine winters earlier",
        },
    ),
    "name_chapter": ("cast", lambda s: {"title": "Salt", "chapter": s.chapter.pk}),
    "mark_ready": ("sheets", _one("pc", on="true")),
    "begin_play": ("interests", lambda s: {}),
    # sheets
    "write_sheet": ("sheets", _one("pc", name="Mekha the Late", covertly=10, directly=12)),
    "swap_forms": ("sheets", _one("pc", which_form="covertly", other="with_love")),
    "write_npc": ("sheets", _one("npc", name="Esan the Old", best="maneuvering", second="action")),
    "new_strength": ("sheets", _one("pc", **STRENGTH, effects="People nod")),
    "take_strength": (
        "sheets",
        lambda s: {"character": s.pc(s.amy).pk, "strength": s.campaign.strengths.get().pk},
    ),
    "drop_strength": ("interests", lambda s: {"holding": s.pc(s.amy).holdings.get().pk}),
    "come_back": (
        "back",
        lambda s: {
            "character": s.named("Mekha").pk,
            "choice": "more",
            "holding": s.named("Mekha").holdings.get().pk,
            "option": "consequential",
            "hits_pc": "with_love",
            "hits_npc": "action",
            "note": "It hurts now",
        },
    ),
    "take_back_choice": ("chosen", _one("pc")),
    "correct_die": ("play", _one("pc", which_form="covertly", current=8)),
    "mark_character": ("play", _one("pc", state="captive")),
    # interests, scenes, the owe list
    "name_interest": (
        "play",
        lambda s: {
            "character": s.pc(s.amy).pk,
            "text": "To own the ford",
            "targets": s.named("Esan").pk,
        },
    ),
    "edit_interest": ("play", _interest(text="To own the ford")),
    "drop_interest": ("play", _interest()),
    "mark_interest": ("play", _interest(state="achieved")),
    "open_scene": ("play", lambda s: {"where": "The well", "who": s.named("Esan").pk}),
    "edit_scene": ("play", _scene(where="The other ford", what="Fog")),
    "reword_scene": ("play", _scene(where="The other ford", what="Fog")),
    "turn_to_scene": ("play", _scene()),
    "close_scene": ("play", _scene(on="true")),
    "owe_name": ("play", _one("pc")),
    "strike_name": ("play", lambda s: {"owed": s.owed("Mekha"), "on": "true"}),
    # dice
    "start_sequence": (
        "play",
        lambda s: {
            "act": "Takes the boat",
            "actor": s.named("Mekha").pk,
            "who": f"{s.named('Esan').pk},{s.named('Tajie').pk}",
            "scene": s.chapter.scenes.first().pk,
        },
    ),
    "take_dice": ("dice", _fighter(forms="covertly,directly")),
    "buy_die": ("roll", lambda s: {**_fighter()(s), "owed": s.owed("Mekha")}),
    "roll_forms": ("answer", _fighter()),
    "back_away": ("tie", _fighter()),
    "press_on": ("tie", _fighter()),
    "make_move": ("turn", _fighter(to="Tajie", says="Cuts the rope")),
    "let_pass": ("answer", _fighter()),
    "step_in": ("crowd", _fighter()),
    "settle": (
        "settle",
        lambda s: {**_dice(kind="injured")(s), "loser": s.named("Tajie").pk},
    ),
    "offer_terms": (
        "settle",
        lambda s: {
            **_fighter(to="Tajie", forms="with_love", says="Go, then")(s),
            "loser": s.named("Tajie").pk,
        },
    ),
    "take_offer": ("offer", _offer),
    "refuse_offer": ("offer", _offer),
    "break_off": ("settle", _fighter(other="Tajie")),
    "next_round": ("between", _dice()),
    "agree_to_end": ("between", _fighter(on="true")),
    "hold_sequence": ("between", _dice(on="true")),
    "join_sequence": ("between", lambda s: {**_dice()(s), "who": s.named("Amek").pk}),
    "leave_sequence": ("between", _fighter()),
    "call_off_sequence": ("between", _dice()),
    # how it ends
    "propose_end": ("play", lambda s: {}),
    "write_epilogue": ("closing", _one("pc", text="She walks on.")),
    "end_chapter": ("closing", lambda s: {}),
    "write_end_note": ("closing", lambda s: {"chapter": s.chapter.pk, "text": "By the river."}),
    "write_chronicle": ("closing", lambda s: {"chapter": s.chapter.pk, "text": "They came."}),
}
"""By the word of every action: where Amy, or Erin, may do it, and with which fields."""


PLAYERS_ALONE = {"choose_oracle", "pick_element", "deal_cards", "type_cards"}


def who_may(saga: Saga, word: str) -> Person:
    """Return who may do an action: the GM, but for what players with phones do themselves."""
    return saga.amy if word in PLAYERS_ALONE else saga.erin


def by_place() -> dict[str, list[str]]:
    """Return the words of the actions that are done at each place."""
    found: dict[str, list[str]] = {}
    for word, (place, _fields) in ASKED.items():
        found.setdefault(place, []).append(word)
    return found
