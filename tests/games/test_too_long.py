"""What is too long for its field is refused in words that stand there; none of it is cut off."""

from __future__ import annotations

from tests.games.party import Party
from tests.security.overlong import overlong


def test_a_field_takes_more_than_is_allowed_and_the_house_says_how_much(party: Party):
    """A paste that a browser cuts off is lost, and nobody is told."""
    tried = [*overlong(party.ana, "gm/"), *overlong(party.ben, "")]
    assert len(tried) > 3
    assert [one for one in tried if not one.is_well] == []
