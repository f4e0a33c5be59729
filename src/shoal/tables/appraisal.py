"""All figures about a table at once: classes, distinction and separation, risk and its sources, losses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.tables.adversary.fitting import fits
from shoal.tables.adversary.row_classes import RowClasses
from shoal.tables.comparison import (
    generalised,
    in_population,
    level_of,
    recoding_between,
    refuse_lost_columns,
)
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.losses import losses
from shoal.tables.measures.belief import Belief, Beliefs
from shoal.tables.measures.risk import Exposure, Journalist, Marketer, Prosecutor, Spread
from shoal.tables.measures.separation import separated_share
from shoal.tables.packing import CodedRows
from shoal.tables.risks import Risks, risks, size_of_population
from shoal.tables.safe_harbor import SafeHarbor, check_safe_harbor
from shoal.tables.table import Table
from shoal.tables.usefulness import Usefulness
from shoal.tables.values import texts


@dataclass(frozen=True)
class Appraisal(Shown):
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
    risks: Risks
    safe_harbor: SafeHarbor | None = None
    usefulness: Usefulness | None = None
    beliefs: Beliefs | None = None

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
                **self.risks.to_json(),
            },
            "combinations": self.risks.combinations(),
            "combinations_up_to": self.risks.combined.largest,
        }
        if self.losses is not None:
            found["losses"] = {name: number(value) for name, value in self.losses.items()}
        if self.usefulness is not None:
            found["usefulness"] = self.usefulness.to_json()
        if self.beliefs is not None:
            found["belief"] = self.beliefs.to_json()
        if self.safe_harbor is not None:
            found["safe_harbor"] = self.safe_harbor.to_json()
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
        tables = {"figures": rows, **self.risks.to_tables()}
        if self.losses is not None:
            lost = [[name.replace("_", " "), f"{value:,.6g}"] for name, value in self.losses.items()]
            tables["what was lost"] = [["figure", "value"], *lost]
        if self.usefulness is not None:
            tables["what it is still good for"] = [["figure", "value"], *self.usefulness.to_rows()]
        if self.beliefs is not None:
            tables |= self.beliefs.to_tables()
        if self.safe_harbor is not None:
            tables |= self.safe_harbor.to_tables()
        return tables


def appraise(
    table: Table,
    original: Table | None = None,
    population: pl.DataFrame | None = None,
    ladders: Mapping[str, Hierarchy] | None = None,
    k: int = 1,
    levels: Mapping[str, int] | None = None,
    people: Mapping[str, Hierarchy] | None = None,
    *,
    population_size: int | None = None,
    sampling_fraction: float | None = None,
    threshold: float = 0.2,
    combinations: int | None = None,
    safe_harbor: bool = False,
) -> Appraisal:
    """Everything that can be said about a table by its quasi-identifiers.

    With the original, what was lost; with a population, how many people fit each class there. `ladders` lead
    from the original's values to the table's labels, `people` from the population's (the same if not given);
    `levels` are those that the manifest names. `population_size` or `sampling_fraction` say how many people
    the table was drawn from, `combinations` how many columns are looked at together.
    """
    if not table.quasi:
        raise BadParameter("no quasi-identifier to measure by; name the columns with --quasi")
    told = None if population is None else population.height
    size = size_of_population(table.rows, population_size, sampling_fraction, told)
    rows = CodedRows.of(table.frame, table.quasi)
    places = range(len(table.quasi))
    groups = {(place,): rows.sizes((place,)) for place in places} | {tuple(places): rows.rows}
    named = {",".join(table.quasi[place] for place in group): sizes for group, sizes in groups.items()}
    exposure = _exposure(table, rows, population, people or ladders or {}, levels or {})
    return Appraisal(
        rows=table.rows,
        classes=len(exposure.released),
        smallest_class=int(exposure.released.min()),
        distinction={name: len(sizes) / table.rows for name, sizes in named.items()},
        separation={
            name: separated_share(table.rows, int((sizes * (sizes - 1)).sum()))
            for name, sizes in named.items()
        },
        prosecutor=Prosecutor().measure(exposure),
        journalist=Journalist().measure(exposure),
        marketer=Marketer().measure(exposure),
        losses=None
        if original is None
        else losses(recoding_between(original, table, ladders or {}, levels), k),
        risks=risks(exposure, rows, size, threshold, combinations),
        safe_harbor=check_safe_harbor(table) if safe_harbor else None,
        beliefs=Belief().measure(table) if table.sensitive else None,
    )


def _exposure(
    table: Table,
    rows: CodedRows,
    population: pl.DataFrame | None,
    ladders: Mapping[str, Hierarchy],
    levels: Mapping[str, int],
) -> Exposure:
    if population is None:
        return Exposure.of_sample(rows.rows)
    refuse_lost_columns(table, population)
    if any(_mixed(table.frame[name], ladders.get(name)) for name in table.quasi):
        return _fitting(table, population, ladders)
    people = [
        as_released(population[column], table.frame[column], ladders.get(column), levels.get(column))
        for column in table.quasi
    ]
    both = in_population(table, people, ", with the --hierarchy of each column")
    return Exposure(
        both["released"].to_numpy().astype(np.int64), both["population"].to_numpy().astype(np.int64)
    )


def _mixed(released: pl.Series, ladder: Hierarchy | None) -> bool:
    """Whether a column has labels of several levels, as those of mondrian are."""
    return ladder is not None and level_of(ladder, released) is None


def _fitting(table: Table, population: pl.DataFrame, ladders: Mapping[str, Hierarchy]) -> Exposure:
    """Per class its rows and the people who fit every label of it; where labels overlap, some fit several."""
    release = RowClasses.of(table.frame, table.quasi)
    people = fits(population, release, ladders, blank_is_value=True).people_of_classes()
    lost = np.flatnonzero(people < release.sizes)
    if len(lost):
        who = ", ".join(str(release.labels[column][int(lost[0])]) for column in table.quasi)
        raise BadParameter(
            f"the population does not contain the table: ({who}) fits fewer people than it has rows; give "
            "the population that the table was drawn from, with the --hierarchy of each column"
        )
    return Exposure(release.sizes.astype(np.int64), people)


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
