"""The tests' servers' settings, with a middleware in front that makes sockets careless."""

from tests.chaos.settings import *  # noqa: F403
from tests.chaos.settings import MIDDLEWARE

MIDDLEWARE = ["tests.security.careless.Careless", *MIDDLEWARE]
