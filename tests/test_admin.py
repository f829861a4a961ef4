"""The admin speaks to whoever runs the server in their language."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.admin.utils import flatten, label_for_field
from django.contrib.auth.models import Group, Permission, User
from django.test import Client, RequestFactory
from django.utils import translation
from django.utils.functional import Promise

from campaigns.models import Campaign, Chapter
from characters.models import Article
from games.models import Game, Table
from tests.catalog import OTHERS, catalog

OURS = [one for one in admin.site._registry.values() if one.opts.app_label in settings.OUR_APPS]
# As people call them who speak them, and as dice are called everywhere.
SAID_ALIKE = {*dict(settings.LANGUAGES).values(), *(f"d{n}" for n in range(2, 21))}


def test_every_kind_of_row_is_called_by_a_text_that_is_translated():
    """What Django makes of a class's name is English to everybody."""
    ours = [one.opts for one in OURS]
    assert len(ours) > 20
    named = [(m.verbose_name, m.verbose_name_plural, m.app_config.verbose_name) for m in ours]
    assert [texts for texts in named if not all(isinstance(t, Promise) for t in texts)] == []


def fields_shown(one: admin.ModelAdmin[Any]) -> set[str]:
    """Return what stands over a column of the list, beside a filter or in the form."""
    request = RequestFactory().get("/")
    request.user = User(is_superuser=True, is_active=True)
    columns = {*one.get_list_display(request)} - {"__str__"}
    return columns | {*one.get_list_filter(request)} | {*flatten(one.get_fields(request))}


def labels_of(one: admin.ModelAdmin[Any]) -> Iterator[tuple[str, Any]]:
    for name in sorted(fields_shown(one)):
        yield name, label_for_field(name, one.model, one)
        for value, label in one.opts.get_field(name).flatchoices:
            if str(label) not in SAID_ALIKE:
                yield f"{name}={value}", label


def test_a_list_reads_along_what_its_rows_point_to():
    """R8: what may be empty Django reads along only if it is named; else it asked for each row."""
    for one in OURS:
        columns = [one.opts.get_field(c) for c in one.list_display if c != "__str__"]
        alone = {c.name for c in columns if c.is_relation and c.null}
        named = one.list_select_related
        assert alone <= set(named if isinstance(named, list) else ()), one


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("one", OURS, ids=lambda one: one.opts.label)
def test_every_field_and_every_choice_is_called_by_a_text_that_is_translated(
    one: admin.ModelAdmin[Any], language: str
):
    """Those of rows that tables keep were what Django makes of names in the code: "Is gm"."""
    labels = dict(labels_of(one))
    assert len(labels) >= 3
    assert [name for name, label in labels.items() if not isinstance(label, Promise)] == []
    known = catalog(language)
    with translation.override(None):
        english = [str(label) for label in labels.values()]
    assert [text for text in english if not (said := known.get(text)) or not said.string] == []


@pytest.fixture
def host(db: None) -> Client:
    client = Client(headers={"accept-language": "es"})
    client.force_login(User.objects.create_superuser("host"))
    return client


def test_a_row_that_a_table_keeps_is_read_in_spanish(host: Client):
    table = Table.objects.create(name="Friday", door_closes_at="2026-11-30T20:00Z")
    campaign = Campaign.objects.create(table=table, name="Kin")
    chapter = Chapter.objects.create(campaign=campaign, number=1, step=Chapter.Step.DEAL)
    listed = host.get("/admin/campaigns/chapter/").content.decode()
    assert "Por paso" in listed
    assert ">Título del oráculo<" in listed
    page = host.get(f"/admin/campaigns/chapter/{chapter.pk}/change/").content.decode()
    for words in ("Quién dirigió:", "Cuándo y dónde:", "Repartir las cartas", "nadie sabe cuándo"):
        assert words in page


def test_a_row_is_named_in_spanish_where_another_points_at_it(host: Client):
    table = Table.objects.create(name="Friday", door_closes_at="2026-11-30T20:00Z")
    game = Game.objects.create(table=table, status=Game.Status.PLAYING)
    page = host.get(f"/admin/games/game/{game.pk}/change/").content.decode()
    assert f"brave_or_knave {game.pk} (en juego)" in page


@pytest.mark.parametrize("at", ["group/add", "user/{}/change"])
def test_what_an_account_may_do_is_said_in_spanish(host: Client, at: str):
    """Django writes it into the database in English, whoever reads it there."""
    key = User.objects.get().pk
    page = host.get(f"/admin/auth/{at.format(key)}/").content.decode()
    assert "Knave: el libro, hojas y combates | artículo | cambiar</option>" in page
    assert "Mesas y sus asientos | mesa | mirar</option>" in page
    assert "Can " not in page
    assert "| cast line |" not in page, "it has no page of its own, and no name"


def test_what_becomes_of_a_password_is_said_in_spanish(host: Client):
    """Django put a text together as the server began, and its warning is marked for nobody."""
    account = User.objects.create_user("cook", password="salt and honey")
    page = host.get(f"/admin/auth/user/{account.pk}/password/").content.decode()
    assert "Determina si el usuario podrá autenticarse" in page
    assert '<li class="warning">Si se deshabilita, se pierde la contraseña' in page


def test_a_permission_that_is_given_there_is_had(host: Client):
    some = Permission.objects.get(codename="change_article")
    given = {"name": "Editors", "permissions": [some.pk]}
    assert host.post("/admin/auth/group/add/", given).status_code == 302
    assert [*Group.objects.get().permissions.all()] == [some]


def test_the_history_tells_in_spanish_which_fields_were_changed(host: Client):
    """Django kept "Price in copper", and has no translation for a text that begins so."""
    row = Article.objects.get(key="crossbow")
    at = f"/admin/characters/article/{row.pk}"
    shown = host.get(f"{at}/change/").context["adminform"].form.initial
    given = {name: value for name, value in shown.items() if value is not None}
    changed = {"cost": 7, "damage_kinds": "[]", "is_hidden": "on"}
    assert host.post(f"{at}/change/", given | changed).status_code == 302
    told = host.get(f"{at}/history/").content.decode()
    assert "Modificado oculto, precio en cobre y tipos de daño." in told
    key = User.objects.get().pk
    given = {"username": "host", "first_name": "Ana", "date_joined_0": "2026-11-30"}
    given |= {"date_joined_1": "20:00:00", "is_active": "on"}
    assert host.post(f"/admin/auth/user/{key}/change/", given).status_code == 302
    assert "first name" in str(LogEntry.objects.latest("pk").change_message)


def test_what_nobody_may_do_is_refused_in_spanish(host: Client):
    """Rows of the book are hidden, and never deleted."""
    row = Article.objects.all()[0]
    refused = host.get(f"/admin/characters/article/{row.pk}/delete/")
    assert refused.status_code == 403
    assert "Esta cuenta no puede hacer eso." in refused.content.decode()
