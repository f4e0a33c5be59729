"""Questions: ask a table, or a service elsewhere, in SQL; every answer has noise and is paid for."""

from __future__ import annotations

import math
from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import question_tasks as tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.questions import Declaration, Source
from shoal.faces.studio.widgets.copy_as import copy_button
from shoal.faces.studio.widgets.declaration_form import declaration_form
from shoal.faces.studio.widgets.grid import plain_table
from shoal.faces.studio.widgets.sql_box import SqlBox
from shoal.faces.studio.widgets.text import empty, figure, note, picture, problem, section, text
from shoal.faces.studio.widgets.waiting import waiting

TABLE, SERVICE = "A table of this project", "A running service"
_LETTERS = {"epsilon": "ε", "delta": "δ", "rho": "ρ", "mu": "μ"}


def build(desk: Desk) -> None:
    """Who answers, and below it the console."""
    with section("Who answers?"):
        chosen = ui.radio([TABLE, SERVICE], value=TABLE).props("inline")
        chosen.props["aria-label"] = "Who answers"
        where = ui.element("div").classes("s-stack")
    console = ui.element("div").classes("s-stack s-wide")

    def show() -> None:
        console.clear()
        with where.clear():
            _choose_table(desk, console) if chosen.value == TABLE else _choose_service(desk, console)

    chosen.on_value_change(show)
    show()


def _choose_table(desk: Desk, console: ui.element) -> None:
    names = list(desk.project.tables)
    if not names:
        empty("table_chart", "There is no table in this project yet; there is a sample, too.", "Add one", "/")
        return
    table = ui.select(names, label="Table", value=names[0]).props("outlined dense")
    form = ui.element("div").classes("s-stack")

    def show() -> None:
        console.clear()
        found = desk.project.table(str(table.value))
        with form.clear():
            if found.inspection is None:
                desk.studio.look_at(found)
                work = desk.studio.looking.get(found.name)
                if work is not None and work.running:
                    waiting(work, show, cancel=False)
                else:
                    problem(work.error if work is not None else "the table cannot be read")
                return
            declared = bool(Declaration.of(found).unit)
            with ui.expansion("What is declared about it", value=not declared).classes("s-wide-expansion"):
                declaration_form(desk, found, show)
        if declared:
            with console:
                _console(desk, Source.of_table(found, Declaration.of(found)))

    table.on_value_change(show)
    show()


def _choose_service(desk: Desk, console: ui.element) -> None:
    text("p", "The address of the service and your token. Neither is kept.").classes("s-soft s-small")
    with ui.element("div").classes("s-columns"):
        service = ui.input("Address", placeholder="http://127.0.0.1:8765").props("outlined dense")
        token = ui.input("Token", password=True).props("outlined dense autocomplete=off")

    async def connect() -> None:
        console.clear()
        said.clear()
        try:
            found = await desk.ask("connecting", tasks.datasets, service.value, token.value)
        except ShoalError as error:
            with said:
                problem(str(error))
            return
        names = {one["name"]: tuple(one["names"]) for one in found}
        with said:
            if not names:
                note("This token may ask about nothing yet; the owner gives it a budget.", "warn")
                return
            chosen = ui.select(list(names), label="Data set", value=next(iter(names))).props("outlined dense")

        def show() -> None:
            name = str(chosen.value)
            with console.clear():
                source = Source(names[name], service=service.value, token=token.value, dataset=name)
                _console(desk, source)

        chosen.on_value_change(show)
        show()

    ui.button("Connect", on_click=connect).props("unelevated").style("align-self: flex-start")
    said = ui.element("div").classes("s-stack")


def _console(desk: Desk, source: Source) -> None:
    """The question, what it would cost, the answer, the budget and the log."""
    with section(
        "Ask",
        "First see how far off the answer would be; that costs nothing. Then ask.",
    ):
        box = SqlBox(
            source.names, f"SELECT COUNT(*) AS people FROM {source.names[0]}" if source.names else ""
        )
        with ui.element("div").classes("s-row"):
            epsilon = ui.input("ε for this question", value="0.1").props("outlined dense")
            within = ui.input("… or the error you can live with, ±").props("outlined dense")
            within.style("min-width: 290px")
            ui.button("Find ε", on_click=lambda: find(), color=None).classes("s-plain")
        with ui.element("div").classes("s-row"):
            ui.button("What would it cost?", on_click=lambda: ask(True), color=None).classes("s-plain")
            ui.button("Ask", on_click=lambda: ask(False)).props("unelevated")
            copy_button(
                lambda: desk.ask("copying", tasks.copies, source, box.text, str(epsilon.value).strip())
            )
        reply = ui.element("div").classes("s-stack").props('aria-live="polite"')
    books = ui.element("div").classes("s-stack s-wide")

    async def carry_out(title: str, task: Any, *given: Any) -> dict[str, Any] | None:
        with reply.clear():
            ui.spinner(size="24px")
        try:
            found: dict[str, Any] = await desk.ask(title, task, *given)
        except ShoalError as error:
            with reply.clear():
                problem(str(error))
            return None
        reply.clear()
        return found

    async def ask(estimate: bool) -> None:
        given = (source, box.text, str(epsilon.value).strip(), estimate)
        if (found := await carry_out("asking", tasks.ask, *given)) is not None:
            with reply:
                _show_reply(found)
        if not estimate:
            await show_books()

    async def find() -> None:
        try:
            wanted = float(within.value or "nan")
        except ValueError:
            wanted = math.nan
        if not 0 < wanted < math.inf:
            with reply.clear():
                problem(f"'{within.value or ''}' is no error; give a number above 0, such as 50")
            return
        given = (source, box.text, wanted)
        if (found := await carry_out("choosing ε", tasks.choose_epsilon, *given)) is not None:
            epsilon.value = found["epsilon"]
            with reply:
                note(f"ε = {found['epsilon']}. {' '.join(found['words'])}", "plain")

    async def show_books() -> None:
        try:
            found = await desk.ask("reading the ledger", tasks.books, source)
        except ShoalError as error:
            with books.clear():
                problem(str(error))
            return
        with books.clear():
            _show_books(found)

    ui.timer(0, show_books, once=True)


def _show_reply(found: dict[str, Any]) -> None:
    for title, (header, *rows) in found["tables"].items():
        text("h3", title.capitalize())
        plain_table([str(one) for one in header], [[str(one) for one in row] for row in rows], title)
    for remark in found["notes"]:
        note(remark)
    if found["picture"]:
        picture(found["picture"], "The answer as a chart, with the reach of chance around every number")


def _show_books(found: dict[str, Any]) -> None:
    if not found:
        note("Nothing was spent yet. The budget begins with the first question.")
        return
    with section("Budget", "What was spent is never given back."):
        for sign, limit in found["budget"]["limit"].items():
            spent = found["budget"]["spent"].get(sign) or 0.0
            if limit and (sign != "delta" or spent):  # δ is for groups that are found in the data
                letter = _LETTERS.get(sign, sign)
                figure(f"{limit - spent:.4g} of {limit:.4g}", f"{letter} left")
                bar = ui.linear_progress(min(spent / limit, 1.0), show_value=False, size="8px")
                bar.props["aria-label"] = f"{letter} spent"
    if found["asked"]:
        with section("Log", "What was asked, the newest first."):
            plain_table(["Time (UTC)", "Question", "Cost"], found["asked"], "Log")


PAGE = Page(
    "questions",
    "Questions",
    "question_answer",
    "Some data must not leave. Let people ask instead: every answer has noise, and a budget bounds them all.",
    build,
    about="project",
)
