"""Who may do what in a campaign: each role's answer to every action."""

from __future__ import annotations

# The answers to Amy, whom it is about; to Tom, who plays another; to the tablet; and to the GM.
# Strangers, other tables' seats and hosts, and seats of other phones always get 404.
OWN = (204, 403, 403, 204)
ANYBODY = (204, 204, 403, 204)
HOST = (403, 403, 403, 204)
PLAYERS = (204, 204, 403, 403)

ACTS: dict[str, tuple[int, int, int, int]] = {
    # campaigns, and who plays in them
    "begin_campaign": HOST,
    "import_campaign": (403, 403, 403, 422),  # a file comes by the page of records
    "rename_campaign": HOST,
    "front_campaign": HOST,
    "close_campaign": HOST,
    "configure_campaign": HOST,
    "link_member": HOST,
    "claim_member": ANYBODY,
    "add_member": HOST,
    "mark_away": OWN,
    "mark_left": OWN,
    "hand_character": OWN,
    "lend_character": OWN,
    "write_oracle": ANYBODY,
    "drop_oracle": HOST,
    # a chapter is set up
    "open_chapter": ANYBODY,
    "drop_chapter": HOST,
    "step_on": ANYBODY,
    "step_back": ANYBODY,
    "bring_back": OWN,
    "decline_return": OWN,
    "choose_oracle": PLAYERS,  # WA-3, WA-6
    "pick_element": (204, 403, 403, 403),  # WA-86: hers alone, who has a phone
    "deal_cards": PLAYERS,
    "type_cards": PLAYERS,
    "deal_more": HOST,
    "edit_element": HOST,
    "strike_element": ANYBODY,  # WA-4
    "add_cast": ANYBODY,
    "edit_cast": OWN,
    "drop_cast": ANYBODY,
    "same_cast": OWN,
    "take_cast": OWN,
    "leave_cast": OWN,
    "draw_lots": ANYBODY,
    "play_former": OWN,
    "make_npc": HOST,
    "bring_npc": HOST,
    "place_chapter": OWN,  # WA-93
    "name_chapter": HOST,
    "mark_ready": OWN,
    "begin_play": HOST,
    # sheets
    "write_sheet": OWN,
    "swap_forms": OWN,
    "write_npc": HOST,
    "new_strength": OWN,
    "take_strength": OWN,
    "drop_strength": OWN,
    "come_back": OWN,
    "take_back_choice": OWN,
    "correct_die": HOST,
    "mark_character": OWN,
    # interests, scenes, the owe list
    "name_interest": OWN,
    "edit_interest": OWN,
    "drop_interest": OWN,
    "mark_interest": OWN,
    "open_scene": HOST,
    "edit_scene": HOST,
    "reword_scene": HOST,
    "turn_to_scene": HOST,
    "close_scene": HOST,
    "owe_name": HOST,
    "strike_name": HOST,
    # dice
    "start_sequence": OWN,
    "take_dice": OWN,
    "buy_die": OWN,
    "roll_forms": OWN,
    "back_away": OWN,
    "press_on": OWN,
    "make_move": OWN,
    "let_pass": OWN,
    "step_in": OWN,
    "settle": OWN,
    "offer_terms": OWN,
    "take_offer": OWN,
    "refuse_offer": OWN,
    "break_off": OWN,
    "next_round": OWN,
    "agree_to_end": OWN,
    "hold_sequence": HOST,
    "join_sequence": HOST,
    "leave_sequence": HOST,
    "call_off_sequence": HOST,
    # how it ends
    "propose_end": HOST,
    "write_epilogue": OWN,
    "end_chapter": HOST,
    "write_end_note": ANYBODY,
    "write_chronicle": ANYBODY,
}
