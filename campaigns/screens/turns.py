"""What one seat may do now in a sequence, for each character it acts for."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import combinations

from campaigns.models import Character, Holding, Sequence
from campaigns.screens.cards import DieCard, MyFighterCard, OwedCard, PairCard
from campaigns.screens.chances import PIPS, answer_text, pair_texts
from campaigns.screens.fights import named, names_in, now_text
from campaigns.screens.people import label_of, owed_cards, works_in
from campaigns.screens.talks import talk_cards
from campaigns.services.members import held_seat
from campaigns.services.participants import is_at_hand, player_of
from campaigns.services.strengths import version_of
from campaigns.snapshot import Tale
from campaigns.words import die_name, form_name
from games.grammar import and_list, in_one_sentence
from games.models import Seat
from games.rules import wicked_sequence as ws
from games.rules.wicked_age import forms as sheet_forms
from games.rules.wicked_age.strengths import die_of
from games.said import gettext as _
from games.screens.cards import Choice
from games.snapshot import Snapshot

Phase = ws.Phase


def my_fighters(now: Snapshot, tale: Tale, seat: Seat) -> tuple[MyFighterCard, ...]:
    """List what this seat may do in every sequence for its own characters."""
    return tuple(
        card
        for one in tale.sequences
        for who in _own(tale, one, seat)
        if (card := my_fighter_card(now, tale, one, who, seat))
    )


def gm_fighters(now: Snapshot, tale: Tale, seat: Seat) -> tuple[MyFighterCard, ...]:
    """List what the GM may do for NPCs, and for players without a phone or who have gone."""
    return tuple(
        card
        for one in tale.sequences
        for who in _in_gms_hands(tale, one)
        if (card := my_fighter_card(now, tale, one, who, seat))
    )


def holder_seat(tale: Tale, one: Character) -> int | None:
    """Return the key of the seat whose player acts for somebody, if they have one."""
    holder = tale.holder_of(one)
    held = held_seat(holder) if holder else None
    return held.pk if held else None


def _own(tale: Tale, one: Sequence, seat: Seat) -> Iterable[Character]:
    people = (tale.by_ref(m.id) for m in tale.states[one.pk].participants)
    return [c for c in people if c and holder_seat(tale, c) == seat.pk]


def _in_gms_hands(tale: Tale, one: Sequence) -> Iterable[Character]:
    """List those for whom nobody else taps; who went home in the middle may have kept the seat."""
    people = (tale.by_ref(m.id) for m in tale.states[one.pk].participants)
    return [c for c in people if c and (not c.is_pc or not _is_held_here(tale, c))]


def _is_held_here(tale: Tale, one: Character) -> bool:
    holder = tale.holder_of(one)
    has_gone = holder is None or holder.is_away or holder.has_left
    return not has_gone and holder_seat(tale, one) is not None


def my_fighter_card(
    now: Snapshot, tale: Tale, one: Sequence, who: Character, seat: Seat
) -> MyFighterCard | None:
    """Build what may be done for one character; None for one who is out of it."""
    state = tale.states[one.pk]
    fighter = state.find(who.ref)
    if fighter is None or not (fighter.is_in or _is_settling(state, who)):
        return None
    view = tale.view(one)
    may = _may(state, one, who)
    dice = now.table.settings.dice
    shows = now.table.settings.shows_odds
    answers = view.standing if "answer" in may else None
    names = names_in(tale, view)
    return MyFighterCard(
        sequence=one.pk,
        id=who.pk,
        name=label_of(who),
        saw=one.game.scene,
        now=now_for(view, who, names) if not one.is_held else _("These dice wait."),
        may=may,
        pairs=pairs_of(tale, state, who, shows=shows) if "choose" in may else (),
        dice=_dice(state, fighter) if "roll" in may else (),
        may_buy=_buyable(tale, state, who, seat) if not one.is_held else (),
        targets=_targets(tale, view, who) if "move" in may else (),
        answers=answer_line(answers, names) if answers else "",
        loses_move=state.phase is Phase.ANSWER and fighter.turn is ws.Turn.WAITING,
        odds=answer_text(state, who.ref) if answers and shows else "",
        reminder=_reminder(fighter),
        talks=talk_cards(tale, one, who, is_gm=seat.is_gm) if not one.is_held else (),
        may_tap=dice != "real" or seat.is_gm,
        may_type=dice != "server",
        has_agreed=who.ref in one.agreed,
    )


def _is_settling(state: ws.State, who: Character) -> bool:
    return state.settlement is not None and who.ref in (
        state.settlement.winner,
        state.settlement.loser,
    )


def _may(state: ws.State, one: Sequence, who: Character) -> frozenset[str]:
    """List in words what the rules let her do now."""
    if one.is_held:
        return frozenset()
    asked = {
        "choose": ws.Choose(by=who.ref),
        "roll": ws.Roll(by=who.ref),
        "back_away": ws.BackAway(by=who.ref),
        "press": ws.Press(by=who.ref),
        "move": ws.Move(by=who.ref),
        "let_pass": ws.LetPass(by=who.ref),
        "step_in": ws.Interfere(by=who.ref),
    }
    legal = ws.legal_actions(state, state.seat_of(who.ref))
    found = {word for word, action in asked.items() if action in legal}
    if state.phase is Phase.ANSWER and "roll" in found:
        found.add("answer")
    if {"roll", "move"} <= found:
        # Until she has rolled, her move can name nobody (WA-56).
        found = found - {"move"} | {"act_alone"}
    if state.phase is Phase.BETWEEN and state.of(who.ref).is_in:
        found |= {"next_round", "agree_to_end"}
    return frozenset(found)


def now_for(view: ws.View, who: Character, names: dict[str, str]) -> str:
    """Say to who acts for her what is to be done, or who is waited for."""
    if view.phase is Phase.TIE and who.ref in view.backing:
        others = and_list([names[ref] for ref in view.must])
        return _("You would back away. Still to say: %(names)s.") % {"names": others}
    if who.ref not in view.must:
        return now_text(view, names)
    texts = {
        Phase.CHOOSE: _("Choose two forms that fit what your character does, and take up the dice.")
        if who.is_pc
        else _("Choose the form that fits what this NPC does."),
        Phase.ROLL: _("Round %(round)s: roll.") % {"round": view.round},
        Phase.TIE: _("You are tied at the top. Back away without harm, or press on?"),
        Phase.ANSWER: _("Answer the roll that stands."),
        Phase.SETTLE: _("You have won outright. What does it cost?"),
        Phase.BETWEEN: _("The round is over. Talk it over, or roll on."),
    }
    if view.phase is Phase.TURN:
        return (
            _("It is your turn: roll first, or do something that nobody has to answer.")
            if view.standing is None
            else _("It is your turn. What happens, and who must answer?")
        )
    if view.phase is Phase.TIE and view.is_pressed:
        return _("Roll the lowest die again.")
    return texts.get(view.phase, "")


def answer_line(standing: ws.Standing, names: dict[str, str]) -> str:
    """Say which roll stands: "Esan stands at 14: 8, 7, with pips 6"."""
    faces = ", ".join(map(str, standing.dice))
    given = {"name": names[standing.by], "total": standing.total, "dice": faces}
    text = _("%(name)s stands at %(total)s: %(dice)s")
    if standing.pips:
        text = _("%(name)s stands at %(total)s: %(dice)s, with pips %(pips)s")
        given["pips"] = ", ".join(map(str, standing.pips))
    return in_one_sentence(text % given, given)


def _dice(state: ws.State, fighter: ws.Fighter) -> tuple[DieCard, ...]:
    forms = set(fighter.chosen)
    return tuple(
        DieCard(
            sides,
            0,
            source if source in PIPS else "form" if source in forms else "strength",
            form_name(source) if source not in PIPS else "",
        )
        for source, sides in ws.dice_owed(state, fighter.id)
    )


def _buyable(tale: Tale, state: ws.State, who: Character, seat: Seat) -> tuple[OwedCard, ...]:
    """List the names that who plays her could strike for a die now (WA-65)."""
    if not (who.is_pc and state.of(who.ref).is_in and ws.is_about_to_roll(state, who.ref)):
        return ()
    holder = tale.holder_of(who)
    if holder is not None and holder.is_gm:
        return ()
    player = state.of(who.ref).player
    own = {o.pk for o in tale.owed if player and player_of(o.character) == player}
    return tuple(card for card in owed_cards(tale, seat) if card.id in own)


def _targets(tale: Tale, view: ws.View, who: Character) -> tuple[Choice, ...]:
    return tuple(
        Choice(one.pk, named(tale, seen))
        for seen in view.participants
        if seen.status is ws.Status.IN
        and seen.id != who.ref
        and (one := tale.by_ref(seen.id)) is not None
    )


def _reminder(fighter: ws.Fighter) -> str:
    """Remind that a strength in use has to be shown (WA-27)."""
    if not fighter.using:
        return ""
    return _("Show it in what happens: %(names)s.") % {"names": and_list(list(fighter.using))}


def pairs_of(tale: Tale, state: ws.State, who: Character, *, shows: bool) -> tuple[PairCard, ...]:
    """List what she could take up: a PC's pairs of forms, an NPC's one (WA-42, WA-44)."""
    fighter = state.of(who.ref)
    held = [one for one in tale.holdings.get(who.pk, []) if is_at_hand(fighter, one)]
    order = sheet_forms.PC_FORMS if who.is_pc else sheet_forms.NPC_FORMS
    own = [form for form in order if form in fighter.forms]
    choices = list(combinations(own, 2)) if who.is_pc else [(form,) for form in own]
    usable = [c for c in choices if any(s for f in c for s in fighter.forms[f])]
    odds = pair_texts(state, who.ref, usable) if shows else {}
    return tuple(
        PairCard(
            forms=pair,
            name=and_list([form_name(f) for f in pair]),
            dice=ws.preview(fighter, pair),
            strengths=tuple(_usable(held, pair)),
            odds=odds.get(pair, ""),
        )
        for pair in usable
    )


def _usable(held: list[Holding], pair: tuple[str, ...]) -> Iterable[Choice]:
    for one in held:
        if not set(pair).isdisjoint(works_in(one)):
            yield Choice(one.pk, one.strength.name, die_name(die_of(version_of(one))))
