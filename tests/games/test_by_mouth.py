"""Shouting by mouth (BK-8 to BK-11): somebody taps who was first, and may say that it was wrong."""

from __future__ import annotations

from django.utils import translation

from games import clock
from games.rules import brave_or_knave as bk
from games.sentences import tell
from games.stored import play_again, plays_that_count
from tests.games.party import Party, done, refused


def test_by_mouth_the_roller_taps_who_was_first(party: Party):
    party.welcomes("Dora")
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    done(party.ben.does("heard", who=party.others[0].seat, call="knave"))
    party.closes()
    assert party.state.names[party.state.challenger] == "Dora"
    told = {"name": "Dora", "teller": "Ben", "teller_role": "player"}
    assert party.events("heard_by")[-1].data == told


def test_by_mouth_the_tablet_taps_who_was_first(party: Party):
    party.begins(shouting="mouth").rolls(party.ana, 7)
    done(party.tess.does("heard", who=party.ben.seat, call="brave"))
    party.closes()
    assert party.state.challenger == 1


def test_by_mouth_nobody_else_says_so(party: Party):
    (dora,) = party.welcomes("Dora")
    party.begins(shouting="mouth").rolls(party.ana, 7)
    assert "roller" in refused(dora.does("heard", who=dora.seat, call="brave"), 403)


def test_on_phones_nobody_taps_for_another(party: Party):
    party.begins().rolls(party.ana, 7)
    refused(party.ana.does("heard", who=party.ben.seat, call="brave"), 403)


def test_by_mouth_only_who_may_shout_is_heard(party: Party):
    party.begins(shouting="mouth").rolls(party.ana, 7)
    refused(party.ana.does("heard", who=party.ana.seat, call="brave"), 409)
    refused(party.ana.does("heard", who=party.tess.seat, call="brave"), 409)
    refused(party.ana.does("heard", who=99, call="brave"), 409)


def test_by_mouth_the_tablet_is_named_in_each_readers_language(party: Party):
    """The house named the shared screen: a Spanish seat hears no English word in what it tells."""
    (dora,) = party.welcomes("Dora")
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    done(party.tess.does("heard", who=dora.seat, call="knave"))
    party.closes()
    done(party.tess.does("misheard"))
    with translation.override("es"):
        for kind in ("heard_by", "undone"):
            event = party.events(kind)[-1]
            sentence = tell(event.kind, event.data, party.state.names)
            assert "pantalla compartida" in sentence, sentence


def test_bk10_by_mouth_what_was_heard_wrong_is_said_anew(party: Party):
    """Another was first, or it was the other word: by mouth only one shout was tapped."""
    (dora,) = party.welcomes("Dora")
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    assert "misheard" not in party.ben.sees()
    done(party.ben.does("heard", who=dora.seat, call="knave"))
    party.closes()
    assert 'id="misheard"' in party.ben.sees()
    assert 'id="misheard"' in party.tess.sees("screen/")
    assert 'id="misheard"' in party.ana.sees()  # the host
    assert 'id="misheard"' not in dora.sees()
    assert "roller" in refused(dora.does("misheard"), 403)
    done(party.tess.does("misheard"))
    assert (party.phase, party.state.standing, party.state.shouts) == ("shout", 7, ())
    assert party.events("undone")[-1].data["by"] == "Shared screen"
    done(party.ben.does("heard", who=dora.seat, call="brave"))
    party.closes()
    done(party.ana.does("misheard"))
    done(party.ana.does("heard", who=party.ana.seat, call="brave"))
    party.closes()
    assert party.state.names[party.state.challenger] == "Ana"
    told = [tell(e.kind, e.data, party.state.names) for e in party.events("undone")]
    assert told[-1] == "Ana takes the last 2 moves back, from “Dora shouts BRAVE.” on."
    assert play_again(party.game, plays_that_count(party.game)) == party.state


def test_bk10_by_mouth_nothing_is_said_anew_once_the_challenger_has_rolled(party: Party):
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    refused(party.ben.does("misheard"), 409)  # nobody was heard yet
    done(party.ben.does("heard", who=party.ana.seat, call="brave"))
    party.closes()
    party.rolls(party.ana, 12)
    refused(party.ben.does("misheard"), 403)  # Ana is the roller now
    refused(party.tess.does("misheard"), 409)


def test_by_mouth_who_left_since_is_brought_back_by_the_host_alone(party: Party):
    """The tablet took back the leaving as well, and held the seat of who had gone home."""
    dora, eve = party.welcomes("Dora", "Eve")
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    done(party.ben.does("heard", who=dora.seat, call="knave"))
    party.closes()
    done(eve.does("leave_table"))
    for person, page in ((party.ben, ""), (party.tess, "screen/")):
        assert 'id="misheard"' not in person.sees(page)
        assert "ask the host" in refused(person.does("misheard"), 409)
    assert party.table.seats.get(number=eve.seat).standing == "gone"
    assert 'id="misheard"' in party.ana.sees()
    done(party.ana.does("misheard"))
    back = party.table.seats.get(number=eve.seat)
    assert (back.standing, back.device_id) == ("seated", party.ana.row.device_id)
    assert party.phase == "shout"


def test_bk11_by_mouth_whom_the_roller_named_was_not_heard_wrong(party: Party):
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    for _knock in range(3):
        done(party.ben.does("knock"))
    done(party.ben.does("name", to=0, call="brave"))
    assert "misheard" not in party.ben.sees()
    refused(party.ben.does("misheard"), 409)


def test_bk10_by_mouth_a_shout_that_nobody_had_to_hear_was_not_heard_wrong(party: Party):
    """A regular's shout comes from the house, and so may one before the table began to say them."""
    party.begins(first=party.ben).rolls(party.ben, 7).shouts(party.ana, "brave").closes()
    done(party.ana.does("configure", setting="shouting", value="mouth"))
    assert 'id="misheard"' not in party.ben.sees() + party.tess.sees("screen/")
    refused(party.ben.does("misheard"), 409)


def test_bk10_by_mouth_a_voice_is_heard_beside_a_regular_that_was_quicker(party: Party):
    """Until the challenger has rolled; the roller gives the challenge to one of the two."""
    (dora,) = party.welcomes("Dora")
    done(party.ana.does("add_regular"))
    party.begins(shouting="mouth").rolls(party.ana, 7)
    while party.state.phase is not bk.Phase.CHALLENGE:
        party.clock.passes(200)
        clock.play_due(party.table.pk)
    quick = party.state.challenger
    dora_at = next(i for i, e in enumerate(party.game.entrants.all()) if e.seat == dora.row)
    taps = f'id="heard-{dora.seat}-knave"'
    assert taps in party.ana.sees()
    assert taps in party.tess.sees("screen/")
    assert taps not in party.ben.sees()
    regular = party.table.seats.get(regular__gt="")
    assert f'id="heard-{regular.number}-' not in party.ana.sees()
    done(party.tess.does("heard", who=dora.seat, call="knave"))
    assert party.state.challenger == quick
    assert 'id="misheard"' in party.ana.sees()
    done(party.ana.does("misheard"))
    assert taps in party.ana.sees(), "taken back, it can be said anew"
    assert 'id="misheard"' not in party.ana.sees()
    done(party.tess.does("heard", who=dora.seat, call="knave"))
    done(party.ana.does("award", to=dora_at))
    assert party.state.challenger == dora_at


def test_on_phones_no_shout_is_heard_wrong(party: Party):
    party.begins().rolls(party.ana, 7).shouts(party.ben, "brave").closes()
    refused(party.ana.does("misheard"), 403)


def test_bk10_by_mouth_it_is_the_host_of_now_who_says_what_was_heard(party: Party):
    """The table is handed over in the middle of a challenge, to the challenger."""
    (dora,) = party.welcomes("Dora")
    party.begins(shouting="mouth", first=party.ben).rolls(party.ben, 7)
    done(party.ana.does("heard", who=dora.seat, call="brave"))
    party.closes()
    done(party.ana.does("hand_host", who=dora.seat))
    refused(party.ana.does("misheard"), 403)
    done(dora.does("misheard"))
    refused(party.ana.does("heard", who=party.ana.seat, call="knave"), 403)
    done(dora.does("heard", who=party.ana.seat, call="knave"))
    party.closes()
    assert (party.state.challenger, party.state.call) == (0, bk.Call.KNAVE)
