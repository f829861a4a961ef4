"""Who joins a chapter whose choosing is over: a newcomer, and who was late (WA-11, WA-88)."""

from __future__ import annotations

from campaigns.models import CastLine, Member, Part
from tests.campaigns.carried import comes_in_again, table_elsewhere
from tests.campaigns.conftest import SagaAt
from tests.campaigns.troupe import Troupe
from tests.games.party import Person


def who_joins(troupe: Troupe) -> Person:
    lou = Person("Lou")
    lou.joins(troupe.table)
    return lou


def has_interests(troupe: Troupe, lou: Person) -> None:
    for text in ("To be rid of Mekha", "To be feared"):
        troupe.do(lou, "name_interest", character=troupe.pc(lou).pk, text=text)


def test_wa11_who_joins_in_play_takes_somebody_whom_nobody_plays(saga_at: SagaAt):
    """Makes the sheet meanwhile, and is in the story with as much as the others began with."""
    saga = saga_at("play")
    lou = who_joins(saga)
    page = lou.sees()
    taken, free = saga.line("a priest"), saga.line("the widow").pk
    assert "Whom do you play?" in page
    assert f'id="take-cast-{taken.pk}"' not in page
    assert "plays that one" in saga.refusal(lou, "take_cast", line=taken.pk)
    saga.do(lou, "add_cast", text="the widow’s driver")
    driver = saga.line("the widow’s driver").pk
    assert f'id="take-cast-{driver}"' in lou.sees()
    saga.do(lou, "take_cast", line=driver)
    assert "stands" in saga.refusal(lou, "take_cast", line=free if free != driver else taken.pk)

    one = saga.pc(lou)
    begins = {"actor": one.pk, "who": [saga.named("Mekha").pk], "act": "Whips the mules"}
    assert "Write a name first" in saga.refusal(lou, "mark_ready", character=one.pk)
    saga.do(lou, "write_sheet", character=one.pk, name="Zadok")
    saga.do(lou, "swap_forms", character=one.pk, which_form="covertly", other="with_violence")
    saga.do(lou, "new_strength", character=one.pk, name="Whip", pc_form="directly",
            npc_form="action", option="potent")  # fmt: skip
    assert "not ready" in saga.refusal(lou, "start_sequence", **begins)
    assert "2 more" in saga.refusal(lou, "mark_ready", character=one.pk)
    has_interests(saga, lou)
    assert 'id="mark-ready"' in lou.sees()
    saga.do(lou, "mark_ready", character=one.pk)

    part = Part.objects.get(character=one)
    assert part.before["forms"]["with_violence"] == {"base": 12, "current": 12}
    assert "comes into the story, played by Lou" in saga.told("pc_joined")
    assert "laid out once" in saga.refusal(
        lou, "swap_forms", character=one.pk, which_form="covertly", other="directly"
    )
    assert "in play" in saga.refusal(lou, "mark_ready", character=one.pk, on="false")
    saga.do(lou, "start_sequence", **begins)
    comes_in_again(saga.campaign, table_elsewhere())


def tom_is_late(troupe: Troupe) -> None:
    """Have the second chapter played by two, with Amek's name on the owe list."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.played_once("Mekha", "Amek").in_play()
    made = troupe.pc("Tom")
    CastLine.objects.filter(character=made).update(taken_by=None, character=None, state="open")
    made.delete()


def test_wa88_wa98_who_was_late_plays_one_of_before_for_a_struck_name(troupe: Troupe):
    tom_is_late(troupe)
    tom, amek = troupe.tom, troupe.named("Amek")
    name, away = amek.owed.get().pk, {"member": troupe.member("Tom").pk}
    troupe.do(troupe.erin, "mark_away", **away)
    page = tom.sees()
    assert 'id="mark-here"' in page
    assert "watch, and choose" not in page, "there is something to do"
    troupe.do(tom, "mark_away", **away, on="false")
    assert f'id="former-{amek.pk}-for-{name}"' in tom.sees()
    assert "former-title" not in troupe.martha.sees()
    troupe.do(tom, "play_former", character=amek.pk, owed=name)
    assert 'id="go-return"' in tom.sees()
    grow = {"character": amek.pk, "choice": "grow"}
    troupe.do(tom, "come_back", **grow, which_form="for_others")
    troupe.do(tom, "take_back_choice", character=amek.pk)
    assert "one choice to make" in troupe.refusal(tom, "mark_ready", character=amek.pk)
    troupe.do(tom, "come_back", **grow, which_form="with_love")
    has_interests(troupe, tom)
    begins = {"actor": amek.pk, "who": [troupe.named("Mekha").pk], "act": "Rides them down"}
    assert "not ready" in troupe.refusal(tom, "start_sequence", **begins)
    troupe.do(tom, "mark_ready", character=amek.pk)
    assert "once more, played by Tom" in troupe.told("pc_joined")
    assert "stands" in troupe.refusal(tom, "take_back_choice", character=amek.pk)
    troupe.do(tom, "start_sequence", **begins)

    troupe.undoes("pc_joined")
    assert not troupe.chapter.sequences.exists(), "their dice hang on their being in play"
    assert "not ready" in troupe.refusal(tom, "start_sequence", **begins)
    troupe.undoes("former_taken")
    assert amek.owed.get().struck == ""
    assert not troupe.chapter.parts.filter(character=amek).exists()


def test_wa11_the_gm_takes_somebody_for_a_player_without_a_phone(troupe: Troupe):
    """As soon as the sheets are made; and a chapter does not begin without the name."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.at_step("interests").interests()
    troupe.do(troupe.erin, "add_member", name="Nell")
    nell = troupe.member("Nell").pk
    troupe.do(troupe.erin, "add_cast", text="her shadow")
    line = troupe.line("her shadow").pk
    assert f'id="take-{line}-{nell}"' in troupe.erin.sees("gm/")
    troupe.do(troupe.erin, "take_cast", line=line, member=nell)
    assert f'id="take-{line}-{nell}"' not in troupe.erin.sees("gm/")
    assert "needs a name. Still writing: Nell" in troupe.refusal(troupe.erin, "begin_play")
    one = troupe.pc("Nell").pk
    troupe.do(troupe.erin, "write_sheet", character=one, name="Umbra")
    assert "Umbra 2 more" in troupe.refusal(troupe.erin, "begin_play")


def test_wa1_a_seventh_player_only_watches(troupe: Troupe):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.in_play()
    for number in range(4, 7):
        one = troupe.pc("Tom")
        one.pk, one.number, one.owner = None, 20 + number, None
        one.save()
        member = Member.objects.create(campaign=troupe.campaign, number=number + 20, name="More")
        Part.objects.create(chapter=troupe.chapter, character=one, member=member)
    lou = who_joins(troupe)
    assert "You play nobody in this chapter" in lou.sees()
    line = CastLine.objects.create(chapter=troupe.chapter, text="her shadow").pk
    assert "Six play" in troupe.refusal(lou, "take_cast", line=line)


def test_wa108_who_has_just_joined_comes_into_no_fight_before_the_sheet_is_ready(saga_at: SagaAt):
    saga = saga_at("between")
    lou = who_joins(saga)
    saga.do(lou, "add_cast", text="the driver")
    saga.do(lou, "take_cast", line=saga.line("the driver").pk)
    one, key = saga.pc(lou).pk, saga.fight.key
    saga.do(lou, "write_sheet", character=one, name="Zadok")
    has_interests(saga, lou)
    offered, saw = f'id="join-{key}-{one}"', {"sequence": key, "who": one}
    assert offered not in saga.erin.sees("gm/")
    assert "not ready" in saga.refusal(saga.erin, "join_sequence", **saw, saw=saga.saw)
    saga.do(lou, "mark_ready", character=one)
    assert offered in saga.erin.sees("gm/")
    saga.do(saga.erin, "join_sequence", **saw, saw=saga.saw)


def test_wa87_who_joined_without_a_name_and_went_away_is_told_of_by_the_player(troupe: Troupe):
    """ " comes into the story, played by Nan": the chronicle told of nobody."""
    troupe.in_play()
    troupe.do(troupe.erin, "add_member", name="Nan")
    nan = troupe.member("Nan").pk
    troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.erin, "add_cast", text="a shepherd")
    troupe.do(troupe.erin, "take_cast", line=troupe.line("a shepherd").pk, member=nan)
    troupe.do(troupe.erin, "mark_away", member=nan, on="true")
    troupe.do(troupe.erin, "begin_play")
    told = "Nan's character comes into the story, played by Nan."
    assert troupe.told("pc_joined") == told
