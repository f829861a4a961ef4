"""A process that has just started, and two phones that tap at once.

msgspec learns a type on its first use and is not safe for threads while it
does: two first taps killed the process (SIGSEGV). So every type that requests
bring is learnt when its module is imported, before anybody can tap.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

# What is learnt stays behind as some sixteen blocks of memory for the least type; asking for a
# known one leaves none, but for one that a count itself may take.
KNOWN_WITHIN = 4

SCRIPT = """
import json, sys
import django
django.setup()
import config.urls
import msgspec
import games.deeds
from games import api, settings
from games.services import act
from games.rules import brave_or_knave as bk

class Unknown(msgspec.Struct):
    what: bk.Call
    more: dict[str, tuple[int, ...]]

def leaves(kind):
    before = sys.getallocatedblocks()
    msgspec.json.Decoder(kind)
    return sys.getallocatedblocks() - before

kinds = {"State": bk.State, "Setup": bk.Setup, "HouseRule": bk.HouseRule, "Posted": api.Posted,
         "TableSettings": settings.TableSettings, **act.ACTIONS, "unknown": Unknown}
leaves(int)
print(json.dumps({name: leaves(kind) for name, kind in kinds.items()}))
"""


@pytest.fixture(scope="module")
def learnt() -> dict[str, int]:
    """How many blocks of memory each type's first use left behind, in a fresh process."""
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    return dict(json.loads(told))


def test_every_type_that_a_request_brings_is_known_before_the_first_request(learnt):
    assert {name for name, blocks in learnt.items() if blocks > KNOWN_WITHIN} == {"unknown"}


def test_a_type_that_is_not_known_would_be_found(learnt):
    """The control: a type that nobody used yet."""
    assert learnt["unknown"] > 2 * KNOWN_WITHIN
