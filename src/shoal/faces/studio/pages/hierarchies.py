"""Hierarchies: how each column becomes coarser, seen as a ladder, changed, and what that does to groups."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.hierarchy_editor import HierarchyEditor
from shoal.faces.studio.widgets.text import empty, figure, note, problem, section

GROUP = 5  # rows that a group should have at least, as most begin


def build(desk: Desk) -> None:
    """The effect of the chosen levels at the top, and below it a ladder for each quasi-identifier."""
    columns = desk.table.settings.columns("quasi")
    if desk.table.inspection is None or not columns:
        empty(
            "stairs",
            "No column is a quasi-identifier yet: those are the ones that are made coarser.",
            "Decide about the columns",
            f"/table/{desk.name}/data",
        )
        return
    _Ladders(desk, columns).build()


class _Ladders:
    """All ladders of a table, and one figure that follows them."""

    def __init__(self, desk: Desk, columns: tuple[str, ...]) -> None:
        self._desk, self._columns = desk, columns
        self._levels = dict.fromkeys(columns, 0)
        self._effect: ui.element | None = None
        self._asked = 0

    def build(self) -> None:
        why = "Try levels with the sliders below. This changes nothing: the search chooses the levels itself."
        with section("What coarser values do", why):
            self._effect = ui.element("div").props('aria-live="polite"')
        with ui.element("div").classes("s-row"):
            note("Every column has a hierarchy. Change what does not fit, or go on.").classes("s-grow")
            ui.button("Next: promise", on_click=lambda: self._desk.go("promise")).props("unelevated")
        for column in self._columns:
            with section(column):
                HierarchyEditor(self._desk, column, self._try).build()
        ui.timer(0, self._show, once=True)

    async def _try(self, column: str, level: int) -> None:
        self._levels[column] = level
        await self._show()

    async def _show(self) -> None:
        assert self._effect is not None
        self._asked += 1
        mine, table = self._asked, self._desk.table
        given = (str(table.folder), table.settings.to_json(), self._levels, GROUP)
        try:
            found = await self._desk.ask("counting groups", tasks.effect, *given)
        except ShoalError as error:
            with self._effect.clear():
                problem(str(error))
            return
        if mine == self._asked and not self._effect.is_deleted:  # else a later question is on its way
            with self._effect.clear():
                _figures(found)


def _figures(found: dict[str, Any]) -> None:
    with ui.element("div").classes("s-columns s-figures"):
        figure(f"{found['classes']:,}", "groups of rows that look alike")
        figure(f"{found['alone']:,}", "people who are alone in their group")
        figure(f"{found['too_small']:,}", f"of {found['rows']:,} rows in groups smaller than {GROUP}")
    if not found["too_small"]:
        note(f"At these levels every group has at least {found['smallest']:,} rows.", "safe")


PAGE = Page(
    "hierarchies",
    "Hierarchies",
    "stairs",
    "A value becomes safer as it becomes coarser. See each step, and change what does not fit your data.",
    build,
)
