"""When morale is asked for: the moments of KN-20, each once for as long as it lasts.

A group is everybody of one side with the same `group`; those without one are a
group too. The moments are: half of a group or more is not up, a leader is dead
or unconscious, a group of one has lost half its hit points. Only who has a
rating and is up is asked for. A moment that has passed, because others came or
somebody rose, may come again. Whatever else shakes somebody (no pay, a dead
employer) is the referee's wish, and needs no moment.
"""

from __future__ import annotations

from msgspec.structs import replace

from games.rules.engine import Event
from games.rules.knave_fight.events import MoraleDue
from games.rules.knave_fight.model import Fighter, State, Status

_FALLEN = (Status.DEAD, Status.UNCONSCIOUS)


def moments_of(state: State) -> dict[str, tuple[Fighter, ...]]:
    """Return what would ask for morale now, by a lasting name, with whom it concerns (KN-20)."""
    groups: dict[tuple[str, str], list[Fighter]] = {}
    for one in state.fighters:
        groups.setdefault((one.side, one.group), []).append(one)
    found: dict[str, tuple[Fighter, ...]] = {}
    for (side, of), group in groups.items():
        members = tuple(group)
        for one in group:
            if one.leader and one.status in _FALLEN:
                found[f"leader:{one.id}"] = members
        if len(group) == 1:
            if group[0].is_half_down:
                found[f"lone:{side}:{of}"] = members
        elif sum([not one.is_up for one in group]) * 2 >= len(group):
            found[f"half:{side}:{of}"] = members
    return found


def ask_for_morale(state: State, log: list[Event]) -> State:
    """Note the moments that came, and forget who can no longer be shaken (KN-20)."""
    now = moments_of(state)
    new = [name for name in now if name not in state.moments]
    lasting = tuple(name for name in state.moments if name in now)
    if not new and not state.morale_due:
        return state if lasting == state.moments else replace(state, moments=lasting)
    asked = {one.id for name in new for one in now[name]}
    shaken = {one.id for one in state.fighters if one.is_up and one.morale is not None}
    due = tuple(
        who for who in state.ids if who in shaken and (who in asked or who in state.morale_due)
    )
    added = tuple(who for who in due if who not in state.morale_due)
    if added:
        log.append(MoraleDue(of=added))
    return replace(state, morale_due=due, moments=(*lasting, *new))


def come_as_they_are(state: State, who: str) -> State:
    """Let pass the moments that somebody brings along who has just come to a side (KN-20).

    What asked for their own morale was the other side's, if they come from there.
    """
    found = moments_of(state).items()
    brought = (name for name, members in found if any(one.id == who for one in members))
    return replace(
        state,
        moments=tuple(dict.fromkeys((*state.moments, *brought))),
        morale_due=tuple(one for one in state.morale_due if one != who),
    )
