"""What a form lacks is said of the field that lacks it, in any game."""

from __future__ import annotations

import pytest

from games.services.act import ACTIONS
from tests.games.party import Party, refused


@pytest.mark.parametrize(
    ("action", "field", "words"),
    [
        ("name_guild", "name", "Write a name"),
        ("add_content_line", "text", "Write something"),
        ("add_cast", "text", "Write something"),
        ("start_sequence", "actor", "Choose who does it"),
        ("open_scene", "where", "Say where it plays"),
        ("start_sequence", "act", "Say in a line"),
        ("roll_dice", "dice", "Write something"),
        ("roll_table", "table", "choose one"),
        ("choose_oracle", "oracle", "choose one"),
        ("turn_table", "rules", "choose one"),
        ("change_hp", "by", "Type a whole number"),
        ("fight-attack", "by", "choose one"),
        ("fight-save", "by", "choose one"),
        ("add_foes", "monster", "choose one"),
        ("hand_host", "who", "choose one"),
        ("ask_saves", "ability", "choose one"),
    ],
)
def test_what_a_form_lacks_is_said_of_its_field(party: Party, action, field, words):
    """Of any game: "something is missing" was all that was told, and not what."""
    given = {"act": "She runs", "encounter": 1, "character": 1, "on": "a", "rolled_by": "attacker"}
    fields = ACTIONS[action].__struct_fields__
    others = {one: given[one] for one in fields if one in given and one != field}
    answer = party.ana.does(action, **others, **{field: ""})
    assert words in refused(answer, 422)
    assert f'data-field="{field}"' in answer.content.decode()
