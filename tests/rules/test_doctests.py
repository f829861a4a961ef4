"""The examples in the rules' docstrings run."""

from __future__ import annotations

import doctest
import importlib
import pkgutil

import pytest

import games.rules

MODULES = [name for _, name, _ in pkgutil.walk_packages(games.rules.__path__, "games.rules.")]


@pytest.mark.parametrize("module", MODULES)
def test_the_examples_of_a_module_hold(module):
    assert doctest.testmod(importlib.import_module(module)).failed == 0
