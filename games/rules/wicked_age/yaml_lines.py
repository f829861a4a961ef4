"""An oracle's YAML as words with the lines they stand in; nothing in it can do harm.

Aliases, deep nesting, keys that stand twice and more than any oracle has are refused before
anything is built.
"""

from __future__ import annotations

from typing import Any, Final

import msgspec
import yaml

from games.rules.words import _

# What the reader of YAML says of it is English, and means little at a table.
NO_YAML: Final = _("this is not YAML; look at colons, quotes, brackets and indents")
NO_ALIASES: Final = _("anchors and aliases have no place here")
TOO_MUCH: Final = _("this is longer than any oracle")
TOO_DEEP: Final = _("too many lists within lists")
NO_ORACLE: Final = _("an oracle has a title and a list called “entries”")
NO_ROW: Final = _("an entry is written as “text: …”")
UNKNOWN_KEY: Final = _("“%(what)s” is not known here")
TWIN_KEY: Final = _("“%(what)s” stands here twice")
NO_WORDS: Final = _("“%(what)s” takes words")
NO_LIST: Final = _("“%(what)s” takes a list of words")

_HEAD: Final = ("id", "title", "blurb")
_WORDS: Final = ("card", "text", "subject")
_LISTS: Final = ("implied", "tags", "caution")
_DEEPEST: Final = 6
# What the reader of YAML makes of a file, each of which takes time: four hundred entries with all
# the hints that each may have are 21,000.
_MOST_EVENTS: Final = 22_000
_LOADER: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class Fault(msgspec.Struct, frozen=True):
    """What is wrong in a line, counted from 1."""

    line: int
    why: str
    what: str = ""


class Unreadable(Exception):
    """A text of which nothing can be read: in which line, and why."""

    def __init__(self, line: int, why: str, what: str = "") -> None:
        super().__init__(line, why, what)
        self.line = line
        self.why = why
        self.what = what


class Row(msgspec.Struct, frozen=True):
    """An entry as it is written."""

    line: int
    words: dict[str, str]
    lists: dict[str, tuple[str, ...]]


class File(msgspec.Struct):
    """What stands in a file, and what in it could not be read."""

    head: dict[str, str]
    head_lines: dict[str, int]
    rows: list[Row]
    faults: list[Fault]

    def line_of(self, key: str) -> int:
        """Return the line of a key of the head; the first for one that is not there."""
        return self.head_lines.get(key, 1)


def read_lines(text: str) -> File:
    """Read a file's words. Raises Unreadable when there is no oracle in it."""
    try:
        _refuse_harm(text)
        root = yaml.compose(text, Loader=_LOADER)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        last = len(text.splitlines())  # what is missing is missed after it
        raise Unreadable(min(mark.line + 1, last) if mark else 1, NO_YAML) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        raise Unreadable(line, NO_YAML) from error
    except (yaml.YAMLError, UnicodeError) as error:
        raise Unreadable(1, NO_YAML) from error
    if not isinstance(root, yaml.MappingNode):
        raise Unreadable(1, NO_ORACLE)
    file = File({}, {}, [], [])
    entries = None
    for name, value in _pairs(root, file):
        if name == "entries":
            entries = value
        elif name in _HEAD:
            file.head[name] = _words(name, value, file)
            file.head_lines[name] = _line(value)
        else:
            file.faults.append(Fault(_line(value), UNKNOWN_KEY, name))
    if not isinstance(entries, yaml.SequenceNode):
        raise Unreadable(_line(entries) if entries else 1, NO_ORACLE)
    file.rows = [row for node in entries.value if (row := _row(node, file))]
    return file


def _refuse_harm(text: str) -> None:
    depth = 0
    for count, event in enumerate(yaml.parse(text, Loader=_LOADER)):
        if count > _MOST_EVENTS:
            raise Unreadable(_line(event), TOO_MUCH)
        if getattr(event, "anchor", None):
            raise Unreadable(_line(event), NO_ALIASES)
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > _DEEPEST:
            raise Unreadable(_line(event), TOO_DEEP)


def _row(node: Any, file: File) -> Row | None:
    """Read an entry; a line of mere words is an entry too."""
    if isinstance(node, yaml.ScalarNode):
        return Row(_line(node), {"text": node.value}, {})
    if not isinstance(node, yaml.MappingNode):
        file.faults.append(Fault(_line(node), NO_ROW))
        return None
    row = Row(_line(node), {}, {})
    for name, value in _pairs(node, file):
        if name in _WORDS:
            row.words[name] = _words(name, value, file)
        elif name in _LISTS:
            row.lists[name] = _list(name, value, file)
        else:
            file.faults.append(Fault(_line(value), UNKNOWN_KEY, name))
    return row


def _pairs(node: Any, file: File) -> list[tuple[str, Any]]:
    pairs: dict[str, Any] = {}
    for key, value in node.value:
        name = key.value if isinstance(key, yaml.ScalarNode) else "?"
        if name in pairs:
            file.faults.append(Fault(_line(key), TWIN_KEY, name))
        pairs[name] = value
    return list(pairs.items())


def _words(name: str, node: Any, file: File) -> str:
    if isinstance(node, yaml.ScalarNode):
        return "" if node.tag == "tag:yaml.org,2002:null" else str(node.value)
    file.faults.append(Fault(_line(node), NO_WORDS, name))
    return ""


def _list(name: str, node: Any, file: File) -> tuple[str, ...]:
    """Read a list of words; a single one needs no brackets."""
    if isinstance(node, yaml.ScalarNode):
        words = _words(name, node, file)
        return (words,) if words else ()
    if isinstance(node, yaml.SequenceNode) and all(
        isinstance(item, yaml.ScalarNode) for item in node.value
    ):
        return tuple(str(item.value) for item in node.value)
    file.faults.append(Fault(_line(node), NO_LIST, name))
    return ()


def _line(node: Any) -> int:
    return int(node.start_mark.line) + 1
