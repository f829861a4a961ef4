"""The fight as cards: as all see it, as the host reads it, and what my own fighters may do."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from characters.models import Character, Item
from characters.screens.cards import BlowCard, FightCard, FighterCard, FoeCard, PersonCard
from characters.screens.damage import damage_of, damage_of_foes
from characters.screens.foes import (
    STANDING,
    blow_names,
    blows_of,
    foe_cards,
    may_strike,
    targets_of,
)
from characters.screens.people import (
    fighter_of,
    host_card,
    in_fight,
    person_card,
    weapons_of,
)
from characters.screens.sheets import dice_words
from characters.screens.struck_for import aims_of, own_card, struck_for
from characters.screens.things import spells_at_hand
from characters.services.combatants import fighter_id, is_wielded
from characters.services.fight_refusals import worded
from characters.services.foe_names import encounter_in_tongue, name_of
from characters.services.turns import standing
from characters.snapshot import Evening, encounter_of
from games.grammar import and_list
from games.rules import knave_fight as kf
from games.rules.knave import chances
from games.rules.knave.abilities import Ability
from games.rules.knave_fight import refusals
from games.rules.words import Reason
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import Choice
from games.screens.scene import percent
from games.snapshot import Snapshot

FOES, PARTY = kf.Side.FOES, kf.Side.PARTY
# Of a crowd the first are named: all of it would cover the foes themselves on a shared screen.
MOST_NAMED = 6


def fight_card(now: Snapshot, evening: Evening, *, for_gm: bool = False) -> FightCard | None:
    """Build the running fight; only the host's carries the foes' figures."""
    state, view, game = evening.state, evening.view, evening.game
    if state is None or view is None or game is None:
        return None
    gone = fallen(view)
    acting = evening.acting
    encounter = encounter_of(game)
    foes = foe_cards(evening, state, view, for_gm=for_gm)
    card = FightCard(
        name=encounter_in_tongue(encounter.name) if encounter else "",
        round=view.round,
        first=view.first.value if view.first else "",
        acting=acting.value if acting else "",
        headline=_what_now(view, for_gm=for_gm) if gone else headline(view, acting, for_gm=for_gm),
        fallen=gone,
        is_round_done=_is_round_done(view, acting),
        foes=foes,
        allies=foe_cards(evening, state, view, for_gm=for_gm, side=PARTY),
        blows=blow_names(foes),
        fighters=_fighters(now, evening, state, for_gm=for_gm),
        scene=game.scene,
    )
    return _for_host(now, evening, state, card) if for_gm else card


def _fighters(
    now: Snapshot, evening: Evening, state: kf.State, *, for_gm: bool
) -> tuple[PersonCard, ...]:
    """Return those of the table who fight for the party."""
    people = [c for c in evening.characters if (f := fighter_of(evening, c)) and f.side is PARTY]
    if not for_gm:
        return evening.memory.row(in_fight(evening, person_card(now, evening, c)) for c in people)
    seen = (in_fight(evening, host_card(now, evening, c)) for c in people)
    return evening.memory.row(struck_for(evening, state, card) for card in seen)


def _for_host(now: Snapshot, evening: Evening, state: kf.State, card: FightCard) -> FightCard:
    """Put in what only the referee is shown: whose morale is due, and what may be rolled for."""
    return replace(
        card,
        shaken=state.morale_due,
        bereft=_bereft(now, evening),
        damage=damage_of_foes(state),
        standing=_standing(card.foes),
        own=own_card(evening, state),
        up=_up(state),
        late=_late(evening),
        aimed_at=targets_of(evening, state, FOES),
    )


def _bereft(now: Snapshot, evening: Evening) -> tuple[str, ...]:
    """Return the hirelings whose employer has died in this fight and who have not rolled since."""
    people = ((c, c.employer) for c in evening.characters if c.morale is not None)
    paid = ((c, payer) for c, payer in people if payer and not payer.is_alive)
    up = [
        (fighter_id(c), fighter_id(payer))
        for c, payer in paid
        if (f := fighter_of(evening, c)) and f.status is kf.Status.UP
    ]
    due: set[str] = set()
    for event in now.events if up else ():
        if event.play_id in now.undone:
            continue
        if event.kind == "fight_begun":
            due.clear()
        elif event.kind == "knave_died":
            due |= {one for one, payer in up if payer == event.data.get("who")}
        elif event.kind == "MoraleRolled":
            due.discard(event.data["of"])
    return tuple(sorted(due))


def _standing(foes: Sequence[FoeCard]) -> tuple[Choice, ...]:
    """Name the foes that are up, and no more of them: their figures change with each blow."""
    return tuple(Choice(foe.id, foe.name) for foe in foes if foe.status == kf.Status.UP.value)


def _up(state: kf.State) -> tuple[Choice, ...]:
    """Name everybody who stands, the foes first: it is for them that the referee rolls."""
    up = sorted((f for f in state.fighters if f.is_up), key=lambda f: f.side is PARTY)
    return tuple(Choice(f.id, name_of(f)) for f in up)


def _late(evening: Evening) -> tuple[Choice, ...]:
    """Name those of the table who have no part in the fight, and whom everybody has met."""
    return tuple(
        Choice(c.pk, c.name)
        for c in evening.characters
        if c.is_alive and not c.is_hidden and fighter_of(evening, c) is None
    )


def fallen(view: kf.View) -> str:
    """Say that a side is out of the fight, where nobody of it stands (KN-16, KN-20)."""
    up = standing(view)
    if not up:
        return _("Nobody is standing")
    if FOES not in up:
        return _("The foes are down or gone")
    return "" if PARTY in up else _("Nobody in the party is standing")


def _what_now(view: kf.View, *, for_gm: bool) -> str:
    """Say what the referee may do where a side is out of the fight."""
    if PARTY in standing(view):
        return (
            _("End the fight, or let more foes come.")
            if for_gm
            else _("The referee ends the fight, or lets more foes come.")
        )
    if any(f.side is PARTY and f.status is kf.Status.UNCONSCIOUS for f in view.fighters):
        return (
            _("End the fight, or heal somebody and go on.")
            if for_gm
            else _("The referee ends the fight, or heals somebody and it goes on.")
        )
    return (
        _("End the fight, or wait for somebody new to join it.")
        if for_gm
        else _("The referee ends the fight, unless somebody new joins it.")
    )


def headline(view: kf.View, acting: kf.Side | None, *, for_gm: bool = False) -> str:
    """Say what the fight waits for; only the referee has the button that is spoken of."""
    gone = fallen(view)
    if gone:
        return gone
    if acting is None:
        return _("Roll for initiative") if for_gm else _("The referee rolls for initiative")
    names = awaited(view, acting)
    if not names:
        return (
            _("Everybody has acted: roll for the next round")
            if for_gm
            else _("Everybody has acted: the referee rolls for the next round")
        )
    more = len(names) - MOST_NAMED
    if more > 0:
        rest = ngettext("%(num)s more", "%(num)s more", more + 1) % {"num": more + 1}
        names = [*names[: MOST_NAMED - 1], rest]
    return _("Still to act: %(names)s") % {"names": and_list(names)}


def awaited(view: kf.View, acting: kf.Side) -> list[str]:
    """Name who may still act this round: nobody of a side that was done or cut short."""
    return [
        name_of(f)
        for f in view.fighters
        if f.side is acting and f.status is kf.Status.UP and not f.is_done
    ]


def _is_round_done(view: kf.View, acting: kf.Side | None) -> bool:
    """Say whether the fight goes on, and waits for nothing but its next round."""
    return acting is not None and not awaited(view, acting)


def fighter_card(now: Snapshot, evening: Evening, one: Character) -> FighterCard | None:
    """Build what one of my fighters may do now, and against whom."""
    state = evening.state
    fighter = state.find(fighter_id(one)) if state else None
    if state is None or fighter is None or fighter.side is FOES:
        return None
    weapon = fighter.weapon
    targets = aims_of(state, fighter)
    may, why = _may(state, fighter, targets, is_own=one.kind == Character.Kind.KNAVE)
    acting = evening.acting
    if acting is FOES and "paired" not in may:
        why = _too_soon_or_late(state.first, why)
        may -= {"attack", "both", "stunt", "cast"}
    items = evening.items_of(one)
    # The odds tell a foe's defense: not where the table hides those.
    shows = now.settings.shows_odds and evening.party.settings.foes_shown
    pairs = [p for p in state.engaged if fighter.id in p]
    threats = _threats(evening, state, fighter, targets) if acting is FOES else []
    return FighterCard(
        id=fighter.id,
        character=one.pk,
        name=one.name,
        hp=fighter.hp,
        max_hp=fighter.max_hp,
        armor_defense=fighter.armor_defense,
        weapon=_in_hand(weapon, items),
        damage=damage_of(weapon),
        status=fighter.status.value,
        may=frozenset(may),
        why_not=why,
        targets=tuple(_blow(fighter, f, shows_odds=shows) for f in targets),
        defends=tuple(Choice(f.id, name_of(f)) for f in threats),
        blows=blows_of(threats),
        weapons=weapons_of(one, items),
        spells=spells_at_hand(items, evening.party.day),
        is_engaged=bool(pairs),
        engaged_with=tuple(name_of(state.of(b if a == fighter.id else a)) for a, b in pairs),
    )


def _in_hand(weapon: kf.Weapon | None, items: list[Item]) -> str:
    """Name a weapon in the language of whoever reads; a fight itself has the table's."""
    if weapon is None:
        return ""
    on_sheet = next((i.said_name for i in items if is_wielded(i) and i.die == weapon.die), "")
    return f"{on_sheet or weapon.name or _('weapon')} {dice_words(weapon)}"


def _blow(fighter: kf.Fighter, foe: kf.Fighter, *, shows_odds: bool) -> BlowCard:
    odds = _odds(fighter, foe) if shows_odds else ""
    return BlowCard(foe.id, name_of(foe), odds=odds, is_down=not foe.is_up)


def _may(
    state: kf.State, fighter: kf.Fighter, targets: list[kf.Fighter], *, is_own: bool
) -> tuple[set[str], str]:
    """Return the words of what may be done now, and why an attack may not.

    Who has begun an attack and a stunt together is "paired": the second belongs to it (KN-18).
    """
    may = {"disengage"} if state.is_engaged(fighter.id) and fighter.is_up else set()
    target = next((t for t in targets if t.is_up), targets[0] if targets else None)
    on = target.id if target else fighter.both_on
    if not on:
        return may, _("Nobody is left to fight.")
    pair = fighter.both
    blow = kf.Attack(by=fighter.id, on=on, rolled_by="attacker", both=pair)
    fault = kf.fault(state, None, blow)
    if fault is None:
        may |= {"attack"} if pair else {"attack", "both"}
    strength = Ability.STRENGTH
    stunt = kf.Stunt(by=fighter.id, on=on, ability=strength, against=strength, both=pair)
    if pair:
        may.add("paired")
    if kf.fault(state, None, stunt) is None:
        may.add("stunt")
    if kf.fault(state, None, kf.Cast(by=fighter.id, spell="")) is None:
        may.add("cast")
    if fighter.is_up:
        may |= {"wield", "flee"}
    return may, "" if fault is None else _sentence(fault, state, blow, is_own=is_own)


def _sentence(fault: Reason, state: kf.State, blow: kf.FightAction, *, is_own: bool) -> str:
    """Say why not: to the player where the rules speak of a combatant that is their own knave."""
    own = {
        refusals.ONE_ACTION: _("You have used your combat action for this round."),
        refusals.ATTACKS_MADE: _("You have made all your attacks for this round."),
        refusals.NO_WEAPON: _("You have no weapon in hand: wield one."),
        refusals.UNCONSCIOUS: _("You are unconscious."),
        refusals.FLED: _("You have fled, and do nothing more here."),
    }
    if fault == refusals.SECOND_BEGAN:  # said as true when they are done as well
        return _("Your side's turn is over for this round.")
    if is_own and fault in own:
        return own[fault]
    return worded(fault, state, blow)


def _too_soon_or_late(first: kf.Side | None, why: str) -> str:
    """Say why nobody of the party acts while it is the foes' turn (KN-12).

    A reason of their own comes first: somebody unconscious does not wait for a turn.
    """
    if first is FOES:
        return why or _("The foes act first this round.")
    return why or _("Your side's turn is over for this round.")


def _odds(fighter: kf.Fighter, foe: kf.Fighter) -> str:
    if fighter.weapon is None:
        return ""
    bonus = fighter.attack_bonus(fighter.weapon)
    return percent(chances.attack_chance(bonus, foe.armor_defense))


def _threats(
    evening: Evening, state: kf.State, fighter: kf.Fighter, foes: list[kf.Fighter]
) -> list[kf.Fighter]:
    """Return whose blow I may roll against, where the players roll all dice (KN-14)."""
    if not evening.party.settings.players_roll_all or fighter.status not in STANDING:
        return []
    return [f for f in foes if may_strike(state, f)]
