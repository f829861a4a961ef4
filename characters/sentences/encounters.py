"""What the host puts together out of sight, in words; only the host reads them."""

from __future__ import annotations

from characters.sentences.words import plain
from characters.services.foe_names import encounter_in_tongue, in_tongue
from games.grammar import and_list
from games.said import gettext as _
from games.sentences import Data, Names, Telling


def _added(d: Data, n: Names) -> str:
    return _("Put into %(encounter)s: %(names)s.") % {
        **d,
        "names": and_list([in_tongue(name) for name in d["names"]]),
    }


def _read(d: Data, n: Names) -> str:
    notes = [_(note["text"]) % note["params"] for note in d["notes"]]
    return " ".join([_("The stat line of %(name)s, converted.") % d, *notes])


def _done(d: Data, n: Names) -> str:
    return {
        "party": _("The party is done: the foes act now."),
        "foes": _("The foes are done: the party acts now."),
    }[d["side"]]


ENCOUNTERS = ("encounter_prepared", "encounter_dropped")


def _in_reader_tongue(kind: str, telling: Telling) -> Telling:
    """Let a sentence name encounters and the book's own foes in the reader's language."""
    named = encounter_in_tongue if kind in ENCOUNTERS else in_tongue

    def tell(data: Data, names: Names) -> str:
        told = dict(data)
        if "name" in data:
            told["name"] = named(data["name"])
        if "encounter" in data:
            told["encounter"] = encounter_in_tongue(data["encounter"])
        return telling(told, names)

    return tell


_TELLINGS: dict[str, Telling] = {
    "side_done": _done,
    "encounter_prepared": plain(lambda: _("%(name)s is being prepared.")),
    "encounter_dropped": plain(lambda: _("%(name)s is put away.")),
    "foes_added": _added,
    "foe_dropped": plain(lambda: _("Taken out of %(encounter)s: %(name)s.")),
    "leader_named": plain(lambda: _("%(name)s leads all of %(encounter)s.")),
    "leader_unnamed": plain(lambda: _("%(name)s leads nobody any more.")),
    "stat_line_read": _read,
}

TELLINGS = {kind: _in_reader_tongue(kind, telling) for kind, telling in _TELLINGS.items()}
