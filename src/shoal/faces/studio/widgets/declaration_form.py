"""A form for what an owner declares about a table: whose rows, which numbers, which groups, what budget."""

from __future__ import annotations

from collections.abc import Callable

from nicegui import ui

from shoal.core.errors import BadParameter, ShoalError
from shoal.faces.studio import question_tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.project import TableFolder
from shoal.faces.studio.questions import LEDGER, Declaration, Source
from shoal.faces.studio.widgets.text import note, problem, text


def declaration_form(desk: Desk, table: TableFolder, done: Callable[[], None]) -> None:
    """The form, filled with what was declared before; `done` is called when it was kept."""
    declared, columns = Declaration.of(table), list((table.inspection or {})["columns"])
    begun = (table.folder / LEDGER).exists()
    note(
        "Write down what everybody knows anyway: limits and lists that are read off the rows would give "
        "some of them away.",
        "warn",
    )
    with ui.element("div").classes("s-columns"):
        unit = ui.select(columns, label="Column that tells whose row it is", value=declared.unit or None)
        rows = ui.number("Rows that one person may have", value=declared.rows, min=1, precision=0)
        budget = ui.input("Budget ε for all questions together", value=declared.budget)
        budget.set_enabled(not begun)
        for field in (unit, rows, budget):
            field.props("outlined dense")
    if begun:
        text("p", "The budget has begun: what was spent is never given back.").classes("s-soft s-small")
    bounds: dict[str, tuple[ui.input, ui.input]] = {}
    keys: dict[str, ui.input] = {}
    with ui.element("table").classes("s-table"):
        with ui.element("thead"), ui.element("tr"):
            for title in ("Column", "Smallest number", "Largest number", "Or all its values, with commas"):
                text("th", title).props('scope="col"')
        with ui.element("tbody"):
            for column in columns:
                low, _, high = declared.bounds.get(column, "").partition(":")
                with ui.element("tr"):
                    text("td", column).classes("s-value")
                    bounds[column] = (
                        _field(low, f"Smallest {column}"),
                        _field(high, f"Largest {column}"),
                    )
                    keys[column] = _field(declared.keys.get(column, ""), f"Values of {column}")
    said = ui.element("div")

    async def keep() -> None:
        said.clear()
        try:
            if not unit.value:
                raise BadParameter("choose the column that tells whose row it is")
            new = Declaration(
                unit=unit.value,
                rows=int(rows.value or 1),
                budget=str(budget.value).strip(),
                bounds={
                    column: f"{low.value.strip()}:{high.value.strip()}"
                    for column, (low, high) in bounds.items()
                    if low.value.strip() or high.value.strip()
                },
                keys={column: one.value.strip() for column, one in keys.items() if one.value.strip()},
            )
            await desk.ask("checking", question_tasks.check, Source.of_table(table, new))
            new.save(table)
        except ShoalError as error:
            with said:
                problem(str(error))
            return
        done()

    ui.button("Use this", on_click=keep).props("unelevated")


def _field(value: str, label: str) -> ui.input:
    with ui.element("td"):
        made = ui.input(value=value).props("outlined dense")
        made.props["aria-label"] = label
        return made
