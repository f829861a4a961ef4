"""The table's own special numbers (BK-25): written, switched on and off, taken out."""

from __future__ import annotations

import re

import msgspec
from django.utils.translation import gettext as _

from games import actions
from games.complaints import complaint_of
from games.errors import Malformed, MovedOn
from games.models import HouseRule
from games.rules import brave_or_knave as bk
from games.rules.engine import IllegalAction
from games.rules.records import ToldTwice, check_told_once
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.refusing import reason_of
from games.text import clean_name

MOST_RULES = 20
_MARKS = re.compile(r"^[!¡\s]+|(?<![?.…!\s])[!\s]+$")


def read_house_rule(text: str) -> bk.HouseRule:
    """Read a house rule from JSON that anybody may have written.

    Raises Malformed with what is wrong, in words.
    """
    try:
        check_told_once(text)
        rule = msgspec.json.decode(text, type=bk.HouseRule)
    except msgspec.ValidationError as error:
        raise _no_rule(_place_of(error)) from error
    except ToldTwice as twice:
        text = _("“%(what)s” stands here twice") % {"what": twice.field}
        raise Malformed(f"{text}.", field="rule") from twice
    except (ValueError, RecursionError) as error:
        raise _no_rule() from error
    rule = msgspec.structs.replace(
        rule,
        name=clean_name(rule.name, field="name", longest=40),
        # The screens cry it out with marks of their own, but for one that ends as "Who?!".
        cry=clean_name(_MARKS.sub("", rule.cry), field="cry", longest=40),
    )
    try:
        bk.check_house_rule(rule)
    except IllegalAction as refusal:
        raise Malformed(reason_of(refusal), field="rule") from refusal
    return rule


def _no_rule(place: str = "") -> Malformed:
    text = (
        _("That is not a house rule: “%(field)s” is missing, unknown, or not one of the choices.")
        if place
        else _("That is not a house rule: bring the whole text, as it was shared.")
    )
    return Malformed(text % {"field": place}, field="rule")


def _place_of(error: msgspec.ValidationError) -> str:
    """Return where in a rule a decoder's complaint is."""
    _what, way, field = complaint_of(error)
    return ".".join(filter(None, (way.removeprefix("."), field)))


@deed(actions.AddHouseRule)
def add_house_rule(change: Change, action: actions.AddHouseRule, tap: Tap) -> None:
    """Write down a house rule (BK-25). Raises Malformed, with the place, for one that is none."""
    rule = read_house_rule(action.rule)
    if change.table.house_rules.count() >= MOST_RULES:
        raise MovedOn(_("Twenty house rules are enough for one table: take one out first."))
    kept = HouseRule.objects.create(table=change.table, rule=msgspec.to_builtins(rule))
    change.log("house_rule_added", name=rule.name, number=rule.number)
    change.answer["rule"] = kept.pk


@deed(actions.SwitchHouseRule)
def switch_house_rule(change: Change, action: actions.SwitchHouseRule, tap: Tap) -> None:
    """Use a house rule from the next bout on, or do without it."""
    kept = _rule(change, action.rule)
    kept.is_on = action.on
    kept.save(update_fields=["is_on"])
    change.log("house_rule_switched", name=kept.rule["name"], on=action.on)


@deed(actions.DropHouseRule)
def drop_house_rule(change: Change, action: actions.DropHouseRule, tap: Tap) -> None:
    """Take a house rule out of the table's book. Raises MovedOn for one not in it."""
    kept = _rule(change, action.rule)
    change.log("house_rule_dropped", name=kept.rule["name"])
    kept.delete()


def _rule(change: Change, key: int) -> HouseRule:
    kept = change.table.house_rules.filter(pk=key).first()
    if kept is None:
        raise MovedOn(_("That house rule is not in this table's book."))
    return kept
