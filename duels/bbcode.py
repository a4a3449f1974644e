"""From the text as written (CommonMark) to BBCode, for forums that read nothing else.

Forums agree on no way to write a bracket that begins no tag: some show `&#91;` as it is spelt, and few know a tag for
it. None takes for a tag what has a character between the bracket and the name, so that one stands there which is not
seen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markdown_it.token import Token

from duels.markup import parse

_SIGNS = {
    "strong_open": "[b]", "strong_close": "[/b]",
    "em_open": "[i]", "em_close": "[/i]",
    "s_open": "[s]", "s_close": "[/s]",
    "heading_open": "[b]", "heading_close": "[/b]\n\n",
    "blockquote_open": "[quote]", "blockquote_close": "[/quote]\n\n",
    "bullet_list_open": "[list]\n", "bullet_list_close": "[/list]\n\n",
    "ordered_list_open": "[list=1]\n", "ordered_list_close": "[/list]\n\n",
    "list_item_open": "[*]", "list_item_close": "\n",
    "link_close": "[/url]",
    "softbreak": "\n", "hardbreak": "\n", "hr": "———\n\n",
}  # fmt: skip

_UNSEEN = "\u200b"  # zero width space


def plain(words: str) -> str:
    """Return words that read in BBCode as they stand, whatever brackets they have."""
    return words.replace("[", f"[{_UNSEEN}")


def bbcode(text: str) -> str:
    """Return `text` in BBCode; what BBCode has no sign for is left as it reads."""
    return _spelt(parse(text)).strip()


def _spelt(tokens: Sequence[Token]) -> str:
    return "".join(_token(token) for token in tokens)


def _token(token: Token) -> str:
    if token.type == "inline":
        return _spelt(token.children or [])
    if token.type == "paragraph_close":
        return "" if token.hidden else "\n\n"
    if token.type == "link_open":
        return f"[url={token.attrGet('href')}]"
    if token.type in ("fence", "code_block"):
        return f"[code]{plain(token.content.rstrip())}[/code]\n\n"
    return _SIGNS.get(token.type) or plain(token.content)


def listed(items: Iterable[str]) -> str:
    """Return a numbered list of plain words."""
    return "[list=1]\n" + "".join(f"[*]{plain(item)}\n" for item in items) + "[/list]"
