"""Letters that show nothing: no name is made of them, nor differs from another by them alone."""

from __future__ import annotations

import pytest

from games.models import Entrant
from tests.games.party import Party, done, notice, refused

# Letters to Unicode and nothing to the eye: fillers of Hangul, an empty Braille cell.
FILLERS = "\u115f\u1160\u3164\uffa0\u2800\u034f\u17b5"
# What stays beside a letter that it joins, or whose form it chooses.
BESIDE = "\u200c\u200d\ufe0f\U000e0100"


@pytest.mark.parametrize("name", [FILLERS, BESIDE, f" {FILLERS}{BESIDE} "])
def test_a_name_of_letters_that_nobody_sees_is_none(party: Party, name: str):
    """Threat model: somebody sat there, and knocked, under no name at all."""
    answer = party.cleo.joins(party.table, name=name)
    assert answer.status_code == 422
    assert "at least one letter" in notice(answer)


@pytest.mark.parametrize("letter", [*FILLERS, *BESIDE])
def test_nobody_takes_anothers_name_by_a_letter_that_nobody_sees(party: Party, letter: str):
    """Threat model: whoever sat down as a second host looked like the first on every screen."""
    for name in (f"A{letter}na", f"Ana{letter}"):
        assert "is the host here" in notice(party.cleo.joins(party.table, name=name))
        assert "sits here already" in refused(party.ben.does("name_guild", name=name), 409)


@pytest.mark.parametrize("name", ["\u2764\ufe0f", "\u845b\U000e0100", "\U0001f469\u200d\U0001f680"])
def test_what_stands_beside_a_letter_is_kept(party: Party, name: str):
    """A red heart, a form of an ideograph, an astronaut."""
    assert party.cleo.joins(party.table, name=name).status_code == 302
    assert party.cleo.row.name == name


def test_who_won_before_names_were_compared_so_has_won_still(party: Party):
    """The hall of fame had their bouts and none of their wins."""
    name = "Mo\u200dth"
    done(party.ben.does("name_guild", name=name))
    party.begins()
    party.rolls(party.ana, 1)
    assert party.game.winners == [name]
    Entrant.objects.filter(guild_name=name).update(guild_key=name.lower())
    assert f"{name}</th><td>1</td>" in party.ben.sees("records/")
