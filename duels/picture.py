"""The picture of a duel, for those who link to it (Open Graph): puppets and gauges, from the public view alone.

It has no words, so that one picture serves all languages.
"""

from __future__ import annotations

import hashlib
import io
import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, cast

from django.core.cache import cache
from PIL import Image, ImageDraw

from duels.drawing import Gauge, gauges
from duels.shapes import SHAPES
from duels.stage_picture import EDGE, FINER, GOLD, PAPER, SIZE, WINE, WOOD, draw_stage

VOID = "#efe4cb"
SCALE = 2.0 * FINER
PLACES = {"a": (120, 30), "b": (640, 30)}  # of the canvas of each puppet
ROWS = {"link": 562, "alchemy": 600}

Point = tuple[float, float]


def kept_png(view: Mapping[str, Any]) -> bytes:
    """Return the picture of a public view, drawn once for as long as the cache keeps it."""
    digest = hashlib.sha256(json.dumps(view, sort_keys=True).encode()).hexdigest()
    return cast(bytes, cache.get_or_set(f"picture:{digest}", lambda: png(view), timeout=24 * 3600))


def png(view: Mapping[str, Any]) -> bytes:
    """Draw a public view of the rules; before the start (an empty view) without gauges."""
    image = Image.new("RGB", (SIZE[0] * FINER, SIZE[1] * FINER), PAPER)
    draw = ImageDraw.Draw(image)
    if "mode" in view:  # a spell duel's
        draw_stage(draw, view)
    else:
        _puppets(draw, view)
    made = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(made, "PNG", optimize=True)
    return made.getvalue()


def _puppets(draw: ImageDraw.ImageDraw, view: Mapping[str, Any]) -> None:
    for letter, (left, top) in PLACES.items():
        _puppet(draw, view, letter, left, top)
        for gauge in gauges(view, letter) if view else ():
            _gauge(draw, gauge, left + 220)


def _puppet(draw: ImageDraw.ImageDraw, view: Mapping[str, Any], letter: str, left: int, top: int) -> None:
    disabled = {effect["zone"] for effect in view["seats"][letter]["disabled"]} if view else set()
    for name, shape in SHAPES.items():
        spent = name == view.get("void_zone") or name in disabled
        points = [(left * FINER + x * SCALE, top * FINER + y * SCALE) for x, y in outline(shape.outline)]
        draw.polygon(points, fill=VOID if spent else WOOD)
        draw.line([*points, points[0]], fill=EDGE, width=5 * FINER, joint="curve")


def outline(path: str) -> Iterator[Point]:
    """Yield the points of an SVG path of the puppet: M, L and C with absolute figures, closed."""
    here: Point = (0.0, 0.0)
    for command, figures in re.findall(r"([MLC])([^A-Z]*)", path):
        numbers = [float(figure) for figure in re.findall(r"-?\d+(?:\.\d+)?", figures)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        if command == "C":
            for first in range(0, len(points), 3):
                yield from _curve(here, *points[first : first + 3])
                here = points[first + 2]
        else:
            yield from points
            here = points[-1]


def _curve(start: Point, one: Point, two: Point, end: Point, *, steps: int = 12) -> Iterator[Point]:
    """A cubic Bézier curve, by Bernstein's polynomials."""
    for step in range(1, steps + 1):
        t = step / steps
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        corners = (start, one, two, end)
        yield (
            sum(weight * x for weight, (x, _y) in zip(weights, corners, strict=True)),
            sum(weight * y for weight, (_x, y) in zip(weights, corners, strict=True)),
        )


def _gauge(draw: ImageDraw.ImageDraw, gauge: Gauge, middle: int) -> None:
    """Circles for link, stars (here lozenges) for alchemy: filled or hollow, side by side around `middle`."""
    step, radius = min(34, 480 // gauge.most), 9
    colour = WINE if gauge.kind == "link" else GOLD
    row = ROWS[gauge.kind] * FINER
    for place, is_full in enumerate(gauge.marks):
        x = (middle + step * (place - (gauge.most - 1) / 2)) * FINER
        corner = min(radius, step // 2 - 2) * FINER
        fill = colour if is_full else None
        if gauge.kind == "link":
            draw.ellipse((x - corner, row - corner, x + corner, row + corner), fill, colour, 2 * FINER)
        else:
            lozenge = [(x, row - corner), (x + corner, row), (x, row + corner), (x - corner, row)]
            draw.polygon(lozenge, fill, colour, 2 * FINER)
