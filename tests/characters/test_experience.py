"""Experience by milestones, sessions and coin (KN-22)."""

from __future__ import annotations

import pytest

from characters.models import Character
from games.models import Event
from games.sentences import tell
from tests.games.party import Person, done, refused

pytestmark = pytest.mark.django_db


def two_knaves() -> tuple[Person, Person, list[Character]]:
    ana, ben = Person("Ana"), Person("Ben")
    table = ana.opens_table()
    ben.joins(table)
    done(ana.does("turn_table", rules="knave"))
    for who in (ana, ben):
        done(who.does("new_knave"))
        draft = table.characters.latest("pk")
        done(who.does("confirm_knave", character=draft.pk))
    return ana, ben, list(table.characters.order_by("pk"))


def test_kn22_a_milestone_makes_the_next_level_due_and_says_for_whom():
    ana, _ben, knaves = two_knaves()
    knaves[1].xp = 1300
    knaves[1].save()
    for _again in range(2):
        done(ana.does("award_level", tap="once"))
    assert [e.data["names"] for e in Event.objects.filter(kind="level_awarded")] == [
        [knaves[0].name]
    ]
    words = refused(ana.does("award_level"), 409)
    assert "They all have a level to take first" in words
    assert knaves[1].name in words
    for one in knaves:
        one.refresh_from_db()
    assert [one.xp for one in knaves] == [1000, 1300]


def test_kn22_the_next_milestone_is_another_level_once_the_first_is_taken():
    ana, ben, knaves = two_knaves()
    hers, his = knaves
    done(ana.does("award_level", who=his.pk))
    assert his.name in refused(ana.does("award_level", who=his.pk), 409)
    done(ben.does("level_up", character=his.pk, abilities="str,dex,con"))
    done(ana.does("award_level"))
    for one in knaves:
        one.refresh_from_db()
    assert [(one.level, one.xp) for one in (hers, his)] == [(1, 1000), (2, 2000)]


@pytest.mark.parametrize(("award", "more"), [("award_level", {}), ("award_coin", {"gold": 1})])
def test_kn22_experience_for_a_hireling_alone_is_refused_in_words(award, more):
    ana, _ben, _knaves = two_knaves()
    done(ana.does("add_npc", name="Odo of the Mill"))  # a knave may be drawn the name Odo
    odo = Character.objects.get(name="Odo of the Mill")
    assert "Only knaves" in refused(ana.does(award, who=odo.pk, **more), 409)
    assert not Event.objects.filter(kind__in=["level_awarded", "coin_awarded"]).exists()


def test_kn22_coin_is_a_point_a_copper_shared_evenly_and_the_rest_is_lost():
    ana, _ben, knaves = two_knaves()
    done(ana.does("award_coin", gold=2, silver=3, copper=3))
    for one in knaves:
        one.refresh_from_db()
    assert [one.xp for one in knaves] == [116, 116]


def test_kn23_coin_that_makes_a_level_due_says_so():
    ana, _ben, knaves = two_knaves()
    knaves[1].xp = 950
    knaves[1].save()
    done(ana.does("award_coin", gold=2))
    due = Event.objects.filter(kind="level_due")
    assert [one.data["name"] for one in due] == [knaves[1].name]


def test_kn22_no_coin_brings_nothing_and_says_so():
    ana, _ben, _knaves = two_knaves()
    assert "coin" in refused(ana.does("award_coin"), 422)


def test_only_the_gm_gives_experience():
    _ana, ben, _knaves = two_knaves()
    refused(ben.does("award_level"), 403)
    refused(ben.does("award_coin", gold=1), 403)


@pytest.mark.parametrize(
    ("names", "whose"), [(["Ash"], "for Ash."), (["Ash", "Birch"], "each for")]
)
def test_kn22_one_who_brings_coin_home_has_nobody_to_share_the_experience_with(
    names: list[str], whose: str
):
    said = tell("coin_awarded", {"copper": 500, "amount": 500, "names": names}, [])
    assert f"500 experience {whose}" in said
