"""What hirelings carry, and what the host handles of others: nothing that is given away is lost."""

from __future__ import annotations

import pytest

from characters.models import Item
from games.live import drawing
from tests.characters.company import Company
from tests.characters.crew import owns
from tests.games.party import Person, done, refused
from tests.games.tried import taken_back
from tests.security.shown import Shown


def deeds(who: Person, page: str, item: Item) -> dict[str, dict[str, str]]:
    """Return, by action, what a page's taps about a thing send; of several the last."""
    found = {}
    for form in Shown(who.sees(page)).forms:
        sent = {f.name: f.value for f in form.fields}
        for name, value in form.buttons:
            given = {**sent, name: value} if name else sent
            if given.get("item") == str(item.pk):
                left_out = ("action", "seat", "tap")
                found[given["action"]] = {n: v for n, v in given.items() if n not in left_out}
    return found


def test_kn24_what_a_hireling_was_given_is_lit_and_given_back(company: Company):
    """The employer's page of a hireling has what it carries, with all that can be done with it."""
    done(company.ben.does("give_item", item=company.torches.pk, to=company.tib.pk))
    torches, page = company.tib.items.get(), f"knave/{company.tib.pk}/"
    offered = deeds(company.ben, page, torches)
    assert {"light_item", "give_item", "drop_item", "leave_home", "split_item"} <= offered.keys()
    for action, given in offered.items():
        with taken_back():
            done(company.ben.does(action, **given))
        drawing.drawing_cache.forget()
    done(company.ben.does("give_item", item=torches.pk, to=company.ash.pk))
    assert deeds(company.ben, page, torches) == {}


def test_the_host_handles_what_an_absent_player_carries(company: Company):
    page = f"knave/{company.ash.pk}/"
    assert "equip_item" in deeds(company.ana, page, company.sword)
    assert "cast_spell" in deeds(company.ana, page, company.book)
    rope = owns(company.ash, "rope-50ft", is_home=True)
    assert deeds(company.ana, page, rope).keys() == {"leave_home"}


def test_ones_own_knave_carries_on_the_phone_alone_and_the_dead_nothing(company: Company):
    page = f"knave/{company.ash.pk}/"
    assert deeds(company.ben, page, company.sword) == {}
    assert "equip_item" in deeds(company.ben, "", company.sword)
    done(company.ana.does("change_hp", character=company.ash.pk, by=-99))
    assert deeds(company.ana, page, company.sword) == {}


def test_kn4_the_log_tells_what_goes_into_a_sack_from_what_comes_out(company: Company):
    rope, sack = (owns(company.ash, key) for key in ("rope-50ft", "sack"))
    done(company.ben.does("put_inside", item=rope.pk, container=sack.pk))
    done(company.ben.does("put_inside", item=rope.pk))
    kinds = [event.kind for event in company.cast.events()]
    assert kinds[-2:] == ["item_put_inside", "item_taken_out"]


@pytest.mark.parametrize("action", ["drop_item", "give_item"])
def test_kn4_what_is_at_home_is_out_of_everybodys_reach(company: Company, action: str):
    rope = owns(company.ash, "rope-50ft", is_home=True)
    given = {"to": company.tib.pk} if action == "give_item" else {}
    assert "at home" in refused(company.ben.does(action, item=rope.pk, **given), 409)


@pytest.mark.parametrize("whose", ["ash", "tib"])
def test_nobody_elses_page_is_opened(company: Company, whose: str):
    one = getattr(company, whose)
    assert company.dora.client.get(f"/t/{company.table.code}/knave/{one.pk}/").status_code == 403


def test_kn16_the_host_is_not_offered_a_flight_of_who_lies_unconscious(company: Company):
    company.fights()
    flees = f'id="flee-{company.id}"'
    assert flees in company.ana.sees("gm/")
    done(company.ana.does("fight-hurt", on=company.id, amount=company.ash.hp))
    refused(company.ana.does("fight-flee", of=company.id), 409)
    assert flees not in company.ana.sees("gm/")
