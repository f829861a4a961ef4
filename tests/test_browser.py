"""`make test` finds or fetches the Chromium of its tests, and says what is missing."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parent / "browser.sh"
NOTES = 'echo "$(basename "$0") $*" >> "{noted}"\n'
# What Playwright does where its Node does not find what it needs.
DRIVES = '[ "$3" = install ] && exit {installs}\n[ -e "{lib}" ]\n'


class Bare:
    """A machine that has a shell, and what a test gives it."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.noted, self.lib = folder, folder / "noted", folder / "libatomic"
        self.noted.touch()
        for name in ("sh", "basename"):
            (folder / name).symlink_to(str(shutil.which(name)))
        self.has("id", "echo 1000\n")
        self.has("python", DRIVES.format(installs=1, lib=self.lib))

    def has(self, name: str, does: str) -> None:
        path = self.folder / name
        path.write_text(f"#!/bin/sh\n{does}")
        path.chmod(0o755)

    def has_apt(self) -> None:
        """Whoever asks is root, and each package that apt is asked for is there."""
        self.has("id", "echo 0\n")
        gets = f'case "$*" in *libatomic1*) : > "{self.lib}";; esac\n'
        self.has("apt-get", NOTES.format(noted=self.noted) + gets)

    def looks(self) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            ["sh", SCRIPT, self.folder],
            env={"PATH": str(self.folder)},
            executable=shutil.which("sh"),
            capture_output=True,
            text=True,
            check=False,
        )


@pytest.fixture
def bare(tmp_path: Path) -> Bare:
    return Bare(tmp_path)


def test_what_drives_the_browser_gets_the_library_that_a_small_debian_has_not(bare: Bare):
    """There each test that opens a page ended in "Connection closed while reading"."""
    bare.has_apt()
    bare.has("chromium-headless-shell", "")
    assert bare.looks().returncode == 0
    assert "libatomic1" in bare.noted.read_text()
    bare.noted.write_text("")
    assert bare.looks().returncode == 0
    assert bare.noted.read_text() == "", "what drives already needs nothing"


def test_a_chromium_comes_alone(bare: Bare):
    """What is recommended beside it was a hundred packages, with a printer's dialogs."""
    bare.has_apt()
    bare.lib.touch()
    assert bare.looks().returncode == 0
    (asked,) = bare.noted.read_text().splitlines()
    assert "--no-install-recommends chromium-headless-shell" in asked


def test_who_may_install_nothing_is_told_what_is_missing(bare: Bare):
    ended = bare.looks()
    assert ended.returncode
    assert "libatomic1" in ended.stdout
    bare.lib.touch()
    ended = bare.looks()
    assert ended.returncode
    assert "The tests need a Chromium" in ended.stdout


def test_a_chromium_that_is_there_is_taken(bare: Bare):
    bare.lib.touch()
    bare.has("chromium", "")
    assert bare.looks().returncode == 0
    assert bare.noted.read_text() == ""
