"""`shoal table measure`."""

from __future__ import annotations

from shoal.faces.cli.flags import AsJson, flagged
from shoal.faces.cli.settings import Typed
from shoal.jobs.tables.requests import MeasureTable


@flagged(MeasureTable, without=("identifier", "insensitive"))
def measure(typed: Typed, as_json: AsJson = False) -> None:
    """Classes, risk and where it comes from; with --original also what was lost."""
    from shoal.core.figures import Figures
    from shoal.faces.cli.show import say, show
    from shoal.jobs.tables.measure import measure_table

    found = measure_table(typed.job())
    show(found, as_json)
    if not isinstance(found, Figures) and found.safe_harbor is not None:
        say(f"shoal: {found.safe_harbor.note}")
