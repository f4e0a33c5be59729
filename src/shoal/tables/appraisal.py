"""All figures about a table at once: classes, distinction and separation, risk, losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, Tables, number
from shoal.tables.classes import Classes
from shoal.tables.comparison import (
    generalised,
    in_population,
    level_of,
    recoding_between,
    refuse_lost_columns,
)
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.losses import losses
from shoal.tables.measures.distinction import Distinction
from shoal.tables.measures.risk import Exposure, Journalist, Marketer, Prosecutor, Spread
from shoal.tables.measures.separation import Separation
from shoal.tables.table import Table
from shoal.tables.values import texts


@dataclass(frozen=True)
class Appraisal:
    """What `measure` returns for a table."""

    rows: int
    classes: int
    smallest_class: int
    distinction: Mapping[str, float]
    separation: Mapping[str, float]
    prosecutor: Spread
    journalist: Spread
    marketer: float
    losses: Mapping[str, float] | None

    def to_json(self) -> dict[str, Json]:
        """The document that `shoal table measure --json` prints."""
        found: dict[str, Json] = {
            "rows": self.rows,
            "classes": self.classes,
            "smallest_class": self.smallest_class,
            "distinction": dict(self.distinction),
            "separation": dict(self.separation),
            "risk": {
                "prosecutor": self.prosecutor.to_json(),
                "journalist": self.journalist.to_json(),
                "marketer": {"average": self.marketer},
            },
        }
        if self.losses is not None:
            found["losses"] = {name: number(value) for name, value in self.losses.items()}
        return found

    def to_tables(self) -> Tables:
        rows = [["figure", "value"], ["rows", f"{self.rows:,}"], ["classes", f"{self.classes:,}"]]
        rows.append(["smallest class", f"{self.smallest_class:,}"])
        for name in self.distinction:
            rows.append([f"distinction of {name}", f"{self.distinction[name]:.5%}"])
            rows.append([f"separation of {name}", f"{self.separation[name]:.5%}"])
        for name, risk in (("prosecutor", self.prosecutor), ("journalist", self.journalist)):
            rows.append(
                [f"{name} risk", f"{risk.lowest:.4%} – {risk.highest:.4%}, on average {risk.average:.4%}"]
            )
        rows.append(["marketer risk", f"{self.marketer:.4%} of the rows"])
        for name, value in (self.losses or {}).items():
            rows.append([name.replace("_", " "), f"{value:,.6g}"])
        return {"figures": rows}


def appraise(
    table: Table,
    original: Table | None = None,
    population: pl.DataFrame | None = None,
    ladders: Mapping[str, Hierarchy] | None = None,
    k: int = 1,
    levels: Mapping[str, int] | None = None,
    people: Mapping[str, Hierarchy] | None = None,
) -> Appraisal:
    """Everything that can be said about a table by its quasi-identifiers.

    With the original, what was lost; with a population, how many people fit each class there. `ladders` lead
    from the original's values to the table's labels, `people` from the population's (the same if not given);
    `levels` are those that the manifest names.
    """
    if not table.quasi:
        raise BadParameter("no quasi-identifier to measure by; name the columns with --quasi")
    groups: list[tuple[str, ...]] = [(column,) for column in table.quasi]
    if len(table.quasi) > 1:
        groups.append(table.quasi)
    exposure = _exposure(table, population, people or ladders or {}, levels or {})
    return Appraisal(
        rows=table.rows,
        classes=len(exposure.released),
        smallest_class=int(exposure.released.min()),
        distinction={",".join(group): Distinction(group).measure(table.frame) for group in groups},
        separation={",".join(group): Separation(group).measure(table.frame) for group in groups},
        prosecutor=Prosecutor().measure(exposure),
        journalist=Journalist().measure(exposure),
        marketer=Marketer().measure(exposure),
        losses=None
        if original is None
        else losses(recoding_between(original, table, ladders or {}, levels), k),
    )


def _exposure(
    table: Table,
    population: pl.DataFrame | None,
    ladders: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
) -> Exposure:
    if population is None:
        return Exposure.of_sample(Classes.of(table.with_roles(quasi=table.quasi)).sizes)
    refuse_lost_columns(table, population)
    people = [
        as_released(population[column], table.frame[column], ladders.get(column), levels.get(column))
        for column in table.quasi
    ]
    both = in_population(table, people, ", with the --hierarchy of each column")
    return Exposure(
        both["released"].to_numpy().astype(np.int64), both["population"].to_numpy().astype(np.int64)
    )


def as_released(
    people: pl.Series, released: pl.Series, ladder: Hierarchy | None, told: int | None
) -> pl.Series:
    """A raw column of the population with the labels that the release has, where the ladder is known."""
    level = None if ladder is None else level_of(ladder, released, told)
    if ladder is None or not level:
        return people
    strangers = ladder.missing(texts(people).unique().to_list())
    if strangers:
        # Left as they are they would fit no class, and the risk would look higher than it is.
        raise BadParameter(
            f"the population has {strangers[0]!r} in '{people.name}', which the hierarchy does not know; "
            f"give one that does as --hierarchy {people.name}=FILE"
        )
    return generalised(people, ladder, level)
