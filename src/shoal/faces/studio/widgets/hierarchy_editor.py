"""One column's hierarchy: ladder or tree, the rule behind it, labels moved by hand, files in and out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

from nicegui import events, ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.hierarchy_tree import HierarchyTree, Opened
from shoal.faces.studio.widgets.text import chip, problem, text
from shoal.faces.studio.widgets.upload import upload

Try = Callable[[str, int], Awaitable[None]]
RULES = {
    "": "Suggested",
    "interval": "Intervals",
    "mask()": "Mask characters",
    "date()": "Dates",
    "flat()": "Keep or remove",
}
WIDTHS = (1, 2, 5, 10, 20, 25, 50, 100, 500, 1000, 5000, 10000)
LADDER, TREE = "Ladder", "Tree"
LINES = 10  # labels that are shown at once


class HierarchyEditor:
    """What one column shows; `on_level` is called when somebody tries a level."""

    def __init__(self, desk: Desk, column: str, on_level: Try) -> None:
        self._desk, self._column, self._on_level = desk, column, on_level
        self._number = list((desk.table.inspection or {})["columns"]).index(column)
        self._body: Any = None
        self._said: Any = None
        self._shown: str | None = None
        self._view = LADDER
        self._opened: Opened = {}

    @property
    def _spec(self) -> str | None:
        return self._desk.table.settings.hierarchy.get(self._column)

    def build(self) -> None:
        with ui.element("div").classes("s-row"):
            rule = self._spec or ""
            shown = "interval" if rule.startswith("interval") else rule
            choices = {**RULES, **({shown: "Your own"} if shown not in RULES else {})}
            kind = ui.toggle(choices, value=shown).props("unelevated no-caps dense toggle-color=primary")
            kind.classes("s-choice").on_value_change(lambda event: self._choose(event.value))
            ui.space()
            view = ui.toggle([LADDER, TREE], value=LADDER).props(
                "unelevated no-caps dense toggle-color=primary"
            )
            view.classes("s-choice").on_value_change(lambda event: self._look_as(event.value))
            tools = ui.element("div").classes("s-row")
        self._said = ui.element("div")
        with tools:
            self._files()
        self._body = ui.element("div").classes("s-stack")
        self._desk.on_change(self._follow)
        ui.timer(0, self._show, once=True)

    async def _follow(self) -> None:
        if self._spec != self._shown:
            await self._show()

    async def _look_as(self, view: str) -> None:
        self._view = view
        await self._show()

    def _set(self, spec: str | None, done: str) -> None:
        hierarchy = dict(self._desk.table.settings.hierarchy)
        hierarchy.pop(self._column, None)
        if spec:
            hierarchy[self._column] = spec
        self._desk.table.change(f"{self._column}: {done}", hierarchy=hierarchy)

    async def _choose(self, rule: str) -> None:
        """Take a rule, unless the values do not allow it."""
        spec = "interval(width=10,levels=3)" if rule == "interval" else rule
        if spec == (self._spec or "") or spec.startswith("hierarchies/"):
            return
        if await self._asked(tasks.hierarchy_in_short, self._column, spec or None) is not None:
            self._set(spec or None, RULES.get(rule, rule).lower())

    async def _asked(self, task: Any, *given: Any) -> Any:
        """What a worker finds out; a failure is told here, and is None."""
        self._said.clear()
        try:
            return await self._desk.ask(
                f"hierarchy of {self._column}", task, str(self._desk.table.folder), *given
            )
        except ShoalError as error:
            with self._said:
                problem(str(error))
            return None

    async def _show(self) -> None:
        self._shown = self._spec
        found = await self._asked(tasks.hierarchy_in_short, self._column, self._spec)
        if found is None or self._body.is_deleted:
            return
        with self._body.clear():
            if (self._spec or "").startswith("interval"):
                self._width()
            if self._view == LADDER:
                self._ladder(found)
                return
            tree = HierarchyTree(self._column, self._spec, self._asked, self._move, self._opened)
            await tree.build()

    async def _move(self, level: int, label: str, parent: str) -> None:
        await self._edit("move", level, {label: parent})

    def _ladder(self, found: dict[str, Any]) -> None:
        top = len(found["levels"]) - 1
        text("p", f"{found['leaves']:,} values, {found['reason']}").classes("s-soft s-small")
        with ui.element("ol").classes("s-ladder"):
            for number, level in enumerate(found["levels"]):
                with ui.element("li").classes("s-row"):
                    text("span", f"{number}").classes("s-level")
                    for label in level["sample"][:4]:
                        chip(label)
                    if level["labels"] > 4:
                        text("span", f"and {level['labels'] - 4:,} more").classes("s-soft s-small")
                    ui.space()
                    if 0 < number < top:
                        self._edit_button(number)
        with ui.element("div").classes("s-row"):
            text("span", "Try level").classes("s-soft s-small")
            slider = ui.slider(min=0, max=top, step=1, value=0).classes("s-grow").props("label snap markers")
            slider.props["aria-label"] = f"Level of {self._column}"
            slider.on("change", lambda event: self._on_level(self._column, int(event.args)))
            ui.button("Add a level", on_click=lambda: self._edit("add"), color=None).classes("s-plain")

    def _edit_button(self, level: int) -> None:
        button = ui.button(icon="edit", on_click=lambda: self._groups(level), color=None).props(
            "flat round dense"
        )
        button.classes("s-quiet").props["aria-label"] = f"Edit level {level} of {self._column}"
        drop = ui.button(icon="close", on_click=lambda: self._edit("drop", level), color=None).props(
            "flat round dense"
        )
        drop.classes("s-quiet").props["aria-label"] = f"Remove level {level} of {self._column}"

    async def _edit(self, what: str, *given: Any) -> None:
        args = (self._column, self._number, self._spec, what, *given)
        spec = await self._asked(tasks.edit_hierarchy, *args)
        if spec is not None:
            self._set(spec, {"add": "a level more", "drop": "a level less"}.get(what, "labels moved"))

    def _width(self) -> None:
        """The width of the narrowest intervals, by a slider."""
        spec = self._spec or ""
        now = int(spec.partition("width=")[2].partition(",")[0].partition(")")[0] or 10)
        at = min(range(len(WIDTHS)), key=lambda number: abs(WIDTHS[number] - now))
        with ui.element("div").classes("s-row"):
            text("span", "Width").classes("s-soft s-small")
            slider = ui.slider(min=0, max=len(WIDTHS) - 1, step=1, value=at).classes("s-grow").props("snap")
            slider.props["aria-label"] = f"Width of intervals of {self._column}"
            said = text("span", f"{now:,}")

            def moved(event: events.GenericEventArguments) -> None:
                said.text = f"{WIDTHS[int(event.args)]:,}"

            async def done(event: events.GenericEventArguments) -> None:
                wide = f"interval(width={WIDTHS[int(event.args)]},levels=3)"
                if await self._asked(tasks.hierarchy_in_short, self._column, wide) is not None:
                    self._set(wide, f"intervals of {WIDTHS[int(event.args)]:,}")

            slider.on("update:model-value", moved, throttle=0.1)
            slider.on("change", done)

    async def _groups(self, level: int, first: int = 0) -> None:
        """A dialog in which labels are put under other parents."""
        found = await self._asked(tasks.hierarchy_parents, self._column, self._spec, level, first, LINES)
        if found is None:
            return
        moves: dict[str, str] = {}
        with ui.dialog(value=True) as dialog, ui.element("div").classes("s-card s-dialog"):
            text("h2", f"{self._column}: what belongs together on level {level}")
            text("p", "Write the same name beside values that should become one.").classes("s-soft")
            for label, parent in found["pairs"]:
                with ui.element("div").classes("s-row"):
                    text("span", label).classes("s-grow s-value")
                    field = ui.input("becomes", value=parent, autocomplete=found["choices"])
                    field.props("outlined dense").props["aria-label"] = f"{label} becomes"
                    field.on_value_change(lambda event, label=label: moves.update({label: event.value}))

            async def save(then: int | None = None) -> None:
                dialog.close()
                if moves:
                    await self._edit("move", level, moves)
                if then is not None:
                    await self._groups(level, then)

            with ui.element("div").classes("s-row"):
                ui.button("Save", on_click=lambda: save()).props("unelevated")
                ui.button("Cancel", on_click=dialog.close, color=None).props("flat").classes("s-quiet")
                ui.space()
                last = min(first + LINES, found["labels"])
                text("span", f"{first + 1:,}–{last:,} of {found['labels']:,}").classes("s-soft s-small")
                if last < found["labels"]:
                    ui.button("Save and next", on_click=lambda: save(last), color=None).props("flat")

    def _files(self) -> None:
        async def take(_: str, place: Path) -> None:
            found = await self._asked(tasks.import_hierarchy, self._column, self._number, str(place))
            if found is None:
                return
            if found["spec"]:
                self._set(found["spec"], "imported")
                return
            with self._said:
                problem(f"The file does not cover {found['count']:,} values of this column; it was not taken")
                with ui.element("div").classes("s-row"):
                    for value in found["missing"]:
                        chip(value, "risk")

        async def give() -> None:
            place = await self._asked(tasks.export_hierarchy, self._column, self._number, self._spec)
            if place is not None:
                ui.download.file(place, "hierarchy.csv")

        choose = upload(self._desk, (".csv", ".txt", ".tsv"), take, self._said)
        for icon, word, act in (
            ("file_upload", "Import", choose),
            ("file_download", "Export", give),
        ):
            button = (
                ui.button(word, icon=icon, on_click=act, color=None).props("flat dense").classes("s-quiet")
            )
            button.props["aria-label"] = f"{word} the hierarchy of {self._column}"
