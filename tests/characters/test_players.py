"""Whose a knave is: made, claimed, handed on, left behind; and its name at Brave or Knave."""

from __future__ import annotations

import pytest

from characters.models import Character
from characters.services import fighting
from characters.views.sheets import record_of
from games import snapshot
from games.screens.log import LogLines
from games.stage import guild_name_of
from games.stored import state_of
from tests.characters.crew import A_KNAVE, HP, fights, knave, last, made, new, owns, things_of, told
from tests.games.party import Party, done, refused

# --- whose it is -----------------------------------------------------------------------------


def test_a_seat_has_one_draft_and_one_living_knave(party: Party):
    draft = new(party)
    refused(party.ben.does("new_knave"), 409)
    done(party.ben.does("confirm_knave", character=draft.pk))
    refused(party.ben.does("new_knave"), 409)


def test_kn16_who_has_lost_a_knave_makes_another_at_once(party: Party):
    ash = made(party)
    done(party.ana.does("change_hp", character=ash.pk, by=-99))
    assert new(party).state == "draft"


def test_the_host_may_make_more_than_one(party: Party):
    made(party, party.ana)
    made(party, party.ana)
    assert party.ana.row.characters.filter(state="up").count() == 2


def test_another_players_draft_is_theirs(party: Party):
    (dora,) = party.welcomes("Dora")
    draft = new(party)
    refused(dora.does("reroll", character=draft.pk, part="hp"), 403)
    refused(dora.does("confirm_knave", character=draft.pk), 403)
    refused(party.tess.does("new_knave"), 403)
    refused(party.cleo.does("new_knave", seat=1), 404)


def test_a_made_knave_is_no_draft_any_more(party: Party):
    ash = made(party)
    for action, more in (
        ("reroll", {"part": "hp"}),
        ("confirm_knave", {}),
        ("discard_knave", {}),
        ("swap_abilities", {"first": "str", "second": "dex"}),
        ("choose_weapon", {"weapon": "dagger"}),
        ("type_abilities", {"faces": "6" * 18}),
    ):
        refused(party.ben.does(action, character=ash.pk, **more), 409)


def test_a_draft_thrown_away_makes_room_for_the_next(party: Party):
    draft = new(party)
    done(party.ben.does("discard_knave", character=draft.pk))
    new(party)


def test_kn23_a_party_of_a_level_is_rolled_for_anybody(party: Party):
    # Chosen: the first three abilities that can rise do, and the d8s are all that is rolled.
    party.dice.fall(*A_KNAVE, *A_KNAVE, 8, 8, 1, 1)
    done(party.ana.does("add_party", count=2, level=2))
    first, second = Character.objects.filter(seat=None, state="up").order_by("pk")
    assert (first.level, first.xp, first.max_hp) == (2, 1000, 16)
    assert (first.strength, first.dexterity, first.constitution) == (5, 2, 3)
    assert second.max_hp == HP + 1, "less than before is one more than before"
    assert "sword" in things_of(second)
    assert last(party, "party_added").data["count"] == 2


def test_only_the_host_rolls_a_party(party: Party):
    refused(party.ben.does("add_party", count=2), 403)
    refused(party.ana.does("add_party", count=13), 422)
    refused(party.ana.does("add_party", count=2, level=21), 422)


def test_of_two_who_claim_one_knave_one_gets_it(party: Party):
    (dora,) = party.welcomes("Dora")
    ash = knave(party.table, None)
    done(party.ben.does("claim_knave", character=ash.pk))
    refused(dora.does("claim_knave", character=ash.pk), 409)
    ash.refresh_from_db()
    assert ash.seat == party.ben.row


def test_who_plays_a_knave_claims_no_other(party: Party):
    knave(party.table, party.ben)
    free = knave(party.table, None, "Moth")
    refused(party.ben.does("claim_knave", character=free.pk), 409)


@pytest.mark.parametrize(
    ("figures", "status"),
    [({"state": "dead"}, 409), ({"kind": "npc"}, 403), ({"is_hidden": True}, 404)],
)
def test_only_a_living_knave_in_sight_is_claimed(party: Party, figures, status):
    one = knave(party.table, None, **figures)
    refused(party.ben.does("claim_knave", character=one.pk), status)


def test_the_host_hands_a_sheet_to_a_seat_or_to_nobody(party: Party):
    ash = knave(party.table, None)
    done(party.ana.does("hand_knave", character=ash.pk, seat_to=party.ben.seat))
    ash.refresh_from_db()
    assert ash.seat == party.ben.row
    done(party.ana.does("hand_knave", character=ash.pk, seat_to=0))
    ash.refresh_from_db()
    assert ash.seat is None
    for nobody in (party.tess.seat, 99):
        refused(party.ana.does("hand_knave", character=ash.pk, seat_to=nobody), 409)
    refused(party.ben.does("hand_knave", character=ash.pk, seat_to=party.ben.seat), 403)


def test_kn7_a_knave_in_the_making_is_never_left_to_nobody(party: Party):
    """No page showed it any more: it is claimed by nobody before it is made, and kept its name."""
    draft = new(party, party.ana)
    page = party.ana.sees(f"knave/{draft.pk}/")
    assert "nobody: free to take" not in page
    refused(party.ana.does("hand_knave", character=draft.pk, seat_to=0), 409)
    done(party.ana.does("hand_knave", character=draft.pk, seat_to=party.ben.seat))
    done(party.ben.does("confirm_knave", character=draft.pk))
    assert "nobody: free to take" in party.ana.sees(f"knave/{draft.pk}/")


@pytest.mark.parametrize("player", ["ana", "ben"])
def test_of_two_knaves_of_one_player_each_has_its_things_on_a_page(party: Party, player: str):
    """The phone shows the first one's alone, and the second one's page left them to the phone."""
    done(party.ana.does("turn_table", rules="knave"))
    who = getattr(party, player)
    torches = [owns(knave(party.table, who, name), "torch") for name in ("Ash", "Moth")]
    drawn = f'id="drop-{torches[0].pk}"', f'id="drop-{torches[1].pk}"'
    phone = who.sees()
    assert [one in phone for one in drawn] == [True, False]
    assert "You play as well" in phone
    assert "In your service" not in phone
    page = who.sees(f"knave/{torches[1].holder_id}/")
    assert [one in page for one in drawn] == [False, True]
    assert drawn[0] not in who.sees(f"knave/{torches[0].holder_id}/"), "the phone has them"


def test_a_party_is_rolled_only_as_far_as_the_table_has_room(party: Party, monkeypatch):
    """Hirelings and NPCs were counted, and a dozen knaves at a tap were not."""
    monkeypatch.setattr("characters.deeds.people.MOST_SHEETS", 3)
    knave(party.table, party.ben)
    assert "too many" in refused(party.ana.does("add_party", count=3), 409)
    assert Character.objects.count() == 1
    party.dice.fall(*A_KNAVE, *A_KNAVE)
    done(party.ana.does("add_party", count=2))


def test_a_knave_is_rolled_only_where_the_table_has_room(party: Party, monkeypatch):
    """A host may make one after another, and nobody counted them."""
    monkeypatch.setattr("characters.deeds.people.MOST_SHEETS", 1)
    draft = new(party)
    party.dice.fall(*A_KNAVE)
    assert "too many" in refused(party.ana.does("new_knave"), 409)
    done(party.ben.does("discard_knave", character=draft.pk))
    done(party.ana.does("new_knave"))


def test_the_knave_of_who_leaves_is_nobodys_and_can_be_claimed(party: Party):
    (dora,) = party.welcomes("Dora")
    ash = knave(party.table, dora)
    done(dora.does("leave_table"))
    ash.refresh_from_db()
    assert ash.seat is None
    assert last(party, "knave_freed").data == {"name": "Ash", "player": "Dora"}
    done(party.ben.does("claim_knave", character=ash.pk))


def test_an_undo_hands_no_knave_back_to_an_empty_chair(party: Party):
    """Nobody could take it up: to the phones somebody played it, who was not there any more."""
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("turn_table", rules="knave"))
    ash = knave(party.table, dora)
    done(party.ana.does("hand_knave", character=ash.pk, seat_to=0))
    handed = last(party, "knave_handed")
    done(dora.does("leave_table"))
    done(party.ana.does("undo", event=handed.seq, sure="true"))
    assert f'id="claim-knave-{ash.pk}"' in party.ben.sees()
    done(party.ben.does("claim_knave", character=ash.pk))


def test_kn16_a_new_knave_comes_into_the_fight_that_is_running(party: Party):
    knave(party.table, party.ana, "Moth")
    fights(party)
    ash = made(party)
    free = knave(party.table, None, "Vela")
    (dora,) = party.welcomes("Dora")
    done(dora.does("claim_knave", character=free.pk))
    fighters = {f.id for f in state_of(fighting.fight_of(party.table)).party}
    assert {f"k{ash.pk}", f"k{free.pk}"} <= fighters


def test_kn16_who_has_left_the_table_stays_on_the_tablet_while_they_fight(party: Party):
    """A foe may still strike them: their hit points are before everybody until it is over."""
    done(party.ana.does("turn_table", rules="knave"))
    party.tess.joins(party.table, role="screen")
    (dora,) = party.welcomes("Dora")
    ash = knave(party.table, dora, "Ash")
    knave(party.table, party.ana, "Moth")
    fights(party)
    done(dora.does("leave_table"))
    member = f'id="member-{ash.pk}"'
    assert member in party.tess.sees("screen/")
    assert member in party.ana.sees()
    done(party.ana.does("fight-flee", of=f"k{ash.pk}"))
    assert member not in party.tess.sees("screen/")


def test_kn24_nobody_acts_for_the_hirelings_of_the_dead_whose_player_has_left(party: Party):
    """They were lined up for a fight by somebody who was not at the table any more."""
    (dora,) = party.welcomes("Dora")
    moth = knave(party.table, party.ana, "Moth")
    ash = knave(party.table, dora, "Ash", state="dead", hp=-1)
    carl = knave(party.table, None, "Carl", kind="hireling", employer=ash)
    fights(party)
    assert [f.id for f in state_of(fighting.fight_of(party.table)).party] == [
        f"k{moth.pk}",
        f"k{carl.pk}",
    ]
    done(party.ana.does("end_fight"))
    done(dora.does("leave_table"))
    fights(party)
    assert [f.id for f in state_of(fighting.fight_of(party.table)).party] == [f"k{moth.pk}"]


# --- Brave or Knave --------------------------------------------------------------------------


def test_a_knaves_name_is_its_players_guild_name(party: Party):
    knave(party.table, party.ben, "A very long name for a knave of no renown")
    assert guild_name_of(party.ben.row) == "A very long name for a knave o"
    assert guild_name_of(party.ana.row) == "Ana"


def test_knaves_that_came_after_the_gathering_sit_down_by_their_own_names(party: Party):
    """A table that was opened for Brave or Knave, or had turned to it before there were knaves:
    whoever sat there stayed Ben, beside a newcomer by a knave's name. Who chose a name keeps it
    (BK-2), and two names are never one."""
    dora, eve = party.welcomes("Dora", "Eve")
    done(dora.does("name_guild", name="The Wasp"))
    done(party.ana.does("turn_table", rules="knave"))
    for who, name in ((party.ben, "Ash"), (dora, "Birch"), (eve, "Ana")):
        knave(party.table, who, name)
    done(party.ana.does("turn_table", rules="brave_or_knave"))
    names = {one.seat.name: one.guild_name for one in party.game.entrants.select_related("seat")}
    assert names == {"Ana": "Ana", "Ben": "Ash", "Dora": "The Wasp", "Eve": "Ana 2"}


def test_a_bout_stands_in_the_record_of_the_knaves_that_were_in_it(party: Party):
    moth = knave(party.table, party.ana, "Moth")
    ash = knave(party.table, party.ben, "Ash")
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    told_of = {e.data["name"]: e for e in party.events("bout_told")}
    assert party.game.winners == ["Ana"]
    assert told_of["Moth"].data["won"] is True
    assert told(told_of["Moth"]) == "Moth won a bout of Brave or Knave."
    assert told(told_of["Ash"]) == "Ash lost a hand at Brave or Knave to Moth."
    for one in (moth, ash):
        assert one.mentions.filter(event=told_of[one.name]).exists()


def test_a_bout_whose_end_was_taken_back_stands_in_no_record(party: Party):
    """Ash stood in Moth's record as beaten, and in the next line as the winner of the same bout."""
    moth = knave(party.table, party.ana, "Moth")
    ash = knave(party.table, party.ben, "Ash")
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    told_of = party.events("bout_told")
    done(party.ana.does("undo", event=party.events("Grave")[-1].seq))
    for one in (moth, ash):
        assert record_of(one, party.ben.row) == ([], False)
    lines = LogLines().of(snapshot.load(party.table.pk), "en")
    struck = {line.seq for line in lines if line.is_undone}
    assert struck >= {event.seq for event in told_of}


def test_a_page_of_a_record_is_full_whatever_is_kept_from_its_reader(
    party: Party, monkeypatch: pytest.MonkeyPatch
):
    """S2: a page cut short would count what only the host was told, or what was taken back."""
    monkeypatch.setattr("characters.views.sheets.A_PAGE", 3)
    ash, shade = knave(party.table, party.ben, "Ash"), knave(party.table, None, "Shade")
    Character.objects.filter(pk=shade.pk).update(is_hidden=True)
    for reason in ("one", "two", "three"):
        done(party.ana.does("award_xp", amount=5, who=ash.pk, reason=reason))
    done(party.ana.does("give_item", item=owns(ash, "crowbar").pk, to=shade.pk))
    done(party.ana.does("award_xp", amount=9, who=ash.pk))
    done(party.ana.does("undo", event=party.table.seq))
    lines, has_more = record_of(ash, party.ben.row)
    reasons = [line["text"].rstrip(".").split()[-1] for line in lines]
    assert (reasons, has_more) == (["three", "two", "one"], False)
    lines, has_more = record_of(ash, party.ana.row)
    assert ("Shade" in lines[0]["text"], len(lines), has_more) == (True, 3, True)
