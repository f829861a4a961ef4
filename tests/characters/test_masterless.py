"""Whose employer is dead (KN-16, KN-20, KN-24), and who comes late into a fight that runs."""

from __future__ import annotations

import re

import pytest

from characters.models import Character, HirelingKind, Monster
from games.rules import knave_fight as kf
from games.stored import state_of
from tests.characters.company import Company
from tests.characters.crew import knave, told
from tests.games.party import Person, done, notice, refused
from tests.security.shown import Form, fields_of, forms_of


def fighters(company: Company) -> dict[str, kf.Status]:
    game = company.table.games.filter(rules=kf.NAME).first()
    return {f.name: f.status for f in state_of(game).party}


def ash_dies(company: Company) -> None:
    done(company.ana.does("change_hp", character=company.ash.pk, by=-99))


def acts_for(person: Person, who: Character) -> bool:
    """Tell whether a phone offers to do anything in the fight for somebody."""
    return f'id="fighter-k{who.pk}"' in person.sees()


def test_kn24_a_hireling_of_the_dead_stands_under_nobody_who_bears_the_same_name(company: Company):
    """A new Ash was shown with Tib at his heels, who is not paid by him."""
    ash_dies(company)
    new, wren = (
        knave(company.table, who, name)
        for who, name in (
            (company.ben, "Ash"),
            (company.ana, "Wren"),
        )
    )
    for page in (company.dora.sees(), company.tess.sees("screen/")):
        order = re.findall(r'<li id="member-(\d+)"', page)
        at = order.index(str(new.pk))
        assert order[at + 1] == str(wren.pk)
        assert order.count(str(company.tib.pk)) == 1


# --- who plays them ------------------------------------------------------------------------------
def test_kn24_the_player_of_a_dead_knave_goes_on_acting_for_the_hirelings(company: Company):
    """The server let them, and no page of theirs showed that there was anybody to act for."""
    company.fights()
    assert acts_for(company.ben, company.tib)
    ash_dies(company)
    assert acts_for(company.ben, company.tib)
    assert not acts_for(company.dora, company.tib)
    company.cast.dice.fall(2)
    blow = {"by": f"k{company.tib.pk}", "on": "goblin-1", "rolled_by": "attacker"}
    if company.ben.does("fight-attack", **blow).status_code == 409:  # nothing in hand
        done(company.ben.does("fight-flee", of=f"k{company.tib.pk}"))


def test_kn24_they_are_on_the_phone_of_who_has_no_knave(company: Company):
    Character.objects.filter(pk=company.draft.pk).update(state="gone")
    ash_dies(company)
    assert f'id="other-{company.tib.pk}"' in company.ben.sees()
    assert company.ben.sees(f"knave/{company.tib.pk}/")


def test_kn24_nobody_works_for_the_dead(company: Company):
    """The host read "works for Ash" beside the offer to take them on, "Their employer is dead"."""
    pages = ("gm/", f"knave/{company.tib.pk}/")
    assert all("works for Ash" in company.ana.sees(page) for page in pages)
    ash_dies(company)
    for page in map(company.ana.sees, pages):
        assert "worked for Ash" in page
        assert "works for Ash" not in page


def test_kn24_they_fight_beside_the_party_also_in_the_next_fight(company: Company):
    ash_dies(company)
    company.fights_without_melee()
    assert fighters(company)["Tib"] is kf.Status.UP


def test_kn12_with_hirelings_alone_on_their_feet_a_fight_is_offered_and_begins(company: Company):
    for one in (company.ash, company.birch):
        done(company.ana.does("change_hp", character=one.pk, by=-99))
    [begin] = forms_of(company.ana.sees("gm/"), "start_fight")
    assert (
        "disabled"
        not in company.ana.sees("gm/")
        .split(f'id="start-fight-{company.ambush.pk}"')[1]
        .split(">")[0]
    )
    assert begin.is_plain
    company.fights_without_melee()
    assert list(fighters(company)) == ["Tib"]


def asked_for_morale(company: Company) -> bool:
    """Tell whether the host's fight asks for Tib's morale where nothing is folded away."""
    page = company.ana.sees("gm/")
    due = f'id="morale-due-k{company.tib.pk}"' in page
    assert due is ("Whoever paid them is dead. Roll whether they hold." in page)
    return due


def test_kn20_a_hireling_whose_employer_dies_in_the_fight_is_offered_the_roll(company: Company):
    """The log asked "roll morale for Tib?", and the button lay folded away."""
    company.fights()
    assert not asked_for_morale(company)
    ash_dies(company)
    assert asked_for_morale(company)
    assert "morale-due" not in company.ben.sees()
    company.cast.dice.faces = [1, 1]
    done(company.ana.does("fight-morale", of=f"k{company.tib.pk}"))
    assert not asked_for_morale(company)
    rolled = company.table.events.filter(kind="MoraleRolled").latest("seq")
    done(company.ana.does("undo", event=rolled.seq, sure="true"))
    assert asked_for_morale(company)
    done(company.ana.does("end_fight"))
    done(company.ana.does("prepare_encounter", name="Ford"))
    goblin = Monster.objects.get(key="goblin").pk
    done(company.ana.does("add_foes", encounter=0, monster=goblin))
    done(company.ana.does("start_fight", encounter=company.table.encounters.latest("pk").pk))
    assert not asked_for_morale(company), "that was in the last fight"


def test_kn20_the_roll_is_offered_for_whoever_worked_for_the_one_who_died(company: Company):
    """The dead were known by their names: whoever lost an employer before the fight, of whatever
    name, was asked for again when a namesake fell."""
    elder = knave(company.table, company.ben, "Birch", state="dead", hp=-1)
    hired = {"kind": "hireling", "morale": 7}
    pat = knave(company.table, None, "Pat", employer=elder, **hired)
    una = knave(company.table, None, "Una", employer=company.birch, **hired)
    company.fights()
    done(company.ana.does("change_hp", character=company.birch.pk, by=-99))
    page = company.ana.sees("gm/")
    assert f'id="morale-due-k{una.pk}"' in page
    assert f'id="morale-due-k{pat.pk}"' not in page


# --- another employer ----------------------------------------------------------------------------
def offered_at(company: Company, one: Character) -> list[str]:
    """Return whom a knave's own page offers to take into service; each such tap is taken."""
    page = company.ana.sees(f"knave/{one.pk}/")
    return [value for f in forms_of(page, "take_on") for value in fields_of(f, "character")]


def test_kn24_a_hireling_without_an_employer_is_taken_on_by_whoever_has_room(company: Company):
    assert offered_at(company, company.birch) == []
    asked = {"character": company.tib.pk, "employer": company.birch.pk}
    assert "works for Ash" in refused(company.dora.does("take_on", **asked), 409)
    ash_dies(company)
    assert offered_at(company, company.birch) == [str(company.tib.pk)]
    refused(company.ben.does("take_on", **asked), 403)
    done(company.dora.does("take_on", **asked))
    tib = Character.objects.get(pk=company.tib.pk)
    assert (tib.employer_id, tib.days_owed) == (company.birch.pk, 2), "what is owed stays owed"
    event = company.table.events.filter(kind="hireling_taken_on").latest("seq")
    assert told(event) == "Birch takes Tib into service."
    assert offered_at(company, company.birch) == []
    assert f'id="other-{company.tib.pk}"' in company.dora.sees()
    assert f'id="other-{company.tib.pk}"' not in company.ben.sees()
    done(company.dora.does("undo", event=event.seq, sure="true"))
    assert Character.objects.get(pk=company.tib.pk).employer_id == company.ash.pk


def test_kn24_who_played_somebody_without_an_employer_does_no_longer_once_one_pays(
    company: Company,
):
    ash_dies(company)
    done(company.ana.does("hand_knave", character=company.tib.pk, seat_to=company.ben.seat))
    asked = {"character": company.tib.pk, "employer": company.birch.pk}
    done(company.dora.does("take_on", **asked))
    refused(company.ben.does("change_hp", character=company.tib.pk, by=-1), 403)


def test_kn24_nobody_takes_on_more_than_the_charisma_bonus(company: Company):
    ash_dies(company)
    Character.objects.filter(pk=company.birch.pk).update(charisma=0)
    assert offered_at(company, company.birch) == []
    asked = {"character": company.tib.pk, "employer": company.birch.pk}
    assert "0 hirelings at most" in refused(company.dora.does("take_on", **asked), 409)


def test_kn16_the_next_knave_of_the_same_player_takes_them_on(company: Company):
    ash_dies(company)
    Character.objects.filter(pk=company.draft.pk).update(state="up", charisma=1)
    assert offered_at(company, company.draft) == [str(company.tib.pk)]
    done(company.ben.does("take_on", character=company.tib.pk, employer=company.draft.pk))


@pytest.mark.parametrize("whom", ["warden", "stray"])
def test_kn24_only_hirelings_are_taken_into_service(company: Company, whom: str):
    one = getattr(company, whom)
    answer = company.dora.does("take_on", character=one.pk, employer=company.birch.pk)
    assert answer.status_code in (403, 409)
    assert notice(answer)


# --- late into a fight ---------------------------------------------------------------------------
def newcomers(company: Company) -> list[str]:
    """Return the names of those whom the host's page lets come into the fight."""
    forms = forms_of(company.ana.sees("gm/"), "join_fight")
    keys = [int(key) for f in forms for key in fields_of(f, "character")]
    return [Character.objects.get(pk=key).name for key in keys]


def test_an_npc_and_who_else_is_at_hand_come_into_the_fight_at_the_hosts_word(company: Company):
    """The engine has the move (`join`), and no page had it."""
    assert newcomers(company) == []
    company.fights()
    assert newcomers(company) == ["Stray", "Warden"]  # not the hidden one, nor the draft
    for name in newcomers(company):
        one = Character.objects.get(name=name)
        done(company.ana.does("join_fight", character=one.pk))
        assert fighters(company)[name] is kf.Status.UP
    assert newcomers(company) == []
    warden = f"k{company.warden.pk}"
    assert f'id="fighter-{warden}"' in company.ana.sees("gm/")
    assert "Warden joins" in company.ben.sees()
    done(company.ana.does("fight-hurt", on=warden, amount=1))
    assert Character.objects.get(pk=company.warden.pk).hp == company.warden.hp - 1
    company.cast.dice.faces = [2]
    done(company.ana.does("fight-attack", by=warden, on="goblin-1", rolled_by="attacker"))


def test_what_cannot_join_is_refused_in_words(company: Company):
    asked = {"character": company.warden.pk}
    assert "no fight" in refused(company.ana.does("join_fight", **asked), 409)
    company.fights()
    refused(company.ben.does("join_fight", **asked), 403)
    done(company.ana.does("join_fight", **asked))
    assert "already" in refused(company.ana.does("join_fight", **asked), 409)
    done(company.ana.does("fight-flee", of=f"k{company.warden.pk}"))
    assert "Warden has fled" in refused(company.ana.does("join_fight", **asked), 409)
    for one in (company.shade, company.draft):
        refused(company.ana.does("join_fight", character=one.pk), 409)
    assert "Shade" not in company.ben.sees()


def test_who_joined_is_out_again_when_it_is_taken_back(company: Company):
    company.fights()
    done(company.ana.does("join_fight", character=company.warden.pk))
    joined = company.table.events.filter(kind="Joined").latest("seq")
    done(company.ana.does("undo", event=joined.seq, sure="true"))
    assert "Warden" not in fighters(company)
    assert "Warden" in newcomers(company)


def test_kn24_who_is_hired_while_there_is_a_fight_comes_at_the_hosts_word(company: Company):
    company.fights()
    trade = HirelingKind.objects.first().pk
    done(company.ben.does("hire", character=company.ash.pk, trade=trade, name="Una"))
    assert "Una" not in fighters(company)
    assert "Una" in newcomers(company)


def test_kn24_a_knave_who_comes_late_brings_the_hirelings(company: Company):
    """Whoever takes over a knave in a fight has its people beside it, as at the beginning."""
    pat = knave(company.table, None, "Pat", kind="hireling", employer=company.stray, morale=7)
    company.fights()
    assert "Pat" not in fighters(company)
    Character.objects.filter(pk=company.birch.pk).update(seat=None)
    done(company.dora.does("claim_knave", character=company.stray.pk))
    assert fighters(company)["Stray"] is kf.Status.UP
    assert fighters(company)["Pat"] is kf.Status.UP
    assert acts_for(company.dora, pat)


# --- a short way to a hireling -------------------------------------------------------------------
def hiring(company: Company, action: str) -> list[Form]:
    return forms_of(company.ana.sees("gm/"), action)


def test_kn24_the_host_takes_somebody_on_where_the_party_is_listed(company: Company):
    """Only each knave's own page had a place for it. Who has no room is not offered."""
    [form] = hiring(company, "hire")
    offered = {f.value for f in form.fields if f.name == "character"}
    assert offered == {str(one.pk) for one in (company.ash, company.birch, company.stray)}
    name, trade = form.buttons[0]
    done(company.ana.does("hire", character=company.stray.pk, **{name: trade}))
    assert company.stray.hirelings.get().trade_id == int(trade)
    [form] = hiring(company, "hire")
    assert str(company.stray.pk) not in fields_of(form, "character"), "a Charisma bonus of one"
    assert not hiring(company, "take_on"), "nobody is without an employer"


def test_kn16_the_host_gives_a_hireling_of_the_dead_to_another_knave(company: Company):
    ash_dies(company)
    [form] = hiring(company, "take_on")
    assert form.buttons == [("character", str(company.tib.pk))]
    assert set(fields_of(form, "employer")) == {str(company.birch.pk), str(company.stray.pk)}
    done(company.ana.does("take_on", character=company.tib.pk, employer=company.birch.pk))
    company.tib.refresh_from_db()
    assert company.tib.employer_id == company.birch.pk
    assert not hiring(company, "take_on")


def test_kn24_a_phone_leads_to_where_people_are_hired_as_long_as_one_more_may_be(company: Company):
    way = f'href="/t/{company.table.code}/knave/{company.ash.pk}/#service"'
    assert way in company.ben.sees()
    Character.objects.filter(pk=company.ash.pk).update(charisma=1)
    assert way not in company.ben.sees()
