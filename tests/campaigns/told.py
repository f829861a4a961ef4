"""What the API's answer offers to a seat, as actions with their fields: `may` and its like.

A choice is the first that the answer names, and words are made up.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Told = dict[str, Any]
Offer = tuple[str, Told]


def offers(told: Told) -> Iterator[Offer]:
    """Yield all that a seat is told that it may do."""
    board, my, gm = told["board"], told["my"], told.get("gm")
    yield from of_the_campaign(board, my, set(my["may"]))
    for one in my["fighters"]:
        yield from of_a_fighter(one)
    if my["undo"]:
        yield "undo", {"event": my["undo"], "sure": True}
    for member in my["claims"]:
        yield "claim_member", {"member": member["id"]}
    for sheet in filter(None, (my["sheet"], *my["others"])):
        yield from of_a_sheet(sheet)
    for former in my["former"]:
        yield from of_a_former(former, board)
    for line in (board["chapter"] or {}).get("cast", ()):
        yield from of_a_line(line)
    if gm:
        yield from of_the_gm(board, gm)


def of_the_campaign(board: Told, my: Told, may: set[str]) -> Iterator[Offer]:
    """Yield what `my.may` names; what goes on waits until nothing is missing."""
    chapter = board["chapter"] or {}
    setup, sheet = chapter.get("setup") or {}, my["sheet"]
    if setup.get("refusal"):
        may -= {"step_on", "begin_play"}
    for word in may & {"begin_campaign", "open_chapter", "begin_play", "step_on", "step_back",
                       "deal_cards"}:  # fmt: skip
        yield word, {}
    if "bring_back" in may:
        yield "bring_back", {"owed": setup["top"]["id"], "came_back_as": "a ghost"}
    if "decline_return" in may:
        yield "decline_return", {"owed": setup["top"]["id"]}
    if "choose_oracle" in may:
        yield "choose_oracle", {"oracle": setup["oracles"][0]["id"]}
    if "pick_element" in may:
        yield "pick_element", {"entry": setup["entries"][0]["id"]}
    if "type_cards" in may:
        yield "type_cards", {"cards": " ".join(["AH", "2S", "3C", "4D"][: setup["cards_needed"]])}
    if "add_cast" in may:
        yield "add_cast", {"text": "a dog of nobody's"}
    if "take_cast" in may:
        for line in chapter["cast"]:
            if not line["is_spoken_for"] and line["state"] == "open" and not line["same_as"]:
                yield "take_cast", {"line": line["id"]}
    about = [one["id"] for one in my["everybody"] if one["id"] not in my["gone"]]
    if "name_interest" in may and sheet and sheet["may_name_interest"]:
        yield "name_interest", {"character": sheet["id"], "text": "Gold", "targets": about[:1]}
    if "write_epilogue" in may and sheet:
        yield "write_epilogue", {"character": sheet["id"], "text": "On she walks."}
    others = [one for one in about if one not in my["busy"] and not (sheet and one == sheet["id"])]
    actor = sheet["id"] if sheet else others.pop() if others else 0
    if "start_sequence" in may and others:
        yield "start_sequence", {"act": "Takes it", "actor": actor, "who": others[:1]}


def of_a_fighter(me: Told) -> Iterator[Offer]:
    """Yield what one character may do with her dice, by the words that `MyFighterCard` explains."""
    may, about = set(me["may"]), {"sequence": me["sequence"], "who": me["id"]}
    for word in may & {"back_away", "let_pass", "step_in", "agree_to_end"}:
        yield word, about
    if "next_round" in may:
        yield "next_round", {"sequence": me["sequence"]}
    if "press" in may:
        yield "press_on", about
    if "roll" in may and me["may_tap"]:
        yield "roll_forms", about
    if "act_alone" in may:
        yield "make_move", {**about, "nobody": True}
    if "move" in may:
        yield "make_move", {**about, "nobody": True}
        for target in me["targets"]:
            yield "make_move", {**about, "to": [target["id"]]}
    if "choose" in may:
        for pair in me["pairs"]:
            every = [one["id"] for one in pair["strengths"]]
            yield "take_dice", {**about, "forms": pair["forms"], "strengths": every}
    for owed in me["may_buy"]:
        yield "buy_die", {**about, "owed": owed["id"]}
    for talk in me["talks"]:
        yield from of_a_talk(talk)


def of_a_talk(talk: Told) -> Iterator[Offer]:
    about = {"sequence": talk["sequence"]}
    if talk["may_settle"]:
        for kind in ("exhausted", "injured"):
            yield "settle", {**about, "loser": talk["loser_id"], "kind": kind}
    for offer in talk["offers"]:
        if offer["may_take"]:
            yield "take_offer", {"offer": offer["id"]}
            yield "refuse_offer", {"offer": offer["id"]}
    if not talk["may_offer"]:
        return
    about |= {"who": talk["me"], "to": talk["other"]}
    for giver in talk["givers"]:
        by = {**about, "loser": giver["id"]}
        yield "offer_terms", {**by, "says": "Go, then"}
        for form in giver["forms"]:
            yield "offer_terms", {**by, "forms": [form["id"]]}
        for form in giver["lesser"]:
            yield "offer_terms", {**by, "lesser": [form["id"]]}
        for held in giver["strengths"]:
            yield "offer_terms", {**by, "strengths": [held["id"]]}
    for one in talk["leavers"]:
        yield "offer_terms", {**about, "loser": talk["loser_id"], "leave": [one["id"]]}


def of_a_sheet(sheet: Told) -> Iterator[Offer]:
    about = {"character": sheet["id"]}
    if sheet["may_be_ready"] and not sheet["is_ready"]:
        yield "mark_ready", about
    if sheet["may_name_interest"]:
        yield "name_interest", {**about, "text": "To be let be"}
    if sheet["may_lay_dice"] and sheet["is_pc"]:
        yield "swap_forms", {**about, "which_form": "covertly", "other": "with_love"}
    for interest in sheet["interests"]:
        if interest["may_write"]:
            yield "edit_interest", {"interest": interest["id"], "text": "Else"}
    back = sheet["back"]
    if back and back["is_open"]:
        if back["may_mend"]:
            yield "come_back", {**about, "choice": "mend"}
        for form in back["grow"]:
            yield "come_back", {**about, "choice": "grow", "which_form": form["id"]}
        for held in back["more"]:
            for option in held["may_raise"]:
                if option["id"] == "unique":
                    continue  # another may have it too (WA-106)
                more = {"choice": "more", "holding": held["id"], "option": option["id"]}
                named = NAMES_A_FORM.get(option["id"], {"note": "It has grown"})
                yield "come_back", {**about, **more, **named}
    if back and back["may_choose_again"]:
        yield "take_back_choice", about


NAMES_A_FORM = {
    "broad": {"broad_form": "for_others"},
    "consequential": {"hits_pc": "with_love", "hits_npc": "action"},
}


def of_a_former(former: Told, board: Told) -> Iterator[Offer]:
    about = {"character": former["sheet"]["id"], "member": former["who"]}
    if former["may_play"]:
        for line in board["chapter"]["cast"]:
            if line["state"] == "open" and not line["same_as"] and not line["is_spoken_for"]:
                yield "play_former", {**about, "line": line["id"]}
        for owed in former["names"]:
            yield "play_former", {**about, "owed": owed["id"]}
    for one in former["lendable"]:
        yield "lend_character", {"character": former["sheet"]["id"], "member": one["id"]}


def of_a_line(line: Told) -> Iterator[Offer]:
    about = {"line": line["id"]}
    for flag, word in (("may_take", "take_cast"), ("may_leave", "leave_cast"),
                       ("may_draw_lots", "draw_lots"), ("may_part", "same_cast")):  # fmt: skip
        if line[flag]:
            yield word, about


def of_the_gm(board: Told, gm: Told) -> Iterator[Offer]:
    for one in gm["fighters"]:
        yield from of_a_fighter(one)
    for sheet in gm["npcs"]:
        yield from of_a_sheet(sheet)
    for former in gm["former"]:
        yield from of_a_former(former, board)
    chapter = board["chapter"] or {}
    if gm["may_end"]:
        yield ("end_chapter" if chapter["step"] == "closing" else "propose_end"), {}
    if (chapter.get("setup") or {}).get("may_add_card"):
        yield "deal_more", {}
    for fight in board["fights"]:
        about = {"sequence": fight["id"]}
        if fight["may_hold"]:
            yield "hold_sequence", {**about, "on": not fight["is_held"]}
        for word, who in (("join_sequence", "joiners"), ("leave_sequence", "leavers")):
            for one in fight[who]:
                yield word, {**about, "who": one["id"]}
