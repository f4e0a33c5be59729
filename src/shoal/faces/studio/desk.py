"""What a page has before it: the project, one of its tables, workers to ask, and news of changes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from nicegui import Event, background_tasks, ui

from shoal.core.errors import BadParameter
from shoal.faces.studio import tasks
from shoal.faces.studio.project import Project, TableFolder
from shoal.faces.studio.settings import Settings
from shoal.faces.studio.worker import Task, Workers

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run
    from shoal.faces.studio.worker import Work


class Studio:
    """One project, its workers, and everybody who looks at it: tabs share all of this."""

    def __init__(self, project: Project) -> None:
        self.project, self.workers = project, Workers()
        self.changed: Event[[]] = Event()
        self.looking: dict[str, Work] = {}  # tables that a worker is looking at
        self._loop: asyncio.AbstractEventLoop | None = None
        self._saving: set[str] = set()
        self._saved = {name: table.settings for name, table in project.tables.items()}
        project.watchers.append(self._tell)

    def open(self) -> None:
        """When the server has started."""
        self._loop = asyncio.get_running_loop()
        self.workers.warm_up()

    def close(self) -> None:
        """When it ends."""
        self.workers.close()

    def _tell(self) -> None:
        for name in [one for one in self.looking if one not in self.project.tables]:
            self.looking.pop(name, None)  # or what was wrong with it would be said of the next of that name
        if self._loop is not None:
            self._loop.call_soon_threadsafe(self.changed.emit)
            self._loop.call_soon_threadsafe(self._save_changed)

    def _save_changed(self) -> None:
        """Have the project files written of tables whose settings are others than when they were written."""
        for name, table in self.project.tables.items():
            if self._saved.setdefault(name, Settings()) != table.settings and name not in self._saving:
                self._saving.add(name)
                background_tasks.create(self._save(table), name=f"saving {name}")

    def on_change(self, callback: Callable[[], Any]) -> None:
        """Call this after every change, as long as the part of the page is there that is built here."""
        holder = ui.context.slot.parent

        def called() -> Any:
            if holder.is_deleted:
                self.changed.unsubscribe(called)
                return None
            return callback()  # what is to be awaited, the event awaits

        self.changed.subscribe(called)

    def look_at(self, table: TableFolder) -> None:
        """Have a worker find out what is in a table, unless that is known or being found out."""
        if table.inspection is not None or table.name in self.looking:
            return

        def then(work: Work) -> None:
            if work.state != "failed":
                self.looking.pop(table.name, None)
            self.project.tell()

        work = self.workers.start(f"looking at {table.name}", tasks.inspect, str(table.folder), then=then)
        self.looking[table.name] = work

    def protect(self, table: TableFolder) -> Run:
        """Begin a run with the settings as they are."""
        if table.undecided:
            raise BadParameter(f"nobody has decided about {', '.join(table.undecided)} yet; give each a role")
        settings = table.settings.to_json()

        def begin(place: Any, end: Callable[[Work], None]) -> Work:
            given = (str(table.folder), settings, str(place))
            return self.workers.start(f"protecting {table.name}", tasks.protect, *given, then=end)

        run = table.runs.start(table.settings, begin, self.project.tell)
        self.project.tell()
        return run

    async def _save(self, table: TableFolder) -> None:
        """Write the project file of a table; what changes meanwhile is written after that."""
        try:
            settings = None
            while settings != table.settings:
                settings = table.settings
                given = (str(table.folder), settings.to_json())
                await asyncio.wrap_future(self.workers.ask("saving", tasks.save, *given))
                self._saved[table.name] = settings
        finally:
            self._saving.discard(table.name)


@dataclass(frozen=True)
class Desk:
    """What a page is built with."""

    studio: Studio
    name: str = ""  # of the table, on pages about one

    @property
    def project(self) -> Project:
        return self.studio.project

    @property
    def table(self) -> TableFolder:
        """The table that the page is about."""
        return self.project.table(self.name)

    async def ask(self, title: str, task: Task, *given: Any) -> Any:
        """Have a working process do something short; a failure is raised as one sentence."""
        return await asyncio.wrap_future(self.studio.workers.ask(title, task, *given))

    def live(self, build: Callable[[], None]) -> Callable[[], None]:
        """Build this part of the page here, and again whenever the project changes, in any tab.

        Gives a function that builds it again now.
        """
        holder = ui.element("div").classes("s-live")

        def show() -> None:
            if not holder.is_deleted:
                with holder.clear():
                    build()

        show()
        self.on_change(show)
        return show

    def on_change(self, callback: Callable[[], Any]) -> None:
        """Call this whenever the project has changed, in this tab or another, until the page is left."""
        self.studio.on_change(callback)

    def go(self, page: str, table: str | None = None) -> None:
        """Leave for another page, of this table if it is about one."""
        ui.navigate.to(path_of(page, table if table is not None else self.name))


def path_of(page: str, table: str = "") -> str:
    """The address of a page: `/graphs`, or `/table/patients/data`."""
    return f"/table/{table}/{page}" if table else f"/{page}"
