"""The owe list: a chapter that leaves it, who is dead on it, and what a phone shows of it."""

from __future__ import annotations

import re

from campaigns.models import Character
from tests.campaigns.troupe import Troupe


def dies(one: Character) -> None:
    Character.objects.filter(pk=one.pk).update(state="dead")


def first_is_over(troupe: Troupe) -> None:
    """Mekha, then Amek, then Mekha again are owed one."""
    troupe.played_once("Mekha", "Amek", "Mekha")


def owe_lines(troupe: Troupe) -> list[str]:
    """Read the owe list on Tom's phone: each name with what is said of it."""
    lines = re.findall(r'<li class="owe-line.*?</li>', troupe.tom.sees(), re.DOTALL)
    said = r"<b>(\w+)</b>|(not this time|comes back next)"
    return [" ".join("".join(found) for found in re.findall(said, line)) for line in lines]
