"""One application for pages and sockets."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from channels.layers import get_channel_layer  # noqa: E402
from channels.routing import ProtocolTypeRouter, URLRouter  # noqa: E402

from config.pages import Pages  # noqa: E402
from games.health import with_health  # noqa: E402
from games.live.no_sockets import with_sockets_told  # noqa: E402
from games.live.origin import SameOrigin  # noqa: E402
from games.live.urls import websocket_urlpatterns  # noqa: E402
from games.page_mark import mark_of_pages  # noqa: E402

application = ProtocolTypeRouter(
    {
        "http": with_health(with_sockets_told(Pages())),
        "websocket": SameOrigin(URLRouter(websocket_urlpatterns)),
    }
)

# Made here, while there is one thread. Two threads that ask first at the same moment would make one
# layer each: this process would listen by one, while the others send to the name of the other.
get_channel_layer()
# Worked out now: the files of a new release may be put in place before anybody opens a page.
mark_of_pages()
