"""The oracle and the story sheet: choosing, picking, dealing, writing (WA-3 to 8, WA-86)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from campaigns import actions
from campaigns.models import CHOOSING, NAME, Chapter, Element
from campaigns.services.casting import lines_of, off_list
from campaigns.services.finding import chapter_of, element_of
from campaigns.services.numbers import next_number
from campaigns.services.oracles import oracle_of
from campaigns.services.people import player_who_chooses
from campaigns.services.steps import MOST_ELEMENTS, elements_needed, following
from campaigns.words import card_name
from games.errors import Malformed, MovedOn, NotFound
from games.rules.dice import RecordedDice, SystemDice
from games.rules.engine import IllegalAction
from games.rules.wicked_age.cards import CARDS, deal, read_cards
from games.rules.wicked_age.entries import Entry, Oracle
from games.rules.wicked_age.oracles import deal_numbers, entry_for, goes_by_card
from games.services.act import Tap, deed
from games.services.change import Change
from games.services.ledger import drop, keep, lean
from games.services.refusing import look_again, refused
from games.text import as_sentence, clean_line

LONGEST_ELEMENT = 400

Step = Chapter.Step


def _go_on(change: Change, chapter: Chapter) -> None:
    chapter.step = following(chapter) or chapter.step
    keep(change, chapter)


def _doer(change: Change) -> str:
    return change.seat.name if change.seat else ""


@deed(actions.ChooseOracle, may="seat", stops_in_pause=True)
def choose_oracle(change: Change, action: actions.ChooseOracle, tap: Tap) -> None:
    """Choose the oracle, and look afterwards (WA-3, WA-6, WA-86)."""
    chapter = chapter_of(change, Step.ORACLE)
    chooser = player_who_chooses(change, chapter)
    oracle = oracle_of(change.table, action.oracle)
    if chapter.oracle != oracle.id:
        # What another oracle has read out is none of this one's entries (WA-7); own words stay.
        read_out = [row for row in chapter.elements.all() if row.card or not row.is_picked]
        take_away(change, chapter, read_out)
    chapter.oracle, chapter.oracle_title = oracle.id, oracle.title[:NAME]
    chapter.chooser = chooser
    _go_on(change, chapter)
    by = chooser.name if chooser else _doer(change)
    change.log("oracle_chosen", title=chapter.oracle_title, by=by)


@deed(actions.PickElement, may="seat", stops_in_pause=True)
def pick_element(change: Change, action: actions.PickElement, tap: Tap) -> None:
    """Pick the element to be in (WA-86): an entry, whose card is dealt no more, or own words."""
    chapter = chapter_of(change, Step.PICK)
    picker = player_who_chooses(change, chapter)
    own = clean_line(action.text, field="text", longest=LONGEST_ELEMENT)
    if bool(own) == bool(action.entry):
        raise Malformed(
            _("Pick one entry of the oracle, or write a line of your own."), field="text"
        )
    former = list(chapter.elements.filter(is_picked=True))
    if not former:
        # What lies was dealt before anybody came back: four, and she picks one of four.
        _clear_dealt(change, chapter)
    take_away(change, chapter, former)
    element = Element(chapter=chapter, order=1, text=own, is_picked=True)
    if action.entry:
        oracle = oracle_of(change.table, chapter.oracle)
        if action.entry > len(oracle.entries):
            raise NotFound(_("This oracle has no such entry."))
        entry = oracle.entries[action.entry - 1]
        _fill(element, _card_of(oracle, entry), entry)
        if chapter.elements.filter(card=element.card).exists():
            # It was dealt before: the others come from a deck without it, so they are dealt anew.
            _clear_dealt(change, chapter)
    keep(change, element)
    _go_on(change, chapter)
    change.log("element_picked", text=element.text, by=picker.name if picker else _doer(change))


def _card_of(oracle: Oracle, entry: Entry) -> str:
    """Return the card with which an entry would be dealt; a number where there are no cards."""
    place = oracle.entries.index(entry) + 1
    if not goes_by_card(oracle):
        return str(place)
    return next(card for card in _deck(oracle) if _entry(oracle, card) == entry)


def _deck(oracle: Oracle) -> Sequence[str]:
    return CARDS if goes_by_card(oracle) else [str(n + 1) for n in range(len(oracle.entries))]


def _entry(oracle: Oracle, card: str) -> Entry:
    return entry_for(oracle, card) if goes_by_card(oracle) else oracle.entries[int(card) - 1]


def _fill(element: Element, card: str, entry: Entry) -> None:
    element.card, element.text = card, entry.text
    element.implied, element.cautions = list(entry.implied), list(entry.cautions)


# --- the cards (WA-7) ----------------------------------------------------------------------------
@deed(actions.DealCards, may="seat", stops_in_pause=True)
def deal_cards(change: Change, action: actions.DealCards, tap: Tap) -> None:
    """Deal four, or three beside a picked element; a player's phone deals (WA-3, WA-86)."""
    chapter = chapter_of(change, Step.DEAL)
    player_who_chooses(change, chapter)
    oracle = oracle_of(change.table, chapter.oracle)
    picked = _cards_of(chapter.elements.filter(is_picked=True))
    cards = _deal(change, oracle, elements_needed(chapter), picked)
    _lay_out(change, chapter, oracle, cards)


@deed(actions.TypeCards, may="seat", stops_in_pause=True)
def type_cards(change: Change, action: actions.TypeCards, tap: Tap) -> None:
    """Read the cards that a deck on the table has dealt (WA-2, WA-7)."""
    chapter = chapter_of(change, Step.DEAL)
    player_who_chooses(change, chapter)
    oracle = oracle_of(change.table, chapter.oracle)
    count = elements_needed(chapter)
    if goes_by_card(oracle):
        cards = _read_cards(change, action.cards, count)
    else:
        cards = _read_numbers(oracle, action.cards, count)
    picked = _cards_of(chapter.elements.filter(is_picked=True))
    if twice := [card for card in cards if card in picked]:
        text = _("%(card)s has been picked already: draw another card.")
        raise Malformed(text % {"card": card_name(twice[0])}, field="cards")
    _lay_out(change, chapter, oracle, cards)


def _read_cards(change: Change, text: str, count: int) -> Sequence[str]:
    assert change.seat
    hand = read_cards(text, count, change.seat.language)
    if hand.errors:
        # A card by its sign: "3H" says nothing to a hand that has typed 3C, of corazones.
        faults = [as_sentence(_(one.why) % {"what": card_name(one.what)}) for one in hand.errors]
        raise Malformed(" ".join(faults), field="cards")
    return hand.cards


def _read_numbers(oracle: Oracle, text: str, count: int) -> Sequence[str]:
    """Read the numbers of entries, for an oracle that has no cards."""
    words = text.replace(",", " ").replace(";", " ").split()
    known = _deck(oracle)
    if len(words) != count or len(set(words)) != count or not set(words) <= set(known):
        asked = {"count": count, "most": len(known)}
        text = _("Type %(count)s different numbers from 1 to %(most)s.")
        raise Malformed(text % asked, field="cards")
    return words


@deed(actions.DealMore)
def deal_more(change: Change, action: actions.DealMore, tap: Tap) -> None:
    """Deal one card more, when a player finds nothing to play and the GM agrees (WA-7).

    A chapter of an older release may have had two more: it keeps them.
    """
    chapter = chapter_of(change, *CHOOSING)
    if chapter.elements.count() >= MOST_ELEMENTS:
        raise MovedOn(_("By the rules there are four elements, and one more at the most."))
    oracle = oracle_of(change.table, chapter.oracle)
    for dealt in chapter.elements.filter(is_picked=False)[:1]:
        lean(change, dealt)  # it lies beside those that were dealt, and goes with them
    cards = _deal(change, oracle, 1, _cards_of(chapter.elements.all()))
    order = next_number(chapter.elements, "order")
    rows = _elements(change, chapter, oracle, cards, order)
    change.log("card_added", card=cards[0], text=rows[0].text)


def _cards_of(elements: QuerySet[Element]) -> list[str]:
    """Return the cards that elements came with: they are out of the deck."""
    return list(elements.exclude(card="").values_list("card", flat=True))


def _deal(change: Change, oracle: Oracle, count: int, without: list[str]) -> Sequence[str]:
    dice = RecordedDice(SystemDice())
    try:
        if goes_by_card(oracle):
            cards: Sequence[str] = deal(dice, count, without)
        else:
            # A card was dealt while this oracle still had an entry for every card.
            gone = [int(number) for number in without if number.isdecimal()]
            cards = [str(n) for n in deal_numbers(dice, len(oracle.entries), count, gone)]
    except IllegalAction as refusal:
        raise refused(refusal) from refusal
    # What chance has shown is everybody's: only the GM takes it back.
    change.play.faces = dice.faces
    return cards


def _lay_out(change: Change, chapter: Chapter, oracle: Oracle, cards: Sequence[str]) -> None:
    """Put the dealt elements on the story sheet, in place of those dealt before (WA-8)."""
    _clear_dealt(change, chapter)
    first = 2 if chapter.elements.filter(is_picked=True).exists() else 1
    rows = _elements(change, chapter, oracle, cards, first)
    _go_on(change, chapter)
    change.log("cards_dealt", cards=list(cards), texts=[row.text for row in rows])


def _elements(
    change: Change, chapter: Chapter, oracle: Oracle, cards: Sequence[str], first: int
) -> list[Element]:
    rows = []
    for order, card in enumerate(cards, first):
        row = Element(chapter=chapter, order=order)
        _fill(row, card, _entry(oracle, card))
        rows.append(row)
    keep(change, *rows)
    return rows


def _clear_dealt(change: Change, chapter: Chapter) -> None:
    take_away(change, chapter, chapter.elements.filter(is_picked=False))


def take_away(change: Change, chapter: Chapter, gone: Iterable[Element]) -> None:
    """Take elements away, and off the list whom they named and nobody has chosen."""
    going = list(gone)
    orders = {row.order for row in going}
    stays = {row.order for row in chapter.elements.all()} - orders
    _off_list(change, chapter, stays=stays)
    for row in going:
        drop(change, row)


def _off_list(change: Change, chapter: Chapter, *, stays: set[int]) -> None:
    """Take people off the list (WA-10) whom nobody has chosen and no remaining element has named.

    Whoever was chosen stays, as their player's own (WA-9), and is no longer linked to an element:
    another one may come to lie in the same place.
    """
    for line in lines_of(chapter):
        left = [order for order in line.elements if order in stays]
        if left == line.elements:
            continue
        is_nobodys = line.taken_by_id is None and line.character_id is None
        line.elements = [] if is_nobodys else left
        if is_nobodys:
            off_list(change, line)
        else:
            keep(change, line)


# --- the story sheet (WA-4, WA-8) ----------------------------------------------------------------
@deed(actions.EditElement)
def edit_element(change: Change, action: actions.EditElement, tap: Tap) -> None:
    """Write on the story sheet (WA-8): the GM writes."""
    row = element_of(chapter_of(change), action.element)
    text = clean_line(action.text, field="text", longest=LONGEST_ELEMENT)
    if not text:
        raise Malformed(_("Write the element, or leave it out."), field="text")
    row.text = text
    keep(change, row)
    change.log("element_edited", text=text)


@deed(actions.StrikeElement, may="seat")
def strike_element(change: Change, action: actions.StrikeElement, tap: Tap) -> None:
    """Take an element out: anybody's stop is enough, and nobody asks whose it was (WA-4)."""
    row = element_of(chapter_of(change), action.element)
    if row.is_struck == action.on:
        raise look_again()
    row.is_struck = action.on
    keep(change, row)
    change.log("element_struck" if action.on else "element_restored", number=row.order)
