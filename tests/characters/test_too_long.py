"""What is too long for its field is refused in words that stand there; none of it is cut off."""

from __future__ import annotations

from tests.characters.company import Company
from tests.security.overlong import overlong


def test_a_field_takes_more_than_is_allowed_and_the_house_says_how_much(company: Company):
    """A paste that a browser cuts off is lost, and nobody is told. All of Knave's typing."""
    own, draft = (f"knave/{one.pk}/" for one in (company.ash, company.draft))
    pages = [
        *((company.ana, "gm/"), (company.ana, own)),
        *((company.ben, ""), (company.ben, own), (company.ben, draft)),
    ]
    tried = [one for who, page in pages for one in overlong(who, page)]
    assert len(tried) > 50
    assert [one for one in tried if not one.is_well] == []
