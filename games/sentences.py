"""The log in words: one sentence an event, in the active language.

The same sentences are the log on every phone, what a screen reader says, and
the story of a bout in the records.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from games.grammar import and_list, cried, in_one_sentence, quoted_again, stopped_once
from games.said import gettext as _
from games.said import ngettext
from games.seat_names import screen_name, shown_name
from games.stage import STAGES
from games.text import all_set_apart

Data = dict[str, Any]
Names = Sequence[str]
Telling = Callable[[Data, Names], str]

LONG: set[str] = set()
"""Kinds of event whose sentence fills a phone's screen: a receipt beside a button leaves it out."""


def tell(kind: str, data: Data, names: Names) -> str:
    """Return the sentence for an event, or nothing for one that needs no words.

    `names` are the guild names by seat index of the bout it belongs to. Words that people typed
    keep their own direction in it.
    """
    telling = TELLINGS.get(kind)
    if telling is None:
        return ""
    apart = all_set_apart(data)
    return stopped_once(in_one_sentence(telling(apart, all_set_apart(names)), apart))


def add_tellings(tellings: dict[str, Telling]) -> None:
    """Add the sentences of an app above. Raises ValueError for a kind that is told already."""
    twice = set(tellings) & set(TELLINGS)
    if twice:
        raise ValueError(f"told twice: {', '.join(sorted(twice))}")
    TELLINGS.update(tellings)


def call_word(call: str) -> str:
    """Return the word that is shouted."""
    return {"brave": _("BRAVE"), "knave": _("KNAVE"), "heal": _("HEAL")}.get(call, call)


def finger_name(which: str) -> str:
    """Return what a finger is called, by the rules' word for it."""
    return {
        "thumb": _("thumb"),
        "index": _("index finger"),
        "middle": _("middle finger"),
        "ring": _("ring finger"),
        "little": _("little finger"),
    }[which]


def setting_name(setting: str) -> str:
    """Return what a setting is called in the log."""
    return {
        "dice": _("dice"),
        "shouting": _("shouting"),
        "knock_pace_ms": _("knocks"),
        "unison_ms": _("how close is one breath"),
        "shows_odds": _("showing the odds"),
        "has_shroud": _("the Witchrest Shroud"),
        "has_nine_sisters": _("the Nine Sisters"),
    }[setting]


def setting_value(setting: str, value: str | int | bool) -> str:
    """Return what a setting's choice is called, as its chip has it."""
    if setting in {"has_shroud", "has_nine_sisters"}:
        return _("On") if value else _("Off")
    if setting == "shows_odds":
        return _("Yes") if value else _("No")
    if setting == "unison_ms":
        return _("%(count)s ms") % {"count": value}
    return {
        "either": _("Either"),
        "server": _("The app's"),
        "real": _("Real ones"),
        "phones": _("On the phones"),
        "mouth": _("By mouth"),
        0: _("By hand"),
        1000: _("Every second"),
        1500: _("1.5 seconds"),
        2500: _("2.5 seconds"),
    }[value]


def game_name(rules: str) -> str:
    """Return a game's name, by its rules'."""
    return STAGES[rules].title() if rules in STAGES else rules


def _who(data: Data, names: Names, **more: Any) -> dict[str, Any]:
    return {"name": names[data["seat"]], **more}


def _rolled(d: Data, n: Names) -> str:
    text = {
        "opening": _("%(name)s opens with %(face)s."),
        "challenge": _("%(name)s rolls %(face)s."),
        "bounce": _("%(name)s answers the bounce with %(face)s."),
    }[d["kind"]]
    return text % _who(d, n, face=d["face"]) + whose_dice(d)


def whose_dice(d: Data, count: int = 0) -> str:
    """Say when dice were real ones: everybody may know which were (the table's trust).

    `count` is how many fell, where the event has not their faces.
    """
    if not d.get("is_real"):
        return ""
    return " " + ngettext("(a real die)", "(real dice)", count or len(d.get("faces", [1])))


def _shouted(d: Data, n: Names) -> str:
    text = (
        _("%(name)s shouts %(call)s, too late.")
        if d.get("late")
        else _("%(name)s shouts %(call)s.")
    )
    return text % _who(d, n, call=call_word(d["call"]))


def _challenged(d: Data, n: Names) -> str:
    text = {
        "shout": _("%(name)s must roll %(call)s against %(number)s."),
        "award": _("The roller heard %(name)s first: %(call)s against %(number)s."),
        "overruled": _("The roller's word is final: %(name)s rolls %(call)s against %(number)s."),
        "named": _("Nobody dared, so %(name)s is named: %(call)s against %(number)s."),
        "control": _("%(name)s is sent to roll %(call)s against %(number)s."),
        "shroud": _("Out from under the Shroud: %(name)s rolls %(call)s against %(number)s."),
        "house": _("The house sends %(name)s to roll %(call)s against %(number)s."),
    }[d["why"]]
    return text % _who(d, n, call=call_word(d["call"]), number=d["number"])


def _failed(d: Data, n: Names) -> str:
    text = {
        "brave": _("%(name)s fails: %(face)s is not higher than %(number)s."),
        "knave": _("%(name)s fails: %(face)s is not lower than %(number)s."),
    }.get(d["call"], _("%(name)s fails."))
    return text % _who(d, n, face=d["face"], number=d["number"])


def _bounced(d: Data, n: Names) -> str:
    if d["seat"] == d["to_seat"]:
        return _("%(number)s again: %(name)s must roll once more.") % _who(d, n, number=d["number"])
    return _("%(number)s again! The die bounces to %(to)s, who must roll %(call)s.") % {
        "number": d["number"],
        "to": n[d["to_seat"]],
        "call": call_word(d["call"]),
    }


def _lost(d: Data, n: Names) -> str:
    lost = ngettext(
        "%(name)s loses a finger.", "%(name)s loses %(count)s fingers.", d["count"]
    ) % _who(d, n, count=d["count"])
    left = ngettext("%(count)s is left.", "%(count)s are left.", d["left"]) % {"count": d["left"]}
    return f"{lost} {left}" if d["left"] else lost


def _regained(d: Data, n: Names) -> str:
    text = ngettext(
        "%(name)s has %(left)s finger again.", "%(name)s has %(left)s fingers again.", d["left"]
    )
    return text % _who(d, n, left=d["left"])


def _out(d: Data, n: Names) -> str:
    text = {
        "fingers": _("%(name)s is out of fingers, and out."),
        "grave": _("%(name)s is out."),
        "heal": _("The Sisters take the whole hand: %(name)s is out."),
        "left": _("%(name)s gets up and is out."),
    }[d["cause"]]
    return text % _who(d, n)


def _wager_won(d: Data, n: Names) -> str:
    text = ngettext(
        "%(name)s wins the wager and deals out a lost finger.",
        "%(name)s wins the wager and deals out %(amount)s lost fingers.",
        d["amount"],
    )
    return text % _who(d, n, amount=d["amount"])


def _dealt(d: Data, n: Names) -> str:
    shares = [f"{n[i]} {count}" for i, count in enumerate(d["fingers"]) if count]
    return _("%(name)s deals out lost fingers: %(shares)s.") % _who(d, n, shares=and_list(shares))


def _won(d: Data, n: Names) -> str:
    winners = and_list([n[s] for s in d["seats"]])
    if len(d["seats"]) > 1:
        return _("%(names)s fell together and share the honor.") % {"names": winners}
    return _("%(name)s wins. Honor is restored.") % {"name": winners}


def _first(d: Data, n: Names) -> str:
    if not d["name"]:
        return _("The die will choose who begins.")
    return _("%(name)s will begin.") % d


def _moved(d: Data, n: Names) -> str:
    """Say which way somebody moves (BK-5); older logs do not know."""
    text = {
        1: _("%(name)s moves one place round the table, with the clock."),
        -1: _("%(name)s moves one place round the table, against the clock."),
    }.get(d.get("way", 0), _("%(name)s moves one place round the table."))
    return text % d


def _taken(d: Data, n: Names) -> str:
    if d["role"] == "screen":
        return _("A shared screen joins the table.")
    if d["role"] == "regular":
        return _("%(name)s, a regular of the house, pulls up a chair.") % d
    return _("%(name)s sits down.") % d


def _undone(d: Data, n: Names) -> str:
    what = quoted_again(tell(d["what"]["kind"], d["what"]["data"], n))
    text = ngettext(
        "%(by)s takes the last move back: “%(what)s”",
        "%(by)s takes the last %(count)s moves back, from “%(what)s” on.",
        d["count"],
    )
    if not what:  # there are moves that the log does not tell of: a thing's place in the pack
        text = ngettext(
            "%(by)s takes the last move back.",
            "%(by)s takes the last %(count)s moves back.",
            d["count"],
        )
    return text % {**_named(d), "what": what}


def _plain(text: Callable[[], str]) -> Telling:
    """A sentence whose gaps are the event's own fields."""
    return lambda d, n: text() % _named(d)


# Who is told of by name, and what says whether the house gave them that name.
ROLES = {"name": "role", "teller": "teller_role", "by": "by_role"}
DOERS = ("teller", "by")


def _named(d: Data) -> Data:
    return {**d, **{who: _doer(who, d[who], d[role]) for who, role in ROLES.items() if role in d}}


def _doer(who: str, name: str, role: str) -> str:
    """Return a name in the reader's language; a screen that nobody has named begins a sentence."""
    shown = shown_name(name, role)
    is_screen = role == "screen" and shown == screen_name()
    return _("The shared screen") if is_screen and who in DOERS else shown


def _seated(text: Callable[[], str]) -> Telling:
    """A sentence about the seat in the event, by its guild name."""
    return lambda d, n: text() % _who(d, n, **{k: v for k, v in d.items() if k != "seat"})


TELLINGS: dict[str, Telling] = {
    # the bout
    "bout_started": lambda d, n: (
        _("The bout begins: %(names)s. %(first)s has the die.")
        % {"names": and_list(d["names"]), "first": d["first"]}
    ),
    "bout_called_off": _plain(lambda: _("The bout is called off.")),
    "rematch_called": _plain(lambda: _("A new bout gathers.")),
    "Rolled": _rolled,
    "ShroudCalled": _seated(lambda: _("%(name)s calls for a Shroud.")),
    "CupRolled": _seated(lambda: _("%(name)s rolls under a cupped hand. Nobody knows the number.")),
    "CalledBlind": lambda d, n: (
        _("%(name)s says %(call)s, blind.") % _who(d, n, call=call_word(d["call"]))
    ),
    "Revealed": lambda d, n: _("The hand is lifted: %(face)s.") % d + whose_dice(d),
    "ShoutingOpened": _seated(lambda: _("%(number)s stands. Who dares?")),
    "Shouted": _shouted,
    "Knocked": lambda d, n: [_("A knock."), _("Two knocks."), _("Three knocks.")][d["count"] - 1],
    "NeedsName": _seated(lambda: _("Nobody dares. %(name)s names a challenger.")),
    "Unison": lambda d, n: (
        _("%(names)s in one breath: the roller decides.")
        % {"names": and_list([n[s] for s in d["seats"]])}
    ),
    "Challenged": _challenged,
    "Bounced": _bounced,
    "Succeeded": _seated(lambda: _("%(name)s is safe.")),
    "Failed": _failed,
    "FingersLost": _lost,
    "FingersRegained": _regained,
    "FingerGiven": lambda d, n: (
        _("%(name)s gives up the %(finger)s.") % _who(d, n, finger=finger_name(d["which"]))
    ),
    "Grave": _seated(lambda: _("GRAVE! %(name)s rolled a 1.")),
    "Stave": _seated(lambda: _("STAVE! Everyone but %(name)s loses a finger.")),
    "TookControl": _seated(lambda: _("%(number)s is %(name)s's number: the die is theirs.")),
    "Healed": _seated(lambda: _("The Sisters smile: %(name)s has a whole hand.")),
    "HealFailed": _seated(lambda: _("The Sisters turn away from %(name)s.")),
    "WagerOff": _seated(lambda: _("%(number)s decides for itself: the wager is off.")),
    "WagerWon": _wager_won,
    "Dealt": _dealt,
    "HouseRuleActed": lambda d, n: (
        _("%(cry)s %(number)s: the house rule “%(name)s” acts.") % {**d, "cry": cried(d["cry"])}
    ),
    "Reversed": _plain(lambda: _("Play turns round.")),
    "PickAsked": _seated(lambda: _("%(name)s picks somebody.")),
    "Out": _out,
    "DieTaken": _seated(lambda: _("%(name)s has the die.")),
    "Won": _won,
    "false_started": _plain(lambda: _("False start: %(name)s is locked for half a second.")),
    "heard_by": _plain(lambda: _("%(teller)s heard %(name)s first.")),
    "undone": _undone,
    # gathering
    "number_picked": _plain(lambda: _("%(name)s takes the number %(number)s.")),
    "guild_named": _plain(lambda: _("%(before)s goes by %(name)s now.")),
    "seat_plays": _plain(lambda: _("%(name)s plays.")),
    "seat_watches": _plain(lambda: _("%(name)s watches.")),
    "seat_moved": _moved,
    "first_chosen": _first,
    # people
    "table_opened": _plain(lambda: _("%(name)s opens the table.")),
    "seat_taken": _taken,
    "knocked_at_door": _plain(lambda: _("%(name)s knocks at the door.")),
    "turned_away": _plain(lambda: _("%(name)s is turned away.")),
    "seat_removed": _plain(lambda: _("%(name)s is removed from the table.")),
    "seat_left": _plain(lambda: _("%(name)s leaves the table.")),
    "seat_passed": _plain(lambda: _("%(name)s goes on from another phone.")),
    "host_handed": _plain(lambda: _("%(name)s is the host now.")),
    # the table
    "door_set": lambda d, n: {
        "open": _("The door is open."),
        "ask": _("Newcomers knock from now on."),
        "locked": _("The door is locked."),
    }[d["door"]],
    "table_renamed": _plain(lambda: _("The table is called %(name)s now.")),
    "configured": lambda d, n: (
        _("The host changes how the table plays: %(setting)s, now “%(value)s”.")
        % {
            "setting": setting_name(d["setting"]),
            "value": setting_value(d["setting"], d["value"]),
        }
    ),
    "table_turned": lambda d, n: _("On the table now: %(game)s.") % {"game": game_name(d["rules"])},
    "paused": _plain(lambda: _("The table is paused.")),
    "resumed": _plain(lambda: _("Play goes on.")),
    "content_line_added": _plain(lambda: _("The list of what stays out has changed.")),
    "content_line_dropped": _plain(lambda: _("The host takes something off the list.")),
    "house_rule_added": _plain(lambda: _("A house rule: “%(name)s” on %(number)s.")),
    "house_rule_switched": lambda d, n: (
        (
            _("The house rule “%(name)s” counts from the next bout on.")
            if d["on"]
            else _("The house rule “%(name)s” rests from the next bout on.")
        )
        % d
    ),
    "house_rule_dropped": _plain(lambda: _("The house rule “%(name)s” is gone.")),
}
