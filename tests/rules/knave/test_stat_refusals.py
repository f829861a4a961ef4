"""Stat lines that nobody can play with: refused with a reason, at once, whatever was pasted."""

from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules.engine import is_within_bounds
from games.rules.knave.convert import Converted, StatLineError, read_stat_line
from games.rules.knave.damage import parse_damage
from games.rules.knave_fight.model import Weapon


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("HP -4", "hit points go"),
        ("HD 1, hp 0", "hit points go"),
        ("HD 1 (99999 hp)", "hit points go"),
        ("HD 999", "hit dice go up"),
        ("HD 999d999+999999999", "hit dice go up"),
        ("HD 1, AC 99999", "no armor class"),
        ("HD 1, AC -400", "no armor class"),
        ("HD 1, AAC 400", "no armor class"),
        ("HD 1, ML 40", "morale goes"),
    ],
)
def test_a_figure_that_no_book_prints_is_refused_with_a_reason(text, why):
    """A slip of the pen is told where it stands: nobody looks for it in what was made of it."""
    with pytest.raises(StatLineError, match=why):
        read_stat_line(text)


@pytest.mark.parametrize(
    "text",
    ["", " \n\t ", "hello there", "AC 7", "ML 7, MV 40", "{}" * 50, "HD", "HD: many", "🐉", "\x00"],
)
def test_nonsense_is_refused_with_a_reason(text):
    with pytest.raises(StatLineError) as caught:
        read_stat_line(text)
    assert "neither hit dice nor hit points" in caught.value.why


def test_a_text_over_4000_characters_is_refused():
    assert read_stat_line("HD 1".ljust(4000)).level == 1
    with pytest.raises(StatLineError, match="4000"):
        read_stat_line("HD 1".ljust(4001))


@pytest.mark.parametrize(
    "piece",
    [
        "HD 1 ",
        "(",
        "[(",
        "1d6/",
        "1-",
        "AC ",
        "#",
        "9",
        "fly 9 ",
        "a ",
        " or 1",
        "MV 1'(",
        "\n",
        "- ",
    ],
)
def test_hostile_text_is_read_quickly(piece):
    for start in ("HD 1, ", "HD 1, #AT ", "HD 1, MV ", "HD ", "HD 1, D: "):
        text = (start + piece * 4000)[:4000]
        began = time.process_time()  # of a neighbour's work nothing counts
        read_stat_line(text) if start != "HD " else _read_or_refuse(text)
        assert time.process_time() - began < 0.5


def _read_or_refuse(text) -> Converted | None:
    try:
        return read_stat_line(text)
    except StatLineError:
        return None


PIECES = (
    "HD hd hp AC CA DG #AT Att attacks: Damage: D ML Moral MV move: THAC0 BAB [ ] ( ) / , ; : \n - "
    "+ × x 1 2 13 -4 999999999999 ½ 1d6 2d4+1 1-8 d8 claw bite weapon by or y fly swim ' \" ft "
    "ſave HıD K * _ # | \u2028 \ud800 ٣"
)
ANY_TEXT = st.one_of(
    st.text(max_size=300), st.lists(st.sampled_from(PIECES.split(" ")), max_size=60).map(" ".join)
)


@given(ANY_TEXT)
def test_any_text_gives_a_playable_monster_or_a_refusal(text):
    line = _read_or_refuse(text)
    if line is None:
        return
    assert 0 <= line.level <= 30
    assert 1 <= line.hp <= 999
    assert 5 <= line.armor_defense <= 30
    assert -5 <= line.attack_bonus <= 30
    assert 2 <= line.morale <= 12
    assert 0 < max(line.speed.walk, line.speed.fly, line.speed.swim) <= 1000
    assert line.attacks
    assert len(line.name) <= 60
    for attack in line.attacks:
        assert 1 <= attack.count <= 20
        parse_damage(attack.damage)
        if attack.rolled is not None:
            dice, die, plus = attack.rolled
            assert is_within_bounds(Weapon(die, dice=dice, plus=plus))
    for note in line.notes:
        assert note.text % note.params
    line.name.encode()
