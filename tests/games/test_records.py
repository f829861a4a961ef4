"""Whole bouts through the door, downloaded, and replayed by the rules alone to the same end."""

from __future__ import annotations

import io
import json
import random
import re
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command
from django.db.models.signals import post_init

from games.models import Game
from games.rules import brave_or_knave as bk
from games.rules.dice import SeededDice
from games.services.act import Actor, act
from games.stored import play_again, plays_that_count
from games.views.records import hall_of_fame
from tests.games.at_random import HOUSE_RULE, moves, plays_at_random, tap_of
from tests.games.party import Party, Person, done, seqs


def replayed(record: str, tmp_path: Path) -> dict:
    file = tmp_path / "record.jsonl"
    file.write_text(record)
    told = io.StringIO()
    call_command("replay", str(file), stdout=told)
    return json.loads(told.getvalue().splitlines()[-1])


def downloaded(party: Party, who: Person | None = None) -> str:
    who = who or party.ben
    answer = who.client.get(f"/t/{party.table.code}/records/{party.game.pk}/")
    assert answer.status_code == 200
    assert "attachment" in answer.headers["Content-Disposition"]
    return answer.content.decode()


def told_of(bout: Game, page: str) -> str:
    """Return what the records' page has above a bout."""
    (told,) = re.findall(rf'id="bout-{bout.pk}">\s*<h3>(.*?)</h3>', page)
    return told


@pytest.mark.parametrize(
    ("seed", "settings", "undoes", "leaves"),
    [
        (1, {}, False, False),
        (2, {"has_shroud": "true"}, False, False),
        (3, {"has_shroud": "true", "has_nine_sisters": "true"}, True, False),
        (4, {"has_shroud": "true", "has_nine_sisters": "true"}, True, True),
        (5, {"has_nine_sisters": "true"}, False, True),
        (6, {"has_shroud": "true", "unison_ms": "400"}, True, True),
    ],
)
def test_a_bout_replays_to_the_same_end(party: Party, tmp_path, seed, settings, undoes, leaves):
    party.welcomes("Dora", "Emil")
    if seed % 2 == 0:
        done(party.ana.does("add_house_rule", rule=json.dumps(HOUSE_RULE)))
    party.begins(17, 18, 4, 3, **settings)
    plays_at_random(party, seed, undoes=undoes, leaves=leaves)
    state = party.state
    assert replayed(downloaded(party), tmp_path) == json.loads(json.dumps(bk.summary(state)))
    assert seqs(party.events()) == list(range(1, party.table.seq + 1))
    assert len(party.events()) > 40
    assert party.game.status == "over"
    assert party.game.winners == [state.names[w] for w in state.winners]


def test_a_bout_that_goes_on_is_a_record_too(party: Party, tmp_path):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    assert replayed(downloaded(party), tmp_path)["standing"] == 12


def test_the_page_offers_a_bout_that_goes_on(party: Party):
    """A half-finished game can be exported, too (the rules, on records)."""
    page = f"/t/{party.table.code}/records/"
    party.begins()
    assert f'href="{page}{party.game.pk}/"' in party.ben.client.get(page).content.decode()


def test_what_was_taken_back_is_not_in_the_record(party: Party, tmp_path):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    done(party.ana.does("undo", event=party.events("Succeeded")[-1].seq))
    party.rolls(party.ben, 3)
    record = downloaded(party)
    assert '"dice": [12]' not in record
    assert replayed(record, tmp_path)["fingers"]["Ben"] == 4


def test_the_record_names_who_began_when_the_die_chose(party: Party, tmp_path):
    for person, number in ((party.ana, 7), (party.ben, 8)):
        done(person.does("pick_number", number=number))
    party.dice.fall(2)
    done(party.ana.does("start_bout"))
    assert json.loads(downloaded(party).splitlines()[0])["first"] == "Ben"
    assert replayed(downloaded(party), tmp_path)["roller"] == "Ben"


def test_the_record_of_a_gathering_is_not_there_yet(party: Party):
    path = f"/t/{party.table.code}/records/{party.game.pk}/"
    assert party.ben.client.get(path).status_code == 404


def test_records_are_for_those_who_sit_at_the_table(party: Party):
    party.begins()
    path = f"/t/{party.table.code}/records/{party.game.pk}/"
    assert party.cleo.client.get(path).status_code == 404
    dora = Person("Dora")
    dora.opens_table("The Goose")
    assert dora.client.get(path.replace(party.table.code, dora.code)).status_code == 404


def test_bk22_the_result_goes_into_the_tables_record(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    page = party.tess.sees("records/")
    assert told_of(party.game, page) == "Ana won"
    assert '<th scope="row">Ana</th><td>1</td><td>1</td>' in page
    assert f"/records/{party.game.pk}/" in page


def test_a_bout_that_was_called_off_is_told_and_won_by_nobody(party: Party):
    called_off = party.begins().rolls(party.ana, 9).game
    done(party.ana.does("end_bout"))
    page = party.ben.sees("records/")
    assert told_of(called_off, page) == "Called off"
    assert 'id="hall-title"' not in page


def test_undo_leaves_the_state_that_the_plays_lead_to(party: Party):
    """The Zulip check: what is kept equals what the log replays to, after every move."""
    party.welcomes("Dora")
    party.begins(17, 18, 4, has_shroud="true", has_nine_sisters="true")
    rng, falls = random.Random(9), SeededDice(9)
    party.dice.roll = falls.roll
    seats = [e.seat for e in party.game.entrants.select_related("seat")]
    for turn in range(60):
        if party.game.status == "over":
            break
        party.clock.passes(500)
        if rng.random() < 0.1:
            party.ana.does("undo", event=rng.choice(party.events()[-5:]).seq)
        elif party.phase == "shout" and party.state.shouts:
            party.closes()
        else:
            index, action = rng.choice(moves(party))
            tap = tap_of(party, turn, action, falls)
            act(party.table.pk, Actor(seats[index].number, is_house=True), action, tap)
        assert play_again(party.game, plays_that_count(party.game)) == party.state


def test_bk2_a_guild_name_in_other_capitals_is_the_same_in_the_hall_of_fame(party: Party):
    """It stood there twice, with the wins of one evening each."""
    for name in ("Moth", "moth"):
        done(party.ben.does("name_guild", name=name))
        party.begins()
        party.rolls(party.ana, 1)
        assert party.game.status == "over"
        done(party.ana.does("rematch"))
    hall = party.ben.sees("records/").partition('id="hall-title"')[2].partition("</table>")[0]
    rows = re.findall(r'<th scope="row">(.*?)</th><td>(\d+)</td><td>(\d+)</td>', hall)
    assert rows == [("moth", "2", "2"), ("Ana", "0", "2")]


def test_the_hall_of_fame_makes_no_row_of_each_bout_of_years(party: Party):
    """R8: it read the states of two thousand bouts, and everybody's part in each, for a name."""
    assert party.begins().rolls(party.ana, 1).game.status == "over"
    games, made = party.table.games.all(), []

    def hear(sender: Any, **_told: Any) -> None:
        made.append(sender.__name__)

    post_init.connect(hear)
    try:
        fame = hall_of_fame(games)
    finally:
        post_init.disconnect(hear)
    assert [(one["name"], one["wins"], one["bouts"]) for one in fame] == [
        ("Ben", 1, 1),
        ("Ana", 0, 1),
    ]
    assert made == []
