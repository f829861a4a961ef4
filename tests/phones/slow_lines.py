"""Scripts that make a page's line slow, all that it says or only its taps; and presses of several
phones at one instant, whose lines are then put to the test."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.phones.people import Person

LATE_REQUESTS = """(lag) => {
  const { send } = XMLHttpRequest.prototype;
  XMLHttpRequest.prototype.send = function (body) {
    setTimeout(() => send.call(this, body), lag);
  };
}"""
# Only taps take long, so that the house measures a good line.
HELD_BACK = f"""(lag) => {{
  ({LATE_REQUESTS})(lag);
  const {{ send }} = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {{
    if (!data.startsWith('{{"do":')) return send.call(this, data);
    setTimeout(() => this.readyState === WebSocket.OPEN && send.call(this, data), lag);
  }};
}}"""
# A line that takes `lag` milliseconds each way: what is sent leaves late, what comes is heard late.
SLOW_LINE = f"""((lag) => {{
  ({LATE_REQUESTS})(lag);
  const {{ send }} = WebSocket.prototype;
  WebSocket.prototype.send = function (data) {{
    setTimeout(() => this.readyState === WebSocket.OPEN && send.call(this, data), lag);
  }};
  const heard = Object.getOwnPropertyDescriptor(WebSocket.prototype, 'onmessage');
  Object.defineProperty(WebSocket.prototype, 'onmessage', {{
    set(hear) {{ heard.set.call(this, (event) => setTimeout(() => hear(event), lag)); }},
  }});
}})"""

# Presses a button at an instant of the wall clock, so that two phones can press together. Nobody
# waits for it: one phone's press must not wait for another's.
PRESS_AT = """([id, at]) => { setTimeout(() => {
  const button = document.getElementById(id);
  const touch = { bubbles: true, button: 0, pointerType: 'touch', isPrimary: true };
  if (!button.closest('form[data-press]')) button.click();
  else button.dispatchEvent(new PointerEvent('pointerdown', touch));
}, at - Date.now()); }"""


def they_press(presses: dict[Person, tuple[str, int]]) -> None:
    """Press several phones' buttons, each so many milliseconds after the same instant."""
    at = time.time() * 1000 + 300
    for person, (button, after) in presses.items():
        person.page.evaluate(PRESS_AT, [button, at + after])
