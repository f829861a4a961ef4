"""Scripts that make a page's line slow: all that it says, or only its taps."""

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
