"""Portraits by photo: made small, square and harmless before they are kept."""

from __future__ import annotations

import io

from django.core.files.uploadedfile import UploadedFile
from django.utils.translation import gettext as _
from PIL import Image, ImageOps, UnidentifiedImageError

from games.errors import Malformed

SIDE = 256
MOST_BYTES = 12 * 1024 * 1024
MOST_PIXELS = 60_000_000
# What phones take and send. The library reads many more, some by calling other programs.
FORMATS = ("JPEG", "PNG", "WEBP", "GIF")


def small_portrait(photo: UploadedFile | None) -> bytes:
    """Return a photo as a small square JPEG without where and when it was taken.

    Raises Malformed for what is no picture, or too large a one.
    """
    if photo is None or not photo.size:
        raise Malformed(_("Choose a picture first."), field="photo")
    if photo.size > MOST_BYTES:
        raise Malformed(_("That picture is too large: at most 12 MB."), field="photo")
    try:
        picture = Image.open(photo, formats=FORMATS)
        if picture.width * picture.height > MOST_PIXELS:
            raise Malformed(
                _("That picture has too many pixels: choose a smaller one."), field="photo"
            )
        upright = ImageOps.exif_transpose(picture).convert("RGB")
        square = ImageOps.fit(upright, (SIDE, SIDE))
    except (UnidentifiedImageError, OSError, ValueError, SyntaxError, Image.DecompressionBombError):
        raise Malformed(_("That is not a picture we can read."), field="photo") from None
    kept = io.BytesIO()
    square.save(kept, "JPEG", quality=82, optimize=True)
    return kept.getvalue()
