"""What was released and how, what attacks achieve, the risk that is left, what was lost: with figures."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.core.rounded_figures import per_cent
from shoal.report.blocks import Block, Cell, Chart, Figure, Grid, Words
from shoal.report.charts import hierarchies_chart, hierarchy_words
from shoal.report.wording import (
    batched,
    count,
    listed,
)
from shoal.tables.appraisal.dossier import ColumnStory, Dossier

MOST_COLUMNS = 8  # columns in a picture: one that does not fit under the text would leave half a page empty
_ROLES = {
    "identifier": "names a person",
    "sensitive": "sensitive: nobody should learn it about a person",
    "insensitive": "declared harmless",
    "quasi": "others may know it about a person",
}
_BY = {
    "flags": "whoever made the release",
    "project file": "the project file",
    "suggestion": "Shoal suggested it, and it was accepted",
    "nobody": "nobody",
    None: "not recorded",
}
_FATES = {
    "unchanged": "values kept as they are",
    "changed": "values changed or made coarser",
    "pseudonyms": "replaced by pseudonyms",
    "removed": "removed",
    "left out": "left out",
    "coarsened": "made coarser",
    "hidden": "hidden altogether",
}


def glance(dossier: Dossier) -> Iterator[Figure]:
    """Large numbers at the top."""
    smallest = dossier.risk.smallest_class
    of = "rows released" if dossier.rows is None else f"of {count(dossier.rows, 'row', 'rows')} released"
    yield Figure(f"{dossier.released:,}", of)
    if smallest > 1:
        yield Figure(f"{smallest:,}", "rows at least look alike")
    else:
        yield Figure("1", "row at least stands alone", "bad")


def released_section(dossier: Dossier) -> Iterator[Block]:
    """The blocks of the section."""
    yield Words(_contents(dossier))
    quasi = [column for column in dossier.columns if column.role == "quasi"]
    if quasi:
        yield Words(
            "What became of the columns that others may know about a person. The coarser they are, the more "
            "rows look alike. Each filled step is detail taken away."
        )
        for some in batched(quasi, MOST_COLUMNS):
            alt = " ".join(f"{column.name}: {hierarchy_words(column)}." for column in some)
            yield Chart(hierarchies_chart(some), f"Detail taken from each column. {alt}", "")
    yield Grid(
        "Every column, and who decided about it",
        ("column", "role", "decided by", "what became of it"),
        tuple(
            (
                Cell(column.name, "strong"),
                Cell(_role(column)),
                Cell(_BY[column.by], "bad" if column.risky else ""),
                Cell(_fate(column)),
            )
            for column in dossier.columns
        ),
        (3, 5, 4, 4),
    )
    if dossier.undecided:
        risky = [f"{column.name} ({column.risky})" for column in dossier.undecided]
        yield Words(
            f"Nobody gave {listed(risky)} a role, and yet {'it' if len(risky) == 1 else 'they'} went out. "
            "Decide about each before you sign.",
            "warn",
        )
    for told in dossier.given_away:
        yield Words(f"One column gives another away: {told}.", "warn")
    yield Words(_how(dossier))


def _contents(dossier: Dossier) -> str:
    gone = [column.name for column in dossier.columns if column.fate == "removed"]
    silent = [column.name for column in dossier.columns if column.fate == "left out"]
    left = len(dossier.columns) - len(gone) - len(silent)
    rows, columns = count(dossier.released, "row", "rows"), count(left, "column", "columns")
    told = f"{dossier.release} has {rows} and {columns}."
    if gone:
        one = len(gone) == 1
        told += f" {listed(gone)}, which name{'s' * one} people, {'was' if one else 'were'} removed."
    if silent:
        left_out, them = ("was left out", "it") if len(silent) == 1 else ("were left out", "them")
        told += f" {listed(silent)} {left_out}, because nobody gave {them} a role."
    if dossier.suppressed:
        whom = "it" if dossier.suppressed == 1 else "them"
        lost = count(dossier.suppressed, "row was", "rows were")
        told += f" {lost} left out, because no group could protect {whom}."
    return told


def _role(column: ColumnStory) -> str:
    return "no role declared" if column.by == "nobody" else _ROLES[column.role]


def _fate(column: ColumnStory) -> str:
    return _FATES.get(column.fate, "not known from the files given")


def _how(dossier: Dossier) -> str:
    """Method, settings and steps, where the manifest tells them."""
    if not dossier.method:
        return "How it was made is not known: there is no manifest beside the file."
    method = catalog.known("method", dossier.method)
    about = "" if method is None else method.in_words
    told = f"It was made by the method {dossier.method}" + (f": {about}" if about else "")
    if dossier.altered:
        told = f"This file was changed. What its manifest speaks of {told.removeprefix('It ')}"
    if dossier.optimal is not None:
        told += ", and proved so" if dossier.optimal else "; not proved, as a time limit stopped the search"
    told += "."
    allowed = dossier.settings.get("suppress")
    if isinstance(allowed, int | float) and allowed:
        told += f" Up to {per_cent(float(allowed))} of the rows might have been left out."
    if dossier.steps:
        told += f" Before that came {listed(list(dossier.steps))}."
    return told


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


def loss_section(dossier: Dossier) -> Iterator[Block]:
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
