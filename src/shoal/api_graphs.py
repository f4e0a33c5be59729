"""What a Python user calls for graphs alone: the same few words as on the command line, with `_` for `-`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.core.errors import BadParameter
from shoal.core.progress import Follow
from shoal.graphs.graph import Graph
from shoal.jobs.graphs.requests import AskGraph, GraphRequest, MatrixGraph
from shoal.jobs.request import check_keywords, request_from_arguments, words_of

if TYPE_CHECKING:
    from shoal.graphs.appraisal.attack_matrix import AttackMatrix
    from shoal.graphs.grouping import Grouping
    from shoal.jobs.graphs.ask import GraphAnswer


@check_keywords
def read_graph(
    source: Any,
    *,
    separator: str | None = None,
    encoding: str | None = None,
    directed: bool | None = None,
    kinds: Any = None,
) -> Graph:
    """A graph from a file (edge list, CSV, Parquet, GraphML, GML) or a NetworkX or igraph object."""
    from shoal.jobs.graphs.source import name_of, people, read

    job = GraphRequest(data=source, separator=separator, encoding=encoding, directed=directed, kinds=kinds)
    return people(read(source, job).graph, name_of(source))


@check_keywords
def read_groups(source: Any) -> Grouping:
    """The groups in a file that `grouping` released; `sample()` draws a graph that fits them."""
    from shoal.jobs.graphs.source import read

    found = read(source, GraphRequest(data=source)).graph
    if isinstance(found, Graph):
        raise BadParameter("this file has people, not groups; read it with read_graph")
    return found


@words_of(AskGraph)
def ask_graph(
    data: Any,
    mechanism: Any,
    *,
    budget: Any = None,
    ledger: str | Path | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> GraphAnswer:
    """One answer about a graph with privacy, as in "triangles(epsilon=0.5)".

    Without `budget` and `ledger` the question has a budget of its own, and nothing is kept.
    """
    job = request_from_arguments(AskGraph, locals())
    from shoal.jobs.graphs.ask import ask_graph

    return ask_graph(job)


@words_of(MatrixGraph)
def attack_matrix(
    data: Any,
    follow: Follow | None = None,
    *,
    output: str | Path | None = None,
    attack: Any = (),
    method: Any = (),
    model: Any = (),
    k: Any = (10,),
    epsilon: Any = 1,
    overlap: float = 0.8,
    trials: int | None = None,
    time_limit: float = 600.0,
    seed: int | None = None,
    directed: bool | None = None,
    kinds: Any = None,
    separator: str | None = None,
    encoding: str | None = None,
) -> AttackMatrix:
    """Every attack against every protection of your own network: `to_tables()`, `to_json()`, `to_chart()`.

    `attack`, `method` and `model` leave out all others; `output` draws it as .svg, .png or .html.
    """
    job = request_from_arguments(MatrixGraph, locals())
    from shoal.jobs.graphs.matrix import matrix_graph

    return matrix_graph(job, follow)
