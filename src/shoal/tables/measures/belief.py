"""What an attacker believes about people before and after seeing a release."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import Targets, at_least
from shoal.tables.measures.risk import RiskRange
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.table import Table

Floats = NDArray[np.float64]
TOLD = 10  # values of a column in a table for people; JSON has all


@dataclass(frozen=True)
class Disclosure:
    """How many people a value is disclosed of, and how many can be shown not to have it."""

    value: Label
    prior: float  # its share of the whole table
    lowest: float  # the least and the most that anybody's posterior is
    highest: float
    positive: int
    negative: int

    def to_json(self) -> dict[str, Json]:
        return {
            "value": self.value,
            "prior": self.prior,
            "lowest_posterior": self.lowest,
            "highest_posterior": self.highest,
            "positive": self.positive,
            "negative": self.negative,
        }


@dataclass(frozen=True)
class ColumnBeliefs:
    """Beliefs about one sensitive column, over all people.

    B0 is the belief before anything was seen, B1 after the distribution over the whole table, B2 after the
    class. A distance is the share of belief that moved; `whole_to_class` at its highest is the t that the
    release offers.
    """

    column: str
    people: int  # of whom the release says something
    positive: int  # people of whom some value is disclosed
    negative: int  # people who can be shown not to have some value that occurs in the table
    nothing_to_whole: float  # B0 to B1: what the release says about everybody
    whole_to_class: RiskRange  # B1 to B2: what it says about single people; t-closeness limits this
    nothing_to_class: RiskRange  # B0 to B2: both steps; l-diversity limits this
    values: tuple[Disclosure, ...]

    def to_json(self) -> dict[str, Json]:
        return {
            "people": self.people,
            "positive": self.positive,
            "negative": self.negative,
            "b0_b1": self.nothing_to_whole,
            "b1_b2": self.whole_to_class.to_json(),
            "b0_b2": self.nothing_to_class.to_json(),
            "values": [value.to_json() for value in self.values],
        }


@dataclass(frozen=True)
class Beliefs(Shown):
    """What the measure returns: figures of every sensitive column, and on request every single belief."""

    columns: tuple[ColumnBeliefs, ...]
    suspects: Targets = field(compare=False, repr=False)
    pools: tuple[ValueCounts, ...] = field(compare=False, repr=False)

    def rows(self, column: str) -> pl.DataFrame:
        """Prior and posterior of every value that the table has, for every kind of people who look alike.

        `who` is what is known of them, `people` how many they are.
        """
        for pool in self.pools:
            if pool.domain.column == column:
                return _rows(pool, self.suspects)
        known = ", ".join(found.column for found in self.columns)
        raise BadParameter(f"nothing was measured about '{column}'; there is {known}")

    def to_json(self) -> dict[str, Json]:
        """The figures by column."""
        return {column.column: column.to_json() for column in self.columns}

    def to_tables(self) -> Tables:
        """Per column how far belief moves, and the values."""
        steps = [["belief about", "B0 → B1", "B1 → B2, highest", "B0 → B2, highest", "positive", "negative"]]
        values = [["belief about", "value", "prior", "posterior", "positive", "negative"]]
        for of in self.columns:
            moved = (of.nothing_to_whole, of.whole_to_class.highest, of.nothing_to_class.highest)
            figures = [f"{figure:.4f}" for figure in moved]
            steps.append([of.column, *figures, f"{of.positive:,}", f"{of.negative:,}"])
            moved_most = sorted(of.values, key=lambda one: one.prior - one.highest)
            for one in moved_most[:TOLD]:
                after = f"{one.lowest:.2%} – {one.highest:.2%}"
                counts = [f"{one.positive:,}", f"{one.negative:,}"]
                values.append([of.column, str(one.value or "–"), f"{one.prior:.2%}", after, *counts])
        return {"beliefs before and after": steps, "values that most can be believed of somebody": values}


@dataclass(frozen=True)
class Belief(Measure[Table, Beliefs]):
    """What can be believed about people's values before and after seeing a release, and how far belief moved.

    The prior is the share of a value in the whole table, the posterior its share among a person's candidate
    rows: their class, or with a list of people the rows of all classes that may be theirs. Positive
    disclosure: a posterior of at least `positive`. Negative disclosure: a posterior of at most `negative` of
    a value that the table has. Belief starts at B0, all values that the column can have alike; goes to B1
    with the whole table, and to B2 with the class. Distances are total variation, as in t-closeness with the
    distance equal: the highest B1 to B2 is the t of the release.

    Machanavajjhala, Kifer, Gehrke, Venkitasubramaniam, "l-diversity: privacy beyond k-anonymity"
    (Bayes-optimal privacy), 2007; Li, Li, Venkatasubramanian, "t-closeness" (B0, B1, B2), 2007.
    """

    name: ClassVar[str] = "belief"

    positive: float = 0.9
    negative: float = 0.0
    column: str | None = None

    def __post_init__(self) -> None:
        if not 0 < self.positive <= 1:
            raise BadParameter(
                f"belief needs positive above 0 and up to 1, not {self.positive:g}; 0.9 is nearly certain"
            )
        if not 0 <= self.negative < self.positive:
            raise BadParameter(
                f"belief needs negative from 0 to below positive ({self.positive:g}), not {self.negative:g}"
            )

    def measure(self, table: Table, people: pl.DataFrame | None = None) -> Beliefs:
        if self.column is not None and self.column not in table.sensitive:
            raise BadParameter(
                f"belief names '{self.column}', which is not sensitive here; sensitive is "
                f"{', '.join(table.sensitive) or 'nothing'}"
            )
        columns = table.sensitive if self.column is None else (self.column,)
        if not columns:
            raise BadParameter("belief is about a sensitive column; name one with --sensitive")
        suspects = Targets.of(Scene(table, external=people), self.name)
        pools = [
            suspects.pools(
                column, Domain.of(table.frame, column, table.hierarchies.get(column), table.weights)
            )
            for column in columns
        ]
        found = tuple(self._about(pool, suspects) for pool in pools)
        return Beliefs(found, suspects, tuple(pools))

    def _about(self, pool: ValueCounts, suspects: Targets) -> ColumnBeliefs:
        totals = pool.domain.totals
        prior, alike = totals / totals.sum(), np.full(len(totals), 1 / len(totals))
        of_slot = np.repeat(suspects.number, np.diff(pool.offsets))
        positive = at_least(pool.shares, self.positive)
        # A value that a class lacks has a posterior of 0: at most `negative`, whatever that is.
        possible = pool.shares > self.negative + 1e-12
        left = np.add.reduceat(possible.astype(np.int64), pool.offsets[:-1])
        known = int((totals > 0).sum())

        def counted(mask: NDArray[np.bool_]) -> NDArray[np.int64]:
            people = np.bincount(pool.values[mask], of_slot[mask], len(totals))
            return people.astype(np.int64)

        highest = np.zeros(len(totals))
        np.maximum.at(highest, pool.values, pool.shares)
        lowest = np.full(len(totals), np.inf)
        np.minimum.at(lowest, pool.values, pool.shares)
        everywhere = np.bincount(pool.values, minlength=len(totals)) == len(suspects)
        lowest = np.where(everywhere & np.isfinite(lowest), lowest, 0.0)
        shown, excluded = counted(positive), suspects.fitting - counted(possible)
        some = np.logical_or.reduceat(positive, pool.offsets[:-1]) if len(suspects) else np.zeros(0, np.bool_)
        return ColumnBeliefs(
            pool.domain.column,
            suspects.fitting,
            int(suspects.number[some].sum()),
            int(suspects.number[left < known].sum()),
            float(np.abs(prior - alike).sum() / 2),
            _spread(_moved_mass(pool, prior), suspects),
            _spread(_moved_mass(pool, alike), suspects),
            tuple(
                Disclosure(
                    pool.domain.values[code],
                    float(prior[code]),
                    float(lowest[code]),
                    float(highest[code]),
                    int(shown[code]),
                    int(excluded[code]),
                )
                for code in np.flatnonzero(totals).tolist()
            ),
        )


def _moved_mass(pool: ValueCounts, before: Floats) -> Floats:
    """How much belief moves from a distribution to each kind: the excess of what the kind has more of."""
    return np.add.reduceat(np.maximum(pool.shares - before[pool.values], 0.0), pool.offsets[:-1])


def _spread(distances: Floats, suspects: Targets) -> RiskRange:
    if not len(distances):
        return RiskRange(0.0, 0.0, 0.0)
    average = float((distances * suspects.number).sum() / suspects.fitting)
    return RiskRange(float(distances.min()), average, float(distances.max()))


def _rows(pool: ValueCounts, suspects: Targets) -> pl.DataFrame:
    """Prior and posterior of every kind and every value that occurs in the table."""
    present = np.flatnonzero(pool.domain.totals)
    kinds = len(suspects)
    place = np.full(len(pool.domain.values), -1, np.int64)
    place[present] = np.arange(len(present))
    posterior = np.zeros(kinds * len(present))
    of_slot = np.repeat(np.arange(kinds), np.diff(pool.offsets))
    posterior[of_slot * len(present) + place[pool.values]] = pool.shares
    prior = pool.domain.totals[present] / pool.domain.totals.sum()
    values = pl.Series("value", [pool.domain.values[code] for code in present.tolist()], dtype=pl.String)
    every = np.repeat(np.arange(kinds), len(present))
    # In a column of its own, so that no name of the table can clash with ours.
    who = [suspects.looks[every].to_struct("who")] if suspects.looks.width else []
    return pl.DataFrame(
        [
            *who,
            pl.Series("people", suspects.number[every]),
            values.gather(np.tile(np.arange(len(present)), kinds)),
            pl.Series("prior", np.tile(prior, kinds)),
            pl.Series("posterior", posterior),
        ]
    )
