"""The referee's work: calls for saves, harm to several, experience and goals, how Knave is set."""

from __future__ import annotations

from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from characters import actions
from characters.models import Call, Character, Goal
from characters.services.body import earn
from characters.services.calls import answer_save, open_call, sleep
from characters.services.fighting import harm, mend
from characters.services.finding import check_room_among, chosen, party_of
from characters.services.telling import tell, tell_by_sight
from games.errors import MovedOn, NotFound
from games.rules.dice import RecordedDice, SystemDice
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import gm_seat
from games.services.ledger import drop, keep
from games.services.refusing import look_again
from games.settings import with_setting
from games.text import clean_line, clean_name


# --- calls for rolls (KN-8 to KN-10) -------------------------------------------------------------
@deed(actions.AskSaves, stops_in_pause=True)
def ask_saves(change: Change, action: actions.AskSaves, tap: Tap) -> None:
    """Call for a save; several calls may be open at once."""
    check_room_among(change.table.calls.filter(is_open=True))
    who = chosen(change, action.who)
    reason = clean_line(action.reason, field="reason")
    call = Call(
        table=change.table,
        ability=action.ability,
        reason=reason,
        edge=action.edge,
        modifier=action.modifier,
        defense=action.defense,
    )
    open_call(change, call, who)
    tell_by_sight(change, "saves_asked", who, ability=action.ability, reason=reason)


def _open(change: Change, key: int) -> Call:
    found = change.table.calls.filter(pk=key, is_open=True).first()
    if found is None:
        raise NotFound(_("That call is closed already."))
    return found


@deed(actions.RollMissing, stops_in_pause=True)
def roll_missing(change: Change, action: actions.RollMissing, tap: Tap) -> None:
    """Roll the house's dice for those who have not answered; the dead answer no more."""
    call = _open(change, action.call)
    missing = call.answers.filter(total=None).select_related("character__employer", "call")
    living = [answer for answer in missing if answer.character.is_alive]
    if not living:
        raise MovedOn(_("Everybody has rolled."))
    dice = RecordedDice(SystemDice())
    for answer in living:
        if call.kind == Call.Kind.NIGHT:
            sleep(change, answer.character, dice, answer)
        else:
            answer_save(change, answer, answer.character, dice)
    change.play.faces = dice.faces


@deed(actions.CloseCall)
def close_call(change: Change, action: actions.CloseCall, tap: Tap) -> None:
    """Take a call back, or put an answered one away."""
    call = _open(change, action.call)
    call.is_open = False
    keep(change, call)
    who = [answer.character for answer in call.answers.select_related("character")]
    tell_by_sight(change, "call_closed", who, asked=call.kind, ability=call.ability)


# --- harm and healing of several -----------------------------------------------------------------
@deed(actions.HurtMany, stops_in_pause=True)
def hurt_many(change: Change, action: actions.HurtMany, tap: Tap) -> None:
    """Damage several characters at once (KN-16)."""
    who = chosen(change, action.who)
    cause = clean_line(action.cause, field="cause")
    tell_by_sight(change, "many_hurt", who, amount=action.amount, cause=cause)
    for one in who:
        harm(change, one, action.amount, cause)


@deed(actions.HealMany, stops_in_pause=True)
def heal_many(change: Change, action: actions.HealMany, tap: Tap) -> None:
    """Heal several characters at once, none above the maximum (KN-21)."""
    who = chosen(change, action.who)
    tell_by_sight(change, "many_healed", who, amount=action.amount)
    for one in who:
        mend(change, one, action.amount)


# --- experience and goals (KN-22) ----------------------------------------------------------------
@deed(actions.AwardXp)
def award_xp(change: Change, action: actions.AwardXp, tap: Tap) -> None:
    """Give experience to several characters."""
    who = chosen(change, action.who)
    reason = clean_line(action.reason, field="reason")
    tell_by_sight(change, "xp_awarded", who, amount=action.amount, reason=reason)
    earn(change, who, action.amount)


def _goal(change: Change, key: int) -> Goal:
    found = change.table.goals.filter(pk=key).first()
    if found is None:
        raise NotFound(_("That goal is not on the list any more."))
    return found


def _tell_goal(change: Change, kind: str, goal: Goal, *about: Character, **data: Any) -> None:
    """Log what became of a goal; a hidden one is the host's alone."""
    to = None if goal.is_shown else gm_seat(change)
    tell(change, kind, *about, to=to, text=goal.text, worth=goal.worth, **data)


@deed(actions.AnnounceGoal)
def announce_goal(change: Change, action: actions.AnnounceGoal, tap: Tap) -> None:
    """Name what a goal is worth beforehand, for all to see or for oneself."""
    check_room_among(change.table.goals.filter(done_at=None))
    text = clean_name(action.text, field="text", longest=160)
    goal = Goal(table=change.table, text=text, worth=action.worth, is_shown=action.is_shown)
    keep(change, goal)
    _tell_goal(change, "goal_announced", goal)


@deed(actions.ShowGoal)
def show_goal(change: Change, action: actions.ShowGoal, tap: Tap) -> None:
    """Show a hidden goal, or hide it."""
    goal = _goal(change, action.goal)
    if goal.is_shown == action.on:
        raise look_again()
    goal.is_shown = action.on
    keep(change, goal)
    _tell_goal(change, "goal_announced" if action.on else "goal_hidden", goal)


@deed(actions.ReachGoal)
def reach_goal(change: Change, action: actions.ReachGoal, tap: Tap) -> None:
    """Give everybody living a goal's worth; a hidden one is told now."""
    goal = _goal(change, action.goal)
    if goal.done_at is not None:
        raise MovedOn(_("That goal was reached before."))
    who = chosen(change, ())
    goal.done_at, goal.is_shown = timezone.now(), True
    keep(change, goal)
    names = [one.name for one in who]
    _tell_goal(change, "goal_reached", goal, *who, names=names)
    earn(change, who, goal.worth)


@deed(actions.DropGoal)
def drop_goal(change: Change, action: actions.DropGoal, tap: Tap) -> None:
    """Take a goal off the list."""
    goal = _goal(change, action.goal)
    _tell_goal(change, "goal_dropped", goal)
    drop(change, goal)


# --- how the table plays Knave -------------------------------------------------------------------
@deed(actions.ConfigureKnave)
def configure_knave(change: Change, action: actions.ConfigureKnave, tap: Tap) -> None:
    """Change one way in which the table plays Knave."""
    party = party_of(change.table)
    settings = with_setting(party.settings, action.setting, action.value)
    if settings == party.settings:
        return
    party.keep_settings(settings)
    keep(change, party)
    # A form may say "1" for yes: what is told is what was understood.
    value = str(getattr(settings, action.setting)).lower()
    tell(change, "knave_configured", setting=action.setting, value=value)
