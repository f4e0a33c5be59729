"""The job behind a page as a command line, as Python and as a project file."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio.widgets.text import note, problem, text

TITLES = {"command": "Command line", "python": "Python", "toml": "shoal.toml"}


def copy_button(fetch: Callable[[], Awaitable[list[dict[str, str]]]]) -> None:
    """A button that opens the copies; `fetch` makes them when they are asked for."""

    async def show() -> None:
        button.props("loading")
        try:
            copies = await fetch()
        except ShoalError as error:
            copies = [{"form": "command", "text": "", "refusal": str(error)}]
        finally:
            button.props(remove="loading")
        _dialog(copies)

    button = ui.button("Copy as…", icon="code", on_click=show, color=None)
    button.props("no-caps").classes("s-plain")


def _dialog(copies: list[dict[str, Any]]) -> None:
    with ui.dialog(value=True) as dialog, ui.element("div").classes("s-card s-dialog"):
        text("h2", "The same without the browser")
        text("p", "Each of these makes the same request as this page.").classes("s-soft")
        with ui.tabs().props("dense no-caps align=left") as tabs:
            for one in copies:
                ui.tab(TITLES[one["form"]])
        with ui.tab_panels(tabs, value=TITLES[copies[0]["form"]], animated=False).classes("s-stack"):
            for one in copies:
                with ui.tab_panel(TITLES[one["form"]]).style("padding: 8px 0"):
                    if one["text"]:
                        code = text("pre", one["text"]).classes("s-code").props('tabindex="0"')
                        code.props["aria-label"] = TITLES[one["form"]]
                        ui.button(
                            "Copy", icon="content_copy", on_click=lambda one=one: _copy(one["text"])
                        ).props("unelevated")
                    elif one["refusal"]:
                        note(f"{one['refusal'][:1].upper()}{one['refusal'][1:]}.", "plain")
                    else:
                        problem("there is nothing to copy")
        ui.button("Close", on_click=dialog.close).props("flat").classes("s-quiet")


def _copy(words: str) -> None:
    ui.clipboard.write(words)
    ui.notify("Copied", position="bottom", timeout=1500)
