"""Where the risk of a table comes from: which rows, which columns, and how many people it was drawn from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from shoal.core.errors import BadParameter
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables
from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.appraisal.population_uniques import Sample, UniquesEstimate
from shoal.tables.measures.combinations import Combinations, RiskiestCombinations
from shoal.tables.measures.contribution import Contribution, Share
from shoal.tables.measures.dankar import Dankar
from shoal.tables.measures.pitman import Pitman
from shoal.tables.measures.records_at_risk import AtRisk, RecordsAtRisk
from shoal.tables.measures.risk import Exposure
from shoal.tables.measures.slide_negative_binomial import SlideNegativeBinomial
from shoal.tables.measures.uniqueness import Uniqueness, Uniques
from shoal.tables.measures.zayatz import Zayatz

SHOWN = 10  # combinations in the text table; JSON has more
ESTIMATORS = (Dankar(), Pitman(), SlideNegativeBinomial(), Zayatz())
TOLD = (RecordsAtRisk, Uniqueness, Contribution, Combinations, *map(type, ESTIMATORS))


@dataclass(frozen=True)
class Risks(Shown):
    """Rows at risk, uniques of release and population, and what columns and combinations add."""

    at_risk: AtRisk
    uniques: Uniques
    population_size: int | None
    estimates: Mapping[
        str, UniquesEstimate
    ]  # of population uniques, by estimator; none without a population size
    contribution: Mapping[str, Share]
    combined: RiskiestCombinations

    def to_json(self) -> dict[str, Json]:
        """What stands under `risk`, beside the three attackers."""
        size = self.population_size
        return {
            "at_risk": self.at_risk.to_json(),
            "uniqueness": {
                **self.uniques.to_json(),
                "population_size": size,
                "sampling_fraction": None if size is None else self.uniques.rows / size,
                "estimates": {
                    name.replace("-", "_"): estimate.to_json() for name, estimate in self.estimates.items()
                }
                or None,
            },
            "contribution": {
                column: {**share.to_json(), "minimal_uniques": self.combined.minimal_uniques[column]}
                for column, share in self.contribution.items()
            },
        }

    def combinations(self) -> list[Json]:
        """The riskiest combinations of columns."""
        return [one.to_json() for one in self.combined.riskiest]

    def to_tables(self) -> Tables:
        tables = {"rows at risk": self._at_risk(), "alone in the population": self._uniques()}
        tables["what each column adds to the average risk"] = self._columns()
        if self.combined.riskiest:
            rows = [["columns", "average risk", "separation", "rows alone", "and by no fewer columns"]]
            for one in self.combined.riskiest[:SHOWN]:
                figures = [f"{one.average_risk:.2%}", f"{one.separation:.2%}", f"{one.unique_rows:,}"]
                rows.append([", ".join(one.columns), *figures, f"{one.minimal_uniques:,}"])
            tables[f"riskiest of {self.combined.counted:,} combinations"] = rows
        return tables

    def _at_risk(self) -> list[list[str]]:
        found = self.at_risk
        rows = [["risk of a row", "rows", "share", "this or higher"]]
        for interval in found.spread:
            hidden = f"1 in {interval.smallest}"
            if interval.largest is None:
                hidden += " or less"
            elif interval.largest > interval.smallest:
                hidden += f" to {interval.largest}"
            if interval.rows:
                rows.append(
                    [hidden, f"{interval.rows:,}", f"{interval.share:.2%}", f"{interval.cumulative:.2%}"]
                )
        for name, above in (("prosecutor", found.prosecutor), ("journalist", found.journalist)):
            label = f"above {found.threshold:g} ({name})"
            rows.append([label, f"{above.rows:,}", f"{above.share:.2%}", ""])
        return rows

    def _uniques(self) -> list[list[str]]:
        uniques = self.uniques
        rows = [["figure", "people", "rows of the release", "share", "remark"]]
        rows.append(["alone in the release", "", f"{uniques.sample:,}", f"{uniques.sample_share:.2%}", ""])
        if uniques.population is not None:
            share = uniques.population / uniques.rows
            rows.append(["alone in the population", "", f"{uniques.population:,}", f"{share:.2%}", "counted"])
        for name, found in self.estimates.items():
            figures = ["–" if figure is None else f"{figure:,.1f}" for figure in (found.uniques, found.rows)]
            share_ = "–" if found.share is None else f"{found.share:.2%}"
            rows.append([f"estimated by {name}", *figures, share_, found.reason])
        if not self.estimates:
            rows.append(["alone in the population", "–", "–", "–", "unknown without --population-size"])
        return rows

    def _columns(self) -> list[list[str]]:
        rows = [["column", "alone", "all but this", "it adds", "fair share", "minimal uniques with it"]]
        for column, share in self.contribution.items():
            fair = "–" if share.shapley is None else f"{share.shapley:.2%}"
            needed = f"{self.combined.minimal_uniques[column]:,}"
            rows.append(
                [column, f"{share.alone:.2%}", f"{share.without:.2%}", f"{share.added:.2%}", fair, needed]
            )
        return rows


def risks(
    exposure: Exposure,
    rows: CodedRows,
    population_size: int | None = None,
    threshold: float = 0.2,
    combinations: int | None = None,
) -> Risks:
    """All of it; `population_size` is how many people the rows were drawn from, if that is known."""
    estimates = {}
    if population_size is not None:
        sample = Sample.of(exposure.released, population_size)
        estimates = {estimator.name: estimator.measure(sample) for estimator in ESTIMATORS}
    return Risks(
        at_risk=RecordsAtRisk(threshold).measure(exposure),
        uniques=Uniqueness().measure(exposure),
        population_size=population_size,
        estimates=estimates,
        contribution=Contribution().measure(rows),
        combined=Combinations(combinations).measure(rows),
    )


def size_of_population(
    rows: int, size: int | None, fraction: float | None, population: int | None
) -> int | None:
    """How many people a table was drawn from: told as a number or a fraction, or counted."""
    if size is not None and fraction is not None:
        raise BadParameter("--population-size and --sampling-fraction say the same; give one of them")
    if fraction is not None:
        if not 0 < fraction <= 1:
            raise BadParameter(f"sampling-fraction is a share above 0 and up to 1, not {fraction}")
        size = round(rows / fraction)
    if population is not None:
        if size is not None and size != population:
            raise BadParameter(
                f"the population given has {population:,} people and not {size:,}; "
                "leave out --population-size and --sampling-fraction"
            )
        return population
    if size is not None and size < rows:
        raise BadParameter(
            f"a population of {size:,} cannot hold the {rows:,} rows of the table; "
            "give the number of people it was drawn from"
        )
    return size
