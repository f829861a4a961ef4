"""What is shown is in the time of the clock on the wall; what is kept is in UTC."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from config import time_zone

ROOT = Path(__file__).resolve().parents[1]
SHOWS = """
import django; django.setup()
from datetime import UTC, datetime
from django.db import connection
print(datetime(2026, 7, 1, 12, tzinfo=UTC).astimezone().strftime("%H:%M"), connection.timezone_name)
"""


def test_the_log_s_times_are_those_of_the_machine(tmp_path: Path):
    """A bar's log said 19:30 at half past nine: Django sets every machine's clock to UTC."""
    without = {name: value for name, value in os.environ.items() if "TAPROOM_" not in name}
    ours = {"DJANGO_SETTINGS_MODULE": "config.settings", "TAPROOM_DATA": str(tmp_path)}
    said = subprocess.check_output(
        [sys.executable, "-c", SHOWS], env=without | ours | {"TZ": "Europe/Madrid"}, cwd=ROOT
    )
    assert said.split() == [b"14:00", b"UTC"]


@pytest.mark.parametrize(
    ("said", "linked", "written", "zone"),
    [
        ("America/Lima", "Asia/Tokyo", "Asia/Tokyo", "America/Lima"),
        (":America/Lima", "Asia/Tokyo", "", "America/Lima"),
        ("", "Asia/Tokyo", "America/Lima", "Asia/Tokyo"),
        (":/usr/share/zoneinfo/America/Lima", "Asia/Tokyo", "", "America/Lima"),
        ("", "", "Asia/Tokyo\n", "Asia/Tokyo"),
        ("", "Nowhere", "", "UTC"),
    ],
)
def test_the_zone_is_found_where_systems_keep_it(
    said: str, linked: str, written: str, zone: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    """docs/hosting.md: this machine's, unless `TZ` names another."""
    link, name = tmp_path / "localtime", tmp_path / "timezone"
    if linked:
        link.symlink_to(tmp_path / "zoneinfo" / linked)
    if written:
        name.write_text(written)
    monkeypatch.setenv("TZ", said)
    monkeypatch.setattr(time_zone, "LINK", link)
    monkeypatch.setattr(time_zone, "NAME", name)
    assert time_zone.zone_here() == zone
