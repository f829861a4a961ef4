"""What the host keeps hidden leaves the server for nobody else (S2): two worlds, one script.

The worlds differ in all that only the host may know: the foes' figures, an encounter that nobody
has heard of, hidden goals, NPCs and loot, secret rolls, a hireling's morale, how a stat line was
read. Every byte that players, the tablet and a stranger are given must be the same in both: pages,
sockets, the API, the record, refusals, headers and lengths included. What is rightly public in
the end (whether a blow hit, how a foe looks) is the same in both.
"""

from __future__ import annotations

import json
import sys
from typing import Any

import pytest
from asgiref.sync import async_to_sync, sync_to_async

from characters.models import Character, Pile
from games.models import Game
from games.rules import knave_fight as kf
from tests.characters.company import Company
from tests.characters.crew import owns
from tests.characters.plots import HIDDEN, both, disguise
from tests.characters.plots import company as company  # noqa: PLC0414
from tests.games.party import Person, done, refused
from tests.games.sockets import looks
from tests.games.worlds import (
    WORLDS,
    World,
    differences,
    lasting_differences,
    needs_a_file,
)
from tests.sizes import size

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def nothing_is_by_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tokens are the same in both worlds, or they would drown what differs."""
    monkeypatch.setattr("django.middleware.csrf.get_random_string", lambda n, *a, **k: "x" * n)
    monkeypatch.setattr("games.views.front.new_key", lambda: "k" * 22)
    monkeypatch.setattr("games.devices._key_of_browser", lambda request: "")  # all have one cookie
    monkeypatch.setattr("games.views.front.suggest", lambda: "Quick Rook")


def plots(company: Company, world: int) -> list[int]:
    """Let the host do what nobody hears of; return the numbers that the log gave it."""
    hidden, ana, dice = HIDDEN[world], company.ana, company.cast.dice
    before = company.table.seq
    dice.fall(*hidden["faces"])
    done(ana.does("roll_dice", dice=hidden["dice"], is_secret="true", reason=hidden["text"]))
    dice.fall(*hidden["reaction"])
    done(ana.does("roll_table", table="reaction", is_secret="true"))
    done(ana.does("announce_goal", text=hidden["text"], worth=hidden["coins"], is_shown="false"))
    npc = {"name": f"{hidden['name']} {before}", "hp": hidden["hp"], "level": hidden["bonus"]}
    done(ana.does("add_npc", is_shown="false", **npc))
    done(ana.does("hurt_many", amount=hidden["count"], who=company.shade.pk))
    done(ana.does("set_morale", character=company.tib.pk, morale=hidden["morale"]))
    done(ana.does("new_pile", name=hidden["name"], copper=hidden["coins"], is_shown="false"))
    pile = Pile.objects.latest("pk").pk
    done(ana.does("add_item", pile=pile, name=hidden["name"], count=hidden["count"]))
    done(ana.does("prepare_encounter", name=hidden["name"]))
    done(ana.does("add_stat_line", encounter=0, text=hidden["line"], count=hidden["count"]))
    return list(range(before + 1, company.table.seq + 1))


def fought(company: Company, *, hides_defenses: bool) -> None:
    """Fight a round whose public outcomes are the same in both worlds."""
    ana, ben, dora, dice = company.ana, company.ben, company.dora, company.cast.dice
    done(ana.does("start_fight", encounter=company.ambush.pk))
    dice.fall(6)
    done(ana.does("fight-initiative"))
    dice.fall(18, 1)
    done(ben.does("fight-attack", by=company.id, on="goblin-1", rolled_by="attacker"))
    if hides_defenses:
        dice.fall(2)
        birch = f"k{company.birch.pk}"
        blow = {"by": birch, "on": "goblin-2", "ability": "str", "against": "dex"}
        done(dora.does("fight-stunt", **blow))
    done(ana.does("side_done"))
    dice.fall(3)
    done(ana.does("fight-attack", by="goblin-1", on=company.id, rolled_by="attacker"))
    done(ana.does("fight-hurt", on="goblin-2", amount=1))
    done(ana.does("fight-heal", on="goblin-2", amount=1))
    dice.fall(1, 2)
    done(ana.does("fight-morale", of="goblin-1"))


# --- what the others are given -------------------------------------------------------------------


def pages_of(company: Company) -> list[str]:
    table, fight = f"/t/{company.table.code}", Game.objects.filter(rules=kf.NAME).first()
    every = ("", "print/", "shop/", "portrait/")
    known = (company.ash, company.birch, company.tib, company.warden)
    pages_of_a_sheet = {one.pk: size(("",), every) for one in known} | {company.shade.pk: every}
    return [
        f"{table}/", f"{table}/screen/", f"{table}/gm/", f"{table}/join/", f"{table}/records/",
        f"{table}/graveyard/", f"{table}/gm/as/{company.ben.seat}/", "/",
        f"/api/tables/{company.table.code}/", "/rules/knave/",
        *([f"{table}/records/{fight.pk}/"] if fight else []),
        *(
            f"{table}/knave/{key}/{page}"
            for key, pages in pages_of_a_sheet.items()
            for page in pages
        ),
    ]  # fmt: skip


def others(company: Company) -> list[Person]:
    return [company.ben, company.dora, company.tess, company.cleo]


def looked_at(company: Company, world: World, when: str, *people: Person) -> None:
    """Let everybody but the host, or these people, load everything."""
    for person in people or others(company):
        for path in pages_of(company):
            world.keep(f"{when}: {person} loads {path}", person.client.get(path))
    public = company.table.events.filter(to=None).values_list("seq", "kind", "data")
    world.keep(f"{when}: the public log", json.dumps(list(public)))


async def drawn(company: Company, world: World, when: str) -> None:
    """Let the others connect, as if they had been away from the beginning."""
    viewers = [(company.ben, "phone"), (company.dora, "phone"), (company.ben, "screen")]
    for person, page in (*viewers, (company.tess, "screen")):
        async with looks(person, page, seq="1") as line:
            await line.settles()
            for n, frame in enumerate(line.frames):
                world.keep(f"{when}: push {n} to {person}'s {page}", frame)


def tried(company: Company, world: World, secrets: list[int]) -> None:
    """Let a player and the tablet try what is not theirs: refusals are the same as well."""
    shade, vault, gem = company.shade.pk, company.vault.pk, company.gem.pk
    mine = {"character": company.ash.pk}
    tries: list[tuple[str, dict[str, Any]]] = [
        ("claim_item", {**mine, "item": gem}),
        ("claim_item", {**mine, "item": gem, "count": 2}),
        ("claim_coins", {**mine, "pile": vault, "gold": 3}),
        ("share_coins", {"pile": vault}),
        ("show_pile", {"pile": vault, "on": "true"}),
        ("use_item", {"item": gem}),
        ("give_item", {"item": company.torches.pk, "to": shade}),
        ("give_coins", {**mine, "to": shade, "gold": 1}),
        ("change_hp", {"character": shade, "by": -9}),
        ("roll_save", {"character": shade}),
        ("claim_knave", {"character": shade}),
        ("reach_goal", {"goal": company.plot.pk}),
        ("fight-attack", {"by": "goblin-1", "on": company.id, "rolled_by": "attacker"}),
        ("fight-attack", {"by": company.id, "on": "goblin-2", "rolled_by": "defender"}),
        ("fight-stunt", {"by": "goblin-2", "on": company.id, "ability": "str", "against": "dex"}),
        ("fight-hurt", {"on": "goblin-1", "amount": 10}),
        ("roll_table", {"table": "reaction"}),
        *((word, {"event": seq}) for seq in secrets for word in ("undo", "show_roll")),
    ]
    for person in (company.ben, company.tess):
        for n, (word, fields) in enumerate(tries):
            world.keep(f"{person} tries {word} {n}", person.does(word, **fields))


def played(company: Company, number: int, *, hides_defenses: bool) -> World:
    """Play the evening in one world, and keep all that the others are given."""
    world = World()
    disguise(company, number, hides_defenses=hides_defenses)
    if hides_defenses:  # before the fight that is the same evening
        looked_at(company, world, "before", *size((company.dora, company.cleo), ()))

    async def live() -> list[int]:
        async with (
            looks(company.ben) as phone,
            looks(company.tess, "screen") as screen,
            looks(company.dora) as other,
        ):
            lines = {"phone": phone, "screen": screen, "other phone": other}
            for line in lines.values():
                await line.settles()
            secrets = await sync_to_async(plots)(company, number)
            for line in lines.values():
                await line.settles()
            await sync_to_async(fought)(company, hides_defenses=hides_defenses)
            for name, line in lines.items():
                last = (await line.settles())[-1]
                world.keep(f"the {name} in the end", json.dumps(last["regions"]))
            return secrets

    secrets = async_to_sync(live)()
    # Where defenses are known, what differs for the others is only what a player is shown.
    looked_at(company, world, "fought", *size(() if hides_defenses else (company.ben,), ()))
    tried(company, world, secrets)
    done(company.ana.does("undo", event=secrets[2]))  # the goal
    done(company.ana.does("undo", event=secrets[-1]))
    looked_at(company, world, "taken back", company.ben, company.tess)
    async_to_sync(drawn)(company, world, "taken back")
    return world


@needs_a_file
@pytest.mark.parametrize("hides_defenses", [True, False])
def test_no_byte_differs_between_two_worlds_that_only_the_host_can_tell_apart(
    company: Company, hides_defenses: bool
):
    def script(company: Company, number: int) -> World:
        return played(company, number, hides_defenses=hides_defenses)

    (one, _other), found = lasting_differences(lambda: both(company, script))
    assert len(one.given) > (size(150, 250) if hides_defenses else size(90, 140))
    assert found == {}


# --- controls ------------------------------------------------------------------------------------


def shortly(company: Company, number: int) -> World:
    world = World()
    disguise(company, number, hides_defenses=True)
    plots(company, number)
    fought(company, hides_defenses=True)
    looked_at(company, world, "fought", company.ben)
    return world


@needs_a_file
def test_the_two_worlds_are_two_to_the_host(company: Company):
    """The control: each of the secrets is worth keeping, for the host's own pages show it."""

    def hosted(company: Company, number: int) -> World:
        world = World()
        disguise(company, number, hides_defenses=True)
        for step in (lambda: None, lambda: plots(company, number)):
            step()
            for page in ("gm/", f"knave/{company.shade.pk}/"):
                path = f"/t/{company.table.code}/{page}"
                world.keep(f"{len(world.given)}", company.ana.client.get(path))
        return world

    one, other = both(company, hosted)
    assert len(differences(one, other)) == len(one.given) == 4


def _event_leaks(patch: pytest.MonkeyPatch) -> None:
    patch.setattr("characters.deeds.rolls.gm_seat", lambda change: None)


def _goal_leaks(patch: pytest.MonkeyPatch) -> None:
    from characters.screens import board

    real = board.goal_cards
    patch.setattr(board, "goal_cards", lambda evening, hidden: real(evening, hidden=True))


def _figures_leak(patch: pytest.MonkeyPatch) -> None:
    from characters.screens import board

    real = board.fight_card
    patch.setattr(board, "fight_card", lambda now, evening: real(now, evening, for_gm=True))


def _view_leaks(patch: pytest.MonkeyPatch) -> None:
    module = sys.modules["games.rules.knave_fight.view"]  # the name is its function's as well

    patch.setattr(module, "wound", lambda fighter: "half" if fighter.hp < 20 else "unhurt")


def _target_leaks(patch: pytest.MonkeyPatch) -> None:
    from characters.services.fight_log import Teller

    patch.setattr(Teller, "_tells_of_a_foe", lambda self, event: False)


def _refusal_leaks(patch: pytest.MonkeyPatch) -> None:
    from characters.views import sheets

    real = sheets._character

    def careless(at: Any, seat: Any, key: int) -> Character:
        return Character.objects.get(pk=key) if seat.role == "player" else real(at, seat, key)

    patch.setattr(sheets, "_character", careless)


LEAKS = {
    "an event": _event_leaks,
    "a goal": _goal_leaks,
    "a foe's figures": _figures_leak,
    "how a foe looks": _view_leaks,
    "a foe's defense": _target_leaks,
    "a hidden sheet": _refusal_leaks,
}


@needs_a_file
@pytest.mark.parametrize("leak", LEAKS)
def test_a_leak_would_be_found(company: Company, monkeypatch: pytest.MonkeyPatch, leak: str):
    """The control: with one safeguard gone, the two worlds differ."""
    LEAKS[leak](monkeypatch)
    assert differences(*both(company, shortly))


def test_no_public_event_of_a_fight_has_a_field_for_a_foes_hit_points(company: Company):
    """A field that is added to what everybody sees of a foe is noticed here first."""
    disguise(company, WORLDS[0], hides_defenses=True)
    fought(company, hides_defenses=True)
    kept = company.table.events.filter(to=None, game__rules=kf.NAME)
    of_foes = [
        event
        for event in kept
        if any(str(value).startswith("goblin") for value in event.data.values())
    ]
    assert {"Attacked", "Damaged"} <= {event.kind for event in of_foes}
    for event in of_foes:
        told = {key for key, value in event.data.items() if value is not None}
        assert not {"hp", "max_hp", "morale", "rating", "left"} & told, event.kind


def test_the_record_of_a_running_fight_is_the_hosts_alone(company: Company):
    company.fights()
    fight = Game.objects.get(rules=kf.NAME)
    path = f"/t/{company.table.code}/records/{fight.pk}/"
    assert [p.client.get(path).status_code for p in others(company)] == [403, 403, 403, 404]
    assert company.ana.client.get(path).status_code == 200
    assert path in company.ana.sees("records/")
    assert path not in company.ben.sees("records/")


def test_a_thing_of_somebody_hidden_is_as_one_that_is_not_there(company: Company):
    """S2: whoever guesses its number hears neither the name of who has it nor that somebody has."""
    letter = owns(company.shade, "crowbar", is_home=True)
    tries = [("use_item", {}), ("drop_item", {}), ("equip_item", {"on": "true"})]
    for by in (0, -99):  # dead, they keep what is at home
        if by:
            done(company.ana.does("change_hp", character=company.shade.pk, by=by))
        for word, more in tries:
            gone = refused(company.ben.does(word, item=letter.pk + 99, **more), 404)
            assert refused(company.ben.does(word, item=letter.pk, **more), 404) == gone
