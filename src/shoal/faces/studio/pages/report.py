"""Report and export: what goes out, what stays, and a report to sign."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from nicegui import ui

from shoal.faces.studio import release_tasks
from shoal.faces.studio.desk import Desk
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.run_choice import run_choice
from shoal.faces.studio.widgets.text import Tone, chip, note, problem, section, text
from shoal.faces.studio.widgets.work import worked

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run

TONES: dict[str, Tone] = {"good": "safe", "warn": "warn", "bad": "risk"}


def build(desk: Desk) -> None:
    """Files to download, and the report."""
    run_choice(desk, lambda run: _files(desk, run), "There is no release to export yet.")


def _files(desk: Desk, run: Run) -> None:
    release = desk.table.runs.release(run)
    place, name = release.parent, desk.name
    settings = run.settings.to_json()
    with section(
        "Give these away", "The release keeps its promises; the manifest says which, and how it was made."
    ):
        with ui.element("div").classes("s-row"):
            for model in run.result.get("models", []):
                chip(model.get("model") or model["name"], "safe" if model["holds"] else "risk")
        _list(
            (release, f"{name}-release.csv", "The release", "Rows in an order that tells nothing."),
            (place / "release.csv.shoal.json", f"{name}-release.csv.shoal.json", "The manifest",
             "Keep it beside the release: whoever gets both can verify it."),
        )  # fmt: skip
    with section("The report", "One document about this release, for somebody who decides and signs."):

        def show_report(told: dict[str, Any]) -> None:
            if "head" in told:
                note(f"{told['head']} {told['text']}", TONES[told["tone"]])
            elif not told["holds"]:  # kept by an earlier studio
                note("A promise is broken: do not release this table.", "risk")
            for remark in told["notes"]:
                note(remark, "plain")
            _list(
                (
                    place / "report.html",
                    f"{name}-report.html",
                    "Report as HTML",
                    "One page that needs no network.",
                ),
                (place / "report.pdf", f"{name}-report.pdf", "Report as PDF", "To print and sign."),
            )

        given = (str(desk.table.folder), str(release), settings)
        begin = worked(
            desk,
            run,
            "report",
            "Make the report",
            release_tasks.report,
            lambda: given,
            show_report,
        )
        again = (place / "report.html").is_file()
        if again:
            ui.button("Make it again", on_click=begin, color=None).classes("s-plain")
    with section("Keep these to yourself", "They tell of the original, or make the same release again."):
        _list(
            (place / "shoal.toml", f"{name}.shoal.toml", "The configuration",
             "Makes the same release again: shoal table protect --config"),
        )  # fmt: skip

        def show_mapping(told: dict[str, Any]) -> None:
            note(
                f"{told['notes'][0][:1].upper()}{told['notes'][0][1:]}.",
                "safe" if told["publishable"] else "warn",
            )
            _list(
                (
                    place / "mapping.csv",
                    f"{name}-mapping.csv",
                    "The mapping of values",
                    "Which value became which label.",
                )
            )

        if run.result.get("levels") is None:
            told = "Here every group has labels of its own, so there is no one label for each value. "
            note(f"{told}Explore shows what became of each row.")
            return
        worked(
            desk,
            run,
            "mapping",
            "Write the mapping of values",
            release_tasks.mapping,
            lambda: given,
            show_mapping,
        )


def _list(*files: tuple[Path, str, str, str]) -> None:
    with ui.element("div").classes("s-files"):
        for path, name, title, words in files:
            with ui.element("div").classes("s-file"):
                with ui.element("div").classes("s-stack s-grow"):
                    text("strong", title)
                    text("span", words).classes("s-soft s-small")
                if path.is_file():
                    ui.label(_size(path)).classes("s-soft s-small")
                    button = ui.button("Download", icon="download", color=None)
                    button.on_click(lambda path=path, name=name: _send(path, name)).classes("s-plain")
                    button.props["aria-label"] = f"Download {title}"
                else:
                    problem("this file is no longer there")


def _send(path: Path, name: str) -> None:
    ui.download.file(path, name)


def _size(path: Path) -> str:
    size = path.stat().st_size
    return (
        f"{size:,} B"
        if size < 1000
        else f"{size / 1000:,.0f} kB"
        if size < 10**6
        else f"{size / 10**6:,.1f} MB"
    )


PAGE = Page(
    "report",
    "Report and export",
    "assignment_turned_in",
    "Download what may go out, and a report that a data-protection officer can sign.",
    build,
)
