"""Games walked at random through their legal actions."""

from __future__ import annotations

import random
from typing import Any

from msgspec.structs import replace

from games.rules import engine
from games.rules import knave_fight as kf
from games.rules import wicked_sequence as ws
from games.rules.brave_or_knave import Effect, Finger, HouseRule, Leave, Setup, Shout
from games.rules.brave_or_knave.model import Call
from games.rules.dice import RecordedDice, SeededDice
from games.rules.wicked_age.forms import PC_FORMS

HOUSE_RULES = (
    HouseRule("The Cat", "Meow!", 10, "both", (Effect("reverse"), Effect("lose", "picked", 2))),
    HouseRule("The Toast", "Cheers!", 11, "opening", (Effect("regain", "everyone"),)),
    HouseRule("The Dare", "You!", 11, "challenge", (Effect("roll_next", "left", 1, Call.KNAVE),)),
    HouseRule("The Draught", "Brr!", 12, "both", (Effect("lose", "everyone", 2),)),
    HouseRule("The Thief", "Mine!", 13, "both", (Effect("pass_die", "picked"),)),
    HouseRule("The Bell", "Ding!", 14, "challenge", (Effect("roll_again"),)),
)


def table_of(seats: int, *, variations: bool = True, rules: bool = False) -> Setup:
    """Set up a table of up to twelve whose numbers leave room for the house rules."""
    free = [2, 3, 4, 5, 6, 7, 8, 15, 16, 17, 18, 19] if rules else range(2, 20)
    return Setup(
        names=tuple(f"Guild {seat + 1}" for seat in range(seats)),
        numbers=tuple(free)[:seats],
        first=0,
        shroud=variations,
        nine_sisters=variations,
        house_rules=HOUSE_RULES if rules else (),
    )


def fight_of(party: int, foes: int) -> kf.Setup:
    """Set up a fight of knaves in armor, some of them archers, against a warband with a leader."""
    knaves = [
        kf.Combatant(
            id=f"knave-{n}",
            bonus=kf.Abilities(2, 1, 1, 1, 3, 1),
            hp=7,
            max_hp=8,
            armor=kf.Armor(12, 3) if n % 2 else None,
            shield=kf.Guard(2),
            weapon=kf.Weapon(8, 3, n % 3 == 2),
        )
        for n in range(party)
    ]
    warband = [
        kf.Combatant(
            id=f"goblin-{n}",
            bonus=kf.Abilities(1, 1, 1, 1, 1, 1),
            hp=9,
            max_hp=9,
            armor=kf.Armor(12, 1 if n % 2 else None),
            weapon=kf.Weapon(6, dice=1 + n % 2, plus=n % 3),
            morale=7,
            attack=None if n else 4,
            attacks=1 if n else 2,
            weapons=() if n else (kf.Weapon(4, 2),),
            leader=not n,
        )
        for n in range(foes)
    ]
    return kf.Setup(tuple(knaves), tuple(warband))


HAWK = ws.StrengthDie("hawk", 8, ("covertly", "directly"), "maneuvering")
CURSE = ws.StrengthDie(
    "curse", 10, ("with_love",), "action", ws.Consequence("with_love", "self_protection"), True
)


def sequence_of(pcs: int, npcs: int, sizes: tuple[int, ...] = (4, 6, 6, 8, 10, 12)) -> ws.Setup:
    """Set up a sequence of PCs, two to a player, and NPCs, some of them with strengths.

    Small sizes make ties.
    """
    return ws.Setup(
        participants=(
            *(
                ws.Participant(
                    id=f"pc-{n}",
                    kind="pc",
                    forms=dict(zip(PC_FORMS, sizes[n % 6 :] + sizes[: n % 6], strict=True)),
                    strengths=(HAWK, CURSE) if n % 2 else (HAWK,),
                    player=f"player-{n // 2}",
                )
                for n in range(pcs)
            ),
            *(
                ws.Participant(
                    id=f"npc-{n}",
                    kind="npc",
                    forms={"action": (12, 8), "maneuvering": (10, 6), "self_protection": (6, 4)},
                    strengths=(CURSE,) if n % 2 else (),
                )
                for n in range(npcs)
            ),
        ),
        owe_list=(ws.Owed("pc-0", "player-0"), ws.Owed("elsewhere", "player-0")) if pcs else (),
    )


FIGHT_LASTS = 80
"""After how many actions the referee of a walked fight closes it."""


def seats_of(game: Any) -> tuple[int | None, ...]:
    """List whoever may act in a game, or at a table about to play it; None comes first."""
    for whoever in ("names", "party", "participants"):
        if hasattr(game, whoever):
            return (None, *range(len(getattr(game, whoever))))
    raise AssertionError(game)


def choices(rules: engine.Rules, state: Any) -> list[tuple[int | None, Any]]:
    """List what somebody may do; leaving comes only where nothing else is left."""
    found = [(at, action) for at in seats_of(state) for action in rules.legal_actions(state, at)]
    return [one for one in found if not isinstance(one[1], Leave)]


RARE = ("End", "Leave", "Join", "Agree", "Correct")


def pick(
    rules: engine.Rules, state: Any, rng: random.Random, so_far: int
) -> tuple[int | None, Any]:
    """Choose an action and fill in what was left open.

    Of a fight's kinds of action each is as likely as another, however many
    targets it has, and attacks and rounds likelier; the fight is closed when it
    has lasted long enough.
    """
    found = choices(rules, state)
    if rules.NAME == kf.NAME:
        if so_far >= FIGHT_LASTS:
            return None, kf.End()
        flees = so_far % 4 == 0
        kinds = sorted({type(act).__name__ for _, act in found} - {"End", "" if flees else "Flee"})
        kinds += [kind for kind in kinds if kind in ("Attack", "Initiative")] * 4
        kind = rng.choice(kinds)
        seat, action = rng.choice([one for one in found if type(one[1]).__name__ == kind])
        return seat, filled_in(state, action, rng, so_far)
    if rules.NAME == ws.NAME:
        kinds = {type(act).__name__: type(act) for _, act in found}
        common = [kind for kind in sorted(kinds) if kind not in RARE]
        kind = rng.choice([*kinds, *common * 6])
        seat, action = rng.choice([one for one in found if type(one[1]).__name__ == kind])
        return seat, told(state, action, rng, so_far)
    seat, action = rng.choice(found)
    return seat, Shout(action.call, rng.randrange(1000)) if isinstance(action, Shout) else action


_EDGES = (None, *kf.Edge)


def filled_in(state: kf.State, action: Any, rng: random.Random, so_far: int) -> Any:
    """Fill in a fight's action as somebody at the table would."""
    edge = rng.choice(_EDGES)
    match action:
        case kf.Attack():
            roller = rng.choice(["attacker", "defender"])
            edge = None if action.both else edge
            return replace(action, rolled_by=roller, edge=edge, ideal=rng.random() < 0.3)
        case kf.Stunt():
            return replace(action, edge=None if action.both else edge, effect="Tripped")
        case kf.Save():
            return replace(action, edge=edge, modifier=rng.randint(-20, 20))
        case kf.Cast():
            return replace(action, spell="Sleep", on=state.ids[:2])
        case kf.Hurt() | kf.Heal():
            return replace(action, amount=rng.randint(0, 4))
        case kf.Rest(kind="night"):
            living = [one.id for one in state.fighters if one.status is not kf.Status.DEAD]
            return replace(action, who=tuple(rng.sample(living, len(living) // 2)))
        case kf.Wield():
            return replace(action, weapon=kf.Weapon(10, 1, rng.random() < 0.5))
        case kf.Wear():
            return replace(action, armor=kf.Armor(13, 2), helmet=kf.Guard(1))
        case kf.Join():
            return replace(action, combatant=replace(action.combatant, id=f"late-{so_far}"))
        case _:
            return action


def told(state: ws.State, action: Any, rng: random.Random, so_far: int) -> Any:
    """Fill in a sequence's action as somebody at the table would."""
    match action:
        case ws.Choose():
            return choice_of(state.of(action.by), rng)
        case ws.Lots():
            return ws.draw_lots(state, SeededDice(rng.randrange(1000)))
        case ws.Move():
            others = [who for who in state.inside if who != action.by]
            most = 0 if state.standing is None else len(others)
            return replace(action, to=tuple(rng.sample(others, rng.randint(0, most))))
        case ws.Settle() | ws.Agree():
            return paid(state, action, rng)
        case ws.Join():
            newcomer = sequence_of(1, 1).participants[rng.randrange(2)]
            return ws.Join(participant=replace(newcomer, id=f"late-{so_far}"))
        case ws.Correct():
            return ws.Correct(owe_list=state.owe_list[1:])
        case ws.Leave():
            return replace(action, consent=tuple(who for who in state.inside if who != action.by))
        case _:
            return action


def choice_of(fighter: ws.Fighter, rng: random.Random) -> ws.Choose:
    """Take forms that leave a die in hand, and some strength that works in them."""
    count = 2 if fighter.kind == "pc" else 1
    forms = tuple(rng.sample([form for form, dice in fighter.forms.items() if any(dice)], count))
    held = [one.name for one in fighter.strengths if set(one.works_in(fighter.kind)) & set(forms)]
    used = tuple(rng.sample(held, rng.randint(0, len(held))))
    return ws.Choose(by=fighter.id, forms=forms, strengths=used)


def paid(state: ws.State, action: Any, rng: random.Random) -> Any:
    """Waive or take what a consequential strength hits, and agree on a die, a strength or words."""
    loser = state.of(action.loser)
    waive = bool(state.settlement and state.settlement.hits) and rng.random() < 0.3
    if isinstance(action, ws.Settle):
        return replace(action, waive=waive)
    terms = [ws.Term(form=rng.choice(list(loser.forms))), ws.Term(says="never speaks of it")]
    terms += [ws.Term(strength=one.name) for one in loser.strengths[:1]]
    terms += [ws.Term(state=rng.choice(["dead", "captive", "absent"]))]
    leave = (action.loser,) if rng.random() < 0.5 else ()
    chosen = tuple(rng.sample(terms, rng.randint(0, len(terms))))
    return replace(action, terms=chosen, leave=leave, waive=waive)


def walk(
    rules: engine.Rules, table: Any, seed: int
) -> tuple[list[Any], list[engine.Play], list[engine.Event]]:
    """Play a game at random; return its states, its plays and its events."""
    rng, dice = random.Random(seed), RecordedDice(SeededDice(seed))
    states, plays, story = [rules.setup(table, dice)], [], []
    while rules.outcome(states[-1]) is None:
        seat, action = pick(rules, states[-1], rng, len(plays))
        dice.faces = []
        state, events = engine.play(rules, states[-1], seat, action, dice)
        plays.append((seat, action, tuple(dice.faces)))
        states.append(state)
        story += events
    return states, plays, story


def is_progress(action: Any) -> bool:
    """Tell whether an action moves the game on: no leaving, no lost finger, no free act."""
    if isinstance(action, kf.FightAction):
        return isinstance(action, kf.Initiative | kf.Attack | kf.Stunt | kf.Cast | kf.End)
    if isinstance(action, ws.SequenceAction):
        return not isinstance(action, ws.Buy | ws.Interfere | ws.Join | ws.Leave | ws.Correct)
    return not isinstance(action, Leave | Finger)
