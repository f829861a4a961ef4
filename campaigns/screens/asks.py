"""What a phone's dock asks of whoever holds it: the least that has to be drawn for it."""

from __future__ import annotations

from msgspec.structs import replace

from campaigns.screens.cards import BoardCard, MyCampaign, MyFighterCard, TalkCard
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
    asks = [_ask(me, rounds.get(me.sequence, 0)) for me in my.fighters]
    away = [me for me in my.fighters if "choose" in me.may or me.talks]
    goes, goes_to = _goes(my.fighters)
    between = _between(board, my)
    told = board.waiting if my.fighters else my.what_now
    is_asked = any(ask.is_due or ask.offers for ask in asks)
    talks = [talk for me in my.fighters for talk in me.talks]
    undo = (UndoCard(my.undo, my.undo_text),) if my.undo else ()
    begins = between is not None and _begins(between)
    is_busy = between is not None and (
        begins
        or between.may_go_on
        or between.writes
        or between.returns
        or between.ready
        or between.away
    )
    return AsksCard(
        asks=tuple(ask for ask in asks if ask.is_due or ask.offers),
        is_asked=is_asked,
        is_away=bool(away),
        is_turn=goes not in ("", "said") or any(map(_is_turn, asks)),
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
        is_busy=bool(is_asked or away or is_busy or my.claims or undo),
    )


def _may_start(board: BoardCard, my: MyCampaign) -> bool:
    is_there = my.sheet is not None and my.sheet.state == "active" and not my.sheet.is_joining
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
                goes = goes if goes[0] else ("said", _other(talk))
            elif talk.may_settle:
                goes = ("won", talk.loser)
            elif goes[0] in ("", "said"):
                goes = ("talk", _other(talk))
    return goes


def _other(talk: TalkCard) -> str:
    return talk.winner if talk.me == talk.loser_id else talk.loser


def _between(board: BoardCard, my: MyCampaign) -> BetweenCard | None:
    setup = board.chapter.setup if board.chapter else None
    sheet = my.sheet
    is_joining = sheet is not None and sheet.is_joining
    is_away = my.member is not None and my.member.is_away and not _is_ending(board)
    if setup is None and not (is_joining or is_away or HERE & my.may):
        return None
    is_made_now = is_joining or (setup is not None and setup.step in ("sheets", "interests"))
    may_go_on = (
        setup is not None and not setup.refusal and not my.may.isdisjoint({"step_on", "begin_play"})
    )
    wants_interest = (
        (setup.step == "interests" if setup else is_joining)
        and sheet is not None
        and bool(sheet.name)
        and len(sheet.interests) < interests.NEEDED["pc"]
    )
    is_unsaid = is_made_now and sheet is not None and bool(sheet.name) and not sheet.is_ready
    is_open = sheet is not None and sheet.back is not None and sheet.back.is_open
    is_nameless = is_made_now and sheet is not None and not sheet.name
    made = BetweenCard(
        may=my.may & HERE,
        number=board.chapters + 1,
        setup=setup,
        wants_interest=wants_interest,
        writes=sheet.url if sheet and is_nameless and sheet.may_write else "",
        returns=sheet.id if sheet and is_open and is_made_now else 0,
        ready=sheet.id if sheet and is_unsaid and not (wants_interest or is_open) else 0,
        away=my.member.id if my.member and is_away else 0,
        may_go_on=may_go_on,
        waits=False,
    )
    waits = (
        setup is not None
        # Where nothing is missing any more, the GM alone has the button.
        and (bool(setup.refusal) or setup.step == "interests")
        and not (_begins(made) or may_go_on)
        and my.may.isdisjoint({"choose_oracle", "pick_element"})
    )
    return replace(made, waits=waits)


def _is_ending(board: BoardCard) -> bool:
    return board.chapter is not None and board.chapter.step == "closing"


def _begins(between: BetweenCard) -> bool:
    if "bring_back" in between.may and between.setup and between.setup.top:
        return True
    return not between.may.isdisjoint({"begin_campaign", "open_chapter", "deal_cards"})
