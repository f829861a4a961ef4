"""Portraits by photo: made small, square and harmless before they are kept."""

from __future__ import annotations

import io
from os import SEEK_CUR

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from games.errors import Malformed
from games.one_at_a_time import one_at_a_time

SIDE = 256
MOST_BYTES = 12 * 1024 * 1024
# A photo is read at an eighth of its size, anything else whole.
MOST_PIXELS_OF_A_PHOTO, MOST_PIXELS = 60_000_000, 24_000_000
# How the pixels of a JPEG begin: with the number of layers that this pass over the picture brings.
SCAN = b"\xff\xda"
# What phones take and send. The library reads many more, some by calling other programs.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")


def small_portrait(photo: UploadedFile[bytes] | None) -> bytes:
    """Return a photo as a small square JPEG without where and when it was taken.

    Raises Malformed for what is no picture, or too large a one, and HouseInTrouble where others
    come first.
    """
    if photo is None or not photo.size:
        raise Malformed(_("Choose a picture first."), field="photo")
    if photo.size > MOST_BYTES:
        raise Malformed(_("That picture is too large: at most 12 MB."), field="photo")
    try:
        with one_at_a_time():
            square = _square(photo)
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Malformed(_("That is not a picture we can read."), field="photo") from None
    kept = io.BytesIO()
    square.save(kept, "JPEG", quality=82, optimize=True)
    return kept.getvalue()


def _square(photo: UploadedFile[bytes]) -> Image.Image:
    """Return a photo's middle, upright and small, with as few copies of the whole as there can be.

    Raises Malformed for one of too many pixels, and errors of the library's for what is none.
    """
    picture: Image.Image = Image.open(photo, formats=FORMATS)
    most = MOST_PIXELS_OF_A_PHOTO if _is_read_at_an_eighth(picture, photo) else MOST_PIXELS
    if picture.width * picture.height > most:
        raise Malformed(_("That picture has too many pixels: choose a smaller one."), field="photo")
    picture.draft("RGB", (4 * SIDE, 4 * SIDE))
    picture.load()
    if picture.mode not in ("RGB", "L"):
        picture = picture.convert("RGB")
    ImageOps.exif_transpose(picture, in_place=True)
    return ImageOps.fit(picture, (SIDE, SIDE)).convert("RGB")


def _is_read_at_an_eighth(picture: Image.Image, photo: UploadedFile[bytes]) -> bool:
    """Tell whether the library never holds the whole of a photo that has just been opened.

    Of a JPEG that comes in several passes, as a progressive one does, it holds six bytes a pixel
    until the last of them.
    """
    if picture.format != "JPEG" or picture.info.get("progressive"):
        return False
    layers, after = len(picture.getbands()), photo.tell()
    head = SCAN + (6 + 2 * layers).to_bytes(2) + bytes((layers,))
    photo.seek(-(len(SCAN) + 6 + 2 * layers), SEEK_CUR)
    is_one_pass: bool = photo.read(len(head)) == head
    photo.seek(after)
    return is_one_pass
