"""What is answered to a tap that was done before: what it was told then, if it is the same tap."""

from __future__ import annotations

import msgspec
from django.utils.translation import gettext as _

from games.errors import MovedOn
from games.models import Event, Play, Table
from games.rules.engine import Action

# Deeds keep these in place of what was asked for: a shout with its moment, who got up with the
# bout's own word for it. By them nobody can tell what was sent.
WRITTEN_ANEW = frozenset(("shout", "deal", "leave", "undo"))


def check_same(done: Play, action: Action) -> None:
    """Raise MovedOn where an action comes with the id of a tap by which another one was done.

    Answered as a repeat it would be taken for done. Fields are compared that both have: deeds add
    what came of it, and a release may add or drop one.
    """
    asked = msgspec.json.decode(msgspec.json.encode(action))
    kept = done.action
    if kept.get("action") in WRITTEN_ANEW:
        return
    if any(kept[name] != asked[name] for name in kept.keys() & asked.keys()):
        text = _("Something else was done already by a tap of this id. Send it with a new one.")
        raise MovedOn(text, field="tap")


def newest_of(done: Play, table: Table) -> int:
    """Return the log's newest number as it was when this play was done."""
    later = Event.objects.filter(table=table, seq__gte=done.seq).exclude(play=done)
    after = later.order_by("seq").values_list("seq", flat=True).first()
    return table.seq if after is None else after - 1
