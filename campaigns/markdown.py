"""The chronicle as Markdown: one file a chapter and one a character, with links between them."""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterable
from typing import Any

from django.utils.translation import gettext as _

from campaigns.models import Campaign, Chapter, Character, Owed
from campaigns.screens import records
from campaigns.screens.lives import PartRow, lives_of, title_of
from campaigns.screens.people import label_of
from campaigns.words import state_name
from games.days import day

# What would be read as markup in the middle of a line, or at its beginning.
SPECIAL = re.compile(r"([\\`*_\[\]<>#|~&])")
AT_START = re.compile(r"^([-+=]|\d+(?=[.)]))", re.MULTILINE)
EPOCH = (1980, 1, 1, 0, 0, 0)


def markdown_of(campaign: Campaign) -> bytes:
    """Return a campaign's chronicle as an archive of Markdown files that any editor opens."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files_of(campaign):
            # A member that says when it was written says how it is packed as well.
            archive.writestr(zipfile.ZipInfo(name, EPOCH), text, zipfile.ZIP_DEFLATED)
    return packed.getvalue()


def files_of(campaign: Campaign) -> Iterable[tuple[str, str]]:
    """Yield each file's name and text."""
    chapters = list(campaign.chapters.select_related("beside").order_by("number"))
    people = list(campaign.characters.select_related("owner__seat"))
    yield "README.md", _contents(campaign, chapters, people)
    for told in records.book_of(chapters):
        yield _chapter_file(told["number"]), _chapter(told)
    lives = lives_of(people)
    for one in people:
        yield _person_file(one.number), _person(one, lives[one.pk])


def escaped(text: str) -> str:
    """Return people's words so that they are read as words, not as markup."""
    lines = "\n".join(line.strip() for line in text.splitlines())
    return AT_START.sub(_escaped_start, SPECIAL.sub(r"\\\1", lines))


def _escaped_start(found: re.Match[str]) -> str:
    start = found[0]
    return f"{start}\\" if start[0].isdigit() else f"\\{start}"


def _item(text: str) -> str:
    return f"- {escaped(' '.join(text.split()))}"


def _section(title: str, lines: Iterable[str]) -> list[str]:
    """Return a heading with what stands below it, or nothing where nothing does."""
    listed = list(lines)
    return ["", f"## {title}", "", *listed] if listed else []


def _chapter_file(number: int) -> str:
    return f"chapter-{number:03}.md"


def _person_file(number: int) -> str:
    return f"character-{number:03}.md"


def _link(text: str, to: str) -> str:
    return f"[{escaped(text)}]({to})"


def _contents(campaign: Campaign, chapters: list[Chapter], people: list[Character]) -> str:
    owed = campaign.owed.filter(struck=Owed.Struck.NOT).select_related("character")
    lines = [
        f"# {escaped(campaign.name)}",
        *_section(
            _("Chapters"),
            (f"{c.number}. {_link(title_of(c), _chapter_file(c.number))}" for c in chapters),
        ),
        *_section(
            _("Characters"), (f"- {_link(label_of(p), _person_file(p.number))}" for p in people)
        ),
        *_section(
            _("We owe"),
            (
                f"{place}. {_link(label_of(one.character), _person_file(one.character.number))}"
                for place, one in enumerate(owed, 1)
            ),
        ),
    ]
    return "\n".join(lines) + "\n"


def _chapter(told: dict[str, Any]) -> str:
    gm = _("GM: %(name)s") % {"name": told["gm_name"]} if told["gm_name"] else ""
    facts = [told["oracle"], told["placement"], day(told["began_at"]), gm]
    texts = [*(p.text for p in told["paragraphs"]), told["end_note"]]
    happened = "\n\n".join(escaped(text) for text in texts if text)
    lines = [
        f"# {escaped(told['title'])}",
        "",
        escaped(" · ".join(filter(None, facts))),
        *_section(_("Elements"), (_item(f"{e['card']} {e['text']}") for e in told["elements"])),
        *_section(_("Cast"), map(_part, told["parts"])),
        *_section(
            _("Best interests"),
            (_item(f"{i['name']}: {i['text']} ({i['state_word']})") for i in told["interests"]),
        ),
        *_section(_("What happened"), [happened] if happened else []),
    ]
    return "\n".join(lines) + "\n"


def _part(part: PartRow) -> str:
    player = f" ({escaped(part.player)})" if part.player else ""
    last = f": {escaped(' '.join(part.epilogue.split()))}" if part.epilogue else ""
    return f"- {_link(part.name, _person_file(part.number))}{player}{last}"


def _person(one: Character, life: list[PartRow]) -> str:
    facts = [one.owner.name if one.owner else "", state_name(one.state)]
    lines = [f"# {escaped(label_of(one))}"]
    for text in (" · ".join(filter(None, facts)), one.description):
        lines += ["", escaped(text)] if text else []
    for row in life:
        lost = [f"{_('Strengths lost')}: {', '.join(row.lost)}"] if row.lost else []
        told = (row.came_back, row.as_what, *row.after, *row.strengths, *lost, row.epilogue)
        title = _link(row.chapter_title, _chapter_file(row.chapter))
        # A heading also where nothing is told: in this chapter she was.
        lines += ["", f"## {title}", "", *map(_item, filter(None, told))]
    return "\n".join(lines).rstrip() + "\n"
