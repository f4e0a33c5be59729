"""Run: make releases, follow them, end them, and keep several side by side."""

from __future__ import annotations

import time
from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio.browser_words import in_browser
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.runs import Run
from shoal.faces.studio.widgets.text import chip, empty, figure, note, problem, section, text
from shoal.faces.studio.widgets.unguarded import unguarded
from shoal.faces.studio.widgets.waiting import waiting


def build(desk: Desk) -> None:
    """What would be run, the button, and every run so far."""
    desk.live(lambda: _ready(desk))
    unguarded(desk)
    desk.live(lambda: _runs(desk))


def _ready(desk: Desk) -> None:
    table = desk.table
    settings = table.settings
    with section("Ready to protect", "The table stays as it is; the release is a new file."):
        if table.undecided:
            problem(f"Nobody has decided about {', '.join(table.undecided)}")
            ui.button("Decide", on_click=lambda: desk.go("data")).props("unelevated")
            return
        if not settings.columns("quasi"):
            problem("No column is a quasi-identifier, so there is nothing to coarsen")
            ui.button("Decide", on_click=lambda: desk.go("data")).props("unelevated")
            return
        with ui.element("div").classes("s-row"):
            for spelling in settings.model:
                chip(spelling, "safe")
            chip(_method(settings.method))
            chip(f"up to {settings.suppress:.0%} of rows left out")
        said = ui.element("div")

        def start() -> None:
            try:
                desk.studio.protect(desk.table)
            except ShoalError as error:
                with said.clear():
                    problem(str(error))

        button = ui.button("Protect", icon="shield", on_click=start).props("unelevated")
        if not settings.model:
            button.disable()
            with said:
                note("Choose a promise first.", "warn")


def _runs(desk: Desk) -> None:
    runs = desk.table.runs.all
    if not runs:
        empty("shield", "No release yet. Runs are kept here side by side, so that you can compare them.")
        return
    for run in runs:
        _run(desk, run)


def _run(desk: Desk, run: Run) -> None:
    table = desk.table
    with ui.element("section").classes("s-card") as card:
        card.props["aria-label"] = f"Run {run.number}"
        with ui.element("div").classes("s-row"):
            text("h2", f"Run {run.number}")
            chip(_WORDS[run.state], _TONES[run.state])
            text("span", time.strftime("%H:%M", time.localtime(run.began))).classes("s-soft s-small")
            ui.space()
            if run.state != "running":
                _tools(desk, run)
        text("p", " · ".join((*run.settings.model, _method(run.settings.method)))).classes("s-soft s-small")
        work = table.runs.work(run)
        if work is not None and work.running:
            waiting(work)
        elif run.state == "failed":
            problem(run.error)
        elif run.state == "done":
            _result(run.result)
            for told in run.result.get("notes", []):
                told = in_browser(told)
                note(f"{told[:1].upper()}{told[1:]}.", "plain")
            with ui.element("div").classes("s-row"):
                ui.button("Next: explore", on_click=lambda: desk.go("explore")).props("unelevated")
                place = table.runs.release(run)
                for words, icon, act in (
                    ("Make the report", "assignment_turned_in", lambda: desk.go("report")),
                    ("Download the release", "download", lambda: ui.download.file(place)),
                    (
                        "Manifest",
                        "fact_check",
                        lambda: ui.download.file(place.with_name(f"{place.name}.shoal.json")),
                    ),
                ):
                    ui.button(words, icon=icon, on_click=act, color=None).classes("s-plain")


def _method(method: str) -> str:
    return "automatic method" if method == "auto" else f"method {method}"


_WORDS = {"running": "at work", "done": "promise kept", "failed": "not possible", "cancelled": "cancelled"}
_TONES: dict[str, Any] = {"running": "plain", "done": "safe", "failed": "risk", "cancelled": "warn"}


def _tools(desk: Desk, run: Run) -> None:
    table = desk.table

    def again() -> None:
        table.change(f"settings of run {run.number}", **vars(run.settings))

    def remove() -> None:
        table.runs.remove(run)
        desk.project.tell()

    if run.settings != table.settings:
        ui.button("Use these settings", on_click=again, color=None).props("flat dense").classes("s-quiet")
    button = (
        ui.button(icon="delete_outline", on_click=remove, color=None)
        .props("flat round dense")
        .classes("s-quiet")
    )
    button.props["aria-label"] = f"Remove run {run.number}"


def _result(result: dict[str, Any]) -> None:
    with ui.element("div").classes("s-columns s-figures"):
        figure(f"{result['released']:,}", f"of {result['rows']:,} rows released")
        figure(f"{result['losses']['loss']:.0%}", "of the detail lost")
        figure(f"{result['classes']:,}", "groups of rows that look alike")
        figure(result["method"], "method used" + (", proved best" if result.get("optimal") else ""))
    if result.get("tried"):
        tried = ", ".join(one["method"] for one in result["tried"])
        text("p", f"Tried {tried}, and kept what loses least.").classes("s-soft s-small")
    with ui.element("div").classes("s-row"):
        for promise in result["models"]:
            level = promise.get("level")
            told = promise["name"] + ("" if level is None else f": {level:g}")
            chip(told, "safe" if promise.get("holds") else "warn")


PAGE = Page("run", "Run", "play_circle", "Make a release that keeps the promise and loses least.", build)
