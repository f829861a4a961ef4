"""One application for pages and sockets."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from config.pages import pages  # noqa: E402
from games.health import with_health  # noqa: E402
from games.live.origin import SameOrigin  # noqa: E402
from games.live.urls import websocket_urlpatterns  # noqa: E402

application = ProtocolTypeRouter(
    {"http": with_health(pages()), "websocket": SameOrigin(URLRouter(websocket_urlpatterns))}
)
