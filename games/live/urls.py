"""Where sockets connect."""

from django.urls import path

from games.live.consumer import TableConsumer

websocket_urlpatterns = [
    path("ws/t/<slug:code>/<slug:page>/<int:seat>/", TableConsumer.as_asgi()),
]
