"""Titles, sections, remarks and empty pages: the typography that all pages share."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Literal

from nicegui import ui
from nicegui.elements.mixins.text_element import TextElement

from shoal.faces.studio.browser_words import in_browser

Tone = Literal["risk", "safe", "warn", "plain"]
_ICONS = {"risk": "error_outline", "safe": "verified_user", "warn": "warning_amber", "plain": "info_outline"}


def heading(title: str, why: str = "") -> None:
    """The title of a page, and why somebody would be here."""
    with ui.element("div"):
        text("h1", title)
        if why:
            text("p", why).classes("s-lead")


@contextmanager
def section(title: str, why: str = "") -> Iterator[ui.element]:
    """A card with a title, and below it one line that says why."""
    with ui.element("section").classes("s-card") as card:
        with ui.element("div"):
            text("h2", title)
            if why:
                text("p", why).classes("s-soft")
        yield card


def text(tag: str, words: str) -> TextElement:
    """An element with text in it, which stays text whatever is written there."""
    return TextElement(tag=tag, text=words)


def note(words: str, tone: Tone = "plain") -> ui.element:
    """A remark in the place it is about."""
    made = ui.element("div").classes(f"s-note s-{tone}")
    with made:
        ui.icon(_ICONS[tone]).props('aria-hidden="true"')
        ui.label(words)
    return made


def problem(sentence: str) -> ui.element:
    """What went wrong, in one sentence, where it happened; read out at once."""
    sentence = in_browser(sentence)
    words = sentence[:1].upper() + sentence[1:]
    return note(words if words.endswith((".", "…", "?")) else f"{words}.", "risk").props('role="alert"')


def chip(words: str, tone: Tone = "plain") -> ui.element:
    """A few words in a frame."""
    return text("span", words).classes(f"s-chip s-{tone}")


def figure(value: str, words: str) -> None:
    """A number that matters, and what it counts."""
    with ui.element("div"):
        ui.label(value).classes("s-figure")
        ui.label(words).classes("s-soft s-small")


def picture(svg: str, words: str) -> None:
    """A drawing of the house, as an image: nothing in it can run. `words` are for those who do not see it."""
    image = ui.element("img").classes("s-picture")
    image.props["src"] = f"data:image/svg+xml;base64,{base64.b64encode(svg.encode()).decode()}"
    image.props["alt"] = words


def steps(*told: tuple[str, str]) -> None:
    """What somebody does here, one after the other: each in a word or two, and what comes of it."""
    with ui.element("ol").classes("s-steps"):
        for title, words in told:
            with ui.element("li"):
                text("strong", title)
                text("span", f" {words}").classes("s-soft")


def empty(icon: str, words: str, action: str = "", target: str = "") -> None:
    """A place where nothing is yet, and what to do about it."""
    with ui.element("div").classes("s-empty"):
        ui.icon(icon).props('aria-hidden="true"')
        ui.label(words)
        if action:
            ui.button(action, on_click=lambda: ui.navigate.to(target)).props("unelevated")
