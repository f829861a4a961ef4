"""A sheet after whatever happens to it: what may be done is offered, what is offered may be done.

A random walk (things change hands, people are hurt, grow and are hired, days pass) holds the phone
of whoever plays a knave against the rules: item slots (KN-4), armor (KN-5), saves (KN-8, KN-10),
gear and its quality (KN-19), light and spell books (KN-25). Every form is pressed and taken back,
every deed that the rules allow with a thing is looked for, every figure shown is worked out anew.
"""

from __future__ import annotations

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from characters import actions as do
from characters.models import Article, Character
from characters.services.goods import brought, load_of
from games.rules.knave import slots
from games.rules.knave.abilities import Ability
from games.services.act import ACTIONS
from tests.characters.arena import holds
from tests.characters.company import Company
from tests.characters.crew import owns
from tests.characters.evening import Evening
from tests.characters.wild import PEOPLE, REFEREE, THINGS
from tests.games.party import dice_fall_by, notice
from tests.games.tried import taken_back
from tests.security.shown import Form, Shown
from tests.sizes import size

DEEDS = size(3, 100)
# Of all that might be done with things, so many are tried after each deed.
TRIED = size(20, 400)
ON_THINGS = {
    do.UseItem, do.DropItem, do.EquipItem, do.LeaveHome, do.MergeItem, do.BreakItem, do.RepairItem,
    do.LightItem, do.CastSpell, do.MoveItem, do.SplitItem, do.PutInside, do.GiveItem,
}  # fmt: skip
Sent = dict[str, str]


@pytest.fixture
def evening(company: Company, monkeypatch: pytest.MonkeyPatch) -> Iterator[Evening]:
    monkeypatch.setattr(Evening, "company", company, raising=False)
    monkeypatch.setattr("tests.characters.evening.event", lambda _text: None)
    dice_fall_by(random.Random("a sheet"), monkeypatch)
    quiver = holds(company.ash, "quiver", kind="container", holds=1, holds_only="ammunition")
    holds(company.ash, "arrows", kind="ammunition", count=9, bundle=20, inside=quiver)
    for key in ("lantern", "lamp-oil", "helmet", "shield", "gambeson"):
        if Article.objects.filter(key=key).exists():
            owns(company.ash, key)
    one = Evening()
    yield one
    one.teardown()


def taps_of(forms: list[Form]) -> list[Sent]:
    """Return what each button of the forms about things sends."""
    words = {word for word, kind in ACTIONS.items() if kind in ON_THINGS}
    sent = [
        {f.name: f.value for f in form.fields if f.name != "tap"} | ({name: value} if name else {})
        for form in forms
        for name, value in form.buttons
    ]
    return [one for one in sent if one["action"] in words and one.get("item")]


def key_of(sent: Sent) -> tuple[tuple[str, str], ...]:
    told = {k: v for k, v in sent.items() if k not in ("seat", "saw", "csrfmiddlewaretoken")}
    return tuple(sorted(told.items()))


def imagined(company: Company, one: Character) -> Iterator[Sent]:
    """Yield every deed with every thing that somebody has with them, as a form would send it.

    What is at home is out of reach, and is offered to be fetched and for nothing else (KN-4).
    """
    items = brought(one.items.all())
    friends = list(company.table.characters.filter(state__in=["up", "unconscious"]))
    for item in items:
        thing = {"item": str(item.pk)}
        for word in ("use_item", "drop_item", "merge_item", "break_item", "repair_item"):
            yield {"action": word, **thing}
        yield {"action": "cast_spell", **thing}
        for word, name in (("equip_item", "on"), ("light_item", "on"), ("leave_home", "home")):
            yield from ({"action": word, **thing, name: value} for value in ("true", "false"))
        yield from ({"action": "move_item", **thing, "by": by} for by in ("-1", "1"))
        yield {"action": "put_inside", **thing}
        boxes = (i for i in items if i.holds and i.pk not in (item.pk, item.inside_id))
        yield from ({"action": "put_inside", **thing, "container": str(b.pk)} for b in boxes)
        to = (c for c in friends if c.pk != one.pk and not c.is_hidden)
        yield from ({"action": "give_item", **thing, "to": str(c.pk)} for c in to)


def check_things(company: Company, one: Character, page: str, luck: random.Random) -> list[str]:
    """Return what the phone offers and the rules refuse, and the other way round."""
    mine = set(map(str, one.items.values_list("pk", flat=True)))
    offered = [sent for sent in taps_of(Shown(page).forms) if sent["item"] in mine]
    known = set(map(key_of, offered))
    others = [sent for sent in imagined(company, one) if key_of(sent) not in known]
    return [
        *(
            f"offered, but {why}: {key_of(s)}"
            for s in some(offered, luck)
            if (why := tries(company, s))
        ),
        *(f"not offered: {key_of(s)}" for s in some(others, luck) if not tries(company, s)),
    ]


def some(taps: list[Sent], luck: random.Random) -> list[Sent]:
    return luck.sample(taps, min(TRIED, len(taps)))


def tries(company: Company, sent: Sent) -> str:
    """Return why a tap of Ben's is refused, or nothing.

    How much another can carry is theirs to say: they are told it in words when it is tried.
    """
    given = {k: v for k, v in sent.items() if k not in ("action", "seat", "saw")}
    with taken_back():
        answer = company.ben.does(sent["action"], **given)
    why = notice(answer) if answer.status_code >= 400 else ""
    return "" if sent["action"] == "give_item" and "has no free slots for that" in why else why


def check_figures(one: Character, page: str) -> None:
    """Insist on the figures of the rules: slots, each rung of the ladder, armor, hit points."""
    load, capacity = load_of(one), 10 + one.constitution
    used = slots.used(load)
    shown = re.search(r"(\d+) of (\d+) slots", page)
    assert shown
    assert (int(shown[1]), int(shown[2])) == (used, capacity)
    ladder = page.partition('class="ladder"')[2].partition("</ol>")[0]
    rungs = re.findall(r'<span(?: class="rung-number")? aria-hidden="true">(\d+)</span>', ladder)
    assert [int(n) for n in rungs] == [*range(1, min(60, max(used, capacity)) + 1)]
    over = max(0, used - capacity)
    assert ladder.count('<span class="flag is-over">over the limit') == over
    assert ("slots too many." in page or "slot too many." in page) is (over > 0)
    worn = [i for i in one.items.all() if i.is_equipped and i.quality != 0]
    defense = max([11, *(i.defense for i in worn if i.defense)])
    defense += sum(i.bonus or 0 for i in worn)
    assert figure(page, "armor_defense") == str(defense)
    assert figure(page, "armor_bonus") == f"+{defense - 10}"


def figure(page: str, key: str) -> str:
    found = re.search(rf'id="number-{key}".*?<b>(.*?)</b>', page, re.DOTALL)
    assert found
    return found[1]


def check_saves(company: Company, one: Character, page: str, luck: random.Random) -> None:
    """KN-8, KN-10: each ability saves by a tap, with the sheet's bonus; not of who lies there."""
    is_up = one.state == Character.State.UP
    for ability in Ability:
        letters, bonus = ability.value, one.bonuses.of(ability)
        assert (f'id="save-{letters}"' in page) is is_up
        edge = luck.choice(("", "advantage", "disadvantage"))
        with taken_back():
            asked = {"character": one.pk, "ability": letters, "edge": edge}
            answer = company.ben.does("roll_save", **asked)
            assert (answer.status_code < 400) is is_up, notice(answer)
            told = company.table.events.filter(kind="save_rolled").order_by("-seq").first()
        if is_up:
            check_save(told.data, bonus, edge)
    owed = company.table.calls.filter(
        is_open=True, answers__character=one, answers__total=None, kind="save"
    )
    asked_for = {f"ask-{call.pk}-{one.pk}" for call in owed}
    assert set(re.findall(r'<button id="(ask-\d+-\d+)"', page)) >= asked_for
    for call in owed:
        with taken_back():
            rolled = {"character": one.pk, "call": call.pk, "ability": call.ability}
            assert company.ben.does("roll_save", **rolled).status_code < 400


def check_save(told: dict[str, Any], bonus: int, edge: str) -> None:
    faces = told["faces"]
    best = min(faces) if edge == "disadvantage" else max(faces)
    assert (len(faces), told["total"]) == (1 + bool(edge), best + bonus)
    assert told["success"] is (best + bonus > 15)


@pytest.mark.parametrize("makes", [THINGS, PEOPLE], ids=["things", "people"])
def test_a_sheet_offers_what_the_rules_allow_and_shows_their_figures(evening: Evening, makes):
    company, luck = evening.company, random.Random(f"walk {len(makes)}")
    wrong, pressed = [], 0
    for deed in range(DEEDS):
        evening.does(deed, luck.choice([makes, makes, REFEREE]))
        ash = Character.objects.get(pk=company.ash.pk)
        if not ash.is_alive or ash.seat_id != company.ben.row.pk:
            evening.takes_back(company.ana, evening.done[-1][0])
            continue
        page = company.ben.sees()
        wrong += check_things(company, ash, page, luck)
        check_figures(ash, page)
        check_saves(company, ash, page, luck)
        pressed += 1
    assert not wrong, "\n".join(sorted(set(wrong)))
    assert pressed > DEEDS / 2
