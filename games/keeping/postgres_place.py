"""The place of the house at a PostgreSQL server: that the house and its backups can be kept there.

What `place` is for a file. Where the house is a file these say nothing.
"""

from __future__ import annotations

from django.db import connection
from django.utils.translation import gettext as _

from games.keeping import KeepingError
from games.keeping.postgres import answer


def refuse_elsewhere() -> None:
    """Raise KeepingError where new tables would stand in another schema than `public`.

    An address, a role or a schema named as its user may say so. Backups and restores know no other:
    they would be whole, proved, and without a row of the house.
    """
    if connection.vendor != "postgresql":
        return
    here, user = answer("SELECT current_schema(), current_user")
    if here != "public":
        where = _("the schema %(name)s") % {"name": here} if here else _("no schema at all")
        text = _(
            "At this server %(user)s would keep the house in %(where)s, and Taproom's backups know "
            "only public. Name none in TAPROOM_DATABASE, let this user write to public and %(sql)s."
        )
        sql = f'ALTER ROLE "{user}" SET search_path = public'
        raise KeepingError(text % {"user": user, "where": where, "sql": sql})


def refuse_unwritable() -> None:
    """Raise KeepingError where this user may make no table: since PostgreSQL 15 only owners may."""
    if connection.vendor != "postgresql":
        return
    may, user = answer("SELECT has_schema_privilege('public', 'CREATE'), current_user")
    if not may:
        text = _(
            "At this server %(user)s may make no tables. Let its administrator say, in this "
            "database: %(sql)s, or make it the owner."
        )
        sql = f'GRANT CREATE ON SCHEMA public TO "{user}"'
        raise KeepingError(text % {"user": user, "sql": sql})


def refuse_borrowed() -> None:
    """Raise KeepingError where this user may make tables in `public`, and not give it another name.

    A house lives and is backed up there for years. Whoever then restored it was told that somebody
    must own something.
    """
    if connection.vendor != "postgresql":
        return
    may, name, user = answer(
        "SELECT pg_has_role(nspowner, 'USAGE')"
        " AND has_database_privilege(current_database(), 'CREATE'),"
        " quote_ident(current_database()), quote_ident(current_user)"
        " FROM pg_namespace WHERE nspname = 'public'"
    )
    if not may:
        text = _(
            "At this server %(user)s may not put the house aside. Let its administrator say, in "
            "this database: %(sql)s"
        )
        sql = f"ALTER SCHEMA public OWNER TO {user}; GRANT CREATE ON DATABASE {name} TO {user};"
        raise KeepingError(text % {"user": user, "sql": sql})


def refuse_other_letters() -> None:
    """Raise KeepingError where the database cannot keep every letter that a name may have.

    A server set up without a language makes such databases. Migrations ended in a traceback there,
    or the house opened and answered 500 to a name.
    """
    if connection.vendor != "postgresql":
        return
    name, user, encoding = answer(
        "SELECT current_database(), current_user, current_setting('server_encoding')"
    )
    if encoding != "UTF8":
        text = _(
            "The database %(name)s has the encoding %(encoding)s, which cannot keep every letter "
            "of people's names. Drop it and make it anew, as PostgreSQL's administrator: "
            "%(command)s"
        )
        anew = f"--owner {user} --template template0 --encoding UTF8 --locale C.UTF-8 {name}"
        told = {"name": name, "encoding": encoding, "command": f"createdb {anew}"}
        raise KeepingError(text % told)
