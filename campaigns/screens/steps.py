"""The steps of a chapter's setup in words: what happens at each, and what comes next."""

from __future__ import annotations

from campaigns.models import LATE, CastLine, Chapter, Part
from campaigns.services.making import joins_late
from campaigns.services.steps import has_begun
from campaigns.snapshot import Tale
from games.said import gettext as _

# Once it has been played a chapter goes back no further than this.
AFTER_THE_CHOOSING = (Chapter.Step.SHEETS, Chapter.Step.INTERESTS)


def step_title(step: str) -> str:
    """Return a step's name."""
    return {
        "coming_back": _("Who comes back?"),
        "oracle": _("Choose an oracle"),
        "pick": _("Pick an element"),
        "deal": _("Deal the cards"),
        "cast": _("Who is in this story?"),
        "choose": _("Choose whom you play"),
        "sheets": _("Make your characters"),
        "interests": _("Name best interests"),
        "play": _("Play"),
        "closing": _("The chapter ends"),
        "over": _("Over"),
    }[step]


def title_now(tale: Tale) -> str:
    """Return the heading of the step a chapter is at, true of how far that step has come."""
    assert tale.chapter
    if tale.chapter.step == Chapter.Step.CHOOSE:
        if everybody_chose(tale):
            return _("Everybody has chosen")
        if is_list_empty(tale):
            return _("Nobody is left to choose")
    return step_title(tale.chapter.step)


def is_in_the_making(tale: Tale) -> bool:
    """Tell whether the chapter has never got to play: until then sheets are made (WA-13, WA-98)."""
    chapter = tale.chapter
    if chapter is None or not chapter.is_setting_up:
        return False
    return chapter.step not in AFTER_THE_CHOOSING or not tale.memory.known(
        "has_begun", lambda: has_begun(chapter), tale.ground
    )


def is_joining(tale: Tale, part: Part) -> bool:
    """Tell whether somebody has come into a chapter that was played, and not into play yet."""
    is_late = tale.chapter is not None and tale.chapter.step in LATE
    return is_late and not is_in_the_making(tale) and joins_late(part)


def is_being_made(tale: Tale, part: Part) -> bool:
    """Tell whether somebody's sheet may still be made: her chapter, or she in it, never played."""
    return is_in_the_making(tale) or is_joining(tale, part)


def everybody_chose(tale: Tale) -> bool:
    """Tell whether every player who is here has a character, chosen or come back."""
    chosen = {line.taken_by_id for line in tale.cast}
    chosen |= {part.member_id for part in tale.parts if part.is_returning}
    here = [one.pk for one in tale.members if one.is_here]
    return bool(here) and chosen.issuperset(here)


def is_list_empty(tale: Tale) -> bool:
    """Tell whether nobody on the character list is free."""
    return not any(
        line.state == CastLine.State.OPEN and line.same_as_id is None for line in tale.cast
    )


def step_text(step: str) -> str:
    """Say what happens at a step, to people who have never done it."""
    return {
        "coming_back": _(
            "The owe list says whose story goes on. The character at its top comes back, "
            "played by the player it belongs to."
        ),
        "oracle": _(
            "An oracle is a kind of trouble. Choose first, look afterwards. It does not matter "
            "which player does it."
        ),
        "pick": _(
            "Whoever comes back picks one element: an entry of this oracle, or words of their own. "
            "Three cards bring the rest."
        ),
        "deal": _(
            "Four cards, four elements: the whole chapter grows out of them. A player deals on "
            "the phone, or types what a real deck shows."
        ),
        "cast": _(
            "Read the elements aloud. Who is named in them, and who must exist for them to make "
            "sense? Tap a phrase to put somebody on the list."
        ),
        "choose": _(
            "Every player takes one character; the GM gets all the rest. Whom would you like to "
            "see in trouble?"
        ),
        "sheets": _(
            "Everybody at once: a name, a few words, six dice on six ways of acting, perhaps a "
            "particular strength."
        ),
        "interests": _(
            "What would be best for your character? Two each, in turn, the GM first. Aim at "
            "somebody who can hit back: only then will your character be remembered."
        ),
    }.get(step, "")


def text_on_return(step: str, player: str, name: str) -> str:
    """Say what is otherwise at a step because somebody comes back (WA-85, WA-86, WA-93)."""
    text = {
        "oracle": _(
            "%(name)s comes back, so %(player)s chooses the oracle: which kind of trouble? "
            "Choose first, look afterwards."
        ),
        "pick": _(
            "%(player)s picks one element: an entry of this oracle, or words of their own. Three "
            "cards bring the rest. And when does this chapter take place: after the others, or "
            "long before? That is for %(player)s to say, and the GM writes it down."
        ),
        "deal": _(
            "Three cards beside the element that was picked. %(player)s deals on the phone, or "
            "types what a real deck shows."
        ),
    }.get(step, "")
    return text % {"player": player, "name": name} if text else ""


def on_label(step: str) -> str:
    """Return the words of the button that goes on from a step."""
    return {
        "coming_back": _("On to the oracle"),
        "oracle": _("On to the cards"),
        "pick": _("On to the cards"),
        "deal": _("Read them together"),
        "cast": _("Choose whom you play"),
        "choose": _("Make the sheets"),
        "sheets": _("Name best interests"),
        "interests": _("Begin to play"),
    }.get(step, "")
