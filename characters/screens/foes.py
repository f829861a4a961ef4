"""Foes as cards: as all see them, and with what the host reads and may do with each."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from msgspec.structs import replace

from characters.screens.cards import FoeCard
from characters.screens.people import status_word
from characters.screens.sheets import dice_words, signed
from characters.services import kept_book
from characters.services.combatants import key_of, kind_of
from characters.services.foe_names import blow_in_tongue, name_of, times_of
from characters.snapshot import Evening
from games.rules import knave_fight as kf
from games.rules.knave.abilities import Ability
from games.said import gettext as _
from games.screens.cards import Choice, colour_by

STANDING = (kf.Status.UP, kf.Status.UNCONSCIOUS)
_STR = Ability.STRENGTH


def foe_cards(
    evening: Evening,
    state: kf.State,
    view: kf.View,
    *,
    for_gm: bool,
    side: kf.Side = kf.Side.FOES,
) -> tuple[FoeCard, ...]:
    """Build the cards of a fight's foes; only the host's carry their figures.

    On the party's `side` they are those who came over to it: whoever has a sheet stands there by
    that.
    """
    once = evening.memory.once
    is_there = (f for f in view.fighters if f.side is side)
    foes = [f for f in is_there if side is kf.Side.FOES or not key_of(f.id)]
    cards = [once(_foe, seen, index) for index, seen in enumerate(foes, start=1)]
    if for_gm:
        targets = targets_of(evening, state, side)
        early_in = _early_in(evening, view, side)
        cards = [
            once(_foe_for_gm, card, state.of(card.id), _rating(evening, state.of(card.id)),
                 note_on(card.id), targets, _may(state, state.of(card.id)),
                 card.id in state.morale_due, early_in)
            for card in cards
        ]  # fmt: skip
    return evening.memory.row(cards)


def _rating(evening: Evening, foe: kf.Fighter) -> int | None:
    """Return a foe's morale rating: of who has a sheet the one that stands there now (KN-20)."""
    sheet = evening.character(key_of(foe.id)) if key_of(foe.id) else None
    return sheet.morale if sheet else foe.morale


def _early_in(evening: Evening, view: kf.View, side: kf.Side) -> int:
    """Return the round in which this side's blow would end the other's turn, or 0 (KN-12)."""
    acting = evening.acting
    is_early = acting is not None and acting is view.first and acting is not side
    return view.round if is_early else 0


def note_on(foe: str) -> str:
    """Return what the book says of a foe's kind."""
    monster = kept_book.monsters().get(kind_of(foe))
    return monster.said("note") if monster else ""


def targets_of(evening: Evening, state: kf.State, side: kf.Side) -> tuple[Choice, ...]:
    """Name those at whom somebody of this side can strike: who stands or lies on the other."""
    others = ((f.id, name_of(f), f.status) for f in state.fighters if f.side is not side)
    return evening.memory.once(_targets, *others)


def _targets(*aims: tuple[str, str, kf.Status]) -> tuple[Choice, ...]:
    return tuple(Choice(who, name) for who, name, status in aims if status in STANDING)


def wound_word(wound: str, status: kf.Status) -> str:
    """Say how somebody looks: what anybody at the table can see."""
    if status is not kf.Status.UP:
        return status_word(status)
    return {
        "unhurt": _("unhurt"),
        "hurt": _("wounded"),
        "half": _("badly hurt"),
    }[wound]


def _foe(seen: kf.Seen, index: int) -> FoeCard:
    """Build a foe's card as all see it."""
    return FoeCard(
        id=seen.id,
        name=name_of(seen),
        status=seen.status.value,
        wound=seen.wound,
        wound_word=wound_word(seen.wound, seen.status),
        colour=colour_by(index),
        has_acted=seen.is_done,
        is_engaged=bool(seen.engaged_with),
        is_ally=seen.side is kf.Side.PARTY,
    )


def _foe_for_gm(  # noqa: PLR0917 - everything that its card is made of
    card: FoeCard,
    foe: kf.Fighter,
    morale: int | None,
    note: str,
    targets: tuple[Choice, ...],
    may: frozenset[str],
    is_shaken: bool,
    early_in: int,
) -> FoeCard:
    """Add the figures, which are the host's alone."""
    shaken = _("Its side has been shaken. Roll whether it holds.")
    return replace(
        card,
        hp=foe.hp,
        max_hp=foe.max_hp,
        armor_defense=foe.armor_defense,
        attack=attack_words(foe),
        morale=morale,
        attacks_left=0 if card.has_acted or not foe.attacked else foe.attacks - foe.attacked,
        may_act="strike" in may,
        may_stunt="stunt" in may,
        note=note,
        morale_due=shaken if is_shaken else "",
        attacks=attack_choices(foe, is_engaged=card.is_engaged),
        targets=targets,
        early_in=early_in,
    )


def attack_choices(fighter: kf.Fighter, *, is_engaged: bool) -> tuple[Choice, ...]:
    """Return what a monster can attack with: nothing to choose for one weapon.

    What shoots or is thrown is off while it stands in melee (KN-14).
    """
    if not any(fighter.weapons):
        return ()
    blows: tuple[tuple[int | str, kf.Weapon | None], ...]
    blows = (("", fighter.weapon), *enumerate(fighter.weapons))
    dice = ((i, w, _dice_of(fighter, w)) for i, w in blows if w is not None)
    return tuple(
        Choice(i, _blow_name(fighter, w) or words, hint=words, is_off=w.ranged and is_engaged)
        for i, w, words in dice
    )


def _dice_of(fighter: kf.Fighter, weapon: kf.Weapon) -> str:
    """Write what a hit rolls, and how many such attacks the book gives it: a bear has two claws."""
    times = times_of(fighter.id, weapon.name)
    return f"{dice_words(weapon)} ×{times}" if times > 1 else dice_words(weapon)


def _blow_name(fighter: kf.Fighter, weapon: kf.Weapon) -> str:
    return blow_in_tongue(fighter.id, weapon.name)


def blow_names(foes: Sequence[FoeCard]) -> tuple[str, ...]:
    """Say which attack is meant by each number, and its dice, among the foes that have several."""
    up = [foe for foe in foes if foe.status == kf.Status.UP.value]
    able = [foe.attacks for foe in up if foe.may_act] or [foe.attacks for foe in up]
    columns = zip_longest(*able)
    return tuple(" / ".join(dict.fromkeys(map(_with_dice, filter(None, c)))) for c in columns)


def blows_of(foes: Sequence[kf.Fighter]) -> tuple[str, ...]:
    """Name what is meant by each attack's number, to those who may not know its dice."""
    several = [(f, (f.weapon, *f.weapons)) for f in foes if any(f.weapons)]
    named = ([blow_in_tongue(f.id, w.name) if w else "" for w in arms] for f, arms in several)
    return tuple(" / ".join(dict.fromkeys(filter(None, c))) for c in zip_longest(*named))


def _with_dice(attack: Choice) -> str:
    return attack.name if attack.name == attack.hint else f"{attack.name} {attack.hint}"


def attack_words(fighter: kf.Fighter) -> str:
    """Say what a foe strikes with: the blow, its bonus, its dice; nothing for one unarmed."""
    weapon = fighter.weapon
    if weapon is None:
        return ""
    name = _blow_name(fighter, weapon) or _("attack")
    return f"{name} {signed(fighter.attack_bonus(weapon))} {_dice_of(fighter, weapon)}"


def _may(state: kf.State, foe: kf.Fighter) -> frozenset[str]:
    """Return whether a foe may strike, with any of its attacks, and whether it may try a stunt."""
    aim = _aim(state, foe)
    if aim is None:
        return frozenset()
    stunt = kf.Stunt(by=foe.id, on=aim.id, ability=_STR, against=_STR)
    may = set() if kf.fault(state, None, stunt) else {"stunt"}
    if may_strike(state, foe):
        may.add("strike")
    return frozenset(may)


def may_strike(state: kf.State, foe: kf.Fighter) -> bool:
    """Tell whether a foe may strike with any of its attacks."""
    aim = _aim(state, foe)
    if aim is None:
        return False
    blows = (
        kf.Attack(by=foe.id, on=aim.id, rolled_by="attacker", with_=which)
        for which in (None, *range(len(foe.weapons)))
    )
    return any(kf.fault(state, None, blow) is None for blow in blows)


def _aim(state: kf.State, foe: kf.Fighter) -> kf.Fighter | None:
    """Return one whom a foe could strike at, or None where it or all of them are down."""
    if not foe.is_up:
        return None
    return next((f for f in state.fighters if f.side is not foe.side and f.is_up), None)
