"""Says which sensitive columns no promise protects yet, and adds the promise that does."""

from __future__ import annotations

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.text import note


def unguarded(desk: Desk) -> None:
    """A warning as long as somebody who finds the group of a person may learn a sensitive value."""
    holder = ui.element("div").props('aria-live="polite"')

    async def show() -> None:
        table = desk.table
        settings = table.settings
        try:
            found = await desk.ask(
                "looking at the promises", tasks.unguarded, str(table.folder), settings.to_json()
            )
        except ShoalError:
            return  # what is wrong with a promise is told beside it
        if holder.is_deleted or settings != table.settings:
            return
        with holder.clear():
            if settings.model and found["columns"]:
                _warning(desk, found["columns"], found["promises"])

    ui.timer(0, show, once=True)
    desk.on_change(show)


def _warning(desk: Desk, columns: list[str], promises: list[str]) -> None:
    table = desk.table
    named = " and ".join(filter(None, [", ".join(columns[:-1]), columns[-1]]))

    def add() -> None:
        others = [one for one in promises if one not in table.settings.model]
        table.change("promise l-diversity", model=(*table.settings.model, *others))

    with ui.element("div").classes("s-row"):
        note(
            f"No promise protects {named} yet: where all rows of a group have the same value, whoever finds "
            "the group knows it.",
            "warn",
        ).classes("s-grow")
        ui.button("Add l-diversity", on_click=add, color=None).classes("s-plain")
