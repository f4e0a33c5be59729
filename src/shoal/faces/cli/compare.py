"""`shoal table compare`."""

from __future__ import annotations

from shoal.faces.cli.flags import AsJson, flagged
from shoal.faces.cli.settings import Typed
from shoal.jobs.tables.requests import CompareTable


@flagged(CompareTable)
def compare(typed: Typed, as_json: AsJson = False) -> None:
    """Try many settings: risk against usefulness, which settings no other beats, and the curve."""
    from shoal.faces.cli.show import following, say, show
    from shoal.jobs.tables.compare import compare_table

    job = typed.job()
    with following("comparing") as follow:
        curve = compare_table(job, follow)
    for note in curve.notes:
        say(f"shoal: {note}")
    show(curve, as_json)
    best = "; ".join(curve.setting(point) for point in curve.front)
    say(f"shoal: best trade-offs, safest first: {best}" if best else "shoal: no trade-off")
