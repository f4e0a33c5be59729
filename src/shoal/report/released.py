"""What was released and how it was made, column by column."""

from __future__ import annotations

from collections.abc import Iterator

from shoal import catalog
from shoal.core.rounding import per_cent
from shoal.jobs.tables.dossier import ColumnStory, Dossier
from shoal.report.blocks import Block, Cell, Chart, Grid, Words
from shoal.report.charts import ladder_words, ladders_chart
from shoal.report.wording import batched, count, listed

MOST = 8  # columns in a picture: one that does not fit under the text would leave half a page empty
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


def released(dossier: Dossier) -> Iterator[Block]:
    """The blocks of the section."""
    yield Words(_contents(dossier))
    quasi = [column for column in dossier.columns if column.role == "quasi"]
    if quasi:
        yield Words(
            "What became of the columns that others may know about a person. The coarser they are, the more "
            "rows look alike. Each filled step is detail taken away."
        )
        for some in batched(quasi, MOST):
            alt = " ".join(f"{column.name}: {ladder_words(column)}." for column in some)
            yield Chart(ladders_chart(some), f"Detail taken from each column. {alt}", "")
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
        left_out = "was left out" if len(silent) == 1 else "were left out"
        told += f" {listed(silent)} {left_out}, because nobody gave a role."
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
