"""A chapter from its opening to play: steps on and back, its place in time, its title."""

from __future__ import annotations

from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.deeds.oracle import take_away
from campaigns.models import LINE, NAME, Campaign, Chapter
from campaigns.services.casting import let_go, make_sheets, put_away
from campaigns.services.chapters import check_no_dice, move_along, order_beside
from campaigns.services.finding import (
    campaign_of,
    chapter_named,
    chapter_of,
    check_own,
    open_chapter_of,
    part_of_returning,
)
from campaigns.services.making import come_into_play, joins_late, tell_who_joins
from campaigns.services.members import settle_gm
from campaigns.services.numbers import next_number
from campaigns.services.people import seat_everybody
from campaigns.services.returning import send_back, top_of
from campaigns.services.steps import (
    BEGUN,
    fault_of_step,
    following,
    has_begun,
    is_played,
    preceding,
)
from campaigns.services.telling import narrate
from games.errors import Forbidden, Malformed, MovedOn
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.host import is_gm
from games.services.ledger import drop, keep, lean
from games.text import clean_line

Step = Chapter.Step
Placement = Chapter.Placement


@deed(actions.OpenChapter, may="seat")
def open_chapter(change: Change, action: actions.OpenChapter, tap: Tap) -> None:
    """Begin the next chapter: with whoever is at the top of the owe list, if she is here (WA-85).

    It lies after all others in time until somebody says otherwise (WA-93).
    """
    campaign = campaign_of(change)
    if campaign.closed_at is not None:
        raise MovedOn(_("This campaign is over. The GM can open it again."))
    if open_chapter_of(campaign):
        raise MovedOn(_("A chapter is under way already."))
    lean(change, campaign, "closed_at")
    for told in campaign.chapters.order_by("-number")[:1]:
        # Whoever opens that one again by an undo puts this one away: there is one at a time.
        lean(change, told, "step")
    seat_everybody(change, campaign)
    latest = campaign.chapters.order_by("-story_order", "-number").first()
    chapter = Chapter(
        campaign=campaign,
        number=next_number(campaign.chapters),
        step=Step.COMING_BACK if top_of(campaign) else Step.ORACLE,
        placement=Placement.AFTER if latest else Placement.UNKNOWN,
        beside=latest,
        story_order=latest.story_order + 1 if latest else 1,
        gm_name=_gm_name(campaign),
    )
    keep(change, chapter)
    change.log("chapter_opened", number=chapter.number)


def _gm_name(campaign: Campaign) -> str:
    gm = campaign.members.filter(is_gm=True, has_left=False).order_by("seat").first()
    return gm.name if gm else ""


@deed(actions.DropChapter)
def drop_chapter(change: Change, action: actions.DropChapter, tap: Tap) -> None:
    """Put away a chapter that has not got to play; who had come back waits on the list again."""
    chapter = chapter_of(change)
    if is_played(chapter):
        raise MovedOn(_("This chapter has been played: end it instead."))
    for part in chapter.parts.select_related("character", "chapter"):
        if part.is_returning:
            send_back(change, part)
        else:
            put_away(change, chapter, part.character)
    for line in chapter.cast_lines.exclude(same_as=None):
        line.same_as = None
        keep(change, line)
    for other in Chapter.objects.filter(beside=chapter):
        other.beside = None
        keep(change, other)
    for owed in chapter.campaign.owed.filter(chapter=chapter):
        owed.chapter = None
        keep(change, owed)
    for row in (
        *chapter.interests.all(),
        *chapter.scenes.all(),
        *chapter.cast_lines.all(),
        *chapter.elements.all(),
        *chapter.moments.all(),
    ):
        drop(change, row)
    drop(change, chapter)
    change.log("chapter_put_away", number=chapter.number)


def _chapter_at(change: Change, step: str) -> Chapter:
    """Return the chapter, at the step that whoever pressed has seen.

    Two phones that press at once would go two steps: past one that nobody has looked at, or back
    to the owe list, where who had come back is sent away.
    """
    return chapter_of(change, step) if step else chapter_of(change)


@deed(actions.StepOn, may="seat")
def step_on(change: Change, action: actions.StepOn, tap: Tap) -> None:
    """Go on to the next step of the setup, when this one waits for nobody any more."""
    chapter = _chapter_at(change, action.at_step)
    settle_gm(change, chapter.campaign)
    to = following(chapter)
    if to is None:
        raise MovedOn(_("The setup is over."))
    if to == Step.PLAY:
        raise MovedOn(_("The GM begins the chapter."))
    if to == Step.SHEETS:
        _free_the_gms(change, chapter)
    if fault := fault_of_step(chapter):
        raise MovedOn(fault)
    if to == Step.SHEETS:
        make_sheets(change, chapter)
    chapter.step = to
    keep(change, chapter)
    change.log("setup_moved", step=to)


def _free_the_gms(change: Change, chapter: Chapter) -> None:
    """Give back to the list what whoever is the GM by now had chosen as a player (WA-11).

    A character of an earlier chapter stays: the GM may use one with her player's word (WA-88).
    """
    former = chapter.parts.filter(is_returning=True).values("character")
    lines = chapter.cast_lines.filter(taken_by__is_gm=True).exclude(character__in=former)
    for line in lines.select_related("taken_by"):
        assert line.taken_by
        let_go(change, chapter, line.taken_by)


@deed(actions.StepBack, may="seat")
def step_back(change: Change, action: actions.StepBack, tap: Tap) -> None:
    """Go back one step; what stands on the sheets and lists stays there."""
    chapter = _chapter_at(change, action.at_step)
    to = preceding(chapter)
    if to is None and has_begun(chapter):
        raise MovedOn(_("The chapter has been played: who is in it stands."))
    if to is None:
        raise MovedOn(_("This is the first step. The GM can put the chapter away."))
    if not chapter.is_setting_up and not is_gm(change):
        raise Forbidden(_("Only the GM goes back from here."))
    if chapter.step == Step.PLAY:
        check_no_dice(change, chapter, _("Dice are on the table. Play them to their end first."))
    if to == Step.COMING_BACK:
        _ask_again(change, chapter)
    chapter.step = to
    keep(change, chapter)
    change.log("setup_went_back", step=to)


def _ask_again(change: Change, chapter: Chapter) -> None:
    """Let the owe list's top decide anew: whoever had come back has not."""
    part = part_of_returning(chapter)
    if part is not None:
        send_back(change, part)
    chapter.returning, chapter.declined = None, []
    take_away(change, chapter, chapter.elements.filter(is_picked=True))


@deed(actions.BeginPlay)
def begin_play(change: Change, action: actions.BeginPlay, tap: Tap) -> None:
    """Begin the chapter, once everybody has the interests that the rules ask for (WA-31, WA-32).

    From now on what each part held `before` is the sheet with which it was begun. When a chapter
    goes on that is so of who has joined it.
    """
    chapter = chapter_of(change, Step.INTERESTS)
    settle_gm(change, chapter.campaign)
    if fault := fault_of_step(chapter):
        raise MovedOn(fault)
    is_first_time = not has_begun(chapter)
    parts = list(chapter.parts.select_related("character", "member", "chapter"))
    new = [part for part in parts if is_first_time or joins_late(part)]
    for part in new:
        come_into_play(change, part)
    chapter.step, chapter.gm_name = Step.PLAY, _gm_name(chapter.campaign)
    keep(change, chapter)
    if is_first_time:
        _tell_setup(change, chapter)
    else:
        change.log("play_went_on", number=chapter.number)
        for part in new:
            tell_who_joins(change, part)


def _tell_setup(change: Change, chapter: Chapter) -> None:
    """Keep for the chronicle what the chapter began with; until now anything could change."""
    elements = chapter.elements.filter(is_struck=False)
    narrate(
        change,
        chapter,
        "premise_told",
        title=chapter.oracle_title,
        by=chapter.chooser.name if chapter.chooser else "",
        texts=[row.text for row in elements],
    )
    parts = list(chapter.parts.select_related("character", "member"))
    narrate(
        change,
        chapter,
        "cast_told",
        pcs=[
            {
                "name": part.character.name,
                "by": part.member.name if part.member else "",
                "is_returning": part.is_returning,
                "how": part.came_back_as,
            }
            for part in parts
            if part.character.is_pc
        ],
        npcs=[part.character.name for part in parts if not part.character.is_pc],
    )
    narrate(change, chapter, BEGUN, number=chapter.number, title=chapter.title)


# --- time and title (WA-93) ----------------------------------------------------------------------
@deed(actions.PlaceChapter, may="seat")
def place_chapter(change: Change, action: actions.PlaceChapter, tap: Tap) -> None:
    """Say when a chapter lies: the GM writes it, and in the setup the returning player (WA-93)."""
    chapter = chapter_named(change, action.chapter)
    _check_may_place(change, chapter)
    beside = chapter_named(change, action.beside) if action.beside else None
    if action.placement == Placement.UNKNOWN.value:
        beside = None
    elif beside is None or beside.pk == chapter.pk:
        raise Malformed(_("Before, after or beside which other chapter?"), field="beside")
    chapter.placement, chapter.beside = action.placement, beside
    chapter.when_and_where = clean_line(action.when_and_where, field="when_and_where", longest=LINE)
    if beside is not None:
        chapter.story_order = order_beside(chapter, beside)
    keep(change, chapter)
    move_along(change, chapter)
    change.log(
        "chapter_placed",
        number=chapter.number,
        placement=chapter.placement,
        beside=beside.number if beside else 0,
        text=chapter.when_and_where,
    )


def _check_may_place(change: Change, chapter: Chapter) -> None:
    if is_gm(change):
        return
    part = part_of_returning(chapter)
    if part is None or part.member is None or not chapter.is_setting_up:
        raise Forbidden(_("Only the GM says when a chapter takes place."))
    check_own(change, part.member)


@deed(actions.NameChapter)
def name_chapter(change: Change, action: actions.NameChapter, tap: Tap) -> None:
    """Give a chapter its title, or take it away."""
    chapter = chapter_named(change, action.chapter)
    title = clean_line(action.title, field="title", longest=NAME)
    if title == chapter.title:
        return
    chapter.title = title
    keep(change, chapter)
    change.log("chapter_named", number=chapter.number, title=chapter.title)
