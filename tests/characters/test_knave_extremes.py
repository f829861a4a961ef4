"""The largest, longest and oddest of what a Knave table is given: every page bears it, or it is
refused in words.

What was refused changed nothing: all rows are compared.
"""

from __future__ import annotations

import json
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from characters.deeds.sheets import MOST_PORTRAITS
from characters.models import Character, Encounter, Monster, Pile, Portrait
from games.models import Play
from tests.characters.company import ASKED, BIDI, Company, all_rows
from tests.games.party import done, refused

LETTERS = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # Persian, with a joiner in it

# --- coins and wounds ----------------------------------------------------------------------------


def test_kn4_ten_thousand_coins_are_a_hundred_slots_and_refused(company: Company):
    before = all_rows()
    asked = {"character": company.ash.pk, "copper": 10_000}
    assert "slot" in refused(company.ben.does("set_coins", **asked), 409)
    assert all_rows() == before
    done(company.ana.does("new_pile", name="Hoard", copper=10_000))
    hoard = Pile.objects.get(name="Hoard")
    refused(company.ben.does("claim_coins", character=company.ash.pk, pile=hoard.pk), 409)
    refused(company.ben.does("share_coins", pile=hoard.pk), 409)
    assert Pile.objects.get(pk=hoard.pk).copper == 10_000


def test_kn4_ten_thousand_coins_by_the_referees_word_show_on_every_page(company: Company):
    done(company.ana.does("allow_overload", character=company.ash.pk, on="true"))
    done(company.ben.does("set_coins", character=company.ash.pk, gold=999_999, copper=10_000))
    for page in ("", f"knave/{company.ash.pk}/", f"knave/{company.ash.pk}/print/"):
        assert "999999" in company.ben.sees(page)
    company.ana.sees("gm/")
    refused(company.ben.does("set_coins", character=company.ash.pk, gold=1_000_000), 422)


def test_kn16_five_below_nothing_is_a_grave_that_every_page_bears(company: Company):
    done(company.ben.does("change_hp", character=company.ash.pk, by=-9))
    ash = Character.objects.get(pk=company.ash.pk)
    assert (ash.hp, ash.state) == (-5, "dead")
    for person, page in (
        (company.ben, ""), (company.tess, "screen/"), (company.ana, "gm/"), (company.dora, ""),
        (company.ben, "graveyard/"), (company.ben, f"knave/{ash.pk}/"),
    ):  # fmt: skip
        assert person.sees(page)
    assert "Ash" in company.ben.sees("graveyard/")
    before = all_rows()
    refused(company.ben.does("change_hp", character=ash.pk, by=3), 409)
    assert all_rows() == before


def test_hit_points_are_never_below_what_a_row_can_hold(company: Company):
    for _blow in range(40):
        answer = company.ana.does("hurt_many", amount=999, who=company.ash.pk)
        if answer.status_code != 204:
            break
    assert Character.objects.get(pk=company.ash.pk).hp == 4 - 999
    fields = {"character": company.tib.pk, "by": -999}
    done(company.ana.does("change_hp", **fields))
    assert Character.objects.get(pk=company.tib.pk).hp == 4 - 999


# --- names ---------------------------------------------------------------------------------------

NAMED = {
    "confirm_knave": (lambda c: {"character": c.draft.pk}, Character),
    "edit_knave": (lambda c: {"character": c.ash.pk}, Character),
    "add_npc": (lambda c: {}, Character),
    "hire": (ASKED["hire"], Character),
    "new_pile": (lambda c: {}, Pile),
    "prepare_encounter": (lambda c: {}, Encounter),
}


@pytest.mark.parametrize("word", NAMED)
def test_an_arabic_name_is_kept_and_what_turns_the_line_round_is_not(company: Company, word: str):
    fields, model = NAMED[word]
    done(company.ana.does(word, **{**fields(company), "name": f" {BIDI}{LETTERS}\x00\u202e "}))
    assert model.objects.filter(name=LETTERS).exists()
    # PostgreSQL keeps NUL in no row, the log's own copy of the action among them.
    assert "\\u0000" not in json.dumps(Play.objects.latest("pk").action)
    for page in ("", "screen/", "gm/"):
        seen = company.ana.sees(page)
        assert not any(sign in seen for sign in BIDI)


@pytest.mark.parametrize("word", sorted(NAMED))
@pytest.mark.parametrize("name", ["x" * 61, "x" * 10_000, BIDI + "\x00", "\u0300" * 9_000])
def test_a_name_that_is_none_is_refused(company: Company, word: str, name: str):
    fields, _model = NAMED[word]
    before = all_rows()
    refused(company.ana.does(word, **{**fields(company), "name": name}), 422)
    assert all_rows() == before


# --- monsters ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "figures",
    [
        {"level": 999, "hp": 9_999, "armor_defense": 999},
        {"level": 999},
        {"hp": 30_000},
        {"attack_bonus": 999, "morale": 99},
        {"attacks": [{"name": "x" * 999, "die": 10**9, "count": 10**9}]},
        {"attacks": {"name": "claw"}},
        {"attacks": ["claw", None, {"die": "d6"}, {"die": 6, "count": -3}]},
        {"attacks": [{"damage": "999d9999+9999"}, {"damage": ["2d4"]}, {"damage": "20d100-99"}]},
        {"name": "x" * 80},
        {"name": LETTERS},
    ],
)
def test_a_monster_of_any_figures_is_answered(company: Company, figures: dict[str, Any]):
    """The house's admin takes what no fight does."""
    given = {"key": "odd", "name": "Odd", "is_own": True, **figures}
    odd = Monster.objects.create(**given)
    before = all_rows()
    answer = company.ana.does("add_foes", encounter=0, monster=odd.pk, count=30)
    if answer.status_code == 204:
        done(company.ana.does("start_fight", encounter=company.ambush.pk))
    else:
        refused(answer, 409)
        assert all_rows() == before
    for person, page in ((company.ana, "gm/"), (company.ben, ""), (company.tess, "screen/")):
        assert person.sees(page)


def test_a_monster_of_level_999_does_not_come(company: Company):
    giant = Monster.objects.create(key="giant", name="Giant", level=999, hp=9_999, is_own=True)
    assert refused(company.ana.does("add_foes", encounter=0, monster=giant.pk), 409)


STAT_LINES = [
    "?", "AC", "AC 5", "HD", "HD 9999999999", "HD d", "HD 1d0", "AC -99999", "ML 99", "\x00",
    "AC 5, HD 2+1, #AT 999999, D 1-9999999, ML 7", "DM 1d" + "9" * 400, "x" * 4000,
    "AC:::::5;;;HD===2", "Orc " * 900, "AC ٥ HD ٢", "{'AC': 5}", "HD 3**9 AC 5",
    "(" * 4000, "-" * 4000, "AC 5 " * 700, "1d6" * 1300, f"{BIDI}Orc: AC 6, HD 1",
    "THAC0 -5 AC -5 HD -5 hp -5 #AT -5 D -5 ML -5",
]  # fmt: skip


@pytest.mark.parametrize("text", STAT_LINES, ids=range(len(STAT_LINES)))
@pytest.mark.parametrize("is_adnd", ["true", "false"])
def test_a_stat_line_of_any_letters_is_answered(company: Company, text: str, is_adnd: str):
    before = all_rows()
    given = {"encounter": 0, "text": text, "is_adnd": is_adnd, "count": 2}
    answer = company.ana.does("add_stat_line", **given)
    if answer.status_code == 204:
        done(company.ana.does("start_fight", encounter=company.ambush.pk))
    else:
        assert answer.status_code in (409, 422)
        assert all_rows() == before
    assert company.ana.sees("gm/")


def test_a_stat_line_of_more_than_4000_letters_is_refused(company: Company):
    before = all_rows()
    refused(company.ana.does("add_stat_line", encounter=0, text="AC 5 HD 1 " + "x" * 4000), 422)
    assert all_rows() == before


# --- notes, addresses, pictures ------------------------------------------------------------------


def test_four_thousand_letters_of_notes_are_kept_without_what_nobody_sees(company: Company):
    notes = "".join(f"line {n}\x00\x07\x1b{BIDI}\n" for n in range(400))[:4000]
    fields = {"character": company.ash.pk, "name": "Ash", "notes": notes}
    done(company.ben.does("edit_knave", **fields))
    kept = Character.objects.get(pk=company.ash.pk).notes
    assert "line 0\nline 1\n" in kept
    assert not set(kept) & set(f"\x00\x07\x1b{BIDI}")
    page = company.ben.sees(f"knave/{company.ash.pk}/")
    assert "line 100" in page
    assert not set(page) & set("\x00\x07\x1b")


def test_notes_past_8000_letters_are_refused_whole(company: Company):
    before = all_rows()
    fields = {"character": company.ash.pk, "name": "Ash", "notes": "x" * 8001}
    refused(company.ben.does("edit_knave", **fields), 422)
    assert all_rows() == before


@pytest.mark.parametrize("page", ["0", "-1", "999999", "x", "9" * 400, "\u0667"])
def test_any_page_of_a_sheets_record_is_answered(company: Company, page: str):
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/"
    assert company.ben.client.get(path, {"page": page, "q": page}).status_code == 200
    assert company.ben.client.get(path + "shop/", {"q": page * 99}).status_code == 200


@pytest.mark.parametrize("key", ["0", str(2**31), str(2**63), str(10**30)])
def test_any_key_in_a_pages_address_is_answered(company: Company, key: str):
    table = f"/t/{company.table.code}"
    for page in ("", "print/", "portrait/", "shop/"):
        assert company.ben.client.get(f"{table}/knave/{key}/{page}").status_code == 404
    assert company.ana.client.get(f"{table}/gm/as/{key}/").status_code == 404


PICTURES = [b"", b"GIF89a", b"\x89PNG\r\n\x1a\n" + b"\x00" * 64, b"<svg onload=alert(1)>", b"x" * 9]


@pytest.mark.parametrize("sent", PICTURES, ids=range(len(PICTURES)))
def test_a_portrait_that_is_no_picture_is_refused(company: Company, sent: bytes):
    before = all_rows()
    photo = SimpleUploadedFile("me.png", sent, "image/png")
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    refused(company.ben.client.post(path, {"tap": "try", "photo": photo}), 422)
    assert all_rows() == before


def photo_of(colour: str) -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (40, 40), colour).save(file, "PNG")
    return SimpleUploadedFile("me.png", file.getvalue(), "image/png")


def test_undo_of_a_portrait_shows_the_one_before_it(company: Company):
    """An undo sets back what a play changed: the second picture stayed under the first's date."""
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    shown, events = [], []
    for colour in ("teal", "gold", "plum"):
        done(company.ben.client.post(path, {"tap": colour, "photo": photo_of(colour)}, follow=True))
        shown.append(company.ben.client.get(path).content)
        events.append(company.table.seq)
    done(company.ben.does("undo", event=events.pop()))
    done(company.ben.does("choose_mark", character=company.ash.pk, mark="crow"))
    assert company.ben.client.get(path).status_code == 404
    done(company.ben.does("undo", event=company.table.seq))
    assert company.ben.client.get(path).content == shown[1]
    done(company.ben.does("undo", event=events.pop()))
    assert company.ben.client.get(path).content == shown[0]
    done(company.ben.does("undo", event=events.pop()))
    assert company.ben.client.get(path).status_code == 404
    assert not Portrait.objects.exists(), "nothing is left of a picture that was taken back"


def test_of_a_hundred_pictures_the_last_ones_are_kept(company: Company):
    """S1: each had a row for ever, and a phone can send them for as long as it likes."""
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    for number in range(MOST_PORTRAITS + 2):
        photo = photo_of(f"hsl({number}, 100%, 50%)")
        done(company.ben.client.post(path, {"tap": f"p{number}", "photo": photo}, follow=True))
    shown = company.ben.client.get(path).content
    kept = [bytes(one.picture) for one in Portrait.objects.order_by("pk")]
    assert len(kept) == MOST_PORTRAITS
    assert kept[-1] == shown


def test_undo_shows_a_portrait_of_an_earlier_release_again(company: Company):
    Character.objects.filter(pk=company.ash.pk).update(
        portrait=b"of old", portrait_at="2026-01-01T00:00:00.123456Z"
    )
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    done(company.ben.client.post(path, {"tap": "new", "photo": photo_of("teal")}, follow=True))
    assert company.ben.client.get(path).content != b"of old"
    done(company.ben.does("undo", event=company.table.seq))
    assert company.ben.client.get(path).content == b"of old"


def test_another_picture_by_the_id_of_a_tap_is_kept_and_the_same_one_once(company: Company):
    """R2: it was answered as a repeat of the first, which stayed."""
    path = f"/t/{company.table.code}/knave/{company.ash.pk}/portrait/"
    kept = []
    for colour in ("teal", "teal", "gold"):
        answer = company.ben.client.post(path, {"tap": "x" * 64, "photo": photo_of(colour)})
        assert answer.status_code == 302
        kept.append((company.ben.client.get(path).content, company.table.seq))
    assert kept[0] == kept[1]
    assert kept[1][0] != kept[2][0]
    longest = Play._meta.get_field("tap").max_length
    assert all(len(one.tap) <= longest for one in Play.objects.filter(table=company.table))


def test_a_refused_portrait_leads_back_to_its_sheet(company: Company):
    """Without a script the way back led to the front door."""
    done(company.ben.does("speak", language="es"))
    photo = SimpleUploadedFile("me.png", b"GIF89a", "image/png")
    sheet = f"/t/{company.table.code}/knave/{company.ash.pk}/"
    answer = company.ben.client.post(f"{sheet}portrait/", {"tap": "try", "photo": photo})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert f'<a id="home" class="button primary" href="{sheet}">Volver</a>' in page
