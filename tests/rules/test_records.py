"""Records: what is read, what is refused and at which line, and what is never written."""

from __future__ import annotations

import json
import time

import pytest

from games.rules import brave_or_knave as bk
from games.rules import records
from games.rules.brave_or_knave import (
    Blind,
    Deal,
    Digit,
    Effect,
    Finger,
    Leave,
    Phase,
    Roll,
    Setup,
    Shroud,
)
from games.rules.dice import TypedDice
from games.rules.engine import IllegalAction
from tests.rules.recorded import end, error, lines
from tests.rules.scenario import BRAVE, KNAVE, Bout, bout, four, house

FIRST = {
    "game": "brave_or_knave",
    "format": 1,
    "seats": ["Moth", "Ash", "Vane"],
    "numbers": {"Moth": 7, "Ash": 13, "Vane": 2},
}
CAT = {
    "name": "The Cat",
    "cry": "Meow!",
    "number": 10,
    "on": "both",
    "effects": [{"kind": "lose", "target": "everyone_else", "amount": 2}],
}
OPENS = {"by": "Moth", "action": "roll", "dice": [11]}


def test_the_rules_pages_example_reads():
    first = FIRST | {"first": "Moth", "variations": ["shroud", "nine_sisters"], "unison_ms": 120}
    last = end(
        first,
        OPENS,
        {"by": "Ash", "action": "shout", "call": "brave", "at_ms": 640},
        {"by": None, "action": "close"},
        {"by": "Ash", "action": "roll", "dice": [15]},
    )
    assert last.table.shroud
    assert last.table.nine_sisters
    assert json.loads(last.summary()) == {
        "phase": "shout",
        "must": ["Moth", "Vane"],
        "standing": 15,
        "roller": "Ash",
        "call": None,
        "fingers": {"Moth": 5, "Ash": 5, "Vane": 5},
        "winners": [],
    }


def test_a_summary_keeps_its_keys_in_order_and_its_names_as_they_are():
    names = FIRST | {"seats": ["Ünda", "Ash"], "numbers": {"Ünda": 7, "Ash": 13}}
    summary = end(names).summary()
    keys = ["phase", "must", "standing", "roller", "call", "fingers", "winners"]
    assert list(json.loads(summary)) == keys
    assert '"Ünda"' in summary


def test_the_call_is_told_while_somebody_is_challenged():
    last = end(
        FIRST,
        OPENS,
        {"by": "Ash", "action": "shout", "call": "knave", "at_ms": 0},
        {"by": None, "action": "close"},
    )
    assert (bk.summary(last.state)["call"], bk.summary(last.state)["phase"]) == (
        "knave",
        "challenge",
    )


def test_without_first_the_first_seat_begins_and_the_window_is_120_ms():
    table = end(FIRST).table
    assert (table.first, table.unison_ms, table.shroud, table.house_rules) == (0, 120, False, ())


def test_house_rules_may_stand_in_the_first_line():
    last = end(FIRST | {"house_rules": [CAT]}, OPENS | {"dice": [10]})
    assert last.state.fingers == (5, 3, 3)


def test_byte_order_marks_windows_ends_and_blank_lines_do_no_harm():
    first, opens = lines(FIRST, OPENS)
    told = [b"\xef\xbb\xbf" + first + b"\r\n", b"\r\n", b"  \n", opens + b"\r\n", b"\n"]
    assert end(*told).line == 4
    assert error(*told, b"oops\n").line == 6


BAD_FIRST = {
    "not json": b"{",
    "not an object": [],
    "not utf-8": json.dumps(FIRST).encode().replace(b"Moth", b"M\xff"),
    "no game": {"format": 1},
    "another game": FIRST | {"game": "liars_dice"},
    "another format": FIRST | {"format": 2},
    "a bool for a format": FIRST | {"format": True},
    "an action": OPENS,
    "a field too many": FIRST | {"mood": "dim"},
    "no seats": {key: FIRST[key] for key in ("game", "format", "numbers")},
    "no numbers": {key: FIRST[key] for key in ("game", "format", "seats")},
    "one seat": FIRST | {"seats": ["Moth"], "numbers": {"Moth": 7}},
    "a number for nobody": FIRST | {"numbers": FIRST["numbers"] | {"Rook": 4}},
    "a number missing": FIRST | {"numbers": {"Moth": 7, "Ash": 13}},
    "a number twice": FIRST | {"numbers": {"Moth": 7, "Ash": 7, "Vane": 2}},
    "a number out of range": FIRST | {"numbers": {"Moth": 1, "Ash": 7, "Vane": 2}},
    "a number in words": FIRST | {"numbers": {"Moth": "7", "Ash": 13, "Vane": 2}},
    "a name twice": FIRST | {"seats": ["Moth", "Ash", "Moth"], "numbers": {"Moth": 7, "Ash": 13}},
    "nobody first": FIRST | {"first": "Rook"},
    "an unknown variation": FIRST | {"variations": ["strip"]},
    "a negative window": FIRST | {"unison_ms": -1},
    "a house rule without effects": FIRST
    | {"house_rules": [{"name": "C", "cry": "!", "number": 10, "on": "both", "effects": []}]},
    "a house rule with a field too many": FIRST
    | {
        "house_rules": [
            {"name": "C", "cry": "!", "number": 10, "on": "both", "effects": [], "x": 1}
        ]
    },
}


@pytest.mark.parametrize("line", BAD_FIRST.values(), ids=BAD_FIRST)
def test_a_first_line_that_sets_up_no_game_is_refused(line):
    assert error(line, OPENS).line == 1


BAD_ACTION = {
    "not json": b'{"by": "Moth"',
    "two objects": json.dumps(OPENS).encode() * 2,
    "not utf-8": b'{"by": "M\xff", "action": "leave"}',
    "no by": {"action": "roll", "dice": [11]},
    "no action": {"by": "Moth"},
    "an unknown action": {"by": "Moth", "action": "dance"},
    "a stranger": {"by": "Rook", "action": "roll", "dice": [11]},
    "nobody": {"by": None, "action": "roll", "dice": [11]},
    "a seat's number": {"by": 0, "action": "roll", "dice": [11]},
    "no dice": {"by": "Moth", "action": "roll"},
    "two dice": {"by": "Moth", "action": "roll", "dice": [11, 12]},
    "a 0": {"by": "Moth", "action": "roll", "dice": [0]},
    "a 21": {"by": "Moth", "action": "roll", "dice": [21]},
    "a bool": {"by": "Moth", "action": "roll", "dice": [True]},
    "a fraction": {"by": "Moth", "action": "roll", "dice": [11.5]},
    "a die in words": {"by": "Moth", "action": "roll", "dice": ["11"]},
    "a bare die": {"by": "Moth", "action": "roll", "dice": 11},
    "a field too many": OPENS | {"mood": "dim"},
    "an unknown source": OPENS | {"source": "luck"},
    "a cup with a face": OPENS | {"cupped": True},
    "dice for a shout": {"by": "Ash", "action": "shout", "call": "brave", "at_ms": 1, "dice": [3]},
    "no call": {"by": "Ash", "action": "shout", "at_ms": 1},
    "no moment": {"by": "Ash", "action": "shout", "call": "brave"},
    "an unknown call": {"by": "Ash", "action": "shout", "call": "coward", "at_ms": 1},
    "not now": {"by": "Ash", "action": "shout", "call": "brave", "at_ms": 1},
    "not theirs": {"by": "Ash", "action": "roll", "dice": [11]},
    "an unknown finger": {"by": "Ash", "action": "finger", "which": "nose"},
    "fingers for a stranger": {"by": "Ash", "action": "deal", "fingers": {"Rook": 3}},
    "a stranger named": {"by": "Ash", "action": "name", "to": "Rook", "call": "brave"},
}


@pytest.mark.parametrize("line", BAD_ACTION.values(), ids=BAD_ACTION)
def test_a_line_that_is_no_legal_action_is_refused_with_its_number(line):
    assert error(FIRST, b"", line, OPENS).line == 3


@pytest.mark.parametrize(
    ("line", "why"),
    [
        (b"[" * 100_000, "this line is nested too deep"),
        (b'{"a":' * 100_000, "this line is nested too deep"),
        (b'{"by": "M\xff", "action": "leave"}', "this line is not UTF-8 text"),
        ('{"by": "Moth"}'.encode("utf-16"), "this line is not UTF-8 text"),
    ],
)
def test_a_line_that_no_reader_can_take_in_is_refused_in_plain_words(line, why):
    assert (error(FIRST, line).line, error(FIRST, line).why) == (2, why)
    assert error(line).why == why


TOLD_TWICE = {
    "a die": b'{"by": "Moth", "action": "roll", "dice": [11], "dice": [12]}',
    "who": b'{"by": "Ash", "action": "roll", "dice": [11], "by": "Moth"}',
    "a key inside": b'{"by": "Ash", "action": "deal", "fingers": {"Moth": 1, "Moth": 2}}',
}


@pytest.mark.parametrize("line", TOLD_TWICE.values(), ids=TOLD_TWICE)
def test_what_stands_twice_in_one_object_is_refused_and_named(line):
    """A record replays to one end for every reader: which of the two counts, JSON leaves open."""
    refused = error(FIRST, line)
    assert refused.line == 2
    assert refused.why.startswith("this is told twice in one object: ")


def test_a_number_told_twice_for_one_name_is_refused():
    twice = json.dumps(FIRST).replace('"Moth": 7', '"Moth": 7, "Moth": 8').encode()
    assert error(twice).why == 'this is told twice in one object: "Moth"'


WHOLE, IN_PARTS = "M\N{LATIN SMALL LETTER E WITH ACUTE}", "Me\N{COMBINING ACUTE ACCENT}"


def test_bk2_an_accent_of_its_own_makes_no_other_name():
    """BK-2: unique at the table; the two are the same letters to everybody who reads them."""
    numbers = {WHOLE: 7, IN_PARTS: 13}
    pair = FIRST | {"seats": [WHOLE, IN_PARTS]}
    assert error(json.dumps(pair | {"numbers": numbers}).encode()).line == 1
    apart = Setup((WHOLE, IN_PARTS.upper()), (7, 13))
    with pytest.raises(IllegalAction, match="BK-2"):
        bk.setup(apart, TypedDice(()))


def test_bk2_a_name_is_found_either_way_and_printed_as_the_seats_have_it():
    first = FIRST | {
        "seats": [WHOLE, "Ash"],
        "numbers": {IN_PARTS: 7, "Ash": 13},
        "first": IN_PARTS,
    }
    last = end(first, {"by": IN_PARTS, "action": "roll", "dice": [11]})
    assert json.loads(last.summary())["fingers"] == {WHOLE: 5, "Ash": 5}


def test_nothing_follows_the_end():
    pair = FIRST | {"seats": ["Moth", "Ash"], "numbers": {"Moth": 7, "Ash": 13}}
    grave = OPENS | {"dice": [1]}
    assert end(pair, grave).state.phase is Phase.OVER
    assert error(pair, grave, OPENS).line == 3


def test_an_empty_record_is_refused():
    assert error().line == 1
    assert error(b"", b"\n").line == 2


def test_a_refusal_that_quotes_the_line_is_short_and_does_nothing_to_a_terminal():
    assert len(error(FIRST, {"by": "Moth", "action": "x" * 1_000_000}).why) < 400
    red = error(FIRST, OPENS | {"\x1b[31m\u202e\nred": 1}).why
    assert "\\x1b[31m\\u202e\\nred" in red
    assert red.isprintable()


def test_a_refused_action_tells_its_rule():
    assert error(FIRST, OPENS, {"by": "Moth", "action": "knock"}, OPENS).line == 4
    assert "BK-11" in error(FIRST, OPENS, {"by": "Ash", "action": "knock"}).why
    assert "BK-7" in error(FIRST, OPENS | {"dice": [11, 12]}).why
    assert "BK-7" in error(FIRST, OPENS | {"dice": []}).why
    assert "BK-23" in error(FIRST, OPENS | {"cupped": True}).why


def written(table: Bout) -> str:
    return records.write(bk.NAME, table.setup, table.moves)


def everything() -> Bout:
    """A bout with a Shroud, a cup, a deal, a finger given, a pick and a leaver."""
    rules = house(Effect("lose", "picked")).setup.house_rules
    table = four(shroud=True, house_rules=rules)
    table.plays("Vane", Shroud()).rolls("Moth", 6).plays("Vane", Blind(BRAVE)).rolls("Vane", 11)
    table.plays("Vane", Deal((1, 2, 0, 0))).plays("Ash", Finger(Digit.THUMB))
    table.knocks().names("Vane", "Moth", KNAVE).rolls("Moth", 12)
    table.plays("Ash", Shroud()).plays("Moth", Roll(cupped=True)).plays("Ash", Blind(KNAVE))
    table.rolls("Moth", 10).names("Moth", "Rook").plays("Rook", Leave())
    return table


def test_a_written_record_replays_to_the_same_state():
    table = everything()
    assert records.replay(written(table)).state == table.state


@pytest.mark.parametrize("end", ["\x85", "\u2028", "\u2029", "\x9b", "\x7f"])
def test_each_game_is_one_line_to_every_reader_and_nothing_to_a_terminal(end):
    """JSON lets these stand in a name: some readers took what was printed for two lines."""
    names = f"Moth{end}2J", "Ash"
    table = Setup(names, (7, 13), first=0)
    text = records.write(bk.NAME, table, [])
    (told,) = records.replay(text).summary().splitlines()
    assert (len(text.splitlines()), end in text + told) == (1, False)
    assert tuple(json.loads(told)["fingers"]) == names


def test_a_written_record_speaks_as_the_rules_page_does():
    told = [json.loads(line) for line in written(everything()).splitlines()]
    assert told[0]["variations"] == ["shroud"]
    assert {"by": "Moth", "action": "roll", "dice": [6]} in told
    assert {"by": "Moth", "action": "roll", "cupped": True} in told
    assert {"by": "Vane", "action": "deal", "fingers": {"Moth": 1, "Ash": 2}} in told
    assert {"by": "Vane", "action": "name", "to": "Moth", "call": "knave"} in told
    assert {"by": "Moth", "action": "name", "to": "Rook"} in told
    assert {"by": None, "action": "knock"} in told
    assert {"by": "Ash", "action": "finger", "which": "thumb"} in told


def test_a_die_that_still_lies_under_the_hand_is_not_written():
    table = four(shroud=True).plays("Vane", Shroud()).rolls("Moth", 6).plays("Ash", Leave())
    assert "dice" not in written(table)
    last = records.replay(written(table)).state
    assert (last.phase, bk.must(last), last.fingers) == (Phase.OPEN, (0,), (5, 0, 5, 5))


def test_a_die_nobody_ever_saw_is_written_without_its_face():
    table = four(shroud=True).plays("Vane", Shroud()).rolls("Moth", 6).plays("Vane", Leave())
    table.rolls("Rook", 12)
    assert '"dice": [6]' not in written(table)
    assert records.replay(written(table)).state == table.state


def test_a_record_needs_to_know_who_opened():
    with pytest.raises(ValueError, match="who opened"):
        records.write(bk.NAME, Setup(("Moth", "Ash"), (7, 13)), [])


def test_a_long_record_reads_quickly():
    """Ten thousand ties in a row: a loose bound, for machines with other work."""
    table = bout(Moth=17, Ash=18)
    opens, shouts = OPENS | {"dice": [7]}, {"by": "Ash", "action": "shout"}
    again = [
        opens,
        shouts | {"call": "brave", "at_ms": 1},
        {"by": None, "action": "close"},
        *[{"by": who, "action": "roll", "dice": [7]} for who in ("Ash", "Moth") * 5000],
    ]
    first = bk.setup_line(table.setup) | {"game": bk.NAME, "format": 1}
    start = time.process_time()
    assert end(first, *again).line == 10004
    assert time.process_time() - start < 3
