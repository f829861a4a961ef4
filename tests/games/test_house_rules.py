"""House rules (BK-25): written, refused with the reason, switched, shared as a link or a file."""

from __future__ import annotations

import html
import json
import re
from itertools import product
from typing import get_args

import msgspec
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from games.models import HouseRule
from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave.model import EffectKind, Target
from games.rules.brave_or_knave.start import TARGETLESS
from games.screens.house_rules import effects_in_words
from games.sharing import share_code
from tests.games.party import Party, Person, done, notice, refused

CAT = {
    "name": "The Cat",
    "cry": "Meow!",
    "number": 10,
    "on": "both",
    "effects": [{"kind": "lose", "target": "left", "amount": 2}],
}


def written(party: Party, **changed: object) -> HouseRule:
    done(party.ana.does("add_house_rule", rule=json.dumps({**CAT, **changed})))
    return HouseRule.objects.latest("id")


@pytest.mark.parametrize(
    ("field", "why"),
    [
        ("name", "That name is too long: at most 40 letters."),
        ("cry", "That is too long: at most 40 letters."),
    ],
)
def test_a_cry_that_is_too_long_is_not_called_a_name(party: Party, field: str, why: str):
    rule = json.dumps({**CAT, field: "m" + 40 * "e"})
    assert refused(party.ana.does("add_house_rule", rule=rule), 422) == why


def test_a_house_rule_acts_in_the_bout(party: Party):
    written(party)
    party.begins().rolls(party.ana, 10)
    assert party.fingers(party.ana, party.ben) == [5, 3]
    assert party.events("HouseRuleActed")[-1].data["cry"] == "Meow", "screens add the marks"


def test_while_play_runs_the_other_way_round_the_screens_say_so(party: Party):
    written(party, effects=[{"kind": "reverse", "target": "everyone", "amount": 1, "call": None}])
    party.begins()
    assert "the other way round" not in party.tess.sees("screen/")
    party.rolls(party.ana, 10)
    for page in (party.tess.sees("screen/"), party.ben.sees()):
        assert "Play runs the other way round" in page


def test_a_rule_that_is_switched_off_does_not_act(party: Party):
    rule = written(party)
    done(party.ana.does("switch_house_rule", rule=rule.pk, on="false"))
    assert party.events()[-1].kind == "house_rule_switched"
    party.begins().rolls(party.ana, 10)
    assert party.fingers(party.ben) == [5]


def test_bk25_what_is_switched_in_a_bout_counts_from_the_next_one_on_and_says_so(party: Party):
    """“Counts from now on”, all read, and its number fell and did nothing."""
    rule = written(party)
    done(party.ana.does("switch_house_rule", rule=rule.pk, on="false"))
    keeps = "A bout that has begun keeps the rules that it began with."
    assert keeps not in party.ana.sees("gm/")
    party.begins()
    assert keeps in party.ana.sees("gm/")
    done(party.ana.does("switch_house_rule", rule=rule.pk, on="true"))
    assert "The house rule “The Cat” counts from the next bout on." in party.ben.sees()
    party.rolls(party.ana, 10)
    assert party.fingers(party.ben) == [5]


def test_a_rule_is_taken_out(party: Party):
    rule = written(party)
    done(party.ana.does("drop_house_rule", rule=rule.pk))
    assert not HouseRule.objects.exists()
    refused(party.ana.does("drop_house_rule", rule=rule.pk), 409)


def test_a_rule_of_another_table_is_not_ours_to_touch(party: Party):
    rule = written(party)
    dora = Person("Dora")
    dora.opens_table("The Goose")
    refused(dora.does("drop_house_rule", rule=rule.pk), 409)
    refused(dora.does("switch_house_rule", rule=rule.pk, on="false"), 409)
    assert HouseRule.objects.get().is_on


def test_who_holds_a_rules_number_is_told_before_anybody_begins(party: Party):
    """BK-25: not everybody is ready while somebody must choose another number."""
    for person, number in ((party.ana, 7), (party.ben, 13)):
        done(person.does("pick_number", number=number))
    assert "Everybody is ready" in party.tess.sees("screen/")
    written(party, number=13)
    page = party.tess.sees("screen/")
    assert "Everybody is ready" not in page
    assert "Ben must choose another number: 13 is the house rule" in page


def at_the_rule(party: Party) -> list[str]:
    """Return what the host reads at the house rules about what is in their way."""
    page = party.ana.sees("gm/")
    return [html.unescape(text) for text in re.findall(r'<p class="rule-waits">(.*?)</p>', page)]


def test_the_host_sees_at_a_rule_who_must_choose_another_number(party: Party):
    """BK-25: it was told only when the bout was to begin, and at a headline far from the rule."""
    done(party.ben.does("pick_number", number=13))
    rule = written(party, number=13)
    told = ["Ben must choose another number: 13 is the house rule “The Cat”."]
    assert at_the_rule(party) == told, "also while Ana has no number yet"
    done(party.ana.does("switch_house_rule", rule=rule.pk, on="false"))
    assert at_the_rule(party) == []
    done(party.ana.does("switch_house_rule", rule=rule.pk, on="true"))
    done(party.ben.does("pick_number", number=14))
    assert at_the_rule(party) == []


def test_the_host_sees_at_two_rules_that_they_want_the_same_rolls(party: Party):
    """BK-25: the bout was refused, and neither rule said that it was about it."""
    written(party, on="opening")
    owl = written(party, name="The Owl", on="challenge")
    assert at_the_rule(party) == []
    written(party, name="The Hound", on="both", number=11)
    assert at_the_rule(party) == []
    done(party.ana.does("switch_house_rule", rule=owl.pk, on="false"))
    written(party, name="The Goat", on="both")
    assert at_the_rule(party) == [
        "“The Goat” is for the same number: switch one of the two off.",
        "“The Cat” is for the same number: switch one of the two off.",
    ]


def test_bk25_nobody_waits_for_a_regular_who_gives_way_by_itself(party: Party):
    """They read that Old Marrow had to choose another number, and could begin all the same."""
    done(party.ana.does("add_regular"))
    for person, number in ((party.ana, 7), (party.ben, 13)):
        done(person.does("pick_number", number=number))
    written(party)
    assert at_the_rule(party) == []
    assert "Everybody is ready" in party.tess.sees("screen/")
    party.dice.fall(1)
    done(party.ana.does("start_bout"))


@pytest.mark.parametrize("number", [1, 20, 0, 21])
def test_no_rule_takes_grave_stave_or_a_number_the_die_has_not(party: Party, number):
    refused(party.ana.does("add_house_rule", rule=json.dumps({**CAT, "number": number})), 422)


def test_bk25_a_rules_number_is_nobodys(party: Party):
    written(party)
    assert "The Cat" in refused(party.ana.does("pick_number", number=10), 409)
    done(party.ana.does("pick_number", number=12))


def test_bk25_a_rule_on_somebodys_number_keeps_the_bout_from_starting(party: Party):
    done(party.ana.does("pick_number", number=10))
    done(party.ben.does("pick_number", number=11))
    done(party.ana.does("choose_first", who=party.ana.seat))
    written(party)
    assert "Ana" in refused(party.ana.does("start_bout"), 409)
    assert party.game.status == "gathering"
    done(party.ana.does("pick_number", number=12))
    done(party.ana.does("start_bout"))


def test_bk25_a_regular_leaves_the_number_of_a_house_rule_alone(party: Party):
    written(party)
    done(party.ana.does("add_regular"))
    assert party.game.entrants.get(seat__regular="steady").number == 11, "they like the 10 best"
    party.begins()


def test_bk25_a_regular_gives_way_to_a_house_rule_written_since(party: Party):
    done(party.ana.does("add_regular"))
    assert party.game.entrants.get(seat__regular="steady").number == 10
    written(party)
    party.begins(11)
    assert party.state.numbers == (11, 17, 9)
    assert party.events("number_picked")[-1].data == {"name": "Old Marrow", "number": 9}


def test_bk25_a_regular_without_a_free_number_watches(party: Party):
    for number in range(2, 18):
        written(party, number=number)
    done(party.ana.does("pick_number", number=18))
    done(party.ben.does("pick_number", number=19))
    done(party.ana.does("add_regular"))
    done(party.ana.does("choose_first", who=party.ana.seat))
    done(party.ana.does("start_bout"))
    assert party.state.names == ("Ana", "Ben")


@pytest.mark.parametrize(
    "rule",
    [
        "",
        "no json",
        "[]",
        "{}",
        "[" * 3000,
        json.dumps({**CAT, "effects": []}),
        json.dumps({**CAT, "effects": [{"kind": "explode"}]}),
        json.dumps({**CAT, "effects": [{"kind": "lose", "amount": 10**30}]}),
        json.dumps({**CAT, "name": ""}),
        json.dumps({**CAT, "name": "x" * 41}),
        json.dumps({**CAT, "cry": "\u202e\u0000"}),
        json.dumps({**CAT, "on": "tuesdays"}),
        json.dumps({**CAT, "surprise": 1}),
        json.dumps(CAT).replace('"number"', '"number": 11, "number"'),
        json.dumps(CAT) + " " * 4000,
    ],
)
def test_a_rule_that_is_none_is_refused_with_a_reason(party: Party, rule):
    assert refused(party.ana.does("add_house_rule", rule=rule), 422)
    assert not HouseRule.objects.exists()


def test_twenty_rules_are_enough(party: Party):
    for _rule in range(20):
        written(party)
    refused(party.ana.does("add_house_rule", rule=json.dumps(CAT)), 409)


def test_a_rule_is_shared_as_a_link_and_as_a_small_file(party: Party):
    rule = written(party)
    packed = share_code(bk_rule(rule))
    page = party.cleo.client.get(f"/house-rule/{packed}/")
    assert page.status_code == 200
    assert "The Cat" in notice(page)
    file = party.cleo.client.get(f"/house-rule/{packed}/", {"file": "1"})
    assert "attachment" in file.headers["Content-Disposition"]
    address = f"https://x.example/house-rule/{packed}/"
    asked = f"https://x.example/?rule={packed}"
    links = (asked, f" {address}\n", address[:-1], f"{address}?file=1")
    for brought in (packed, file.content.decode(), *links):
        answer = party.ana.client.post(
            f"/t/{party.table.code}/gm/house-rule/",
            {"text": brought, "tap": f"press-{len(brought)}"},
        )
        assert answer.status_code == 302, notice(answer)
    sent = SimpleUploadedFile("house-rule.json", file.content)
    answer = party.ana.client.post(
        f"/t/{party.table.code}/gm/house-rule/", {"text": "", "file": sent, "tap": "press-file"}
    )
    assert answer.status_code == 302, notice(answer)
    rules = [json.dumps(r.rule, sort_keys=True) for r in HouseRule.objects.all()]
    assert len(set(rules)) == 1  # what came back is what was sent
    assert len(rules) == 8


@pytest.mark.parametrize(
    ("file", "why"),
    [
        (b"", "elige su archivo"),
        (b"\x89PNG\r\n\x1a\n", "no es de texto"),
        (b" " * 20_000, "demasiado grande"),
        (b"{", "trae el texto entero"),
        (json.dumps({**CAT, "on": "tuesdays"}).encode(), "«on» falta"),
        (json.dumps(CAT).replace("{", '{"cry": "?", ', 1).encode(), "«cry» está aquí dos veces"),
    ],
)
def test_bk25_a_file_that_is_no_rule_is_refused_in_the_hosts_language(
    party: Party, file: bytes, why: str
):
    """A rule is read back with validation: what is wrong is said, not in a decoder's English."""
    done(party.ana.does("speak", language="es"))
    answer = party.ana.client.post(
        f"/t/{party.table.code}/gm/house-rule/",
        {"text": "", "file": SimpleUploadedFile("house-rule.json", file)},
    )
    assert answer.status_code == 422
    assert why in notice(answer)
    assert not HouseRule.objects.exists()


def bk_rule(kept: HouseRule) -> bk.HouseRule:
    return msgspec.convert(kept.rule, bk.HouseRule)


@pytest.mark.parametrize("packed", ["x", "AAAA", "_-_-", "eyJ9", "A" * 5000])
def test_a_link_that_carries_no_rule_is_refused(db, client, packed):
    assert client.get(f"/house-rule/{packed}/").status_code == 422


def test_the_editor_keeps_what_was_typed(party: Party):
    answer = party.ana.client.post(
        f"/t/{party.table.code}/gm/house-rule/",
        {"name": "The Toast", "cry": "Cheers!", "number": "20", "kind-1": "regain"},
    )
    assert answer.status_code == 422
    page = notice(answer)
    assert 'value="The Toast"' in answer.content.decode()
    assert "20" in page
    assert "&#39;" not in page.split("Name of the rule")[0]  # words, not a Python value


def test_the_editor_writes_a_rule(party: Party):
    answer = party.ana.client.post(
        f"/t/{party.table.code}/gm/house-rule/",
        {
            "name": "The Toast",
            "cry": "Cheers!",
            "number": "10",
            "on": "both",
            "kind-1": "regain",
            "target-1": "everyone",
            "amount-1": "1",
            "tap": "a",
        },
    )
    assert answer.status_code == 302
    assert HouseRule.objects.get().rule["name"] == "The Toast"


def test_bk25_a_call_that_was_not_chosen_is_asked_for_where_it_is_chosen(party: Party):
    """At the top of a long page nobody saw which of three effects was meant."""
    typed = {"name": "The Toast", "cry": "Cheers!", "number": "10", "kind-2": "roll_next"}
    answer = party.ana.client.post(f"/t/{party.table.code}/gm/house-rule/", typed)
    assert answer.status_code == 422
    page = answer.content.decode()
    (why,) = re.findall(r'<p class="error" id="call-2-error">(.+?)</p>', page)
    assert "under BRAVE or KNAVE" in why
    assert re.search(r'<select id="call-2"[^>]* aria-describedby="call-2-error"', page)
    assert "call-1-error" not in page


def offered(party: Party) -> dict[str, str]:
    """Return the numbers that the form offers, with whose they are; the chosen one as `on`."""
    page = party.ana.sees("gm/house-rule/")
    listed = re.findall(r'<option value="(\d+)"( selected)?>\d+(?: · ([^<]+))?</option>', page)
    numbers = {number: html.unescape(taken) for number, _on, taken in listed if int(number) > 5}
    return {**numbers, "on": next(n for n, on, _taken in listed if on and int(n) > 5)}


def test_bk25_the_form_says_whose_a_number_is_already(party: Party):
    """A rule can take nobody's number: whoever writes one sees it before, not when all wait."""
    assert offered(party)["on"] == "13"
    done(party.ana.does("pick_number", number=13))
    done(party.ben.does("pick_number", number=17))
    written(party)
    off = written(party, number=8, name="The Owl")
    done(party.ana.does("switch_house_rule", rule=off.pk, on="false"))
    numbers = offered(party)
    assert (numbers["13"], numbers["17"], numbers["10"]) == ("Ana", "Ben", "house rule “The Cat”")
    assert numbers["8"] == "", "nothing is in its way as long as it is off"
    assert numbers["on"] == "12", "what is offered is free"
    written(party, number=17, name="The Hound")
    assert offered(party)["17"] == "Ben and house rule “The Hound”"


def test_bk25_who_has_played_gathers_with_the_same_number_so_it_is_taken(party: Party):
    party.begins(13, 17).rolls(party.ana, 5).challenges(party.ben, "brave", 1)
    assert party.game.status == "over"
    assert offered(party)["13"] == "Ana"


def test_bk25_the_form_offers_every_effect_and_target_in_words(party: Party):
    """A kind of effect that is added has words and a place in the form."""
    page = party.ana.sees("gm/house-rule/")
    told = set()
    for kind, target in product(get_args(EffectKind), get_args(Target)):
        assert f'<option value="{kind}"' in page
        assert f'<option value="{target}"' in page
        call = bk.Call.KNAVE if kind == "roll_next" else None
        rule = bk.HouseRule("The Cat", "Meow!", 10, "both", (bk.Effect(kind, target, 2, call),))
        told.update(effects_in_words(rule))
    targetless = len(TARGETLESS)
    assert (
        len(told) == (len(get_args(EffectKind)) - targetless) * len(get_args(Target)) + targetless
    )


def test_bk25_the_form_and_the_rules_page_say_from_whom_a_challenge_is_counted(party: Party):
    """Whom "the roller" means, and who picks, could be read two ways on a challenge."""
    rules = party.ana.client.get("/rules/brave-or-knave/").content.decode()
    for page in (party.ana.sees("gm/house-rule/"), rules):
        assert "the roller is whoever had rolled the number to beat" in page
