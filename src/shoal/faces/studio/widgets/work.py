"""Something long that a page asks for about a release: a button, a bar while it works, then what came of it.

What was found is kept beside the release, so that a page that is loaded again finds it, tomorrow too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from nicegui import ui

from shoal.faces.studio.desk import Desk
from shoal.faces.studio.widgets.text import problem
from shoal.faces.studio.widgets.waiting import waiting
from shoal.faces.studio.worker import Task

if TYPE_CHECKING:
    from shoal.faces.studio.runs import Run


def worked(
    desk: Desk,
    run: Run,
    key: str,
    action: str,
    task: Task,
    given: Callable[[], tuple[Any, ...] | None],
    show: Callable[[Any], None],
) -> Callable[[], None]:
    """The place for it; `given` is what the task gets, or None where something is lacking.

    The function that is returned begins it anew.
    """
    findings = desk.table.runs.findings(run)
    holder = ui.element("div").classes("s-stack s-wide")

    def begin() -> None:
        words = given()
        if words is not None:  # else something is lacking, and whoever was asked has said so
            findings.begin(key, lambda then: desk.studio.workers.start(action, task, *words, then=then))
            look()

    def look() -> None:
        if holder.is_deleted:
            return
        work, found = findings.work(key), findings.recall(key)
        with holder.clear():
            if work is not None and work.running:
                waiting(work, look)
            elif work is not None and work.state == "failed":
                problem(work.error)
                again = ui.button("Try again", on_click=begin, color=None).classes("s-plain")
                again.style("align-self: flex-start")
            elif found is not None:
                show(found)
            else:
                ui.button(action, on_click=begin).props("unelevated").style("align-self: flex-start")

    look()
    return begin
