"""A campaign's file as a stranger would send it: made by hand, sealed, and sent by the form."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import msgspec
from django.core.files.uploadedfile import SimpleUploadedFile
from django.http import HttpResponse

from campaigns.services import file_format as ff
from tests.campaigns import yearbook
from tests.games.party import Person

Plain = dict[str, Any]


def brings(person: Person, data: bytes, **more: str) -> HttpResponse:
    """Send a campaign's file by the form of the records page."""
    sent = SimpleUploadedFile("campaign.json", data)
    address = f"/t/{person.code}/campaign/bring/"
    return person.client.post(address, {"file": sent, "tap": "bring-1", **more})


def sealed(campaign: Plain, **head: Any) -> bytes:
    """Return a file made by hand, with the checksum that it must have."""
    whole = {
        "what": ff.WHAT,
        "format": ff.FORMAT,
        "written_at": "2026-01-01T00:00:00+00:00",
        "checksum": ff.checksum_of(campaign),
        "campaign": campaign,
    }
    return json.dumps({**whole, **head}).encode()


_year = cache(yearbook.year)


def year(chapters: int = 2) -> Plain:
    plain: Plain = msgspec.to_builtins(_year(chapters, moments=40))
    return plain


def running(plain: Plain) -> Plain:
    """Return a sequence of the second chapter that is still being played."""
    found: Plain = plain["chapters"][1]["sequences"][4]
    return found
