"""Reading a campaign's file: checked to the last field before a row is made of it."""

from __future__ import annotations

import re
from codecs import BOM_UTF8
from typing import Any

import msgspec
from django.utils.translation import gettext as _

from campaigns.services import file_format as ff
from campaigns.services.file_check import check
from campaigns.services.file_fault import FIELD, damaged, misshapen, short
from games.errors import Malformed
from games.rules.records import ToldTwice, check_told_once
from games.text import UNSEEN, without_unseen

LARGEST = 30_000_000
# As JSON may write any character; we write none so that people can have typed.
ESCAPED = b"\\u"
# How a campaign's file begins, also where the rest of it was lost on the way.
BEGINS = re.compile(rb'\s*\{\s*"what"\s*:\s*"%s"' % ff.WHAT.encode())


class _Head(msgspec.Struct):
    what: str = ""
    format: int = 0


def is_too_large(size: int) -> bool:
    """Tell whether a file of so many bytes is more than a page may send."""
    return size > LARGEST


def check_size(size: int) -> None:
    """Raise Malformed for a file that no page may send."""
    if is_too_large(size):
        raise Malformed(_("That file is too large for a campaign."), field=FIELD)


def read_file(data: bytes) -> ff.CampaignValue:
    """Return the campaign in a file that somebody has sent.

    Raises Malformed, in words, for what is no such file, is damaged, of a newer
    format than this server knows, or against the rules.
    """
    value = opened(data)
    check(value)
    return value


def opened(data: bytes) -> ff.CampaignValue:
    """Return what stands in a file, whole and of the right types: a backup's is our own.

    Raises Malformed, in words, for what is no such file, is damaged, or newer. A byte order mark,
    which some editors and shells put before every text, is no damage.
    """
    data = data.removeprefix(BOM_UTF8)
    _check_head(data)
    try:
        whole = msgspec.json.decode(data, type=ff.FileValue)
        plain = _told_once(data)["campaign"]
        if whole.checksum != ff.checksum_of(plain):
            raise damaged()
        if ESCAPED in data or UNSEEN.search(data.decode()):
            # To go through every text takes longer than all the rest, and ours has none of that.
            plain = without_unseen(plain)
        return msgspec.convert(upgraded(plain, whole.format), ff.CampaignValue)
    except msgspec.ValidationError as error:
        raise misshapen(error) from error
    except (msgspec.DecodeError, UnicodeError, RecursionError) as error:
        raise damaged() from error


def _check_head(data: bytes) -> None:
    """Raise Malformed for what is no campaign's file, or one that this server cannot read."""
    if not data.strip():
        raise Malformed(
            _("That file is empty. Save it again at the table it is from."), field=FIELD
        )
    try:
        head = msgspec.json.decode(data, type=_Head)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise (_cut_off() if BEGINS.match(data) else _none()) from error
    if head.what != ff.WHAT or head.format < 1:
        raise _none()
    if head.format > ff.FORMAT:
        text = _("That file was written by a newer Taproom (format %(format)s). Update this one.")
        raise Malformed(text % {"format": head.format}, field=FIELD)


def _told_once(data: bytes) -> Any:
    """Return JSON as it is read. Raises Malformed where a field is told twice in one object.

    What we have written ourselves comes out again letter by letter. Only where it does not is every
    field looked at.
    """
    read = msgspec.json.decode(data)
    if msgspec.json.format(data, indent=-1) != msgspec.json.encode(read):
        try:
            check_told_once(data)
        except ToldTwice as twice:
            raise damaged(f"`{short(twice.field)}`") from twice
    return read


def upgraded(campaign: Any, format: int) -> Any:
    """Return what an earlier format wrote as the present one would: so far there is only one."""
    return campaign


def _cut_off() -> Malformed:
    text = _("That campaign's file is cut off or damaged. Save it again at the table it is from.")
    return Malformed(text, field=FIELD)


def _none() -> Malformed:
    return Malformed(_("That is not a campaign's file."), field=FIELD)
