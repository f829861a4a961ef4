"""Daphne with our own requests (`config.daphne_requests`) and sockets (`config.daphne_sockets`)."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

from daphne.http_protocol import HTTPFactory
from daphne.server import Server as Daphne
from daphne.ws_protocol import WebSocketFactory

from config.daphne_requests import Channel, Request
from config.daphne_sockets import Events, Socket
from games.live.lines import LINE


class Requests(HTTPFactory):  # type: ignore[misc]
    """Makes our own channels and requests."""

    # HTTP/1 alone, which is all there is without TLS: twisted would put one more object between.
    protocol = Channel

    def buildProtocol(self, addr: Any) -> Any:
        protocol = super().buildProtocol(addr)
        protocol.requestFactory = Request
        return protocol


class Server(Daphne):  # type: ignore[misc]
    """Daphne with our factories in place of those that it makes when it runs."""

    @property
    def http_factory(self) -> HTTPFactory:
        return self._http_factory

    @http_factory.setter
    def http_factory(self, _factory: HTTPFactory) -> None:
        self._http_factory = Requests(self)

    @property
    def ws_factory(self) -> WebSocketFactory:
        return self._ws_factory

    @ws_factory.setter
    def ws_factory(self, factory: WebSocketFactory) -> None:
        factory.protocol = Socket
        self._ws_factory = factory

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Start the application for a request or a socket; return the queue of its events."""
        if not isinstance(protocol, Socket):
            return super().create_application(protocol, scope)
        scope |= {"asgi": {"version": "3.0"}, "extensions": {LINE: protocol}}
        events = Events()
        work = self.application(scope, events.get, partial(self.handle_reply, protocol))
        self.connections[protocol]["application_instance"] = asyncio.ensure_future(work)
        return events
