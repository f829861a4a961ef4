"""Which Chromium drives the pages, and how it is started: for tests and for `bench/`."""

from __future__ import annotations

import shutil

# The first is Chromium without the parts that only a window needs: the phones' tests take a fifth
# less of a processor's time with it.
CHROMIUMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
# Chromium draws pages of its own for its address bar, which nobody sees without a window: of each
# newcomer's browser they took nearly a second of a processor's time.
OWN_PAGES = ("WebUIOmniboxPopup", "WebUIOmniboxAimPopup")
# What Playwright turns off by itself, in a list that only the last one given replaces.
NO_HELP = (
    "AimEnabled",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsFirstBalancedModeAutoEnable",
    "HttpsUpgrades",
    "LensOverlay",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "ThirdPartyStoragePartitioning",
)
FLAGS = [
    "--no-sandbox",
    "--disable-background-networking",
    f"--disable-features={','.join((*NO_HELP, *OWN_PAGES))}",
]


def where() -> str | None:
    """Return the system's Chromium; None lets Playwright look for its own."""
    return next((path for name in CHROMIUMS if (path := shutil.which(name))), None)
