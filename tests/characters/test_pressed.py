"""What the rules of a fight allow somebody's page offers, and what a page offers is allowed."""

from __future__ import annotations

import re

import pytest

from games.live import drawing
from tests.characters.arena import BOW, Arena, holds
from tests.characters.company import Company
from tests.games.party import Party, done, refused
from tests.games.tried import taken_back
from tests.security.shown import Form, Shown, fields_of

SWORD = {"name": "sword", "name_es": "espada", "count": 1, "damage": "d8", "die": 8}
SLING = {"name": "sling", "name_es": "honda", "count": 1, "damage": "d4", "is_ranged": True}


@pytest.fixture
def arena(party: Party) -> Arena:
    """Ash of 40 hit points; the host's page is Knave's."""
    arena = Arena(party, hp=40, max_hp=40)
    done(arena.ana.does("turn_table", rules="knave"))
    return arena


def arms(arena: Arena, *attacks: object) -> None:
    arena.monster.attacks, arena.monster.attacks_all = list(attacks), False
    arena.monster.save()


def forms_of(html: str, action: str, by: str) -> list[Form]:
    """Return a page's forms for an action of one combatant's."""
    forms = (f for f in Shown(html).forms if action in fields_of(f, "action"))
    return [f for f in forms if by in fields_of(f, "by")]


def attacks_at_hand(arena: Arena) -> list[str]:
    """Return with which of its attacks one tap of the host's lets the goblin strike."""
    taps = forms_of(arena.ana.sees("gm/"), "fight-attack", "cave-goblin-1")
    return [fields_of(f, "with")[0] for f in taps if f.is_plain]


def flights(html: str, who: str) -> list[Form]:
    """Return a page's forms by which somebody flees."""
    forms = (f for f in Shown(html).forms if "fight-flee" in fields_of(f, "action"))
    return [f for f in forms if who in fields_of(f, "of")]


def who_tries_a_stunt(arena: Arena) -> list[str]:
    """Return the foes that the host's form for a stunt names."""
    return [who for who in named_for(arena, "fight-stunt") if who != arena.id]


def named_for(arena: Arena, action: str) -> list[str]:
    """Return whom the host's forms with a choice of who does it name."""
    forms = (f for f in Shown(arena.ana.sees("gm/")).forms if action in fields_of(f, "action"))
    chosen = (f for form in forms for f in form.fields if f.name == "by" and f.kind == "radio")
    return [f.value for f in chosen]


@pytest.mark.parametrize(("attacks", "left"), [((SWORD, SLING), [""]), ((SLING, SWORD), ["0"])])
def test_kn14_a_foe_in_melee_is_offered_what_it_can_strike_with_there(arena: Arena, attacks, left):
    """Nobody shoots while engaged in melee, whichever of its attacks the book names first."""
    arms(arena, *attacks)
    arena.begins(face=1)
    assert attacks_at_hand(arena) == ["", "0"]
    done(arena.ana.does("fight-engage", by="cave-goblin-1", on=arena.id))
    assert attacks_at_hand(arena) == left
    arena.dice.fall(2)
    more = {"with": left[0]} if left[0] else {}
    blow = {"by": "cave-goblin-1", "on": arena.id, "rolled_by": "attacker", **more}
    done(arena.ana.does("fight-attack", **blow))


def test_kn14_a_foe_can_get_clear_of_a_melee_to_shoot(arena: Arena):
    arms(arena, SLING)
    arena.begins(face=6)
    assert forms_of(arena.ana.sees("gm/"), "fight-disengage", "cave-goblin-1") == []
    arena.ash_strikes(2)
    (clear,) = forms_of(arena.ana.sees("gm/"), "fight-disengage", "cave-goblin-1")
    assert clear.is_plain
    done(arena.ana.does("fight-disengage", by="cave-goblin-1"))
    arena.goblin_strikes(2)


def test_kn17_a_stunt_is_offered_for_the_foes_that_may_try_one(arena: Arena):
    """An archer in melee may; who has begun its attacks of the round may not (KN-13)."""
    arms(arena, {**SWORD, "count": 2})
    encounter = arena.prepares()
    arms(arena, SLING)
    arena.monster.pk, arena.monster.key, arena.monster.name = None, "archer", "Archer"
    arena.monster.save()
    done(arena.ana.does("add_foes", encounter=encounter.pk, monster=arena.monster.pk))
    done(arena.ana.does("start_fight", encounter=encounter.pk))
    arena.rolls_initiative(1)
    assert who_tries_a_stunt(arena) == ["cave-goblin-1", "archer-1"]
    done(arena.ana.does("fight-engage", by="archer-1", on=arena.id))
    arena.goblin_strikes(2)
    assert who_tries_a_stunt(arena) == ["archer-1"]
    arena.dice.fall(12)
    stunt = {"by": "archer-1", "on": arena.id, "ability": "str", "against": "dex"}
    done(arena.ana.does("fight-stunt", **stunt))


def test_kn13_a_player_flees_with_the_own_knave_and_hireling_and_takes_it_back(company: Company):
    """A retreat of one's own: asked once, for nobody else's, and not from where one lies."""
    company.fights()
    for who in (company.id, f"k{company.tib.pk}"):
        (form,) = flights(company.ben.sees(), who)
        assert form.is_plain
        assert flights(company.dora.sees(), who) == []
    done(company.ben.does("fight-flee", of=company.id))
    assert flights(company.ben.sees(), company.id) == []
    fled = company.table.events.filter(kind="Fled").latest("seq")
    done(company.ben.does("undo", event=fled.seq, sure="true"))
    assert flights(company.ben.sees(), company.id) != []
    done(company.ana.does("fight-hurt", on=company.id, amount=company.ash.hp))
    assert flights(company.ben.sees(), company.id) == []


def strikes_for_ash(arena: Arena) -> list[str]:
    """Return at whom the host strikes for Ash with one tap, each of which is taken."""
    forms = forms_of(arena.ana.sees("gm/"), "fight-attack", arena.id)
    taps = [form for form in forms if form.is_plain]
    for form in taps:
        given = {f.name: f.value for f in form.fields if f.name != "tap"}
        for name, value in form.buttons:
            with taken_back():
                arena.dice.faces = [2]
                done(arena.ana.does(**{**given, name: value}))
            drawing.drawing_cache.forget()
    return [value for form in taps for _name, value in form.buttons]


def test_kn18_the_host_strikes_the_other_half_for_who_tried_a_stunt(arena: Arena):
    """Who began an attack and a stunt together strikes without an edge, at the same foe."""
    arena.begins(2)
    assert strikes_for_ash(arena) == ["cave-goblin-1", "cave-goblin-2"]
    arena.dice.faces = [15]
    stunt = {"ability": "str", "against": "dex", "both": "true"}
    done(arena.ben.does("fight-stunt", by=arena.id, on="cave-goblin-2", **stunt))
    assert strikes_for_ash(arena) == ["cave-goblin-2"]


def test_kn14_the_host_reads_why_nobody_strikes_with_what_is_in_hand(arena: Arena):
    bow = holds(arena.ash, "bow", **{**BOW, "is_equipped": False})
    arena.begins()
    arena.ash_strikes(2)
    arena.rolls_initiative(6)
    assert strikes_for_ash(arena) == ["cave-goblin-1"]
    done(arena.ben.does("fight-wield", by=arena.id, item=bow.pk))
    assert strikes_for_ash(arena) == []
    assert "Nobody shoots or throws while engaged in melee." in arena.ana.sees("gm/")


@pytest.mark.parametrize(
    ("action", "more", "fields"),
    [
        ("fight-attack", {"rolled_by": "attacker", "ideal": "true"}, {"ideal", "dice-2"}),
        ("fight-stunt", {"ability": "str", "against": "dex"}, {"ability", "against"}),
    ],
)
def test_kn18_the_host_does_for_an_absent_player_what_their_phone_would(
    arena: Arena, action: str, more: dict[str, str], fields: set[str]
):
    """With an edge, with real dice, with both of them, and each of two things in one turn."""
    arena.begins(2)
    (form,) = (f for f in forms_of(arena.ana.sees("gm/"), action, arena.id) if not f.is_plain)
    names = {f.name for f in form.fields} | {name for name, _value in form.buttons}
    assert names >= {"on", "rolls", "typed", "modifier", "both", "dice-0", "dice-1", *fields}
    asked = {"by": arena.id, "on": "cave-goblin-1", "modifier": "2", **more}
    edge = {"edge": "advantage"}
    for how in ({"edge": ""}, edge, {"dice-0": "3"}, {**edge, "dice-0": "3", "dice-1": "2"}):
        with taken_back():
            arena.dice.faces = [2, 2]
            done(arena.ana.does(action, **asked, **how))
            assert arena.id not in named_for(arena, action)
        drawing.drawing_cache.forget()
    arena.dice.faces = [2]
    done(arena.ana.does(action, **asked, both="true"))
    other = "fight-stunt" if action == "fight-attack" else "fight-attack"
    # The one half is made; the form for the other says whom it is against.
    assert arena.id not in named_for(arena, action)
    assert named_for(arena, other).count(arena.id) == 1
    assert "the other half, at Goblin 1" in arena.ana.sees("gm/")
    arena.dice.faces = [2]
    half = {"rolled_by": "attacker"} if other == "fight-attack" else {"ability": "str"}
    against = {"against": "str"} if other == "fight-stunt" else {}
    done(arena.ana.does(other, by=arena.id, on="cave-goblin-1", **half, **against))
    assert arena.id not in named_for(arena, other)


def test_kn13_the_host_puts_the_only_weapon_into_an_absent_players_hand(arena: Arena):
    """Where the page says that none is in hand, it offers the one there is, and no other."""
    arena.begins()
    wield = {"by": arena.id, "item": arena.sword.pk}
    assert forms_of(arena.ana.sees("gm/"), "fight-wield", arena.id) == []
    done(arena.ben.does("equip_item", item=arena.sword.pk, on="false"))
    page = arena.ana.sees("gm/")
    assert "no weapon in hand" in page
    (form,) = forms_of(page, "fight-wield", arena.id)
    assert form.buttons == [("item", str(arena.sword.pk))]
    done(arena.ana.does("fight-wield", **wield))
    assert forms_of(arena.ana.sees("gm/"), "fight-wield", arena.id) == []


def test_kn13_another_weapon_is_offered_to_whoever_carries_one(arena: Arena):
    """There was a button that opened upon the weapon in hand alone, and that did nothing."""
    arena.begins()
    assert "fight-wield" not in arena.ben.sees()
    bow = holds(arena.ash, "bow", **{**BOW, "is_equipped": False})
    arena.rolls_initiative(6)
    page = arena.ben.sees()
    for one, is_in_hand in ((arena.sword, True), (bow, False)):
        chip = re.search(rf'<button id="wield-{arena.id}-{one.pk}"[^>]*>', page)[0]
        assert ("disabled" in chip, 'aria-pressed="true"' in chip) == (is_in_hand, is_in_hand)


def test_kn24_nobody_is_asked_to_pay_for_an_employer_who_is_dead(company: Company):
    due = f'id="pay-{company.tib.pk}-1"'
    assert due in company.ana.sees("gm/")
    done(company.ana.does("change_hp", character=company.ash.pk, by=-99))
    refused(company.ana.does("pay_hireling", character=company.tib.pk), 409)
    assert due not in company.ana.sees("gm/")
    died = company.table.events.filter(kind="hp_changed").latest("seq")
    done(company.ana.does("undo", event=died.seq, sure="true"))
    assert due in company.ana.sees("gm/")


def test_figures_are_offered_to_be_corrected_while_they_can_be(company: Company):
    """Not of the dead, nor of a knave in the making: its dice are in the record (KN-7)."""
    figures = {"set_ability", "set_level", "allow_overload"}
    done(company.ana.does("change_hp", character=company.birch.pk, by=-99))
    for one, offered in ((company.ash, figures), (company.draft, set()), (company.birch, set())):
        forms = Shown(company.ana.sees(f"knave/{one.pk}/")).forms
        assert {a for f in forms for a in fields_of(f, "action")} & figures == offered
        refusal = company.ana.does("set_ability", character=one.pk, ability="str", bonus=2)
        assert (refusal.status_code < 400) is bool(offered)


def test_kn13_nobody_is_named_who_may_not_act(arena: Arena):
    """Before the first initiative, and for who has acted, the folds have nobody, unseen."""
    arena.begins(face=None)
    empty = {"own-blow-who", "own-stunt-who", "blow-who", "two-who", "stunt-who"}
    assert folds_of_nobody(arena) == empty
    arena.rolls_initiative(6)
    assert folds_of_nobody(arena) == set()
    arena.ash_strikes(2)
    assert folds_of_nobody(arena) == {"own-blow-who", "own-stunt-who"}
    arena.goblin_strikes(2)
    assert folds_of_nobody(arena) == empty


def folds_of_nobody(arena: Arena) -> set[str]:
    return set(
        re.findall(r'<fieldset id="([a-z-]+)" class="radios nobody">', arena.ana.sees("gm/"))
    )


def test_kn25_a_book_is_offered_where_the_round_lets_it_be_read(company: Company):
    """Reading is a combat action (KN-13): in a fight it is offered there, and not on the sheet."""
    sheets, host = f'id="cast-{company.book.pk}"', f'id="cast-{company.id}-{company.book.pk}"'
    there, read = f'id="spell-{company.id}-{company.book.pk}"', {"item": company.book.pk}
    assert sheets in company.ben.sees()
    assert host not in company.ana.sees("gm/")
    company.fights()
    assert sheets not in company.ben.sees()
    assert there in company.ben.sees()
    assert host in company.ana.sees("gm/")
    with taken_back():
        done(company.ana.does("cast_spell", **read))
        assert host not in company.ana.sees("gm/")
    drawing.drawing_cache.forget()
    company.cast.dice.faces = [2]
    blow = {"by": company.id, "on": "goblin-1", "rolled_by": "attacker"}
    done(company.ben.does("fight-attack", **blow))
    refused(company.ben.does("cast_spell", **read), 409)
    assert there not in company.ben.sees()
    assert host not in company.ana.sees("gm/")
    done(company.ana.does("end_fight"))
    assert sheets in company.ben.sees()


def taps_for(html: str, action: str) -> list[dict[str, str]]:
    """Return what each of a page's plain taps of an action sends."""
    forms = (f for f in Shown(html).forms if f.is_plain)
    sent = [
        {**{f.name: f.value for f in form.fields}, name: value}
        for form in forms
        for name, value in form.buttons
    ]
    return [one for one in sent if one.get("action") == action]


def test_kn21_nobody_makes_camp_while_there_is_a_fight(company: Company):
    assert len(taps_for(company.ana.sees("gm/"), "make_camp")) == 2
    company.fights()
    refused(company.ana.does("make_camp", kind="night"), 409)
    assert taps_for(company.ana.sees("gm/"), "make_camp") == []
    done(company.ana.does("end_fight"))
    assert len(taps_for(company.ana.sees("gm/"), "make_camp")) == 2


def test_a_thing_is_offered_to_go_only_where_it_can(company: Company):
    """KN-4: up and down the ladder, in a container among what is in it; each such tap is taken."""
    sack = holds(company.ash, "sack", kind="container", holds=9, is_equipped=False)
    for name in ("rope", "chalk"):
        holds(company.ash, name, inside=sack, is_equipped=False)
    taps = taps_for(company.ben.sees(), "move_item")
    places = company.ash.items.filter(is_home=False).values_list("inside", flat=True)
    # Two ways for each thing, but for the first and the last of each place.
    assert len(taps) == 2 * len(places) - 2 * len(set(places))
    for tap in taps:
        with taken_back():
            done(company.ben.does("move_item", item=tap["item"], by=tap["by"]))


def test_coins_are_offered_to_be_shared_as_far_as_they_go_round(company: Company):
    pile = company.table.piles.filter(is_open=True).first()
    for copper, is_offered in ((1, False), (2, True)):
        type(pile).objects.filter(pk=pile.pk).update(copper=copper, silver=0, gold=0)
        drawing.drawing_cache.forget()
        shared = [t["pile"] for t in taps_for(company.ana.sees("gm/"), "share_coins")]
        assert (str(pile.pk) in shared) is is_offered
        with taken_back():
            answer = company.ana.does("share_coins", pile=pile.pk)
            assert (answer.status_code < 400) is is_offered
