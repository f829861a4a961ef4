"""Draw the app's icons from icon.svg: `make icons`.

The drawing keeps within the circle that a mask leaves (80 %), so a maskable
icon differs only in its ground, which runs to the edges.
"""

from __future__ import annotations

import base64
import shutil
import struct
import zlib
from pathlib import Path

from playwright.sync_api import sync_playwright

HERE = Path(__file__).parent
ICONS = {
    "icon-192.png": (192, False),
    "icon-512.png": (512, False),
    "maskable-192.png": (192, True),
    "maskable-512.png": (512, True),
    "apple-touch-icon.png": (180, True),  # the phone cuts the corners itself
}


def chromium() -> str | None:
    """Return the Chromium that `make browser` sees to, or None for Playwright's own."""
    names = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
    return next(filter(None, map(shutil.which, names)), None)


def png(pixels: bytes, size: int) -> bytes:
    """Write RGBA pixels as a PNG: Chromium's own are larger, for they are packed in a hurry."""
    rows = b"".join(b"\0" + pixels[at : at + 4 * size] for at in range(0, len(pixels), 4 * size))
    head = struct.pack(">IIBBBBB", size, size, 8, 6, 0, 0, 0)
    parts = ((b"IHDR", head), (b"IDAT", zlib.compress(rows, 9)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
        for kind, body in parts
    )


PAINT = """async ([svg, size]) => {
  const picture = new Image();
  picture.src = "data:image/svg+xml," + encodeURIComponent(svg);
  await picture.decode();
  const brush = new OffscreenCanvas(size, size).getContext("2d");
  brush.drawImage(picture, 0, 0, size, size);
  const pixels = brush.getImageData(0, 0, size, size).data;
  let text = "";
  for (let at = 0; at < pixels.length; at += 8192) {
    text += String.fromCharCode(...pixels.subarray(at, at + 8192));
  }
  return btoa(text);
}"""


def draw() -> None:
    svg = (HERE / "icon.svg").read_text(encoding="utf-8")
    to_the_edges = svg.replace('rx="112"', 'rx="0"')
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=chromium(), args=["--no-sandbox", "--disable-background-networking"]
        )
        tab = browser.new_page()
        for name, (size, fills) in ICONS.items():
            painted = tab.evaluate(PAINT, [to_the_edges if fills else svg, size])
            (HERE / name).write_bytes(png(base64.b64decode(painted), size))
            print(f"{name}: {(HERE / name).stat().st_size} bytes")
        browser.close()


if __name__ == "__main__":
    draw()
