"""What the demo's purses hold to begin with, and the scenes that its duellists have written together."""

from __future__ import annotations

import datetime as dt
import tomllib
from pathlib import Path

from django.contrib.auth.models import User

from duels import clock
from duels.actions.purse import grant
from duels.actions.scenes import open_scene, write_in_scene
from duels.models import Duellist, Scene, Transfer

from .cast import STAFF_NAME, unwrapped
from .timeline import at_instant

PROSE = Path(__file__).with_name("prose.toml")
LONG_AGO = dt.timedelta(days=60)
GIVEN = (
    ("liards", 60, "Dotation de rentrée"),
    ("runes", 3, "Cabinet de curiosités : inventaire d’automne"),
)


def fill(duellists: dict[str, Duellist]) -> None:
    """Let staff give everybody something to stake, once."""
    staff = User.objects.get(username=STAFF_NAME)
    with at_instant(clock.now() - LONG_AGO):
        for duellist in duellists.values():
            if not Transfer.objects.filter(payee__duellist=duellist, what=Transfer.What.GRANT).exists():
                for currency, amount, reason in GIVEN:
                    grant(user=staff, duellist=duellist, currency=currency, amount=amount, reason=reason)


def write_scenes(duellists: dict[str, Duellist]) -> None:
    """Write the scenes of `prose.toml` that are not there yet."""
    for told in tomllib.loads(PROSE.read_text(encoding="utf-8"))["scene"]:
        if Scene.objects.filter(title=told["title"]).exists():
            continue
        at = clock.now() - dt.timedelta(days=told["days_ago"])
        first, *others = told["posts"]
        author = duellists[first["by"]]
        with at_instant(at):
            scene = open_scene(user=author.user, duellist=author, title=told["title"], text=unwrapped(first["text"]))
        for post in others:
            author, at = duellists[post["by"]], at + dt.timedelta(hours=post["after"])
            with at_instant(at):
                write_in_scene(user=author.user, scene_id=scene.pk, duellist=author, text=unwrapped(post["text"]))
