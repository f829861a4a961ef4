"""S10: what tools know of holes in our code, our settings, and what we depend on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
from django.conf import settings

from tests.security.figures import measured
from tests.sizes import IS_FULL

ROOT = Path(__file__).resolve().parents[2]
# With every change the doors; ruff reads all the rest by the same rules in `make check`.
WHERE = (
    (*settings.OUR_APPS, "config", "manage.py")
    if IS_FULL
    else ("games/views", "games/forms.py", "games/api.py", "config")
)
NOBODY_ANSWERS = (
    "NO SOURCE OF ADVISORIES COULD BE ASKED: WHETHER A DEPENDENCY HAS A KNOWN HOLE IS NOT KNOWN. "
    "Run `make fuzz ARGS='--only S10'` where pypi.org or api.osv.dev can be reached."
)
# Looked at by a person: by file and rule, how many there are, and why they are none.
REVIEWED = {
    ("config/jinja.py", "B704"): (3, "our own translations, filled by escaping; a QR code's SVG"),
    ("config/style_sheets.py", "B704"): (1, "a style sheet of ours, as it was collected"),
    ("config/quick_code.py", "B704"): (1, "what a macro returns, which its own template escapes"),
    ("games/screens/each.py", "B704"): (2, "joined from what its own template has escaped"),
    ("games/screens/pieces.py", "B704"): (2, "drawn by its own template, which escapes; our ids"),
    ("games/views/table.py", "B704"): (1, "regions, drawn by their own templates; the CSRF input"),
    ("games/screens/pruned.py", "B302"): (1, "made by this house, and whole by its digest"),
    ("games/keeping/facts.py", "B608"): (1, "a table's name, quoted, from the database itself"),
    ("games/keeping/values.py", "B608"): (1, "names of tables and columns from the models"),
    ("games/models/wording.py", "B608"): (5, "names of columns from the models; values are given"),
    ("config/addresses.py", "B104"): (1, "phones are to reach it"),
    ("config/get_pip.py", "B310"): (1, "https, by ours alone; what comes is known by its digest"),
}


def by_bandit(*where: str) -> Counter[tuple[str, str]]:
    """Return what bandit finds of medium severity and more, by file and rule."""
    told = subprocess.run(
        [sys.executable, "-m", "bandit", "-q", "-ll", "-f", "json", "-r", *where],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    found = json.loads(told.stdout)["results"]
    return Counter((one["filename"].removeprefix("./"), one["test_id"]) for one in found)


def test_bandit_finds_nothing_that_nobody_has_looked_at():
    """Nor fewer than were looked at: the next one would be taken for one of those."""
    found = by_bandit(*WHERE)
    unseen = {key: n for key, n in found.items() if n > REVIEWED.get(key, (0, ""))[0]}
    assert unseen == {}
    reviewed = {key: n for key, (n, _why) in REVIEWED.items() if key[0].startswith(WHERE)}
    assert dict(found) == reviewed
    measured("S10", "bandit: medium and more, not reviewed", sum(unseen.values()))
    measured("S10", "bandit: reviewed", sum(found.values()))


def test_a_hole_would_be_found(tmp_path: Path):
    """The control."""
    bad = tmp_path / "bad.py"
    bad.write_text("import subprocess\nsubprocess.call('ls ' + input(), shell=True)\n")
    assert [rule for (_file, rule), _n in by_bandit(str(bad)).items()] == ["B602"]


@pytest.mark.skipif(not IS_FULL, reason="asks the network; `make fuzz` does it")
def test_nothing_we_depend_on_has_a_known_hole():
    """Where no source of advisories answers, that is said, and is no pass."""
    for source in ("pypi", "osv"):
        known, audited = _by_pip_audit(source)
        if audited:
            measured("S10", "dependencies audited", audited)
            measured("S10", "known holes", len(known))
            assert known == []
            return
    measured("S10", "dependencies audited", 0)
    pytest.fail(NOBODY_ANSWERS)


def _by_pip_audit(source: str) -> tuple[list[str], int]:
    told = subprocess.run(
        [sys.executable, "-m", "pip_audit", "--disable-pip", "--require-hashes", "-f", "json",
         "--progress-spinner", "off", "--timeout", "10", "-s", source,
         "-r", "config/requirements.lock"],
        cwd=ROOT, capture_output=True, text=True, check=False, timeout=300, env={**os.environ},
    )  # fmt: skip
    try:
        found = json.loads(told.stdout)["dependencies"]
    except (ValueError, KeyError):
        return [], 0
    audited = [one for one in found if "vulns" in one]
    holes = [f"{one['name']} {v['id']}" for one in audited for v in one["vulns"]]
    return holes, len(audited)
