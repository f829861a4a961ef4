"""Rows written so that an undo can set them back: what each was before and after a play.

A play's ledger is a list of `[model, key, before, after]`: `before` is null for a row that was
made, `after` for one that was deleted; otherwise they hold the changed fields. A long text stands
in `after` as its digest, since it is only compared. An entry whose `before` and `after` are equal
changed nothing: it marks a row, or fields of it, that the play depends on (`lean`), so that taking
those back takes the play back too.
"""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, partial
from itertools import islice
from typing import Any, Protocol, TypeVar

import msgspec
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.db.models.functions import Cast

from games.models import Play, Undone
from games.models import rows as statements
from games.models.undoable import Undoable
from games.services.change import Change

# From more letters than this on a text is noted by its digest.
LONG = 300


class HasLedger(Protocol):
    """A play: its row, or what is kept of it (`NotedPlay`)."""

    @property
    def ledger(self) -> Any: ...


@dataclass(frozen=True)
class NotedPlay:
    """What is kept of a play: as much as `hanging_on` asks of it."""

    pk: int
    ledger: Any


Moved = TypeVar("Moved", bound=HasLedger)


def keep(change: Change, *rows: Undoable) -> None:
    """Save rows, new or changed, and note in the play's ledger what was there before."""
    for row in rows:
        if not statements.knows_its_owners(row):
            # As `save` does: a row it belongs to may have had no key when it was assigned.
            row._prepare_related_fields_for_save("save")  # type: ignore[attr-defined]
        if row.pk is None:
            statements.insert(row)
            change.ledger.append([row._meta.label, row.pk, None, _values(row)])
        else:
            _update(change, row)
        row.was = _raw(row)


def _update(change: Change, row: Undoable) -> None:
    now = _raw(row)
    changed = [name for name, value in now.items() if row.was.get(name) != value]
    if not changed:
        return
    before = {n: _plain(row.was.get(n)) for n in changed}
    statements.update(row, changed)
    after = {n: _short(_plain(now[n])) for n in changed}
    change.ledger.append([row._meta.label, row.pk, before, after])


def drop(change: Change, row: Undoable) -> None:
    """Delete a row; the ledger keeps all of it, as it was read."""
    read = {name: _plain(value) for name, value in row.was.items()}
    change.ledger.append([row._meta.label, row.pk, {**_values(row), **read}, None])
    row.delete()


def lean(change: Change, row: Undoable, *fields: str) -> None:
    """Note that what this play writes follows from a row, even if it does not point to it.

    Taking that row back then takes this play back as well. With `fields` named, so does setting one
    of those back.
    """
    seen = {name: _plain(row.was.get(name)) for name in fields}
    change.ledger.append([row._meta.label, row.pk, seen, seen])


def chain_of(play: Play, *, most: int | None = None) -> list[Play]:
    """Return a play and the later ones that depend on it, in order; of these the first `most`."""
    later = play.table.plays.filter(pk__gt=play.pk, undone=None).exclude(ledger=None)
    # As texts: to make a row of each of twenty thousand takes longer than all that is asked of it.
    texts = later.order_by("pk").values_list("pk", Cast("ledger", models.TextField()))
    noted = (NotedPlay(key, msgspec.json.decode(text)) for key, text in texts.iterator())
    keys = [one.pk for one in islice(hanging_on(play, noted), most)]
    found = play.table.plays.in_bulk(keys)
    return [play, *(found[key] for key in keys)]


def hanging_on(play: HasLedger, later: Iterable[Moved]) -> Iterator[Moved]:
    """Yield those of the later plays that depend on one, or on another that does.

    A later play depends on an earlier one where it
    - changed or read (`lean`) the same fields of the same row;
    - made a row that points to one the earlier play made, which would be deleted along with it;
    - took a unique place that the earlier one freed or filled, such as a chapter's number;
    - deleted a row to which one that comes back would point.
    """
    touched, made, needed = _touched(play), _made(play), _pointed_back_at(play)
    for one in later:
        theirs = _touched(one)
        if (
            not touched.isdisjoint(theirs)
            or (made and not made.isdisjoint(_leans_on(one)))
            or (needed and not needed.isdisjoint(_gone(one)))
        ):
            yield one
            touched |= theirs
            made |= _made(one)
            needed |= _pointed_back_at(one)


def take_back(change: Change, chain: list[Play]) -> None:
    """Set back what these plays changed, the newest first, and mark them as undone."""
    keys: dict[str, set[int]] = defaultdict(set)
    for play in reversed(chain):
        assert play.ledger is not None  # `Play.can_undo`
        for label, key, before, after in reversed(play.ledger):
            _set_back(label, key, before, after)
            keys[label].add(key)
        change.after_log.append(partial(Undone.objects.create, play=play, by=change.play))
    for label, touched in keys.items():
        apps.get_model(label).put_right(touched)


def _set_back(label: str, key: int, before: dict[str, Any] | None, after: Any) -> None:
    model = apps.get_model(label)
    if before is None:
        model._default_manager.filter(pk=key).delete()
    elif after is None:
        model(**_read(model, before)).save(force_insert=True)
    elif before != after:
        row = statements.new(model, **_read(model, before))
        row.pk = key
        statements.update(row, before)


def _touched(play: HasLedger) -> set[tuple[str, Any, str]]:
    """Return which fields of which rows a play changed; of a row made or deleted, all of them.

    Such a row's unique places (`_places`) count as well.
    """
    found: set[tuple[str, Any, str]] = set()
    for label, key, before, after in play.ledger or []:
        found |= {(label, key, name) for name in (before if after is None else after)}
        if before is None or after is None:
            found |= _places(label, before or after)
    return found


def _places(label: str, row: dict[str, Any]) -> set[tuple[str, Any, str]]:
    """Return what only one row can have at a time, such as being chapter 3 of a campaign."""
    return {
        (label, tuple(row.get(name) for name in names), place) for place, names in _unique_of(label)
    }


@cache
def _unique_of(label: str) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return a model's unique places, each with the fields that make it."""
    meta = apps.get_model(label)._meta
    return tuple(
        (one.name, tuple(meta.get_field(name).attname for name in one.fields))
        for one in meta.total_unique_constraints
    )


def _made(play: HasLedger) -> set[tuple[str, int]]:
    """Return the rows that a play made."""
    return {(label, key) for label, key, before, _after in play.ledger or [] if before is None}


def _gone(play: HasLedger) -> set[tuple[str, int]]:
    """Return the rows that a play took away."""
    return {(label, key) for label, key, _before, after in play.ledger or [] if after is None}


def _leans_on(play: HasLedger) -> set[tuple[str, int]]:
    """Return the rows that a play's rows point to (a pile that a thing went to) or follow from."""
    found: set[tuple[str, int]] = set()
    for label, key, before, after in play.ledger or []:
        if before == after:
            found.add((label, key))
        found.update(_pointed_at(label, after))
    return found


def _pointed_back_at(play: HasLedger) -> set[tuple[str, int]]:
    """Return the rows that this play's rows would point to again if it were taken back."""
    return set().union(*(_pointed_at(label, before) for label, _, before, _ in play.ledger or []))


def _pointed_at(label: str, values: dict[str, Any] | None) -> Iterator[tuple[str, int]]:
    """Yield the rows to which a row with these values points."""
    if not values:
        return
    for name, owner in _owners_of(label):
        if (other := values.get(name)) is not None:
            yield owner, other


@cache
def _owners_of(label: str) -> tuple[tuple[str, str], ...]:
    """Return a model's fields that point to other rows, each with the model that it points to."""
    fields = apps.get_model(label)._meta.concrete_fields
    return tuple((f.attname, f.related_model._meta.label) for f in fields if f.related_model)


def _raw(row: models.Model) -> dict[str, Any]:
    here = row.__dict__
    return {name: here[name] for name in _noted(type(row)) if name in here}


@cache
def _noted(model: type[models.Model]) -> tuple[str, ...]:
    """Return the fields that a ledger notes: all but pictures."""
    fields = model._meta.concrete_fields
    return tuple(f.attname for f in fields if not isinstance(f, models.BinaryField))


def _values(row: models.Model) -> dict[str, Any]:
    return {name: _plain(value) for name, value in _raw(row).items()}


def _plain(value: Any) -> Any:
    """Return a value as it comes back out of JSON."""
    # Most fields are numbers and short texts, which JSON leaves as they are.
    if value is None or type(value) in (int, bool, str):
        return value
    if isinstance(value, dict | list):
        return msgspec.json.decode(msgspec.json.encode(value))
    return json.loads(json.dumps(value, cls=DjangoJSONEncoder))


def _short(value: Any) -> Any:
    is_long = isinstance(value, str) and len(value) > LONG
    return hashlib.sha256(value.encode()).hexdigest() if is_long else value


def _read(model: type[models.Model], values: dict[str, Any]) -> dict[str, Any]:
    fields = {f.attname: f for f in model._meta.concrete_fields}
    return {
        name: value if isinstance(fields[name], models.JSONField) else fields[name].to_python(value)
        for name, value in values.items()
    }
