"""Campaigns of a table, and the oracles it writes itself (WA-1, WA-5, WA-84, WA-99)."""

from __future__ import annotations

import pytest

from campaigns.models import Campaign, OwnOracle
from campaigns.sentences import ALL, KINDS
from games.snapshot import epoch
from tests.campaigns.reading import tess_of
from tests.campaigns.troupe import OWN_ORACLE, Troupe
from tests.games.party import fresh


def begun(troupe: Troupe, name: str) -> Campaign:
    troupe.do(troupe.erin, "begin_campaign", name=name)
    return troupe.campaign


# --- campaigns -----------------------------------------------------------------------------------
def test_wa1_a_campaign_begins_with_everybody_who_sits_here(troupe: Troupe):
    assert [(m.number, m.name, m.is_gm) for m in troupe.campaign.members.all()] == [
        (1, "Erin", True),
        (2, "Amy", False),
        (3, "Martha", False),
        (4, "Tom", False),
    ]
    assert troupe.told("campaign_begun") == "A campaign begins: The Salt Road."


def test_no_regular_and_no_shared_screen_is_a_member(troupe: Troupe):
    troupe.do(troupe.erin, "add_regular")
    tess_of(troupe)
    made = begun(troupe, "")
    assert made.name == "The Swan"
    assert [m.name for m in made.members.all()] == ["Erin", "Amy", "Martha", "Tom"]


def test_a_double_tap_begins_one_campaign(troupe: Troupe):
    """The second stood beside the first for ever, with nothing in it."""
    troupe.refusal(troupe.erin, "begin_campaign", name=troupe.campaign.name)
    assert Campaign.objects.count() == 1
    troupe.do(troupe.amy, "open_chapter")
    begun(troupe, troupe.campaign.name)
    assert Campaign.objects.count() == 2


def test_one_campaign_is_in_front_and_the_others_wait(troupe: Troupe):
    first = troupe.campaign
    second = begun(troupe, "Winter")
    assert not fresh(first).is_in_front
    troupe.refusal(troupe.erin, "front_campaign", campaign=second.pk)
    troupe.refusal(troupe.erin, "front_campaign", 404, campaign=999)
    troupe.do(troupe.erin, "front_campaign", campaign=first.pk)
    assert troupe.campaign == first
    troupe.undoes("campaign_fronted")
    assert troupe.campaign == second
    troupe.undoes("campaign_begun")
    assert troupe.campaign == first


def test_an_undo_reaches_no_campaign_that_waits(troupe: Troupe):
    """The log is the table's: the GM took back in one campaign what nobody could see go."""
    troupe.at_step("cast")
    salt, spoken = troupe.campaign, troupe.last("cards_dealt").seq
    troupe.do(troupe.amy, "add_cast", text="a dog")
    added = troupe.last("cast_added").seq
    begun(troupe, "Winter")
    for event in (spoken, added):
        refusal = troupe.refusal(troupe.erin, "undo", event=event, sure="true")
        assert refusal == (
            "That was in the campaign The Salt Road, which waits. Put it in front first."
        )
    assert salt.chapters.get().cast_lines.filter(text="a dog").exists()
    troupe.do(troupe.erin, "front_campaign", campaign=salt.pk)
    troupe.undoes("cast_added")
    assert not troupe.chapter.cast_lines.filter(text="a dog").exists()


def test_an_undo_tells_a_waiting_campaign_by_what_is_gone_as_well(troupe: Troupe):
    troupe.at_step("cast")
    troupe.do(troupe.amy, "add_cast", text="a dog")
    added = troupe.last("cast_added").seq
    troupe.do(troupe.erin, "drop_chapter")
    begun(troupe, "Winter")
    assert "Salt Road" in troupe.refusal(troupe.erin, "undo", event=added, sure="true")


def test_another_tables_campaign_is_not_to_be_had(troupe: Troupe):
    other = Troupe(troupe.dice, troupe.clock).gathers()
    troupe.refusal(troupe.erin, "front_campaign", 404, campaign=other.campaign.pk)


def test_a_campaign_gets_another_name(troupe: Troupe):
    erin = troupe.erin
    troupe.do(erin, "turn_table", rules="wicked_age")
    seen = {"seq": troupe.table.seq, "epoch": epoch()}
    troupe.do(erin, "rename_campaign", name="Ash")
    news = erin.client.get(f"/t/{erin.code}/news/gm/{erin.seat}/", seen).json()
    assert "Ash</h1>" in news["regions"]["gm-title"]
    assert troupe.campaign.name == "Ash"
    assert troupe.told("campaign_renamed") == "The campaign The Salt Road is called Ash now."
    before = troupe.table.seq
    troupe.do(erin, "rename_campaign", name="Ash")
    assert troupe.table.seq == before
    troupe.refusal(troupe.amy, "rename_campaign", 403, name="Mine")
    for nothing in ("", "\u200b"):
        assert "Write a name" in troupe.refusal(troupe.erin, "rename_campaign", 422, name=nothing)


def test_wa84_a_campaign_is_over_and_goes_on_after_all(troupe: Troupe):
    troupe.at_step("oracle")
    assert "under way" in troupe.refusal(troupe.erin, "close_campaign", on="true")
    troupe.is_over()
    troupe.do(troupe.erin, "close_campaign", on="true")
    assert "is over" in troupe.refusal(troupe.amy, "open_chapter")
    troupe.refusal(troupe.erin, "close_campaign", on="true")
    troupe.do(troupe.erin, "close_campaign", on="false")
    troupe.do(troupe.amy, "open_chapter")


def test_wa99_mending_may_be_free(troupe: Troupe):
    assert not troupe.campaign.settings.mending_is_free
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    assert troupe.campaign.settings.mending_is_free
    assert troupe.told("campaign_set") == "Whoever comes back has whole dice from now on."
    before = troupe.table.seq  # a chip that is pressed twice is told once
    troupe.do(troupe.erin, "configure_campaign", setting="mending_is_free", value="true")
    assert troupe.table.seq == before
    troupe.refusal(troupe.erin, "configure_campaign", 422, setting="mending_is_free", value="x")
    troupe.refusal(troupe.erin, "configure_campaign", 422, setting="other", value="true")


@pytest.mark.parametrize("action", ["begin_campaign", "close_campaign"])
def test_the_campaign_is_the_gms(troupe: Troupe, action: str):
    troupe.refusal(troupe.amy, action, 403)


def test_without_a_campaign_nothing_is_done(troupe: Troupe):
    Campaign.objects.all().delete()
    for action in ("open_chapter", "step_on", "deal_cards"):
        assert "campaign first" in troupe.refusal(troupe.amy, action)


# --- own oracles (WA-5) --------------------------------------------------------------------------
def written(troupe: Troupe, text: str = OWN_ORACLE, **more: object) -> OwnOracle:
    troupe.do(troupe.amy, "write_oracle", text=text, **more)
    return OwnOracle.objects.latest("pk")


def test_wa5_a_table_writes_an_oracle_of_its_own(troupe: Troupe):
    row = written(troupe)
    assert (row.title, row.blurb) == ("The Salt Court", "Four kinds of trouble at a court of salt")
    assert [entry["text"] for entry in row.entries][2] == "Nine drowned ambassadors."
    assert troupe.told("oracle_written").endswith("is written, with 5 entries.")


def test_all_errors_of_an_oracle_are_told_at_once_by_line(troupe: Troupe):
    text = OWN_ORACLE.replace("The taster, who likes it.", "A queen who has sold her tongue.")
    words = troupe.refusal(troupe.amy, "write_oracle", 422, text=text + "\n2H:\n")
    assert "Line 4:" in words
    assert "Line 9: the entry has no text." in words
    assert OwnOracle.objects.count() == 0


def test_a_title_longer_than_a_row_is_refused_in_words(troupe: Troupe):
    text = OWN_ORACLE.replace("The Salt Court", "x" * 70)
    assert "60" in troupe.refusal(troupe.amy, "write_oracle", 422, text=text)


def test_an_oracle_in_yaml_keeps_its_hints(troupe: Troupe):
    text = "title: Two\nentries:\n" + "".join(
        f"  - text: Entry {n}\n    implied: [somebody, another]\n" for n in range(4)
    )
    row = written(troupe, text, written_as="yaml")
    assert row.entries[0]["implied"] == ["somebody", "another"]


def test_a_spanish_hand_has_its_own_letters_for_suits(troupe: Troupe):
    troupe.do(troupe.amy, "speak", language="es")
    text = "La corte\nAC: Una reina.\n2T: Un rey.\n3P: Su hermana.\nKD: El juez.\n"
    row = written(troupe, text)
    assert [entry["card"] for entry in row.entries] == ["AH", "2C", "3S", "KD"]
    told = troupe.refusal(troupe.amy, "write_oracle", 422, text=text + "2T: Otro rey.\n")
    assert "2♣" in told


def test_an_oracle_is_written_anew_or_put_away_while_no_chapter_needs_it(troupe: Troupe):
    row = written(troupe)
    troupe.at_step("oracle")
    troupe.do(troupe.amy, "choose_oracle", oracle=f"own-{row.pk}")
    assert "set up" in troupe.refusal(troupe.erin, "drop_oracle", oracle=row.pk)
    troupe.refusal(troupe.amy, "write_oracle", oracle=row.pk, text=OWN_ORACLE)
    troupe.do(troupe.erin, "drop_chapter")
    troupe.do(troupe.amy, "write_oracle", oracle=row.pk, text=OWN_ORACLE.replace("Salt", "Sand"))
    assert fresh(row).title == "The Sand Court"
    troupe.do(troupe.erin, "drop_oracle", oracle=row.pk)
    troupe.refusal(troupe.erin, "drop_oracle", 404, oracle=row.pk)
    troupe.undoes("oracle_put_away")
    assert fresh(row).title == "The Sand Court"


def test_another_tables_oracle_is_not_to_be_had(troupe: Troupe):
    row = written(troupe)
    other = Troupe(troupe.dice, troupe.clock).gathers().at_step("oracle")
    other.refusal(other.amy, "write_oracle", 404, oracle=row.pk, text=OWN_ORACLE)
    other.refusal(other.amy, "choose_oracle", 404, oracle=f"own-{row.pk}")


# --- the log -------------------------------------------------------------------------------------
def test_every_kind_of_event_fits_its_column():
    assert KINDS
    assert max(map(len, KINDS)) <= 30
    assert len(KINDS) == sum(map(len, ALL))
