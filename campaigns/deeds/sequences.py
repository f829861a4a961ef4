"""Action sequences: who is in them, dice, moves and answers, how they end (WA-39 to WA-66).

A player moves their own character, the GM everybody. What is legal the rules
say (`games.rules.wicked_sequence`).
"""

from __future__ import annotations

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import LINE, Chapter, Character, Owed, Part, Scene, Sequence
from campaigns.services import finding, offers
from campaigns.services.making import busy_in, joins_late
from campaigns.services.naming import in_log, said_of
from campaigns.services.participants import owed_value, participant_of, strength_names
from campaigns.services.returning import standing
from campaigns.services.sequence_log import Teller
from campaigns.services.sequence_sheets import strike_for_die
from campaigns.services.sequences import (
    begin,
    check,
    is_between_rounds,
    move,
    running,
    sequences_of,
    tie_to_earlier,
)
from campaigns.services.sheets import is_out_by_dice
from games.asked import Asked
from games.errors import Forbidden, Malformed, MovedOn, NotFound
from games.models import Game, rows
from games.rules import wicked_sequence as ws
from games.rules.wicked_sequence import refusals as ws_refusals
from games.rules.wicked_sequence.sheets import FEWEST
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.dice import dice_for
from games.services.host import is_gm
from games.services.ledger import keep, lean
from games.services.moves import put_state
from games.services.refusing import refused, so_already
from games.stored import state_of
from games.text import clean_line

State = Character.State


@deed(actions.StartSequence, may="seat", stops_in_pause=True)
def start_sequence(change: Change, action: actions.StartSequence, tap: Tap) -> None:
    """Put dice on the table for an act and those who would interfere (WA-39 to WA-41)."""
    chapter = finding.chapter_of(change, Chapter.Step.PLAY)
    act = clean_line(action.act, field="act", longest=LINE)
    if not act:
        raise Malformed(_("Say in a line what is being done."), field="act")
    actor = finding.character_named(change, action.actor)
    keys = dict.fromkeys(key for key in action.who if key != actor.pk)
    people = [actor, *(finding.character_named(change, key, anybody=True) for key in keys)]
    if not FEWEST <= len(people) <= ws.MOST:
        raise Malformed(_("Dice are for two to eight: say who would interfere."), field="who")
    for one in people:
        _check_may_fight(change, chapter, one, needs_far_reach=action.needs_far_reach)
    row = begin(
        change,
        chapter,
        people,
        act=act,
        needs_far_reach=action.needs_far_reach,
        scene=_scene(change, chapter, action.scene),
    )
    others = [in_log(one) for one in people[1:]]
    told = {"name": in_log(actor), "act": act, "others": others, "is_far": action.needs_far_reach}
    Teller(change, row, {}).say("sequence_begun", told)


def _scene(change: Change, chapter: Chapter, key: int) -> Scene | None:
    """Return the scene that is meant: without a key the one that is playing."""
    if key:
        return finding.scene_named(change, key)
    return rows.first(Scene, chapter_id=chapter.pk, is_current=True)


def _check_may_fight(
    change: Change, chapter: Chapter, one: Character, *, needs_far_reach: bool
) -> None:
    """Raise MovedOn for somebody who cannot take part now, in words that name her."""
    text, part = "", rows.first(Part, chapter_id=chapter.pk, character_id=one.pk)
    if part is None:
        text = _("%(name)s is not in this chapter.")
    elif one.state == State.OUT or is_out_by_dice(one):
        text = _("%(name)s is out for the rest of this chapter.")
    elif one.state == State.DEAD:
        text = _("%(name)s is dead.")
    elif one.state == State.ABSENT:
        text = _("%(name)s has gone away.")
    elif _is_busy(chapter, one):
        text = _("%(name)s has dice in another sequence: that one first.")
    elif needs_far_reach and one.is_pc and not _reaches_far(one):
        text = _("This is beyond %(name)s, who has no far-reaching strength.")
    elif _is_unready(change, part, one):
        text = _("%(name)s has only just joined: the sheet is not ready yet.")
    if text:
        raise MovedOn(said_of(one, text), field="who")


def _is_unready(change: Change, part: Part, one: Character) -> bool:
    """Tell whether she has yet to come into play; that she has is what her dice hang on.

    An NPC's hang on being there at all: a sequence knows people by number, and whoever has it next
    would stand in it.
    """
    if not one.is_pc:
        lean(change, part)
        return False
    part.character = one
    lean(change, part, "before")
    return joins_late(part)


def _is_busy(chapter: Chapter, one: Character) -> bool:
    running_now = sequences_of(chapter, running=True)
    return any(one.ref in busy_in(state_of(row.game)) for row in running_now)


def _reaches_far(one: Character) -> bool:
    return any(strength.far_reaching for strength in participant_of(one).strengths)


@deed(actions.TakeDice, may="seat", stops_in_pause=True, answers_scene=True)
def take_dice(change: Change, action: actions.TakeDice, tap: Tap) -> None:
    """Choose forms and strengths for the whole sequence (WA-42, WA-43)."""
    row, who = _mine(change, tap, action)
    names = strength_names(who)
    if not set(action.strengths) <= set(names):
        raise NotFound(_("That strength is not on this sheet."))
    strengths = tuple(names[key] for key in action.strengths)
    move(
        change,
        row,
        ws.Choose(by=who.ref, forms=action.forms, strengths=strengths),
        field="forms",
    )


@deed(actions.BuyDie, may="seat", stops_in_pause=True, answers_scene=True)
def buy_die(change: Change, action: actions.BuyDie, tap: Tap) -> None:
    """Strike one of one's own names for an advantage die (WA-65)."""
    row, who = _mine(change, tap, action)
    if who.holder is not None and who.holder.is_gm:
        # Also where a fight was begun before its player became the GM (WA-65).
        raise refused(ws_refusals.GM_BUYS, field="owed")
    owed = finding.owed_named(change, action.owed)
    buy = ws.Buy(by=who.ref, strike=owed.character.ref)
    state = move(change, row, buy, *_list_without(row, owed), field="owed")
    strike_for_die(change, owed, row, state.round)


def _list_without(row: Sequence, owed: Owed) -> list[ws.Correct]:
    """Say how the owe list is after a stroke further down than the rules' own (WA-65, WA-81).

    A record names who is struck and not where, and then it is the highest of hers.
    """
    listed = standing(row.chapter.campaign)
    if next((one for one in listed if one.character_id == owed.character_id), None) == owed:
        return []
    left = tuple(owed_value(one) for one in listed if one.pk != owed.pk)
    return [ws.Correct(owe_list=left)]


@deed(actions.RollForms, may="seat", stops_in_pause=True, answers_scene=True)
def roll_forms(change: Change, action: actions.RollForms, tap: Tap) -> None:
    """Roll what is due now: the rules know which dice (WA-51 to WA-57)."""
    row, who = _mine(change, tap, action)
    roll = ws.Roll(by=who.ref)
    check(row, roll)
    sides = [sides for _label, sides in ws.dice_owed(state_of(row.game), who.ref)]
    move(change, row, roll, dice=dice_for(change, tap, sides))


@deed(actions.BackAway, may="seat", stops_in_pause=True, answers_scene=True)
def back_away(change: Change, action: actions.BackAway, tap: Tap) -> None:
    """Go one's way from a tie at the top, once all the tied would (WA-52)."""
    row, who = _mine(change, tap, action)
    move(change, row, ws.BackAway(by=who.ref))


@deed(actions.PressOn, may="seat", stops_in_pause=True, answers_scene=True)
def press_on(change: Change, action: actions.PressOn, tap: Tap) -> None:
    """Fight on from a tie at the top (WA-52)."""
    row, who = _mine(change, tap, action)
    move(change, row, ws.Press(by=who.ref))


@deed(actions.MakeMove, may="seat", stops_in_pause=True, answers_scene=True)
def make_move(change: Change, action: actions.MakeMove, tap: Tap) -> None:
    """Say what she does and who must answer, perhaps nobody (WA-54, WA-56)."""
    row, who = _mine(change, tap, action)
    if not (action.to or action.nobody):
        text = _("Who must answer? Choose somebody, or say that nobody has to.")
        raise Malformed(text, field="to")
    keys = dict.fromkeys(action.to)
    to = (
        ()
        if action.nobody
        else tuple(finding.character_named(change, key, anybody=True).ref for key in keys)
    )
    says = clean_line(action.says, field="says", longest=LINE)
    move(change, row, ws.Move(by=who.ref, to=to, says=says), field="to")


@deed(actions.LetPass, may="seat", stops_in_pause=True, answers_scene=True)
def let_pass(change: Change, action: actions.LetPass, tap: Tap) -> None:
    """Answer by letting it happen (WA-56)."""
    row, who = _mine(change, tap, action)
    move(change, row, ws.LetPass(by=who.ref))


@deed(actions.StepIn, may="seat", stops_in_pause=True, answers_scene=True)
def step_in(change: Change, action: actions.StepIn, tap: Tap) -> None:
    """Answer a move although not named (WA-56)."""
    row, who = _mine(change, tap, action)
    move(change, row, ws.Interfere(by=who.ref))


_PLAYING = Asked(
    lambda chapter: Character.objects.filter(parts__chapter=chapter).select_related(
        "owner", "lent_to"
    )
)


@deed(actions.NextRound, may="seat", stops_in_pause=True, answers_scene=True)
def next_round(change: Change, action: actions.NextRound, tap: Tap) -> None:
    """Let the dice roll on: the word of anybody who has dice in it, or the GM's (WA-74)."""
    row = running(change, tap, action.sequence)
    if not (is_gm(change) or _has_dice_in(change, row)):
        raise Forbidden(_("Only somebody with dice in it can say that they roll on."))
    move(change, row, ws.NextRound())


def _has_dice_in(change: Change, row: Sequence) -> bool:
    """Tell whether the actor plays somebody who is still in a sequence."""
    inside = set(state_of(row.game).inside)
    return any(finding.plays(change, one) for one in _PLAYING(row.chapter.pk) if one.ref in inside)


@deed(actions.AgreeToEnd, may="seat", stops_in_pause=True, answers_scene=True)
def agree_to_end(change: Change, action: actions.AgreeToEnd, tap: Tap) -> None:
    """Have nothing against the others any more; when all left say so, it ends (WA-60)."""
    row, who = _mine(change, tap, action)
    check(row, ws.End())
    state = state_of(row.game)
    if who.ref not in state.inside:
        raise MovedOn(said_of(who, _("%(name)s is not in it any more.")))
    row.agreed = [ref for ref in row.agreed if ref != who.ref]
    if action.on:
        row.agreed.append(who.ref)
    keep(change, row)
    change.log("end_agreed", game=row.game, name=in_log(who), act=row.act, on=action.on)
    end_if_all_agree(change, row, state)


def end_if_all_agree(change: Change, row: Sequence, state: ws.State) -> None:
    """End a sequence between rounds, when all who are left have agreed (WA-60)."""
    if state.phase is ws.Phase.BETWEEN and set(state.inside) <= set(row.agreed):
        move(change, row, ws.End())


@deed(actions.HoldSequence, stops_in_pause=True)
def hold_sequence(change: Change, action: actions.HoldSequence, tap: Tap) -> None:
    """Cut away between rounds of dice, or come back to them (WA-36, WA-38)."""
    row = finding.sequence_named(change, action.sequence)
    if action.on and not is_between_rounds(state_of(row.game)):
        raise MovedOn(_("Cut away between rounds: this one has dice on the table."))
    if row.is_held == action.on:
        raise so_already()
    row.is_held = action.on
    keep(change, row)
    change.log("sequence_held", game=row.game, act=row.act, on=action.on)


@deed(actions.JoinSequence, stops_in_pause=True, answers_scene=True)
def join_sequence(change: Change, action: actions.JoinSequence, tap: Tap) -> None:
    """Let somebody come in for the next round, with everyone's consent (WA-108)."""
    row = running(change, tap, action.sequence)
    who = finding.character_named(change, action.who)
    _check_may_fight(change, row.chapter, who, needs_far_reach=row.needs_far_reach)
    tie_to_earlier(change, sequences_of(row.chapter), [who])
    move(change, row, ws.Join(participant=participant_of(who)), field="who")


@deed(actions.LeaveSequence, stops_in_pause=True, answers_scene=True)
def leave_sequence(change: Change, action: actions.LeaveSequence, tap: Tap) -> None:
    """Let somebody go: all who hold an advantage over her have told the GM so (WA-108)."""
    row = running(change, tap, action.sequence)
    who = finding.character_named(change, action.who)
    won = state_of(row.game).won
    consent = tuple(one.holder for one in won if one.over == who.ref)
    state = move(change, row, ws.Leave(by=who.ref, consent=consent), field="who")
    end_if_all_agree(change, row, state)


@deed(actions.CallOffSequence)
def call_off_sequence(change: Change, action: actions.CallOffSequence, tap: Tap) -> None:
    """Take the dice off the table; what they have done so far stays done."""
    row = finding.sequence_named(change, action.sequence)
    offers.let_go(change, row)
    game = row.game
    # As the last of its moves: what its people begin now hangs on it (`tie_to_earlier`).
    put_state(change, game, state_of(game), opens_scene=False)
    game.status, game.ended_at = Game.Status.ENDED, timezone.now()
    row.is_over, row.is_held = True, False
    keep(change, game, row)
    Teller(change, row, {}).say("sequence_called_off", {"act": row.act})


OnesOwn = (
    actions.TakeDice
    | actions.BuyDie
    | actions.RollForms
    | actions.BackAway
    | actions.PressOn
    | actions.MakeMove
    | actions.LetPass
    | actions.StepIn
    | actions.AgreeToEnd
)


def _mine(change: Change, tap: Tap, action: OnesOwn) -> tuple[Sequence, Character]:
    """Return the sequence and the character that an action names, if the actor acts for her."""
    row = running(change, tap, action.sequence)
    return row, finding.character_named(change, action.who)
