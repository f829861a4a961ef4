"""Three chapters are played by the forms of everybody's pages, which are held to the rules.

From the first oracle over the owe list to who comes back in the second and third chapter. Now and
then everything that one of these people might want is tried, and taken back: what is taken must be
offered by a page of theirs; what is offered to whoever only presses must be taken (WA-82 to WA-89).
What pages show of the owe list, the dice and the elements is what is kept.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from html import unescape

import msgspec
import pytest

from campaigns.models import CastLine, Character, Holding, Interest, Owed, Sequence
from campaigns.words import form_name
from games.errors import Refused
from games.live import drawing
from games.rules import wicked_sequence as ws
from games.services.act import Actor, Tap, act
from games.stored import state_of
from tests.campaigns.conftest import SagaAt
from tests.campaigns.strollers import WANTED, Fields, Strollers, offers
from tests.campaigns.wild import CAMPAIGN_ACTIONS
from tests.games.party import Person, dice_fall_by
from tests.games.tried import taken_back
from tests.sizes import size

# The first chapter is gone through by other tests as well: the quick walk begins near its end.
BEGINS = size("play", "begun")
SEEDS = range(size(1, 8))
FIGHTS = size(1, 3)  # a chapter
OFTEN = size(0.05, 0.5)  # how often all is tried that somebody could want
LAST = size("cast", "over")  # where the third chapter is left

SAYS_WHAT_TO_DO = {
    "mark_interest": "one chip of a row is what is so already",
    "mark_character": "one chip of a row is what is so already",
}
GOES_BY = {
    "choose": "take_dice",
    "roll": "roll_forms",
    "move": "make_move",
    "let_pass": "let_pass",
    "interfere": "step_in",
    "back_away": "back_away",
    "press": "press_on",
    "settle": "settle",
    "next_round": "next_round",
    "buy": "buy_die",
}
"""By the rules' word for it: the action that a page sends."""


def is_taken(walk: Strollers, who: Person, word: str, fields: Fields) -> bool:
    """Tell whether an action would be taken now, without doing it."""
    action = msgspec.convert({"action": word, **fields}, CAMPAIGN_ACTIONS[word])
    walk.taps += 1
    try:
        with taken_back():
            act(who.table.pk, Actor(who.seat, who.device.pk), action, Tap(f"try-{walk.taps}"))
    except Refused:
        return False
    return True


Wish = tuple[str, Fields]


def wishes(walk: Strollers, who: Person) -> Iterator[Wish]:
    """Yield what somebody might want beside the dice."""
    campaign, chapter = walk.saga.campaign, walk.chapter
    is_gm = who is walk.saga.erin
    yield "open_chapter", {}
    if chapter is None:
        return
    yield from (("step_on", {"at_step": chapter.step}), ("step_back", {"at_step": chapter.step}))
    yield from (("choose_oracle", {"oracle": "bronze_and_dust"}), ("pick_element", {"entry": 2}))
    yield from (("deal_cards", {}), ("propose_end", {}), ("begin_play", {}), ("end_chapter", {}))
    yield from (("drop_chapter", {}), ("deal_more", {}))
    for owed in Owed.objects.filter(campaign=campaign, struck="").select_related("character"):
        how = {"came_back_as": "a ghost"} if owed.character.state == "dead" else {}
        yield "bring_back", {"owed": owed.pk, **how}
        yield "decline_return", {"owed": owed.pk}
        if is_gm:
            yield "strike_name", {"owed": owed.pk, "on": True}
    lines = list(CastLine.objects.filter(chapter=chapter, same_as=None))
    for line in lines:
        for word in ("take_cast", "leave_cast", "draw_lots"):
            if not is_gm or word == "draw_lots":
                yield word, {"line": line.pk}
        yield "drop_cast", {"line": line.pk, "on": line.state != "dropped"}
        yield from (("same_cast", {"line": line.pk, "other": o.pk}) for o in lines if o != line)
        if is_gm:
            yield "make_npc", {"line": line.pk, "best": "action"}
            for nell in campaign.members.filter(seat=None, is_gm=False):
                yield "take_cast", {"line": line.pk, "member": nell.pk}
                yield "leave_cast", {"line": line.pk, "member": nell.pk}
    for one in Character.objects.filter(campaign=campaign).select_related("owner"):
        is_own = one.owner is not None and one.owner.name == who.name
        if is_gm and not one.is_pc:
            yield "bring_npc", {"character": one.pk}
        if is_own:
            for line in lines:
                yield "play_former", {"character": one.pk, "line": line.pk}
            for owed in one.owed.filter(struck=""):
                yield "play_former", {"character": one.pk, "owed": owed.pk}
            yield from of_a_sheet(one)


def of_a_sheet(one: Character) -> Iterator[Wish]:
    """Yield what somebody might want of a character of their own."""
    about = {"character": one.pk}
    yield "mark_ready", {**about, "on": True}
    yield "write_sheet", {**about, "name": f"N {one.pk}"}
    yield "swap_forms", {**about, "which_form": "covertly", "other": "directly"}
    yield "come_back", {**about, "choice": "mend"}
    yield "come_back", {**about, "choice": "grow", "which_form": "for_others"}
    yield "take_back_choice", about
    for held in Holding.objects.filter(character=one, is_lost=False):
        yield "come_back", {**about, "choice": "more", "holding": held.pk, "option": "far_reaching"}
    for strength in one.campaign.strengths.all():
        yield "take_strength", {**about, "strength": strength.pk}
    made = {"pc_form": "covertly", "npc_form": "action", "option": "potent"}
    yield "new_strength", {**about, "name": "A new one", **made}
    yield "name_interest", {**about, "text": "To be left alone"}
    yield "write_epilogue", {**about, "text": "She walks on."}
    for row in Interest.objects.filter(character=one):
        yield "mark_interest", {"interest": row.pk, "state": "moot"}
        yield "edit_interest", {"interest": row.pk, "text": "Else"}
    for member in one.campaign.members.all():
        yield "lend_character", {**about, "member": member.pk}
        yield "hand_character", {**about, "member": member.pk}


def not_offered(walk: Strollers) -> list[tuple[str, str, Fields]]:
    """Return what would be taken of somebody and no page of theirs offers."""
    found = []
    for who in (walk.saga.erin, walk.luck.choice(walk.saga.players)):
        forms = walk.forms_of(who)
        for word, fields in wishes(walk, who):
            if is_let_be(walk, word, fields) or offers(forms, word, fields):
                continue
            if is_taken(walk, who, word, fields):
                found.append((who.name, word, fields))
    drawing.drawing_cache.forget()  # what was tried was never
    return found


def is_let_be(walk: Strollers, word: str, fields: Fields) -> bool:
    """Tell whether no page offers this yet on purpose, though it would be taken."""
    if word == "mark_ready":
        part = walk.chapter.parts.filter(character=fields["character"]).first()
        few = part and part.character.interests.filter(chapter=walk.chapter).count() < 2
        return bool(few and walk.step == "interests")  # her interests are asked for first
    if word == "lend_character":  # the word that was given is taken back first
        return Character.objects.filter(pk=fields["character"]).exclude(lent_to=None).exists()
    steps = {
        "drop_cast": ("sheets", "interests"),  # by then the GM alone keeps the list
        "name_interest": ("sheets",),  # of players it is asked one step later
        "swap_forms": ("interests",),  # then the sheet's own page lays the dice
        "write_epilogue": ("play",),  # the last line, once the chapter ends
    }.get(word)
    return steps is not None and walk.step in steps


def dice_not_offered(walk: Strollers, fight: Sequence) -> list[tuple[str, str, str]]:
    """Return what the rules let a fighter do, and no page of whoever plays her offers."""
    found = []
    fight.game.refresh_from_db()
    state: ws.State = state_of(fight.game)
    by_name = {person.name: person for person in walk.saga.players}
    forms = {}
    for one in Character.objects.filter(campaign=walk.saga.campaign).select_related("owner"):
        if state.find(one.ref) is None:
            continue
        who = by_name.get(str(one.owner), walk.saga.erin)
        if who.name not in forms:
            forms[who.name] = walk.forms_of(who, ["gm/" if who is walk.saga.erin else ""])
        legal = {
            type(a).__struct_config__.tag for a in ws.legal_actions(state, state.seat_of(one.ref))
        }
        if "roll" not in legal:
            legal.discard("buy")  # it is offered beside the roll that it is for
        for word in legal & set(GOES_BY):
            about = {"sequence": fight.pk}
            about |= {} if word in ("next_round", "settle") else {"who": one.pk}
            if not offers(forms[who.name], GOES_BY[word], about):
                found.append((who.name, word, one.name))
    return found


# --- what is shown -------------------------------------------------------------------------------
def listed(html: str, after: str) -> list[str]:
    """Return the names of the list that stands in a section after this."""
    section = html.split(after, 1)[1].split("</section>", 1)[0]
    found = re.search(r"<ol.*?</ol>", section, re.S)
    return [unescape(name) for name in re.findall(r"<b>(.*?)</b>", found[0])] if found else []


def die_shown(sheet: str, form: str) -> str:
    """Return how a form's die is read out on a phone's own sheet."""
    found = re.search(rf'aria-label="([^"]*)"(?:(?!aria-label).)*?"form-name">{form}<', sheet, re.S)
    return found[1] if found else ""


def check_shown(walk: Strollers) -> None:
    """Insist on the owe list in its order on every screen (WA-81), and on everybody's dice."""
    saga = walk.saga
    rows = Owed.objects.filter(campaign=saga.campaign, struck="").select_related("character")
    owed = [str(row.character) for row in rows]
    assert listed(saga.amy.sees(), 'id="owe-title"') == owed
    assert listed(saga.tess.sees("screen/"), 'id="owe-strip"') == owed
    assert listed(saga.erin.sees("gm/"), 'id="gm-owe-title"') == owed
    for part in walk.chapter.parts.exclude(member=None) if walk.chapter else ():
        who = next((one for one in saga.players if one.name == part.member.name), None)
        if who is None:
            continue
        page = who.sees()
        sheet = page.split('<section id="sheet"', 1)[1]
        for form, die in part.character.dice().items():
            told = die_shown(sheet, form_name(form))
            assert told.split(",")[0] == (f"d{die}" if die else "no die left"), (form, told)


# --- the walk ------------------------------------------------------------------------------------
class Held:
    """A walk whose pages are held to the rules now and then; what was wrong is gathered."""

    def __init__(self, walk: Strollers) -> None:
        self.walk = walk
        self.wrong: list[object] = []

    def looks(self, fight: Sequence | None = None) -> None:
        if fight is not None and self.walk.luck.random() < 2 * OFTEN:
            self.wrong += dice_not_offered(self.walk, fight)
        elif self.walk.luck.random() < OFTEN:
            self.wrong += [(self.walk.step, *one) for one in not_offered(self.walk)]
            check_shown(self.walk)

    def goes_to(self, step: str) -> None:
        while self.walk.step != step:
            self.looks()
            if self.walk.step == "play":
                self.ends_it()
                return
            self.walk.goes_on()

    def ends_it(self) -> None:
        walk = self.walk
        for _fight in range(FIGHTS):
            for fight in walk.fights():
                self.looks(fight)
        walk.insists("propose_end")
        for _word in range(4):
            walk.press(WANTED["closing"])
        self.looks()
        if not Owed.objects.filter(campaign=walk.saga.campaign, struck="").exists():
            walk.insists("owe_name")
        walk.insists("end_chapter")
        check_shown(walk)


@pytest.mark.parametrize("seed", SEEDS)
def test_three_chapters_by_what_pages_show(
    saga_at: SagaAt, seed: int, monkeypatch: pytest.MonkeyPatch
):
    luck = random.Random(f"chapters {seed}")
    dice_fall_by(luck, monkeypatch)
    walk = Strollers(saga_at(BEGINS), luck)
    held = Held(walk)
    for _chapter in (1, 2):
        held.goes_to("play")
        check_shown(walk)
        held.ends_it()
    held.goes_to(LAST)
    refused = {what: n for what, n in walk.refused.items() if what[1] not in SAYS_WHAT_TO_DO}
    assert (Counter(map(str, held.wrong)), refused) == ({}, {})
    seen = {"bring_back", "pick_element", "come_back", "name_interest", "roll_forms", "end_chapter"}
    assert seen <= set(walk.done)
    assert [one.step for one in walk.saga.campaign.chapters.order_by("number")][:2] == ["over"] * 2
