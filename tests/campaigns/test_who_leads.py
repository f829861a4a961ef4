"""One GM (WA-1): after an import it is who hosts the table, and everybody is told so."""

from __future__ import annotations

import random
import re
from html import unescape

import pytest

from campaigns.models import Chapter
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from tests.campaigns.conftest import SagaAt
from tests.campaigns.parcel import Plain, brings, sealed, year
from tests.campaigns.saga import Saga
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, dice_fall_by, done, fresh


def gms(troupe: Troupe) -> list[str]:
    return [one.name for one in troupe.campaign.members.filter(is_gm=True)]


def told_on_arrival(person: Person, plain: Plain) -> str:
    """Bring a file in, and read the page to which that leads."""
    answer = brings(person, sealed(plain))
    assert answer.status_code == 302
    return unescape(person.client.get(answer.headers["Location"]).content.decode())


NOBODY = "Its file names no GM: here it is Erin, who hosts this table."


def test_a_file_without_a_gm_says_who_it_is_now(troupe: Troupe):
    plain = year()
    plain["members"][0].update(is_gm=False)
    assert NOBODY in told_on_arrival(troupe.erin, plain)
    assert gms(troupe) == ["Erin"]
    # The log says it to everybody, in their own language.
    assert NOBODY in unescape(troupe.amy.sees())
    done(troupe.tom.does("speak", language="es"))
    assert "Su archivo no dice quién dirige: aquí es Erin" in unescape(troupe.tom.sees())


def test_a_file_with_the_hosts_name_as_gm_says_nothing_of_it(troupe: Troupe):
    words = told_on_arrival(troupe.erin, year())
    assert "has arrived, with 2 chapters" in words
    assert "who hosts this table" not in words


@pytest.mark.parametrize("who", ["Zoe", "Zoe and Amy", "Zoe, Amy and Martha"])
def test_a_file_of_another_gm_or_of_several_has_one_here(troupe: Troupe, who: str):
    """Tables of earlier releases could have two, once a GM had left."""
    plain = year()
    plain["members"][0].update(name="Zoe")
    for member in plain["members"]:
        member["is_gm"] = member["name"] in who
    words = told_on_arrival(troupe.erin, plain)
    assert f"the GM is {who}: here it is Erin" in words
    assert gms(troupe) == ["Zoe"]  # until Erin, whom the file does not know, is a member too
    done(troupe.erin.does("claim_member", member=troupe.member("Zoe").pk))
    assert gms(troupe) == ["Zoe"]


def test_whoever_hosts_and_is_no_member_yet_becomes_the_only_gm(troupe: Troupe):
    """The former one has no seat here, and nobody waits for them in the chapter."""
    plain = year()
    plain["members"][0].update(name="Zoe")
    plain["chapters"] = plain["chapters"][:1]
    plain["owed"] = plain["owed"][:2]
    told_on_arrival(troupe.erin, plain)
    troupe.do(troupe.amy, "open_chapter")
    assert gms(troupe) == ["Erin"]
    assert troupe.member("Zoe").is_away
    read_file(file_of(troupe.campaign))


ROW = r"<b>(\w+)</b>(?:</span>)?\s*<small>([^<]+)<"


@pytest.mark.parametrize(("page", "place"), [("gm", "gm-members"), ("screen", "board-members")])
def test_until_then_its_screens_tell_of_one_gm_too(troupe: Troupe, page: str, place: str):
    """The log said that Erin leads it; below it Zoe was the GM, and Erin a player who is here."""
    plain = year()
    plain["members"][0].update(name="Zoe")
    plain["chapters"] = plain["chapters"][:1]
    plain["owed"] = plain["owed"][:2]
    told_on_arrival(troupe.erin, plain)
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    shown = troupe.erin.client.get(f"/t/{troupe.table.code}/{page}/").content.decode()
    said = dict(re.findall(ROW, shown[shown.index(place) :]))
    assert said["Erin"] == "GM"
    assert said["Zoe"] == "away"
    if page == "gm":
        assert re.findall(r"\d+ (?:is|are) here", shown) == ["3 are here"]


def test_a_gm_who_has_handed_over_and_left_is_none_any_more(saga_at: SagaAt):
    """Elsewhere the campaign has one GM as well."""
    saga = saga_at("over")
    done(saga.erin.does("hand_host", who=saga.amy.seat))
    done(saga.erin.does("leave_table"))
    saga.do(saga.amy, "open_chapter")
    assert gms(saga) == ["Amy"]
    assert fresh(saga.member("Erin")).is_away


# --- what only an undo, or a way back, could bring about ------------------------------------------
def test_an_undo_gives_nobody_a_second_line(saga_at: SagaAt):
    """WA-11: taking back that she let one go takes back what she chose since."""
    saga = saga_at("choose")
    saga.do(saga.amy, "leave_cast", line=saga.line("a priest").pk)
    saga.do(saga.amy, "take_cast", line=saga.line("the widow").pk)
    saga.undoes("cast_left")
    taken = [one.text for one in saga.chapter.cast_lines.filter(taken_by__name="Amy")]
    assert taken == ["a priest"]


def test_an_undo_gives_nobody_a_unique_strength_that_another_has(saga_at: SagaAt):
    """WA-25: the dead have it no more, and live again only without whoever took it up."""
    saga = saga_at("sheets")
    esan, priest = saga.campaign.characters.filter(kind="npc").order_by("number")[:2]
    ring = {"name": "The ring", "pc_form": "with_love", "npc_form": "action", "option": "unique"}
    saga.do(saga.erin, "new_strength", character=esan.pk, **ring)
    saga.do(saga.erin, "mark_character", character=esan.pk, state="dead")
    made = saga.campaign.strengths.get(name="The ring")
    saga.do(saga.erin, "take_strength", character=priest.pk, strength=made.pk)
    saga.undoes("character_marked")
    assert [one.character for one in made.holdings.all()] == [esan]
    assert fresh(esan).state == "active"


def test_who_has_played_in_a_chapter_is_not_exchanged_for_a_former_one(saga_at: SagaAt):
    """Her sheet went, and with it the dice that she had begun: what has been played stands."""
    saga = saga_at("coming_back")
    former = saga.named("Mekha")
    saga.do(saga.amy, "decline_return", owed=saga.owed("Mekha"))
    saga.do(saga.tom, "decline_return", owed=saga.owed("Amek"))
    saga.at_step("play")
    one = saga.pc(saga.amy)
    saga.do(saga.erin, "open_scene", where="Here", who=[one.pk])
    for _back in range(2):
        saga.do(saga.erin, "step_back")
    assert saga.step == "sheets"
    owed = saga.campaign.owed.get(character=former, struck="")
    words = saga.refusal(saga.amy, "play_former", character=former.pk, owed=owed.pk)
    assert "choosing is over" in words
    assert saga.pc(saga.amy) == one


def test_a_scene_of_an_earlier_release_with_somebody_deleted_leaves_as_a_file(saga_at: SagaAt):
    saga = saga_at("play")
    saga.chapter.scenes.update(who=[1, 77])
    read = read_file(file_of(saga.campaign))
    assert read.chapters[0].scenes[0].who == [1]


def test_the_page_of_an_npc_who_comes_back_opens_in_the_setup(
    saga_at: SagaAt, monkeypatch: pytest.MonkeyPatch
):
    """WA-90, WA-104: an NPC has no choice to make, and pairs of dice that no form of hers grows."""
    saga = saga_at("back")
    esan, luck = saga.named("Esan"), random.Random(1)
    # The page suggests names.
    dice_fall_by(luck, monkeypatch)
    saga.do(saga.erin, "bring_npc", character=esan.pk)
    assert "Esan" in saga.erin.sees(f"character/{esan.number}/")


def without_their_gm(saga_at: SagaAt) -> Saga:
    """Bring a saga to its next chapter, with its GM gone home from the one before."""
    saga = saga_at("play")
    done(saga.erin.does("hand_host", who=saga.amy.seat))
    done(saga.erin.does("leave_table"))
    saga.do(saga.amy, "propose_end")
    saga.do(saga.amy, "end_chapter")
    saga.do(saga.tom, "open_chapter")
    return saga


def test_wa87_a_gm_who_hands_over_in_play_and_gets_up_is_waited_for_by_nobody(saga_at: SagaAt):
    """Erin led, and has played nobody: the next chapter asked her to choose, without a phone."""
    saga = without_their_gm(saga_at)
    assert fresh(saga.member("Erin")).is_away
    assert "Erin" not in re.findall(r"Without a phone here: ([^<]*)", saga.amy.sees("gm/"))


def test_wa87_whoever_says_who_they_are_is_here(saga_at: SagaAt):
    """They had got up before the chapter was opened, and sit down again on another phone."""
    saga = without_their_gm(saga_at)
    again = Person("Erin")
    again.joins(saga.table)
    erin = saga.member("Erin")
    saga.do(again, "claim_member", member=erin.pk)
    assert fresh(erin).is_here
    saga.undoes("member_claimed", saga.amy)
    assert not fresh(erin).is_here


def test_wa87_a_player_who_gets_up_is_waited_for_till_the_gm_says_otherwise(saga_at: SagaAt):
    """Their characters may be played by the GM's hand, and their name is owed a chapter."""
    saga = saga_at("over")
    done(saga.tom.does("leave_table"))
    saga.do(saga.amy, "open_chapter")
    assert fresh(saga.member("Tom")).is_here


def test_wa1_who_has_left_and_hosts_leads_the_campaign_by_name(saga_at: SagaAt):
    """Amy had left it and looked on; Erin hands over: the next chapter had no GM's name, nor the
    shared screen."""
    saga = saga_at("over")
    amy = saga.member("Amy")
    saga.do(saga.erin, "mark_left", member=amy.pk, on="true")
    done(saga.erin.does("hand_host", who=saga.amy.seat))
    assert (fresh(amy).is_gm, fresh(amy).has_left) == (True, False)
    saga.do(saga.tom, "open_chapter")
    assert saga.chapter.gm_name == "Amy"


def test_wa1_who_has_left_and_hosts_where_the_file_comes_in_leads_it(troupe: Troupe):
    plain = year()
    for member in plain["members"]:
        member["has_left"] = member["name"] == "Erin"
        member["is_gm"] = member["name"] == "Amy"
    told_on_arrival(troupe.erin, plain)
    assert gms(troupe) == ["Erin"]
    assert not troupe.member("Erin").has_left


def test_wa87_a_gm_who_stayed_elsewhere_is_waited_for_in_no_later_chapter(troupe: Troupe):
    """Zoe has led, has no seat here and plays nobody: from the second chapter on the setup waited
    for her to choose somebody."""
    plain = year()
    plain["members"][0].update(name="Zoe")
    plain["chapters"] = plain["chapters"][:1]
    plain["chapters"][0]["gm_name"] = "Zoe"
    plain["owed"] = plain["owed"][:2]
    told_on_arrival(troupe.erin, plain)
    troupe.do(troupe.amy, "open_chapter")
    assert troupe.member("Zoe").is_away
    Chapter.objects.filter(pk=troupe.chapter.pk).update(step="closing")
    troupe.do(troupe.erin, "end_chapter")
    troupe.do(troupe.amy, "open_chapter")
    assert troupe.member("Zoe").is_away


def test_a_wish_of_who_is_unknown_by_now_does_not_spoil_the_file(troupe: Troupe):
    """Tom wanted Amy's, was handed the table, and played nobody; his seat is another's since."""
    troupe.at_step("choose")
    troupe.do(troupe.erin, "add_member", name="Nan")
    line = troupe.chapter.cast_lines.first()
    assert line
    troupe.do(troupe.amy, "take_cast", line=line.pk)
    troupe.do(troupe.tom, "take_cast", line=line.pk)
    done(troupe.erin.does("hand_host", who=troupe.tom.seat))
    Chapter.objects.filter(pk=troupe.chapter.pk).update(step="over")
    troupe.do(troupe.tom, "link_member", member=troupe.member("Nan").pk, who=troupe.tom.seat)
    assert not troupe.campaign.members.filter(name="Tom").exists()
    read_file(file_of(troupe.campaign))
