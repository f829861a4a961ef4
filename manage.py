"""Taproom's command line: `python manage.py help` lists what it can do."""

import os
import sys
from pathlib import Path

STOPPED = 128 + 2  # as shells say it of what Ctrl+C has ended
HERE = str(Path(__file__).resolve().parent)
VARIABLE, OURS = "DJANGO_SETTINGS_MODULE", "config.settings"


def main() -> None:
    stand_in()
    try:
        run()
    except KeyboardInterrupt:  # whoever stops a start need not read where it was
        if "--traceback" in sys.argv:
            raise
        sys.exit(STOPPED)
    except ImportError as error:
        if "--traceback" in sys.argv or not (why := why_missing(error)):
            raise
        sys.exit(f"Taproom cannot start. {why}")


def stand_in() -> None:
    """Put something in the place of what was closed (`>&-`), in the order of the system's numbers.

    Else whoever prints ends in a traceback, and the next file that is opened gets the number.
    """
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode))  # noqa: SIM115 - for as long as we live


def run() -> None:
    if HERE not in sys.path:  # Python was told not to look beside a script (PYTHONSAFEPATH)
        sys.path.insert(0, HERE)
    if sys.argv[1:2] == ["replay"]:
        judge_records()
        return
    os.environ.setdefault(VARIABLE, OURS)
    from django.core.exceptions import ImproperlyConfigured

    from config.command_line import CommandLine

    try:
        CommandLine(sys.argv).execute()
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"Taproom cannot start. {error}")


def judge_records() -> None:
    """Replay records without a house: its settings would make a data folder, with a key in it."""
    import django
    from django.conf import settings

    from config import languages

    named = {name: value for name, value in vars(languages).items() if name.isupper()}
    settings.configure(**named)
    django.setup()
    from games.management.commands.replay import Command
    from games.management.speaking import speaks

    speaks(Command()).run_from_argv(sys.argv)


def why_missing(error: ImportError) -> str:
    """Say what helps where a module cannot be had; nothing where it is one of ours."""
    named, missing = os.environ[VARIABLE], (error.name or "").partition(".")[0]
    if named != OURS and missing == named.partition(".")[0]:
        return f"{VARIABLE} is {named}, which is another program's: unset it."
    if (error.path or "").endswith(".so"):  # it is there, and the system could not load it
        return f"{error}. Where that is for want of memory, see what limits it (ulimit -v)."
    if not missing or Path(HERE, missing).is_dir():
        return ""
    if missing in ("fcntl", "resource"):  # which Python has under Unix alone
        return "It needs Linux or macOS: on Windows it runs inside WSL 2 (docs/hosting.md)."
    return (
        f"This Python has no {missing}. What Taproom stands on is in another one: say "
        ".venv/bin/python instead (make play sets it up, and brings it up to date)."
    )


if __name__ == "__main__":
    main()
