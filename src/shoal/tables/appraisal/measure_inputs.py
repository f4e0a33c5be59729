"""What measures of tables look at, each made from the same few things when a measure asks for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
import polars as pl

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.tables.appraisal.comparison import (
    generalise,
    in_population,
    level_of,
    recoding_between,
    refuse_lost_columns,
)
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.appraisal.population_uniques import Sample
from shoal.tables.appraisal.recoding import Recoding
from shoal.tables.appraisal.risks import size_of_population
from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.risk import Exposure
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Evidence:
    """A table, and whatever it is measured against.

    `hierarchies` lead from the original's values to the table's labels, `people` from the population's (the
    same if not given); `levels` are those that the manifest names. `population_size` or `sampling_fraction`
    say how many people the table was drawn from.
    """

    table: Table
    original: Table | None = None
    population: pl.DataFrame | None = None
    hierarchies: Mapping[str, Hierarchy] = field(default_factory=dict)
    levels: Mapping[str, int] | None = None
    people: Mapping[str, Hierarchy] | None = None
    population_size: int | None = None
    sampling_fraction: float | None = None
    class_column: str | None = None
    made_up: bool = False  # its rows were drawn anew, and may be more than there were

    def __post_init__(self) -> None:
        if not self.table.quasi:
            raise BadParameter("no quasi-identifier to measure by; name the columns with --quasi")

    def measured(self, ruler: Measure[Any, Any]) -> Any:
        """What a measure finds in the evidence it looks at."""
        wanted = ruler.subject()
        make = self._makers().get(wanted)
        here = self.table.weights is None and (self.original is None or self.original.weights is None)
        if make is not None and not here and wanted in (Table, pl.DataFrame, SideBySide):
            raise BadParameter(
                f"{ruler.name} needs the rows here, and they stay in an engine; export the table"
            )
        if make is None:
            known = ", ".join(sorted(kind.__name__ for kind in self._makers()))
            raise BadParameter(f"{ruler.name} measures a {wanted.__name__}; of a table there is {known}")
        try:
            return ruler.measure(make())
        except _Lacking as error:
            raise BadParameter(f"{ruler.name} needs {error}") from None

    def _makers(self) -> Mapping[type[Any], Callable[[], Any]]:
        return {
            Table: lambda: self.table,
            pl.DataFrame: lambda: self.table.frame.select(self.table.quasi),
            CodedRows: lambda: self.rows,
            Exposure: lambda: self.exposure,
            Sample: lambda: self.sample,
            Recoding: lambda: self.recoding,
            SideBySide: lambda: self.pair,
        }

    @cached_property
    def rows(self) -> CodedRows:
        """The rows as numbers, one per quasi-identifier."""
        return CodedRows.of(self.table.frame, self.table.quasi, self.table.weights)

    @cached_property
    def size(self) -> int | None:
        """How many people the table was drawn from, where that is known."""
        counted = None if self.population is None else self.population.height
        return size_of_population(self.table.rows, self.population_size, self.sampling_fraction, counted)

    @property
    def sample(self) -> Sample:
        """The classes as a sample of a population of known size."""
        if self.size is None:
            raise _Lacking("to know how many people there are; give --population-size N")
        return Sample.of(self.exposure.released, self.size)

    @cached_property
    def recoding(self) -> Recoding:
        """How the values of the original became the labels of the table."""
        if self.original is None:
            raise _Lacking("the table that the release was made from; give --original FILE")
        table = self.table
        if self.made_up and table.rows > self.original.rows:
            # As many as there were are as good a sample: rows go out in random order.
            table = table.with_frame(table.frame.head(self.original.rows))
        return recoding_between(self.original, table, self.hierarchies, self.levels)

    @cached_property
    def pair(self) -> SideBySide:
        """The original beside the table."""
        if self.original is None:
            raise _Lacking("the table that the release was made from; give --original FILE")
        frame = self.original.frame
        sensitive = tuple(column for column in self.table.sensitive if column in frame.columns)
        return SideBySide(
            frame, self.table.frame, self.table.quasi, self.hierarchies, sensitive, self.class_column
        )

    @cached_property
    def exposure(self) -> Exposure:
        """Per class its rows, and the people of the population who fit it."""
        table, population = self.table, self.population
        if population is None:
            return Exposure.of_sample(self.rows.rows)
        refuse_lost_columns(table, population)
        hierarchies, levels = self.people or self.hierarchies, self.levels or {}
        if any(_has_mixed_levels(table.frame[name], hierarchies.get(name)) for name in table.quasi):
            return _fitting(table, population, hierarchies)
        people = [
            as_released(population[column], table.frame[column], hierarchies.get(column), levels.get(column))
            for column in table.quasi
        ]
        both = in_population(table, people, ", with the --hierarchy of each column")
        return Exposure(
            both["released"].to_numpy().astype(np.int64), both["population"].to_numpy().astype(np.int64)
        )


class _Lacking(Exception):
    """What a measure cannot do without."""


def _has_mixed_levels(released: pl.Series, hierarchy: Hierarchy | None) -> bool:
    """Whether a column has labels of several levels, as those of mondrian are."""
    return hierarchy is not None and level_of(hierarchy, released) is None


def _fitting(table: Table, population: pl.DataFrame, hierarchies: Mapping[str, Hierarchy]) -> Exposure:
    """Per class its rows and the people who fit every label of it; where labels overlap, some fit several."""
    release = RowClasses.of(table.frame, table.quasi)
    people = fits(population, release, hierarchies, blank_is_value=True).people_of_classes()
    lost = np.flatnonzero(people < release.sizes)
    if len(lost):
        who = ", ".join(str(release.labels[column][int(lost[0])]) for column in table.quasi)
        raise BadParameter(
            f"the population does not contain the table: ({who}) fits fewer people than it has rows; give "
            "the population that the table was drawn from, with the --hierarchy of each column"
        )
    return Exposure(release.sizes.astype(np.int64), people)


def as_released(
    people: pl.Series, released: pl.Series, hierarchy: Hierarchy | None, told: int | None
) -> pl.Series:
    """A raw column of the population with the labels that the release has, where the hierarchy is known."""
    level = None if hierarchy is None else level_of(hierarchy, released, told)
    if hierarchy is None or not level:
        return people
    strangers = hierarchy.missing(texts(people).unique().to_list())
    if strangers:
        # Left as they are they would fit no class, and the risk would look higher than it is.
        raise BadParameter(
            f"the population has {strangers[0]!r} in '{people.name}', which the hierarchy does not know; "
            f"give one that does as --hierarchy {people.name}=FILE"
        )
    return generalise(people, hierarchy, level)
