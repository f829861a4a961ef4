"""Taproom's command line: `python manage.py help` lists what it can do."""

import os
import sys

STOPPED = 128 + 2  # as shells say it of what Ctrl+C has ended


def main() -> None:
    try:
        run()
    except KeyboardInterrupt:  # whoever stops a start need not read where it was
        if "--traceback" in sys.argv:
            raise
        sys.exit(STOPPED)


def run() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.exceptions import ImproperlyConfigured
    from django.core.management import execute_from_command_line

    try:
        execute_from_command_line(sys.argv)
    except ImproperlyConfigured as error:
        if "--traceback" in sys.argv:
            raise
        sys.exit(f"Taproom cannot start. {error}")


if __name__ == "__main__":
    main()
