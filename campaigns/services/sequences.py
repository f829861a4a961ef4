"""The dice on the table: what is done in a sequence, and what comes of it.

Every move goes into the engine at the table's word (no seat): a deed has checked
before whether who taps may. A tap may be several moves; they stand in the
play's action as `moves`, each with its dice, so that the record replays. What
has changed outside meanwhile (a die the GM set right, a name on the owe list)
the sequence catches up with before its next move; what it does to sheets and
the owe list is written in the same play, so that an undo sets back all of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext as _

from campaigns.models import Chapter, Character, Scene, Sequence
from campaigns.services import finding, offers
from campaigns.services.participants import dice_of, owe_list_of, participant_of, player_of
from campaigns.services.sequence_log import Teller
from campaigns.services.sequence_sheets import write_back, write_owed
from games.asked import Asked
from games.errors import MovedOn
from games.models import Game, rows
from games.rules import wicked_sequence as ws
from games.rules.dice import RecordedDice, SystemDice, TypedDice
from games.rules.engine import Event, IllegalAction
from games.services.act import Tap
from games.services.change import Change
from games.services.ledger import keep
from games.services.moves import Moves, begin_game, note_moves, put_state, tie_to_last_move
from games.services.refusing import check_scene, refused
from games.stored import state_of

Forms = dict[str, int | tuple[int, int]]


def running(change: Change, tap: Tap, key: int) -> Sequence:
    """Return a sequence whose dice may be touched now.

    Raises NotFound for one of another campaign; MovedOn for one that is over or
    held, or that asks something else now than whoever tapped has seen.
    """
    found = finding.sequence_named(change, key)
    if found.chapter.step != Chapter.Step.PLAY:
        raise MovedOn(_("The chapter is at another step now."))
    if found.is_held:
        raise MovedOn(_("Those dice are held until the GM comes back to them."))
    check_scene(found.game, tap)
    return found


def begin(
    change: Change,
    chapter: Chapter,
    people: list[Character],
    *,
    act: str,
    needs_far_reach: bool,
    scene: Scene | None,
) -> Sequence:
    """Put dice on the table for these people, the actor first (WA-41).

    Raises MovedOn for a set-up that the rules refuse.
    """
    setup = ws.Setup(
        participants=tuple(participant_of(one) for one in people),
        owe_list=owe_list_of(chapter.campaign),
        needs_far_reach=needs_far_reach,
        act=act,
    )
    try:
        state = ws.setup(setup, TypedDice(()))
    except IllegalAction as refusal:
        raise refused(refusal, field="who") from refusal
    earlier = sequences_of(chapter)
    tie_to_earlier(change, earlier, people)
    number = max((row.number for row in earlier), default=0) + 1
    row = Sequence(
        chapter=chapter,
        number=number,
        scene=scene,
        game=begin_game(change, ws.NAME, setup, state),
        act=act,
        actor=people[0],
        needs_far_reach=needs_far_reach,
    )
    keep(change, row)
    return row


_ALL = Asked(lambda chapter: Sequence.objects.filter(chapter=chapter).select_related("game"))
_RUNNING = Asked(
    lambda chapter: Sequence.objects.filter(chapter=chapter, is_over=False).select_related("game")
)


def sequences_of(chapter: Chapter, *, running: bool = False) -> list[Sequence]:
    """Return a chapter's sequences, all or those that are not over, with the game of each."""
    return _RUNNING(chapter.pk) if running else _ALL(chapter.pk)


def is_between_rounds(state: ws.State) -> bool:
    """Tell whether no die of this round has fallen yet, so that the GM may cut away (WA-36)."""
    is_fresh = state.phase is ws.Phase.ROLL and state.to_roll == state.inside
    return is_fresh or state.phase in (ws.Phase.CHOOSE, ws.Phase.BETWEEN)


def tie_to_earlier(change: Change, earlier: list[Sequence], people: list[Character]) -> None:
    """Make what these people begin now depend on the end of the sequence that they were in before.

    Otherwise an undo could put somebody into two sequences at once.
    """
    refs = {one.ref for one in people}
    for row in earlier:
        if any(one.id in refs for one in state_of(row.game).participants):
            tie_to_last_move(change, row.game)


def check(sequence: Sequence, action: ws.AnyAction, field: str = "") -> None:
    """Raise MovedOn, in the rule's words, for what the rules refuse now."""
    reason = ws.fault(state_of(sequence.game), None, action)
    if reason is not None:
        raise refused(reason, field=field)


def move(
    change: Change,
    sequence: Sequence,
    *actions: ws.AnyAction,
    dice: RecordedDice | None = None,
    field: str = "",
) -> ws.State:
    """Play moves one after the other, and all that comes of them; return the state after them.

    Lots are drawn at once by the server (WA-53). Raises MovedOn, with the rule's
    reason and the `field` to mend, for what the rules refuse.
    """
    moves = Moves(sequence.game, dice or RecordedDice(SystemDice()))
    lots = RecordedDice(SystemDice())
    asked = _question(moves.state)
    people = _people(sequence, moves.state, actions)
    try:
        for step in _catching_up(sequence, moves.state, people):
            moves.play(step)
        before, happened = moves.state, list[Event]()
        for action in actions:
            happened += moves.play(action)
            while moves.state.phase is ws.Phase.LOTS:
                happened += moves.play(ws.draw_lots(moves.state, lots))
    except IllegalAction as refusal:
        raise refused(refusal, field=field) from refusal
    state: ws.State = moves.state
    note_moves(change, moves)
    # What chance has decided is everybody's: whoever backed away does not have lots drawn again.
    change.play.faces = [*change.play.faces, *lots.faces]
    Teller(change, sequence, people).tell(happened)
    write_back(change, people, before, state)
    write_owed(change, sequence, people, happened)
    _keep(change, sequence, state, is_new=_question(state) != asked)
    if _talk(state) != _talk(before):
        offers.let_go(change, sequence)
    return state


def hand_over(change: Change, chapter: Chapter, one: Character) -> None:
    """Let a fight she is in know who plays her now, and strikes names for dice (WA-65, WA-105)."""
    for row in sequences_of(chapter, running=True):
        if one.ref in state_of(row.game).inside:
            move(change, row, ws.Correct(players={one.ref: player_of(one)}))


def _people(
    sequence: Sequence, state: ws.State, actions: tuple[ws.AnyAction, ...]
) -> dict[str, Character]:
    """Read the sheets of everybody in a sequence, and of who joins it, by what it calls them."""
    refs = {one.id for one in state.participants}
    refs |= {one.participant.id for one in actions if isinstance(one, ws.Join)}
    numbers = sorted(int(ref[1:]) for ref in refs if ref[1:].isdecimal())
    campaign = sequence.chapter.campaign_id
    found = (rows.first(Character, campaign_id=campaign, number=number) for number in numbers)
    return {one.ref: one for one in found if one}


def _catching_up(
    sequence: Sequence, state: ws.State, people: dict[str, Character]
) -> Iterator[ws.Correct]:
    """Yield what a sequence takes over of the owe list and the sheets before it goes on.

    A sheet that the rules do not take over, such as one with two dice at 0,
    counts from the next sequence on.
    """
    owe_list = owe_list_of(sequence.chapter.campaign)
    if owe_list != state.owe_list:
        yield ws.Correct(owe_list=owe_list)
    for who, row in people.items():
        fighter, forms = state.find(who), dice_of(row)
        if fighter is None or _is_same(forms, fighter):
            continue
        step = ws.Correct(forms={who: forms})
        if ws.fault(state, None, step) is None:
            yield step


def _is_same(forms: Forms, fighter: ws.Fighter) -> bool:
    return all(
        fighter.forms.get(form) == (dice if isinstance(dice, tuple) else (dice,))
        for form, dice in forms.items()
    )


def _question(state: ws.State) -> tuple[Any, ...]:
    """Return what the table is asked now: whoever taps answers this.

    That others roll the same round, or take forms at the same time, changes
    nothing in it.
    """
    return (
        (state.phase, state.round, state.order, state.mover, state.standing),
        (state.tied, state.phase is ws.Phase.TIE and bool(state.to_roll)),
        (state.to_answer[:1], state.settlement, state.inside, len(state.participants)),
    )


def _talk(state: ws.State) -> tuple[Any, ...]:
    """Return what offers are about (WA-70, WA-74)."""
    return (state.phase, state.round, state.settlement, state.inside)


def _keep(change: Change, sequence: Sequence, state: ws.State, *, is_new: bool) -> None:
    """Keep the dice as they lie now; the scene changes with what is asked."""
    game = sequence.game
    put_state(change, game, state, opens_scene=is_new)
    if state.phase is not ws.Phase.BETWEEN:
        sequence.agreed = []
    if state.phase is ws.Phase.OVER:
        game.status, game.ended_at = Game.Status.OVER, timezone.now()
        game.winners = [state.of(who).name for who in state.inside]
        sequence.is_over = True
    keep(change, game, sequence)
