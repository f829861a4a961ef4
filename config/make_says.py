"""`python config/make_says.py help`: what make has to say, in the language of the terminal.

The Python that is there may be too old for everything else, and this is what says so.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))  # not looked at by every Python
from config.early_texts import gettext as _


def targets() -> list[tuple[str, str]]:
    """Return what make can be asked for, and what each is for."""
    return [
        (
            "make play [HOST=0.0.0.0] [PORT=8000]",
            _("serve, and show the address and a QR code"),
        ),
        ("make test", _("the tests: nine minutes, or twenty on a slow machine")),
        ("make looks", _("how screens lie, in every size, letter, name and light")),
        ("make test-scaled", _("the same on PostgreSQL and Redis, phones at two processes")),
        ("make bench [ARGS=--quick]", _("how quick it is, against others and against before")),
        ("make chaos [ARGS=--quick]", _("kills, cuts, stalls and wrong clocks: hours in full")),
        ("make keeping", _("backups, every release's house and broken machines, in full")),
        ("make fuzz", _("the goals of security in full size: docs/security.md")),
        ("make check", _("style, types, migrations, translations")),
        ("make messages", _("gather texts to translate")),
        ("make icons", _("draw the icons again from the SVG")),
        (
            'make lock [ARGS="-P django"]',
            _("lock dependencies; -P: the newest of one, -U: of all"),
        ),
        ("make clean", _("remove what was fetched and made; not a house in var/")),
    ]


def told(about: str) -> str:
    """Return what is to be said about something."""
    if about == "help":
        return "\n".join(f"{target:38} {use}" for target, use in targets())
    if about == "fetching":
        return _("Fetching what Taproom stands on: a minute or two, the first time.")
    return _(
        "Python 3.11 or newer is needed, with venv, ssl, ctypes, lzma and zlib (Debian: "
        "python3-venv). Where it has another name: make play PYTHON=/path/to/python"
    )


def main() -> None:
    """Print it, whatever letters the terminal has."""
    letters = sys.stdout.encoding or "ascii"
    print(told(sys.argv[1]).encode(letters, "replace").decode(letters))


if __name__ == "__main__":
    main()
