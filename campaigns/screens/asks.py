"""What a phone's dock asks of whoever holds it: the least that has to be drawn for it."""

from __future__ import annotations

from msgspec.structs import replace

from campaigns.models import Character
from campaigns.screens.cards import BoardCard, MyCampaign, MyFighterCard, SheetCard
from campaigns.screens.cards.seats import AskCard, AsksCard, BetweenCard, UndoCard
from games.rules.wicked_age import interests

IN_DOCK = frozenset({"roll", "back_away", "press", "move", "let_pass", "step_in", "next_round"})
# What everybody may do and nobody has to: nobody waits for it.
FREE = frozenset({"step_in", "next_round"})
# What of the campaign is done in the dock.
HERE = frozenset(
    {
        "begin_campaign",
        "open_chapter",
        "bring_back",
        "decline_return",
        "pick_element",
        "deal_cards",
        "choose_oracle",
        "step_on",
        "begin_play",
    }
)


def asks_of(board: BoardCard, my: MyCampaign) -> AsksCard:
    """Gather what is asked of a seat."""
    rounds = {fight.id: fight.round for fight in board.fights}
    asks = (_ask(me, rounds.get(me.sequence, 0)) for me in my.fighters)
    due = tuple(ask for ask in asks if ask.is_due or ask.offers)
    is_away = any("choose" in me.may or me.talks for me in my.fighters)
    goes, goes_to = _goes(my.fighters)
    between = _between(board, my)
    told = board.waiting if my.fighters else my.what_now
    talks = [talk for me in my.fighters for talk in me.talks]
    undo = (UndoCard(my.undo, my.undo_text),) if my.undo else ()
    return AsksCard(
        asks=due,
        is_asked=bool(due),
        is_away=is_away,
        is_turn=goes not in ("", "said") or any(map(_is_turn, due)),
        goes=goes,
        goes_to=goes_to,
        place=f"talk-{talks[0].sequence}-{talks[0].me}-{talks[0].other}" if talks else "fight",
        claims=my.claims,
        is_known=my.member is not None,
        told=told,
        may_start=_may_start(board, my),
        is_waiting=told == board.waiting or not board.chapter,
        between=(between,) if between else (),
        undo=undo,
        is_busy=bool(due or is_away or my.claims or undo or (between and _is_busy(between))),
    )


def _may_start(board: BoardCard, my: MyCampaign) -> bool:
    sheet = my.sheet
    is_there = sheet is not None and sheet.state in Character.IN_PLAY and not sheet.is_joining
    return is_there and not board.fights and "start_sequence" in my.may


def _ask(me: MyFighterCard, number: int) -> AskCard:
    offers = tuple(offer for talk in me.talks for offer in talk.offers if offer.may_take)
    return AskCard(me, number, is_due=bool(IN_DOCK & me.may), offers=offers)


def _is_turn(ask: AskCard) -> bool:
    """Tell whether the table waits for this; who backs away from a tie has said so (WA-52)."""
    free = FREE if "back_away" in ask.me.may else FREE | {"press"}
    return bool(ask.offers or (IN_DOCK - free) & ask.me.may)


def _goes(fighters: tuple[MyFighterCard, ...]) -> tuple[str, str]:
    """Return what waits further up: what was won first, then dice, then talk."""
    goes = ("", "")
    for me in fighters:
        if "choose" in me.may:
            goes = ("dice", "")
        for talk in me.talks:
            if any(offer.is_mine for offer in talk.offers):
                # She may say something else up there, but it is the other's turn to speak.
                goes = goes if goes[0] else ("said", talk.other_name)
            elif talk.may_settle:
                goes = ("won", talk.loser)
            elif goes[0] in ("", "said"):
                goes = ("talk", talk.other_name)
    return goes


def _between(board: BoardCard, my: MyCampaign) -> BetweenCard | None:
    """Return what is asked beside the dice, or None in the middle of a chapter for nothing."""
    setup = board.chapter.setup if board.chapter else None
    sheet = my.sheet
    is_joining = sheet is not None and sheet.is_joining
    is_away = my.member is not None and my.member.is_away and not _is_ending(board)
    if setup is None and not (is_joining or is_away or HERE & my.may):
        return None
    goes_on = not my.may.isdisjoint({"step_on", "begin_play"})
    made = BetweenCard(
        may=my.may & HERE,
        number=board.chapters + 1,
        setup=setup,
        may_go_on=goes_on and setup is not None and not setup.refusal,
        away=my.member.id if my.member and is_away else 0,
    )
    if sheet is not None and (is_joining or (setup and setup.step in ("sheets", "interests"))):
        names_interests = setup.step == "interests" if setup else is_joining
        made = _with_sheet(made, sheet, names_interests=names_interests)
    return replace(made, waits=_waits(made, my.may))


def _with_sheet(made: BetweenCard, sheet: SheetCard, *, names_interests: bool) -> BetweenCard:
    """Add what is asked of somebody whose sheet is being made."""
    is_back = sheet.back is not None and sheet.back.is_open
    lacks_one = len(sheet.interests) < interests.NEEDED["pc"]
    wants_interest = names_interests and bool(sheet.name) and lacks_one
    is_unsaid = bool(sheet.name) and not sheet.is_ready
    return replace(
        made,
        wants_interest=wants_interest,
        writes=sheet.url if not sheet.name and sheet.may_write else "",
        returns=sheet.id if is_back else 0,
        ready=sheet.id if is_unsaid and not (wants_interest or is_back) else 0,
    )


def _waits(between: BetweenCard, may: frozenset[str]) -> bool:
    """Tell whether others have to do something in the setup, and this seat nothing."""
    setup = between.setup
    if setup is None or between.may_go_on or _begins(between):
        return False
    if not may.isdisjoint({"choose_oracle", "pick_element"}):
        return False
    # Where nothing is missing any more, the GM alone has the button.
    return bool(setup.refusal) or setup.step == "interests"


def _is_busy(between: BetweenCard) -> bool:
    """Tell whether there is something to do for this seat."""
    asked = between.writes or between.returns or between.ready or between.away
    return bool(asked or between.may_go_on or _begins(between))


def _is_ending(board: BoardCard) -> bool:
    return board.chapter is not None and board.chapter.step == "closing"


def _begins(between: BetweenCard) -> bool:
    if "bring_back" in between.may and between.setup and between.setup.top:
        return True
    return not between.may.isdisjoint({"begin_campaign", "open_chapter", "deal_cards"})
