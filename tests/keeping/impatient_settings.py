"""A house's own settings; what `/readyz` has found it looks for again a third of a second later.

Tests that ask it after each of many faults would else wait for two seconds each time.
"""

from typing import Any

from django.utils.decorators import sync_and_async_middleware

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE

MIDDLEWARE = [f"{__name__}.looks_often", *MIDDLEWARE]
OFTEN_S = 0.3


@sync_and_async_middleware
def looks_often(get_response: Any) -> Any:
    """Change what the process was begun with, and nothing of what is asked."""
    from games import health

    health.FRESH_S = OFTEN_S
    return get_response
