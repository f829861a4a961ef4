"""A Knave table in two worlds, which differ in all that only the host may know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from characters.models import Character, Encounter, Goal, Item, Pile
from games.models import Event
from tests.characters.company import Company
from tests.games.party import Clock, Dice, done
from tests.games.worlds import WORLDS, World, in_both_worlds
from tests.standing import Standing

# By world: foes' hit points and ratings, names and texts of different length, faces, counts.
HIDDEN: dict[int, dict[str, Any]] = {
    WORLDS[0]: {
        "hp": 9, "morale": 7, "bonus": 0, "defense": 12, "die": 4, "count": 1, "coins": 3,
        "name": "Ox", "text": "Rob them", "dice": "d6", "faces": [2], "reaction": [1, 1],
        "line": "Orc: AC 6, HD 1, D 1-8",
    },
    WORLDS[1]: {
        "hp": 30, "morale": 9, "bonus": 4, "defense": 15, "die": 10, "count": 3, "coins": 4321,
        "name": "The pale steward", "text": "Let the mill burn at midnight", "dice": "2d10+3",
        "faces": [7, 9], "reaction": [6, 6], "line": "Troll: HD 6+3",
    },
}  # fmt: skip
Script = Callable[[Company, int], World]


@pytest.fixture
def company(
    assembled: Standing[Company],
    transactional_db: None,
    dice: Dice,
    clock: Clock,
    monkeypatch: pytest.MonkeyPatch,
) -> Company:
    company = assembled.put_down(dice, clock)
    monkeypatch.setattr("django.http.response.time", clock)  # when a cookie expires
    done(company.ana.does("configure", setting="shows_odds", value="true"))
    for person in (*company.cast.players, company.tess, company.cleo):
        person.client.get(f"/t/{company.table.code}/join/")  # the first page gives cookies
    return company


def disguise(company: Company, world: int, *, hides_defenses: bool) -> None:
    """Write the hidden values of a world into the rows."""
    hidden = HIDDEN[world]
    party = company.table.party
    party.preferences = {"foes_shown": not hides_defenses}
    party.save()
    defense = hidden["defense"] if hides_defenses else 12
    ambush = Encounter.objects.get(pk=company.ambush.pk)
    for n, foe in enumerate(ambush.foes):
        foe |= {"hp": hidden["hp"], "max_hp": hidden["hp"], "morale": hidden["morale"]}
        foe |= {"level": hidden["bonus"], "armor": {"defense": defense}}
        foe["bonus"] = dict.fromkeys(("str", "dex", "con", "int", "wis", "cha"), hidden["bonus"])
        if n:  # the first one strikes, and everybody hears its total
            foe |= {"attack": hidden["bonus"], "weapon": {"die": hidden["die"]}}
    ambush.save()
    shade = {"name": hidden["name"], "hp": hidden["hp"], "max_hp": hidden["hp"]}
    Character.objects.filter(pk=company.shade.pk).update(**shade, morale=hidden["morale"])
    Character.objects.filter(pk=company.tib.pk).update(morale=hidden["morale"])
    Goal.objects.filter(pk=company.plot.pk).update(text=hidden["text"], worth=hidden["hp"])
    Pile.objects.filter(pk=company.vault.pk).update(name=hidden["name"], gold=hidden["coins"])
    Item.objects.filter(pk=company.gem.pk).update(name=hidden["name"], count=hidden["count"])
    rolled = {"faces": hidden["faces"], "total": sum(hidden["faces"])}
    Event.objects.filter(pk=company.secret.pk).update(data={**company.secret.data, **rolled})


def both(company: Company, script: Script) -> tuple[World, World]:
    return in_both_worlds(company.cast, lambda _cast, number: script(company, number))
