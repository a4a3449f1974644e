"""What is stored of duels; `log` holds the truth, the rest is computed from it or points at it."""

from .appeal import Appeal
from .availability import Availability
from .book import SpellBook
from .disclosure import Disclosure
from .duel import Duel, Seat
from .happening import Happening
from .heartbeat import Heartbeat
from .log import Draft, Entry, Framing, Phase, Resolution, SealedPost, TimeOut
from .people import CarriedOver, Duellist
from .purse import Account, Currency, Transfer
from .scene import Scene, SceneDraft
from .sending import Sending
from .thread import Post, PostBody, ReadMark, Removal, Thread

__all__ = [
    "Account",
    "Appeal",
    "Availability",
    "CarriedOver",
    "Currency",
    "Disclosure",
    "Draft",
    "Duel",
    "Duellist",
    "Entry",
    "Framing",
    "Happening",
    "Heartbeat",
    "Phase",
    "Post",
    "PostBody",
    "ReadMark",
    "Removal",
    "Resolution",
    "Scene",
    "SceneDraft",
    "SealedPost",
    "Seat",
    "Sending",
    "SpellBook",
    "Thread",
    "TimeOut",
    "Transfer",
]
