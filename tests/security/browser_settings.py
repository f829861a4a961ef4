"""The tests' servers' settings, with static files served from where they lie."""

from tests.chaos.settings import *  # noqa: F403

SERVESTATIC_USE_FINDERS = True
