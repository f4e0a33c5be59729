"""Data: the rows, what each column is, and which combinations single people out."""

from __future__ import annotations

import os
from typing import Any

from nicegui import ui

from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.grid import Rows, paged_table, plain_table
from shoal.faces.studio.widgets.roles import role_list, undecided_list
from shoal.faces.studio.widgets.text import figure, problem, section
from shoal.faces.studio.widgets.waiting import waiting


def build(desk: Desk) -> None:
    """Wait until a worker has looked at the table, then show what it found."""
    body = ui.element("div").classes("s-stack s-wide")

    def leave() -> None:
        ui.navigate.to("/")

    def remove() -> None:
        desk.project.remove(desk.name)
        leave()

    def show() -> None:
        table = desk.table
        with body.clear():
            if table.inspection is not None:
                _inspected(desk, table.inspection)
                return
            work = desk.studio.looking.get(desk.name)
            if work is not None and work.running:
                with section("Reading the table", "A large file takes a few seconds."):
                    waiting(work, show, cancel=False)
                return
            with section("This file cannot be read"):
                said = work.error if work is not None else "it was not read yet"
                problem(said.replace(f"{table.folder}{os.sep}", ""))
                with ui.element("div").classes("s-row"):
                    ui.button("Remove this file", on_click=remove).props("unelevated")
                    ui.button("Keep it", on_click=leave, color=None).classes("s-plain")

    show()


def _inspected(desk: Desk, found: dict[str, Any]) -> None:
    columns = found["columns"]
    with ui.element("div").classes("s-card"), ui.element("div").classes("s-columns s-figures"):
        figure(f"{found['rows']:,}", "rows")
        figure(f"{len(columns)}", "columns")
        worst = found["combinations"][0] if found["combinations"] else None
        if worst is not None:
            named = worst["columns"].replace(",", ", ")
            figure(f"{worst['distinction']:.1%}", f"as many different combinations of {named} as rows")
    undecided_list(desk)
    with section(
        "What each column is",
        "Identifiers are removed, quasi-identifiers are coarsened, sensitive columns hold what nobody should "
        "learn about a person, and harmless ones are released as they are.",
    ):
        role_list(desk, found)
    _one_way(found["dependencies"])
    if found["combinations"]:
        with section(
            "Columns that single people out",
            "The more rows a combination tells apart, the fewer facts about somebody find their row.",
        ):
            rows = [
                [one["columns"].replace(",", ", "), f"{one['distinction']:.1%}", f"{one['separation']:.1%}"]
                for one in found["combinations"][:8]
            ]
            plain_table(["Known together", "Different values", "Pairs told apart"], rows, "Combinations")

    async def fetch(first: int, count: int) -> Rows:
        rows: Rows = await desk.ask("reading rows", tasks.page, str(desk.table.rows_file), first, count)
        return rows

    with section("Rows"):
        paged_table(list(columns), found["rows"], fetch, f"Rows of {desk.name}")


def _one_way(dependencies: list[dict[str, Any]]) -> None:
    """Columns that tell others which do not tell them; those that do are one thing among the roles."""
    found = [one for one in dependencies if not one["mutual"]]
    if not found:
        return
    with section(
        "Columns that give others away",
        "Where the first goes out as it is, making the second coarser hides nothing. Give both the same "
        "role, or remove the first.",
    ):
        rows = [
            [" with ".join(one["determining"]), one["determined"], f"{one['share']:.0%}"] for one in found
        ]
        plain_table(["Whoever knows", "also knows", "of the rows"], rows, "Columns that give others away")


PAGE = Page(
    "data", "Data", "table_chart", "Decide about every column. Nothing is released until you have.", build
)
