"""Which later plays an undo takes back with one: those that could not stand without it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, cast

from games.models import ContentLine
from games.services.change import Change
from games.services.ledger import drop, hanging_on, keep
from tests.games.party import Party

PILE, ITEM, KNAVE = "characters.Pile", "characters.Item", "characters.Character"
PART = "campaigns.Part"
Line = list[Any]


@dataclass(frozen=True)
class Noted:
    """A play, as far as its ledger goes."""

    ledger: list[Line] = field(default_factory=list)


def made(label: str, key: int, **values: Any) -> Line:
    return [label, key, None, values]


def changed(label: str, key: int, **fields: tuple[Any, Any]) -> Line:
    before, after = ({name: pair[at] for name, pair in fields.items()} for at in (0, 1))
    return [label, key, before, after]


def dropped(label: str, key: int, **values: Any) -> Line:
    return [label, key, values, None]


def hanging(*plays: Line) -> list[int]:
    """Return the places of the plays that hang on the first one."""
    first, *later = [Noted([line]) for line in plays]
    return [1 + later.index(one) for one in hanging_on(first, later)]


def test_what_was_changed_again_hangs_on_the_change_and_another_field_does_not() -> None:
    burns = changed(ITEM, 1, count=(3, 2))
    assert hanging(burns, changed(ITEM, 1, count=(2, 1)), changed(ITEM, 1, name=("a", "b"))) == [1]


def test_what_took_a_changed_row_away_hangs_on_the_change() -> None:
    """Or the change would be set back on a row that is not there, and come back with it."""
    burns, lost = changed(ITEM, 1, count=(3, 2)), dropped(ITEM, 1, count=2, name="candles")
    assert hanging(burns, lost) == [1]


def test_what_took_a_place_that_was_given_up_hangs_on_that() -> None:
    """Only one has it at a time: a chapter's part of a character."""
    given_up = dropped(PART, 1, chapter_id=1, character_id=2)
    another, same = made(PART, 2, chapter_id=1, character_id=3), made(PART, 3, **given_up[2])
    assert hanging(given_up, another, same) == [2]


def test_what_changed_a_field_of_a_later_change_hangs_on_the_first_one_too() -> None:
    """Both are set back, or the later one would find a field as it never was."""
    first, both = changed(ITEM, 1, count=(3, 2)), changed(ITEM, 1, count=(2, 1), name=("a", "b"))
    assert hanging(first, both, changed(ITEM, 1, name=("b", "c"))) == [1, 2]


def test_what_was_put_onto_a_row_hangs_on_its_making() -> None:
    assert hanging(made(PILE, 1), made(ITEM, 5, pile_id=1), made(ITEM, 6, pile_id=2)) == [1]


def test_what_was_put_onto_that_hangs_on_it_too() -> None:
    """A rope in the sack that lies on the pile: without the pile there is no sack."""
    sack, rope = made(ITEM, 5, pile_id=1), made(ITEM, 6, inside_id=5)
    assert hanging(made(PILE, 1), sack, rope) == [1, 2]


def test_who_took_away_what_a_row_would_point_to_again_is_taken_back_with_it() -> None:
    """A sword was given away, and then its giver: it can go back to nobody else."""
    given = changed(ITEM, 5, holder_id=(3, 4))
    assert hanging(given, dropped(KNAVE, 3), dropped(KNAVE, 4)) == [1]


def test_and_so_is_who_took_away_what_one_of_those_would_point_to() -> None:
    given, onward = changed(ITEM, 5, holder_id=(3, 4)), changed(ITEM, 5, holder_id=(4, 6))
    assert hanging(given, onward, dropped(KNAVE, 4)) == [1, 2]


def test_who_only_changed_what_a_row_would_point_to_again_does_not_hang_on_it() -> None:
    given = changed(ITEM, 5, holder_id=(3, 4))
    assert hanging(given, changed(KNAVE, 3, name=("a", "b")), dropped(KNAVE, 3)) == [2]


def test_a_row_that_one_play_changes_and_changes_back_is_as_it_was(party: Party) -> None:
    """What it writes is compared with what it wrote before, not with what it once read."""
    play = cast(Change, Noted())
    keep(play, ContentLine(table=party.table, text="spiders", kind=ContentLine.Kind.LINE))
    line = ContentLine.objects.get()
    for kind in (ContentLine.Kind.VEIL, ContentLine.Kind.LINE):
        line.kind = kind
        keep(play, line)
    assert ContentLine.objects.get().kind == ContentLine.Kind.LINE


def test_a_row_that_is_kept_as_it_was_has_no_later_play_hang_on_it(party: Party) -> None:
    play = cast(Change, Noted())
    keep(play, ContentLine(table=party.table, text="spiders", kind=ContentLine.Kind.LINE))
    play.ledger.clear()
    keep(play, ContentLine.objects.get())
    assert play.ledger == []


def test_a_row_that_is_deleted_comes_back_as_it_was_read(party: Party) -> None:
    """What a deed had changed of it meanwhile was never written."""
    play = cast(Change, Noted())
    keep(play, ContentLine(table=party.table, text="spiders", kind=ContentLine.Kind.LINE))
    line = ContentLine.objects.get()
    line.kind = ContentLine.Kind.VEIL
    drop(play, line)
    assert play.ledger[-1][2]["kind"] == ContentLine.Kind.LINE
