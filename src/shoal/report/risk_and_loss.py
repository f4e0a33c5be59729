"""The risk that is left, and what was lost, in figures with their meaning."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.core.rounding import per_cent
from shoal.jobs.tables.dossier import Dossier
from shoal.report.blocks import Block, Cell, Grid, Words
from shoal.report.wording import listed


def risk(dossier: Dossier) -> Iterator[Block]:
    """Prosecutor, journalist and marketer, before and after."""
    sides = [side for side in (dossier.risk_before, dossier.risk) if side is not None]
    told = (
        (
            "smallest group",
            "rows that look alike, at the least",
            [f"{side.smallest_class:,}" for side in sides],
        ),
        (
            "prosecutor, worst case",
            "chance to pick the right row of somebody known to be in the file",
            [per_cent(side.prosecutor.highest) for side in sides],
        ),
        (
            "prosecutor, on average",
            "the same, over all rows",
            [per_cent(side.prosecutor.average) for side in sides],
        ),
        (
            "journalist, worst case",
            "chance to name somebody rightly, without knowing who is in the file",
            [per_cent(side.journalist.highest) for side in sides],
        ),
        (
            "marketer",
            "share of all rows that would be put down to the right person",
            [per_cent(side.marketer) for side in sides],
        ),
    )
    rows = tuple(
        (
            Cell(name, "strong"),
            Cell(about),
            *(Cell(value) for value in values[:-1]),
            Cell(values[-1], "strong"),
        )
        for name, about, values in told
    )
    heads = ("before", "after") if len(sides) == 2 else ("now",)
    places = tuple(range(2, 2 + len(sides)))
    yield Grid("Risk", ("figure", "what it says", *heads), rows, (5, 10, *(3 for _ in sides)), places)
    if dossier.by_chance:
        yield Words(
            "Chance made or changed these rows, so the figures count rows that look alike and not people: "
            "they are no measure of what the release tells about anybody.",
            "warn",
        )
    elif not dossier.has_population:
        yield Words(
            "No list of the whole population was given, so the journalist's figure counts the rows of the "
            "file alone: it is too high rather than too low.",
            "quiet",
        )


def lost(dossier: Dossier) -> Iterator[Block]:
    """What the protection cost."""
    if not dossier.losses:
        yield Words("Not known: neither the original nor a manifest with these figures was given.")
        return
    rows = []
    for name, value in dossier.losses.items():
        measure = catalog.known("measure", name.replace("_", "-"))
        if measure is not None and measure.called:
            figure = f"{value:.3g}" if value < 1000 else f"{value:,.0f}"
            rows.append((Cell(measure.called, "strong"), Cell(measure.in_words), Cell(figure)))
    yield Grid("Losses", ("figure", "what it says", "value"), tuple(rows), (5, 11, 3), (2,))
    told = "Measured now against the original." if dossier.measured else "As the manifest records them."
    if dossier.guarantees:
        told += " They count how coarse labels are, and neither what chance changed nor whom it left out."
    kept = [
        column.name for column in dossier.columns if column.role != "quasi" and column.fate == "unchanged"
    ]
    if kept and dossier.moved is not None:
        told += (
            f" The values of {listed(kept)} are the original ones; leaving rows out moved their shares by at "
            f"most {per_cent(dossier.moved)}."
        )
    if "loss" not in dossier.losses:
        told += (
            " How much detail was lost is not told: the hierarchies were taken from the data, and the figure "
            "would help to guess at single rows. shoal table measure --original tells it inside the house."
        )
    yield Words(told, "quiet")
