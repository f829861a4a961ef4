"""What every tap goes through is quicker than the framework's own way, and comes to the same."""

from __future__ import annotations

import pytest
from django.db import connection
from django.template import engines
from hypothesis import given
from hypothesis import strategies as st
from jinja2 import DictLoader, Environment, UndefinedError
from markupsafe import Markup, escape

from config.jinja import environment, shown
from config.sqlite3.base import Cursor
from games.models import Event, Game, Play, Seat, Table, rows
from games.models.touched import Touched

VALUES = st.one_of(
    st.text(), st.integers(), st.booleans(), st.none(), st.floats(), st.builds(Markup, st.text())
)


@given(VALUES)
def test_a_value_is_shown_as_markupsafe_escapes_it(value):
    assert shown(value) == escape(value)
    assert shown(value) == escape(value), "nor does it differ the second time"


MACROS = """
{% macro row(a, b="<b>", class="c", on=none) %}({{ a }}|{{ b }}|{{ class }}|{{ on is none }})
{% endmacro %}
{% macro framed(id, more={}) %}[{{ id }}
{% for k, v in more.items() %} {{ k }}={{ v }}{% endfor %} {{ caller() }}]{% endmacro %}
{% macro either(label="") %}{% set inner = caller() if caller else "" %}
{% call framed("in") %}{{ inner or label }}{% endcall %}{% endmacro %}
{% macro counted(n) %}{% for i in range(n) %}{{ caller(i, "<" ~ i) }}{% endfor %}{% endmacro %}
{% macro tree(of) %}{{ of.name }}
{% for one in of.of %}<i>{{ tree(one) }}</i>{% endfor %}{% endmacro %}
{% macro with(which) %}{{ which("<1>", class="<2>") }}{{ which(a="3") }}{% endmacro %}
{% macro token() %}{% if csrf_input is defined %}{{ csrf_input }}{% endif %}
{{ late(1) }}{% endmacro %}
{% macro late(a) %}late {{ a }}{% endmacro %}
"""


@pytest.mark.parametrize(
    "shows",
    [
        "{{ row('<a>') }}{{ row(b=x, a=row(1)) }}{{ row(1, class='<i>', on=2) }}{{ row() }}",
        "{% for n in (1, 2) %}{{ row(n, on=loop.first) }}{{ row(n)|upper }}{{ '<' ~ row(n) }}"
        "{% endfor %}",
        "{% call framed('a', more={'<k>': x}) %}<p>{{ x }}</p>{{ row(x) }}{% endcall %}",
        "{{ either('<l>') }}{{ either() }}"
        "{% call either() %}{% call framed(2) %}{{ x }}{% endcall %}{% endcall %}",
        "{% call(i, word) counted(3) %}{{ i }}:{{ word }}{{ row(word) }} {% endcall %}",
        "{{ tree({'name': x, 'of': [{'name': 'b', 'of': []}, {'name': '<c>', 'of': []}]}) }}",
        "{{ with(row) }}{% for n in (1,) %}{{ with(row) }}{% endfor %}",
        "{% set kept %}{{ row(x) }}{% endset %}{{ kept }}{{ row(x) if x }}{{ x or row(1) }}",
        "{% macro row(a) %}own {{ a }}{{ token() }}{% endmacro %}{{ row(x) }}{{ row(a='<') }}",
        "{{ token() }}{{ '%s'|format(row(x)) }}{{ x.upper() }}{{ x.replace('x', '>') }}",
    ],
)
@pytest.mark.parametrize("how", ["", " with context"])
def test_macros_and_calls_come_to_what_jinja_makes_of_them(shows, how):
    """R5: our pages are compiled in a way of their own, and are what they were written to be."""
    names = "row, framed, either, counted, tree, with, token"
    page = f"{{% from 'macros' import {names}{how} %}}{shows}"
    loader = DictLoader({"macros": MACROS, "page": page})
    jinjas = Environment(autoescape=True, loader=loader, trim_blocks=True, lstrip_blocks=True)
    ours = environment(loader=loader)
    for gaps in ({"x": "<x>"}, {"x": "", "csrf_input": Markup("<input>")}):
        found = ours.get_template("page").render(gaps)
        assert found == jinjas.get_template("page").render(gaps)
        assert found.strip()


def test_a_macro_that_is_not_there_is_said_so():
    loader = DictLoader({"macros": MACROS, "page": "{% from 'macros' import no %}{{ no(1) }}"})
    with pytest.raises(UndefinedError, match="does not export the requested name 'no'"):
        environment(loader=loader).get_template("page").render()


def test_a_macro_of_a_page_is_a_function():
    """The control: else the tests above would compare Jinja with itself."""
    macros = engines["jinja2"].env.get_template("parts/tap.jinja").module
    assert type(macros.tap).__name__ == "function"


@pytest.mark.parametrize("model", [Table, Seat, Game, Play, Event])
def test_a_new_row_is_what_its_own_constructor_makes(model):
    quick, slow = rows.new(model), model()
    names = {f.attname for f in model._meta.concrete_fields}
    chosen = {"code", "key", *(n for n in names if n.endswith("_at") or n == "at")}
    assert quick.__dict__.keys() - {"_state"} >= names
    for name in names - chosen:
        assert getattr(quick, name) == getattr(slow, name), name
    assert quick._state.adding is slow._state.adding is True
    assert quick._state.db is slow._state.db is None


def test_a_new_row_knows_its_owners():
    table, seat = Table(pk=3), Seat(pk=4)
    event = rows.new(Event, table=table, seq=7, to=seat, game=None, kind="Rolled")
    assert (event.table, event.table_id, event.to, event.to_id) == (table, 3, seat, 4)
    assert (event.game, event.game_id, event.data, event.seq) == (None, None, {}, 7)


def test_rows_made_have_no_value_in_common():
    one, other = rows.new(Event), rows.new(Event)
    one.data["face"] = 3
    assert other.data == {}


@pytest.mark.skipif("connection.vendor != 'sqlite'", reason="only SQLite's are written anew")
@pytest.mark.parametrize(
    ("asked", "values", "found"),
    [
        ("SELECT %s + %s", (1, 2), 3),
        ("SELECT '50 %%' || %s", (" off",), "50 % off"),
        ("SELECT %(a)s", {"a": 5}, 5),
        ("SELECT 7", None, 7),
    ],
)
def test_a_statement_is_marked_as_django_marks_it(db, asked, values, found):
    with connection.cursor() as cursor:
        assert isinstance(cursor.cursor, Cursor)
        cursor.execute(asked, values)
        assert cursor.fetchone() == (found,)


def test_a_row_knows_its_owners_once_they_have_keys():
    """What belongs to a row that was not written yet is written with its key, not without."""
    table = Table()
    seat = rows.new(Seat, table=table, device=None)
    assert not rows.knows_its_owners(seat)
    table.pk = 7
    assert not rows.knows_its_owners(seat)
    rows.learn_owners(seat)
    assert (rows.knows_its_owners(seat), seat.table_id, seat.device_id) == (True, 7, None)


def test_a_copy_of_a_row_is_as_a_query_would_give_it():
    """What was worked out from a row and kept on it (`cached_property`) is of that row alone."""
    event = rows.new(Event, table=Table(pk=1), play=Play(pk=2), seq=3, kind="Rolled")
    event.__dict__["worked_out"] = "of the third"
    copy = rows.copy_of(event)
    assert "worked_out" not in copy.__dict__
    assert (copy.seq, copy.play_id, copy._state.fields_cache) == (3, 2, {})
    copy._state.fields_cache["play"] = None
    assert event.play.pk == 2


def test_whoever_is_to_be_told_of_statements_is_told(db):
    """They go to the database's library directly: not where somebody watches besides a play."""
    told = []

    def watches(execute, sql, params, many, context):
        told.append(sql)
        return execute(sql, params, many, context)

    with connection.execute_wrapper(watches):
        rows.first(Table, id=1)
    with connection.execute_wrapper(Touched()), connection.execute_wrapper(watches):
        rows.first(Table, id=1)
    assert len(told) == 2


def test_nobody_has_nothing(db):
    """A seat that no device holds is nobody's, and not the first of those."""
    assert rows.first(Seat, device_id=None) is None
