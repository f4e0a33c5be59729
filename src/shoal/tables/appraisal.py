"""All figures about a table at once: classes, distinction and separation, risk, losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json, Tables, number
from shoal.tables.classes import Classes
from shoal.tables.comparison import generalised, recoding_between
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
) -> Appraisal:
    """Everything that can be said about a table by its quasi-identifiers.

    With the original, what was lost; with a population, how many people fit each class there.
    """
    if not table.quasi:
        raise BadParameter("no quasi-identifier to measure by; name the columns with --quasi")
    groups: list[tuple[str, ...]] = [(column,) for column in table.quasi]
    if len(table.quasi) > 1:
        groups.append(table.quasi)
    exposure = _exposure(table, population, ladders or {})
    return Appraisal(
        rows=table.rows,
        classes=len(exposure.released),
        smallest_class=int(exposure.released.min()),
        distinction={",".join(group): Distinction(group).measure(table.frame) for group in groups},
        separation={",".join(group): Separation(group).measure(table.frame) for group in groups},
        prosecutor=Prosecutor().measure(exposure),
        journalist=Journalist().measure(exposure),
        marketer=Marketer().measure(exposure),
        losses=None if original is None else losses(recoding_between(original, table, ladders or {}), k),
    )


def _exposure(table: Table, population: pl.DataFrame | None, ladders: Mapping[str, Hierarchy]) -> Exposure:
    if population is None:
        return Exposure.of_sample(Classes.of(table.with_roles(quasi=table.quasi)).sizes)
    names = list(table.quasi)
    lost = [name for name in names if name not in population.columns]
    if lost:
        raise BadParameter(
            f"the population has no column '{lost[0]}'; it has {', '.join(population.columns)}"
        )
    released = table.frame.select(texts(table.frame[name]) for name in names)
    # A raw population is read as the release writes its labels, where the ladders are known.
    levels = {
        name: ladders[name].level_of(released[name].unique().to_list()) if name in ladders else None
        for name in names
    }
    people = population.select(texts(population[name]) for name in names)
    known = {name: level for name, level in levels.items() if level}
    if known:
        people = people.with_columns(generalised(people, known, ladders))
    sizes = released.group_by(names).agg(pl.len().alias("__released"))
    both = sizes.join(
        people.group_by(names).agg(pl.len().alias("__population")), on=names, how="left", nulls_equal=True
    )
    absent = both.filter(pl.col("__population").is_null() | (pl.col("__population") < pl.col("__released")))
    if absent.height:
        who = ", ".join(str(value) for value in absent.select(names).row(0))
        raise BadParameter(
            f"the population does not contain the table: ({who}) has more rows in the table; "
            "give the population that the table was drawn from, with the --hierarchy of each column"
        )
    return Exposure(
        both["__released"].to_numpy().astype(np.int64), both["__population"].to_numpy().astype(np.int64)
    )
