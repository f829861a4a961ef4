"""The releases of which a house is kept here, by their names, and ours among them."""

from __future__ import annotations

from games.keeping import release
from tests.keeping.conftest import RELEASES

ALL = sorted(path.name.split(".")[0] for path in RELEASES.iterdir())
PRESENT = release.name_of(release.known())
