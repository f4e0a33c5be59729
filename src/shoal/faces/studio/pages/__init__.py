"""Every page, in the order of the navigation. A page is one file here with a `PAGE`, and one line below."""

from __future__ import annotations

from importlib import import_module

from shoal.faces.studio.pages.page import Page

NAMES = (
    *("data", "hierarchies", "promise", "run", "explore", "attack", "report"),
    *("networks", "questions"),
)


def pages() -> tuple[Page, ...]:
    """All of them, loaded."""
    return tuple(import_module(f"shoal.faces.studio.pages.{name}").PAGE for name in NAMES)
