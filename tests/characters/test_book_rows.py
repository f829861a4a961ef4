"""The book's rows: filled by migrating, and a host's own hand in them survives every upgrade."""

from __future__ import annotations

import time

import pytest
from django.contrib.auth.models import User
from django.core.management import call_command
from django.test import Client
from django.utils import timezone, translation

from characters.models import Article, HirelingKind, Monster, Spell, TableRow
from characters.services import kept_book
from characters.services.book import load_book
from games.rules.knave.book import read_book

BOOK = [Article, Spell, Monster, HirelingKind, TableRow]
KEPT = ["character", "item", "pile", "encounter", "call", "goal"]  # what tables keep


@pytest.fixture
def host(db) -> Client:
    """Whoever runs the server, in the admin."""
    User.objects.create_superuser("host", password="a long one")
    client = Client()
    assert client.login(username="host", password="a long one")
    return client


def form_of(row: Article, **changes: object) -> dict[str, object]:
    """Return an article as the admin's form posts it."""
    fields = [f.name for f in Article._meta.fields if f.editable and f.name not in ("id", "key")]
    given = {name: getattr(row, name) for name in fields} | {"damage_kinds": "[]"} | changes
    return {
        name: value for name, value in given.items() if value is not None and value is not False
    }


def test_migrating_fills_the_whole_book(db):
    book = read_book()
    assert Article.objects.count() == len(book.articles)
    assert Spell.objects.count() == 100
    assert Monster.objects.count() == len(book.monsters)
    assert HirelingKind.objects.count() == len(book.hirelings)
    rows = sum(len(t.rows) for t in (*book.starting, *book.traits))
    assert TableRow.objects.count() == rows


def test_a_row_says_what_the_book_says_in_both_languages(db):
    sword = Article.objects.get(key="sword")
    assert (sword.name, sword.name_es, sword.die, sword.slots, sword.cost) == (
        "Sword",
        "Espada",
        8,
        2,
        10,
    )
    arrows = Article.objects.get(key="arrows")
    assert (arrows.lot, arrows.bundle, Article.objects.get(key="bow").ammunition) == (
        20,
        20,
        "arrows",
    )
    rat = Monster.objects.get(key="rat-giant")
    assert rat.attacks == [
        {
            "name": "bite",
            "name_es": "mordisco",
            "count": 1,
            "damage": "d3",
            "die": 3,
            "is_ranged": False,
        }
    ]
    candles = TableRow.objects.get(table="dungeoneering-gear", low=3)
    assert candles.items == [["candle", 5]]
    assert Spell.objects.get(number=1).effect_es


def test_loading_again_changes_nothing_and_is_quick(db):
    started = time.process_time()
    loaded = load_book()
    assert time.process_time() - started < 0.5
    assert (loaded.added, loaded.renewed, loaded.left) == (0, 0, 0)


def test_loading_again_takes_few_queries(django_assert_max_num_queries, db):
    with django_assert_max_num_queries(12):
        load_book()


def test_what_is_missing_comes_and_what_nobody_edited_is_renewed(db):
    Article.objects.filter(key="torch").delete()
    Spell.objects.filter(number=7).update(name="Wrong")
    loaded = load_book()
    assert (loaded.added, loaded.renewed) == (1, 1)
    assert Article.objects.get(key="torch").burns_turns == 6
    assert Spell.objects.get(number=7).name == "Auditory Illusion"


def test_an_edit_in_the_admin_survives_the_next_load(host):
    rope = Article.objects.get(key="rope-50ft")
    posted = host.post(
        f"/admin/characters/article/{rope.pk}/change/", form_of(rope, name="Elven rope", cost=99)
    )
    assert posted.status_code == 302, posted.context["errors"]
    assert load_book().left == 1
    rope.refresh_from_db()
    assert (rope.name, rope.cost, rope.is_own) == ("Elven rope", 99, False)
    assert rope.edited_at is not None


@pytest.mark.parametrize("name", ["bundle", "lot", "holds", "burns_turns"])
def test_a_figure_that_postgresql_has_no_room_for_is_refused_in_words(host, name):
    rope = Article.objects.get(key="rope-50ft")
    form = form_of(rope, **{name: 9_000_000_000_000_000_000})
    posted = host.post(f"/admin/characters/article/{rope.pk}/change/", form)
    assert posted.context["adminform"].form.errors[name] == [
        "Ensure this value is less than or equal to 32767."
    ]


def test_a_row_of_the_hosts_own_survives_the_next_load(host):
    posted = host.post(
        "/admin/characters/article/add/",
        form_of(Article(name="Moon cheese", kind="ration", cost=3), key="moon-cheese"),
    )
    assert posted.status_code == 302, posted.context["errors"]
    load_book()
    assert Article.objects.get(key="moon-cheese").is_own


def test_a_hidden_row_stays_hidden_and_is_still_renewed(host):
    rope = Article.objects.get(key="rope-50ft")
    known = {one.key: one for one in kept_book.articles()}
    assert not known[rope.key].is_hidden
    chosen = {"action": "hide", "_selected_action": [rope.pk]}
    assert host.post("/admin/characters/article/", chosen).status_code == 302
    known = {one.key: one for one in kept_book.articles()}
    assert known[rope.key].is_hidden  # in this process at once: nobody is offered it any more
    Article.objects.filter(pk=rope.pk).update(cost=7)
    load_book()
    rope.refresh_from_db()
    assert (rope.is_hidden, rope.cost) == (True, 10)


def test_rows_are_hidden_never_deleted(host):
    rope = Article.objects.get(key="rope-50ft")
    assert (
        host.post(f"/admin/characters/article/{rope.pk}/delete/", {"post": "yes"}).status_code
        == 403
    )
    assert Article.objects.filter(pk=rope.pk).exists()


@pytest.mark.parametrize("way", ["form", "action"])
def test_what_the_host_hides_is_gone_from_the_pages_at_once(
    host, django_capture_on_commit_callbacks, way
):
    """Who had read the book before the admin's commit kept the old one for a minute."""
    article = Article.objects.get(key="sword")
    list_of_all = "/admin/characters/article/"
    with django_capture_on_commit_callbacks(execute=True):
        if way == "form":
            host.post(f"{list_of_all}{article.pk}/change/", form_of(article, is_hidden="on"))
        else:
            host.post(list_of_all, {"action": "hide", "_selected_action": article.pk})
        kept_book._Kept.now["articles"] = (time.monotonic(), (article,))
    assert Article.objects.get(key="sword").is_hidden
    assert next(a for a in kept_book.articles() if a.key == "sword").is_hidden


def test_what_was_read_of_the_book_before_it_changed_is_not_kept(db):
    def reads() -> tuple[str, ...]:
        kept_book.forget()  # as another thread's commit does meanwhile
        return ("the old one",)

    assert kept_book._read("spells", reads) == ("the old one",)
    assert "the old one" not in kept_book.spells()


def test_a_spell_of_the_hosts_own_keeps_its_number(db):
    Spell.objects.filter(number=50).delete()
    own = Spell.objects.create(key="own", name="Own", number=50, effect="Own.", is_own=True)
    load_book()
    assert list(Spell.objects.filter(number=50)) == [own]


@pytest.mark.parametrize(
    "items", ['[["no-such-thing", 1]]', '[["torch", 0]]', '"torch"', "[1]", '[["torch"]]']
)
def test_a_table_row_hands_out_only_what_is_on_the_price_list(host, items):
    row = TableRow.objects.get(table="dungeoneering-gear", low=3)
    given = {"name": row.name, "table": row.table, "low": 3, "high": 3, "items": items}
    assert host.post(f"/admin/characters/tablerow/{row.pk}/change/", given).status_code == 200
    row.refresh_from_db()
    assert row.items == [["candle", 5]]


@pytest.mark.parametrize(
    "attacks", ["{}", "[1]", '[{"name": "bite"}]', '[{"name": "x", "count": 1, "damage": "much"}]']
)
def test_a_monsters_attack_must_be_one_that_can_be_rolled(host, attacks):
    rat = Monster.objects.get(key="rat-giant")
    given = {
        "name": rat.name,
        "level": 0,
        "hp": 2,
        "armor_defense": 12,
        "attack_bonus": 0,
        "morale": 6,
        "attacks": attacks,
    }
    assert host.post(f"/admin/characters/monster/{rat.pk}/change/", given).status_code == 200
    rat.refresh_from_db()
    assert rat.attacks[0]["damage"] == "d3"


def test_an_attack_written_in_the_admin_is_kept_as_the_fight_reads_it(host):
    rat = Monster.objects.get(key="rat-giant")
    attacks = '[{"name": "spit", "count": 2, "damage": "d4", "is_ranged": true}]'
    given = {"level": 0, "hp": 2, "armor_defense": 12, "attack_bonus": 0, "morale": 6}
    named = {"name": rat.name, "attacks": attacks}
    posted = host.post(f"/admin/characters/monster/{rat.pk}/change/", {**given, **named})
    assert posted.status_code == 302, posted.context["errors"]
    rat.refresh_from_db()
    spit = {"name": "spit", "name_es": "", "count": 2, "damage": "d4", "die": 4}
    assert rat.attacks == [{**spit, "is_ranged": True}]


@pytest.mark.parametrize("model", [*(m._meta.model_name for m in BOOK), *KEPT])
def test_every_list_of_the_admin_opens(host, model):
    assert host.get(f"/admin/characters/{model}/?q=a").status_code == 200


@pytest.mark.parametrize("model", BOOK)
def test_the_book_is_edited_by_words_of_whoever_edits_it(host, model):
    """Every field and every row was called by its English name in the code."""
    at = f"/admin/characters/{model._meta.model_name}/add/"
    page = host.get(at, headers={"accept-language": "es"}).content.decode()
    named = [f for f in model._meta.fields if f.editable and f.name != "id"]
    for one in (*named, model._meta):
        english = str(one.verbose_name)
        with translation.override("es"):
            spanish = str(one.verbose_name)
        assert spanish != english
        assert spanish in page.lower()


@pytest.mark.parametrize("model", KEPT)
def test_what_tables_keep_is_only_looked_at(host, model):
    assert host.get(f"/admin/characters/{model}/add/").status_code == 403


def test_the_command_says_what_it_did(db, capsys):
    Article.objects.filter(key="sword").update(edited_at=timezone.now())
    call_command("load_book")
    assert "added: 0, renewed: 0, left as edited: 1" in capsys.readouterr().out


@pytest.mark.django_db(transaction=True)
def test_a_flushed_database_is_filled_again():
    Article.objects.all().delete()
    call_command("flush", interactive=False, verbosity=0)
    assert Article.objects.filter(key="torch").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [("hp", 0), ("hp", 10_000), ("level", 101), ("armor_defense", 41), ("attack_bonus", -21),
     ("attack_bonus", 100), ("morale", 13), ("morale", 1)],
)  # fmt: skip
def test_kn24_a_hireling_of_the_book_can_go_into_a_fight(host, name: str, value: int):
    """One that could not made every fight of its table refuse to begin, of nobody by name."""
    kind = HirelingKind.objects.get(key="laborer")
    fields = ("name", "name_es", "wage", "level", "hp", "armor_defense", "attack_bonus", "morale",
              "die")  # fmt: skip
    given = {field: getattr(kind, field) for field in fields}
    address = f"/admin/characters/hirelingkind/{kind.pk}/change/"
    answer = host.post(address, given | {name: value})
    assert answer.status_code == 200
    assert "From " in answer.content.decode()
    kind.refresh_from_db()
    assert getattr(kind, name) != value
    assert host.post(address, given).status_code == 302, "the control"


@pytest.mark.parametrize(("name", "value"), [("defense", 41), ("quality", 100)])
def test_kn5_an_armor_of_the_book_can_be_fought_in(host, name: str, value: int):
    mail = Article.objects.get(key="chain")
    address = f"/admin/characters/article/{mail.pk}/change/"
    assert host.post(address, form_of(mail, **{name: value})).status_code == 200
    mail.refresh_from_db()
    assert getattr(mail, name) != value


def a_monster(**changes: object) -> dict[str, object]:
    return {"name": "Rat", "level": 0, "hp": 2, "armor_defense": 12, "attack_bonus": 0,
            "morale": 6} | changes  # fmt: skip


@pytest.mark.parametrize(
    ("model", "field", "written"),
    [("monster", "attacks", '[{"name": "bite", "damage": "d6", "count": Infinity}]'),
     ("monster", "attacks", '[{"name": "bite", "damage": "d6", "count": 1e999}]'),
     ("monster", "attacks", "[" * 100_000),
     ("monster", "attacks", f"[{'9' * 5000}]"),
     ("monster", "attacks", '[{"name": "bite\\ud800", "damage": "d6", "count": 1}]'),
     ("monster", "attacks", '[{"name": "bite\\u0000", "damage": "d6", "count": 1}]'),
     ("tablerow", "items", '[["torch", Infinity]]'),
     ("article", "damage_kinds", "[NaN]")],
)  # fmt: skip
def test_what_no_database_keeps_as_json_is_refused_in_words(host, model, field, written):
    """The admin answered each of them with a page that said only that something went wrong."""
    row = {"monster": Monster, "tablerow": TableRow, "article": Article}[model].objects.first()
    before = getattr(row, field)
    others = {"monster": a_monster(), "tablerow": {"name": "x", "table": "x", "low": 1, "high": 1}}
    given = others.get(model) or form_of(row)
    posted = host.post(f"/admin/characters/{model}/{row.pk}/change/", given | {field: written})
    assert posted.status_code == 200
    assert field in posted.context["adminform"].errors
    row.refresh_from_db()
    assert getattr(row, field) == before


@pytest.mark.parametrize(
    "attack",
    ['{"name": null, "damage": "d6", "count": 1}', '{"name": " ", "damage": "d6", "count": 1}',
     '{"name": {"en": "bite"}, "damage": "d6", "count": 1}',
     '{"name": "bite", "damage": "d6", "count": 0}',
     '{"name": "bite", "damage": "d6", "count": 21}'],
)  # fmt: skip
def test_kn15_an_attack_has_a_name_and_a_count_that_a_fight_can_have(host, attack: str):
    """A foe struck with "None", and one of 50 claws made 20 attacks without a word."""
    rat = Monster.objects.get(key="rat-giant")
    address = f"/admin/characters/monster/{rat.pk}/change/"
    assert host.post(address, a_monster(attacks=f"[{attack}]")).status_code == 200
    rat.refresh_from_db()
    assert rat.attacks[0]["name"] == "bite"


def test_an_attack_without_a_spanish_name_is_called_by_the_english_one(host):
    rat = Monster.objects.get(key="rat-giant")
    attacks = '[{"name": "spit", "name_es": null, "count": 1, "damage": "d4"}]'
    address = f"/admin/characters/monster/{rat.pk}/change/"
    assert host.post(address, a_monster(attacks=attacks)).status_code == 302
    rat.refresh_from_db()
    assert rat.attacks[0]["name_es"] == ""


@pytest.mark.parametrize(
    ("key", "bonus"), [("shield", 2), ("shield", 0), ("helmet", 3), ("chain", 1), ("sword", 1)]
)
def test_kn5_a_shield_and_a_helmet_add_1_and_nothing_else_adds_anything(host, key, bonus):
    """The sheet and the price list said "armor +2", and the armor defense rose by 1."""
    article = Article.objects.get(key=key)
    address = f"/admin/characters/article/{article.pk}/change/"
    posted = host.post(address, form_of(article, bonus=bonus))
    assert posted.status_code == 200
    assert "bonus" in posted.context["adminform"].errors
    assert host.post(address, form_of(article)).status_code == 302, "the control"


@pytest.mark.parametrize("key", ["shield", "helmet", "sword"])
def test_kn5_only_body_armor_has_a_defense(host, key: str):
    """The sheet said "armor 15" of a shield, which protects by 1."""
    article = Article.objects.get(key=key)
    address = f"/admin/characters/article/{article.pk}/change/"
    posted = host.post(address, form_of(article, defense=15))
    assert posted.status_code == 200
    assert "defense" in posted.context["adminform"].errors


def test_a_fuel_feeds_a_lamp_that_there_is(host):
    oil = Article.objects.exclude(feeds="").first()
    address = f"/admin/characters/article/{oil.pk}/change/"
    assert host.post(address, form_of(oil, feeds="lantrn")).status_code == 200
    assert host.post(address, form_of(oil)).status_code == 302, "the control"


def test_a_row_stands_in_a_table_that_is_rolled_on(host):
    """KN-3, KN-7: of a table's name mistyped the row was saved, and never rolled."""
    candles = TableRow.objects.get(table="dungeoneering-gear", low=3)
    address = f"/admin/characters/tablerow/{candles.pk}/change/"
    given = {"name": "Candles", "low": 3, "high": 3, "items": "[]"}
    posted = host.post(address, given | {"table": "dungeonering-gear"})
    assert posted.status_code == 200
    assert "dungeoneering-gear" in str(posted.context["adminform"].errors["table"])
    for table in set(TableRow.objects.values_list("table", flat=True)):
        assert host.post(address, given | {"table": table}).status_code == 302, table
