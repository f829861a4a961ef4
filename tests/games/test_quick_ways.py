"""What every tap goes through is quicker than the framework's own way, and comes to the same."""

from __future__ import annotations

import pytest
from django.db import connection
from hypothesis import given
from hypothesis import strategies as st
from markupsafe import Markup, escape

from config.jinja import shown
from config.sqlite3.base import Cursor
from games.models import Event, Game, Play, Seat, Table, rows

VALUES = st.one_of(
    st.text(), st.integers(), st.booleans(), st.none(), st.floats(), st.builds(Markup, st.text())
)


@given(VALUES)
def test_a_value_is_shown_as_markupsafe_escapes_it(value):
    assert shown(value) == escape(value)
    assert shown(value) == escape(value), "nor does it differ the second time"


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
