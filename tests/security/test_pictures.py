"""What pictures may cost the house, whoever sends them (threat model)."""

from __future__ import annotations

import math
import time
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from threading import Event
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageOps

from characters.pictures import (
    MOST_BYTES,
    MOST_PIXELS,
    MOST_PIXELS_OF_A_PHOTO,
    SIDE,
    small_portrait,
)
from games.errors import HouseInTrouble, Malformed
from games.one_at_a_time import PLACES
from tests.security.odd_requests import a_bomb

PATIENCE = 10.0
# The head of a JPEG's pass that brings all of its layers, and of one that brings the first alone.
OF_THREE_LAYERS = b"\xff\xda\0\x0c\x03\1\0\2\x11\3\x11\0\x3f\0"
OF_ONE_LAYER = b"\xff\xda\0\x08\x01\1\0\0\x3f\0"
upright = ImageOps.exif_transpose


def picture(kind: str, width: int, height: int, **how: Any) -> SimpleUploadedFile:
    file = BytesIO()
    Image.new("RGB", (width, height), "teal").save(file, kind, **how)
    return SimpleUploadedFile("photo", file.getvalue())


def claiming(kind: str, side: int) -> SimpleUploadedFile:
    """Return a small file that says it is a square picture of this side."""
    if kind == "PNG":
        return SimpleUploadedFile("photo", a_bomb(side))
    is_progressive = kind == "progressive"
    data = bytearray(picture("JPEG", 40, 30, progressive=is_progressive).file.getvalue())
    at = data.index(b"\xff\xc2" if is_progressive else b"\xff\xc0") + 5
    data[at : at + 4] = side.to_bytes(2, "big") * 2
    if kind == "layer by layer":
        data = data.replace(OF_THREE_LAYERS, OF_ONE_LAYER)
    return SimpleUploadedFile("photo", bytes(data))


@pytest.mark.parametrize(
    ("kind", "most"),
    [
        ("PNG", MOST_PIXELS),
        ("JPEG", MOST_PIXELS_OF_A_PHOTO),
        ("progressive", MOST_PIXELS),
        ("layer by layer", MOST_PIXELS),
    ],
)
def test_a_picture_of_too_many_pixels_is_refused_before_they_are_read(kind: str, most: int):
    """The library itself reads three times as many, and holds a photo whole that comes in passes.

    One of 60 million pixels took 361 MB where it was progressive, 17 where not.
    """
    with pytest.raises(Malformed, match="too many pixels"):
        small_portrait(claiming(kind, math.isqrt(most) + 1))
    with pytest.raises(Malformed, match="can read"):
        small_portrait(claiming("PNG", math.isqrt(MOST_PIXELS)))  # the control


def test_a_photo_is_read_no_larger_than_its_portrait_needs(monkeypatch: pytest.MonkeyPatch):
    """One of 60 million pixels took 680 MB: it was read whole, copied, and copied again."""
    sizes = []
    monkeypatch.setattr(
        ImageOps,
        "exif_transpose",
        lambda one, **more: (sizes.append(one.size), upright(one, **more))[1],
    )
    small_portrait(picture("JPEG", 8000, 6000))
    ((width, height),) = sizes
    assert 2 * SIDE <= height <= 6000 / 4
    assert width / height == pytest.approx(8 / 6, rel=0.01)


def test_pictures_are_read_one_at_a_time_and_leave_threads_for_pages(
    monkeypatch: pytest.MonkeyPatch,
):
    """Eight of one player's took 2.9 GB, and no page was answered meanwhile."""
    goes_on, begun = Event(), []

    def waits(one: Any, **more: Any) -> Any:
        begun.append(one)
        goes_on.wait(PATIENCE)
        return upright(one, **more)

    monkeypatch.setattr(ImageOps, "exif_transpose", waits)
    with ThreadPoolExecutor(2) as threads:
        try:
            sent = [threads.submit(small_portrait, picture("JPEG", 40, 30)) for _n in range(2)]
            while len(begun) < 1 or PLACES.acquire(blocking=False):
                if begun:
                    PLACES.release()
                time.sleep(0.01)
            with pytest.raises(HouseInTrouble, match="in a moment"):
                small_portrait(picture("JPEG", 40, 30))
            assert len(begun) == 1
        finally:
            goes_on.set()
        assert all(one.result() for one in sent)
    assert small_portrait(picture("JPEG", 40, 30))


def test_a_file_that_is_too_long_for_a_picture_is_not_opened():
    data = picture("JPEG", 40, 30).read()
    assert small_portrait(SimpleUploadedFile("photo", data.ljust(MOST_BYTES, b"\0")))
    with pytest.raises(Malformed, match="12 MB"):
        small_portrait(SimpleUploadedFile("photo", data.ljust(MOST_BYTES + 1, b"\0")))
