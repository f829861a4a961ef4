"""Best interests: named, capped, tagged, marked (WA-30 to WA-35)."""

from __future__ import annotations

import re
from html import unescape

import pytest

from campaigns.models import Interest, Part
from campaigns.services.file_read import read_file
from campaigns.services.file_write import file_of
from tests.campaigns.conftest import TroupeWhere
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import Troupe
from tests.games.party import Person, done, fresh, refused

WANTS = "To see the temple burn"


def sheets_are_written(troupe: Troupe) -> None:
    troupe.at_step("interests")


@pytest.fixture
def troupe(troupe_where: TroupeWhere) -> Troupe:
    return troupe_where(sheets_are_written)


def names(troupe: Troupe, text: str = WANTS) -> Interest:
    one, esan = troupe.pc("Amy"), troupe.named("Esan")
    troupe.do(troupe.amy, "name_interest", character=one.pk, text=text, targets=esan.pk)
    return Interest.objects.latest("pk")


def test_wa35_an_interest_has_words_and_tags(troupe: Troupe):
    one, esan, tom = troupe.pc("Amy"), troupe.named("Esan"), troupe.pc("Tom")
    text = " To see  the temple\u202e burn "
    tagged = f"{esan.pk},{tom.pk},{esan.pk}"
    troupe.do(troupe.amy, "name_interest", character=one.pk, text=text, targets=tagged)
    made = Interest.objects.get()
    assert (made.text, made.targets, made.state) == (WANTS, [esan.number, tom.number], "open")
    told = "Mekha wants: “To see the temple burn”. It is about Esan and Amek."
    assert troupe.told("interest_named") == told
    troupe.undoes("interest_named")
    assert not Interest.objects.exists()


@pytest.mark.parametrize("text", ["", "  ", "\u202e", "x" * 241])
def test_an_interest_says_what_is_wanted(troupe: Troupe, text):
    one = troupe.pc("Amy")
    troupe.refusal(troupe.amy, "name_interest", 422, character=one.pk, text=text)


@pytest.mark.parametrize(
    ("language", "words"),
    [("en", "Choose whose interest it is."), ("es", "Elige de quién es el interés.")],
)
def test_an_interest_of_nobody_is_told_where_its_owner_is_chosen(troupe: Troupe, language, words):
    """Only "something is missing" was said: the GM's form has five fields."""
    troupe.do(troupe.erin, "speak", language=language)
    answer = troupe.erin.does("name_interest", text=WANTS)
    assert words in refused(answer, 422)
    assert 'data-field="character"' in answer.content.decode()


def test_wa32_where_nobody_can_have_another_the_gm_reads_why_there_is_nobody_to_choose(
    troupe: Troupe,
):
    full = "Nobody here can have one more"
    done(troupe.erin.does("turn_table", rules="wicked_age"))
    assert full not in troupe.erin.sees("gm/")
    for part in Part.objects.all():
        for text in ("one", "two", "three"):
            troupe.do(troupe.erin, "name_interest", character=part.character_id, text=text)
    assert full in troupe.erin.sees("gm/")


def test_what_shows_nothing_is_no_words(troupe: Troupe):
    """Who had pasted letters that nobody sees was told to write a name, of whatever it was."""
    asked = {"character": troupe.pc("Amy").pk, "text": "\u200b\u2060"}
    assert "says what is wanted" in troupe.refusal(troupe.amy, "name_interest", 422, **asked)
    words = troupe.refusal(troupe.erin, "add_cast", 422, text=" ")
    assert "Write something: at least one letter." in words
    assert "Write a name" in troupe.refusal(troupe.erin, "rename_campaign", 422, name="\u200b")


def test_wa32_nobody_has_more_than_three(troupe: Troupe):
    for text in ("one", "two", "three"):
        names(troupe, text)
    one = troupe.pc("Amy")
    words = troupe.refusal(troupe.amy, "name_interest", character=one.pk, text="four")
    assert "more than three" in words
    esan = troupe.named("Esan")
    for text in ("one", "two", "three"):
        troupe.do(troupe.erin, "name_interest", character=esan.pk, text=text)
    assert "Nobody has more than three best interests" in troupe.refusal(
        troupe.erin, "name_interest", character=esan.pk, text="four"
    )


def test_two_taps_at_once_name_it_once(troupe: Troupe):
    names(troupe)
    one = troupe.pc("Amy")
    assert "That interest is on the sheet already" in troupe.refusal(
        troupe.amy, "name_interest", character=one.pk, text=WANTS.upper()
    )


def test_an_interest_is_about_others_of_this_chapter(troupe: Troupe):
    one = troupe.pc("Amy")
    asked = {"character": one.pk, "text": WANTS}
    words = troupe.refusal(troupe.amy, "name_interest", 422, **asked, targets=one.pk)
    assert "others" in words
    troupe.refusal(troupe.amy, "name_interest", 404, **asked, targets=999_999)
    other = Troupe(troupe.dice, troupe.clock).gathers().at_step("sheets").pc("Tom")
    troupe.refusal(troupe.amy, "name_interest", 404, **asked, targets=other.pk)
    troupe.refusal(troupe.erin, "name_interest", 404, character=other.pk, text=WANTS)


def test_wa35_nobody_is_tagged_who_is_not_in_the_chapter_any_more(troupe: Troupe):
    """Else the next one to get that number would be meant, or the campaign's file be damaged."""
    troupe.do(troupe.erin, "step_back")
    tom, esan = troupe.pc("Tom"), troupe.named("Esan")
    asked = {"character": troupe.pc("Amy").pk, "text": WANTS, "targets": f"{tom.pk},{esan.pk}"}
    troupe.do(troupe.amy, "name_interest", **asked)
    row = Interest.objects.latest("pk")
    troupe.do(troupe.erin, "step_back")
    troupe.do(troupe.tom, "add_cast", text="a cat")
    troupe.do(troupe.tom, "take_cast", line=troupe.line("a cat").pk)
    troupe.do(troupe.erin, "step_on")
    assert troupe.pc("Tom").number != tom.number
    assert fresh(row).targets == [esan.number]
    assert read_file(file_of(troupe.campaign))
    troupe.undoes("setup_moved")
    assert sorted(fresh(row).targets) == sorted([tom.number, esan.number])


def test_the_owner_words_it_and_the_gm_the_npcs(troupe: Troupe):
    row = names(troupe)
    for action, fields in (
        ("edit_interest", {"text": "Else"}),
        ("drop_interest", {}),
        ("mark_interest", {"state": "lost"}),
    ):
        troupe.refusal(troupe.tom, action, 403, interest=row.pk, **fields)
        troupe.refusal(troupe.amy, action, 404, interest=999_999, **fields)
    esan = troupe.named("Esan").pk
    troupe.refusal(troupe.amy, "name_interest", 403, character=esan, text=WANTS)
    tom = troupe.pc("Tom")
    troupe.do(troupe.amy, "edit_interest", interest=row.pk, text="To burn it", targets=tom.pk)
    assert (fresh(row).text, fresh(row).targets) == ("To burn it", [tom.number])
    troupe.do(troupe.amy, "edit_interest", interest=row.pk, text="To burn it")
    assert fresh(row).targets == []
    troupe.refusal(troupe.amy, "edit_interest", 422, interest=row.pk, text=" ")
    other = names(troupe, "Another")
    assert "That interest is on the sheet already" in troupe.refusal(
        troupe.amy, "edit_interest", interest=other.pk, text="to burn it"
    )
    troupe.do(troupe.erin, "drop_interest", interest=row.pk)
    assert not Interest.objects.filter(pk=row.pk).exists()
    troupe.refusal(troupe.amy, "drop_interest", 404, interest=row.pk)


def test_wa31_an_npc_who_has_gone_lacks_nothing(troupe: Troupe):
    """Made by mistake, or dropped: play does not wait for what nobody can want any more."""
    troupe.do(troupe.erin, "make_npc", name="One too many", best="action")
    spare = troupe.named("One too many")
    needs = troupe.refusal(troupe.erin, "begin_play")
    assert "One too many 1 more" in needs
    troupe.do(troupe.erin, "mark_character", character=spare.pk, state="absent")
    needs = troupe.refusal(troupe.erin, "begin_play")
    assert "Esan 1 more" in needs
    assert "One too many" not in needs


def test_wa31_named_early_and_late_but_in_a_chapter(troupe: Troupe):
    troupe.do(troupe.erin, "step_back")
    assert troupe.step == "sheets"
    early = names(troupe)
    troupe.in_play()
    troupe.do(troupe.amy, "drop_interest", interest=early.pk)
    names(troupe, "Later")
    troupe.do(troupe.erin, "propose_end")
    asked = {"character": troupe.pc("Martha").pk, "text": "Too late"}
    troupe.refusal(troupe.martha, "name_interest", **asked)
    troupe.is_over()
    troupe.refusal(troupe.martha, "name_interest", **asked)


@pytest.mark.parametrize("state", ["achieved", "lost", "moot"])
def test_wa35_what_came_of_an_interest_is_a_sentence(troupe: Troupe, state: str):
    """In the chronicle one stands behind the other, and at a chapter's end they ran into one."""
    troupe.in_play()
    row = Interest.objects.filter(character=troupe.pc("Amy")).first()
    assert row
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state=state)
    assert troupe.told("interest_marked").endswith(f"“{row.text}”.")


def test_wa35_the_chronicle_keeps_the_last_word(troupe: Troupe):
    troupe.in_play()
    row = Interest.objects.filter(character=troupe.pc("Amy")).first()
    assert row
    said = troupe.chapter.moments.filter(kind="interest_marked")
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="achieved")
    assert "has achieved it" in troupe.told("interest_marked")
    words = troupe.refusal(troupe.amy, "mark_interest", interest=row.pk, state="achieved")
    assert "so already" in words
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="lost")
    assert [moment.data["state"] for moment in said.all()] == ["lost"]
    troupe.undoes("interest_marked")
    assert (fresh(row).state, [m.data["state"] for m in said.all()]) == ("achieved", ["achieved"])
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="open")
    assert not said.exists()
    troupe.do(troupe.erin, "propose_end")
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="moot")
    troupe.is_over()
    troupe.refusal(troupe.amy, "mark_interest", interest=row.pk, state="open")


def test_wa35_the_last_word_is_the_last_also_of_what_is_worded_and_called_otherwise(troupe: Troupe):
    """The chronicle told of one wish twice, lost and achieved, when its words or hers changed."""
    troupe.in_play()
    one, said = troupe.pc("Amy"), troupe.chapter.moments.filter(kind="interest_marked")
    row, other = one.interests.all()
    troupe.do(troupe.amy, "mark_interest", interest=other.pk, state="moot")
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="achieved")
    troupe.do(troupe.amy, "edit_interest", interest=row.pk, text="The well of the dead")
    troupe.do(troupe.amy, "write_sheet", character=one.pk, name="Mekha the Less")
    told = [(moment.data["name"], moment.data["text"]) for moment in said.all()]
    assert told == [("Mekha the Less", other.text), ("Mekha the Less", "The well of the dead")]
    troupe.do(troupe.amy, "mark_interest", interest=row.pk, state="lost")
    assert [moment.data["state"] for moment in said.all()] == ["moot", "lost"]
    troupe.do(troupe.amy, "drop_interest", interest=row.pk)
    assert [moment.data["state"] for moment in said.all()] == ["moot"]
    for kind in ("interest_dropped", "interest_marked", "sheet_written", "interest_edited"):
        troupe.undoes(kind)
    told = [(moment.data["name"], moment.data["text"]) for moment in said.all()]
    assert told == [("Mekha", other.text), ("Mekha", row.text)]


def turn(person: Person) -> str:
    found = re.search(r'class="whose-turn">([^<]*)<', person.sees())
    return unescape(found[1]) if found else ""


def turns_of_the_gm(troupe: Troupe, reader: Person) -> list[str]:
    """Name two for one of hers; return what somebody reads of it before, between and after."""
    esan, turns = troupe.named("Esan"), [turn(reader)]
    for text in ("Mekha hangs", "Amek kneels"):
        troupe.do(troupe.erin, "name_interest", character=esan.pk, text=text)
        turns.append(turn(reader))
    return turns


def test_wa30_wa31_the_gm_names_two_for_one_of_hers_and_then_it_goes_round(troupe: Troupe):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert turns_of_the_gm(troupe, troupe.martha) == [
        "The GM begins, with one of the strongest NPCs.",
        "The GM goes on: what else would be best for Esan?",
        "Amy's turn: what would be best for Mekha?",
    ]


def test_wa30_wa31_whose_turn_it_is_reads_you_where_the_others_read_a_name(troupe: Troupe):
    """On a phone held by Amy it said "Amy's turn", as to all the others."""
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    assert f'class="headline">{turn(troupe.erin)}' in troupe.erin.sees("gm/")
    assert turns_of_the_gm(troupe, troupe.erin) == [
        "You begin, with one of the strongest NPCs.",
        "You go on: what else would be best for Esan?",
        "Amy's turn: what would be best for Mekha?",
    ]
    assert turn(troupe.amy) == "Your turn: what would be best for Mekha?"
    tablet = unescape(tess_of(troupe).sees("screen/"))
    assert "Amy's turn: what would be best for Mekha?" in tablet


def test_wa31_where_a_player_is_quicker_it_goes_round_at_once(troupe: Troupe):
    troupe.do(troupe.erin, "turn_table", rules="wicked_age")
    troupe.do(troupe.erin, "name_interest", character=troupe.named("Esan").pk, text="One")
    names(troupe)
    assert turn(troupe.amy) == "Martha's turn: what would be best for Tajie?"


@pytest.mark.parametrize("text", ["To win", "One"])
def test_wa32_an_undo_gives_nobody_a_fourth_interest(troupe: Troupe, text: str):
    """One is dropped, another takes its place, the dropping is taken back: the campaign's file was
    refused by every table, since nobody has four."""
    troupe.at_step("interests")
    one = troupe.pc(troupe.amy)
    for wanted in ("One", "Two", "Three"):
        troupe.do(troupe.amy, "name_interest", character=one.pk, text=wanted)
    row = one.interests.get(text="One")
    troupe.do(troupe.amy, "drop_interest", interest=row.pk)
    troupe.do(troupe.amy, "name_interest", character=one.pk, text=text)
    troupe.undoes("interest_dropped")
    assert sorted(i.text for i in one.interests.all()) == ["One", "Three", "Two"]
    assert read_file(file_of(troupe.campaign))


@pytest.mark.parametrize("kind", ["interest_edited", "interest_dropped"])
def test_wa35_an_undo_gives_nobody_the_same_interest_twice(troupe: Troupe, kind: str):
    troupe.at_step("interests")
    one = troupe.pc(troupe.amy)
    for wanted in ("One", "Two"):
        troupe.do(troupe.amy, "name_interest", character=one.pk, text=wanted)
    row = one.interests.get(text="One")
    if kind == "interest_edited":
        troupe.do(troupe.amy, "edit_interest", interest=row.pk, text="Three")
    else:
        troupe.do(troupe.amy, "drop_interest", interest=row.pk)
        troupe.do(troupe.amy, "name_interest", character=one.pk, text="Four")
    troupe.do(troupe.amy, "name_interest", character=one.pk, text="One")
    troupe.undoes(kind)
    assert sorted(i.text for i in one.interests.all()) == ["One", "Two"]
    assert read_file(file_of(troupe.campaign))
