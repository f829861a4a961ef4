"""What the host may do in a fight for those of the party whose players are not at hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from msgspec.structs import replace

from characters.screens.cards import OwnCard, PersonCard
from characters.screens.damage import damage_of_party
from characters.screens.foes import STANDING
from characters.screens.things import spells_at_hand
from characters.services.fight_refusals import worded
from characters.services.foe_names import name_of
from characters.snapshot import Evening
from games.rules import knave_fight as kf
from games.rules.knave.abilities import Ability
from games.said import gettext as _
from games.screens.cards import Choice

FOES, PARTY = kf.Side.FOES, kf.Side.PARTY
_STR = Ability.STRENGTH
Deed = Callable[[kf.Fighter, str], kf.Attack | kf.Stunt]


def aims_of(state: kf.State, fighter: kf.Fighter) -> list[kf.Fighter]:
    """List the foes to strike at; an attack and a stunt together have one foe (KN-18)."""
    foes = [f for f in state.fighters if f.side is FOES and f.status in STANDING]
    # Who still stands comes first: the thumb falls there, and a form begins with it.
    foes.sort(key=lambda f: not f.is_up)
    return [f for f in foes if fighter.both_on in ("", f.id)]


def struck_for(evening: Evening, state: kf.State, card: PersonCard) -> PersonCard:
    """Add to somebody's card what the host can do for them: strike, or why not; cast (KN-25)."""
    fighter = state.of(card.combatant)
    if not card.is_acting:
        return evening.memory.once(_with_deeds, card, fighter.both_on, "", ())
    aim = next((f for f in aims_of(state, fighter) if f.is_up), None)
    blow = _blow(fighter, aim.id) if aim else None
    fault = kf.fault(state, None, blow) if blow else None
    why = "" if fault is None or blow is None else worded(fault, state, blow)
    spells: tuple[Choice, ...] = ()
    one = evening.character(card.id)
    if one is not None and kf.fault(state, None, kf.Cast(by=fighter.id, spell="")) is None:
        spells = evening.memory.once(spells_at_hand, evening.items_of(one), evening.party.day)
    return evening.memory.once(_with_deeds, card, fighter.both_on, why, spells)


def _with_deeds(
    card: PersonCard, paired_on: str, why_not: str, spells: tuple[Choice, ...]
) -> PersonCard:
    return replace(card, paired_on=paired_on, why_not=why_not, spells=spells)


def own_card(evening: Evening, state: kf.State) -> OwnCard:
    """Say who of the party may strike or try a stunt now, and at whom (KN-14, KN-17).

    It is those that a phone offers it to: whose turn it is, and who has the other half of an
    attack and a stunt before them (KN-18).
    """
    acting = evening.acting
    able = [f for f in state.party if f.is_up and (acting is PARTY or (acting and f.both))]
    foes = [f for f in state.fighters if f.side is FOES and f.status in STANDING]
    return OwnCard(
        strikers=_who(state, able, _blow),
        tricksters=_who(state, able, _stunt),
        aims=tuple(Choice(f.id, name_of(f)) for f in foes),
        damage=damage_of_party(state),
    )


def _who(state: kf.State, able: Iterable[kf.Fighter], deed: Deed) -> tuple[Choice, ...]:
    """Return who may do this to somebody now; a hint names the foe of an attack and stunt begun."""
    found = []
    for one in able:
        aim = next(iter(aims_of(state, one)), None)
        if aim is None or kf.fault(state, None, deed(one, aim.id)) is not None:
            continue
        pair = _("the other half, at %(foe)s") % {"foe": name_of(aim)} if one.both else ""
        found.append(Choice(one.id, name_of(one), hint=pair))
    return tuple(found)


def _blow(fighter: kf.Fighter, on: str) -> kf.Attack:
    return kf.Attack(by=fighter.id, on=on, rolled_by="attacker", both=fighter.both)


def _stunt(fighter: kf.Fighter, on: str) -> kf.Stunt:
    return kf.Stunt(by=fighter.id, on=on, ability=_STR, against=_STR, both=fighter.both)
