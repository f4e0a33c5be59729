"""A hierarchy seen as a tree: open a branch to see what is below it, and put it under another one."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from shoal.faces.studio import tasks
from shoal.faces.studio.widgets.text import text

LINES = 20  # branches that are shown at once
Asked = Callable[..., Awaitable[Any]]  # what a worker finds out, or None where it failed
Opened = dict[tuple[int, str | None], bool]  # branches that somebody opened or closed


class HierarchyTree:
    """The tree of one column; a branch is fetched when it is opened, however many values there are.

    `move` is called with a level, a label one below and its new parent. `opened` outlives the tree, so that
    it looks the same after a change.
    """

    def __init__(
        self,
        column: str,
        spec: str | None,
        ask: Asked,
        move: Callable[[int, str, str], Awaitable[None]],
        opened: Opened,
    ) -> None:
        self._column, self._spec, self._ask, self._move, self._opened = column, spec, ask, move, opened

    async def build(self) -> None:
        place = ui.element("ul").classes("s-tree")
        place.props["aria-label"] = f"Values of {self._column} as a tree"
        await self._fill(place, None, None)

    async def _fill(self, place: ui.element, level: int | None, label: str | None, first: int = 0) -> None:
        args = (self._column, self._spec, level, label, first, LINES)
        found = await self._ask(tasks.hierarchy_branches, *args)
        if found is None or place.is_deleted:
            return
        for name, leaves in found["below"]:
            with place:
                self._opened.setdefault((found["level"] - 1, name), found["labels"] == 1)
                await self._branch(found["level"] - 1, name, leaves, found["level"] < found["top"])
        last = first + len(found["below"])
        if last < found["labels"]:
            with place, ui.element("li") as line:

                async def more() -> None:
                    line.delete()
                    await self._fill(place, level, label, last)

                ui.button(f"{found['labels'] - last:,} more", on_click=more, color=None).props("flat dense")

    async def _branch(self, level: int, label: str | None, leaves: int, movable: bool) -> None:
        """One label on a level, with what is below it once it was opened."""
        shown, key = "missing" if label is None else label, (level, label)
        with ui.element("li"):
            with ui.element("div").classes("s-row s-branch"):
                if level:
                    button = ui.button(icon="chevron_right", color=None).props("flat round dense")
                    button.classes("s-quiet")
                else:
                    ui.element("span").classes("s-leaf")
                text("span", shown).classes("s-value")
                if level:
                    text("span", f"{leaves:,} value{'s' * (leaves != 1)}").classes("s-soft s-small")
                if movable and label is not None:
                    self._move_button(level + 1, label)
            if not level:
                return
            below = ui.element("ul").classes("s-tree")

            def mark() -> None:
                is_open = self._opened[key]
                button.props["icon"] = "expand_more" if is_open else "chevron_right"
                button.props["aria-expanded"] = "true" if is_open else "false"
                button.props["aria-label"] = f"{'Close' if is_open else 'Open'} {shown} on level {level}"

            async def toggle() -> None:
                below.clear()
                self._opened[key] = not self._opened[key]
                mark()
                if self._opened[key]:
                    await self._fill(below, level, label)

            mark()
            button.on_click(toggle)
            if self._opened[key]:
                await self._fill(below, level, label)

    def _move_button(self, level: int, label: str) -> None:
        async def choose() -> None:
            found = await self._ask(tasks.hierarchy_parents, self._column, self._spec, level, 0, 0)
            if found is None:
                return
            with ui.dialog(value=True) as dialog, ui.element("div").classes("s-card s-dialog"):
                text("h2", f"Move {label}")
                text("p", "Choose the group that it belongs to, or write the name of a new one.").classes(
                    "s-soft"
                )
                field = ui.input("Group", autocomplete=found["choices"]).props("outlined dense autofocus")

                async def save() -> None:
                    dialog.close()
                    if str(field.value or "").strip():
                        await self._move(level, label, str(field.value).strip())

                field.on("keydown.enter", save)
                with ui.element("div").classes("s-row"):
                    ui.button("Move", on_click=save).props("unelevated")
                    ui.button("Cancel", on_click=dialog.close, color=None).props("flat").classes("s-quiet")

        button = ui.button(icon="drive_file_move", on_click=choose, color=None).props("flat round dense")
        button.classes("s-quiet").props["aria-label"] = f"Move {label} on level {level - 1} of {self._column}"
