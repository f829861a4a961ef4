"""A house that trusts what it is sent: the control of what is sent to it in `test_frames.py`."""

from __future__ import annotations

import json
from typing import Any

from games.live import consumer


class Careless:
    """Once it is made, sockets read their messages without a thought of what may be in them."""

    def __init__(self, get_response: Any) -> None:
        self.get_response = get_response
        heard = consumer.TableConsumer.hear

        def hear(self: Any, text: str | None) -> None:
            json.loads(text)["ping"]  # type: ignore[arg-type]
            heard(self, text)

        consumer.TableConsumer.hear = hear  # type: ignore[method-assign]

    def __call__(self, request: Any) -> Any:
        return self.get_response(request)
