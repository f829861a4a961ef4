"""Bringing a campaign's rows to a table: all of them in one write.

They bypass the play's ledger (decision 15): an import is a whole campaign that was not there
before, and is put aside rather than undone. Only which campaign is in front goes through the
ledger.
"""

from __future__ import annotations

from collections.abc import Iterable

from django.db.models import Model

from campaigns.models import Campaign, Member, OwnOracle
from campaigns.services.file_rows import Rows
from campaigns.services.oracles import OWN
from campaigns.services.people import seats_of_people
from games.models import ContentLine, Table, rows
from games.text import folded


def bring_in(table: Table, made: Rows) -> Campaign:
    """Write the rows of a campaign, which waits behind the one in front.

    Members are linked to the seats here that bear their names. Must run inside
    a change. On SQLite everybody else's writes wait for it, so the rows are
    made before.
    """
    _come_to(table, made)
    _write(
        [made.campaign],
        made.member.values(),
        made.character.values(),
        made.strength.values(),
        made.holdings,
        made.chapter.values(),
        made.elements,
        made.parts,
        made.interests,
        made.cast,
        made.scenes,
        made.games,
        made.sequence.values(),
        made.offers,
        made.moments,
        made.owed,
    )
    for row, field, other in made.pointing_back():
        setattr(row, field, other)
        rows.update(row, [f"{field}_id"])
    _keep_out_of_play(table, made)
    return made.campaign


def _write(*lists: Iterable[Model]) -> None:
    """Write lists of rows, in an order in which each points only to rows of earlier lists."""
    for those in lists:
        listed = list(those)
        for row in listed:
            rows.learn_owners(row)
        rows.insert(*listed)


def _come_to(table: Table, made: Rows) -> None:
    """Link the rows to the table that they come to: its seats, its oracles and its log."""
    made.campaign.table = table
    free = {folded(seat.name): seat for seat in seats_of_people(table)}
    for member in made.member.values():
        member.seat = free.pop(folded(member.name), None)
    _one_gm(list(made.member.values()))
    named = {f"{OWN}{number}": _oracle(table, row) for number, row in made.oracle.items()}
    for chapter in made.chapter.values():
        chapter.oracle = named.get(chapter.oracle, chapter.oracle)
    for game in made.games:
        # The scene begins anew here: no phone of this table has seen the earlier one.
        game.table, game.scene = table, table.seq + 1


def _one_gm(members: list[Member]) -> None:
    """Leave one GM (WA-1): who hosts this table, or else the first whom the file names.

    Nobody else is a GM, and whoever was one and has no seat here is not here for the chapter.
    Who hosts has not left the campaign, whatever it was elsewhere (WA-105).
    """
    hosts = [one for one in members if one.seat is not None and one.seat.is_gm]
    named = [one for one in members if one.seat is None and one.is_gm]
    gm = next(iter(hosts + named), None)
    for one in members:
        if one.is_gm and one is not gm:
            one.is_away = one.is_away or one.seat is None
        one.is_gm = one is gm
        one.has_left = one.has_left and one not in hosts


def _oracle(table: Table, row: OwnOracle) -> str:
    """Return an oracle's id at this table; one that is here already, word for word, is used."""
    words = (row.title, row.blurb, row.entries)
    same = [o for o in table.oracles.all() if (o.title, o.blurb, o.entries) == words]
    if not same:
        row.table = table
        _write([row])
    return f"{OWN}{(same or [row])[0].pk}"


def _keep_out_of_play(table: Table, made: Rows) -> None:
    """Add the content lines that the file has, and this table does not.

    Of a topic that both have, what asks for more stands (WA-4).
    """
    here = {folded(one.text): one for one in table.content_lines.all()}
    new = []
    for row in made.content_lines:
        line = here.setdefault(folded(row.text), row)
        if line is row:
            row.table = table
            new.append(row)
        elif row.kind == ContentLine.Kind.LINE and line.kind != row.kind:
            line.kind = row.kind
            rows.update(line, ["kind"])
    _write(new)
