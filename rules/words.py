"""What counts as a word of an RP text (A6.2, B2.6). `static/js/words.js` says the same; both are tested on one list.

A word is a run of letters or digits, apostrophes and hyphens joining. Markup and quoted posts do not count.
"""

from __future__ import annotations

import re
import unicodedata

MINIMUM = 100  # words

_QUOTED = re.compile(r"^[ \t]{0,3}>.*$", re.MULTILINE)
# The address of a link or picture, which may hold parentheses in pairs. No bracket is looked for beyond the next that
# opens: many that never close would take hours.
_TARGET = re.compile(r"(!?\[[^\[\]\n]*\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)")
_TAG = re.compile(r"<[/!a-zA-Z][^<>\n]*>")
_WORD = re.compile(r"[^\W_]+(?:['’\-‐‑][^\W_]+)*")


def count_words(text: str) -> int:
    """Return how many words `text` (CommonMark) has."""
    text = unicodedata.normalize("NFC", text)  # an accent may come apart from its letter
    bare = _TAG.sub(" ", _TARGET.sub(r"\1", _QUOTED.sub(" ", text)))
    return len(_WORD.findall(bare))
