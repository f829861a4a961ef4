"""What one seat's phone shows of a campaign and offers beside what everybody sees."""

from __future__ import annotations

from typing import Any

from campaigns.models import LATE, Chapter, Member, Part
from campaigns.screens.cards import MyCampaign, SheetCard
from campaigns.screens.cards.chapter import SetupCard
from campaigns.screens.former import former_cards
from campaigns.screens.hints import playing, waiting
from campaigns.screens.newest import news_of, own_lasts
from campaigns.screens.people import (
    is_player,
    label_of,
    may_join,
    member_card,
    member_cards,
    plays_for_good,
    sheet_card,
    who_comes_back,
)
from campaigns.screens.returning import with_return
from campaigns.screens.setup import setup_card, turn_to_name
from campaigns.screens.steps import everybody_chose, is_joining, is_list_empty
from campaigns.screens.turns import my_fighters
from campaigns.services.making import busy_in
from campaigns.services.members import has_own_phone
from campaigns.snapshot import Tale
from games.grammar import drawn_together
from games.models import Seat
from games.said import gettext as _
from games.screens.cards import Choice
from games.snapshot import Snapshot

Step = Chapter.Step
CAST_IS_SET = (Step.SHEETS, Step.INTERESTS, Step.PLAY, Step.CLOSING)


def my_campaign(now: Snapshot, seat: Seat) -> MyCampaign:
    """Build what the holder of a seat sees of its own and may do."""
    tale: Tale = now.more
    known, newest = tale.memory.known, (now.events, now.undone)
    lasting = known(
        ("my_campaign", now.table.code),
        lambda: _lasting(now, tale, seat),
        *(tale.ground, seat.pk, seat.is_gm),
    )
    by, news = known("news", lambda: news_of(now), *newest)
    lasts = known("own_lasts", lambda: own_lasts(now), *newest, tale.recent)
    sheet, taken = lasting["sheet"], busy(tale)
    undo, undo_text = lasts.get(seat.pk, (None, ""))
    told = lasting["what_now"] or waiting(tale) or playing(tale, seat, sheet)
    is_busy = sheet is not None and sheet.id in taken
    is_out = sheet is not None and sheet.id in lasting["gone"]
    may = lasting["may"]
    if (is_busy or is_out) and not seat.is_gm:
        may = may - {"start_sequence"}
    return MyCampaign(
        fighters=my_fighters(now, tale, seat),
        news=news if by != seat.pk else "",
        undo=undo,
        undo_text=undo_text,
        busy=taken,
        is_busy=is_busy,
        **{**lasting, "may": may, "what_now": told},
    )


def _lasting(now: Snapshot, tale: Tale, seat: Seat) -> dict[str, Any]:
    """Return the parts that no dice change."""
    me = tale.member_at(seat)
    own = _own_sheets(now, tale, seat)
    sheet = next((s for s in own if s.is_pc and s.in_chapter), None)
    may = frozenset(_may(now, seat, me, sheet))
    return {
        "member": member_card(tale, me, seat),
        "sheet": sheet,
        "others": tuple(s for s in own if s is not sheet and s.in_chapter),
        "may": may,
        "what_now": what_now(tale, seat, may),
        "turn": turn_to_name(tale, seat),
        "claims": tuple(m for m in member_cards(tale, tale.members, seat) if m.may_claim)
        if _may_be_another(tale, seat, me)
        else (),
        "former": former_cards(now, tale, seat, me) if me else (),
        "everybody": tuple(
            Choice(p.character_id, label_of(p.character), p.member.name if p.member else "")
            for p in tale.parts
        ),
        "gone": frozenset(
            p.character_id for p in tale.parts if p.character.is_gone or is_joining(tale, p)
        ),
    }


def _may_be_another(tale: Tale, seat: Seat, me: Member | None) -> bool:
    """Tell whether whoever holds a seat may still say that they are a member of before."""
    return me is None or (me.pk in tale.newcomers and not seat.is_gm)


def busy(tale: Tale) -> frozenset[int]:
    """Return who has dice in a sequence, or has yet to pay in one: that one comes first."""
    refs = {ref for state in tale.states.values() for ref in busy_in(state)}
    return frozenset(c.pk for c in tale.characters.values() if c.ref in refs)


def _own_sheets(now: Snapshot, tale: Tale, seat: Seat) -> tuple[SheetCard, ...]:
    """List the sheets of this chapter that the seat plays, with the choice of one who returns."""
    cards = []
    for part in tale.parts:
        if _is_played_by(tale, part, seat):
            card = sheet_card(now, tale, part.character, seat)
            cards.append(with_return(tale, card, part, part.character))
    return tuple(cards)


def _may(now: Snapshot, seat: Seat, me: Member | None, sheet: SheetCard | None) -> list[str]:
    """List the actions that this seat may do beside its dice, as its screens offer them."""
    tale: Tale = now.more
    if tale.campaign is None:
        return ["begin_campaign"] if seat.is_gm else []
    chapter = tale.chapter
    if chapter is None:
        return [] if tale.campaign.closed_at else ["open_chapter"]
    chooses = _chooses(tale, seat, me)
    takes = is_player(me, seat) and not plays_for_good(tale, me)
    found = {
        Step.COMING_BACK: ["bring_back", "decline_return", "step_on"],
        Step.ORACLE: ["choose_oracle"] if chooses else [],
        Step.PICK: ["pick_element"] if chooses else [],
        Step.DEAL: ["deal_cards", "type_cards"] if chooses else [],
        Step.CAST: ["add_cast", "step_on"],
        Step.CHOOSE: ["add_cast", "step_on", *(["take_cast"] if takes else [])],
        Step.SHEETS: ["add_cast", "step_on"],
        Step.INTERESTS: ["name_interest"],
        Step.PLAY: ["name_interest", "start_sequence"],
        Step.CLOSING: ["write_epilogue"],
    }[Step(chapter.step)]
    if chapter.step == Step.COMING_BACK and not (seat.is_gm or _comes_back(tale, seat)):
        found = []
    if chapter.is_setting_up:
        found += _ways(chapter, setup_card(now, tale))
    if seat.is_gm and chapter.step == Step.INTERESTS:
        found = [*found, "begin_play"]
    if not (sheet or seat.is_gm or chapter.is_setting_up):
        found = []
    return [*found, "add_cast", "take_cast"] if may_join(tale, me, seat) else found


def _ways(chapter: Chapter, setup: SetupCard) -> list[str]:
    """List the ways out of a step, on where it was done already and the setup has gone back."""
    is_done_again = chapter.step in (Step.ORACLE, Step.PICK, Step.DEAL) and not setup.refusal
    return [*(["step_on"] if is_done_again else []), *(["step_back"] if setup.back_label else [])]


def _chooses(tale: Tale, seat: Seat, me: Member | None) -> bool:
    """Tell whether this seat chooses the oracle and deals (WA-3, WA-6, WA-86)."""
    chapter = tale.chapter
    assert chapter
    if chapter.returning_id:
        part = tale.part_of(chapter.returning_id)
        player = part.member if part else None
        if player is not None and player.seat_id == seat.pk:
            return True
        return seat.is_gm and not (player is not None and has_own_phone(player, seat))
    if seat.is_gm:
        return not any(has_own_phone(one, seat) for one in tale.members)
    return is_player(me, seat)


def _comes_back(tale: Tale, seat: Seat) -> bool:
    """Tell whether this seat's character is the one who would come back (WA-85)."""
    top = who_comes_back(tale, seat)
    return top is not None and top.is_mine


def _plays_already(tale: Tale, seat: Seat) -> str:
    """Tell who plays somebody who has come back that there is nothing left to choose (WA-89)."""
    for part in tale.parts:
        if part.is_returning and part.member and part.member.seat_id == seat.pk:
            name = label_of(part.character)
            return drawn_together(_("You play %(name)s. The others choose.") % {"name": name}, name)
    return ""


def _plays(tale: Tale, seat: Seat) -> bool:
    return any(_is_played_by(tale, part, seat) for part in tale.parts)


def _is_played_by(tale: Tale, part: Part, seat: Seat) -> bool:
    holder = tale.holder_of(part.character)
    return holder is not None and holder.seat_id == seat.pk


def _choosing(tale: Tale, seat: Seat) -> str:
    if everybody_chose(tale):
        return _("Everybody has chosen: the sheets come next.")
    has_one = any(
        (taker := tale.member(line.taken_by_id)) and taker.seat_id == seat.pk for line in tale.cast
    )
    if is_list_empty(tale) and not has_one:
        return _("Nobody is left to choose: add somebody to the list.")
    return _("Tap the one you want to play.")


def what_now(tale: Tale, seat: Seat, may: frozenset[str]) -> str:
    """Say in one sentence what this seat can do; nothing where it only waits."""
    chapter = tale.chapter
    if tale.campaign is None:
        if seat.is_gm:
            return _("Begin a campaign: everybody who sits here is in it.")
        return _("The GM begins the campaign.")
    if chapter is None:
        return _("Begin when everybody is here.") if "open_chapter" in may else ""
    if chapter.step in CAST_IS_SET and not seat.is_gm and not _plays(tale, seat):
        if "take_cast" in may:
            return _("The others have chosen. Whom do you play?")
        if chapter.step in LATE and any(m.is_away and m.seat_id == seat.pk for m in tale.members):
            return ""
        return _("You play nobody in this chapter: watch, and choose somebody in the next.")
    if any(is_joining(tale, part) and _is_played_by(tale, part, seat) for part in tale.parts):
        return _("Make your character while the others go on, and say when the sheet is ready.")
    texts = {
        Step.ORACLE: _("Choose an oracle, any of them.") if "choose_oracle" in may else "",
        Step.PICK: _("Pick an element.") if "pick_element" in may else "",
        Step.DEAL: _("Deal the cards.") if "deal_cards" in may else "",
        Step.CAST: _("Read them aloud, and tap whoever is in them."),
        Step.CHOOSE: _plays_already(tale, seat) or _choosing(tale, seat),
        Step.SHEETS: _("Make your character.") if not seat.is_gm else _("Make the others."),
        Step.INTERESTS: _("What would be best for your character? Name two interests.")
        if not seat.is_gm
        else _("What would be best for the NPCs? Name one interest each, two for the strongest."),
        Step.CLOSING: _("Say what came of your interests, and add a last line."),
    }
    return texts.get(Step(chapter.step), "")
