"""Who may do what at every table: each action, where it can be done, and each role's answer."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from tests.games.party import Party
from tests.games.scenes import (
    HOUSE_RULE,
    a_finger_owed,
    a_line_kept,
    blind,
    dealing,
    gathering,
    heard_aloud,
    naming,
    one_breath,
    over,
    paused,
    playing,
    ready,
    shouting,
)

HOST_ONLY = (403, 403, 204)
SEATS = (204, 403, 204)
ONE_SEAT = (204, 403, 409)  # the move is Ben's; to the host the rules say that it is not theirs

# action: the scene, its fields, and the answer to Ben's seat, to the tablet, and to the host.
# Strangers, other seats' phones, hosts of other tables and those at the door always get 404.
ACTIONS: dict[str, tuple[Callable[[Party], None], dict[str, Any], tuple[int, int, int]]] = {
    "shroud": (playing(has_shroud="true"), {}, ONE_SEAT),
    "roll": (playing("ben"), {}, ONE_SEAT),
    "blind": (blind, {"call": "brave"}, ONE_SEAT),
    "shout": (shouting("ana"), {"call": "brave"}, ONE_SEAT),
    "close": (shouting("ana"), {}, (409, 403, 409)),
    "knock": (shouting("ben"), {}, ONE_SEAT),
    "award": (one_breath, {"to": 0}, ONE_SEAT),
    "name": (naming, {"to": 0, "call": "knave"}, ONE_SEAT),
    "deal": (dealing, {"fingers_0": 3}, ONE_SEAT),
    "finger": (a_finger_owed, {"which": "thumb"}, ONE_SEAT),
    "leave": (playing(), {}, SEATS),
    "pick_number": (gathering, {"number": 7}, SEATS),
    "name_guild": (gathering, {"name": "Moth"}, SEATS),
    "take_part": (gathering, {"plays": "false"}, SEATS),
    "move_seat": (gathering, {"who": 2, "by": 1}, HOST_ONLY),
    "choose_first": (gathering, {"who": 2}, HOST_ONLY),
    "start_bout": (ready, {}, SEATS),
    "end_bout": (playing(), {}, HOST_ONLY),
    "rematch": (over, {}, SEATS),
    "false_start": (playing(), {}, SEATS),
    "heard": (shouting("ben", shouting="mouth"), {"who": 4, "call": "brave"}, (204, 204, 204)),
    "misheard": (heard_aloud, {}, (204, 204, 204)),
    "undo": (shouting("ben"), {"event": "Rolled"}, HOST_ONLY),
    "turn_table": (gathering, {"rules": "brave_or_knave"}, (403, 403, 409)),
    "pause": (gathering, {}, HOST_ONLY),
    "resume": (paused, {}, HOST_ONLY),
    "stop": (gathering, {}, (403, 403, 403)),  # only as a beat; see test_safety.py
    "add_content_line": (gathering, {"text": "Spiders"}, SEATS),
    "drop_content_line": (a_line_kept, {"line": "LINE"}, HOST_ONLY),
    "admit": (gathering, {"who": 5}, HOST_ONLY),
    "remove": (gathering, {"who": 4}, HOST_ONLY),
    "add_player": (gathering, {"name": "Grandma"}, HOST_ONLY),
    "add_regular": (gathering, {}, SEATS),
    "offer_pass": (gathering, {"who": 2}, (200, 403, 200)),
    "hand_host": (gathering, {"who": 2}, HOST_ONLY),
    "speak": (gathering, {"language": "es"}, (204, 204, 204)),
    "show_hand": (gathering, {"letters": "true"}, SEATS),
    "leave_table": (gathering, {}, (204, 204, 409)),
    "set_door": (gathering, {"door": "locked"}, HOST_ONLY),
    "rename_table": (gathering, {"name": "The Goose"}, HOST_ONLY),
    "configure": (gathering, {"setting": "dice", "value": "real"}, HOST_ONLY),
    "add_house_rule": (gathering, {"rule": json.dumps(HOUSE_RULE)}, HOST_ONLY),
    "switch_house_rule": (gathering, {"rule": "RULE", "on": "false"}, HOST_ONLY),
    "drop_house_rule": (gathering, {"rule": "RULE"}, HOST_ONLY),
}
