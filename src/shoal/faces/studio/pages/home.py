"""The first page: the tables of the project, and three ways to add one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.lists import add_list
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.project import KINDS, TableFolder, arriving
from shoal.faces.studio.widgets.text import chip, heading, problem, section, steps, text
from shoal.faces.studio.widgets.upload import upload


def build_home(desk: Desk, pages: Sequence[Page]) -> None:
    """Tables that are there, or the way to the first one; `pages` are what comes after."""
    heading(
        "Make data about people safe to share",
        "Shoal coarsens a table until a promise holds for everybody in it, and attacks the result before "
        "somebody else does. Nothing leaves this machine.",
    )

    def tables() -> None:
        found = desk.project.tables
        if found:
            with section("Tables in this project", "Every change is kept; close the studio and come back."):
                for table in found.values():
                    _table(desk, table)

    desk.live(tables)
    with ui.element("div").classes("s-columns"):
        _sample(desk)
        _upload(desk)
        _choose(desk)
    with section("What happens next"):
        steps(*((page.title, page.why) for page in pages))


def _table(desk: Desk, table: TableFolder) -> None:
    with ui.element("div").classes("s-row s-line"):
        with ui.link(target=f"/table/{table.name}/data").classes("s-grow s-table-link"):
            text("strong", table.name)
            text("span", table.file.name).classes("s-soft s-small")
        undecided, runs = table.undecided, table.runs.done
        if table.inspection is not None:
            told = f"{len(undecided)} to decide" if undecided else "every column decided"
            chip(told, "risk" if undecided else "safe")
        if runs:
            chip(f"{len(runs)} release{'s' if len(runs) > 1 else ''}")
        remove = ui.button(icon="delete_outline", on_click=lambda: _ask_removal(desk, table.name), color=None)
        remove.props("flat round dense").classes("s-quiet").props["aria-label"] = f"Remove {table.name}"


def _ask_removal(desk: Desk, name: str) -> None:
    with ui.dialog(value=True) as dialog, ui.element("div").classes("s-card"):
        text("h2", f"Remove {name}?")
        text("p", "Its copy of the file, the settings and all releases are deleted from the project folder.")
        with ui.element("div").classes("s-row"):

            def remove() -> None:
                dialog.close()
                desk.project.remove(name)

            ui.button("Remove", on_click=remove, color="negative").props("unelevated")
            ui.button("Keep", on_click=dialog.close, color=None).props("flat").classes("s-quiet")


def _sample(desk: Desk) -> None:
    with section(
        "Try the sample hospital",
        "20,000 made-up patients, and a voter list to attack them with: see every step before you use a "
        "table of your own.",
    ):
        said = ui.element("div")
        ui.space()

        async def add() -> None:
            button.props("loading")
            place, voters = arriving(desk.project), arriving(desk.project)
            try:
                await desk.ask("making up patients", tasks.hospital, str(place), str(voters))
                table = desk.project.add("patients.csv", place.rename)
                add_list(table, "voters.csv", voters)
            except ShoalError as error:
                with said.clear():
                    problem(str(error))
                return
            finally:
                button.props(remove="loading")
                for left in (place, voters):
                    left.unlink(missing_ok=True)
            desk.go("data", table.name)

        button = ui.button("Open the sample", on_click=add).props("unelevated")


def _upload(desk: Desk) -> None:
    with section("Upload a file", "CSV, TSV, Parquet, Arrow or Excel. It is copied into the project folder."):
        said = ui.element("div")

        def take(name: str, place: Path) -> None:
            desk.go("data", desk.project.add(name, place.rename).name)

        choose = upload(desk, KINDS, take, said)
        ui.space()
        ui.button("Choose a file", on_click=choose, color=None).classes("s-plain")


def _choose(desk: Desk) -> None:
    with section("Use a file of the project folder", "For files that are large, or that are there already."):

        def files() -> None:
            found = desk.project.loose_files
            if not found:
                ui.label("Nothing there yet. Put a file into").classes("s-soft s-small")
                ui.label(str(desk.project.folder)).classes("s-small s-value")
                return
            chosen = ui.select(found, label="File", value=found[0]).props("outlined dense")

            def add() -> None:
                try:
                    table = desk.project.add_loose(str(chosen.value))
                except ShoalError as error:
                    problem(str(error))
                    return
                desk.go("data", table.name)

            ui.button("Use it", on_click=add, color=None).classes("s-plain")

        desk.live(files)
