"""A chapter's setup, step by step: the order of the steps, and what each one still waits for."""

from __future__ import annotations

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from campaigns.models import CastLine, Chapter, Moment, Part
from campaigns.services.casting import lines_of
from campaigns.services.finding import part_of_returning
from campaigns.services.people import players_here
from campaigns.services.returning import top_of
from games.asked import Asked
from games.models import rows
from games.rules.wicked_age import interests
from games.rules.wicked_age.cards import ELEMENTS
from games.rules.wicked_age.hints import fault_of_players
from games.text import set_apart

Step = Chapter.Step

ORDER = (
    Step.COMING_BACK,
    Step.ORACLE,
    Step.PICK,
    Step.DEAL,
    Step.CAST,
    Step.CHOOSE,
    Step.SHEETS,
    Step.INTERESTS,
    Step.PLAY,
)
"""The steps up to play. The first and the third are only there when somebody comes back."""

MOST_ELEMENTS = ELEMENTS + 1
"""Four, and one card more where a player finds nobody to play (WA-7)."""

BEGUN = "play_begun"
"""The moment with which a chapter's play begins."""

_LISTED = Asked(
    lambda chapter: CastLine.objects.filter(chapter=chapter).exclude(state=CastLine.State.DROPPED)[
        :1
    ]
)
_OF_PCS = Asked(
    lambda chapter: Part.objects.filter(chapter=chapter, character__kind="pc").select_related(
        "character", "member"
    )
)


def has_begun(chapter: Chapter) -> bool:
    """Tell whether a chapter has ever got to play, even if its setup was opened again since."""
    return rows.exists(Moment, chapter_id=chapter.pk, kind=BEGUN)


def is_played(chapter: Chapter) -> bool:
    """Tell whether a chapter has got to play, also while it has gone back to its setup since."""
    return not chapter.is_setting_up or has_begun(chapter)


def following(chapter: Chapter) -> str | None:
    """Return the step that comes after a chapter's, or None after the setup's last."""
    steps = steps_of(chapter)
    if chapter.step not in steps[:-1]:
        return None
    return steps[steps.index(chapter.step) + 1]


def preceding(chapter: Chapter) -> str | None:
    """Return the step before a chapter's, or None where there is none to go back to.

    Who is in a chapter that has been played stands.
    """
    if chapter.step == Step.CLOSING:
        return Step.PLAY
    if chapter.step == Step.SHEETS and has_begun(chapter):
        return None
    steps = steps_of(chapter)
    if chapter.step not in steps[1:]:
        return None
    return steps[steps.index(chapter.step) - 1]


def steps_of(chapter: Chapter) -> list[str]:
    """Return the steps that this chapter's setup has."""
    is_brought = chapter.returning_id is not None
    may_ask = is_brought or chapter.step == Step.COMING_BACK
    if not may_ask and chapter.step == Step.ORACLE:
        may_ask = top_of(chapter.campaign) is not None
    left_out = {Step.COMING_BACK: not may_ask, Step.PICK: not is_brought}
    return [step for step in ORDER if not left_out.get(step)]


def elements_needed(chapter: Chapter) -> int:
    """Return how many elements are dealt: four, or three beside a picked one (WA-7, WA-86)."""
    return ELEMENTS - chapter.elements.filter(is_picked=True).count()


def former_players(chapter: Chapter) -> set[int]:
    """Return the keys of the members who play a former character in this chapter (WA-89)."""
    parts = rows.fetch(Part, chapter_id=chapter.pk, is_returning=True)
    return {part.member_id for part in parts if part.member_id is not None}


def fault_of_step(chapter: Chapter) -> str | None:
    """Say in words what this step still waits for, and for whom, or None when it is done."""
    fault_of = {
        Step.COMING_BACK: _coming_back,
        Step.ORACLE: _oracle,
        Step.PICK: _pick,
        Step.DEAL: _deal,
        Step.CAST: _cast,
        Step.CHOOSE: _choose,
        Step.SHEETS: _sheets,
        Step.INTERESTS: _interests,
    }.get(Step(chapter.step))
    return fault_of(chapter) if fault_of else None


def _coming_back(chapter: Chapter) -> str | None:
    top = None if chapter.returning_id else top_of(chapter.campaign, chapter.declined)
    if top is None:
        return None
    owner = top.character.owner
    text = _("%(player)s has yet to say whether %(name)s comes back.")
    return text % {"player": owner.name if owner else "", "name": top.character.name}


def _oracle(chapter: Chapter) -> str | None:
    if chapter.oracle:
        return None
    if chooser := _her_player(chapter):
        return _("%(name)s has yet to choose the oracle.") % {"name": chooser}
    return _("One of the players has yet to choose the oracle.")


def _pick(chapter: Chapter) -> str | None:
    if chapter.elements.filter(is_picked=True).exists():
        return None
    return _("%(name)s has yet to pick an element.") % {"name": _her_player(chapter)}


def _her_player(chapter: Chapter) -> str:
    """Return the name of the player whose character has come back, or nothing."""
    part = part_of_returning(chapter)
    return part.member.name if part and part.member else ""


def _deal(chapter: Chapter) -> str | None:
    if chapter.elements.filter(is_picked=False).count() >= elements_needed(chapter):
        return None
    if dealer := _her_player(chapter):
        return _("The cards have yet to be dealt by %(name)s.") % {"name": dealer}
    return _("The cards have yet to be dealt by one of the players.")


def _cast(chapter: Chapter) -> str | None:
    if _LISTED.first(chapter.pk):
        return None
    return _("Nobody is on the list of characters yet: read them out of the elements.")


def fault_of_group(players: int) -> str | None:
    """Say that so many players beside the GM are too few or too many, or nothing (WA-1)."""
    if not fault_of_players(players):
        return None
    return ngettext(
        "Two to six people play besides the GM, and so far %(count)s takes part.",
        "Two to six people play besides the GM, and so far %(count)s take part.",
        players,
    ) % {"count": players}


def _choose(chapter: Chapter) -> str | None:
    here = players_here(chapter.campaign)
    if refused := fault_of_group(len(here)):
        return refused
    chosen = former_players(chapter).union(line.taken_by_id for line in lines_of(chapter))
    waiting = [one.name for one in here if one.pk not in chosen]
    if not waiting:
        return None
    return _("Still choosing: %(names)s.") % {"names": ", ".join(waiting)}


def pcs_in_play(chapter: Chapter) -> list[Part]:
    """Return the parts of the PCs whose player has not gone away (WA-31, WA-87)."""
    return [
        part for part in rows.belonging(_OF_PCS(chapter.pk), chapter=chapter) if is_waited_for(part)
    ]


def is_waited_for(part: Part) -> bool:
    """Tell whether a PC's player has not gone away: nobody waits for those whose has (WA-87)."""
    return part.member is None or not (part.member.is_away or part.member.has_left)


def _sheets(chapter: Chapter) -> str | None:
    parts = pcs_in_play(chapter)
    nameless = [p.member.name if p.member else "" for p in parts if not p.character.name]
    if nameless:
        return _("A character needs a name. Still writing: %(names)s.") % {
            "names": ", ".join(filter(None, nameless))
        }
    undecided = [p.character.name for p in parts if p.is_returning and not p.come_back]
    if undecided:
        return _("Whoever comes back has one choice to make. Still open: %(names)s.") % {
            "names": ", ".join(undecided)
        }
    return None


def _interests(chapter: Chapter) -> str | None:
    """Say what is missing before play can begin; who has joined may have no name yet."""
    npcs = [
        part
        for part in chapter.parts.filter(character__kind="npc").select_related("character")
        if not part.character.is_gone
    ]
    return _sheets(chapter) or fault_of_interests(chapter, pcs_in_play(chapter), npcs)


def fault_of_interests(
    chapter: Chapter, pcs: Iterable[Part], npcs: Iterable[Part] = ()
) -> str | None:
    """Say who of these lacks how many interests (WA-31, WA-32)."""
    names = {part.character.ref: str(part.character) for part in (*pcs, *npcs)}
    counts = dict.fromkeys(names, 0)
    for interest in chapter.interests.select_related("character"):
        if interest.character.ref in counts:
            counts[interest.character.ref] += 1
    lacks = interests.gate(
        {p.character.ref: counts[p.character.ref] for p in pcs},
        {p.character.ref: counts[p.character.ref] for p in npcs},
    )
    if not lacks:
        return None
    told = [
        ngettext("%(name)s %(count)s more", "%(name)s %(count)s more", lack.missing)
        % {"name": set_apart(names[lack.id]), "count": lack.missing}
        for lack in lacks
    ]
    return _(
        "Every player's character needs two best interests, and every NPC one."
        " Still missing: %(who)s."
    ) % {"who": ", ".join(told)}
