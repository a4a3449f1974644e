"""The stage of a spell duel in the picture of a duel: boards, who stands where, bars of fatigue and magic."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from PIL import ImageDraw

from duels.stage import ZONES, Bar, bars

SIZE = (1200, 630)
FINER = 2  # drawn this much larger, then reduced: Pillow draws no smooth edges
PAPER, WOOD, EDGE, WINE, GOLD = "#f7f0e1", "#d9b98a", "#6d4d26", "#7b1e3a", "#86590b"
LEFT, STEP, TOP, HEIGHT, RADIUS = 56, 84, 300, 60, 32
ROWS = {"a": (60, 430), "b": (640, 430), "c": (60, 530), "d": (640, 530)}
LONGEST = 480  # pixels of a full bar


def draw_stage(draw: ImageDraw.ImageDraw, view: Mapping[str, Any]) -> None:
    """Draw a public view of a spell duel."""
    for zone in ZONES[1:-1]:
        left = LEFT + zone * STEP
        _box(draw, (left + 4, TOP, left + STEP - 4, TOP + HEIGHT), WOOD, EDGE)
    for zone in ZONES:
        here = [seat for _letter, seat in sorted(view["seats"].items()) if seat["zone"] == zone and not seat["out"]]
        for place, seat in enumerate(here):
            _token(draw, LEFT + zone * STEP + STEP // 2, TOP - RADIUS - 8 - place * (2 * RADIUS + 8), seat["team"])
    for letter in view["seats"]:
        left, top = ROWS[letter]
        for row, bar in enumerate(bars(view, letter)):
            _bar(draw, bar, left, top + row * 36)


def _token(draw: ImageDraw.ImageDraw, x: int, y: int, team: int) -> None:
    box = ((x - RADIUS) * FINER, (y - RADIUS) * FINER, (x + RADIUS) * FINER, (y + RADIUS) * FINER)
    if team == 1:
        draw.ellipse(box, WINE)
    else:
        draw.rectangle(box, PAPER, EDGE, 5 * FINER)


def _bar(draw: ImageDraw.ImageDraw, bar: Bar, left: int, top: int) -> None:
    colour = WINE if bar.gauge == "fatigue" else GOLD
    _box(draw, (left, top, left + LONGEST, top + 24), PAPER, colour)
    if bar.width:
        _box(draw, (left, top, left + LONGEST * bar.width // 100, top + 24), colour, colour)


def _box(draw: ImageDraw.ImageDraw, box: tuple[int, int, int, int], fill: str, edge: str) -> None:
    draw.rectangle(tuple(side * FINER for side in box), fill, edge, 2 * FINER)
