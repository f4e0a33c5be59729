"""A table of rows that stays on the server: the browser gets one page of it at a time, as text."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio.widgets.text import problem, text

Rows = list[list[str | None]]
PAGE = 15  # rows that are shown at once


def plain_table(header: Sequence[str], rows: Sequence[Sequence[str | None]], caption: str) -> None:
    """A few rows as a table; `caption` is for those who do not see it."""
    with ui.element("div").classes("s-scroll").props('tabindex="0"') as frame:
        frame.props["aria-label"] = caption
        frame.props["role"] = "region"
        with ui.element("table").classes("s-table"):
            with ui.element("thead"), ui.element("tr"):
                for title in header:
                    text("th", title).props('scope="col"')
            with ui.element("tbody"):
                for row in rows:
                    with ui.element("tr"):
                        for value in row:
                            cell = text("td", "missing" if value is None else value)
                            cell.classes("s-missing" if value is None else "")


def paged_table(
    header: Sequence[str], count: int, fetch: Callable[[int, int], Awaitable[Rows]], caption: str
) -> None:
    """All rows of a table, `PAGE` at a time; `fetch` gets the first row and how many."""
    last = max(-(-count // PAGE) - 1, 0)
    at = 0
    holder = ui.element("div")

    async def show(page: int) -> None:
        nonlocal at
        at = min(max(page, 0), last)
        try:
            rows = await fetch(at * PAGE, PAGE)
        except ShoalError as error:
            with holder.clear():
                problem(str(error))
            return
        with holder.clear():
            plain_table(header, rows, caption)
        first = at * PAGE + 1 if count else 0
        where.text = f"Rows {first:,}–{min((at + 1) * PAGE, count):,} of {count:,}"
        back.set_enabled(at > 0)
        forth.set_enabled(at < last)

    with ui.element("div").classes("s-row"):
        back = ui.button(icon="chevron_left", on_click=lambda: show(at - 1), color=None)
        back.props('flat round dense aria-label="Previous rows"').classes("s-quiet")
        where = ui.label("").classes("s-soft s-small").props('aria-live="polite"')
        forth = ui.button(icon="chevron_right", on_click=lambda: show(at + 1), color=None)
        forth.props('flat round dense aria-label="Next rows"').classes("s-quiet")
        number = ui.number("Go to row", min=1, max=max(count, 1), precision=0).props("dense outlined")
        number.on("keydown.enter", lambda: show(int((number.value or 1) - 1) // PAGE))
    ui.timer(0, lambda: show(0), once=True)
