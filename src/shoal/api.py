"""The functions a Python user calls: the same few words as on the command line, with `_` for `-`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar, cast, overload

from shoal.core.contract import Follow, Watch
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Verdict
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs import AttackTable, CompareTable, InspectTable, MeasureTable, ProtectTable, VerifyTable
from shoal.jobs.comparing import compare_table
from shoal.jobs.graph_dispatch import about_graph
from shoal.jobs.graphs import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.keywords import request_of, worded
from shoal.jobs.measuring import measure_table
from shoal.jobs.protecting import protect_table
from shoal.jobs.run import attack_table, inspect_table, verify_table
from shoal.jobs.settle import frame_of
from shoal.jobs.words import columns_of
from shoal.tables.appraisal import Appraisal
from shoal.tables.discovery import Inspection
from shoal.tables.release import TableRelease
from shoal.tables.table import Table
from shoal.tables.tradeoff import TradeOff

if TYPE_CHECKING:
    from shoal.graphs.appraisal import GraphAppraisal
    from shoal.graphs.grouping import Grouping
    from shoal.jobs.graph_asking import GraphAnswer
    from shoal.jobs.queries import Client, Database
    from shoal.queries.answer import Answer

Columns = str | Sequence[str]
Asked = TypeVar("Asked", bound=GraphRequest)


@worded
def read_table(
    source: Any,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    identifier: Columns = (),
    quasi: Columns = (),
    sensitive: Columns = (),
) -> Table:
    """A table from a file (CSV, TSV, Parquet, Arrow) or a Polars, pandas or Arrow frame, with its roles."""
    job = InspectTable(data=source, separator=separator, encoding=encoding)
    return Table(frame_of(source, job)).with_roles(
        columns_of(identifier), columns_of(quasi), columns_of(sensitive)
    )


@worded
def read_graph(
    source: Any,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    directed: bool | None = None,
    kinds: Any = None,
) -> Graph:
    """A graph from a file (edge list, CSV, Parquet, GraphML, GML) or a NetworkX or igraph object."""
    from shoal.jobs.graph_settling import called, people, read

    job = GraphRequest(data=source, separator=separator, encoding=encoding, directed=directed, kinds=kinds)
    return people(read(source, job).graph, called(source))


@worded
def read_groups(source: Any) -> Grouping:
    """The groups in a file that `grouping` released; `sample()` draws a graph that fits them."""
    from shoal.jobs.graph_settling import read

    found = read(source, GraphRequest(data=source)).graph
    if isinstance(found, Graph):
        raise BadParameter("this file has people, not groups; read it with read_graph")
    return found


def inspect(data: Any, **reading: Any) -> Inspection:
    """Suggested roles of all columns, and the combinations that single people out."""
    return inspect_table(request_of(InspectTable, data, reading))


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
    class_column: str | None = None,
    time_limit: float | None = None,
    seed: int | None = None,
    population: Any = None,
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


def protect(data: Any, *, watch: Watch | None = None, **options: Any) -> Any:
    """A release that keeps every promise, or `Unreachable`; written and checked from the file with `output`.

    Of a table: `identifier`, `quasi`, `sensitive` and `insensitive` columns; others are left out, unless
    `undeclared` says otherwise or `yes=True` accepts the suggested roles (and k=5 if no promise is named).
    `hierarchy` maps a column to a CSV file, a nested dict, a rule such as "interval(width=5)" or a
    `Hierarchy`; `step` is a change to make before, such as "noise(column=income)"; `suppress`, `objective`,
    `class_column`, `time_limit`, `population`, `join`, `person`, `escape_formulas`.
    Of a graph (a `Graph`, a NetworkX or igraph object, or a path with a promise such as "k-degree(k=10)"):
    `labels`, `mapping`, `directed`, `kinds`; `release.to_networkx()` and `to_igraph()` give objects back.
    `model` is one spelling such as "l-diversity(l=3)" or a model object, or several of them; `method`
    likewise one; `k`, `seed`, `separator`, `encoding`.
    """
    if about_graph(data, options):
        from shoal.jobs.graph_run import protect_graph

        return protect_graph(_of_graph(ProtectGraph, data, options), watch)
    options["hierarchy"] = options.get("hierarchy") or {}
    return protect_table(request_of(ProtectTable, data, options), watch)


def compare(data: Any, follow: Follow | None = None, **options: Any) -> TradeOff:
    """Risk against usefulness over many settings, each made in memory: what to choose, and what it costs.

    Roles, `hierarchy`, `objective`, `class_column`, `time_limit` and `seed` as for `protect`; `k=[2, 5, 10]`,
    `model="l-diversity(l={2,3,5})"`, `method=["optimal", "mondrian"]` and `suppress=[0, 0.05]` make the grid.
    `risk` and `utility` name the axes, `output` a file for the curve (.svg, .png, .html or .json).
    """
    return compare_table(request_of(CompareTable, data, options), follow)


def verify(data: Any, **options: Any) -> Verdict:
    """Whether a release keeps its promises, from its files alone.

    model, k; of a table also quasi, sensitive, population, hierarchy; of a graph directed, kinds.
    """
    if about_graph(data, options):
        from shoal.jobs.graph_run import verify_graph

        return verify_graph(_of_graph(VerifyGraph, data, options))
    return verify_table(request_of(VerifyTable, data, options))


@overload
def measure(data: Graph | GraphRelease, **options: Any) -> GraphAppraisal: ...


@overload
def measure(data: Any, **options: Any) -> Appraisal: ...


def measure(data: Any, follow: Follow | None = None, **options: Any) -> Any:
    """Risk, where it comes from and, against `original`, what was lost.

    Of a table: quasi, original, population, hierarchy, k; `population_size` or `sampling_fraction` for
    estimates of who is alone in the population, `threshold` for rows at risk, `combinations` for how many
    columns are looked at together, `safe_harbor=True` for HIPAA's identifier kinds.

    Of a graph: original, mapping, `exact=True` or `sample=1000` for figures of paths, `x_min`, seed. A path
    is a graph's when one of these words, its extension or the manifest beside it says so.
    """
    if about_graph(data, options):
        from shoal.jobs.graph_measuring import measure_graph

        return measure_graph(_of_graph(MeasureGraph, data, options), follow)
    return measure_table(request_of(MeasureTable, data, options))


def attack(data: Any, attack: Any, **options: Any) -> Finding:
    """What an attack of the catalog achieves: external, quasi, hierarchy."""
    return attack_table(request_of(AttackTable, data, {"attack": attack, **options}))


def ask(
    sql: str,
    data: Mapping[str, Any] | None = None,
    *,
    epsilon: Any,
    delta: Any = None,
    budget: Any = None,
    ledger: str | Path | None = None,
    config: str | Path | None = None,
    dataset: str | None = None,
    **declared: Any,
) -> Answer:
    """One question with privacy: `data` maps names to files or frames, `unit` names whose row it is.

    Declare with `bounds={"age": (0, 120)}`, `keys={"sex": ["F", "M"]}`, `kind`, `rows`, `groups`, `public`
    and `accounting`. Without `budget` and `ledger` the question has a budget of its own, and nothing is kept.
    """
    from shoal.jobs.queries import AskQuery, ask_query

    if config is not None and (data is not None or declared or ledger is not None or budget is not None):
        raise BadParameter("a project file says all about the data; leave data, budget and ledger out")
    job = AskQuery(
        sql=sql,
        epsilon=epsilon,
        delta=delta,
        given={} if config is not None else {"data": data or {}, **declared},
        budget=budget,
        ledger=ledger,
        config=config,
        dataset=dataset,
    )
    replied = ask_query(job)
    answer = cast("Answer", replied.outcome)
    return replace(answer, notes=replied.notes)


def ask_graph(data: Any, mechanism: Any, **options: Any) -> GraphAnswer:
    """One answer about a graph with privacy, as in "triangles(epsilon=0.5)": budget, ledger, directed.

    Without `budget` and `ledger` the question has a budget of its own, and nothing is kept.
    """
    from shoal.jobs.graph_asking import ask_graph

    return ask_graph(_of_graph(AskGraph, data, {"mechanism": mechanism, **options}))


def open_database(data: Mapping[str, Any] | None = None, **options: Any) -> Database:
    """Data to ask several questions about, within one budget: `ask`, `estimate`, `budget`, `append`, `close`.

    `data`, `unit`, `bounds` and so on as for `ask`, with `budget` and perhaps `ledger`, a file; or
    `config` and `dataset` for the data set of a project file.
    """
    from shoal.jobs.queries import open_database

    return open_database(data, **options)


@worded
def connect(url: str, token: str, *, timeout: float = 600.0, insecure: bool = False) -> Client:
    """A client of a service: `ask`, `estimate`, `budget`, `datasets`, `log`."""
    from shoal.jobs.queries import connect

    return connect(url, token, timeout=timeout, insecure=insecure)


def _of_graph(request: type[Asked], data: Any, options: Mapping[str, Any]) -> Asked:
    """A request about a graph; words that only tables know are refused."""
    return request_of(request, data, options, "a graph")
