"""What happens on a sheet, in words."""

from __future__ import annotations

from collections.abc import Callable

from characters.sentences.words import ability_name
from games.grammar import and_list, number, unbroken
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice


def coins(data: Data) -> str:
    """Say which coins an event is about."""
    texts: tuple[tuple[str, Callable[[int], str]], ...] = (
        ("gold", lambda n: ngettext("%(count)s gold piece", "%(count)s gold pieces", n)),
        ("silver", lambda n: ngettext("%(count)s silver piece", "%(count)s silver pieces", n)),
        ("copper", lambda n: ngettext("%(count)s copper piece", "%(count)s copper pieces", n)),
    )
    said = [text(data[m]) % {"count": data[m]} for m, text in texts if data.get(m)]
    return and_list(said) if said else _("nothing")


def with_coins(text: Callable[[], str]) -> Telling:
    """A sentence with the event's coins in it."""
    return lambda d, n: text() % {**d, "coins": coins(d)}


def _purse(d: Data, n: Names) -> str:
    if any(d.get(metal) for metal in ("gold", "silver", "copper")):
        return _("%(name)s's purse holds %(coins)s now.") % {**d, "coins": coins(d)}
    return _("%(name)s's purse is empty now.") % d


def _edited(d: Data, n: Names) -> str:
    if d["before"] != d["name"]:
        return _("%(before)s is called %(name)s now.") % d
    return _("Something is written on %(name)s's sheet.") % d


def _hp(d: Data, n: Names) -> str:
    if d["by"] < 0:
        text = ngettext(
            "%(name)s loses a hit point: %(hp)s of %(max_hp)s.",
            "%(name)s loses %(by)s hit points: %(hp)s of %(max_hp)s.",
            -d["by"],
        )
    else:
        text = ngettext(
            "%(name)s regains a hit point: %(hp)s of %(max_hp)s.",
            "%(name)s regains %(by)s hit points: %(hp)s of %(max_hp)s.",
            d["by"],
        )
    return text % {**d, "by": abs(d["by"]), "hp": number(d["hp"])}


def _ability(d: Data, n: Names) -> str:
    gaps = {**d, "ability": ability_name(d["ability"]), "bonus": number(d["bonus"])}
    return _("%(name)s: the referee sets %(ability)s to %(bonus)s.") % gaps


def _overload(d: Data, n: Names) -> str:
    if d["on"]:
        return _("%(name)s may carry more than fits, by the referee's leave.") % d
    return _("%(name)s may carry what fits, and no more.") % d


def sum_of(d: Data) -> str:
    """Say a roll as it was added up: "14 + 1 = 15"."""
    more = d["total"] - d["natural"]
    if not more:
        return str(d["natural"])
    sign = "+" if more > 0 else "−"
    return unbroken(f"{d['natural']} {sign} {abs(more)} = {number(d['total'])}")


def _save(d: Data, n: Names) -> str:
    text = (
        _("%(name)s makes the %(ability)s save: %(sum)s, more than %(target)s.")
        if d["success"]
        else _("%(name)s fails the %(ability)s save: %(sum)s, not more than %(target)s.")
    )
    edge = {
        "advantage": " " + _("With advantage."),
        "disadvantage": " " + _("With disadvantage."),
    }.get(d.get("edge", ""), "")
    gaps = {**d, "ability": ability_name(d["ability"]), "sum": sum_of(d)}
    return text % gaps + edge + whose_dice(d)


def _level(d: Data, n: Names) -> str:
    gaps = {
        **d,
        "dice": f"{d['level']}d8",
        "sum": sum(d["faces"]),
        "abilities": and_list(list(map(ability_name, d["raised"]))),
    }
    text = _("%(name)s reaches level %(level)s: %(total)s hit points from %(dice)s.")
    if gaps["sum"] < d["total"]:
        text = _(
            "%(name)s reaches level %(level)s: %(dice)s came to only %(sum)s, "
            "so %(total)s hit points, one more than before."
        )
    text %= gaps
    if d["raised"]:
        text += (
            " " + ngettext("%(abilities)s rises.", "%(abilities)s rise.", len(d["raised"])) % gaps
        )
    return text + whose_dice(d)


def _level_set(d: Data, n: Names) -> str:
    text = ngettext(
        "%(name)s: the referee sets level %(level)s, %(xp)s experience, "
        "at most %(max_hp)s hit point.",
        "%(name)s: the referee sets level %(level)s, %(xp)s experience, "
        "at most %(max_hp)s hit points.",
        d["max_hp"],
    )
    return text % d


TELLINGS: dict[str, Telling] = {
    "knave_edited": _edited,
    "mark_chosen": lambda d, n: "",
    "portrait_kept": lambda d, n: "",
    "hp_changed": _hp,
    "ability_set": _ability,
    "level_set": _level_set,
    "overload_allowed": _overload,
    "coins_set": _purse,
    "coins_given": with_coins(lambda: _("%(name)s gives %(taker)s %(coins)s.")),
    "save_rolled": _save,
    "level_reached": _level,
}
