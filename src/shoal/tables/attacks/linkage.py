"""Record linkage against a named list."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table
from shoal.tables.values import texts

SHOWN = 20


@dataclass(frozen=True, eq=False)
class Linkable:
    """A release, and a list of named people that an attacker holds.

    The attacker can read the labels of the release: `table.hierarchies` are known to everyone.
    """

    table: Table
    external: pl.DataFrame


@dataclass(frozen=True)
class Linkage:
    """Finds the people on a list whose row in a release is the only one that fits them.

    A hit is a person who fits exactly one released row which fits nobody else on the list. Generalised labels
    are matched against raw values through the hierarchies.

    Sweeney, "Weaving technology and policy together to maintain confidentiality", 1997.
    """

    name: ClassVar[str] = "linkage"

    show: str | None = None

    def attack(self, case: Linkable) -> Finding:
        table, external = case.table, case.external
        shared = [column for column in table.quasi if column in external.columns]
        if not shared:
            raise BadParameter(
                f"the list shares no quasi-identifier with the release ({', '.join(table.quasi)}); "
                f"it has {', '.join(external.columns)}"
            )
        if self.show is not None and self.show not in external.columns:
            raise BadParameter(f"no column '{self.show}' in the list; it has {', '.join(external.columns)}")
        released = table.frame.with_columns(texts(table.frame[column]) for column in shared)
        people = _as_released(external, released, shared, table.hierarchies).with_row_index("__person")
        released = released.with_row_index("__row")
        sole_rows = _alone(released, shared).select(*shared, "__row")
        sole_people = _alone(people, shared).select(*shared, "__person")
        pairs = sole_people.join(sole_rows, on=shared, how="inner", nulls_equal=True).sort("__person")
        return Finding(
            attack=self.name,
            rate=Rate(pairs.height, external.height),
            baseline=1 / released.height,
            findings=tuple(self._told(pairs, case, shared)),
            cure=f"k-anonymity(k=2) or more over {', '.join(shared)} leaves nobody with a row of their own",
        )

    def _told(self, pairs: pl.DataFrame, case: Linkable, shared: list[str]) -> list[dict[str, Json]]:
        """The first people hit: who they are and what their row gives away."""
        known = [self.show] if self.show else [c for c in case.external.columns if c not in shared][:2]
        learned = [column for column in case.table.columns if column not in shared]
        told: list[dict[str, Json]] = []
        for person, row in pairs.select("__person", "__row").head(SHOWN).iter_rows():
            who = case.external[int(person)].select(known or shared).to_dicts()[0]
            what = case.table.frame[int(row)].select(learned).to_dicts()[0]
            told.append({"who": _plain(who), "learned": _plain(what), "confidence": 1.0})
        return told


def _plain(values: Mapping[str, object]) -> dict[str, Json]:
    return {
        key: value if isinstance(value, int | float | str) else None if value is None else str(value)
        for key, value in values.items()
    }


def _alone(frame: pl.DataFrame, columns: list[str]) -> pl.DataFrame:
    """The rows that no other row looks like."""
    return frame.filter(pl.len().over(columns) == 1)


def _as_released(
    people: pl.DataFrame, released: pl.DataFrame, columns: list[str], ladders: Mapping[str, Hierarchy]
) -> pl.DataFrame:
    """The list with its values written as the release writes them; an unknown value stays as it is."""
    written = []
    for column in columns:
        values = texts(people[column])
        ladder = ladders.get(column)
        level = ladder.level_of(released[column].unique().to_list()) if ladder else None
        if ladder is None or not level:
            written.append(values)
            continue
        leaves = pl.Series(ladder.leaves, dtype=pl.String)
        labels = pl.Series([ladder.names[level][code] for code in ladder.codes[level]], dtype=pl.String)
        written.append(values.replace(leaves, labels).alias(column))
    return people.with_columns(written)
