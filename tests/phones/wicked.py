"""An In a Wicked Age evening's people: the GM's page, sheets with known dice, typed rolls.

Functions about a `Person` of `people.py`, in the words of the table; whatever
is done here is done by taps on what the screen shows. Characters go by name.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any

from playwright.sync_api import expect

from games.rules.wicked_age.forms import in_order
from tests.phones import arriving
from tests.phones.knave import LAPTOP, does, unfolds
from tests.phones.people import Company, Person

ORACLE = "bronze_and_dust"
TOP_CARDS = (1, 1, 1, 1)  # the first card of the deck each time: AH, 2H, 3H, 4H
FORMS = ("covertly", "directly", "for_myself", "for_others", "with_love", "with_violence")


def begins(
    company: Company, *names: str, lines: dict[str, str] | None = None, unseen: str = ""
) -> tuple[Person, list[Person]]:
    """Ana opens a table of In a Wicked Age, the others sit down, a campaign is begun.

    `lines` are addresses by which somebody's phone reaches the house; nobody looks at the page of
    who is `unseen`.
    """
    ana = referee(company)
    players = [company.joined(name, address=(lines or {}).get(name, "")) for name in names]
    company.only(ana, *(player for player in players if player.name != unseen))
    company.catch_up()
    does(ana, "#begin-campaign")
    company.catch_up()
    return ana, players


def referee(company: Company, **options: Any) -> Person:
    """Ana opens a table and is its GM; her laptop can be touched."""
    ana = company.person("Ana", **{"viewport": LAPTOP, **options})
    company.code = arriving.opens(ana, "wicked_age")
    return ana


# --- what is tapped and typed --------------------------------------------------------------------
def goes_to(person: Person, tab: str) -> None:
    """Turn a phone to one of its views: me, story, table, log."""
    person.presses(f"#tab-{tab}")


def ticks(person: Person, *ids: str) -> None:
    """Tick boxes; they are drawn as their labels."""
    for one in ids:
        if not person.sees(f"#{one}").is_checked():
            person.presses(f"label:has(#{one})")
        expect(person.sees(f"#{one}")).to_be_checked()


def opens_typed(person: Person, key: str) -> None:
    """Open the sheet at the bottom of a phone in which something is typed."""
    unfolds(person, f"#typed-{key}")


def closes_typed(person: Person, key: str) -> None:
    """See that a typed sheet has folded itself."""
    expect(person.sees(f"#typed-{key}")).not_to_have_attribute("open", "")


def puts_on_list(person: Person, count: int) -> list[str]:
    """Tap the first phrase of each element, then those that must exist; return their words."""
    found = []
    for how in ("explicit", "implied"):
        for button in person.sees(f'button[id^="phrase-"][id$="-{how}-1"]').all():
            if len(found) < count:
                _word, element, *_rest = str(button.get_attribute("id")).split("-")
                if how == "implied":
                    unfolds(person, f"#hints-{element}")
                found.append(button.inner_text().strip())
                does(person, f"#{button.get_attribute('id')}")
    assert len(found) == count, found
    return found


def takes_part(person: Person, text: str) -> None:
    """Choose a character of the list to play."""
    does(person, f"#take-cast-{line_key(person, text)}")


def lays(person: Person, **trades: str) -> None:
    """Trade dice on a sheet: `lays(ben, directly="covertly")` gives each the other's die."""
    for form, other in trades.items():
        unfolds(person, f"#lay-{form}")
        does(person, f"#lay-{form}-{other}")


def opens_sheet(person: Person) -> None:
    """Open the page on which one's own sheet is written."""
    person.presses("#write-sheet")
    person.page.wait_for_selector("#name-card, #dice-card")
    person.page.wait_for_load_state()  # its scripts as well, which trade dice


def goes_back(person: Person) -> None:
    """Go from a page beside the table back to it."""
    person.presses("#back")
    person.is_live()


def writes_strength(person: Person, name: str, option: str, pc_form: str, npc_form: str) -> None:
    """Write a new strength on the sheet's page."""
    unfolds(person, "#new-strength")
    person.page.fill("#strength-name", name)
    person.page.select_option("#strength-pc", pc_form)
    person.page.select_option("#strength-npc", npc_form)
    ticks(person, f"option-{option}")
    saves(person, "#strength-go")


def lays_all(person: Person, *sizes: int) -> None:
    """Say on the sheet's page which die each form has, in the order of the forms."""
    ticks(person, *(f"die-{form}-{size}" for form, size in zip(FORMS, sizes, strict=True)))
    saves(person, "#save-name")


def saves(person: Person, button: str) -> None:
    """Press what saves on a page beside the table: it loads anew."""
    with (
        person.page.expect_response(lambda r: r.url.endswith("/act/")) as answer,
        person.page.expect_navigation(),
    ):
        person.presses(button)
    assert answer.value.status == 204, answer.value.text()


def names_interest(person: Person, text: str, *about: str, of: str = "") -> None:
    """Name a best interest on one's phone; on the GM's page say whose it is."""
    if of:
        ticks(person, "new-interest", f"owner-{key(person, of)}")
    else:
        opens_typed(person, "interest")
    person.page.fill("#interest-text", text)
    ticks(person, *(f"tag-{key(person, name)}" for name in about))
    does(person, "#interest-go")
    if not of:
        closes_typed(person, "interest")


def begins_play(ana: Person) -> None:
    """Begin to play, and let every page show it."""
    ana.catches_up()
    does(ana, "#begin-play")


def opens_scene(ana: Person, where: str, *who: str) -> None:
    """Open a scene on the GM's page, with these in it."""
    ticks(ana, "new-scene")
    ana.page.fill("#scene-where", where)
    ticks(ana, *(f"scene-who-{key(ana, name)}" for name in who))
    does(ana, "#scene-go")


def makes_npc(ana: Person, name: str, line: str = "", best: str = "action") -> None:
    """Make an NPC by one tap: best at this."""
    ticks(ana, "new-npc")
    ana.page.fill("#npc-name", name)
    if line:
        ticks(ana, f"npc-line-{line_key(ana, line)}")
    does(ana, f"#npc-{best}")


# --- a fight -------------------------------------------------------------------------------------
def starts(person: Person, act: str, actor: str, *others: str) -> int:
    """Take up dice, by phone or on the GM's page; return the number of the sequence."""
    if person.sees("#typed-start").count():
        opens_typed(person, "start")
    else:
        ticks(person, "new-dice", f"actor-{key(person, actor)}")
    person.page.fill("#start-act", act)
    ticks(person, *(f"side-{key(person, name)}" for name in others))
    does(person, "#start-go")
    return newest_fight(person)


def takes(person: Person, name: str, *forms: str, strengths: Sequence[str] = ()) -> None:
    """Choose forms for somebody in the newest fight, and take up the dice."""
    pair = f"pair-{newest_fight(person)}-{key(person, name)}-{'-'.join(forms)}"
    unfolds(person, f"#{pair}")
    ticks(person, *(f"{pair}-with-{holding(person, name, one)}" for one in strengths))
    does(person, f"#{pair}-go")


def rolls(person: Person, name: str, *faces: int, fight: int = 0) -> None:
    """Type what real dice show: in the order in which they are drawn, pips last."""
    button = f"#roll-{fight or newest_fight(person)}-{key(person, name)}"
    unfolds(person, f"{button}-typed")
    for place, face in enumerate(faces):
        person.presses(f"label:has({button}-d{place}-{face})")
    does(person, f"{button}-typed-go")


def moves(person: Person, name: str, *at: str, says: str = "", fight: int = 0) -> None:
    """Make a move: these have to answer, or nobody has to."""
    button = f"move-{fight or newest_fight(person)}-{key(person, name)}"
    boxes = {f"{button}-{key(person, one)}" for one in at}
    for box in person.sees(f"#{button}").locator("xpath=ancestor::form").locator("[name=to]").all():
        if box.is_checked() != (box.get_attribute("id") in boxes):
            person.presses(f"label:has(#{box.get_attribute('id')})")
    field = "#gm-says" if person.sees("#gm-says").count() else "#move-says"
    person.page.fill(field, says)
    does(person, f"#{button}" if at else f"#{button}-nobody")


def offers(person: Person, name: str, to: str, says: str, *ticked: str, fight: int = 0) -> None:
    """Offer something else than the default; `ticked` are what stands after the form's key."""
    fight = fight or newest_fight(person)
    me, other = key(person, name), key(person, to)
    form = f"terms-{fight}-{me}-{other}"
    if person.sees("#typed-offer").count():
        opens_typed(person, "offer")
        person.page.fill("#offer-says", says)
    else:
        unfolds(person, f"#gm-{form}")
        person.page.fill("#gm-says", says)
    ticks(person, *(f"{form}-{one}" for one in ticked))
    does(person, f"#{form}-go")


def settles(person: Person, winner: str, loser: str, kind: str, fight: int = 0) -> None:
    """Say what a loss costs: exhausted or injured."""
    who = f"{fight or newest_fight(person)}-{key(person, winner)}-{key(person, loser)}"
    does(person, f"#settle-{who}-{kind}")


def hears(person: Person, text: str | re.Pattern[str]) -> None:
    """Read it among what is asked at the foot of the phone."""
    person.reads(text, where="#asks")


# --- what the database says ----------------------------------------------------------------------
CAMPAIGN = (
    " from campaigns_{} x join campaigns_campaign c on c.id = x.campaign_id"
    " join games_table t on t.id = c.table_id where t.code = ? and c.is_in_front"
)
CHAPTER = (
    " from campaigns_{} x join campaigns_chapter h on h.id = x.chapter_id"
    " join campaigns_campaign c on c.id = h.campaign_id"
    " join games_table t on t.id = c.table_id where t.code = ? and c.is_in_front"
)


def key(person: Person, name: str) -> int:
    """The key of a character, by name."""
    query = "select x.id" + CAMPAIGN.format("character") + " and x.name = ? order by x.id desc"
    return int(person.house.one(query, person.code, name))


def dice_of(person: Person, name: str) -> dict[str, Any]:
    """The forms of a character as the sheet keeps them; PostgreSQL has an order of its own."""
    query = "select x.forms" + CAMPAIGN.format("character") + " and x.name = ? order by x.id desc"
    kept = json.loads(person.house.one(query, person.code, name))
    return in_order(kept)


def line_key(person: Person, text: str) -> int:
    """The key of a line of the character list."""
    query = "select x.id" + CHAPTER.format("castline") + " and x.text = ? order by x.id desc"
    return int(person.house.one(query, person.code, text))


def newest_fight(person: Person) -> int:
    query = "select max(x.id)" + CHAPTER.format("sequence")
    return int(person.house.one(query, person.code))


def newest_offer(person: Person) -> int:
    """The key of the last offer made in this house."""
    return int(person.house.one("select max(id) from campaigns_offer"))


def interest_key(person: Person, text: str) -> int:
    query = "select x.id" + CHAPTER.format("interest") + " and x.text = ?"
    return int(person.house.one(query, person.code, text))


def owed_key(person: Person, name: str) -> int:
    """The key of the first occurrence of a name on the owe list."""
    query = (
        "select min(x.id)" + CAMPAIGN.format("owed") + " and x.struck = '' and x.character_id = ?"
    )
    return int(person.house.one(query, person.code, key(person, name)))


def holding(person: Person, name: str, strength: str) -> int:
    """The key of a strength on somebody's sheet."""
    return int(
        person.house.one(
            "select h.id from campaigns_holding h join campaigns_strength s on s.id = h.strength_id"
            " where h.character_id = ? and s.name = ? and not h.is_lost",
            key(person, name),
            strength,
        )
    )


def owed(person: Person) -> list[str]:
    """The names that stand on the owe list, in order."""
    query = (
        "select p.name from campaigns_owed x join campaigns_character p on p.id = x.character_id"
        " join campaigns_campaign c on c.id = x.campaign_id"
        " join games_table t on t.id = c.table_id"
        " where t.code = ? and c.is_in_front and x.struck = '' order by x.\"order\""
    )
    return [row[0] for row in person.house.rows(query, person.code)]
