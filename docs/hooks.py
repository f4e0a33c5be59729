"""What the site must not do: fetch anything from elsewhere. MkDocs calls this for every page it writes."""

from __future__ import annotations

import logging
import re
from typing import Any

# What a browser fetches by itself; a link that somebody clicks is none of it.
FETCHED = re.compile(
    r"""<(?:script|img|iframe|source|audio|video|embed|object|input)\b[^>]*?\b(?:src|data)=["']?(?:https?:)?//[^"'\s>]+"""
    r"""|<link\b(?![^>]*rel=["']?(?:canonical|prev|next)\b)[^>]*\bhref=["']?(?:https?:)?//[^"'\s>]+"""
    r"""|@import\s+["'(]*(?:https?:)?//[^"')\s]+|url\(["']?(?:https?:)?//[^"')]+""",
    re.IGNORECASE,
)
log = logging.getLogger("mkdocs.hooks")


def fetched(html: str) -> list[str]:
    """Everything in a page that a browser would fetch from another machine."""
    return [found.group(0) for found in FETCHED.finditer(html)]


def on_post_page(output: str, page: Any, **_: Any) -> str:
    """A warning per outside asset, which `--strict` makes an error."""
    for found in fetched(output):
        log.warning("%s fetches from elsewhere: %s", page.file.src_uri, found)
    return output
