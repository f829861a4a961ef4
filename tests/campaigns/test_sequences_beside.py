"""Several sequences at once; held, joined, left, ended, called off (WA-38, WA-60, WA-108)."""

from __future__ import annotations

import random
import re

import pytest

from campaigns.models import Character, Scene, Sequence
from campaigns.screens.newest import ended_text
from games.snapshot import load
from tests.campaigns.brawl import Brawl, duel, four
from tests.games.party import dice_fall_by
from tests.security.shown import Shown

pytestmark = pytest.mark.django_db


def offers(brawl: Brawl, what: str, name: str = "") -> bool:
    """Tell whether the GM's page has a button: `hold`, or `join` with who would come in."""
    if brawl.troupe.table.rules != "wicked_age":
        brawl.troupe.do(brawl.troupe.erin, "turn_table", rules="wicked_age")
    who = f"-{brawl.id(name)}" if name else ""
    return f'id="{what}-{brawl.key}{who}"' in brawl.troupe.erin.sees("gm/")


def between(brawl: Brawl, *watching: str) -> Brawl:
    """Play the first round of Amek and Mekha, in which others only watch."""
    brawl.takes("Amek", "with_violence", "directly").takes("Mekha", "directly", "for_myself")
    for name in watching:
        brawl.takes(name, "self_protection")
    brawl.rolls("Amek", 5, 6).rolls("Mekha", 6, 9)
    # Nobody's roll is another's: no lots are drawn.
    for name, low in zip(watching, ((2, 1), (3, 1), (3, 2), (4, 1), (4, 2)), strict=False):
        brawl.rolls(name, *low)
    brawl.moves("Mekha", "Amek").rolls("Amek", 2, 9)
    while brawl.phase == "turn":
        brawl.moves(*brawl.names([brawl.state.mover]))
    return brawl


def test_two_sequences_share_one_owe_list(brawl: Brawl):
    owed = brawl.troupe.owes("Mekha")[0]
    other = Brawl(brawl.troupe)
    duel(brawl)
    other.begins("Tajie", "Esan").takes("Tajie", "for_myself", "covertly").takes("Esan", "action")
    brawl.turn("Mekha", "buy_die", owed=owed.pk).rolls("Amek", 5, 6).rolls("Mekha", 6, 9, 1)
    other.rolls("Tajie", 9, 5).rolls("Esan", 8, 7).moves("Tajie", "Esan").rolls("Esan", 10, 2)
    assert brawl.refuses("Mekha", "buy_die", 404, owed=owed.pk)
    brawl.moves("Mekha", "Amek").rolls("Amek", 2, 9)
    assert (brawl.owed(), other.phase) == (["Mekha"], "between")
    other.goes_on("Tajie")
    assert [one.name for one in other.state.owe_list] == [other.ref("Mekha")]
    assert brawl.is_replayed()
    assert other.is_replayed()


def test_wa111_a_die_the_gm_sets_right_is_rolled_from_now_on(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6)
    one = brawl.one("Mekha")
    one.forms = {**one.forms, "directly": {"base": 8, "current": 4}}
    Character.objects.filter(pk=one.pk).update(forms=one.forms)
    brawl.rolls("Mekha", 4, 9)
    brawl.moves("Mekha", "Amek").rolls("Amek", 1, 2)
    brawl.settles("Mekha", "Amek", "injured")
    assert brawl.state.of(brawl.ref("Mekha")).forms["directly"] == (4,)
    assert brawl.dice("Mekha")["directly"] == 4
    assert brawl.is_replayed()


@pytest.mark.parametrize("gone", ["mark_away", "mark_left"])
def test_who_goes_home_in_the_middle_leaves_the_dice_to_the_gm(brawl: Brawl, gone: str):
    """Amy keeps her seat, her phone is on the bus: all waited for a roll without a button."""
    troupe = brawl.troupe
    duel(brawl).rolls("Amek", 5, 6)
    assert not offers(brawl, "roll", "Mekha")
    troupe.do(troupe.erin, gone, member=troupe.member("Amy").pk, on="true")
    assert offers(brawl, "roll", "Mekha")
    assert not offers(brawl, "roll", "Tajie")
    troupe.do(troupe.erin, gone, member=troupe.member("Amy").pk, on="false")
    assert not offers(brawl, "roll", "Mekha")


def test_wa38_dice_are_held_between_rounds(brawl: Brawl):
    erin = brawl.troupe.erin
    key = duel(brawl).key
    brawl.does("Amek", "hold_sequence", by=erin, sequence=key)
    assert "held" in brawl.refuses("Amek", "roll_forms")
    assert brawl.troupe.told("sequence_held") == ("Those dice wait: Pulls Mekha out by his hair.")
    brawl.does("Amek", "hold_sequence", by=erin, sequence=key, on="false").rolls("Amek", 5, 6)
    assert "between rounds" in brawl.refuses("Amek", "hold_sequence", by=erin, sequence=key)
    assert brawl.refuses("Amek", "hold_sequence", 403, sequence=key)


def test_wa38_the_gm_may_cut_away_until_the_first_die_has_fallen(brawl: Brawl):
    brawl.begins("Amek", "Mekha").takes("Amek", "with_violence", "directly")
    assert offers(brawl, "hold")
    brawl.takes("Mekha", "directly", "for_myself")
    assert offers(brawl, "hold")
    brawl.rolls("Amek", 5, 6)
    assert not offers(brawl, "hold")


def test_wa26_who_does_not_reach_far_is_not_offered_to_come_in(brawl: Brawl):
    for name in ("Amek", "Mekha"):
        brawl.troupe.strength(brawl.one(name), f"A sight of {name}", options=["far_reaching"])
    brawl.begins("Amek", "Mekha", needs_far_reach="true")
    between(brawl)
    assert not offers(brawl, "join", "Tajie")
    assert offers(brawl, "join", "Esan")
    assert "beyond Tajie" in brawl.refuses("Tajie", "join_sequence", by=brawl.troupe.erin)
    brawl.troupe.strength(brawl.one("Tajie"), "A dream", options=["far_reaching"])
    assert offers(brawl, "join", "Tajie")


def test_wa73_who_has_lost_elsewhere_is_not_offered_to_come_in_before_it_is_settled(brawl: Brawl):
    between(brawl.begins("Amek", "Mekha"))
    other = Brawl(brawl.troupe).begins("Esan", "Tajie")
    other.takes("Esan", "action").takes("Tajie", "directly", "covertly")
    other.rolls("Esan", 12, 8).rolls("Tajie", 2, 1).moves("Esan", "Tajie").rolls("Tajie", 2, 1)
    assert not offers(brawl, "join", "Tajie")
    other.settles("Esan", "Tajie")
    assert offers(brawl, "join", "Tajie")


def test_wa41_nobody_is_offered_to_come_in_where_eight_are_in_it(brawl: Brawl):
    six = [f"Watchman {number}" for number in range(1, 7)]
    for name in six:
        brawl.troupe.do(brawl.troupe.erin, "make_npc", name=name, best="action")
    between(brawl.begins("Amek", "Mekha", *six[:5]), *six[:5])
    assert offers(brawl, "join", "Watchman 6")
    brawl.turn("Watchman 6", "join_sequence", by=brawl.troupe.erin)
    assert not offers(brawl, "join", "Tajie")
    assert "Eight" in brawl.refuses("Tajie", "join_sequence", by=brawl.troupe.erin)


def test_wa108_somebody_comes_in_between_rounds(brawl: Brawl):
    erin = brawl.troupe.erin
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9).moves("Mekha", "Amek")
    brawl.rolls("Amek", 2, 9)
    brawl.turn("Tajie", "join_sequence", by=erin).goes_on("Amek")
    assert brawl.phase == "choose"
    # The chronicle told who leaves a fight, and had Tajie strike in it who had not come.
    page = brawl.troupe.amy.sees("campaign/1/").split("What happened", 1)[1].split("Cast", 1)[0]
    assert "Tajie comes into it." in page
    brawl.takes("Tajie", "for_myself", "covertly")
    brawl.rolls("Tajie", 12, 1).rolls("Amek", 5, 6).rolls("Mekha", 6, 9, 1)
    assert brawl.names(brawl.state.order) == ["Tajie", "Mekha", "Amek"]
    assert brawl.is_replayed()


def test_wa108_somebody_goes_between_rounds_without_a_settlement(brawl: Brawl):
    erin = brawl.troupe.erin
    brawl.begins("Amek", "Mekha", "Tajie")
    for name in ("Amek", "Mekha", "Tajie"):
        brawl.takes(name, "directly", "covertly")
    brawl.rolls("Amek", 9, 6).rolls("Mekha", 7, 3).rolls("Tajie", 2, 1)
    assert "between rounds" in brawl.refuses("Mekha", "leave_sequence", by=erin)
    brawl.moves("Amek", "Mekha").rolls("Mekha", 8, 1).rolls("Tajie", 2, 1).moves("Tajie")
    assert brawl.names(one.over for one in brawl.state.won) == ["Mekha"]
    brawl.refuses("Mekha", "leave_sequence", 403)
    brawl.turn("Mekha", "leave_sequence", by=erin)
    assert brawl.troupe.told("sequence_left") == "Mekha is not in it any more."
    assert brawl.names(brawl.state.inside) == ["Amek", "Tajie"]
    assert brawl.is_replayed()
    brawl.turn("Tajie", "leave_sequence", by=erin)
    assert brawl.row.is_over


def test_wa60_it_ends_when_all_who_are_left_agree(brawl: Brawl):
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9).moves("Mekha", "Amek")
    assert "between rounds" in brawl.refuses("Amek", "agree_to_end")
    brawl.rolls("Amek", 2, 9).turn("Amek", "agree_to_end")
    assert brawl.row.agreed == [brawl.ref("Amek")]
    brawl.turn("Amek", "agree_to_end", on="false").turn("Mekha", "agree_to_end")
    assert not brawl.row.is_over
    brawl.turn("Amek", "agree_to_end")
    assert brawl.row.is_over
    assert brawl.is_replayed()
    assert "over" in brawl.refuses("Amek", "roll_forms")


def test_wa60_a_word_for_the_end_counts_between_these_two_rounds_only(brawl: Brawl):
    """What was agreed before the next round says nothing of how that one left them."""
    duel(brawl).rolls("Amek", 5, 6).rolls("Mekha", 6, 9).moves("Mekha", "Amek").rolls("Amek", 2, 9)
    brawl.turn("Amek", "agree_to_end").goes_on("Mekha")
    assert brawl.row.agreed == []
    brawl.rolls("Amek", 5, 6).rolls("Mekha", 6, 9, 1).moves("Mekha", "Amek").rolls("Amek", 2, 9)
    assert brawl.phase == "between"
    brawl.turn("Mekha", "agree_to_end")
    assert not brawl.row.is_over


def test_what_a_fight_came_to_stands_until_something_else_begins(brawl: Brawl):
    """On the phones it is above everything, so it goes when the chapter's end begins."""
    table, erin = brawl.troupe.table.pk, brawl.troupe.erin
    duel(brawl).rolls("Amek", 2, 2).rolls("Mekha", 6, 9).moves("Mekha", "Amek").rolls("Amek", 1, 2)
    brawl.settles("Mekha", "Amek", "exhausted")
    assert "Mekha leaves Amek exhausted" in ended_text(load(table))
    brawl.troupe.do(erin, "propose_end")
    assert ended_text(load(table)) == ""
    brawl.troupe.do(erin, "step_back")
    assert ended_text(load(table)) == ""


def test_a_sequence_called_off_leaves_the_table_and_changes_nothing(brawl: Brawl):
    four(brawl)
    brawl.rolls("Mekha", 6, 1).rolls("Tajie", 7, 7).rolls("Amek", 10, 1).rolls("Esan", 10, 4)
    brawl.moves("Esan", "Amek", "Tajie").rolls("Amek", 4, 2).settles("Esan", "Amek", "injured")
    brawl.does("Esan", "call_off_sequence", sequence=brawl.key)
    assert (brawl.row.is_over, brawl.game.status) == (True, "ended")
    assert brawl.dice("Amek")["covertly"] == 6
    Brawl(brawl.troupe).begins("Amek", "Tajie")


def test_dice_that_are_on_the_table_again_put_away_what_somebody_began_since(brawl: Brawl):
    """WA-38: nobody can be in two sequences at once, not even by an undo."""
    troupe, key = brawl.troupe, duel(brawl).key
    brawl.does("Amek", "call_off_sequence", by=troupe.erin, sequence=key)
    called_off = troupe.last("sequence_called_off").seq
    again = Brawl(troupe).begins("Amek", "Esan")
    words = troupe.refusal(troupe.erin, "undo", event=called_off)
    assert "1 later move hangs on it" in words
    troupe.do(troupe.erin, "undo", event=called_off, sure="true")
    assert not Sequence.objects.filter(pk=again.key).exists()
    assert not Sequence.objects.get(pk=key).is_over


def test_a_sequence_belongs_to_the_scene_that_plays(brawl: Brawl):
    scene = Scene.objects.create(chapter=brawl.troupe.chapter, where="The camp", is_current=True)
    brawl.begins("Amek", "Mekha")
    assert (brawl.row.scene, brawl.row.number) == (scene, 1)
    assert Sequence.objects.count() == 1


def test_who_has_dice_on_the_table_is_asked_into_no_second_fight(brawl: Brawl):
    """Their box is there and says why; a player whose own dice lie takes up no others."""
    erin, amek, tajie = brawl.troupe.erin, brawl.player("Amek"), brawl.player("Tajie")
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    assert 'data-may="interest start' in tajie.sees()

    def is_off(page: str, box: str) -> bool:
        found = re.search(rf'<input [^>]*id="{box}"[^>]*>', page)
        assert found, box
        return "disabled" in found[0]

    brawl.begins("Amek", "Esan")
    for page in (tajie.sees(), erin.sees("gm/")):
        assert is_off(page, f"side-{brawl.id('Amek')}")
        assert is_off(page, f"side-{brawl.id('Esan')}")
        assert not is_off(page, f"side-{brawl.id('Mekha')}")
    assert is_off(erin.sees("gm/"), f"actor-{brawl.id('Esan')}")
    assert 'data-may="interest start' in tajie.sees()
    assert 'data-may="interest start' not in amek.sees()


def test_wa43_pairs_that_lie_in_a_fight_are_laid_again_by_no_button(
    brawl: Brawl, monkeypatch: pytest.MonkeyPatch
):
    """Her card offered "Make it: best at", which was refused as long as her dice lay (WA-15)."""
    erin, esan = brawl.troupe.erin, brawl.one("Esan")
    dice_fall_by(random.Random(1), monkeypatch)  # the names that a sheet's page suggests
    brawl.troupe.do(erin, "turn_table", rules="wicked_age")
    pages = ("gm/", f"character/{esan.number}/")

    def offered() -> list[bool]:
        return ["best" in _names_of(Shown(erin.sees(page)), esan.pk) for page in pages]

    assert offered() == [True, True]
    brawl.begins("Amek", "Esan").takes("Amek", "covertly", "directly").takes("Esan", "maneuvering")
    assert offered() == [False, False]
    brawl.rolls("Amek", 8, 7).rolls("Esan", 2, 1).moves("Amek", "Esan").rolls("Esan", 3, 1)
    assert brawl.phase == "settle"
    assert offered() == [False, False], "what she has lost is taken off the dice that lay there"
    lay = {"character": esan.pk, "best": "maneuvering"}
    assert "one by one" in brawl.troupe.refusal(erin, "write_npc", **lay)
    brawl.troupe.refusal(erin, "mark_character", character=esan.pk, state="dead")
    brawl.settles("Amek", "Esan", "injured")
    assert brawl.one("Esan").forms["maneuvering"] == {"base": [10, 6], "current": [8, 4]}


def _names_of(page: Shown, character: int) -> set[str]:
    """Return what the forms about a character send, by their fields and their buttons."""
    about = ("character", str(character))
    forms = [f for f in page.forms if about in [(one.name, one.value) for one in f.fields]]
    fields = {one.name for form in forms for one in form.fields}
    return fields | {name for form in forms for name, _value in form.buttons}
