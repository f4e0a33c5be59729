"""The frame around every page: header, navigation, light and dark; and the server that shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from fastapi import FastAPI
from nicegui import app as nicegui_app
from nicegui import ui

from shoal.core.errors import ShoalError
from shoal.faces.studio import release_tasks, theme
from shoal.faces.studio.desk import Desk, Studio, path_of
from shoal.faces.studio.pages import pages
from shoal.faces.studio.pages.home import build_home
from shoal.faces.studio.pages.page import Page
from shoal.faces.studio.widgets.copy_as import copy_button
from shoal.faces.studio.widgets.text import empty, heading

NARROW = 900  # pixels up to which the navigation lies above the page instead of beside it


def make_app(studio: Studio) -> FastAPI:
    """The application of one studio. Nothing in it asks who is there: see `access.py`."""
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    nicegui_app.on_startup(studio.open)
    nicegui_app.on_shutdown(studio.close)
    dark = studio.project.preferences.get("dark")
    ui.run_with(
        app,
        root=partial(_frame, studio),
        title="Shoal Studio",
        favicon=theme.MARK.replace("currentColor", theme.ACCENT),
        dark=dark,
        language="en-US",
        tailwind=False,
        show_welcome_message=False,
        binding_refresh_interval=None,
        reconnect_timeout=20.0,
    )
    return app


def _frame(studio: Studio) -> None:
    ui.add_css(theme.CSS)
    ui.colors(primary=theme.ACCENT, negative=theme.RISK, positive=theme.SAFE, dark_page="#0f161c")
    router = ui.context.client.sub_pages_router
    # Closed until the browser finds that there is room beside the page: a tablet shows the page first.
    drawer = ui.left_drawer(value=False, bordered=False, elevated=False).classes("s-drawer")
    drawer.props(f'width=232 breakpoint={NARROW} show-if-above aria-label="Navigation"')
    _header(studio, drawer)

    latest = [_table_in(router.current_path)]  # the table that this tab was at

    with drawer, ui.element("nav").props('aria-label="Pages"'):
        navigation = Desk(studio).live(lambda: _navigation(studio, router.current_path, latest[0]))

    def moved(path: str) -> None:
        latest[0] = _table_in(path) or latest[0]
        navigation()
        ui.run_javascript(f"window.innerWidth <= {NARROW} && getElement({drawer.id}).hide()")

    router.on_path_changed(moved)
    routes: dict[str, Callable[..., Any]] = {"/": partial(_show_home, studio)}
    for page in pages():
        build = _show_table_page if page.about == "table" else _show_page
        routes[path_of(page.path, "{name}" if page.about == "table" else "")] = partial(build, studio, page)
    main = ui.element("div")
    ui.skip_link("Skip to the page", target=main)
    with main:
        ui.sub_pages(routes)


def _header(studio: Studio, drawer: ui.left_drawer) -> None:
    with ui.header(elevated=False).classes("s-header"):
        ui.button(icon="menu", on_click=drawer.toggle, color=None).props(
            'flat round dense aria-label="Navigation"'
        ).classes("s-quiet lt-md")
        with ui.link(target="/").classes("s-brand"):
            ui.html(theme.MARK, sanitize=False)
            ui.label("Shoal Studio")
        ui.space()

        router = ui.context.client.sub_pages_router
        undo = Desk(studio).live(lambda: _undo(studio, router.current_path))
        router.on_path_changed(lambda _: undo())
        mode = ui.dark_mode(studio.project.preferences.get("dark"))

        def toggle() -> None:
            mode.value = not mode.value
            studio.project.prefer(dark=mode.value)

        button = ui.button(icon="contrast", on_click=toggle, color=None)
        button.props('flat round dense aria-label="Light or dark"').classes("s-quiet")


def _undo(studio: Studio, path: str) -> None:
    table = studio.project.tables.get(_table_in(path))
    if table is None:
        return
    for icon, word, what, act in (
        ("undo", "Undo", table.undone, table.undo),
        ("redo", "Redo", table.redone, table.redo),
    ):
        button = ui.button(icon=icon, on_click=act, color=None).props("flat round dense").classes("s-quiet")
        button.props["aria-label"] = f"{word}: {what}" if what else f"Nothing to {word.lower()}"
        button.set_enabled(what is not None)
        if what:
            button.tooltip(f"{word}: {what}")


def _table_in(path: str) -> str:
    """The table that an address speaks of; it is looked up, never opened."""
    parts = path.split("?")[0].strip("/").split("/")
    return parts[1] if len(parts) == 3 and parts[0] == "table" else ""


def _navigation(studio: Studio, path: str, table: str) -> None:
    """All pages; those of `table`, the latest, are kept within reach on pages about the project."""
    known = table in studio.project.tables
    with ui.element("div").classes("s-nav"):
        _link("/", "home", "Start", path == "/")
        if known:
            ui.label(table).classes("s-nav-title")
        for page in pages():
            if page.about == "table" and known:
                target = path_of(page.path, table)
                _link(target, page.icon, page.title, path.split("?")[0] == target)
        others = [page for page in pages() if page.about == "project"]
        if others:
            ui.label("Also").classes("s-nav-title")
        for page in others:
            _link(path_of(page.path), page.icon, page.title, path.split("?")[0] == path_of(page.path))


def _link(target: str, icon: str, title: str, here: bool) -> None:
    with ui.link(target=target) as link:
        ui.icon(icon).props('aria-hidden="true"')
        ui.label(title)
    if here:
        link.classes("s-here").props('aria-current="page"')


def _show_home(studio: Studio) -> None:
    ui.page_title("Shoal Studio")
    with ui.element("div").classes("s-page"):
        build_home(Desk(studio), [page for page in pages() if page.about == "table"])


def _show_page(studio: Studio, page: Page) -> None:
    _show(Desk(studio), page)


def _show_table_page(studio: Studio, page: Page, name: str) -> None:
    try:
        table = studio.project.table(name)
    except ShoalError as error:
        with ui.element("div").classes("s-page"):
            heading("No such table", str(error))
            empty("search_off", "It may have been removed in another tab.", "Back to the start", "/")
        return
    studio.look_at(table)
    _show(Desk(studio, name), page)


def _show(desk: Desk, page: Page) -> None:
    ui.page_title(f"{page.title} · {desk.name or 'Shoal Studio'}")
    with ui.element("div").classes("s-page"):
        with ui.element("div").classes("s-top"):
            heading(page.title, page.why)
            if page.about == "table" and page.path != "attack":  # that has one for each attack
                copy_button(lambda: _copies(desk, page))
        page.build(desk)


async def _copies(desk: Desk, page: Page) -> list[dict[str, str]]:
    """The job of a page in all forms; of pages about a release that of the newest one."""
    table = desk.table
    done = table.runs.done
    of_release = page.path in ("explore", "attack", "report") and bool(done)
    settings = done[0].settings if of_release else table.settings
    release = str(table.runs.release(done[0])) if of_release else ""
    given = (str(table.folder), settings.to_json(), page.path, release)
    copies: list[dict[str, str]] = await desk.ask("copying", release_tasks.copies, *given)
    return copies
