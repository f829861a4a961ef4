"""A fight in words (KN-12 to KN-20)."""

from __future__ import annotations

from characters.sentences.words import ability_name, plain, said
from characters.services.fight_log import ROLES
from characters.services.foe_names import called, in_tongue
from games.grammar import and_list, number
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice
from games.text import as_sentence


def thing(name: str | dict[str, str]) -> str:
    """Return a thing's name, which an event holds in every language or only as it was written."""
    return said(name) if isinstance(name, dict) else name


def in_reader_tongue(telling: Telling) -> Telling:
    """Let a sentence name the book's own foes in the reader's language; knaves keep their names."""

    def tell(data: Data, names: Names) -> str:
        told = dict(data)
        for role in ROLES:
            who = data.get(role)
            if f"{role}_name" in data:
                told[f"{role}_name"] = called(who, data[f"{role}_name"])
            if f"{role}_names" in data:
                pairs = zip(data[role], data[f"{role}_names"], strict=True)
                told[f"{role}_names"] = [called(one, name) for one, name in pairs]
        if "foes" in data:
            told["foes"] = [in_tongue(name) for name in data["foes"]]
        if "side" in data and "name" in data:
            told["name"] = called(data["who"], data["name"])
        if data.get("cause"):
            told["cause"] = in_tongue(data["cause"])
        return telling(told, names)

    return tell


def _begun(d: Data, n: Names) -> str:
    return _("A fight begins: %(party)s against %(foes)s.") % {
        "party": and_list(d["party"]),
        "foes": and_list(d["foes"]),
    }


def _round(d: Data, n: Names) -> str:
    text = {
        "party": _("Round %(round)s: a %(face)s, and the party acts first."),
        "foes": _("Round %(round)s: a %(face)s, and the foes act first."),
    }[d["first"]]
    return text % d + whose_dice(d)


def _attacked(d: Data, n: Names) -> str:
    if d["rolled_by"] == "attacker":
        text = _("%(by_name)s rolls %(total)s and misses %(on_name)s.")
        if d["hit"]:
            text = _("%(by_name)s rolls %(total)s and hits %(on_name)s for %(damage)s.")
    else:
        text = _("%(on_name)s rolls %(total)s and turns %(by_name)s's blow aside.")
        if d["hit"]:
            text = _("%(on_name)s rolls %(total)s, and %(by_name)s hits for %(damage)s.")
    more = [
        text % {**d, "total": number(d["total"])},
        _("More than %(target)s was needed.") % d if d["target"] is not None else "",
    ]
    # Of a defender's natural 20 the fumble is the other's.
    fumble = _("A fumble!") if d["rolled_by"] == "attacker" else _("A fumble by %(by_name)s!") % d
    more += [_("A critical!") if d["critical"] else "", fumble if d["fumble"] else ""]
    return " ".join(filter(None, more)) + whose_dice(d)


def _damaged(d: Data, n: Names) -> str:
    if d["by"]:
        return ""
    text = ngettext(
        "%(on_name)s loses %(amount)s hit point.",
        "%(on_name)s loses %(amount)s hit points.",
        d["amount"],
    )
    return text % d


def _healed(d: Data, n: Names) -> str:
    text = ngettext(
        "%(on_name)s regains %(amount)s hit point.",
        "%(on_name)s regains %(amount)s hit points.",
        d["amount"],
    )
    return text % d


def _gear(d: Data) -> str:
    """Say which weapon or which piece of armor an event is about."""
    if "weapon" in d:
        return thing(d["weapon"]) or _("weapon")
    words = {"armor": _("armor"), "shield": _("shield"), "helmet": _("helmet")}
    return thing(d["item"]) if "item" in d else words[d["piece"]]


def _worn(d: Data, n: Names) -> str:
    return _("%(who)s's %(thing)s is damaged.") % {"who": d["who_name"], "thing": _gear(d)}


def _broken(d: Data, n: Names) -> str:
    return _("%(who)s's %(thing)s is destroyed!") % {"who": d["who_name"], "thing": _gear(d)}


def _stunted(d: Data, n: Names) -> str:
    text = _("%(by)s tries a stunt on %(on)s, %(ability)s against %(against)s: %(total)s, in vain.")
    if d["success"]:
        text = _("%(by)s's stunt on %(on)s, %(ability)s against %(against)s: %(total)s, it works!")
    told = {
        "by": d["by_name"],
        "on": d["on_name"],
        "ability": ability_name(d["ability"]),
        "against": ability_name(d["against"]),
        "total": number(d["total"]),
    }
    effect = as_sentence(d["effect"]) if d["effect"] else ""
    return " ".join(filter(None, (text % told, effect))) + whose_dice(d)


def _saved(d: Data, n: Names) -> str:
    told = {"by": d["by_name"], "ability": ability_name(d["ability"]), "total": number(d["total"])}
    if d.get("who_name") and d.get("against"):
        told |= {"who": d["who_name"], "against": ability_name(d["against"])}
        text = _("%(by)s saves against %(who)s, %(ability)s against %(against)s: %(total)s.")
        if not d["success"]:
            text = _("%(by)s fails against %(who)s, %(ability)s against %(against)s: %(total)s.")
        return text % told + whose_dice(d)
    text = _("%(by)s saves with %(ability)s: %(total)s.")
    if not d["success"]:
        text = _("%(by)s fails the %(ability)s save: %(total)s.")
    return text % told + whose_dice(d)


def _morale_due(d: Data, n: Names) -> str:
    return _("Do they hold? Roll morale for %(names)s.") % {"names": and_list(d["of_names"])}


def _morale(d: Data, n: Names) -> str:
    text = _("Morale: %(of_name)s holds, with %(total)s.")
    if not d["holds"]:
        text = _("Morale: %(of_name)s breaks, with %(total)s.")
    return text % d + whose_dice(d)


def _ended(d: Data, n: Names) -> str:
    if d["is_won"]:
        return _("The fight is won. Still standing: %(names)s.") % {
            "names": and_list(d["standing_names"])
        }
    return _("The fight is over.")


def _died(d: Data, n: Names) -> str:
    if d.get("cause"):
        # The host may have typed a whole sentence.
        return _("%(name)s is dead: %(cause)s.") % {**d, "cause": d["cause"].rstrip(". ")}
    return _("%(name)s is dead.") % d


def _turned(d: Data, n: Names) -> str:
    if d["side"] == "party":
        return _("%(who_name)s comes over to the party.") % d
    return _("%(who_name)s goes over to the foes.") % d


_TELLINGS: dict[str, Telling] = {
    "fight_begun": _begun,
    "RoundBegun": _round,
    "Attacked": _attacked,
    "Damaged": _damaged,
    "Mended": _healed,
    "ArmorWorn": _worn,
    "ArmorBroken": _broken,
    "WeaponWorn": _worn,
    "WeaponBroken": _broken,
    "FellUnconscious": plain(lambda: _("%(who_name)s goes down.")),
    "Died": plain(lambda: _("%(who_name)s is dead.")),
    "Woke": plain(lambda: _("%(who_name)s is up again.")),
    "Stunted": _stunted,
    "Saved": _saved,
    "SpellCast": plain(lambda: _("%(by_name)s reads aloud: %(spell)s.")),
    "MoraleDue": _morale_due,
    "MoraleRolled": _morale,
    "Fled": plain(lambda: _("%(who_name)s flees.")),
    "Turned": _turned,
    "Engaged": plain(lambda: _("%(by_name)s closes with %(on_name)s.")),
    "Disengaged": plain(lambda: _("%(by_name)s gets clear of the melee.")),
    "Joined": plain(lambda: _("%(name)s joins the fight.")),
    "Ended": _ended,
    # what becomes of a sheet, in a fight or out of it
    "knave_fell": plain(lambda: _("%(name)s falls unconscious.")),
    "knave_woke": plain(lambda: _("%(name)s comes round.")),
    "knave_died": _died,
}

TELLINGS = {kind: in_reader_tongue(telling) for kind, telling in _TELLINGS.items()}
