"""What a bout says in the middle of the shared screen is read whole, over nobody's seat."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.phones.arriving import begins_for_all, posts, scene, seats_of
from tests.phones.devices import SMALL, SPANISH
from tests.phones.people import Company
from tests.phones.tablet import is_untangled

pytestmark = pytest.mark.looks

NAMES = (
    *("Bartolomé Ruiz", "Guillermina Sosa", "Esmeralda Vega", "Fernando Luna", "Guadalupe Cruz"),
    *("Hildegard Roth", "Ifigenia Casas"),
)

IS_WHOLE = """(one) => one.scrollWidth <= one.clientWidth
  && one.getBoundingClientRect().right <= innerWidth"""


class Bout:
    """A bout in which Ana taps for everybody, so that all of them can be in one breath."""

    def __init__(self, company: Company, players: int) -> None:
        self.company = company
        self.ana, self.tess = company.ana(**SPANISH), company.tess(**SPANISH)
        for name in NAMES[: players - 1]:
            posts(self.ana, "add_player", name=name)
        company.only(self.ana, self.tess)
        posts(self.ana, "name_guild", name="Maximiliana Gil")
        self.seats = seats_of(company)

    def has_rule(self, name: str, cry: str, **effect: Any) -> None:
        """Have a house rule on a rolled 12."""
        rule = {"name": name, "cry": cry, "number": 12, "on": "both", "effects": [effect]}
        posts(self.ana, "add_house_rule", rule=json.dumps(rule))

    def begins(self) -> None:
        numbers = (7, 13, 2, 19, 17, 4, 5, 6)
        begins_for_all(self.ana, dict(zip(self.seats, numbers, strict=False)))

    def does(self, action: str, player: int = 0, **fields: Any) -> None:
        seat = self.seats[player]
        posts(self.ana, action, seat=seat, saw=scene(self.company), **fields)

    def rolls(self, face: int, player: int = 0) -> None:
        self.company.house.dice_fall(face)
        self.does("roll", player)


@pytest.mark.parametrize("players", [4, 6, 8])
def test_who_shouted_when_is_read_above_whoever_sits_at_the_bottom(
    company: Company, players: int
) -> None:
    """BK-10: of three or four shouts the last ones lay under the seat of who had to judge them."""
    bout = Bout(company, players)
    posts(bout.ana, "configure", setting="unison_ms", value="350")
    bout.begins()
    bout.rolls(9)
    for player in range(1, min(players, 5)):
        bout.does("shout", player, call="brave")
    bout.tess.is_in("award")
    is_untangled(bout.tess)


@pytest.mark.parametrize("players", [4, 5, 6])
def test_what_is_waited_for_is_read_under_all_that_the_last_move_has_brought(
    company: Company, players: int
) -> None:
    """BK-23, BK-11: after a deal the words reached into the seats above and below them."""
    bout = Bout(company, players)
    posts(bout.ana, "configure", setting="has_shroud", value="true")
    bout.begins()
    bout.does("shroud", 1)
    bout.rolls(14)
    bout.does("blind", 1, call="brave")
    bout.rolls(15, 1)
    bout.does("deal", 1, **{"fingers-0": 1, "fingers-2": 2})
    bout.tess.is_in("shout")
    is_untangled(bout.tess)
    for _knock in range(3):
        bout.does("knock", 1)
    bout.does("name", 1, to=0, call="knave")
    bout.tess.is_in("challenge")
    is_untangled(bout.tess)


@pytest.mark.parametrize("players", [4, 5, 7])
def test_a_tables_own_cry_stays_between_those_at_the_top(company: Company, players: int) -> None:
    """BK-25: it may have forty letters, and it went over their names."""
    bout = Bout(company, players)
    bout.has_rule("El brindis", "Salud y amor", kind="lose", target="picked", amount=2)
    bout.begins()
    bout.rolls(12)
    bout.tess.is_in("name")
    is_untangled(bout.tess)


def test_a_long_cry_is_broken_and_not_cut(company: Company) -> None:
    """BK-25: one without spaces pushed what stands in the middle off the screen."""
    bout = Bout(company, 3)
    bout.has_rule("The Wolf", f"A{'O' * 38}!", kind="regain", target="everyone", amount=1)
    bout.begins()
    bout.rolls(12)
    bout.tess.is_in("shout")
    bout.ana.page.set_viewport_size(SMALL)
    for person in (bout.ana, bout.tess):
        person.catches_up()
        assert person.sees(".cry").evaluate(IS_WHOLE)
