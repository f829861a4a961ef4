"""Where sockets connect."""

from django.urls import path

from games.live.consumer import TableConsumer

websocket_urlpatterns = [
    path("ws/t/<str:code>/<str:page>/<int:seat>/", TableConsumer.as_asgi()),
]
