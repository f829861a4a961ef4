"""Sheets, strengths, interests and the people who play, as cards."""

from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import LATE, Chapter, Character, Holding, Interest, Member, Owed, Part
from campaigns.screens.cards import (
    FormCard,
    InterestCard,
    MemberCard,
    OwedCard,
    SheetCard,
    StrengthCard,
)
from campaigns.screens.steps import AFTER_THE_CHOOSING, is_being_made, is_joining
from campaigns.services.members import held_seat
from campaigns.services.strengths import version_of
from campaigns.snapshot import Tale
from campaigns.words import form_name, interest_state_name, option_name, option_text, state_name
from games.addresses import address_of
from games.grammar import ARTICLES
from games.models import Seat
from games.rules.wicked_age import forms, interests, strengths
from games.rules.wicked_age.hints import MOST_PLAYERS
from games.said import gettext as _
from games.said import ngettext
from games.screens.cards import Choice, colour_by
from games.snapshot import Snapshot


def member_card(tale: Tale, one: Member | None, seat: Seat | None) -> MemberCard | None:
    """Build a person's card; `seat` is who looks."""
    if one is None:
        return None
    part = next((p for p in tale.parts if p.member_id == one.pk and p.character.is_pc), None)
    line = next((row for row in tale.cast if row.taken_by_id == one.pk), None)
    held = held_seat(one)
    return MemberCard(
        id=one.pk,
        name=one.name,
        colour=colour_of(one),
        mark=one.name[:1].upper(),
        is_gm=one.is_gm,
        is_away=one.is_away,
        has_left=one.has_left,
        seat=held.number if held is not None else 0,
        is_mine=seat is not None and one.seat_id == seat.pk,
        may_claim=not (held or one.has_left),
        plays=label_of(part.character) if part else line.text if line else "",
        may_choose=one.is_here and not plays_for_good(tale, one),
    )


def member_cards(tale: Tale, some: Iterable[Member], seat: Seat) -> tuple[MemberCard, ...]:
    """Build several people's cards."""
    return tuple(card for one in some if (card := member_card(tale, one, seat)))


def not_yet_members(now: Snapshot, tale: Tale) -> list[Seat]:
    """Return who sits here and is nobody in the campaign: with a first tap or a chapter they are.

    One of them is the host where the campaign has come in its file: who led it leads it no more.
    """
    known = {one.seat_id for one in tale.members}
    return [
        seat
        for seat in now.seats
        if seat.is_seated
        and seat.role != Seat.Role.SCREEN
        and not seat.regular
        and seat.pk not in known
    ]


def member_to_be(seat: Seat) -> MemberCard:
    """Build the card of who sits here and is no member yet."""
    return MemberCard(
        id=0,
        name=seat.name,
        colour=colour_by(seat.number),
        mark=seat.name[:1].upper(),
        is_gm=seat.is_gm,
        seat=seat.number,
    )


def is_player(me: Member | None, seat: Seat) -> bool:
    """Tell whether who holds a seat takes part in the chapter as a player (WA-11, WA-87).

    Who has sat down since it was opened is of the campaign with the first tap.
    """
    if me is not None:
        return me.is_here
    return seat.is_seated and seat.role == Seat.Role.PLAYER and not seat.regular


def may_join(tale: Tale, me: Member | None, seat: Seat) -> bool:
    """Tell whether who plays nobody can still take somebody up, the choosing being over (WA-11)."""
    is_late = tale.chapter is not None and tale.chapter.step in LATE
    return is_late and is_player(me, seat) and plays_nobody(tale, me) and has_room(tale)


def plays_nobody(tale: Tale, me: Member | None) -> bool:
    """Tell whether somebody has no character in the chapter under way."""
    return me is None or all(part.member_id != me.pk for part in tale.parts)


def has_room(tale: Tale) -> bool:
    """Tell whether one more player fits into the chapter (WA-1)."""
    players = {p.member_id for p in tale.parts if p.member and not p.member.is_gm}
    return len(players) < MOST_PLAYERS


def plays_for_good(tale: Tale, one: Member | None) -> bool:
    """Tell whether somebody plays one of before, and cannot choose another any more.

    That is whoever is back from the top of the list (WA-85), or has made her choice (WA-98).
    """
    top = tale.chapter.returning_id if tale.chapter else None
    return one is not None and any(
        part.is_returning
        and part.member_id == one.pk
        and (part.character_id == top or bool(part.come_back))
        for part in tale.parts
    )


def colour_of(one: Member | None) -> int:
    """Return a person's colour: their seat's, or one by their number; 0 is nobody's.

    Seats count from the first colour, and who has none from the last: nobody is taken for another.
    """
    if one is None:
        return 0
    return colour_by(one.seat.number if one.seat else -one.number)


def label_of(one: Character) -> str:
    """Return a name to speak of somebody by, before she has one as well."""
    if one.name:
        return one.name
    if one.description:
        return one.description if len(one.description) <= 40 else f"{one.description[:38]}…"
    return _("somebody new")


def mark_of(label: str) -> str:
    """Return the letter on somebody's mark: of "a tanner" and "a forger" it is not the "a"."""
    words = label.split()
    word = next((w for w in words if w.casefold() not in ARTICLES), label)
    return word[:1].upper()


def form_cards(one: Character) -> tuple[FormCard, ...]:
    """List a sheet's forms with their dice, as they are and as they were made (WA-17)."""
    order = forms.PC_FORMS if one.is_pc else forms.NPC_FORMS
    now, base = one.dice(), one.dice("base")
    found = []
    for form in order:
        if form in now:
            dice, made = (tuple(forms.larger_first(pairs[form])) for pairs in (now, base))
            found.append(FormCard(form, form_name(form), dice, made, dice != made))
    return tuple(found)


def works_in(held: Holding) -> tuple[str, ...]:
    """Return the forms in which a strength works for whoever has it (WA-20, WA-21)."""
    row = held.strength
    if not held.character.is_pc:
        return (row.npc_form,)
    written = strengths.Strength(row.name, row.pc_form, row.npc_form, version_of(held))
    return strengths.forms_of(written)


def strength_card(held: Holding) -> StrengthCard:
    """Build a strength as it stands on a sheet."""
    row, version = held.strength, version_of(held)
    return StrengthCard(
        id=held.pk,
        strength=row.pk,
        name=row.name,
        die=strengths.die_of(version),
        significance=strengths.significance(version),
        forms=tuple(form_name(f) for f in works_in(held)),
        options=tuple(option_words(version)),
        description=row.description,
        effects=row.effects,
        note=held.note,
        may_raise=tuple(
            Choice(option.value, option_name(option.value), option_text(option.value))
            for option in strengths.options_left(version)
        ),
    )


def option_words(version: strengths.Version) -> Iterable[str]:
    """Say what a version can do, with the forms that its options name (WA-21)."""
    for option in version.options:
        name = option_name(option.value)
        if option is strengths.Option.CONSEQUENTIAL:
            hits = {"pc": form_name(version.hits_pc), "npc": form_name(version.hits_npc)}
            yield _("%(option)s: %(pc)s, or an NPC's %(npc)s") % {"option": name, **hits}
        else:
            yield name


def interest_cards(
    tale: Tale, of: Character | None, *, may_write: bool
) -> tuple[InterestCard, ...]:
    """List the interests of one character, or everybody's, with the book's advice (WA-34)."""
    shown = [i for i in tale.interests if of is None or i.character_id == of.pk]
    return tuple(_interest_card(tale, one, may_write=may_write) for one in shown)


def _interest_card(tale: Tale, one: Interest, *, may_write: bool) -> InterestCard:
    owner = tale.characters.get(one.character_id)
    named = [c for number in one.targets if (c := tale.by_number(number))]
    return InterestCard(
        id=one.pk,
        text=one.text,
        targets=tuple(Choice(c.pk, label_of(c)) for c in named),
        state=one.state,
        state_word=interest_state_name(one.state),
        warnings=tuple(_warnings(tale, one, owner, named)) if may_write and owner else (),
        may_write=may_write,
        owner=label_of(owner) if owner else "",
    )


def _warnings(tale: Tale, one: Interest, owner: Character, named: list[Character]) -> Iterable[str]:
    own = [i.pk for i in tale.interests if i.character_id == owner.pk]
    first = next((i for i in tale.interests if _is_npcs(tale, i)), None)
    said = interests.Interest(
        owner.ref, owner.kind, tuple((c.ref, c.kind) for c in named), own.index(one.pk) + 1
    )
    is_first = first is not None and first.character_id == owner.pk
    for warning in interests.warnings(said, is_first_npcs=is_first):
        yield warning_text(warning)


def _is_npcs(tale: Tale, one: Interest) -> bool:
    owner = tale.characters.get(one.character_id)
    return owner is not None and not owner.is_pc


def warning_text(key: str) -> str:
    """Say what the book would say against an interest (WA-34): advice, never a bar."""
    return {
        "a": _("It is about another of the GM's people: play gains little by it."),
        "b": _("The first of these should strike straight at a player's character."),
        "c": _("It is about nobody. Run it against somebody, best where they are strong."),
        "d": _("Two are best; a third is allowed."),
    }[key]


def sheet_card(now: Snapshot, tale: Tale, one: Character, seat: Seat) -> SheetCard:
    """Build a character's sheet for who looks; nothing on it is hidden from anybody."""
    of = (tale.ground, one, seat.pk, seat.is_gm)
    return tale.memory.known(
        "sheet_card", lambda: _sheet_card(now.table.code, tale, one, seat), now.table.code, *of
    )


def _sheet_card(code: str, tale: Tale, one: Character, seat: Seat) -> SheetCard:
    part = tale.part_of(one.pk)
    is_mine = one.holder is not None and one.holder.seat_id == seat.pk
    may_write = is_mine or seat.is_gm
    held = tale.holdings.get(one.pk, [])
    own = interest_cards(tale, one, may_write=may_write)
    player = tale.holder_of(one)
    return SheetCard(
        id=one.pk,
        number=one.number,
        label=label_of(one),
        name=one.name,
        description=one.description,
        is_pc=one.is_pc,
        state=one.state,
        state_word=state_name(one.state),
        player=player.name if player else "",
        colour=colour_of(player),
        mark=mark_of(label_of(one)),
        forms=form_cards(one),
        strengths=tuple(strength_card(h) for h in held),
        interests=own,
        owed=sum(o.character_id == one.pk for o in tale.owed),
        is_mine=is_mine,
        is_own=one.owner is not None and one.owner.seat_id == seat.pk,
        lent_to=one.lent_to.name if one.lent_to else "",
        may_write=may_write,
        is_ready=part is not None and part.is_ready,
        may_be_ready=part is not None and _may_be_ready(tale, one, part),
        epilogue=part.epilogue if part else "",
        missing=tuple(_missing(tale, one, part, own)) if part else (),
        may_name_interest=may_write and _may_name(tale, part) and len(own) < interests.CAP,
        url=address_of("wicked_sheet", code, one.number),
        in_chapter=part is not None,
        may_lay_dice=may_write and _may_lay(tale, one, part),
        is_joining=part is not None and is_joining(tale, part),
    )


def _may_lay(tale: Tale, one: Character, part: Part | None) -> bool:
    """Tell whether a new sheet's dice may still be given to its forms (WA-13, WA-15)."""
    if part is None or part.is_returning:
        return False
    if not one.is_pc:
        return one.dice() == one.dice("base")
    return is_being_made(tale, part)


def _may_be_ready(tale: Tale, one: Character, part: Part) -> bool:
    is_made_now = tale.chapter is not None and tale.chapter.step in AFTER_THE_CHOOSING
    may_still = is_made_now or is_joining(tale, part)
    return may_still and bool(one.name) and not _is_open(one, part)


def _may_name(tale: Tale, part: Part | None) -> bool:
    return part is not None and tale.chapter is not None and tale.chapter.step in LATE


def _is_open(one: Character, part: Part) -> bool:
    """Tell whether who comes back has yet to choose what has changed (WA-98, WA-104)."""
    return one.is_pc and part.is_returning and not part.come_back


def _missing(
    tale: Tale, one: Character, part: Part, own: tuple[InterestCard, ...]
) -> Iterable[str]:
    if not one.name:
        yield _("a name")
    if _is_open(one, part):
        yield _("the choice on coming back")
    if one.is_pc and tale.chapter is not None and tale.chapter.step == Chapter.Step.SHEETS:
        return  # players name interests at the next step, and nowhere could it be done now
    needed = interests.NEEDED[one.kind]
    if len(own) < needed and (one.is_pc or not one.is_gone):
        missing = needed - len(own)
        text = ngettext("%(count)s more interest", "%(count)s more interests", missing)
        yield text % {"count": missing}


def owed_cards(tale: Tale, seat: Seat | None = None) -> tuple[OwedCard, ...]:
    """List the owe list in its order (WA-81); `seat` is who looks."""
    top = next((o.pk for o in tale.owed if not _why_not(tale, o)), None)
    return tuple(
        OwedCard(
            id=one.pk,
            name=label_of(one.character),
            colour=colour_of(tale.member(one.character.owner_id)),
            mark=mark_of(label_of(one.character)),
            player=one.character.owner.name if one.character.owner else "",
            chapter=one.chapter.number if one.chapter else 0,
            is_mine=seat is not None and _is_own(tale, one, seat),
            is_top=one.pk == top,
            why_not=_why_not(tale, one),
        )
        for one in tale.owed
    )


def who_comes_back(tale: Tale, seat: Seat | None = None) -> OwedCard | None:
    """Return whom the chapter waits for, while that is asked (WA-85, WA-87)."""
    return next((card for card in owed_cards(tale, seat) if card.is_top), None)


def _is_own(tale: Tale, one: Owed, seat: Seat) -> bool:
    owner = tale.member(one.character.owner_id)
    return owner is not None and owner.seat_id == seat.pk


def _why_not(tale: Tale, one: Owed) -> str:
    """Say why this occurrence would be passed over for the next chapter (WA-87, WA-105)."""
    owner = tale.member(one.character.owner_id)
    if owner is None or owner.has_left:
        return _("whose player has left")
    if (held_seat(owner) or owner).is_gm:
        return _("whose player is the GM now")
    if not _is_asked(tale):
        return ""
    if owner.is_away:
        return _("whose player is not here")
    return _("not this time") if tale.chapter and one.order in tale.chapter.declined else ""


def _is_asked(tale: Tale) -> bool:
    """Tell whether it is still open who comes back: being away or saying no is for one chapter."""
    return tale.chapter is None or tale.chapter.step == Chapter.Step.COMING_BACK
