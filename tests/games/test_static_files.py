"""What pages load: modules that import one way, all asked for at once, and kept for no network."""

from __future__ import annotations

import json
import re
from graphlib import TopologicalSorter
from pathlib import Path

import pytest
from django.test import Client

from config.hashed_files import IMPORT

STATIC = Path(__file__).resolve().parents[2] / "static"
ASKED_FOR = re.compile(r'(?:src|href)="(/static/[^"]+\.(?:js|css))"')


def imports() -> dict[str, set[str]]:
    """Return what each script imports, found as `config/hashed_files.py` finds it."""
    return {
        path.name: {
            found["url"].removeprefix("./")
            for found in re.finditer(f"(?m){IMPORT}", path.read_text())
        }
        for path in STATIC.glob("*.js")
    }


def test_every_import_is_written_so_that_its_hashed_name_is_put_in():
    for path in STATIC.glob("*.js"):
        assert len(imports()[path.name]) == len(re.findall(r"(?<!\w)from [\"']", path.read_text()))


def test_modules_import_one_way():
    """The order exists only where nothing imports, over others, what imports it."""
    assert [*TopologicalSorter(imports()).static_order()]


@pytest.mark.django_db
def test_a_page_asks_at_once_for_every_module(client: Client):
    page = client.get("/offline/").content.decode()
    wanted = set().union(*imports().values())
    assert {f"/static/{name}" for name in wanted} <= set(ASKED_FOR.findall(page))


@pytest.mark.django_db
def test_whatever_the_page_without_a_network_needs_is_kept(client: Client):
    page = client.get("/offline/").content.decode()
    worker = client.get("/sw.js").content.decode()
    kept = json.loads(worker.partition("const FILES = ")[2].partition(";\n")[0])
    needs = ASKED_FOR.findall(page)
    assert len(needs) > 5
    assert set(needs) <= set(kept)
