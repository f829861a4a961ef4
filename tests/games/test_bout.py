"""A bout through the door: what the rules decide reaches the log, the state and the screens.

The rules themselves are held in tests/rules; here each kind of move goes in by
a phone's tap.
"""

from __future__ import annotations

from games import clock, snapshot
from games.rules.brave_or_knave.odds import survival
from games.screens.scene import scene_of
from tests.games.party import Party, done, refused


def kinds(party: Party, count: int) -> list[str]:
    return [e.kind for e in party.events()][-count:]


def test_bk7_an_opening_roll_stands_and_shouting_opens(party: Party):
    party.begins().rolls(party.ana, 7)
    assert (party.phase, party.state.standing) == ("shout", 7)
    assert kinds(party, 2) == ["Rolled", "ShoutingOpened"]


def test_bk7_only_the_roller_rolls(party: Party):
    party.begins()
    assert "Somebody else makes the opening roll" in refused(party.ben.does("roll"), 409)


def test_bk8_the_first_to_shout_is_the_challenger(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave", after_ms=400).shouts(dora, "knave", after_ms=200).closes()
    assert party.state.challenger == 1
    assert party.state.call == "brave"


def test_bk12_whoever_is_to_roll_is_shown_with_the_die(party: Party):
    """It lay beside the name of who had rolled until the challenger had rolled as well."""

    def with_the_die() -> list[str]:
        return [s.name for s in scene_of(snapshot.load(party.table.pk), {}).ring if s.is_roller]

    party.begins()
    assert with_the_die() == ["Ana"]
    party.rolls(party.ana, 7)
    assert with_the_die() == ["Ana"], "she may knock, and say who was first"
    party.shouts(party.ben, "brave").closes()
    assert with_the_die() == ["Ben"]
    party.rolls(party.ben, 7)
    assert with_the_die() == ["Ana"], "it bounced back (BK-15)"


def test_bk8_nobody_shouts_twice(party: Party):
    party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    assert "You have shouted already" in refused(party.ben.does("shout", call="knave"), 409)


def test_bk8_the_roller_does_not_shout(party: Party):
    party.begins().rolls(party.ana, 7)
    assert "The roller cannot shout" in refused(party.ana.does("shout", call="brave"), 409)


def test_bk9_one_breath_is_the_rollers_to_judge(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave").shouts(dora, "knave", after_ms=100).closes()
    assert party.phase == "award"
    assert "Only the roller has the last word" in refused(party.ben.does("award", to=1), 409)
    done(party.ana.does("award", to=2))
    assert (party.state.challenger, party.state.call) == (2, "knave")


def test_bk10_the_roller_overrules_until_the_die_has_rolled(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave").closes()
    done(dora.does("shout", call="knave"))  # too late, but heard
    assert party.state.shouts[-1].late
    done(party.ana.does("award", to=2))
    assert party.state.challenger == 2
    party.rolls(dora, 4)
    assert "There is no challenge to give" in refused(party.ana.does("award", to=1), 409)


def test_bk10_the_gaps_of_the_shouts_are_shown_to_everyone(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    party.shouts(party.ben, "brave").shouts(dora, "knave", after_ms=210)
    for person in (party.ana, party.ben, dora):
        assert "+0.21" in person.sees()
    assert "+0.21" in party.tess.sees("screen/")
    done(dora.does("speak", language="es"))
    assert "+0,21" in dora.sees()


def test_bk11_three_knocks_and_the_roller_names_somebody(party: Party):
    party.begins().rolls(party.ana, 7)
    for _knock in range(3):
        done(party.ana.does("knock"))
    assert party.phase == "name"
    assert "The shouting is not open" in refused(party.ben.does("shout", call="brave"), 409)
    done(party.ana.does("name", to=1, call="knave"))
    assert (party.state.challenger, party.state.call) == (1, "knave")


def test_bk13_who_succeeds_is_the_roller(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    assert (party.state.roller, party.state.standing, party.phase) == (1, 12, "shout")


def test_bk14_who_fails_loses_a_finger_and_opens(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    assert party.fingers(party.ana, party.ben) == [5, 4]
    assert (party.phase, party.state.roller) == ("open", 1)


def test_bk15_a_tie_bounces(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 7)
    assert party.state.challenger == 0
    party.rolls(party.ana, 5)
    assert party.fingers(party.ana) == [4]


def test_bk16_grave_puts_out_and_bk22_the_last_one_wins(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    assert party.game.status == "over"
    assert party.game.winners == ["Ana"]
    assert party.game.ended_at


def test_bk17_stave_costs_everyone_else_a_finger(party: Party):
    party.begins().rolls(party.ana, 20)
    assert party.fingers(party.ana, party.ben) == [5, 4]
    assert party.state.roller == 0


def test_bk18_the_owner_of_a_number_names_who_rolls(party: Party):
    party.begins(17, 13).rolls(party.ana, 13)
    assert party.phase == "name"
    assert "Somebody else names who rolls next" in refused(
        party.ana.does("name", to=0, call="knave"), 409
    )
    done(party.ben.does("name", to=0, call="knave"))
    party.rolls(party.ana, 15)
    assert party.fingers(party.ana) == [4]


def test_bk19_the_screen_where_numbers_are_chosen_says_what_each_does(party: Party):
    page = party.ben.sees()
    assert "Noose" in page
    for number in (2, 11, 19):
        assert f"{round(survival(number, 'brave') * 100)}" in page


def test_bk20_who_lost_a_finger_picks_which(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    assert "You owe no finger" in refused(party.ana.does("finger", which="thumb"), 409)
    done(party.ben.does("finger", which="thumb"))
    refused(party.ben.does("finger", which="ring"), 409)
    assert [f.value for f in party.state.given[1]] == ["thumb"]


def test_bk20_picking_a_finger_does_not_make_others_taps_stale(party: Party):
    party.begins().rolls(party.ana, 12).challenges(party.ben, "knave", 14)
    seen = party.ben.scene
    done(party.ben.does("finger", which="thumb"))
    party.dice.fall(8)
    done(party.ben.does("roll", saw=seen))


def test_bk21_who_is_out_sees_everything_and_does_nothing(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    assert party.game.status == "playing"
    party.rolls(dora, 8)
    assert "You are out" in refused(party.ben.does("shout", call="brave"), 409)
    refused(party.ben.does("roll"), 409)
    assert ">8<" in party.ben.sees().replace(" ", "").replace("\n", "")


def test_bk23_a_shroud_from_the_call_to_the_deal(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins(has_shroud="true")
    done(party.ben.does("shroud"))
    assert "Somebody has called for a Shroud already" in refused(dora.does("shroud"), 409)
    party.rolls(party.ana, 6)
    assert (party.phase, party.state.standing) == ("blind", None)
    assert "Only whoever called for the Shroud chooses" in refused(
        dora.does("blind", call="brave"), 409
    )
    done(party.ben.does("blind", call="brave"))
    assert party.state.standing == 6
    party.rolls(party.ben, 11)
    assert "All the fingers won must be dealt out" in refused(
        party.ben.does("deal", fingers_0=1, fingers_2=1), 409
    )
    assert "The fingers go to the other players" in refused(
        party.ben.does("deal", fingers_0=1, fingers_1=1, fingers_2=1), 409
    )
    done(party.ben.does("deal", fingers_0=1, fingers_2=2))
    assert party.fingers(party.ana, party.ben, dora) == [4, 5, 3]


def test_bk23_with_one_to_lose_them_the_fingers_are_dealt_already(party: Party):
    party.begins(has_shroud="true")
    party.calls_blind(party.ben, "brave", 6).rolls(party.ben, 11)
    assert '<option value="3" selected>' in party.ben.sees()
    done(party.ben.does("deal", fingers_0=3))
    assert party.fingers(party.ana) == [2]


def test_bk23_no_cry_of_an_earlier_roll_stands_over_a_shroud(party: Party):
    """Whoever looks up now would take the 6 for what was cried out."""
    (dora,) = party.welcomes("Dora")
    party.begins(has_shroud="true")
    party.rolls(party.ana, 20)
    assert 'class="cry cry-stave"' in dora.sees()
    done(party.ben.does("shroud"))
    assert 'class="cry' not in dora.sees()
    party.rolls(party.ana, 6)
    done(party.ben.does("blind", call="brave"))
    assert 'class="cry' not in dora.sees()
    party.rolls(party.ben, 3)
    assert "Ben fails" in dora.sees("screen/").split('class="moment"')[1]


def test_bk23_nobody_waits_to_shout_at_what_falls_under_the_hand(party: Party):
    """BK-7, BK-23: who may call is settled, so their phones lured all others into a false start."""
    (dora,) = party.welcomes("Dora")
    party.begins(has_shroud="true")
    assert all("wait for the number" in person.sees() for person in (party.ben, dora))
    done(party.ben.does("shroud"))
    assert not any("ait for the number" in person.sees() for person in (party.ben, dora))
    party.rolls(party.ana, 6)
    done(party.ben.does("blind", call="brave"))
    assert "wait for the next number" in dora.sees()


def test_bk23_no_shroud_where_the_variation_is_off(party: Party):
    party.begins()
    assert "This table plays without the Shroud" in refused(party.ben.does("shroud"), 409)


def test_bk24_heal_against_a_standing_nine(party: Party):
    party.begins(has_nine_sisters="true")
    party.rolls(party.ana, 12).challenges(party.ben, "knave", 14).rolls(party.ben, 9)
    party.challenges(party.ana, "knave", 4)  # Ana is safe; 4 stands
    party.challenges(party.ben, "brave", 9)  # 9 stands, Ben rolled it
    party.challenges(party.ana, "heal", 4)
    assert party.fingers(party.ana) == [5]
    assert party.events("Healed")


def test_bk24_no_heal_against_another_number(party: Party):
    party.begins(has_nine_sisters="true").rolls(party.ana, 8)
    assert "HEAL is called only when a 9 stands" in refused(
        party.ben.does("shout", call="heal"), 409
    )


def test_leaving_in_a_bout_puts_a_player_out(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7)
    done(dora.does("leave_table"))
    assert party.state.fingers[2] == 0
    done(party.ben.does("leave_table"))
    assert party.game.winners == ["Ana"]


def test_after_the_end_nothing_is_played(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    for action, fields in (("roll", {}), ("shout", {"call": "brave"}), ("knock", {})):
        assert "No bout is being played" in refused(party.ana.does(action, **fields), 409)
    clock.play_due(party.table.pk)


def test_closing_belongs_to_the_table_not_to_a_player(party: Party):
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    assert "Only the table itself closes the shouting" in refused(party.ana.does("close"), 409)


def test_a_receipt_of_a_move_names_who_made_it(party: Party):
    party.begins()
    party.dice.fall(7)
    answer = party.ana.does("roll", receipt="1")
    assert answer.status_code == 200
    assert party.game.entrants.first().guild_name in answer.content.decode()
