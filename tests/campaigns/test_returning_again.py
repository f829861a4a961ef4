"""Coming back when the setup has gone back: one player has one character (WA-85, WA-88, WA-89)."""

from __future__ import annotations

import pytest

from campaigns.models import Chapter, Character, Holding, Interest, Part
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from campaigns.snapshot import NEWEST
from campaigns.stage import RULES
from games import snapshot
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.owe_list import owe_lines
from tests.campaigns.troupe import DEALT, ORACLE, Troupe, owed
from tests.games.party import fresh


def they_choose(troupe: Troupe) -> None:
    """Mekha, Amek, Mekha and Amek are owed one; Mekha has come back, and there is a list."""
    troupe.played_once("Mekha", "Amek", "Mekha", "Amek")
    troupe.do(troupe.amy, "open_chapter")
    troupe.do(troupe.amy, "bring_back", owed=owed(troupe, 1))
    troupe.at_step("choose")


@pytest.fixture
def choosing(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(they_choose)


def amek_is_asked_first(troupe: Troupe) -> None:
    """Go back to who comes back; Amy would rather not this time."""
    while troupe.step != "coming_back":
        troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.amy, "decline_return", owed=owed(troupe, 1))


def playing(troupe: Troupe, name: str) -> list[str]:
    parts = troupe.chapter.parts.filter(member=troupe.member(name)).select_related("character")
    return [part.character.name for part in parts]


def test_wa89_who_comes_back_from_the_top_has_not_chosen_another_as_well(choosing: Troupe):
    choosing.do(choosing.tom, "take_cast", line=choosing.line("a priest").pk)
    choosing.do(choosing.martha, "take_cast", line=choosing.line("the widow").pk)
    choosing.do(choosing.tom, "take_cast", line=choosing.line("the widow").pk)  # wants her too
    amek_is_asked_first(choosing)
    choosing.do(choosing.tom, "bring_back", owed=owed(choosing, 2))
    assert choosing.line("a priest").taken_by is None
    assert choosing.line("the widow").wanted_by == []
    choosing.do(choosing.tom, "choose_oracle", oracle=ORACLE)
    choosing.do(choosing.tom, "pick_element", text="A road of salt.")
    choosing.dice.fall(*DEALT[:3])
    choosing.do(choosing.tom, "deal_cards")
    for text in ("a priest", "the widow"):
        choosing.do(choosing.amy, "add_cast", text=f"{text} again")
    choosing.do(choosing.amy, "step_on")
    choosing.do(choosing.amy, "take_cast", line=choosing.line("a priest again").pk)
    choosing.do(choosing.erin, "step_on")
    assert playing(choosing, "Tom") == ["Amek"]


def test_wa89_nor_has_a_sheet_begun_for_that_one(choosing: Troupe):
    for person, text in ((choosing.tom, "a priest"), (choosing.martha, "the widow")):
        choosing.do(person, "take_cast", line=choosing.line(text).pk)
    choosing.do(choosing.erin, "step_on")
    begun = choosing.pc("Tom")
    amek_is_asked_first(choosing)
    choosing.do(choosing.tom, "bring_back", owed=owed(choosing, 2))
    assert playing(choosing, "Tom") == ["Amek"]
    assert not Character.objects.filter(pk=begun.pk).exists()
    choosing.undoes("pc_came_back")
    assert playing(choosing, "Tom") == [begun.name]


def test_wa85_one_who_was_in_it_for_a_struck_name_comes_back_once(choosing: Troupe):
    amek = choosing.named("Amek")
    choosing.do(choosing.tom, "play_former", character=amek.pk, owed=owed(choosing, 2))
    amek_is_asked_first(choosing)
    choosing.do(choosing.amy, "decline_return", owed=owed(choosing, 3))
    choosing.do(choosing.tom, "bring_back", owed=owed(choosing, 4))
    assert playing(choosing, "Tom") == ["Amek"]
    assert choosing.chapter.returning == amek
    struck = choosing.campaign.owed.exclude(struck="")
    assert [row.order for row in struck] == [2], "one occurrence only, and the first of hers"


def test_wa88_her_own_player_has_first_call_on_one_who_was_lent(choosing: Troupe):
    amek = choosing.named("Amek")
    choosing.do(
        choosing.tom, "lend_character", character=amek.pk, member=choosing.member("Martha").pk
    )
    line = choosing.line("a priest").pk
    choosing.do(choosing.martha, "play_former", character=amek.pk, line=line)
    amek_is_asked_first(choosing)
    choosing.do(choosing.tom, "bring_back", owed=owed(choosing, 2))
    assert (playing(choosing, "Tom"), playing(choosing, "Martha")) == (["Amek"], [])
    assert choosing.line("a priest").taken_by is None


def test_wa88_who_gave_the_word_can_take_it_back_and_who_has_it_gives_it_to_nobody(
    choosing: Troupe,
):
    """What a page offers is done: neither can do what the other can."""
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    amek, martha = choosing.named("Amek").pk, choosing.member("Martha").pk
    lends, comes, takes_back = f'id="lend-{amek}-', f'id="former-{amek}-', f'id="lend-{amek}-back"'
    assert comes in choosing.tom.sees()
    assert takes_back not in choosing.tom.sees()
    choosing.do(choosing.tom, "lend_character", character=amek, member=martha)
    assert comes not in choosing.tom.sees()
    assert takes_back in choosing.tom.sees()
    assert comes in choosing.martha.sees()
    assert lends not in choosing.martha.sees()
    choosing.do(choosing.tom, "lend_character", character=amek, member=0)
    assert comes in choosing.tom.sees()


def test_wa90_the_gm_is_offered_npcs_of_before_and_of_the_dead_which_line_they_are(
    choosing: Troupe,
):
    erin, esan, other = choosing.erin, choosing.named("Esan"), choosing.named("Fa Il Shar")
    choosing.do(erin, "turn_table", rules="wicked_age")
    Character.objects.filter(pk=esan.pk).update(state="dead")
    line = choosing.line("the collector")
    page = erin.sees("gm/")
    assert f'id="bring-npc-{other.pk}"' in page
    assert f'id="bring-npc-{esan.pk}"' not in page
    assert f'id="bring-npc-{esan.pk}-as-{line.pk}"' in page
    choosing.do(erin, "bring_npc", character=esan.pk, line=line.pk)
    assert f'id="bring-npc-{esan.pk}-as-' not in erin.sees("gm/")
    while choosing.step != "deal":
        choosing.do(erin, "step_back")
    assert 'id="bring-npc-' not in erin.sees("gm/"), "back at the cards the list is closed"


def test_wa89_nobody_is_handed_one_beside_the_one_they_have_chosen(choosing: Troupe):
    mekha = choosing.named("Mekha")
    to_tom = {"character": mekha.pk, "member": choosing.member("Tom").pk}
    choosing.do(choosing.tom, "take_cast", line=choosing.line("a priest").pk)
    assert "one character" in choosing.refusal(choosing.amy, "hand_character", **to_tom)
    choosing.do(choosing.tom, "leave_cast", line=choosing.line("a priest").pk)
    choosing.do(choosing.martha, "take_cast", line=choosing.line("the widow").pk)
    choosing.do(choosing.tom, "take_cast", line=choosing.line("the widow").pk)  # wants her
    choosing.do(choosing.amy, "hand_character", **to_tom)
    assert choosing.line("the widow").wanted_by == []
    assert playing(choosing, "Tom") == ["Mekha"]


def test_wa25_who_is_sent_back_among_the_dead_has_lost_nothing_by_it(choosing: Troupe):
    """Another has taken up what was hers alone: she gives it up only if she does come back."""
    mekha = choosing.named("Mekha")
    held = mekha.holdings.get()
    held.version = {**held.version, "options": ["unique"]}
    held.save()
    choosing.strength(choosing.named("Esan"))
    Holding.objects.filter(character=choosing.named("Esan")).update(strength=held.strength)
    while choosing.step != "coming_back":
        choosing.do(choosing.erin, "step_back")
    Character.objects.filter(pk=mekha.pk).update(state="dead")
    choosing.do(choosing.amy, "bring_back", owed=owed(choosing, 1), came_back_as="As a ghost.")
    assert fresh(held).is_lost
    choosing.do(choosing.erin, "step_back")
    assert (fresh(mekha).state, fresh(held).is_lost) == ("dead", False)
    assert not Part.objects.filter(chapter=choosing.chapter, character=mekha).exists()


def test_wa35_an_interest_names_nobody_who_has_been_sent_back(choosing: Troupe):
    """Her number there would lead to nobody in the chapter, and no table took its file (WA-85)."""
    troupe, mekha = choosing, choosing.named("Mekha")
    for person, text in ((troupe.tom, "a priest"), (troupe.martha, "the widow")):
        troupe.do(person, "take_cast", line=troupe.line(text).pk)
    troupe.do(troupe.erin, "step_on")
    tom = Part.objects.get(chapter=troupe.chapter, member=troupe.member("Tom")).character
    row = Interest(chapter=troupe.chapter, character=tom, text="Her gold", targets=[mekha.number])
    row.save()
    amek_is_asked_first(troupe)
    assert fresh(row).targets == []
    assert read_file(file_of(troupe.campaign))


def test_wa10_a_line_that_is_somebody_else_brings_nobody_back(choosing: Troupe):
    """It was offered beside the one it is the same as, and was refused as that one's."""
    erin, esan = choosing.erin, choosing.named("Esan")
    choosing.do(erin, "turn_table", rules="wicked_age")
    Character.objects.filter(pk=esan.pk).update(state="dead")
    collector, soldier = choosing.line("the collector"), choosing.line("the soldier")
    choosing.do(choosing.tom, "take_cast", line=soldier.pk)
    choosing.do(choosing.tom, "same_cast", line=soldier.pk, other=collector.pk)
    assert f'id="bring-npc-{esan.pk}-as-{collector.pk}"' not in erin.sees("gm/")


def test_no_two_in_a_chapter_are_called_the_same(choosing: Troupe):
    """Whoever is written on a sheet was told apart, but not who came back, or came of a line."""
    erin, esan = choosing.erin, choosing.named("Esan")
    choosing.do(erin, "make_npc", name="Esan", best="action")
    back = choosing.refusal(erin, "bring_npc", 422, character=esan.pk)
    assert back == "Somebody in this chapter is called Esan already: choose another name."
    choosing.do(erin, "write_npc", character=esan.pk, name="Old Esan")
    choosing.do(erin, "bring_npc", character=esan.pk)
    choosing.do(erin, "make_npc", name="Amek", best="action")
    amek = choosing.campaign.characters.get(name="Amek", kind="pc")
    comes = {"character": amek.pk, "line": choosing.line("the widow").pk}
    assert "is called Amek" in choosing.refusal(choosing.tom, "play_former", 422, **comes)
    choosing.do(erin, "add_cast", text="mekha")
    choosing.dice.fall(1)
    choosing.do(erin, "make_npc", line=choosing.line("mekha").pk, best="action")
    assert choosing.line("mekha").character.name not in ("mekha", "Mekha")


def test_wa99_where_mending_is_free_no_longer_the_dice_are_worn_again(choosing: Troupe):
    """The log said so, and they stayed whole: mended for nothing by a tap that was taken back."""
    mekha = choosing.named("Mekha")
    forms = {**mekha.forms, "covertly": {"base": 12, "current": 6}}
    Character.objects.filter(pk=mekha.pk).update(forms=forms)
    part = choosing.chapter.parts.get(character=mekha)
    Part.objects.filter(pk=part.pk).update(before={**part.before, "forms": forms})
    for value, covertly in (("true", 12), ("false", 6)):
        setting = {"setting": "mending_is_free", "value": value}
        choosing.do(choosing.erin, "configure_campaign", **setting)
        assert fresh(mekha).dice()["covertly"] == covertly
    told = "Whoever comes back has worn dice again, and may mend them."
    assert choosing.told("campaign_set") == told


def test_wa88_who_was_played_long_ago_is_offered_beside_many_npcs(choosing: Troupe):
    """Forty were offered, NPCs among them: after five chapters nobody of the first could be had."""
    amek, npc = choosing.named("Amek"), Character.Kind.NPC
    of_campaign = {
        "campaign": choosing.campaign,
        "kind": npc,
        "forms": choosing.named("Esan").forms,
    }
    Character.objects.bulk_create(
        Character(**of_campaign, number=number, name=f"Guard {number}")
        for number in range(100, 100 + NEWEST)
    )
    offered = snapshot.load(choosing.table.pk, RULES).more.former
    assert amek in offered
    assert sum(not one.is_pc for one in offered) == NEWEST


def test_wa87_who_is_away_for_this_chapter_is_the_first_for_the_next(choosing: Troupe):
    """Tom is back when it is over: meanwhile somebody else's name was said to come back next."""
    choosing.do(choosing.erin, "turn_table", rules="wicked_age")
    choosing.do(choosing.erin, "mark_away", member=choosing.member("Tom").pk, on="true")
    assert owe_lines(choosing) == ["Amek comes back next", "Mekha", "Amek"]


def test_wa89_whoever_is_handed_one_who_has_come_back_wants_nobody_else(choosing: Troupe):
    """Lots would have given Martha a second character."""
    priest = choosing.line("a priest")
    choosing.do(choosing.tom, "take_cast", line=priest.pk)
    choosing.do(choosing.martha, "take_cast", line=priest.pk)
    mekha, martha = choosing.named("Mekha"), choosing.member("Martha")
    choosing.do(choosing.amy, "hand_character", character=mekha.pk, member=martha.pk)
    assert fresh(priest).wanted_by == []
    assert "Nobody else" in choosing.refusal(choosing.tom, "draw_lots", line=priest.pk)


def test_wa93_whoever_came_back_places_the_chapter_until_it_is_played(choosing: Troupe):
    asked = {"placement": "before", "beside": choosing.chapter.beside_id}
    choosing.do(choosing.amy, "place_chapter", **asked)
    Chapter.objects.filter(pk=choosing.chapter.pk).update(step="play")
    choosing.refusal(choosing.amy, "place_chapter", 403, **{**asked, "placement": "after"})
