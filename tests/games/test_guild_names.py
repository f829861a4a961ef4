"""A name that is offered is one of the reader's language."""

from __future__ import annotations

from django.utils import translation

from games.guild_names import parts, suggest
from games.models.table import NAME_LENGTH


def test_a_name_is_offered_in_the_language_of_the_page():
    for language in ("en", "es"):
        first, last = parts(language)
        with translation.override(language):
            offered = {suggest() for _ in range(300)}
        assert {name.partition(" ")[0] for name in offered} <= set(first)
        assert {name.partition(" ")[2] for name in offered} <= set(last)


def test_a_table_has_names_of_its_own_language_whoever_asks():
    with translation.override("en"):
        assert suggest("es").partition(" ")[0] in parts("es")[0]


def test_every_name_that_can_be_offered_is_short_enough_and_all_differ():
    for first, last in map(parts, ("en", "es")):
        names = [f"{one} {other}" for one in first for other in last]
        assert max(map(len, names)) <= NAME_LENGTH
        assert len(set(names)) == len(names) > 1_400
