"""What is pressed on a page that says that the house is in trouble, once the house is back."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpResponse
from django.test import Client

from config.bounds import MOST
from config.pages import Pages
from games.models import Table
from games.views import front

TYPED = {"host_name": 'Ana <b>"&', "table_name": "The Swan", "rules": "knave"}
FIELD = re.compile(r'<input type="hidden" name="([^"]+)" value="([^"]*)">')

pytestmark = pytest.mark.django_db


def breaks(*given: object, **named: object) -> None:
    raise OperationalError("disk I/O error")


@pytest.fixture
def ana() -> Client:
    client = Client(enforce_csrf_checks=True)
    client.get("/")
    return client


def presses(ana: Client, page: HttpResponse) -> HttpResponse:
    """Press "Try again" as a browser does: with what the form holds and no more."""
    main = page.content.decode().split("<main", 1)[1]
    form = main.split('<form method="post">', 1)[1].split("</form>", 1)[0]
    return ana.post("/start/", {name: unescape(value) for name, value in FIELD.findall(form)})


@pytest.mark.parametrize("where", ["in the view", "before anything is read"])
def test_what_was_typed_is_sent_again_when_the_house_is_back(
    ana: Client, monkeypatch: pytest.MonkeyPatch, where: str
):
    """R2: "nothing of yours is lost" holds for whoever has no script and no table yet."""
    token = ana.cookies["csrf"].value
    with monkeypatch.context() as broken:
        if where == "in the view":
            broken.setattr(front, "open_table", breaks)
        else:
            broken.setattr("django.contrib.sessions.backends.base.SessionBase.get", breaks)
        page = ana.post("/start/", {**TYPED, "csrfmiddlewaretoken": token})
        assert page.status_code == 503
        assert "Taproom" in page.headers, "no proxy says it in the house's place"
        page = presses(ana, page)
        assert page.status_code == 503, "as often as it takes"
    assert presses(ana, page).status_code == 302
    [table] = Table.objects.all()
    assert (table.name, table.rules) == ("The Swan", "knave")
    assert table.seats.get().name == TYPED["host_name"]


def test_what_another_site_sent_is_not_offered_to_be_sent_again(
    ana: Client, monkeypatch: pytest.MonkeyPatch
):
    """The control: a token of ours beside fields of theirs would make one press do it."""
    monkeypatch.setattr("django.contrib.sessions.backends.base.SessionBase.get", breaks)
    page = ana.post("/start/", TYPED)
    assert page.status_code == 503
    assert b"The Swan" not in page.content


def test_a_first_visit_in_trouble_is_given_the_cookie_that_its_page_needs(
    monkeypatch: pytest.MonkeyPatch,
):
    monkeypatch.setattr("django.contrib.sessions.backends.base.SessionBase.get", breaks)
    page = Client().get("/")
    assert (page.status_code, "csrf" in page.cookies) == (503, True)


@pytest.mark.parametrize(
    ("path", "headers", "begins"),
    [
        ("/", {}, "<!doctype html>"),
        ("/t/ABCD/act/", {b"hx-request": b"true"}, '<div class="notice">'),
        ("/api/tables/", {}, "{"),
    ],
)
@pytest.mark.parametrize(
    ("language", "words"), [(b"en", "more than a page may send"), (b"es", "puede enviar")]
)
async def test_what_is_too_long_is_said_by_the_house(path, headers, begins, language, words):
    """Once all was sent: browsers show nothing sooner. Without the mark a phone would doubt it."""
    told = {b"content-length": b"%d" % (MOST + 1), b"accept-language": language, **headers}
    scope = {"type": "http", "method": "POST", "path": path, "query_string": b""}
    parts = [{"body": b"x", "more_body": True}, {"body": b"x"}]
    sent: list[dict[str, Any]] = []

    async def receive() -> dict[str, Any]:
        return parts.pop(0)

    async def send(event: dict[str, Any]) -> None:
        sent.append(event)

    await Pages()({**scope, "headers": list(told.items())}, receive, send)
    assert parts == []
    assert sent[0]["status"] == 413
    assert (b"Taproom", b"house") in sent[0]["headers"]
    said = b"".join(event["body"] for event in sent[1:]).decode()
    assert said.lstrip().startswith(begins)
    assert words in said
