"""Which release a page speaks of: the newest, unless somebody chooses another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from nicegui import ui

from shoal.faces.studio.desk import Desk, path_of
from shoal.faces.studio.widgets.text import empty

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run


def run_choice(desk: Desk, build: Callable[[Run], None], nothing: str) -> None:
    """Build a page about one release, and again when another is chosen or a new one is made."""
    chosen: int | None = None
    seen: list[int] | None = None
    holder = ui.element("div").classes("s-stack s-wide")

    def show() -> None:
        nonlocal seen
        done = desk.table.runs.done
        numbers = [run.number for run in done]
        if numbers == seen:
            return
        seen = numbers
        with holder.clear():
            if not done:
                empty("inventory_2", nothing, "Make a release", path_of("run", desk.name))
                return
            body = ui.element("div").classes("s-stack s-wide")

            def choose(number: int) -> None:
                nonlocal chosen
                chosen = number
                with body.clear():
                    build(desk.table.runs.find(number))

            if len(done) > 1:
                names = {run.number: title(run) for run in done}
                select = ui.select(names, label="Release", value=chosen if chosen in names else numbers[0])
                select.props("outlined dense").classes("s-fill")
                select.on_value_change(lambda event: choose(event.value))
                select.move(holder, 0)
            choose(chosen if chosen in numbers else numbers[0])

    show()
    desk.on_change(show)


def title(run: Run) -> str:
    """A release in a few words."""
    loss = run.result.get("losses", {}).get("loss")
    told = "" if loss is None else f", loss {loss:.3f}"
    return f"Run {run.number}: {', '.join(run.settings.model)}{told}"
