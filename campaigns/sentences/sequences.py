"""Action sequences in words: dice, moves and answers, what was settled (WA-39 to WA-80)."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from campaigns.sentences.campaign import plain
from campaigns.words import changed_dice, dice_names, die_name, form_name, pair_name, quoted
from games.grammar import and_list, drawn_together
from games.said import gettext as _
from games.said import ngettext
from games.sentences import Data, Names, Telling, whose_dice


def _with_words(sentence: str, says: str) -> str:
    """Put what was said behind a sentence."""
    return f"{sentence} {quoted(says)}" if says else sentence


def _begun(d: Data, n: Names) -> str:
    text = _("%(name)s: %(act)s. In the way: %(others)s.") % {
        "name": d["name"],
        "act": d["act"].rstrip("."),
        "others": and_list(d["others"]),
    }
    return " ".join((text, _("Only far-reaching strengths can."))) if d["is_far"] else text


def _taken(d: Data, n: Names) -> str:
    taken = [*map(form_name, d["forms"]), *d["strengths"]]
    return _("%(name)s takes up %(dice)s: %(forms)s.") % {
        "name": d["name"],
        "forms": and_list(taken),
        "dice": dice_names(d["dice"]),
    }


def _bought(d: Data, n: Names) -> str:
    if d["struck"] == d["name"]:
        return _("%(name)s is struck from the owe list for an advantage die.") % d
    return _("%(struck)s is struck from the owe list for an advantage die for %(name)s.") % d


def _fell(d: Data, n: Names) -> str:
    text = {
        "order": _("%(name)s rolls %(dice)s."),
        "tie": _("%(name)s rolls again, and it is %(dice)s now."),
        "move": _("%(name)s's turn, a new roll: %(dice)s."),
        "answer": _("%(name)s answers with %(dice)s."),
    }[d["purpose"]]
    dice = ", ".join(str(face) for _source, _sides, face in ranked(d["dice"]))
    if d["pips"]:
        pips = {"faces": dice, "pips": ", ".join(map(str, d["pips"])), "total": d["total"]}
        dice = _("%(faces)s with pips %(pips)s, %(total)s in all") % pips
    count = 1 if d["purpose"] == "tie" else len(d["dice"]) + len(d["pips"])
    return text % {"name": d["name"], "dice": dice} + whose_dice(d, count)


def ranked(dice: Iterable[list[Any]]) -> list[list[Any]]:
    """Return dice as they are read: the highest first (WA-46)."""
    return sorted(dice, key=lambda die: -die[2])


def _moved(d: Data, n: Names) -> str:
    text = _("%(name)s moves, and nobody has to answer.")
    if d["others"]:
        text = _("%(name)s moves against %(others)s.")
    said = text % {"name": d["name"], "others": and_list(d["others"])}
    return _with_words(said, d["says"])


def _let_pass(d: Data, n: Names) -> str:
    return _with_words(_("%(name)s lets it happen.") % d, d["says"])


def _stepped_in(d: Data, n: Names) -> str:
    return _with_words(_("%(name)s steps in.") % d, d["says"])


def _met(d: Data, n: Names) -> str:
    text = {
        "wins_absolutely": _(
            "%(answer)s against %(standing)s: %(name)s wins outright against %(mover)s."
        ),
        "wins_advantage": _(
            "%(answer)s against %(standing)s: %(name)s holds, with the advantage over %(mover)s."
        ),
        "loses_advantage": _(
            "%(answer)s against %(standing)s: %(mover)s has the advantage over %(name)s."
        ),
        "loses_absolutely": _(
            "%(answer)s against %(standing)s: %(name)s loses outright to %(mover)s."
        ),
    }[d["result"]]
    return text % d


def _harmed(d: Data, n: Names) -> str:
    text = {
        "exhausted": _("%(winner)s leaves %(name)s exhausted."),
        "injured": _("%(winner)s leaves %(name)s injured."),
    }[d["how"]]
    return " ".join(filter(None, (text % d, _losses(d))))


def _losses(d: Data) -> str:
    """Say which dice are smaller now: "directly d10 → d8"."""
    lost = [
        changed_dice(one["form"], pair_name(one["before"]), pair_name(one["after"]))
        for one in d["lost"]
    ]
    text = f"({and_list(lost)})" if lost else ""
    if not d["consequential"]:
        return text
    felt = ngettext(
        "%(strengths)s strikes home.", "%(strengths)s strike home.", len(d["consequential"])
    )
    return f"{text} {felt % {'strengths': and_list(d['consequential'])}}".strip()


def _agreed(d: Data, n: Names) -> str:
    text = _("%(winner)s and %(name)s agree: %(terms)s.")
    said = text % {**d, "terms": terms_in_words(d["terms"], d["name"])}
    return " ".join(filter(None, (said, _losses(d))))


def terms_in_words(terms: Iterable[dict[str, Any]], loser: str, leave: Iterable[str] = ()) -> str:
    """Put terms into words; `loser` gives, `leave` go their way (WA-70, WA-74)."""
    said = [drawn_together(_term(term, loser), loser) for term in terms]
    gone = and_list(list(leave))
    said += [_("%(names)s may go") % {"names": gone}] if gone else []
    return "; ".join(said) or _("nothing more happens")


def _term(term: dict[str, Any], loser: str) -> str:
    if "form" in term:
        given = {"loser": loser, "form": form_name(term["form"])}
        if term.get("die"):
            given |= {"die": die_name(term["die"])}
            return _("%(loser)s loses a size off the %(die)s, %(form)s") % given
        return _("%(loser)s loses a die size, %(form)s") % given
    if "strength" in term:
        return _("%(loser)s loses %(strength)s") % {"loser": loser, **term}
    if "state" in term:
        return {
            "dead": _("%(loser)s is dead"),
            "captive": _("%(loser)s is a captive"),
            "absent": _("%(loser)s goes away"),
        }[term["state"]] % {"loser": loser}
    if "hit" in term:
        given = {"loser": loser, "die": die_name(term["hit"])}
        return _("the strength takes a size off the %(die)s of %(loser)s") % given
    if "waive" in term:
        return _("what the strength would take is spared")
    return quoted(term["says"])


def _offered(d: Data, n: Names) -> str:
    terms = terms_in_words(d["terms"], d["loser"], d["leave"])
    return _("%(name)s offers %(other)s: %(terms)s.") % {**d, "terms": terms}


def _broken_off(d: Data, n: Names) -> str:
    if d["is_between"]:
        return _("%(name)s breaks off talking with %(other)s: the dice decide.") % d
    return _("%(name)s breaks off talking with %(other)s: exhausted or injured.") % d


def _round_closed(d: Data, n: Names) -> str:
    text = _("Round %(round)s is over.") % d
    held = [_("%(holder)s over %(over)s") % {"holder": h, "over": o} for h, o in d["advantage"]]
    if not held:
        return text
    return " ".join((text, _("Advantage: %(held)s.") % {"held": and_list(held)}))


def _ended(d: Data, n: Names) -> str:
    if not d["names"]:
        return _("The dice are put away.")
    return _("The dice are put away. In it to the end: %(names)s.") % {
        "names": and_list(d["names"])
    }


def _end_agreed(d: Data, n: Names) -> str:
    if d["on"]:
        return _("%(name)s has nothing against the others any more.") % d
    return _("%(name)s is not done with the others after all.") % d


def _held(d: Data, n: Names) -> str:
    text = _("Those dice wait: %(act)s.") if d["on"] else _("Back to the dice: %(act)s.")
    return text % {"act": d["act"].rstrip(".")}


TELLINGS: dict[str, Telling] = {
    "sequence_begun": _begun,
    "forms_taken": _taken,
    "round_opened": plain(lambda: _("Round %(round)s.")),
    "die_bought": _bought,
    "dice_fell": _fell,
    "top_tied": plain(lambda: _("The same at the top: %(all)s. Back away, or fight on?")),
    "tie_pressed": plain(lambda: _("%(name)s presses on.")),
    "backing_offered": plain(lambda: _("%(name)s would back away.")),
    "backed_away": plain(lambda: _("%(all)s back away from each other, unharmed.")),
    "lots_decided": plain(lambda: _("Lots decide who is first: %(all)s.")),
    "turns_ordered": plain(lambda: _("In this order: %(all)s.")),
    "move_made": _moved,
    "stepped_in": _stepped_in,
    "move_let_pass": _let_pass,
    "move_forfeited": plain(lambda: _("%(name)s has answered, and so has no move this round.")),
    "answer_met": _met,
    "harm_settled": _harmed,
    "terms_settled": _agreed,
    "terms_offered": _offered,
    "offer_refused": plain(lambda: _("%(name)s says no to %(other)s.")),
    "offer_withdrawn": plain(lambda: _("%(name)s takes the offer to %(other)s back.")),
    "talk_broken_off": _broken_off,
    "character_out": plain(lambda: _("%(name)s is out for the rest of this chapter.")),
    "sequence_left": plain(lambda: _("%(name)s is not in it any more.")),
    "sequence_joined": plain(lambda: _("%(name)s comes into it.")),
    "name_owed": plain(lambda: _("We owe %(name)s: written at the end of the list.")),
    "round_closed": _round_closed,
    "end_agreed": _end_agreed,
    "sequence_held": _held,
    "sequence_ended": _ended,
    "sequence_called_off": plain(lambda: _("The GM takes those dice off the table: %(act)s.")),
}
