"""The verbs of a Python user for tables and graphs alike, in the words of the command line with `_` for `-`.

`attack` is in `api_attack`; what is for one pillar alone is in `api_tables`, `api_graphs` and `api_queries`.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from shoal.core.measure_results import Figures
from shoal.core.outcome import Verdict
from shoal.core.progress import Follow, Watch
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.is_graph_call import about_graph
from shoal.jobs.graphs.requests import MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.request import Columns, request_of, with_signatures_of
from shoal.jobs.tables.measure import measure_table
from shoal.jobs.tables.protect import protect_table
from shoal.jobs.tables.requests import MeasureTable, ProtectTable, VerifyTable
from shoal.jobs.tables.verify import verify_table
from shoal.tables.appraisal.appraisal import Appraisal
from shoal.tables.release import TableRelease

if TYPE_CHECKING:
    from shoal.graphs.appraisal.appraisal import GraphAppraisal


@overload
def protect(
    data: Graph | GraphRelease,
    *,
    output: str | Path | None = None,
    model: Any = (),
    k: int | None = None,
    method: Any = None,
    seed: int | None = None,
    labels: str | None = None,
    mapping: str | Path | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
    watch: Watch | None = None,
) -> GraphRelease: ...


@overload
def protect(
    data: Any,
    *,
    output: str | Path | None = None,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    model: Any = (),
    k: int | None = None,
    step: Any = (),
    method: Any = "auto",
    suppress: float = 0.05,
    objective: str = "loss",
    weight: Any = (),
    levels: Columns | Mapping[str, int] = (),
    class_column: str | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    population: Any = None,
    manifest: str | Path | None = None,
    join: Any = (),
    person: str | None = None,
    undeclared: str = "drop",
    yes: bool = False,
    escape_formulas: bool = False,
    separator: str | None = None,
    encoding: str | None = None,
    watch: Watch | None = None,
) -> TableRelease: ...


@overload
def protect(
    data: str | Path,
    *,
    output: str | Path | None = None,
    model: Any = (),
    k: int | None = None,
    method: Any = None,
    seed: int | None = None,
    labels: str | None = None,
    mapping: str | Path | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
    watch: Watch | None = None,
) -> GraphRelease: ...


@with_signatures_of(ProtectTable, ProtectGraph)
def protect(data: Any, *, watch: Watch | None = None, **options: Any) -> Any:
    """A release that keeps every promise, or `Unreachable`; written and checked from the file with `output`.

    Of a table: `identifier`, `quasi`, `sensitive` and `insensitive` columns; others are left out, unless
    `undeclared` says otherwise or `yes=True` accepts the suggested roles (and k=5 if no promise is named).
    `hierarchy` maps a column to a CSV file, a nested dict, a rule such as "interval(width=5)" or a
    `Hierarchy`; `step` is a change to make before, such as "noise(column=income)"; `suppress`, `objective`
    (also "workload(FILE)", "classifier(column=…)"), `weight`, `class_column`, `time_limit`, `population`,
    `join`, `person`, `escape_formulas`.
    Of a graph (a `Graph`, a NetworkX or igraph object, or a path with a promise such as "k-degree(k=10)"):
    `labels`, `mapping`, `directed`, `kinds`; `release.to_networkx()` and `to_igraph()` give objects back.
    `model` is one spelling such as "l-diversity(l=3)" or a model object, or several of them; `method`
    likewise one; `k`, `seed`, `separator`, `encoding`.
    """
    if about_graph(data, options):
        from shoal.jobs.graphs.protect import protect_graph

        return protect_graph(request_of(ProtectGraph, data, options), watch)
    return protect_table(request_of(ProtectTable, data, options), watch)


@overload
def verify(
    data: Any,
    *,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    model: Any = (),
    k: int | None = None,
    population: Any = None,
    manifest: str | Path | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Verdict: ...


@overload
def verify(
    data: Any,
    *,
    model: Any = (),
    k: int | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Verdict: ...


@with_signatures_of(VerifyTable, VerifyGraph)
def verify(data: Any, **options: Any) -> Verdict:
    """Whether a release keeps its promises, from its files alone.

    model, k; of a table also quasi, sensitive, population, hierarchy; of a graph directed, kinds.
    """
    if about_graph(data, options):
        from shoal.jobs.graphs.verify import verify_graph

        return verify_graph(request_of(VerifyGraph, data, options))
    return verify_table(request_of(VerifyTable, data, options))


@overload
def measure(data: Any, follow: Follow | None = None, *, only: Any, **options: Any) -> Figures: ...


@overload
def measure(
    data: Graph | GraphRelease,
    follow: Follow | None = None,
    *,
    original: Any = None,
    mapping: Any = None,
    exact: bool | None = None,
    sample: int | None = None,
    x_min: int = 3,
    seed: int | None = None,
    chart: str | Path | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> GraphAppraisal: ...


@overload
def measure(
    data: Any,
    follow: Follow | None = None,
    *,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
    insensitive: Columns = (),
    hierarchy: Mapping[str, Any] | None = None,
    original: Any = None,
    population: Any = None,
    manifest: str | Path | None = None,
    population_size: int | None = None,
    sampling_fraction: float | None = None,
    threshold: float = 0.2,
    combinations: int | None = None,
    safe_harbor: bool = False,
    class_column: str | None = None,
    weight: Any = (),
    k: int | None = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> Appraisal: ...


@overload
def measure(
    data: str | Path,
    follow: Follow | None = None,
    *,
    original: Any = None,
    mapping: Any = None,
    exact: bool | None = None,
    sample: int | None = None,
    x_min: int = 3,
    seed: int | None = None,
    chart: str | Path | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> GraphAppraisal: ...


@with_signatures_of(MeasureTable, MeasureGraph)
def measure(data: Any, follow: Follow | None = None, **options: Any) -> Any:
    """Risk, where it comes from and, against `original`, what was lost.

    Of a table: quasi, original, population, hierarchy, k; `population_size` or `sampling_fraction` for
    estimates of who is alone in the population, `threshold` for rows at risk, `combinations` for how many
    columns are looked at together, `safe_harbor=True` for HIPAA's identifier kinds.

    Of a graph: original, mapping, `exact=True` or `sample=1000` for figures of paths, `x_min`, seed. A path
    is a graph's when one of these words, its extension or the manifest beside it says so.
    """
    if about_graph(data, options):
        from shoal.jobs.graphs.measure import measure_graph

        return measure_graph(request_of(MeasureGraph, data, options), follow)
    return measure_table(request_of(MeasureTable, data, options))
