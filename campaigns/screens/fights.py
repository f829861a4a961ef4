"""Action sequences as everybody sees them: the dice as they lie, and what happens next."""

from __future__ import annotations

from campaigns.models import Character, Sequence
from campaigns.screens.cards import DieCard, FightCard, FighterCard, RollCard
from campaigns.screens.people import colour_of, label_of, mark_of
from campaigns.screens.steps import is_joining
from campaigns.services.sequences import is_between_rounds
from campaigns.services.strengths import version_of
from campaigns.snapshot import Tale
from campaigns.words import form_name, quoted
from games.grammar import and_list, begun, in_one_sentence
from games.models import Event
from games.rules import wicked_sequence as ws
from games.rules.wicked_age.strengths import Option
from games.rules.wicked_sequence.sheets import D6
from games.said import gettext as _
from games.screens.cards import Choice
from games.sentences import tell
from games.snapshot import Snapshot

Phase = ws.Phase


def fight_cards(now: Snapshot, tale: Tale) -> tuple[FightCard, ...]:
    """List the sequences under way, those that wait last."""
    cards = [fight_card(now, tale, one) for one in tale.sequences]
    return tuple(sorted(cards, key=lambda card: card.is_held))


def fight_card(now: Snapshot, tale: Tale, one: Sequence) -> FightCard:
    """Build a sequence from the bystander's view of it."""
    view = tale.view(one)
    names = names_in(tale, view)
    order = {who: place for place, who in enumerate(view.order, 1)}
    answerer, last = _last(now, one, view, names)
    fighters = [
        fighter_card(tale, view, seen, names, order.get(seen.id, 0), answerer=answerer)
        for seen in view.participants
    ]
    fighters.sort(key=lambda card: (card.status in ("out", "left"), card.place or 99))
    standing = next(
        (p for p in view.participants if view.standing and p.id == view.standing.by), None
    )
    return FightCard(
        id=one.pk,
        number=one.number,
        act=one.act,
        actor=label_of(one.actor),
        scene=one.scene.where if one.scene else "",
        round=view.round,
        phase=view.phase.value,
        now=_now(one, view, names),
        fighters=tuple(fighters),
        standing=roll_card(standing, stands=True) if standing else None,
        standing_of=names.get(standing.id, "") if standing else "",
        move=move_text(view, names, said_in(now, one)),
        is_held=one.is_held,
        saw=one.game.scene,
        needs_far_reach=one.needs_far_reach,
        last=last,
        may_hold=is_between_rounds(tale.states[one.pk]),
        joiners=_joiners(tale, one, view) if view.phase is Phase.BETWEEN else (),
        leavers=_leavers(tale, view) if view.phase is Phase.BETWEEN else (),
        is_over=view.is_over,
    )


def _now(one: Sequence, view: ws.View, names: dict[str, str]) -> str:
    """Say what happens, and between rounds who would rather end it (WA-60)."""
    if one.is_held:
        return _("These dice wait.")
    there = {p.id for p in view.participants if p.status is ws.Status.IN}
    done = and_list([names[ref] for ref in one.agreed if ref in there])
    stops = _("%(names)s could stop here.") % {"names": done} if done else ""
    return " ".join(filter(None, (now_text(view, names), stops)))


def names_in(tale: Tale, view: ws.View) -> dict[str, str]:
    """Return what people in a sequence are called, by its own names for them."""
    return {p.id: named(tale, p) for p in view.participants}


def named(tale: Tale, seen: ws.Seen) -> str:
    """Return what somebody in a sequence is called."""
    one = tale.by_ref(seen.id)
    return label_of(one) if one else seen.name or seen.id


def fighter_card(
    tale: Tale, view: ws.View, seen: ws.Seen, names: dict[str, str], place: int, *, answerer: str
) -> FighterCard:
    """Build one participant; `place` in the turn order counts from 1, 0 is none.

    The dice of the `answerer`, whose answer is this round's newest, are looked at as they fell.
    """
    one = tale.by_ref(seen.id)
    member = tale.holder_of(one) if one else None
    status, word = _status(view, seen)
    return FighterCard(
        ref=seen.id,
        id=one.pk if one else 0,
        name=names[seen.id],
        is_pc=seen.kind == "pc",
        colour=colour_of(member),
        mark=mark_of(names[seen.id]),
        status=status,
        status_word=word,
        forms=", ".join([form_name(f) for f in seen.chosen] + list(seen.using)),
        roll=roll_card(
            seen,
            stands=bool(view.standing and view.standing.by == seen.id),
            is_answer=seen.id == answerer,
        ),
        advantage_over=tuple(names[over] for over in seen.over),
        bought=seen.bought,
        is_mover=view.mover == seen.id,
        must=seen.is_awaited,
        place=place,
    )


def _status(view: ws.View, seen: ws.Seen) -> tuple[str, str]:
    """Say where somebody is and what counts for her now."""
    if seen.status is ws.Status.LOST:
        return "out", _("out of it")
    if seen.status is ws.Status.LEFT:
        return "left", _("no longer in it")
    if seen.id in view.backing:
        return "in", _("would back away")
    if seen.is_awaited:
        word = {
            Phase.CHOOSE: _("takes dice"),
            Phase.ROLL: _("has to roll"),
            Phase.TIE: _("is tied at the top"),
            Phase.TURN: _("has the turn"),
            Phase.ANSWER: _("must answer"),
            Phase.SETTLE: _("has won"),
        }.get(view.phase, "")
        return "in", word
    if view.settlement and view.settlement.loser == seen.id:
        return "in", _("has lost")
    if seen.turn is ws.Turn.LOST and view.phase in (Phase.TURN, Phase.ANSWER):
        return "in", _("lost the move")
    if seen.turn is ws.Turn.MOVED and view.phase in (Phase.TURN, Phase.ANSWER):
        return "in", _("has moved")
    return "in", ""


def roll_card(seen: ws.Seen, *, stands: bool = False, is_answer: bool = False) -> RollCard | None:
    """Build a roll as it lies, or an answer as it fell (WA-51, WA-57)."""
    roll = seen.roll
    if roll is None or not (roll.lies or is_answer):
        return None
    forms = set(seen.chosen)
    high = max(range(len(roll.dice)), key=lambda at: roll.dice[at].face)
    base = [
        DieCard(
            die.sides,
            die.face,
            "form" if die.source in forms else "strength",
            form_name(die.source),
            is_high=at == high,
        )
        for at, die in enumerate(roll.dice)
    ]
    pips = [DieCard(D6, face, "advantage", _("advantage")) for face in roll.pips]
    lower = [str(face) for face in roll.ranked[1:]]
    text = _("%(total)s, then %(lower)s") if lower else _("%(total)s alone")
    total = " + ".join(map(str, (roll.ranked[0], *roll.pips)))
    said = text % {
        "total": f"{total} = {roll.total}" if roll.pips else roll.total,
        "lower": ", ".join(lower),
    }
    return RollCard((*base, *pips), roll.total, said, stands)


def now_text(view: ws.View, names: dict[str, str]) -> str:
    """Say in one sentence what happens, and who is waited for."""
    must = and_list([names[who] for who in view.must])
    given = {"names": must, "name": must, "round": view.round}
    if view.settlement:
        given |= {"name": names[view.settlement.winner], "loser": names[view.settlement.loser]}
    texts = {
        Phase.CHOOSE: _("Take up your dice: %(names)s."),
        Phase.ROLL: _("Round %(round)s. Everybody rolls; still to roll: %(names)s."),
        Phase.TIE: _("A tie at the top: %(names)s. Back away, or press on?"),
        Phase.TURN: _("%(name)s has the turn: what happens, and who must answer?"),
        Phase.ANSWER: _("%(name)s must answer."),
        Phase.SETTLE: _("%(loser)s has lost to %(name)s: what does it cost?"),
        Phase.BETWEEN: _("Round %(round)s is over. Talk it over, or roll on: %(names)s."),
        Phase.OVER: _("It is over."),
    }
    if view.phase is Phase.TIE and view.is_pressed:
        return _("The tied ones roll their lowest die again: %(names)s.") % given
    return in_one_sentence(texts.get(view.phase, "") % given, given)


def _last(now: Snapshot, one: Sequence, view: ws.View, names: dict[str, str]) -> tuple[str, str]:
    """Return who gave this round's newest answer, and what it came to, until dice roll again.

    It is told with both totals while the log at hand has it.
    """
    is_rolled_again = view.phase in (Phase.CHOOSE, Phase.ROLL, Phase.TIE, Phase.LOTS)
    if view.last is None or is_rolled_again:
        return "", ""
    newest = _newest(now, one, "answer_met", "round_opened")
    if newest is not None and newest.kind == "round_opened":
        return "", ""
    told = tell(newest.kind, newest.data, []) if newest else ""
    return view.last.answerer, told or last_text(view, view.last, names)


def said_in(now: Snapshot, one: Sequence) -> str:
    """Return the words of the newest move."""
    newest = _newest(now, one, "move_made")
    return newest.data.get("says", "") if newest else ""


def _newest(now: Snapshot, one: Sequence, *kinds: str) -> Event | None:
    """Return the newest event of these kinds in a sequence that no undo has taken back."""
    told = (e for e in reversed(now.events) if e.game_id == one.game_id and e.kind in kinds)
    return next((e for e in told if e.play_id not in now.undone), None)


def move_text(view: ws.View, names: dict[str, str], says: str) -> str:
    """Say who has to answer the move that stands, and how it was put."""
    if view.mover is None or view.phase is not Phase.ANSWER:
        return ""
    text = begun(
        _("%(name)s moves; to answer: %(names)s.")
        % {
            "name": names[view.mover],
            "names": and_list([names[who] for who in view.named]),
        }
    )
    return f"{quoted(says)} {text}" if says else text


def last_text(view: ws.View, last: ws.Last, names: dict[str, str]) -> str:
    """Say what an answer came to, for the answerer (WA-49); in round 3 none need double (WA-50)."""
    given = {"answerer": names[last.answerer], "mover": names[last.mover]}
    text = {
        "wins_absolutely": _("%(answerer)s doubles %(mover)s and wins outright."),
        "wins_advantage": _("%(answerer)s holds against %(mover)s and takes the advantage."),
        "loses_advantage": _("%(answerer)s falls short; %(mover)s has the advantage."),
        "loses_absolutely": _("%(answerer)s loses outright to %(mover)s."),
    }[last.result]
    if view.round == ws.LAST_ROUND and last.result == "wins_absolutely":
        text = _("%(answerer)s wins outright against %(mover)s.")
    return in_one_sentence(text % given, given)


def _joiners(tale: Tale, one: Sequence, view: ws.View) -> tuple[Choice, ...]:
    """List who could come in at the next round, where there is room (WA-41, WA-108)."""
    if sum(p.status is ws.Status.IN for p in view.participants) >= ws.MOST:
        return ()
    busy = {ref for state in tale.states.values() for ref in state.inside}
    busy |= {state.settlement.loser for state in tale.states.values() if state.settlement}
    busy |= {p.id for p in view.participants}
    unready = {part.character_id for part in tale.parts if is_joining(tale, part)}
    return tuple(
        Choice(who.pk, label_of(who))
        for who in tale.characters.values()
        if who.ref not in busy
        and who.pk not in unready
        and not who.is_gone
        and (not one.needs_far_reach or not who.is_pc or _reaches_far(tale, who))
    )


def _reaches_far(tale: Tale, who: Character) -> bool:
    """Tell whether somebody can act where a normal human could not (WA-26)."""
    held = tale.holdings.get(who.pk, [])
    return any(Option.FAR_REACHING in version_of(one).options for one in held)


def _leavers(tale: Tale, view: ws.View) -> tuple[Choice, ...]:
    """List who could go now (WA-108)."""
    people = (tale.by_ref(p.id) for p in view.participants if p.status is ws.Status.IN)
    return tuple(Choice(one.pk, label_of(one)) for one in people if one)
