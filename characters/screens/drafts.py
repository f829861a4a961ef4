"""A knave in the making, with every die that fell (KN-1 to KN-7)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import msgspec

from characters.models import Article, Character, Party, TableRow
from characters.screens.cards import DraftCard, FaceCard, OwnDiceCard
from characters.screens.sheets import signed, trait_cards
from characters.screens.things import spell_words
from characters.sentences.rolls import table_name
from characters.sentences.words import ability_name
from characters.services import kept_book, making
from characters.services.making import Shelf, spell_given
from characters.services.purse import coins_said
from characters.snapshot import Evening
from games.rules.knave.abilities import Ability
from games.rules.knave.creation import Draft, Options, dice_of, pack, tables_rolled
from games.said import gettext as _
from games.screens.cards import Choice
from games.snapshot import Snapshot


def draft_card(now: Snapshot, one: Character) -> DraftCard:
    """Lay out a draft, read from the book's rows in the reader's language."""
    book = (kept_book.shelf(), kept_book.table_rows())
    evening: Evening = now.more
    dice = now.table.settings.dice
    return evening.memory.once(_draft_card, one, *book, evening.party, dice)


def _draft_card(
    one: Character, shelf: Shelf, rows: tuple[TableRow, ...], party: Party, dice: str
) -> DraftCard:
    options = making.options_in(party.settings)
    draft = msgspec.convert(one.draft, Draft)
    articles = shelf.articles
    things, home = _packed(draft, shelf)
    return DraftCard(
        id=one.pk,
        name=one.name,
        rolls=_rolls(draft),
        may_swap=draft.swapped is None,
        may_reroll=options.may_reroll,
        hp=draft.hp,
        gear=tuple(_gear_lines(draft, rows)),
        things=things,
        left_home=home,
        purse=coins_said(copper=draft.purse.copper) if draft.purse else "",
        weapon=articles[draft.weapon].said("name") if draft.weapon in articles else "",
        weapons=tuple(
            Choice(a.key, a.said("name"), hint=f"d{a.die}" if a.die else "")
            for a in articles.values()
            if a.kind == Article.Kind.WEAPON and not a.is_hidden
        ),
        traits=trait_cards(one),
        may_type_abilities=making.may_type(one, "abilities", options, dice),
        own_dice=tuple(_own_dice(one, options, dice)),
        is_money=draft.purse is not None,
        spell=_spell(draft.spell_book) if options.spell != "none" else None,
    )


def _spell(number: int | None) -> Choice | None:
    """Name the spell of the book that the dice chose, and say what it does (KN-3, KN-25)."""
    spell = spell_given(number, kept_book.spells()) if number else None
    return Choice(spell.number, spell.said("name"), hint=spell_words(spell)) if spell else None


def _own_dice(one: Character, options: Options, dice: str) -> Iterator[OwnDiceCard]:
    """Yield what else than abilities is rolled for, where real ones are taken (KN-3, KN-6)."""
    titles = {"hp": _("Hit points"), "gear": _("Gear"), "spell": _("Spell book")}
    tables = [table_name(key) for key in tables_rolled(options)]
    for part, title in titles.items():
        if making.may_type(one, part, options, dice):
            sides = dice_of(part, options)
            words = tables if part == "gear" else []
            named = (words[n] if words else "" for n in range(len(sides)))
            yield OwnDiceCard(part, title, tuple(map(Choice, sides, named)))


def _packed(draft: Draft, shelf: Shelf) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Say what is carried, and what is left at home."""
    things: list[str] = []
    home: list[str] = []
    for packed in pack(draft, shelf.wares):
        spell = spell_given(packed.spell, kept_book.spells()) if packed.spell else None
        name = spell.said("name") if spell else shelf.articles[packed.article].said("name")
        text = _("%(count)s × %(name)s") % {"count": packed.count, "name": name}
        (home if packed.is_home else things).append(text if packed.count > 1 else name)
    return tuple(things), tuple(home)


def _rolls(draft: Draft) -> tuple[FaceCard, ...]:
    return tuple(
        FaceCard(
            key=a.value,
            name=ability_name(a.value),
            faces=roll.faces,
            kept=roll.faces.index(min(roll.faces)),
            bonus=signed(roll.bonus),
            defense=roll.defense,
        )
        for a, roll in zip(Ability, draft.abilities, strict=True)
    )


def _row(rows: Sequence[TableRow], table: str, face: int) -> TableRow | None:
    return next((r for r in rows if r.table == table and r.low <= face <= r.high), None)


def _gear_lines(draft: Draft, rows: Sequence[TableRow]) -> list[str]:
    lines = []
    for roll in draft.gear:
        row = _row(rows, roll.table, roll.face)
        if row is not None:
            lines.append(f"{table_name(roll.table)} {roll.face}: {row.said('name')}")
    return lines
