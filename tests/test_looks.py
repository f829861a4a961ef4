"""What `make test` leaves to `make looks` is counted, and given to whoever asks for it by name."""

from __future__ import annotations

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
pytest_plugins = ["pytester"]
TESTS = """
import pytest

@pytest.mark.looks
def test_a_wide_screen(): ...

@pytest.mark.looks(also_quick=True)
def test_a_page(): ...

def test_a_tap(): ...
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> pytest.Pytester:
    for name in ("PYTEST_ADDOPTS", "TAPROOM_SIZE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PYTHONPATH", str(ROOT))  # for the worker
    monkeypatch.setattr("tests.sizes.IS_FULL", False)
    pytester.makeini(
        "[pytest]\ntestpaths = here\nmarkers = looks(also_quick)\n"
        "asyncio_default_fixture_loop_scope = function"
    )
    pytester.makeconftest(
        "from tests.looks import Looks\n"
        "def pytest_configure(config): config.pluginmanager.register(Looks())"
    )
    pytester.mkpydir("here").joinpath("test_screens.py").write_text(TESTS)
    return pytester


@pytest.mark.parametrize(
    ("asked", "run", "left"),
    [
        (["-n", "1"], 2, 1),
        ([], 2, 1),
        (["-m", "looks"], 2, 0),
        (["-k", "wide"], 1, 0),
        (["here/test_screens.py"], 3, 0),
    ],
)
def test_what_is_left_out_is_told(suite: pytest.Pytester, asked: list[str], run: int, left: int):
    told = suite.runpytest_inprocess("-p", "no:django", *asked)
    assert told.parseoutcomes()["passed"] == run
    said = f"{left} tests of looks were left to `make looks`."
    assert (said in told.outlines) == bool(left)


def test_in_full_size_nothing_is_left_out(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("tests.sizes.IS_FULL", True)
    assert suite.runpytest_inprocess("-p", "no:django").parseoutcomes()["passed"] == 3
