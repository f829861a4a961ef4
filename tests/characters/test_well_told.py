"""What the log of Knave says is good Spanish, and good English, of every pile and every number."""

from __future__ import annotations

import pytest
from django.utils import translation

from games.sentences import tell

GROUND = {"name": "Ash", "pile": "", "is_estate": False, "gold": 1, "silver": 0, "copper": 0}
TORCH = {"item": {"en": "Torch", "es": "Antorcha"}, "count": 1}


@pytest.mark.parametrize(
    ("kind", "more", "english", "spanish"),
    [
        (
            "pile_claimed",
            {"left": 0},
            "Ash takes all of what lies on the ground.",
            "Ash se lleva todo: lo que hay en el suelo.",
        ),
        (
            "pile_claimed",
            {"left": 2},
            "Ash takes from what lies on the ground what there is room for.",
            "Ash toma de lo que hay en el suelo lo que le cabe.",
        ),
        (
            "item_claimed",
            TORCH,
            "Ash takes: Torch (from the ground).",
            "Ash toma: Antorcha (del suelo).",
        ),
        (
            "coins_claimed",
            {},
            "Ash takes 1 gold piece (from the ground).",
            "Ash toma 1 moneda de oro (del suelo).",
        ),
        (
            "pile_left",
            {},
            "Left behind: what lies on the ground.",
            "Ahí se queda: lo que hay en el suelo.",
        ),
    ],
)
def test_what_lies_on_the_ground_is_taken_in_words_that_fit(
    kind: str, more: dict[str, object], english: str, spanish: str
):
    assert tell(kind, {**GROUND, **more}, []) == english
    with translation.override("es"):
        assert tell(kind, {**GROUND, **more}, []) == spanish


def test_a_thing_laid_into_what_the_dead_left_is_told_as_that():
    """It said "Among the loot, Hugo": as if he were the loot."""
    told = {"pile": "Hugo", "is_estate": True, **TORCH}
    assert tell("loot_added", told, []) == "Among the loot, what Hugo carried: Torch."


@pytest.mark.parametrize(("most", "said"), [(1, "1 hit point."), (2, "2 hit points.")])
def test_a_maximum_of_one_hit_point_is_told_as_one(most: int, said: str):
    told = {"name": "Ash", "level": 1, "xp": 0, "max_hp": most}
    assert tell("level_set", told, []).endswith(said)


def test_what_a_stunt_comes_to_is_a_sentence():
    names = {"by": "c1", "by_name": "Ash", "on": "f1", "on_name": "Moth"}
    told = {**names, "ability": "str", "against": "dex", "total": 17, "success": True}
    assert tell("Stunted", {**told, "effect": "into the well"}, []).endswith("Into the well.")
