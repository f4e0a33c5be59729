"""Record linkage against a named list."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.contract import Need
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate, number
from shoal.tables.adversary.scene import Scene
from shoal.tables.comparison import generalised, keyed
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.values import texts


@dataclass(frozen=True)
class Linkage:
    """Finds the people on a list whose row in a release is the only one that fits them.

    A hit is a person who fits exactly one released row which fits nobody else on the list: their row for
    certain, if they are in the release and the list is complete. Generalised labels are matched against raw
    values through the hierarchies; a column of which nothing matches is refused, because "nobody was hit"
    would then say nothing.

    Sweeney, "Weaving technology and policy together to maintain confidentiality", 1997.
    """

    name: ClassVar[str] = "linkage"
    needs: ClassVar[tuple[Need, ...]] = ("external",)

    show: str | None = None

    def attack(self, case: Scene) -> Finding:
        table, external = case.table, case.external
        assert external is not None
        shared = [column for column in table.quasi if column in external.columns]
        if not shared:
            raise BadParameter(
                f"the list shares no quasi-identifier with the release ({', '.join(table.quasi)}); "
                f"it has {', '.join(external.columns)}"
            )
        if self.show is not None and self.show not in external.columns:
            raise BadParameter(f"no column '{self.show}' in the list; it has {', '.join(external.columns)}")
        released = keyed(table.frame[column] for column in shared)
        people = keyed(
            _as_released(external[column], table.frame[column], table.hierarchies.get(column))
            for column in shared
        )
        for column, own, theirs in zip(shared, released, people, strict=True):
            if not case.readable:
                _refuse_if_strange(column, own, theirs)
        pairs = (
            _alone(people, "person")
            .join(_alone(released, "row"), on=released.columns, how="inner", nulls_equal=True)
            .sort("person")
        )
        return Finding(
            attack=self.name,
            rate=Rate(pairs.height, external.height),
            baseline=1 / table.rows,
            findings=tuple(self._told(pairs, case, shared)),
            cure=(
                f"k-anonymity(k=2) or more over {', '.join(shared)} leaves nobody with a row of their own"
                if pairs.height
                else "nothing to cure: no row of the release belongs to one person on this list alone"
            ),
            remedy="k-anonymity(k=2)",
        )

    def _told(self, pairs: pl.DataFrame, case: Scene, shared: list[str]) -> list[dict[str, Json]]:
        assert case.external is not None
        """The first people hit: who they are and what their row gives away."""
        known = [self.show] if self.show else [c for c in case.external.columns if c not in shared][:2]
        hidden = {*shared, *case.table.identifier}
        learned = [column for column in case.table.columns if column not in hidden]
        told: list[dict[str, Json]] = []
        for person, row in pairs.select("person", "row").head(case.shown or pairs.height).iter_rows():
            who = _cells(case.external, int(person), known or shared)
            told.append(
                {"who": who, "learned": _cells(case.table.frame, int(row), learned), "confidence": 1.0}
            )
        return told


def _cells(frame: pl.DataFrame, row: int, columns: Sequence[str]) -> dict[str, Json]:
    return {column: _json(frame[row, column]) for column in columns}


def _json(value: object) -> Json:
    if isinstance(value, float):
        return number(value)
    return value if value is None or isinstance(value, int | str) else str(value)


def _alone(keys: pl.DataFrame, place: str) -> pl.DataFrame:
    """The rows that no other row looks like, with their place."""
    return keys.with_row_index(place).filter(pl.len().over(keys.columns) == 1)


def _as_released(people: pl.Series, released: pl.Series, ladder: Hierarchy | None) -> pl.Series:
    """A column of the list written as the release writes it; a value that no ladder knows stays as it is."""
    if ladder is None:
        return people
    labels = set(texts(released).unique())
    # The list need not have every value of the release: the level is the one that knows most of its labels.
    known = [len(labels.intersection(names)) for names in ladder.names]
    level = known.index(max(known))
    return generalised(people, ladder, level) if level else people


def _refuse_if_strange(column: str, released: pl.Series, people: pl.Series) -> None:
    labels = released.unique()
    if not labels.is_in(people.unique().implode(), nulls_equal=True).any():
        raise BadParameter(
            f"nothing in '{column}' of the list fits the release, which has {labels[0]!r}; give the "
            f"hierarchy it was made with as --hierarchy {column}=FILE, or leave the column out of --quasi"
        )
