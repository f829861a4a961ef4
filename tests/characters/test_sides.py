"""NPCs among the foes, and whoever goes over to the other side in the middle of a fight."""

from __future__ import annotations

import pytest

from characters.models import Character, Monster
from games.rules import knave_fight as kf
from games.stored import state_of
from tests.characters.company import Company
from tests.characters.crew import book_of, owns, told
from tests.games.party import done, fresh, refused
from tests.security.shown import fields_of, forms_of


def fight(company: Company) -> kf.State:
    return state_of(company.table.games.filter(rules=kf.NAME).first())


def faces_party(company: Company, one: Character, encounter: int = 0) -> None:
    done(company.ana.does("face_party", character=one.pk, encounter=encounter))


# --- NPCs among the foes -------------------------------------------------------------------------
def test_an_npc_waits_in_secret_and_comes_as_their_sheet_is_when_the_fight_begins(company: Company):
    """They had to be made anew, as foes of a stat line, with nothing of what befell them."""
    [form] = forms_of(company.ana.sees("gm/"), "face_party")
    offered = {str(company.warden.pk), str(company.shade.pk)}
    assert set(fields_of(form, "character")) == offered
    faces_party(company, company.shade)
    assert "Shade" not in company.ben.sees() + company.tess.sees("screen/")
    assert fields_of(forms_of(company.ana.sees("gm/"), "face_party")[0], "character") == [
        str(company.warden.pk)
    ]
    done(company.ana.does("change_hp", character=company.shade.pk, by=-2))
    company.fights_without_melee()
    foe = fight(company).of(f"k{company.shade.pk}")
    assert (foe.side, foe.hp, foe.armor_defense, foe.morale) == (kf.Side.FOES, 2, 13, 8)
    assert not fresh(company.shade).is_hidden
    assert "Shade" in company.ben.sees()


def test_a_hireling_whom_the_host_has_hidden_stands_in_no_fight(company: Company):
    """Everybody would read in the fight that there is somebody."""
    Character.objects.filter(pk=company.tib.pk).update(is_hidden=True)
    company.fights_without_melee()
    lined_up = {one.id for one in fight(company).fighters}
    assert company.id in lined_up
    assert f"k{company.tib.pk}" not in lined_up


def test_among_the_foes_who_wait_an_npc_has_the_armor_that_the_fight_will_give_them(
    company: Company,
):
    """KN-5: a shield and a helmet add one each; the list of those who wait left them out."""
    for key in ("gambeson", "shield", "helmet"):
        owns(company.warden, key, is_equipped=True)
    Character.objects.filter(pk=company.warden.pk).update(natural_defense=None)
    faces_party(company, company.warden)
    shown = company.ana.sees("gm/")
    company.fights_without_melee()
    defense = fight(company).of(f"k{company.warden.pk}").armor_defense
    assert f"6 hit points, armor {defense}" in shown


def test_a_foe_with_one_hit_point_has_one(company: Company):
    company.ambush.foes[0] |= {"hp": 1, "max_hp": 1}
    company.ambush.save()
    done(company.ana.does("drop_foe", encounter=company.ambush.pk, foe="goblin-2"))
    assert "1 hit point, armor 13" in company.ana.sees("gm/")


def test_what_befalls_an_npc_among_the_foes_is_on_their_sheet(company: Company):
    faces_party(company, company.warden)
    company.fights_without_melee()
    who = f"k{company.warden.pk}"
    company.cast.dice.fall(19, 3)
    done(company.ben.does("fight-attack", by=company.id, on=who, rolled_by="attacker"))
    assert 0 < fresh(company.warden).hp == fight(company).of(who).hp < 4
    done(company.ana.does("fight-hurt", on=who, amount=9))
    assert fresh(company.warden).state == Character.State.DEAD
    done(company.ana.does("end_fight"))


@pytest.mark.parametrize("side", ["party", "foes"])
def test_kn20_a_rating_raised_in_the_fight_is_what_the_roll_is_against(company: Company, side: str):
    """KN-20: pay and good treatment raise it, and 2d6 of as much as the new one hold."""
    one = company.tib if side == "party" else company.warden
    faces_party(company, company.warden)
    company.fights_without_melee()
    done(company.ana.does("set_morale", character=one.pk, morale=11))
    if side == "foes":
        assert "morale 11" in company.ana.sees("gm/")
    company.cast.dice.fall(5, 6)
    done(company.ana.does("fight-morale", of=f"k{one.pk}"))
    assert fight(company).of(f"k{one.pk}").status is kf.Status.UP


def test_in_a_fight_an_npc_comes_in_against_the_party_and_is_none_of_it(company: Company):
    """KN-20: their hit points are the host's to know as long as they fight."""
    company.fights_without_melee()
    member = f'id="member-{company.warden.pk}"'
    assert member in company.ben.sees()
    [form] = forms_of(company.ana.sees("gm/"), "face_party")
    encounter = fields_of(form, "encounter")[0]
    faces_party(company, company.warden, int(encounter))
    who = f"k{company.warden.pk}"
    assert fight(company).of(who).side is kf.Side.FOES
    assert member not in company.ben.sees()
    assert f'id="attack-{company.id}-{who}"' in company.ben.sees()
    assert f'id="foe-{who}"' in company.ana.sees("gm/")
    asked = {"character": company.warden.pk, "encounter": encounter}
    said = "Warden is in the fight already."
    assert refused(company.ana.does("face_party", **asked), 409) == said
    done(company.ana.does("fight-flee", of=who))
    said = "Warden has fled, and does nothing more here."
    assert refused(company.ana.does("face_party", **asked), 409) == said
    done(company.ana.does("end_fight"))
    assert member in company.ben.sees()


def test_who_fought_against_the_party_is_not_taken_for_one_of_it_afterwards(company: Company):
    """In sight, Shade stood in its list as a knave does that nobody plays."""
    faces_party(company, company.shade)
    company.fights_without_melee()
    done(company.ana.does("fight-flee", of=f"k{company.shade.pk}"))
    done(company.ana.does("end_fight"))
    for page in (company.ben.sees(), company.tess.sees("screen/")):
        assert "NPC · level 1" in member_of(page, company.shade)
        assert "NPC" not in member_of(page, company.ash)
        assert "NPC" not in member_of(page, company.tib)


def member_of(page: str, one: Character) -> str:
    """Return what a page's list of the party says of somebody."""
    return page.split(f'id="member-{one.pk}"')[1].partition("</li>")[0]


def test_nobody_is_hidden_in_the_middle_of_a_fight(company: Company):
    """S2: all went on seeing Warden there, and of the blows at them only the host was told."""
    faces_party(company, company.warden)
    chip = f'id="show-sheet-{company.warden.pk}"'
    assert chip in company.ana.sees("gm/")
    company.fights_without_melee()
    assert chip not in company.ana.sees("gm/")
    asked = {"character": company.warden.pk, "on": "false"}
    said = "Warden is in the fight, where all see them."
    assert refused(company.ana.does("show_sheet", **asked), 409) == said
    done(company.ana.does("end_fight"))
    done(company.ana.does("show_sheet", **asked))


def test_an_undo_hides_nobody_in_the_middle_of_a_fight(company: Company):
    """The fight goes back along with it, as it does where somebody's sheet is gone."""
    done(company.ana.does("show_sheet", character=company.shade.pk, on="true"))
    shown = company.table.events.get(kind="npc_shown")
    faces_party(company, company.shade)
    company.fights_without_melee()
    refused(company.ana.does("undo", event=shown.seq), 409)
    done(company.ana.does("undo", event=shown.seq, sure="true"))
    assert fresh(company.shade).is_hidden
    assert not company.table.games.filter(rules=kf.NAME, status="playing").exists()


def test_of_an_npc_among_the_foes_the_log_tells_no_figures(company: Company):
    """KN-20: the host's − on Warden's sheet told everybody how many hit points were left."""
    chain = owns(company.warden, "chain")
    faces_party(company, company.warden)
    company.fights_without_melee()
    before = company.table.events.latest("seq").seq
    key = {"character": company.warden.pk}
    done(company.ana.does("change_hp", **key, by=-2))
    done(company.ana.does("change_hp", **key, by=1))
    done(company.ana.does("set_ability", **key, ability="str", bonus=4))
    done(company.ana.does("set_level", **key, level=3, xp=0, max_hp=9))
    done(company.ana.does("break_item", item=chain.pk))
    done(company.ana.does("repair_item", item=chain.pk, is_free="true"))
    events = company.table.events.filter(seq__gt=before).order_by("seq")
    assert [told(e) for e in events.filter(to=None)] == [
        "Warden loses 2 hit points.",
        "Warden regains 1 hit point.",
    ]
    hosts = events.exclude(to=None).exclude(kind="MoraleDue")
    assert [e.kind for e in hosts] == [
        *("hp_changed", "hp_changed", "ability_set", "level_set", "item_worn", "item_repaired"),
    ]
    done(company.ana.does("end_fight"))
    done(company.ana.does("change_hp", **key, by=-1))
    assert company.table.events.filter(kind="hp_changed").latest("seq").to is None


@pytest.mark.parametrize(
    ("who", "why"),
    [
        ("ash", "Ash is a knave of the party."),
        ("tib", "Tib is in the party."),
        ("warden", "Warden is among the foes already."),
    ],
)
def test_who_cannot_be_put_among_the_foes(company: Company, who: str, why: str):
    faces_party(company, company.warden)
    asked = {"character": getattr(company, who).pk, "encounter": 0}
    assert refused(company.ana.does("face_party", **asked), 409) == why


def test_who_has_fallen_since_does_not_come(company: Company):
    done(company.ana.does("prepare_encounter", name="Alone"))
    alone = company.table.encounters.first()
    faces_party(company, company.warden, alone.pk)
    done(company.ana.does("change_hp", character=company.warden.pk, by=-4))
    asked = {"character": company.warden.pk, "encounter": alone.pk}
    said = "Warden cannot stand up to fight."
    assert refused(company.ana.does("face_party", **asked), 409) == said
    assert "nobody in it" in refused(company.ana.does("start_fight", encounter=alone.pk), 409)


def test_kn20_a_leader_who_does_not_come_leads_nobody(company: Company):
    """Goblins and rats went on as one band under Warden, who was sent away before it began."""
    rat = Monster.objects.get(key="rat-giant").pk
    done(company.ana.does("add_foes", encounter=company.ambush.pk, monster=rat, count=2))
    faces_party(company, company.warden, company.ambush.pk)
    leads = {"encounter": company.ambush.pk, "foe": f"k{company.warden.pk}"}
    done(company.ana.does("name_leader", **leads))
    done(company.ana.does("dismiss", character=company.warden.pk))
    company.fights_without_melee()
    groups = {f.id: f.group for f in fight(company).fighters if f.side is kf.Side.FOES}
    assert groups == {
        "goblin-1": "goblin",
        "goblin-2": "goblin",
        "rat-giant-1": "rat-giant",
        "rat-giant-2": "rat-giant",
    }
    done(company.ana.does("fight-hurt", on="goblin-1", amount=99))
    assert fight(company).morale_due == ("goblin-2",)


@pytest.mark.parametrize("word", ["heal", "hurt"])
def test_who_was_sent_away_as_they_lay_there_comes_back_to_no_table(company: Company, word: str):
    """The + beside a foe that is down set Warden among the party again."""
    faces_party(company, company.warden)
    company.fights_without_melee()
    who = f"k{company.warden.pk}"
    done(company.ana.does("fight-hurt", on=who, amount=4))
    done(company.ana.does("dismiss", character=company.warden.pk))
    done(company.ana.does(f"fight-{word}", on=who, amount=1))
    assert fresh(company.warden).state == Character.State.GONE
    done(company.ana.does("end_fight"))
    assert f'id="member-{company.warden.pk}"' not in company.ben.sees()


# --- going over ----------------------------------------------------------------------------------
def test_a_foe_comes_over_and_the_host_strikes_at_the_others_with_it(company: Company):
    company.fights_without_melee()
    done(company.ana.does("fight-turn", of="goblin-1"))
    event = company.table.events.get(kind="Turned")
    assert told(event) == "Goblin 1 comes over to the party."
    page = company.ana.sees("gm/")
    assert 'id="strike-goblin-1-goblin-2"' in page
    assert 'id="strike-goblin-1-k' not in page
    assert 'id="blow-on-goblin-1"' in page
    assert "On your side" in company.ben.sees()
    assert "on the party" in company.tess.sees("screen/")
    assert f'id="attack-{company.id}-goblin-1"' not in company.ben.sees()
    company.cast.dice.fall(19, 3)
    done(company.ana.does("fight-attack", by="goblin-1", on="goblin-2", rolled_by="attacker"))
    done(company.ana.does("fight-turn", of="goblin-1"))
    assert fight(company).of("goblin-1").side is kf.Side.FOES


def test_a_hireling_goes_over_to_the_foes_and_is_no_longer_their_players(company: Company):
    company.fights_without_melee()
    who = f"k{company.tib.pk}"
    assert f'id="turn-{who}"' in company.ana.sees("gm/")
    done(company.ana.does("fight-turn", of=who))
    assert f'id="fighter-{who}"' not in company.ben.sees()
    assert f'id="attack-{company.id}-{who}"' in company.ben.sees()
    refused(company.ben.does("fight-flee", of=who), 403)
    event = company.table.events.get(kind="Turned")
    assert told(event) == "Tib goes over to the foes."
    done(company.ana.does("undo", event=event.seq))
    assert fight(company).of(who).side is kf.Side.PARTY


def test_for_who_has_gone_over_their_employer_reads_nothing_and_takes_nothing_in_hand(
    company: Company,
):
    """A program could: the spell was read in the party's turn, and ended it (KN-12)."""
    book, sword = book_of(company.tib), owns(company.tib, "sword")
    company.fights_without_melee()
    who = f"k{company.tib.pk}"
    done(company.ana.does("fight-turn", of=who))
    refused(company.ben.does("cast_spell", item=book.pk), 403)
    refused(company.ben.does("fight-wield", by=who, item=sword.pk), 403)
    assert not fight(company).second_began
    done(company.ana.does("fight-wield", by=who, item=sword.pk))
    done(company.ana.does("cast_spell", item=book.pk))
    assert fight(company).of(who).cast


def test_a_knave_goes_over_to_nobody(company: Company):
    """Whoever plays one decides that."""
    company.fights_without_melee()
    why = refused(company.ana.does("fight-turn", of=company.id), 409)
    assert why == "Ash is a knave of the party."
    assert f'id="turn-{company.id}"' not in company.ana.sees("gm/")
    assert "Goblin 1" in refused_for_the_fallen(company)


def refused_for_the_fallen(company: Company) -> str:
    done(company.ana.does("fight-hurt", on="goblin-1", amount=99))
    return refused(company.ana.does("fight-turn", of="goblin-1"), 409)
