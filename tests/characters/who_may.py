"""Who may do what at a Knave table: each role's answer to every action."""

from __future__ import annotations

# The answers to Ben, whose sheet or fighter it is about; to Dora, who plays another; to the
# tablet; and to the host. Strangers, other tables' seats and hosts always get 404.
OWN = (204, 403, 403, 204)
ANYBODY = (204, 204, 403, 204)
HOST = (403, 403, 403, 204)

ACTS: dict[str, tuple[int, int, int, int]] = {
    # making
    "new_knave": (204, 409, 403, 204),  # Dora's knave is alive
    "reroll": OWN,
    "type_abilities": OWN,
    "choose_weapon": OWN,
    "set_trait": OWN,
    "swap_abilities": OWN,
    "confirm_knave": OWN,
    "discard_knave": OWN,
    "add_party": HOST,
    "claim_knave": (204, 409, 403, 204),
    "hand_knave": HOST,
    # the sheet
    "edit_knave": OWN,
    "choose_mark": OWN,
    "keep_portrait": (422, 403, 403, 422),  # a picture comes by the portrait's page
    "change_hp": OWN,
    "set_ability": HOST,
    "set_level": HOST,
    "set_coins": OWN,
    "give_coins": OWN,
    "allow_overload": HOST,
    "roll_save": OWN,
    "level_up": OWN,
    # things
    "use_item": OWN,
    "drop_item": OWN,
    "give_item": OWN,
    "equip_item": OWN,
    "leave_home": OWN,
    "put_inside": OWN,
    "split_item": OWN,
    "merge_item": OWN,
    "break_item": OWN,
    "repair_item": OWN,
    "light_item": OWN,
    "cast_spell": OWN,
    "move_item": OWN,
    "buy_item": OWN,
    "add_item": OWN,
    # loot
    "new_pile": HOST,
    "show_pile": HOST,
    "close_pile": HOST,
    "claim_item": OWN,
    "claim_coins": OWN,
    "claim_pile": OWN,
    "share_coins": ANYBODY,
    # the referee
    "ask_saves": HOST,
    "roll_missing": HOST,
    "close_call": HOST,
    "hurt_many": HOST,
    "heal_many": HOST,
    "award_xp": HOST,
    "award_level": HOST,
    "award_coin": HOST,
    "announce_goal": HOST,
    "show_goal": HOST,
    "reach_goal": HOST,
    "drop_goal": HOST,
    "pass_turns": HOST,
    "make_camp": HOST,
    "roll_dice": ANYBODY,
    "roll_table": HOST,
    "show_roll": HOST,
    "configure_knave": HOST,
    # people
    "hire": OWN,
    "pay_hireling": OWN,
    "dismiss": OWN,
    "roll_morale": HOST,
    "set_morale": HOST,
    "take_on": OWN,
    "add_npc": HOST,
    "show_sheet": HOST,
    # encounters
    "prepare_encounter": HOST,
    "add_foes": HOST,
    "add_stat_line": HOST,
    "face_party": HOST,
    "drop_foe": HOST,
    "name_leader": HOST,
    "drop_encounter": HOST,
    "start_fight": HOST,
    "join_fight": HOST,
    "side_done": HOST,
    "end_fight": HOST,
    # the fight
    "fight-initiative": HOST,
    "fight-attack": OWN,
    "fight-stunt": OWN,
    "fight-engage": OWN,
    "fight-disengage": OWN,
    "fight-flee": OWN,
    "fight-turn": HOST,
    "fight-morale": HOST,
    "fight-save": HOST,
    "fight-hurt": HOST,
    "fight-heal": HOST,
    "fight-wield": OWN,
}
