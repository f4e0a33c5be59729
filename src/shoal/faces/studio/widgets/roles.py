"""The role of every column: suggested with its reason, changed by one click, undecided ones in red."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.text import chip, note, text

WORDS = {
    "identifier": "Identifier",
    "quasi": "Quasi-identifier",
    "sensitive": "Sensitive",
    "insensitive": "Harmless",
}


def undecided_list(desk: Desk) -> None:
    """The red list: columns that nobody has decided about, with one click for all suggestions."""

    def show() -> None:
        table = desk.table
        undecided = table.undecided
        if not undecided:
            with ui.element("div").classes("s-row"):
                note("Every column is decided.", "safe").classes("s-grow")
                ui.button("Next: hierarchies", on_click=lambda: desk.go("hierarchies")).props("unelevated")
            return
        with ui.element("section").classes("s-card s-undecided").props('aria-label="Undecided columns"'):
            many = "column is" if len(undecided) == 1 else "columns are"
            text("h2", f"{len(undecided)} {many} undecided")
            text("p", "No column goes out by accident: give each a role first.").classes("s-soft")
            with ui.element("div").classes("s-row"):
                for column in undecided:
                    chip(column, "risk")
            with ui.element("div").classes("s-row"):
                ui.button("Accept all suggestions", on_click=lambda: accept(desk)).props("unelevated")

    desk.live(show)


def accept(desk: Desk) -> None:
    """Give every undecided column the role that it suggests."""
    table = desk.table
    columns = (table.inspection or {})["columns"]
    table.accept({name: columns[name]["role"] for name in table.undecided})


def role_list(desk: Desk, found: dict[str, Any]) -> None:
    """One line per column: its name, the choice, and why the suggested one is suggested."""
    choices: dict[tuple[str, ...], ui.toggle] = {}

    def follow() -> None:
        for columns, choice in choices.items():
            choice.set_value(_common_role(desk, columns))

    with ui.element("div").classes("s-roles"):
        for columns in columns_as_one(found):
            choices[columns] = _role(desk, columns, found["columns"])
    desk.on_change(follow)


def columns_as_one(found: dict[str, Any]) -> list[tuple[str, ...]]:
    """The columns in their order; those that determine each other are one thing, where the first stands."""
    groups = {column: [column] for column in found["columns"]}
    for one in found["dependencies"]:
        if one["mutual"]:
            first, *others = sorted((*one["determining"], one["determined"]), key=list(groups).index)
            for other in others:
                if groups[other] is not groups[first]:
                    groups[first].extend(groups[other])
                    for column in groups[other]:
                        groups[column] = groups[first]
    return list(dict.fromkeys(tuple(group) for group in groups.values()))


def _common_role(desk: Desk, columns: tuple[str, ...]) -> str | None:
    """The role that all of them have; none where they differ or one is undecided."""
    roles = {desk.table.settings.roles.get(column) for column in columns}
    return roles.pop() if len(roles) == 1 else None


def _role(desk: Desk, columns: tuple[str, ...], reports: dict[str, Any]) -> ui.toggle:
    with ui.element("div").classes("s-role").props('role="group"') as line:
        line.props["aria-label"] = ", ".join(columns)
        with ui.element("div").classes("s-stack s-role-name"):
            text("strong", " = ".join(columns)).classes("s-value")
            for column in columns:
                report = reports[column]
                told = f"{WORDS[report['role']]}: {report['reason']}"
                text("span", told if len(columns) == 1 else f"{column}: {told}").classes("s-soft s-small")
            if len(columns) > 1:
                words = "Each of them tells the others, so they are decided about as one."
                text("span", words).classes("s-soft s-small")

        def decide(value: Any) -> None:
            if value is not None and _common_role(desk, columns) != value:
                desk.table.decide(columns, value)

        choice = ui.toggle(WORDS, value=_common_role(desk, columns), clearable=False)
        choice.on_value_change(lambda event: decide(event.value))
        choice.props("unelevated no-caps dense toggle-color=primary").classes("s-choice")
    return choice
