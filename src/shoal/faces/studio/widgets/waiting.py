"""What is shown while a worker is at work, with a way to end it."""

from __future__ import annotations

import time
from collections.abc import Callable

from nicegui import ui

from shoal.faces.studio.worker import Work

EVERY = 0.25  # seconds between two looks at the work


def waiting(work: Work, on_end: Callable[[], None] | None = None, cancel: bool = True) -> None:
    """A bar that follows the work; `on_end` is called once, when it is no longer running."""
    with ui.element("div").classes("s-row").props('role="status"'):
        bar = ui.linear_progress(value=0, show_value=False, size="6px").classes("s-grow")
        bar.props('rounded aria-label="Progress"')
        words = ui.label(work.title).classes("s-soft s-small")
        if cancel:
            ui.button("Cancel", on_click=work.cancel, color=None).props("flat dense no-caps").classes(
                "s-quiet"
            )

    def look() -> None:
        share = work.share
        bar.props["indeterminate"] = share is None
        bar.value = share or 0.0
        told = f"{work.title}: {work.at_work}" if work.at_work else work.title
        words.text = f"{told} · {time.time() - work.began:.0f} s"
        if not work.running:
            timer.deactivate()
            if on_end is not None:
                on_end()

    timer = ui.timer(EVERY, look)
