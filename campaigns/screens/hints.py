"""What screens say beside the facts: who is waited for, and why it may be time to end."""

from __future__ import annotations

from collections import defaultdict

from campaigns.models import Chapter, Character, Offer
from campaigns.screens.cards import SheetCard
from campaigns.screens.fights import names_in
from campaigns.screens.people import not_yet_members
from campaigns.screens.steps import title_now
from campaigns.services.offers import other_side
from campaigns.services.steps import ORDER, fault_of_group
from campaigns.snapshot import Tale
from games.grammar import and_list, drawn_together
from games.models import Seat
from games.rules import wicked_sequence as ws
from games.rules.wicked_age import hints
from games.said import gettext as _
from games.said import ngettext
from games.snapshot import Snapshot

Step = Chapter.Step
BEFORE_THE_CHOOSING = ORDER[: ORDER.index(Step.CHOOSE)]
UP_TO_THE_CHOOSING = (*BEFORE_THE_CHOOSING, Step.CHOOSE)


def headline(tale: Tale) -> str:
    """Say in a line what the table is at."""
    if tale.campaign is None:
        return _("No campaign yet.")
    if tale.campaign.closed_at:
        return _("The campaign is told to its end.")
    chapter = tale.chapter
    if chapter is None:
        return (
            ngettext("%(count)s chapter is told.", "%(count)s chapters are told.", tale.chapters)
            % {"count": tale.chapters}
            if tale.chapters
            else _("The first chapter waits to be begun.")
        )
    if chapter.is_setting_up or chapter.step == Step.CLOSING:
        return title_now(tale)
    running = [s for s in tale.sequences if not s.is_held]
    if running:
        return running[0].act
    scene = next((s for s in tale.scenes if s.is_current), None)
    return scene.where if scene else chapter.title or _("The GM opens a scene.")


def waiting(tale: Tale) -> str:
    """Say whom the table waits for, and why; nothing where it waits for nobody."""
    running = [s for s in tale.sequences if not s.is_held]
    view = tale.view(running[0]) if running else None
    if view is None or view.phase is ws.Phase.BETWEEN:
        return ""
    # Whoever has made an offer has said what they have to say; the other has not (WA-70).
    asked = [
        other_side(offer)
        for offer in tale.offers.get(running[0].pk, ())
        if offer.state == Offer.State.OPEN
    ]
    names = names_in(tale, view)
    must = and_list([names[who] for who in asked[-1:] or view.must])
    waits = _("Waiting for %(names)s.") % {"names": must}
    return drawn_together(waits, must) if must else ""


def playing(tale: Tale, seat: Seat, sheet: SheetCard | None) -> str:
    """Say what a player does while no dice lie: nothing else on a phone asks for anything."""
    if tale.chapter is None or tale.chapter.step != Step.PLAY or tale.sequences:
        return ""
    if seat.is_gm and sheet is None:
        return _("You open scenes and play everybody else on your own page: “GM”, above.")
    if seat.is_gm or sheet is None or sheet.state not in Character.IN_PLAY:
        return ""
    return _("Say what your character does. If somebody would stop it, take up dice.")


def chapter_prompts(tale: Tale) -> tuple[str, ...]:
    """Say why it may be time to end the chapter (WA-82)."""
    if tale.chapter is None or tale.chapter.step != Step.PLAY:
        return ()
    pcs = [c for c in tale.characters.values() if c.is_pc]
    states: dict[str, list[str]] = defaultdict(list)
    for one in pcs:
        states[one.ref] = [i.state for i in tale.interests if i.character_id == one.pk]
    found = hints.chapter_hints(states, [c.ref for c in pcs if c.is_gone])
    texts = {
        "interests_settled": _("Every player's interests are achieved, lost or moot."),
        "one_pc_left": _("All players' characters but one are out."),
        "evening_over": _("The evening is over: a cliffhanger is a good end, too."),
    }
    return tuple(texts[key] for key in found)


def _is_between_chapters(tale: Tale) -> bool:
    is_open = tale.campaign is not None and not tale.campaign.closed_at
    return is_open and tale.chapter is None


def campaign_hints(tale: Tale) -> tuple[str, ...]:
    """Say why the campaign may be near its end, from the third chapter on (WA-84)."""
    if not _is_between_chapters(tale):
        return ()
    texts = {
        "first_names_gone": _("Nobody from the first two chapters is on the owe list any more."),
        "usual_length": _("A full game is about six to ten chapters."),
        "stories_done": _("Are the stories of those who kept coming back told?"),
        "situation_played_out": _("Is the trouble that began it all played out?"),
    }
    return tuple(texts[key] for key in hints.campaign_hints(tale.chapters, tale.owed_since))


def missing_players(now: Snapshot, tale: Tale) -> tuple[str, ...]:
    """Say between chapters that so many cannot play, while others can still be asked (WA-1)."""
    if not _is_between_chapters(tale):
        return ()
    refused = fault_of_group(players_counted(now, tale))
    return (refused,) if refused else ()


def players_fault(count: int, tale: Tale) -> str:
    """Say before the choosing that so many cannot get past it; the choosing itself says so too."""
    chapter = tale.chapter
    is_before = chapter is not None and chapter.step in BEFORE_THE_CHOOSING
    return (fault_of_group(count) or "") if is_before else ""


def players_hint(count: int, tale: Tale) -> str:
    """Say that three or four players are best (WA-1), or where they cannot play, that."""
    chapter = tale.chapter
    if chapter is not None and chapter.step in UP_TO_THE_CHOOSING and fault_of_group(count):
        return players_fault(count, tale)
    return {
        "few": _("Three or four players are best: with two, too few interests cross."),
        "many": _("Three or four players are best: with more, some will wait long."),
    }.get(hints.players_hint(count) or "", "")


def players_counted(now: Snapshot, tale: Tale) -> int:
    """Return how many play (WA-1): where few do, with who has just sat down, and can choose."""
    count = sum(one.is_here for one in tale.members)
    wanted = hints.BEST_PLAYERS[0] - count
    if wanted <= 0:
        return count
    new_players = sum(not seat.is_gm for seat in not_yet_members(now, tale))
    return count + min(new_players, wanted)
