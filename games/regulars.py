"""The house's regulars: computer players of different nerve, at human speed.

A regular sees what any seat sees and plays through the same service as a
person. Its plan depends only on the scene, so every process would make the
same one, and the tap's name keeps it from happening twice.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from games.rules import brave_or_knave as bk
from games.rules.brave_or_knave import odds
from games.rules.engine import Action


@dataclass(frozen=True)
class Regular:
    """One regular: `nerve` is the chance to survive below which they keep quiet.

    `pace_ms` is how long they usually take to shout; `numbers` in the order
    they like them.
    """

    key: str
    name: str
    nerve: float
    pace_ms: int
    numbers: tuple[int, ...]


def _taste(*liked: int) -> tuple[int, ...]:
    return (*liked, *(n for n in range(bk.MIN_NUMBER, bk.MAX_NUMBER + 1) if n not in liked))


REGULARS = {
    r.key: r
    for r in (
        Regular("steady", "Old Marrow", 0.60, 1900, _taste(10, 11, 9)),
        Regular("bold", "Cinder", 0.45, 1300, _taste(17, 16, 15)),
        Regular("sly", "Quill", 0.66, 1600, _taste(3, 4, 18)),
        Regular("nervous", "Tremble", 0.78, 2400, _taste(8, 12, 13)),
        Regular("loud", "Brass Annie", 0.50, 1100, _taste(7, 14, 6)),
        Regular("cruel", "Noose", 0.62, 1700, _taste(2, 19, 5)),
    )
}

ROLL_MS = (1100, 1900)
CHOICE_MS = (1200, 2200)
KNOCK_MS = (1300, 1700)
FINGER_MS = 2500


@dataclass(frozen=True)
class Plan:
    """What a regular will do, how many milliseconds after the scene (or the last move) began."""

    action: Action
    after_ms: int
    from_scene: bool = False


def plan(
    regular: Regular,
    view: bk.View,
    legal: list[Action],
    seat: int,
    scene: int,
    *,
    patience: float = 1.0,
) -> Plan | None:
    """Return what this regular will do next in this scene, or None to keep still.

    With more `patience` they take longer to shout, so that somebody who plays
    for the first time can read what happens.
    """
    rng = random.Random(f"{scene}:{seat}:{view.phase}:{view.knocks}")  # noqa: S311 - not a die
    by_kind: dict[type[Action], list[Action]] = {}
    for action in legal:
        by_kind.setdefault(type(action), []).append(action)
    if bk.Shout in by_kind and view.phase == bk.Phase.SHOUT:
        shout = _shout(regular, view, by_kind[bk.Shout], seat, scene)
        return shout and replace(shout, after_ms=int(shout.after_ms * patience))
    if bk.Finger in by_kind and seat not in view.must:
        return Plan(by_kind[bk.Finger][0], FINGER_MS)
    if bk.Knock in by_kind:
        return Plan(by_kind[bk.Knock][0], rng.randint(*KNOCK_MS))
    if seat not in view.must:
        return None
    return _choose(view, by_kind, seat, rng)


def _shout(
    regular: Regular, view: bk.View, shouts: list[Action], seat: int, scene: int
) -> Plan | None:
    assert view.standing is not None
    # One mood for the whole scene, whatever is knocked meanwhile.
    rng = random.Random(f"{scene}:{seat}")  # noqa: S311 - not a die
    chances = {
        call: float(odds.survival(view.standing, call)) for call in (bk.Call.BRAVE, bk.Call.KNAVE)
    }
    call = max(chances, key=lambda c: chances[c])
    nerve = regular.nerve + rng.gauss(0, 0.06)
    heal = next((s for s in shouts if isinstance(s, bk.Shout) and s.call is bk.Call.HEAL), None)
    if heal and view.fingers[seat] == 1:
        return Plan(heal, int(regular.pace_ms * rng.lognormvariate(0, 0.25)), from_scene=True)
    if chances[call] < nerve:
        return None
    # The surer the number, the quicker the tongue.
    haste = 1.5 - chances[call]
    after = regular.pace_ms * haste * rng.lognormvariate(0, 0.25)
    return Plan(bk.Shout(call), max(450, int(after)), from_scene=True)


def _choose(
    view: bk.View,
    by_kind: dict[type[Action], list[Action]],
    seat: int,
    rng: random.Random,
) -> Plan | None:
    wait = rng.randint(*CHOICE_MS)
    if bk.Roll in by_kind:
        return Plan(bk.Roll(), rng.randint(*ROLL_MS))
    if bk.Award in by_kind:
        return Plan(rng.choice(by_kind[bk.Award]), wait)
    if bk.Name in by_kind:
        return Plan(_name(view, by_kind[bk.Name], seat), wait)
    if bk.Blind in by_kind:
        return Plan(rng.choice(by_kind[bk.Blind]), wait)
    if bk.Deal in by_kind:
        return Plan(_deal(view, by_kind[bk.Deal]), wait)
    return None


def _name(view: bk.View, names: list[Action], seat: int) -> Action:
    """Send the player with the most fingers to the worst call."""

    def cruelty(action: Action) -> tuple[bool, float, int]:
        assert isinstance(action, bk.Name)
        chance = (
            float(odds.survival(view.standing, action.call))
            if view.standing and action.call
            else 0.0
        )
        return (action.to != seat, -chance, view.fingers[action.to])

    return max(names, key=cruelty)


def _deal(view: bk.View, deals: list[Action]) -> Action:
    """Put out whom it can, else spread the loss."""

    def harm(action: Action) -> tuple[int, int]:
        assert isinstance(action, bk.Deal)
        out = sum(1 for s, n in enumerate(action.fingers) if n and n == view.fingers[s])
        return (out, -max(action.fingers))

    return max(deals, key=harm)
