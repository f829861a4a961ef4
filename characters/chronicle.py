"""A fight as the records page tells it, from its log."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from characters.models import Party
from characters.services.foe_names import encounter_in_tongue, in_tongue
from games.models import Game, Table, rows
from games.sentences import tell
from games.stage import Chronicle
from games.stored import kept_setup

# What makes a story: who fell, who ran, and what broke.
STORY = {
    "FellUnconscious",
    "Died",
    "Woke",
    "Fled",
    "Turned",
    "ArmorBroken",
    "WeaponBroken",
    "knave_fell",
    "knave_died",
    "knave_woke",
    "Joined",
}
LONGEST_STORY = 12


def tell_fight(game: Game) -> Chronicle:
    """Tell a fight in a few sentences made from what happened and was not taken back."""
    setup = kept_setup(game)
    events = game.events.filter(to=None, play__undone=None).order_by("seq")
    told = [tell(e.kind, e.data, []) for e in events.filter(kind__in=STORY)]
    rounds = events.filter(kind="RoundBegun").count()
    if len(told) > LONGEST_STORY:
        told = [*told[:3], _("Much happened."), *told[3 - LONGEST_STORY :]]
    count = ngettext("It lasted %(count)s round.", "It lasted %(count)s rounds.", rounds)
    encounter = getattr(game, "encounter", None)
    return {
        "id": game.pk,
        "title": encounter_in_tongue(encounter.name) if encounter else _("A fight"),
        "at": (game.started_at or game.created_at).astimezone(),
        "names": [
            *(c.name or c.id for c in setup.party),
            *(in_tongue(c.name or c.id) for c in setup.foes),
        ],
        "winners": [],
        "is_called_off": False,
        "story": (*told, count % {"count": rounds}),
    }


def hides_figures(table: Table) -> bool:
    """Tell whether players are not to know what it takes to hit the foes: a record has it."""
    party = rows.first(Party, table_id=table.pk)  # none is begun by looking
    return party is not None and not party.settings.foes_shown
