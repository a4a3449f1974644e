"""The picture of a tournament, for those who link to it (Open Graph): its bracket, or who has beaten whom in its table.

It has no words, so that one picture serves all languages.
"""

from __future__ import annotations

import io
from collections.abc import Sequence

from PIL import Image, ImageDraw

from duels.stage_picture import EDGE, FINER, GOLD, PAPER, SIZE, WINE, WOOD

from .drawing import HEIGHT, WIDTH, Layout
from .formats.core import DRAW, WIN
from .queries.showing import GridRow, Shown

FRAME = 60  # around what is drawn
COLOURS = {WIN: WINE, DRAW: GOLD, 0: PAPER}  # of a cell, by the points won there


def png(shown: Shown) -> bytes:
    """Draw what the page of a tournament shows; before the start, and of a table that is none, the bare frame."""
    image = Image.new("RGB", (SIZE[0] * FINER, SIZE[1] * FINER), PAPER)
    draw = ImageDraw.Draw(image)
    draw.rectangle(_box(20, 20, SIZE[0] - 20, SIZE[1] - 20), outline=WOOD, width=3 * FINER)
    if shown.drawings:
        _bracket(draw, shown.drawings[0].wide)
    elif shown.grid:
        _table(draw, shown.grid)
    else:
        _points(draw, [row.standing.points for row in shown.rows])
    made = io.BytesIO()
    image.resize(SIZE, Image.Resampling.LANCZOS).save(made, "PNG", optimize=True)
    return made.getvalue()


def _box(left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
    return left * FINER, top * FINER, right * FINER, bottom * FINER


def _bracket(draw: ImageDraw.ImageDraw, tree: Layout) -> None:
    """A box for each match: its two halves, that of who has won it filled."""
    scale = min((SIZE[0] - 2 * FRAME) / tree.width, (SIZE[1] - 2 * FRAME) / tree.height)
    left, top = (SIZE[0] - tree.width * scale) / 2, (SIZE[1] - tree.height * scale) / 2
    for box in tree.boxes:
        if not box.is_met:
            continue
        for half, line in enumerate(box.lines):
            x, y = left + box.x * scale, top + (box.y + half * HEIGHT / 2) * scale
            filled = GOLD if line.is_winner else PAPER if line.is_known else "#e6dcc3"
            place = _box(x, y, x + WIDTH * scale, y + HEIGHT / 2 * scale)
            draw.rectangle(place, fill=filled, outline=EDGE, width=FINER)


def _table(draw: ImageDraw.ImageDraw, grid: Sequence[GridRow]) -> None:
    """A cell for each two who meet."""
    side = (SIZE[1] - 2 * FRAME) / len(grid)
    left = (SIZE[0] - side * len(grid)) / 2
    for row, line in enumerate(grid):
        for column, points in enumerate(line.points):
            x, y = left + column * side, FRAME + row * side
            filled = EDGE if row == column else "#e6dcc3" if points is None else COLOURS[points]
            draw.rectangle(_box(x, y, x + side, y + side), fill=filled, outline=EDGE, width=FINER)


def _points(draw: ImageDraw.ImageDraw, points: Sequence[int]) -> None:
    """A bar for each, the first first."""
    most = max(points, default=0) or 1
    for number, won in enumerate(points):
        high = (SIZE[1] - 2 * FRAME) / len(points)
        y, long = FRAME + number * high, won / most * (SIZE[0] - 2 * FRAME)
        draw.rectangle(_box(FRAME, y + high * 0.15, FRAME + long, y + high * 0.85), fill=GOLD, outline=EDGE)
