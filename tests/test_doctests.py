"""The examples in docstrings run."""

from __future__ import annotations

import doctest
import importlib
from pathlib import Path

import pytest
from django.conf import settings

ROOT = Path(__file__).parents[1]
OURS = (*settings.OUR_APPS, "config", "bench", "tests")
MODULES = sorted(
    ".".join(path.relative_to(ROOT).with_suffix("").parts)
    for folder in OURS
    for path in (ROOT / folder).rglob("*.py")
    if path != Path(__file__) and ">>> " in path.read_text()
)


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module):
    tried = doctest.testmod(importlib.import_module(module))
    assert tried.attempted
    assert not tried.failed
