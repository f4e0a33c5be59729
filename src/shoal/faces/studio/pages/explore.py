"""Explore: every choice of levels, and one release beside its original."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import release_tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.before_after import before_after
from shoal.faces.studio.widgets.curve import curve
from shoal.faces.studio.widgets.grid import plain_table
from shoal.faces.studio.widgets.lattice import lattice
from shoal.faces.studio.widgets.run_choice import run_choice
from shoal.faces.studio.widgets.text import note, section
from shoal.faces.studio.widgets.work import worked

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run


def build(desk: Desk) -> None:
    """One release, looked at from all sides."""
    run_choice(desk, lambda run: _release(desk, run), "There is no release to explore yet.")


def _release(desk: Desk, run: Run) -> None:
    settings = run.settings.to_json()
    folder, release = str(desk.table.folder), str(desk.table.runs.release(run))
    with section(
        "Every choice of levels",
        "Each dot puts every column on one level of its hierarchy; higher up is coarser. Pick any of them.",
    ):
        worked(
            desk,
            run,
            "lattice",
            "Look at all choices",
            release_tasks.explore,
            lambda: (folder, settings),
            lambda found: lattice(desk, run, found),
        )
    before_after(desk, folder, release, settings)
    with section(
        "What was lost",
        "Loss, precision and entropy go from 0 to 1; class sizes are in multiples of k, the rest in rows.",
    ):
        _losses(desk)
    with section(
        "Risk against loss",
        "A larger k lowers the risk and costs detail. The line is the price of each k; dots are your runs.",
    ):
        worked(
            desk,
            run,
            "curve",
            "Draw the curve",
            release_tasks.curve,
            lambda: (folder, settings),
            lambda found: curve(desk, found),
        )
    with ui.element("div").classes("s-row"):
        ui.button("Next: attack", on_click=lambda: desk.go("attack")).props("unelevated")


def _losses(desk: Desk) -> None:
    runs = desk.table.runs.done
    names = list(runs[0].result.get("losses", {}))
    rows = []
    for name in names:
        figures = [run.result.get("losses", {}).get(name) for run in runs]
        rows.append([name.replace("_", " "), *(_figure(one) for one in figures)])
    rows.append(["rows left out", *(f"{run.result.get('suppressed', 0):,}" for run in runs)])
    plain_table(["Figure", *(f"Run {run.number}" for run in runs)], rows, "Losses of every run")


def _figure(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:,.0f}" if value >= 1000 else f"{value:.4g}"


async def apply_levels(desk: Desk, levels: list[str], said: ui.element) -> None:
    """Start a run that releases one choice of levels."""
    try:
        method: Any = await desk.ask("choosing", release_tasks.method_with_levels, levels)
        desk.table.change(f"levels {', '.join(levels)}", method=method)
        desk.studio.protect(desk.table)
    except ShoalError as error:
        with said.clear():
            note(str(error), "risk")
        return
    desk.go("run")


PAGE = Page(
    "explore",
    "Explore",
    "travel_explore",
    "See what a release costs and what it protects, and choose another one if you like it better.",
    build,
)
