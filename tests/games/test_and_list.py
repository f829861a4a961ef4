"""Names are joined as people join them, in each language."""

from __future__ import annotations

import pytest

from games.grammar import and_list
from games.said import speaking


@pytest.mark.parametrize(
    ("language", "names", "said"),
    [
        ("en", ["Ana", "Íñigo"], "Ana and Íñigo"),
        ("en", ["Moth", "Ash", "Vane"], "Moth, Ash and Vane"),
        ("es", ["Moth", "Ash", "Vane"], "Moth, Ash y Vane"),
        ("es", ["Ana", "Íñigo"], "Ana e Íñigo"),
        ("es", ["Ana", "isabel"], "Ana e isabel"),
        ("es", ["Ana", "Hilda"], "Ana e Hilda"),
        ("es", ["Ana", "Yvonne"], "Ana e Yvonne"),
        ("es", ["Ana", "Hielo"], "Ana y Hielo"),
        ("es", ["Ana", "Yago"], "Ana y Yago"),
        ("es", ["Íñigo"], "Íñigo"),
        ("es", [], ""),
    ],
)
def test_the_last_name_is_joined_by_and_and_y_is_e_before_its_own_sound(
    language: str, names: list[str], said: str
):
    with speaking(language):
        assert and_list(names) == said
