"""From the text as written (CommonMark) to safe HTML, made once and stored beside it."""

from __future__ import annotations

import hashlib

import nh3
from markdown_it import MarkdownIt
from markdown_it.token import Token

_TAGS = {
    "p", "br", "hr", "em", "strong", "s", "blockquote", "ul", "ol", "li",
    "h3", "h4", "h5", "h6", "code", "pre", "a",
}  # fmt: skip
_markdown = MarkdownIt("commonmark", {"html": False, "breaks": True}).enable("strikethrough")


def parse(text: str) -> list[Token]:
    """Return the tokens of `text` as written."""
    return _markdown.parse(text)


def render(text: str) -> str:
    """Return the sanitised HTML of `text`; titles start at the third level, under the page's own."""
    html = _markdown.render(text)
    for level in (2, 1):
        html = html.replace(f"<h{level}>", f"<h{level + 2}>").replace(f"</h{level}>", f"</h{level + 2}>")
    return nh3.clean(html, tags=_TAGS, attributes={"a": {"href"}}, link_rel="nofollow noopener ugc")


def digest(text: str) -> str:
    """Return the SHA-256 of a text as written, in hexadecimal."""
    return hashlib.sha256(text.encode()).hexdigest()
