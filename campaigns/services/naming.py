"""What a character is called before she has a name."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Chapter, Character
from campaigns.words import NAMELESS, name_of
from games.errors import Malformed
from games.grammar import in_one_sentence
from games.text import is_among

Named = str | dict[str, str]


def called(one: Character) -> str:
    """Return her name, or until she has one whose character she is."""
    name = in_log(one)
    if isinstance(name, str):
        return name
    text = name_of(name[NAMELESS])
    return text[:1].upper() + text[1:]


def said_of(one: Character, text: str, **gaps: str) -> str:
    """Fill in a sentence in the middle of which somebody is named, in the reader's grammar."""
    name = in_log(one)
    given = {"name": name if isinstance(name, str) else name_of(name[NAMELESS]), **gaps}
    return in_one_sentence(text % given, given)


def in_log(one: Character) -> Named:
    """Return how an event names her: whose she is until she has a name, for each reader's words."""
    if one.name or one.owner is None:
        return str(one)
    return {NAMELESS: one.owner.name}


def check_name(chapter: Chapter, name: str, one: Character | None = None) -> None:
    """Raise Malformed where somebody else in the chapter is called so.

    In a fight, on an interest and on the owe list nobody could tell them apart.
    """
    if is_taken(chapter, name, one):
        text = _("Somebody in this chapter is called %(name)s already: choose another name.")
        raise Malformed(text % {"name": name}, field="name")


def is_taken(chapter: Chapter, name: str, one: Character | None = None) -> bool:
    """Tell whether somebody else in the chapter is called so."""
    others = chapter.parts.exclude(character_id=one.pk) if one else chapter.parts.all()
    return is_among(name, others.values_list("character__name", flat=True))


def about(one: Character) -> dict[str, Any]:
    """Return how an event speaks of her; the sentence finds words for one without a name."""
    return {"name": one.name, "by": one.owner.name if one.owner else ""}
