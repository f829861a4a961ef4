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

# Learning takes 50 to 700 times as long as being asked again; being known, a few times at most.
KNOWN_WITHIN = 25

SCRIPT = """
import json, time
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

def takes(kind):
    start = time.perf_counter_ns()
    msgspec.json.Decoder(kind)
    return time.perf_counter_ns() - start

kinds = {"State": bk.State, "Setup": bk.Setup, "HouseRule": bk.HouseRule, "Posted": api.Posted,
         "TableSettings": settings.TableSettings, **act.ACTIONS, "unknown": Unknown}
print(json.dumps({name: takes(kind) / takes(kind) for name, kind in kinds.items()}))
"""


@pytest.fixture(scope="module")
def learning() -> dict[str, float]:
    """How much longer each type took the first time: the least of three fresh processes."""
    told = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env={**os.environ, "DJANGO_SETTINGS_MODULE": "tests.settings"},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for _process in range(3)
    ]
    runs = [json.loads(text) for text in told]
    return {name: min(run[name] for run in runs) for name in runs[0]}


def test_every_type_that_a_request_brings_is_known_before_the_first_request(learning):
    found = {name for name, times in learning.items() if times > KNOWN_WITHIN}
    assert found <= {"unknown"}


def test_a_type_that_is_not_known_would_be_found(learning):
    """The control: a type that nobody used yet."""
    assert learning["unknown"] > max(v for k, v in learning.items() if k != "unknown")
