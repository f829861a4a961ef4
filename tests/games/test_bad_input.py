"""Whatever is typed or sent: an answer in 4xx with a message, nothing stored, never a 500."""

from __future__ import annotations

import pytest
from django.test import Client
from django.utils import translation

from games.models import Seat
from games.services.act import ACTIONS
from games.text import FLAGS
from tests.games.party import NEVER, Party, Person, done, everything_kept, notice, refused

RTL = "\u202e\u2066\u200f"
PERSIAN = "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"  # with a joiner in it


@pytest.fixture
def kept(party: Party):
    """Insist that the test leaves everything as it was."""
    before = everything_kept()
    yield party
    assert everything_kept() == before


# --- names ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 31,
        "x" * 10_000,
        "\u0300" * 9_000,
        RTL,
        "\x00\x07\x1b",
        "\u200b\ufeff",
        "\u200d",
    ],
)
def test_a_name_that_is_none_is_refused_at_the_door(kept: Party, name):
    answer = kept.cleo.client.post(f"/t/{kept.table.code}/join/", {"name": name})
    assert answer.status_code == 422
    assert "name" in notice(answer).lower()


@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        (f"Cl{RTL}eo", "Cleo"),
        ("Cl\x00e\x07o", "Cleo"),
        ("  Cleo   the\tBold\n", "Cleo theBold"),
        ("Cleo\u00a0Bold", "Cleo Bold"),
        ("<i>Cleo</i>", "<i>Cleo</i>"),
        ("e\u0301lan", "\u00e9lan"),
        (PERSIAN, PERSIAN),
        ("\U0001f9c1", "\U0001f9c1"),
        ("\U0001fabf", "\U0001fabf"),  # a goose of 2022
        (f"{FLAGS[0]}Cl{FLAGS[1][1:]}eo", f"{FLAGS[0]}Cleo"),  # England, and more such letters
        ("\U000323a0\U0001faed\ufffe\U0001ffff\U000e0fff", "\U000323a0\U0001faed"),
    ],
)
def test_a_name_is_kept_without_what_nobody_sees(party: Party, typed, stored):
    assert party.cleo.joins(party.table, name=typed).status_code == 302
    assert party.cleo.row.name == stored
    assert "<i>Cleo" not in party.ana.sees()


@pytest.mark.parametrize("action", ["name_guild", "rename_table", "add_player"])
def test_a_name_that_is_none_is_refused_at_the_table(kept: Party, action):
    for name in ("x" * 10_000, RTL, "\x00", "x" * 61):
        refused(kept.ana.does(action, name=name), 422)


def test_a_table_name_and_a_host_name_are_names_too(db):
    for fields in ({"host_name": "x" * 10_000}, {"host_name": "Ana", "table_name": "x" * 61}):
        answer = Client().post("/start/", fields)
        assert answer.status_code == 422
    assert not Seat.objects.exists()


# --- numbers -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "number",
    ["20", "1", "0", "-3", "abc", "", "7.5", " ", "9" * 25, "9" * 5000, "\u0667", "0x7", "true"],
)
def test_a_personal_number_is_2_to_19(kept: Party, number):
    message = refused(kept.ben.does("pick_number", number=number), 422)
    assert "2 to 19" in message


HUGE = ["0", "-1", str(2**31), str(2**63), str(10**30), "9" * 4500, "NaN", "1;drop"]


NUMBERED = {
    "undo": "event",
    "remove": "who",
    "move_seat": "who",
    "admit": "who",
    "hand_host": "who",
    "offer_pass": "who",
    "drop_house_rule": "rule",
    "switch_house_rule": "rule",
    "choose_first": "who",
    "award": "to",
    "name": "to",
}


@pytest.mark.parametrize("huge", HUGE)
def test_a_number_of_any_size_is_answered(kept: Party, huge):
    for action, field in NUMBERED.items():
        answer = kept.ana.does(action, **{field: huge, "by": 1, "on": "true", "call": "brave"})
        assert answer.status_code in (409, 422), (action, answer.status_code)
        assert notice(answer)


@pytest.mark.parametrize("huge", HUGE)
def test_any_seat_number_is_answered(kept: Party, huge):
    assert kept.ana.does("pause", seat=huge).status_code in (404, 422)


@pytest.mark.parametrize(
    ("saw", "status"),
    [("-1", 409), ("999999999999", 409), ("9" * 40, 422), ("1e999", 422), ("x", 422)],
)
def test_no_scene_but_the_one_that_is_is_answered(party: Party, saw: str, status: int):
    """R3: what cannot be read is no tap without a scene, which any scene would take."""
    party.begins()
    party.dice.fall(7)
    refused(party.ana.does("roll", saw=saw), status)
    assert party.state.standing is None


@pytest.mark.parametrize("pressed", ["-5", "NaN", "1e308", "9" * 400, "x", "99999999999999999.5"])
def test_any_instant_is_answered(party: Party, pressed):
    party.begins().rolls(party.ana, 7)
    done(party.ben.does("shout", call="brave", pressed=pressed))
    assert party.state.shouts[0].at_ms >= 0


# --- actions -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "action", ["", "fly", "__class__", "Roll", "x" * 10_000, "roll\x00", "leave ", "open_table"]
)
def test_an_unknown_action_is_refused(kept: Party, action):
    refused(kept.ana.does(action), 422)


# What a page's scripts ask a form for: a control of such a name would be the answer, and htmx
# would stop without a word.
ASKED_OF_A_FORM = {"closest", "dataset", "elements", "form", "getAttribute", "matches", "reset"}


def test_no_field_has_the_name_of_what_scripts_ask_a_form_for():
    taken = {name for kind in ACTIONS.values() for name in kind.__struct_fields__}
    assert not taken & ASKED_OF_A_FORM


# Those of the apps above are tried by their own tests.
OUR_ACTIONS = sorted(
    w
    for w, kind in ACTIONS.items()
    if kind.__module__.startswith("games.") and "knave_fight" not in kind.__module__
)


@pytest.mark.parametrize("action", OUR_ACTIONS)
def test_an_action_without_its_fields_is_never_a_fault_of_ours(party: Party, action):
    for seat in (party.ana.seat, NEVER, ""):
        answer = party.ana.client.post(
            f"/t/{party.ana.code}/act/",
            {"action": action, **({} if seat is NEVER else {"seat": seat})},
            headers={"HX-Request": "true"},
        )
        assert answer.status_code < 500
        if seat in (NEVER, ""):
            assert answer.status_code == 422


# A deal is read from fields of other names.
WITH_FIELDS = [w for w in OUR_ACTIONS if ACTIONS[w].__struct_fields__ and w != "deal"]


@pytest.mark.parametrize("action", WITH_FIELDS)
def test_an_action_whose_fields_are_nonsense_is_refused(kept: Party, action):
    nonsense = dict.fromkeys(ACTIONS[action].__struct_fields__, "\x00nonsense\u202e")
    refused(kept.ana.does(action, **{**nonsense, "name": "\x00\u202e"}), 422)


@pytest.mark.parametrize("action", [w for w in OUR_ACTIONS if not ACTIONS[w].__struct_fields__])
def test_fields_that_an_action_has_not_are_not_read(party: Party, action):
    """It is taken, or refused for what it is, never for them."""
    answer = party.ana.does(action, call="boo", cupped="perhaps", fingers_0="x", who="\x00")
    assert answer.status_code in (204, 403, 409), (answer.status_code, notice(answer))


@pytest.mark.parametrize(
    "tap", ["a b", "x" * 65, "x" * 100_000, "é", "<script>", "a:b", "\x00", "../..", "%00"]
)
def test_a_malformed_tap_is_refused(kept: Party, tap):
    refused(kept.ben.does("pick_number", number=7, tap=tap), 422)


@pytest.mark.parametrize(
    "fields", [{f"fingers_{i}": 1 for i in range(99)}, {"fingers_99": 1}, {"fingers_0": -3}]
)
def test_a_deal_of_any_shape_is_answered(party: Party, fields):
    party.begins()
    refused(party.ana.does("deal", **fields), 409)


def test_a_form_of_many_fields_is_refused(party: Party):
    answer = party.ana.client.post(
        f"/t/{party.ana.code}/act/",
        {f"x{i}": "1" for i in range(500)},
        headers={"HX-Request": "true"},
    )
    assert answer.status_code == 400


def test_a_form_of_many_bytes_is_refused(party: Party):
    answer = party.ana.client.post(
        f"/t/{party.ana.code}/act/",
        b"action=rename_table&name=" + b"x" * 700_000,
        content_type="application/x-www-form-urlencoded",
    )
    assert answer.status_code in (400, 413)


@pytest.mark.parametrize("body", [b"\xff\xfe\x00", b"{", b"", b"action=roll&seat=1&saw=%FF%FE"])
@pytest.mark.parametrize(
    "kind",
    ["application/x-www-form-urlencoded", "application/json", "multipart/form-data; boundary=x"],
)
def test_a_body_of_any_bytes_is_answered(party: Party, body, kind):
    answer = party.ana.client.post(f"/t/{party.ana.code}/act/", body, content_type=kind)
    assert 400 <= answer.status_code < 500


def test_a_shout_after_the_end_is_refused(party: Party):
    party.begins().rolls(party.ana, 9).challenges(party.ben, "knave", 1)
    assert refused(party.ana.does("shout", call="brave"), 409)


def test_a_late_resend_is_refused_in_words(party: Party):
    party.begins()
    seen = party.ana.scene
    party.rolls(party.ana, 7).challenges(party.ben, "brave", 12)
    assert "moved on" in refused(party.ana.does("shout", call="brave", saw=seen), 409)


# --- where ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "code", ["ZZZZZZ", "zz", "x" * 300, "%00", "%ff", "' or 1=1", "é", "..%2f.."]
)
def test_a_wrong_code_is_answered(party: Party, code):
    answer = party.cleo.client.get(f"/t/{code}/")
    assert answer.status_code in (404, 429)
    assert notice(answer)
    answer = party.cleo.client.post("/join/", {"code": code})
    assert answer.status_code in (404, 429)


@pytest.mark.parametrize(
    "path", ["/j/%00/", "/seat/%00/", "/house-rule/%00/", "/rules/%00/", "/rules/knave/"]
)
def test_any_path_is_answered(db, path):
    assert Client().get(path).status_code in (200, 404, 422)


def test_anothers_seat_is_not_found(kept: Party):
    kept.ben.seat = kept.ana.seat
    refused(kept.ben.does("pause"), 404)


def test_a_get_on_the_door_of_actions_is_not_allowed(kept: Party):
    assert kept.ana.client.get(f"/t/{kept.ana.code}/act/").status_code == 405
    assert kept.ana.client.put(f"/t/{kept.ana.code}/act/").status_code == 405


@pytest.mark.parametrize("path", ["/start/", "/try/", "/join/", "/language/"])
def test_no_get_changes_anything(kept: Party, path):
    assert kept.ana.client.get(path).status_code == 405


@pytest.mark.parametrize("path", ["/start/", "/try/", "/join/"])
def test_a_forms_address_shows_the_front_door_to_whoever_only_goes_there(db, path):
    """After a wrong code it stands in the browser, which asks for it once more some day."""
    client = Client()
    assert b'id="code"' in client.get(path).content
    answer = client.post("/language/", {"language": "es", "next": path})
    assert "Siéntate a una mesa" in client.get(answer.headers["Location"]).content.decode()


@pytest.mark.parametrize("page", ["0", "-1", "999999", "x", "9" * 30, "9" * 5000, "\u0667"])
def test_any_page_of_the_records_is_answered(party: Party, page):
    answer = party.ana.client.get(f"/t/{party.table.code}/records/", {"page": page})
    assert answer.status_code in (200, 404)


@pytest.mark.parametrize("game", [0, 2**31, 2**63, 10**30])
def test_a_record_that_is_not_there_is_not_found(party: Party, game):
    assert party.ana.client.get(f"/t/{party.table.code}/records/{game}/").status_code == 404


@pytest.mark.parametrize("seat", ["x", "-1", "9" * 40])
def test_any_seat_in_a_pages_address_is_answered(party: Party, seat):
    assert party.ana.client.get(f"/t/{party.table.code}/", {"seat": seat}).status_code == 200


@pytest.mark.parametrize(
    "back", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "\x00"]
)
def test_choosing_a_language_leads_back_to_our_own_pages_only(db, back):
    answer = Client().post("/language/", {"language": "es", "next": back})
    assert answer.status_code == 302
    assert "evil" not in answer.url
    assert "javascript" not in answer.url


# --- in words ------------------------------------------------------------------------------------

TEXTS = {
    "pick_number": ({"number": "20"}, "Choose a personal number from 2 to 19."),
    "fly": ({}, "That can't be done here."),
    "shout": ({"call": "boo"}, "Shout BRAVE or KNAVE."),
    "pause": ({}, "Only the host may do that."),
    "roll": ({}, "No bout is being played."),
}


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("action", sorted(TEXTS))
def test_every_refusal_is_in_the_language_of_the_seat(party: Party, action, language):
    done(party.ben.does("speak", language=language))
    fields, english = TEXTS[action]
    with translation.override(language):
        expected = translation.gettext(english)
    answer = party.ben.does(action, **fields)
    assert 400 <= answer.status_code < 500
    assert expected in notice(answer).replace("&#39;", "'")


def test_a_stranger_is_refused_in_the_language_of_their_browser(party: Party):
    emilio = Person("Emilio", language="es")
    with translation.override("es"):
        expected = translation.gettext(
            "No table has this code. Look at the shared screen or ask your host."
        )
    assert expected in notice(emilio.client.post("/join/", {"code": "ZZZZZZ"}))


def test_a_form_without_its_token_is_refused_in_words(party: Party):
    """Whoever forbids cookies would load the page again for ever."""
    strict = Client(enforce_csrf_checks=True)
    for told in ("keeps no cookies", "too old"):
        answer = strict.post("/start/", {"host_name": "Dora"})
        assert answer.status_code == 403
        assert told in notice(answer)
        strict.get("/")


# --- what only a program sends -------------------------------------------------------------------


@pytest.mark.parametrize("where", ["11", "NaN", "//elsewhere.example/", "https://[", "x\r\ny: z"])
def test_nobody_is_led_to_what_is_no_page_of_ours(party: Party, where):
    chosen = party.ben.client.post("/language/", {"language": "es", "next": where})
    assert (chosen.status_code, chosen.url) == (302, "/")
    tapped = party.ben.client.post(
        f"/t/{party.table.code}/act/",
        {"action": "show_hand", "seat": party.ben.seat, "tap": "t", "letters": "true"},
        headers={"Referer": where},
    )
    assert (tapped.status_code, tapped.url) == (302, f"/t/{party.table.code}/")


def test_what_cannot_be_read_is_told_in_words(party: Party, settings):
    """Django's own answer to a strange host reads the form first, and fails if it is too long."""
    settings.ALLOWED_HOSTS = ["localhost"]
    much = "&".join(f"x{n}=1" for n in range(3000))
    strict = Client(enforce_csrf_checks=True, headers={"accept-language": "es"})
    strict.cookies["csrf"] = "c" * 32
    for path in (f"/t/{party.table.code}/act/", f"/api/tables/{party.table.code}/actions/"):
        for host in ("NaN", "localhost"):
            answer = strict.post(
                path, much, "application/x-www-form-urlencoded", headers={"Host": host}
            )
            assert answer.status_code == 400, (path, host)
            assert "Eso no se pudo leer" in answer.content.decode()
