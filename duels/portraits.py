"""Portraits: whatever picture was sent becomes a small WebP of our own making, without what cameras write into it."""

from __future__ import annotations

import io
import uuid
from typing import IO

from django.core.files.base import ContentFile
from django.utils.translation import gettext_lazy as _
from PIL import Image, ImageOps

from duels.errors import Invalid

ACCEPTED = ("JPEG", "PNG", "WEBP")
HEAVIEST = 4 * 1024 * 1024  # bytes, as sent
LARGEST = 30_000_000  # pixels, as sent: more may be a trap that fills the memory
SIDE = 640  # pixels, as kept
QUALITY = 82
PAPER = "#fdf9ef"  # behind what is transparent


def redrawn(sent: IO[bytes], *, size: int) -> ContentFile[bytes]:
    """Return the picture anew: upright, `SIDE` pixels at most, bare of metadata, under a random name.

    `size` is how many bytes were sent. Raises Invalid, naming the field `portrait`.
    """
    if size > HEAVIEST:
        raise Invalid(_("This picture is too heavy: 4 MB at most."), "portrait")
    kept = io.BytesIO()
    _small(sent).save(kept, "WEBP", quality=QUALITY)
    return ContentFile(kept.getvalue(), name=f"{uuid.uuid4().hex}.webp")


def _small(sent: IO[bytes]) -> Image.Image:
    try:
        sent.seek(0)
        with Image.open(sent, formats=ACCEPTED) as picture:
            if picture.width * picture.height > LARGEST:
                raise Image.DecompressionBombError
            picture.draft("RGB", (2 * SIDE, 2 * SIDE))  # a JPEG need not be read in full
            upright = ImageOps.exif_transpose(picture).convert("RGBA")
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise Invalid(_("This picture has too many pixels: make it smaller, then send it again."), "portrait") from None
    except (OSError, SyntaxError, ValueError):
        raise Invalid(
            _("This file is not a picture that can be read: choose a JPEG, PNG or WebP picture."), "portrait"
        ) from None
    upright.thumbnail((SIDE, SIDE))
    bare = Image.new("RGB", upright.size, PAPER)  # a new picture: nothing of the old one's metadata
    bare.paste(upright, mask=upright)
    return bare
