"""What is the referee's stays with her: every byte that players and tablet are given is read."""

from __future__ import annotations

import re

from tests.phones.arriving import posts
from tests.phones.knave import (
    Build,
    attacks,
    has_a_knave,
    is_struck,
    key_of,
    newest,
    next_round,
    referee,
)
from tests.phones.people import REFUSED, Company, Person

# Names and numbers that stand nowhere else: a number is no key of a row that the house has by then.
GOAL, NPC, REASON, PILE, ENCOUNTER = "Zanzibarine", "Quetzaltzin", "Wombatly", "Xylophore", "Kvasir"
HIT_POINTS, WOUNDED, ARMOR = 973, 969, 29
LINE = f"Grue: AC [{ARMOR}], HD 4, hp {HIT_POINTS}, D d4, ML 11"
SECRETS = re.compile(
    rf"{GOAL}|{NPC}|{REASON}|{PILE}|morale|(?<![\w:-])({HIT_POINTS}|{WOUNDED})(?![\w:])"
    # Twenty-nine is also a page's twenty-ninth thing: only where it is said of somebody.
    rf"|(than|armor|defense)\W{{1,9}}{ARMOR}\b|>\s*{ARMOR}\s*<",
    re.IGNORECASE,
)
# Drawings are full of numbers, and the QR code is a drawing; the API names what it leaves empty; an
# answer to a beat tells two clocks, to thousandths of a millisecond.
NOTHING_SAID = re.compile(r'\bd=\\?"[^"]*"|"\w+": ?(?:null|"")|"(?:pong|now)": ?[\d.]+')


def everything(person: Person, paths: list[str]) -> dict[str, str]:
    """All that somebody's sockets heard, and all that the house serves to this browser."""
    told = {f"frame {i}": frame for i, frame in enumerate(person.frames)}
    for path in paths:
        told[path] = person.window.context.request.get(person.address + path).text()
    return {place: NOTHING_SAID.sub("", text) for place, text in told.items()}


def pages(company: Company, people: list[Person]) -> list[str]:
    """Every address of the table, other people's and the referee's as well."""
    table = f"/t/{company.code}/"
    sheets = [f"{table}knave/{key_of(p)}/" for p in people]
    npc = company.house.one("select id from characters_character where name = ?", NPC)
    sheets += [f"{table}knave/{npc}/"]
    more = ("gm/", "gm/as/1/", "screen/", "graveyard/", "records/")
    return [
        *(table + page for page in ("", *more)),
        *(sheet + page for sheet in sheets for page in ("", "print/", "shop/", "portrait/")),
        f"/api/tables/{company.code}/",
    ]


def hides_what_is_hers(ana: Person, company: Company) -> None:
    """A goal, somebody, loot, rolls and foes that nobody else may know of."""
    posts(ana, "configure_knave", setting="foes_shown", value="false")
    posts(ana, "announce_goal", text=f"{GOAL} must not wake", is_shown="false")
    posts(ana, "add_npc", name=NPC, is_shown="false")
    posts(ana, "new_pile", name=PILE, gold=HIT_POINTS, is_shown="false")
    posts(ana, "roll_dice", dice="2d6", reason=REASON, is_secret="true")
    posts(ana, "prepare_encounter", name=ENCOUNTER)
    posts(ana, "add_stat_line", encounter=newest(company, "encounter"), text=LINE, count=2)


def test_no_byte_of_the_referees_secrets_reaches_a_phone_or_the_tablet(company: Company) -> None:
    """Secrecy: foes' figures, hidden goals, people, loot and rolls are in no frame and no page."""
    ana = referee(company)
    ben, cleo = company.joined("Ben"), company.joined("Cleo")
    tess = company.tess()
    for person in (ben, cleo):
        has_a_knave(person, Build(hp=8))
    company.only(ben, cleo, tess)
    company.look()  # they hear whatever is told from here on
    hides_what_is_hers(ana, company)
    company.catch_up()
    for person in (ben, cleo, tess):
        assert person.frames
        assert not any(ENCOUNTER in text for text in everything(person, []).values())

    posts(ana, "start_fight", encounter=newest(company, "encounter"))
    next_round(ana, 5)
    attacks(ben, "grue-1", 20, 2, 2)  # a natural 20 that misses all the same, or hits for four
    attacks(cleo, "grue-2", 3)
    posts(ana, "fight-hurt", on="grue-1", amount=3)
    posts(ana, "fight-heal", on="grue-1", amount=3)
    is_struck(ben, ana, "grue-2", 2)
    posts(ana, "drop_goal", goal=newest(company, "goal"))
    ben.page.reload()
    ben.is_live()
    tess.page.reload()
    tess.is_live()
    company.catch_up()

    people = [ben, cleo]
    addresses = pages(company, people)
    for person in (*people, tess):
        person.expects_trouble(REFUSED)
        for place, text in everything(person, addresses).items():
            found = SECRETS.search(text)
            around = text[max(0, found.start() - 160) : found.end() + 60] if found else ""
            assert not found, f"{person.name} is told {found[0]!r} in {place}: …{around}…"
    hers = "".join(everything(ana, [f"/t/{company.code}/gm/"]).values())
    for secret in (GOAL, NPC, REASON, PILE, f"<b>{HIT_POINTS}</b>", f"armor {ARMOR}", "morale 11"):
        assert secret in hers.replace("\\", "")
