"""What every game has at a table, whichever it is: a new one is held to it by being registered."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest
from django.conf import settings
from django.test import Client
from django.utils import translation
from markupsafe import escape

from games.rules import RULES, wicked_sequence
from games.snapshot import epoch
from games.stage import CHRONICLERS, STAGES
from tests.games.party import Party, Person, done

every_game = pytest.mark.parametrize("rules", STAGES)
PAGES = {"phone": "", "screen": "screen/", "gm": "gm/"}
# The others are told on a page of their own.
TOLD_ELSEWHERE = {wicked_sequence.NAME}


def root_of(page: str) -> str:
    """Return the opening tag of a page's main part, by which its scripts know it."""
    found = re.search(r'<main id="main"[^>]*>', page)
    assert found
    return found[0]


@every_game
def test_the_front_page_says_what_a_game_is_and_leads_to_its_rules(db: None, rules: str):
    stage, link, told = STAGES[rules], f"/rules/{rules.replace('_', '-')}/", []
    for language, _name in settings.LANGUAGES:
        reader = Client(headers={"accept-language": language})
        front = reader.get("/").content.decode()
        with translation.override(language):
            assert stage.about()
            for text in (stage.title(), stage.about()):
                assert str(escape(text)) in front
            told.append((stage.about(), stage.rulebook().sections))
        assert f'href="{link}"' in front
        assert reader.get(link).status_code == 200
    for (about, sections), (other_about, other_sections) in pairwise(told):
        assert about != other_about
        assert sections != other_sections


@every_game
def test_the_rules_begin_with_the_game_in_short(db: None, rules: str):
    """Of Knave's a phone showed two screens full of links before the first word."""
    page = Client().get(f"/rules/{rules.replace('_', '-')}/").content.decode()
    first = STAGES[rules].rulebook().sections[0]
    places = [page.index(str(escape(text))) for text in first.paragraphs]
    places.append(page.index('<nav class="contents"'))
    assert places == sorted(places)
    assert page.count(f'id="{first.id}"') == 1


@every_game
def test_only_a_phone_with_a_die_to_shake_has_the_switch_for_it(party: Party, rules: str):
    party.turns_to(rules)
    has_die = rules == "brave_or_knave"
    assert ('id="switch-shake"' in party.ana.sees()) is has_die
    assert 'id="switch-shake"' not in party.ana.sees("screen/")


@every_game
def test_the_scripts_know_every_page_of_a_game(party: Party, rules: str):
    party.turns_to(rules)
    for page, path in PAGES.items():
        root = root_of(party.ana.sees(path))
        for name, value in {"game": rules, "page": page, "code": party.table.code}.items():
            assert f'data-{name}="{value}"' in root
        for name in ("mode", "seat", "seq", "epoch", "language"):
            assert re.search(f'data-{name}="[^"]+"', root), (page, name)


@every_game
def test_every_page_of_a_game_has_what_every_game_has(party: Party, rules: str):
    """The stop, the log, the rules and the way out; for the host the seats and the other games."""
    party.turns_to(rules)
    phone, host = party.ben.sees(), party.ana.sees("gm/")
    for page in (phone, host):
        for named in ("stop-open", "log-list", "to-rules"):
            assert f'id="{named}"' in page
    for action in ("leave_table", "offer_pass"):
        assert f'value="{action}"' in phone
    for named in ("gm-seats", "pass-offer", *(f"turn-{r}" for r in STAGES if r != rules)):
        assert f'id="{named}"' in host
    assert f'/t/{party.table.code}/gm/"' in party.ana.sees()
    screen = party.tess.sees("screen/")
    assert 'id="screen-menu"' in screen
    assert 'class="safety"' in screen


@every_game
def test_who_knocks_reads_nothing_of_a_game(party: Party, rules: str):
    party.turns_to(rules)
    done(party.ana.does("set_door", door="ask"))
    kim = Person("Kim")
    kim.joins(party.table)
    page = kim.sees()
    assert 'data-mode="knocking"' in root_of(page)
    assert "You have knocked" in page
    for shown in (party.ben.name, 'id="log-list"', 'id="stop-open"'):
        assert shown not in page


def test_every_game_is_told_among_the_records():
    """One that nobody tells would be left out there, and its record could not be taken home."""
    assert set(CHRONICLERS) | TOLD_ELSEWHERE == set(RULES)


def test_every_game_has_an_app_of_its_own():
    """The API tells by its app on which game's pages an action stands (`games/api.py`).

    What a program sends to the second game of an app would be refused as too late.
    """
    apps = [stage.load.__module__.partition(".")[0] for stage in STAGES.values()]
    assert sorted(apps) == sorted(settings.OUR_APPS)


@every_game
def test_the_heading_of_a_page_follows_the_name(party: Party, rules: str):
    """Whoever had just renamed the table read the former name until the page was loaded anew."""
    party.turns_to(rules)
    seen = {"seq": party.table.seq, "epoch": epoch()}
    done(party.ana.does("rename_table", name="The Heron"))
    for kind in ("gm", "phone", "screen"):
        news = party.ana.client.get(f"/t/{party.ana.code}/news/{kind}/{party.ana.seat}/", seen)
        assert "The Heron</h1>" in "".join(news.json()["regions"].values()), kind
