"""Which value became which label, column by column, from hierarchies and levels.

A mapping follows from the hierarchies alone: where a file declares all values, it tells what the file tells.
A hierarchy that was made from the data knows every value that somebody has, also those of people who were
left out; such a mapping is for the owner alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label


@dataclass(frozen=True)
class ColumnMapping:
    """One column: every value of its hierarchy, with its label."""

    column: str
    level: int
    height: int
    labels: tuple[tuple[Label, Label], ...]
    publishable: bool
    reason: str

    @classmethod
    def of(cls, column: str, hierarchy: Hierarchy, level: int, declared: bool, same: bool) -> ColumnMapping:
        """`declared`: a file names all values; `same`: those are just the ones of the data."""
        names, codes = hierarchy.names[level], hierarchy.codes[level]
        pairs = tuple((leaf, names[code]) for leaf, code in zip(hierarchy.leaves, codes, strict=True))
        if not declared:
            reason = "its values were taken from the data, also from rows that were left out"
        elif same:
            reason = "its file names exactly the values of the data, so it was probably made from them"
        else:
            reason = "its file declares all values, whoever has them"
        return cls(column, level, hierarchy.height, pairs, declared and not same, reason)

    def to_json(self) -> dict[str, Json]:
        return {
            "level": self.level,
            "height": self.height,
            "publishable": self.publishable,
            "reason": self.reason,
            "labels": [list(pair) for pair in self.labels],
        }


@dataclass(frozen=True)
class ValueMapping(Shown):
    """The mapping of a release in which every column is on one level."""

    columns: tuple[ColumnMapping, ...]

    @property
    def publishable(self) -> bool:
        """Whether all of it may go out with the release."""
        return all(one.publishable for one in self.columns)

    @property
    def notes(self) -> tuple[str, ...]:
        """Whether it may be published, in plain words."""
        kept = [one for one in self.columns if not one.publishable]
        if not kept:
            return ("this mapping may be published: it follows from files that declare all values",)
        why = "; ".join(f"'{one.column}': {one.reason}" for one in kept)
        return (f"this mapping must not be published: {why}",)

    def to_csv(self) -> str:
        """One line per value."""
        import csv
        import io

        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(["column", "level", "value", "label", "publishable"])
        for one in self.columns:
            for value, label in one.labels:
                may = "yes" if one.publishable else "no"
                writer.writerow([one.column, one.level, "" if value is None else value, label or "", may])
        return text.getvalue()

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table mapping --json` prints."""
        return {
            "publishable": self.publishable,
            "columns": {one.column: one.to_json() for one in self.columns},
            "notes": list(self.notes),
        }

    def to_tables(self) -> Tables:
        told = [["column", "level", "of", "values", "labels", "may be published"]]
        for one in self.columns:
            kinds = len({label for _, label in one.labels})
            may = f"{'yes' if one.publishable else 'no'}: {one.reason}"
            told.append(
                [one.column, str(one.level), str(one.height), f"{len(one.labels):,}", f"{kinds:,}", may]
            )
        return {"mapping": told}
