"""Undo: it appends, it never rerolls, and players take back only a choice of their own."""

from __future__ import annotations

from games import clock, snapshot
from games.screens.log import LogLines
from tests.games.party import Party, done, refused


def seq_of(party: Party, kind: str) -> int:
    return party.events(kind)[-1].seq


def test_the_host_sets_the_bout_back_to_before_any_event(party: Party):
    party.begins().rolls(party.ana, 7)
    before = party.state
    party.challenges(party.ben, "brave", 3)
    done(party.ana.does("undo", event=seq_of(party, "Shouted")))
    assert party.state == before
    assert party.events("undone")[-1].data["count"] == 3


def test_undo_rolls_nothing(party: Party):
    """The dice fixture fails a test whenever a die is rolled that nobody foresaw."""
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    done(party.ana.does("undo", event=seq_of(party, "Succeeded")))
    assert party.last_play.faces == []
    assert (party.phase, party.state.standing) == ("challenge", 7)


def test_the_log_keeps_what_was_taken_back_and_by_whom(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    rolled = seq_of(party, "Rolled")
    done(party.ana.does("undo", event=rolled))
    assert party.table.events.filter(seq=rolled).exists()
    told = party.events("undone")[-1]
    assert (told.data["by"], told.data["back_to"]) == ("Ana", rolled)


def test_screens_are_told_which_lines_are_struck_out(party: Party):
    party.begins().rolls(party.ana, 7)
    stays = seq_of(party, "Rolled")
    party.challenges(party.ben, "brave", 12)
    gone = seq_of(party, "Rolled")
    done(party.ana.does("undo", event=gone))
    log = LogLines()
    log.of(snapshot.load(party.table.pk), "en")
    told = log.told("en")
    assert gone in told[-1].undoes
    assert stays not in told[-1].undoes
    assert not any(one.undoes for one in told[:-1])


def test_play_goes_on_after_an_undo(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    done(party.ana.does("undo", event=seq_of(party, "Rolled")))
    party.rolls(party.ben, 3)
    assert party.fingers(party.ben) == [4]


def test_an_undo_can_follow_an_undo(party: Party):
    party.begins().rolls(party.ana, 7)
    opening = party.state
    party.challenges(party.ben, "brave", 12)
    done(party.ana.does("undo", event=seq_of(party, "Rolled")))
    done(party.ana.does("undo", event=seq_of(party, "Shouted")))
    assert party.state == opening


def test_nothing_is_taken_back_twice(party: Party):
    party.begins().rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    rolled = seq_of(party, "Rolled")
    done(party.ana.does("undo", event=rolled))
    refused(party.ana.does("undo", event=rolled), 409)


def test_what_is_no_move_is_not_taken_back(party: Party):
    party.begins()
    for kind in ("bout_started", "number_picked", "table_opened"):
        refused(party.ana.does("undo", event=seq_of(party, kind)), 409)
    refused(party.ana.does("undo", event=9999), 409)


def test_a_die_and_a_shout_are_everybodys(party: Party):
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave")
    refused(party.ben.does("undo", event=seq_of(party, "Shouted")), 403)
    party.closes().rolls(party.ben, 9)
    for kind in ("Shouted", "Rolled", "Succeeded"):
        refused(party.ben.does("undo", event=seq_of(party, kind)), 403)


def test_a_player_takes_back_their_own_last_choice(party: Party):
    party.begins(17, 13).rolls(party.ana, 13)
    before = party.state
    done(party.ben.does("name", to=0, call="knave"))
    done(party.ben.does("undo", event=seq_of(party, "Challenged")))
    assert party.state == before
    assert party.events("undone")[-1].data["by"] == "Ben"


def test_a_players_choice_stands_once_something_followed(party: Party):
    party.begins(17, 13).rolls(party.ana, 13)
    done(party.ben.does("name", to=0, call="knave"))
    named = seq_of(party, "Challenged")
    party.rolls(party.ana, 5)
    refused(party.ben.does("undo", event=named), 403)


def test_nobody_takes_back_anothers_choice(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins(17, 13).rolls(party.ana, 13)
    done(party.ben.does("name", to=2, call="knave"))
    refused(dora.does("undo", event=seq_of(party, "Challenged")), 403)


def test_a_bout_that_was_won_can_be_taken_up_again(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    done(party.ana.does("undo", event=seq_of(party, "Grave")))
    assert party.game.status == "playing"
    assert party.game.winners == []
    party.rolls(party.ben, 4)


def test_a_bout_before_the_last_is_closed(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    grave = seq_of(party, "Grave")
    done(party.ana.does("rematch"))
    refused(party.ana.does("undo", event=grave), 409)


def test_a_bout_is_not_taken_up_again_behind_another_game(party: Party):
    """Nobody could play it, call it off or put it in front: the other game was there to stay."""
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    grave = seq_of(party, "Grave")
    done(party.ana.does("turn_table", rules="knave"))
    refused(party.ana.does("undo", event=grave), 409)
    done(party.ana.does("turn_table", rules="brave_or_knave"))


def test_an_undo_of_the_close_keeps_the_order_of_the_shouts(party: Party):
    """BK-10: who shouts after the undo comes after those whose shouts still stand."""
    (dora,) = party.welcomes("Dora")
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave", after_ms=3000).closes()
    done(party.ana.does("undo", event=seq_of(party, "Challenged")))
    assert party.phase == "shout"
    party.clock.passes(50)
    done(dora.does("shout", call="knave"))
    first = min(party.state.shouts, key=lambda s: s.at_ms)
    assert party.state.names[first.seat] == "Ben"
    assert party.game.closes_ms - party.clock.ms <= 700
    party.closes()


def test_whoever_shouts_into_a_breath_that_is_open_again_comes_last_and_has_time_to(party: Party):
    """BK-9, BK-10: the close is taken back, and all who shouted in one breath stay before them."""
    dora, eve = party.welcomes("Dora", "Eve")
    party.begins(unison_ms="100").rolls(party.ana, 7)
    party.shouts(party.ben, "brave", after_ms=3000).shouts(dora, "knave", after_ms=80).closes()
    done(party.ana.does("undo", event=party.events()[-1].seq))
    assert [party.state.names[shout.seat] for shout in party.state.shouts] == ["Ben", "Dora"]
    assert party.game.closes_ms == party.clock.ms + 100
    done(eve.does("shout", call="brave"))
    _ben, second, third = party.state.shouts
    assert (party.state.names[third.seat], third.at_ms >= second.at_ms) == ("Eve", True)


def test_bk20_a_finger_that_is_back_may_be_picked_for_as_long_as_at_first(party: Party):
    """What was counted before the undo counts no more."""
    party.welcomes("Dora")
    party.begins(has_shroud="true").calls_blind(party.ben, "knave", 6).rolls(party.ben, 11)
    assert party.state.owed(1) == 3
    party.clock.passes(5000)
    done(party.ben.does("finger", which="thumb"))
    party.clock.passes(5000)
    done(party.ben.does("undo", event=seq_of(party, "FingerGiven")))
    party.clock.passes(clock.PICKS_WITHIN_MS - 1)
    clock.play_due(party.table.pk)
    assert party.state.owed(1) == 3
    party.clock.passes(1)
    clock.play_due(party.table.pk)
    assert party.state.owed(1) == 2


def test_hidden_things_stay_hidden_when_a_shroud_is_taken_back(party: Party):
    party.begins(has_shroud="true")
    done(party.ben.does("shroud"))
    party.rolls(party.ana, 14)
    cupped = seq_of(party, "CupRolled")
    done(party.ana.does("undo", event=cupped))
    assert party.state.hidden is None
    for event in party.events()[-4:]:
        assert "14" not in str(event.data)


def test_an_undo_past_a_leaving_never_waits_for_an_empty_chair(party: Party):
    party.welcomes("Dora")
    party.begins(first=party.ben)
    done(party.ben.does("leave_table"))
    done(party.ana.does("undo", event=seq_of(party, "Out")))
    assert party.awaited == ["Ben"]
    ben = party.table.seats.get(number=party.ben.seat)
    assert ben.is_seated
    assert ben.device_id == party.ana.row.device_id, "the host plays on for the empty chair"


def test_an_undo_never_waits_for_who_was_out_and_got_up(party: Party):
    """They had left the bout by no move: it waited for a chair that nobody could be given."""
    party.welcomes("Dora")
    party.begins(first=party.ben).rolls(party.ben, 1)
    done(party.ben.does("leave_table"))
    done(party.ana.does("undo", event=seq_of(party, "Grave")))
    assert party.awaited == ["Ben"]
    ben = party.table.seats.get(number=party.ben.seat)
    assert (ben.standing, ben.device_id) == ("seated", party.ana.row.device_id)


def test_an_undo_of_how_a_bout_ended_never_waits_for_who_went_home(party: Party):
    party.begins(first=party.ben).rolls(party.ben, 1)
    assert party.phase == "over"
    done(party.ben.does("leave_table"))
    done(party.ana.does("undo", event=seq_of(party, "Grave")))
    assert party.awaited == ["Ben"]
    done(party.ana.does("roll", seat=party.ben.seat, dice=7))


def test_a_regular_who_is_back_is_still_the_houses_to_play(party: Party):
    """On the host's phone a second hand would play beside it."""
    done(party.ana.does("add_regular"))
    party.begins()
    regular = party.table.seats.get(regular__gt="")
    done(party.ana.does("remove", who=regular.number))
    done(party.ana.does("undo", event=seq_of(party, "Out")))
    again = party.table.seats.get(pk=regular.pk)
    assert (again.standing, again.device_id) == ("seated", None)


def test_who_left_before_what_is_taken_back_stays_away(party: Party):
    dora, _eve = party.welcomes("Dora", "Eve")
    party.begins(first=party.ben)
    done(dora.does("leave_table"))
    done(party.ben.does("leave_table"))
    done(party.ana.does("undo", event=party.events("Out")[-1].seq))
    seated = party.table.seats.filter(standing="seated").values_list("name", flat=True)
    assert set(seated) >= {"Ana", "Ben", "Eve"}
    assert "Dora" not in seated


def test_a_blind_call_stands_once_the_number_is_out(party: Party):
    """BK-23: the caller chooses blind; who took that back would choose with the number seen."""
    party.welcomes("Dora")
    party.begins(has_shroud="true").calls_blind(party.ben, "knave", 6)
    called = seq_of(party, "CalledBlind")
    refused(party.ben.does("undo", event=called), 403)
    assert f'name="event" value="{called}"' not in party.ben.sees()
    done(party.ana.does("undo", event=called))  # the host takes back whatever it is
    assert party.phase == "blind"


def test_a_blind_call_on_a_real_die_is_taken_back_while_the_die_lies(party: Party):
    party.welcomes("Dora")
    party.begins(has_shroud="true", dice="either").calls_blind(party.ben, "knave")
    done(party.ben.does("undo", event=seq_of(party, "CalledBlind")))
    assert party.phase == "blind"


def test_half_a_bout_goes_back_only_after_a_question(party: Party):
    """No undo is taken back: one press at an old line of the log had cost all that came since."""
    party.begins().rolls(party.ana, 4)
    for _knock in range(3):
        done(party.ana.does("knock"))
    rolled = seq_of(party, "Rolled")
    done(party.ana.does("name", to=1, call="brave"))
    asked = refused(party.ana.does("undo", event=rolled), 409)
    assert "4 later moves hang on it" in asked
    assert party.phase == "challenge"
    done(party.ana.does("undo", event=rolled, sure="true"))
    assert party.phase == "open"
