"""Hirelings and NPCs: hiring, wages, morale, sending away."""

from __future__ import annotations

import re

import pytest

from characters.models import Character, HirelingKind, Item, Pile
from characters.services.names import NAMES
from games.rules import knave_fight as kf
from games.rules.knave.abilities import Bonuses
from tests.characters.arena import Arena, holds, knave, seen_by_all
from tests.characters.crew import told
from tests.games.party import Party, Person, done, fresh, refused
from tests.set_back import kept_rows


@pytest.fixture
def arena(party: Party) -> Arena:
    return Arena(party, charisma=1, silver=3, copper=5)


@pytest.fixture
def trade(arena: Arena) -> HirelingKind:
    return HirelingKind.objects.create(
        key="test-guard",
        name="Guard",
        name_es="Guardia",
        is_own=True,
        wage=6,
        level=1,
        hp=4,
        armor_defense=14,
        attack_bonus=2,
        die=8,
        morale=8,
    )


def hires(arena: Arena, trade: HirelingKind, name: str = "Carl") -> Character:
    done(arena.ben.does("hire", character=arena.ash.pk, trade=trade.pk, name=name))
    return Character.objects.latest("pk")


# --- hiring --------------------------------------------------------------------------------------
def test_kn24_a_hireling_comes_with_the_figures_of_the_trade(arena: Arena, trade):
    carl = hires(arena, trade)
    assert (carl.kind, carl.state, carl.employer, carl.wage) == ("hireling", "up", arena.ash, 6)
    assert (carl.hp, carl.max_hp, carl.morale, carl.natural_defense) == (4, 4, 8, 14)
    assert carl.bonuses == Bonuses(1, 1, 1, 1, 1, 1)
    assert told(arena.last("hireling_hired")) == "Ash hires Carl, guard, for 6 copper a day."
    assert arena.last("hireling_hired").mentions.count() == 2


def test_kn24_a_hirelings_every_bonus_is_the_level_of_the_trade(arena: Arena, trade):
    HirelingKind.objects.filter(pk=trade.pk).update(level=3)
    assert hires(arena, trade).bonuses == Bonuses(3, 3, 3, 3, 3, 3)


def test_kn24_as_many_as_the_charisma_bonus(arena: Arena, trade):
    carl = hires(arena, trade)
    answer = arena.ben.does("hire", character=arena.ash.pk, trade=trade.pk)
    assert "1 hireling at most" in refused(answer, 409)
    done(arena.ben.does("dismiss", character=carl.pk))
    dirk = hires(arena, trade, name="")
    assert dirk.name in NAMES.split()
    done(arena.ana.does("change_hp", character=dirk.pk, by=-99))
    hires(arena, trade, name="Elsa")
    Character.objects.filter(pk=arena.ash.pk).update(charisma=-2)
    assert "0 hirelings" in refused(
        arena.ana.does("hire", character=arena.ash.pk, trade=trade.pk), 409
    )


def test_kn24_whom_nobody_names_has_a_name_and_a_trade_in_the_readers_language(arena: Arena, trade):
    """The trade stood for a name, in the table's language, and two of a trade were one."""
    done(arena.ana.does("turn_table", rules="knave"))
    Character.objects.filter(pk=arena.ash.pk).update(charisma=2)
    one, other = hires(arena, trade, name=""), hires(arena, trade, name=" ")
    assert len({one.name, other.name, "Guard"}) == 3
    for person in (arena.ana, arena.ben):
        done(person.does("speak", language="es"))
    pages = (
        arena.ben.sees(),
        arena.ana.sees("gm/"),
        arena.ben.sees(f"knave/{arena.ash.pk}/"),
        arena.ben.sees(f"knave/{one.pk}/"),
    )
    for page in pages:
        assert one.name in page
        assert "Guardia" in page
        assert not re.search(r"\bGuard\b", page)
    assert "de 1000 PX" not in pages[-1], "hirelings have no experience"


def test_back_leads_to_the_page_where_somebody_works(arena: Arena, trade):
    """The referee reads a knave's sheet from the referee's page, and goes on there."""
    carl = hires(arena, trade)
    hosts = knave(arena.ana, "Moth")
    back = re.compile('id="back" href="([^"]+)"')
    code = arena.table.code

    def leads(person: Person, page: str) -> str:
        return back.search(person.sees(page))[1].removeprefix(f"/t/{code}/")

    for one in (arena.ash, carl):
        assert leads(arena.ana, f"knave/{one.pk}/") == "gm/"
        assert leads(arena.ben, f"knave/{one.pk}/") == ""
    assert leads(arena.ana, f"knave/{arena.ash.pk}/shop/") == "gm/"
    assert leads(arena.ana, f"knave/{hosts.pk}/") == ""


def test_kn14_an_archer_for_hire_shoots_and_a_man_at_arms_closes(arena: Arena):
    """KN-14: a shot brings nobody into melee, and in melee there is none."""
    Character.objects.filter(pk=arena.ash.pk).update(charisma=2)
    archer, guard = (
        hires(arena, HirelingKind.objects.get(key=key), name)
        for key, name in (("archer", "Bea"), ("man-at-arms-foot", "Carl"))
    )
    arena.begins(count=1)
    blow = {"on": "cave-goblin-1", "rolled_by": "attacker"}
    for one, engaged in ((archer, False), (guard, True)):
        arena.dice.fall(2)
        done(arena.ben.does("fight-attack", by=f"k{one.pk}", **blow))
        assert arena.state.is_engaged(f"k{one.pk}") is engaged
    arena.rolls_initiative(2)
    arena.goblin_strikes(2, on=f"k{archer.pk}")
    asked = arena.ben.does("fight-attack", by=f"k{archer.pk}", **blow)
    assert "in melee" in refused(asked, 409)


def test_only_ones_own_knave_hires_and_only_whom_the_book_has(arena: Arena, trade):
    [cy] = arena.cast.welcomes("Cy")
    refused(cy.does("hire", character=arena.ash.pk, trade=trade.pk), 403)
    refused(arena.ben.does("hire", character=arena.ash.pk, trade=10**9), 404)
    refused(arena.ben.does("hire", character=arena.ash.pk, trade=trade.pk, name="x" * 61), 422)
    trade.is_hidden = True
    trade.save()
    refused(arena.ben.does("hire", character=arena.ash.pk, trade=trade.pk), 404)
    trade.is_hidden = False
    trade.save()
    carl = hires(arena, trade)
    assert "Only a knave" in refused(arena.ben.does("hire", character=carl.pk, trade=trade.pk), 409)


# --- wages ---------------------------------------------------------------------------------------
def test_kn24_wages_are_paid_from_the_purse_for_days_that_are_owed(arena: Arena, trade):
    carl = hires(arena, trade)
    assert "Carl is owed nothing" in refused(arena.ben.does("pay_hireling", character=carl.pk), 409)
    Character.objects.filter(pk=carl.pk).update(days_owed=3)
    done(arena.ben.does("pay_hireling", character=carl.pk, days=2))
    ash = fresh(arena.ash)
    assert (ash.gold, ash.silver, ash.copper) == (0, 2, 3)
    assert fresh(carl).days_owed == 1
    assert told(arena.last("hireling_paid")) == "Ash pays Carl for 2 days: 1 silver 2 copper."
    done(arena.ben.does("pay_hireling", character=carl.pk, days=60))
    assert fresh(carl).days_owed == 0


def test_kn20_a_hireling_whose_side_is_shaken_is_offered_the_roll_like_a_foe(arena: Arena, trade):
    """The log asked "Does Carl hold?", and the button lay folded away."""
    done(arena.ana.does("turn_table", rules="knave"))
    carl = hires(arena, trade)
    arena.begins(count=3, face=1)
    offer = f'id="morale-due-k{carl.pk}"'
    assert offer not in arena.ana.sees("gm/")
    arena.goblin_strikes(15, 5)  # Ash goes down: half of the party
    assert arena.last("MoraleDue").data["of"] == [f"k{carl.pk}"]
    assert offer in arena.ana.sees("gm/")
    assert offer not in arena.ben.sees()
    arena.dice.fall(2, 2)
    done(arena.ana.does("fight-morale", of=f"k{carl.pk}"))
    assert offer not in arena.ana.sees("gm/")


def test_a_short_purse_pays_nothing(arena: Arena, trade):
    carl = hires(arena, trade)
    Character.objects.filter(pk=carl.pk).update(days_owed=10)
    assert "6 silver" in refused(arena.ben.does("pay_hireling", character=carl.pk, days=10), 409)
    assert fresh(carl).days_owed == 10


def test_the_dead_pay_nobody(arena: Arena, trade):
    carl = hires(arena, trade)
    Character.objects.filter(pk=carl.pk).update(days_owed=1)
    done(arena.ana.does("hurt_many", amount=9, who=arena.ash.pk))
    assert "no employer" in refused(arena.ana.does("pay_hireling", character=carl.pk), 409)


def test_kn24_who_hired_somebody_pays_and_sends_away_from_their_own_page(arena: Arena, trade):
    """The page says "pay them every day": it has to offer it, and no days that are not owed."""
    done(arena.ana.does("turn_table", rules="knave"))
    carl = hires(arena, trade)
    page = f"knave/{arena.ash.pk}/"
    assert f'id="pay-{carl.pk}"' not in arena.ben.sees(page)
    assert f'id="pay-{carl.pk}-7"' not in arena.ana.sees("gm/")
    Character.objects.filter(pk=carl.pk).update(days_owed=3)
    seen = arena.ben.sees(page)
    assert f'id="pay-{carl.pk}"' in seen
    assert f'id="pay-{carl.pk}-7"' in arena.ana.sees("gm/")
    assert "Pay 1 silver 8 copper" in seen
    assert 'name="days" value="3"' in seen
    assert f'id="dismiss-{carl.pk}-yes"' in seen
    assert "No more than these follow you" in seen, "a Charisma bonus of one"


def test_kn16_the_dead_are_offered_nothing_that_would_be_refused(arena: Arena):
    """Hit points, a purse, the shop: on the old sheet each of those taps said only "is dead"."""
    page = f"knave/{arena.ash.pk}/"
    offered = ("save-hp", "save-coins", "add-item", "to-shop")
    seen = arena.ben.sees(page)
    assert all(f'id="{one}"' in seen for one in offered)
    assert 'id="overload"' in arena.ana.sees(page)
    Character.objects.filter(pk=arena.ash.pk).update(state="dead", hp=-3)
    seen = arena.ben.sees(page)
    assert not any(f'id="{one}"' in seen for one in offered)
    assert 'id="overload"' not in arena.ana.sees(page)
    assert 'id="save-knave"' in seen, "a name and notes may still be written"


# --- morale --------------------------------------------------------------------------------------
@pytest.mark.parametrize(("faces", "holds_on"), [((4, 4), True), ((4, 5), False)])
def test_kn20_more_than_the_rating_breaks(arena: Arena, trade, faces, holds_on):
    carl = hires(arena, trade)
    arena.dice.fall(*faces)
    done(arena.ana.does("roll_morale", character=carl.pk, moment="unpaid"))
    event = arena.last("morale_rolled")
    assert event.data["success"] is holds_on
    assert told(event).startswith("Unpaid. Morale: Carl")
    assert fresh(carl).state == "up"
    assert event.mentions.get().character == carl  # the loyalty record


def test_kn20_a_rating_is_the_hosts_to_raise_and_to_know(arena: Arena, trade):
    carl = hires(arena, trade)
    done(arena.ana.does("set_morale", character=carl.pk, morale=11))
    assert fresh(carl).morale == 11
    assert "11" not in seen_by_all(arena.table)
    refused(arena.ana.does("set_morale", character=carl.pk, morale=13), 422)
    refused(arena.ben.does("set_morale", character=carl.pk, morale=9), 403)
    refused(arena.ben.does("roll_morale", character=carl.pk), 403)
    assert "Ash is a knave of the party" in refused(
        arena.ana.does("roll_morale", character=arena.ash.pk), 409
    )


def test_kn20_when_the_employer_dies_the_host_is_offered_the_check(arena: Arena, trade):
    carl = hires(arena, trade)
    done(arena.ana.does("hurt_many", amount=9, who=arena.ash.pk))
    offered = arena.last("morale_offered")
    assert offered.to == arena.ana.row
    assert told(offered) == "Ash is dead: roll morale for Carl?"
    assert offered.mentions.get().character == carl


def test_a_player_takes_nothing_back_by_what_the_host_alone_was_told(arena: Arena, trade):
    """S2: a number that is tried out leads to no event that is another's."""
    hires(arena, trade)
    done(arena.ben.does("change_hp", character=arena.ash.pk, by=-9))
    no_such = refused(arena.ben.does("undo", event=10**6), 409)
    assert refused(arena.ben.does("undo", event=arena.last("morale_offered").seq), 409) == no_such
    assert fresh(arena.ash).state == "dead"
    done(arena.ben.does("undo", event=arena.last("knave_died").seq))
    assert fresh(arena.ash).state == "up"


def test_real_dice_may_be_typed_for_morale(arena: Arena, trade):
    carl = hires(arena, trade)
    refused(arena.ana.does("roll_morale", character=carl.pk, dice="3"), 422)
    done(arena.ana.does("roll_morale", character=carl.pk, **{"dice-0": "6", "dice-1": "6"}))
    assert arena.last("morale_rolled").data["is_real"] is True


# --- going away ----------------------------------------------------------------------------------
def test_who_is_sent_away_leaves_behind_what_was_carried(arena: Arena, trade):
    carl = hires(arena, trade)
    rope = holds(carl, "rope", kind="gear")
    done(arena.ben.does("dismiss", character=carl.pk))
    assert fresh(carl).state == "gone"
    assert Item.objects.get(pk=rope.pk).pile == Pile.objects.get()
    refused(arena.ben.does("dismiss", character=carl.pk), 404)
    assert "knave of the party" in refused(arena.ana.does("dismiss", character=arena.ash.pk), 409)


def test_who_is_sent_away_leaves_the_fight(arena: Arena, trade):
    carl = hires(arena, trade)
    arena.begins(face=6)
    done(arena.ben.does("dismiss", character=carl.pk))
    assert arena.of(f"k{carl.pk}").status is kf.Status.FLED


@pytest.mark.parametrize("deed", ["hire", "pay_hireling", "dismiss", "set_morale"])
def test_undo_sets_back_what_was_done_with_people(arena: Arena, trade, deed: str):
    if deed != "hire":
        carl = hires(arena, trade)
        Character.objects.filter(pk=carl.pk).update(days_owed=1)
        holds(carl, "rope", kind="gear")
    before = kept_rows()
    match deed:
        case "hire":
            hires(arena, trade)
        case "set_morale":
            done(arena.ana.does(deed, character=carl.pk, morale=9))
        case _:
            done(arena.ben.does(deed, character=carl.pk))
    kinds = {
        "hire": "hireling_hired",
        "pay_hireling": "hireling_paid",
        "dismiss": "person_dismissed",
        "set_morale": "morale_set",
    }
    assert kept_rows() != before
    arena.undoes(kinds[deed])
    assert kept_rows() == before


# --- NPCs ----------------------------------------------------------------------------------------
def test_an_npc_in_sight_is_everybodys_and_a_hidden_one_the_hosts(arena: Arena):
    done(arena.ana.does("add_npc", name="Old Tom", level=2, hp=7, armor_defense=13, die=8))
    tom = Character.objects.get(name="Old Tom")
    assert (tom.kind, tom.hp, tom.natural_defense, tom.natural_die) == ("npc", 7, 13, 8)
    assert (tom.natural_attack, tom.bonuses.wis, tom.is_hidden) == (2, 2, False)
    done(arena.ana.does("add_npc", name="The Shade", is_shown="false"))
    seen = seen_by_all(arena.table)
    assert "Old Tom" in seen
    assert "Shade" not in seen
    shade = Character.objects.get(name="The Shade")
    refused(arena.ben.does("change_hp", character=shade.pk, by=-1), 404)
    done(arena.ana.does("dismiss", character=shade.pk))
    assert "Shade" not in seen_by_all(arena.table)


@pytest.mark.parametrize("how", ["dismiss", "hurt_many", "change_hp"])
def test_what_somebody_hidden_leaves_is_hidden_until_the_host_shows_it(arena: Arena, how: str):
    """S2: the pile bears the name of whoever carried it, and what lies in it was never seen."""
    done(arena.ana.does("add_npc", name="The Shade", hp=4, is_shown="false"))
    shade = Character.objects.get(name="The Shade")
    holds(shade, "Black seal")
    fields = {
        "dismiss": {"character": shade.pk},
        "hurt_many": {"who": shade.pk, "amount": 9},
        "change_hp": {"character": shade.pk, "by": -9},
    }
    done(arena.ana.does(how, **fields[how]))
    left = Pile.objects.get(of=shade)
    assert (left.is_shown, left.items.count()) == (False, 1)
    done(arena.ana.does("turn_table", rules="knave"))
    seen = arena.ben.sees() + arena.cast.tess.sees("screen/") + seen_by_all(arena.table)
    assert not [word for word in ("Shade", "Black seal") if word in seen]
    refused(arena.ben.does("claim_pile", character=arena.ash.pk, pile=left.pk), 404)
    assert "What The Shade carried" in arena.ana.sees("gm/")
    done(arena.ana.does("show_pile", pile=left.pk, on="true"))
    assert "What The Shade carried" in arena.ben.sees()


def test_a_hidden_npc_is_the_hosts_alone_whoever_is_to_play_it(arena: Arena):
    """S2: its seat was shown a card with figures, of a sheet that it could neither open nor use."""
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("add_npc", name="The Shade", is_shown="false"))
    shade = Character.objects.get(name="The Shade")
    done(arena.ana.does("hand_knave", character=shade.pk, seat_to=arena.ben.seat))
    program = f"/api/tables/{arena.table.code}/"
    assert "Shade" not in arena.ben.sees() + arena.ben.client.get(program).content.decode()
    done(arena.ana.does("show_sheet", character=shade.pk, on="true"))
    assert "The Shade" in arena.ben.client.get(program).json()["my"]["others"][0]["name"]
    done(arena.ana.does("show_sheet", character=shade.pk, on="false"))
    assert arena.ben.client.get(program).json()["my"]["others"] == []


@pytest.mark.parametrize(("is_shown", "flags"), [("false", ["hidden"]), ("true", [])])
def test_the_host_sees_who_of_the_npcs_is_hidden(arena: Arena, is_shown: str, flags: list[str]):
    done(arena.ana.does("turn_table", rules="knave"))
    done(arena.ana.does("add_npc", name="The Shade", is_shown=is_shown))
    shade = Character.objects.get(name="The Shade")
    row = arena.ana.sees("gm/").split(f'id="person-{shade.pk}"')[1].split("</li>")[0]
    assert re.findall(r'<span class="flag">(\w+)</span>', row) == flags


def test_an_npc_needs_a_name_and_sane_figures(arena: Arena):
    refused(arena.ana.does("add_npc", name="\u202e"), 422)
    refused(arena.ana.does("add_npc", name="Tom", hp=0), 422)
    refused(arena.ana.does("add_npc", name="Tom", die=7), 422)
    refused(arena.ana.does("add_npc", name="Tom", level=10**30), 422)
    refused(arena.ben.does("add_npc", name="Tom"), 403)


def test_a_table_holds_so_many_sheets(arena: Arena, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("characters.deeds.people.MOST_SHEETS", 2)
    done(arena.ana.does("add_npc", name="Tom"))
    assert "too many" in refused(arena.ana.does("add_npc", name="Tim"), 409)
