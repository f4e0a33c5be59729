"""All figures about a table at once: classes, distinction and separation, risk and its sources, losses."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

import polars as pl

from shoal.core.contract import Measure
from shoal.core.errors import BadParameter
from shoal.core.measure_results import figure_json, figure_rows
from shoal.core.notebook import Shown
from shoal.core.outcome import Json, Tables, number
from shoal.tables.appraisal import risks as of_risk
from shoal.tables.appraisal import usefulness as of_use
from shoal.tables.appraisal.losses import LOSSES, losses
from shoal.tables.appraisal.measure_inputs import Evidence
from shoal.tables.appraisal.risks import Risks, risks
from shoal.tables.appraisal.usefulness import Usefulness
from shoal.tables.discovery.safe_harbor import SafeHarbor, check_safe_harbor
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.belief import Belief, Beliefs
from shoal.tables.measures.distinction import Distinction
from shoal.tables.measures.risk import Journalist, Marketer, Prosecutor, RiskRange
from shoal.tables.measures.separation import Separation, separated_share
from shoal.tables.table import Table

# The measures that have a place of their own in an appraisal.
PLACED: tuple[type[Measure[Any, Any]], ...] = (
    *(Belief, Distinction, Separation, Prosecutor, Journalist, Marketer),
    *(*LOSSES, *of_risk.TOLD, *of_use.TOLD),
)


@dataclass(frozen=True)
class Appraisal(Shown):
    """What `measure` returns for a table."""

    rows: int
    classes: int
    smallest_class: int
    distinction: Mapping[str, float]
    separation: Mapping[str, float]
    prosecutor: RiskRange
    journalist: RiskRange
    marketer: float
    losses: Mapping[str, float] | None
    risks: Risks
    safe_harbor: SafeHarbor | None = None
    usefulness: Usefulness | None = None
    beliefs: Beliefs | None = None
    further: Mapping[str, Json] = field(default_factory=dict)  # by measures without a place of their own

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
        if self.further:
            found["further"] = dict(self.further)
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
        if self.further:
            tables["by further measures"] = figure_rows(self.further)
        return tables


def appraise(
    table: Table,
    original: Table | None = None,
    population: pl.DataFrame | None = None,
    hierarchies: Mapping[str, Hierarchy] | None = None,
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

    With the original, what was lost; with a population, how many people fit each class there. `hierarchies`
    lead from the original's values to the table's labels, `people` from the population's (the same if not
    given); `levels` are those that the manifest names. `population_size` or `sampling_fraction` say how many
    people the table was drawn from, `combinations` how many columns are looked at together.
    """
    evidence = Evidence(
        table, original, population, hierarchies or {}, levels, people, population_size, sampling_fraction
    )
    return appraise_evidence(
        evidence, k, threshold=threshold, combinations=combinations, safe_harbor=safe_harbor
    )


def appraise_evidence(
    evidence: Evidence,
    k: int = 1,
    *,
    threshold: float = 0.2,
    combinations: int | None = None,
    safe_harbor: bool = False,
    further: Sequence[Measure[Any, Any]] = (),
) -> Appraisal:
    """Everything that can be said about a table by its evidence, and what `further` measures find."""
    table, rows, exposure = evidence.table, evidence.rows, evidence.exposure
    size = evidence.size
    places = range(len(table.quasi))
    groups = {(place,): rows.sizes((place,)) for place in places} | {tuple(places): rows.rows}
    named = {",".join(table.quasi[place] for place in group): sizes for group, sizes in groups.items()}
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
        losses=None if evidence.original is None else losses(evidence.recoding, k),
        risks=risks(exposure, rows, size, threshold, combinations),
        safe_harbor=check_safe_harbor(table) if safe_harbor else None,
        beliefs=Belief().measure(table) if table.sensitive else None,
        further=_further(evidence, further),
    )


def _further(evidence: Evidence, measures: Sequence[Measure[Any, Any]]) -> dict[str, Json]:
    """What measures without a place of their own find; one that lacks something is left out."""
    found: dict[str, Json] = {}
    for ruler in measures:
        with suppress(BadParameter):
            found[ruler.name.replace("-", "_")] = figure_json(evidence.measured(ruler))
    return found
