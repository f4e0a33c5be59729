"""Settle a request about a graph: read it, choose a method, refuse at once what cannot be."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import polars as pl

from shoal import catalog
from shoal.core.errors import BadGraph, BadParameter
from shoal.core.part_syntax import spell
from shoal.engines.files import read_frame
from shoal.graphs.graph import Graph
from shoal.graphs.grouping import Grouping
from shoal.graphs.manifest import GraphManifest, beside
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.requests import AttackGraph, GraphRequest, ProtectGraph

USUAL = KDegree  # the model that a k alone asks for


@dataclass
class Found:
    """What was read. It is let go of as soon as a method has made a release of it: memory is short then."""

    graph: Graph | Grouping
    style: Any = None  # how the file was written
    notes: tuple[str, ...] = ()  # what may have been misread


def read(source: Any, job: GraphRequest, private: bool = False) -> Found:
    """The graph, or the groups, in a file or an object; `private` as in `read_graph`."""
    if isinstance(source, GraphRelease):
        return Found(source.graph)
    if isinstance(source, Graph | Grouping):
        return Found(source)
    if isinstance(source, str | Path):
        from shoal.graphs.formats.files import read_graph

        found = read_graph(
            source,
            separator=job.separator,
            encoding=job.encoding,
            directed=job.directed,
            kinds=job.kinds,
            private=private,
        )
        return Found(found.graph, found.style, found.notes)
    from shoal.graphs.formats.objects import graph_of

    return Found(graph_of(source, directed=job.directed, kinds=job.kinds))


def people(graph: Graph | Grouping, what: str, private: bool = False) -> Graph:
    """A graph of people, at least one of them, unless noise is to hide whether there is anybody."""
    if isinstance(graph, Grouping):
        raise BadGraph(
            f"{what} has groups, not people; give the graph that it was made from, or one that "
            "read_groups(…).sample() draws"
        )
    if not (graph.nodes or private):
        raise BadGraph(f"{what} has no nodes; give one with at least one edge")
    return graph


def who_is_who(given: Any, what: str) -> pl.DataFrame:
    """Who is which node, from a file or a frame: columns original and label, nobody twice."""
    frame = given if isinstance(given, pl.DataFrame) else read_frame(given)
    for column in ("original", "label"):
        if column not in frame.columns:
            raise BadParameter(
                f"the {what} has no column '{column}'; it has {', '.join(frame.columns)}, and protect "
                "writes original,label"
            )
        if frame[column].n_unique() < frame.height or frame[column].null_count():
            raise BadParameter(
                f"the {what} names somebody twice, or nobody, in its column '{column}'; mend it"
            )
    return frame


def name_of(source: Any) -> str:
    """What a source is called in a sentence."""
    if isinstance(source, str | Path):
        return "standard input" if str(source) == "-" else f"'{source}'"
    return "the graph"


def models_of(given: Any, k: int | None) -> list[GraphModel]:
    """Models from spellings or objects; `k` is short for k-degree."""
    return [*([] if k is None else [USUAL(k)]), *catalog.parts_of("model", given, "graph")]


def method_of(job: ProtectGraph | AttackGraph, models: Sequence[GraphModel]) -> Any:
    """The method by its spelling or by the promises, with the seed of the request where it takes one."""
    if job.method is None and not models:
        raise BadParameter('no promise asked for; give --k 10 or --model "k-degree(k=10)"')
    chosen = job.method if job.method is not None else _usual(models)
    made = catalog.part_of("method", chosen, "graph", seed=job.seed)
    if not isinstance(chosen, str):
        return made
    _check_promises(made, models)
    if job.seed is not None and made.declared:
        raise BadParameter(f"{made.name} takes no seed: whoever knows it could take the noise away again")
    return made


def spell_without_seed(method: Any) -> str:
    """A method's spelling without its seed, which nobody else may know."""
    seeded = "seed" in {field.name for field in dataclasses.fields(method)}
    return spell(dataclasses.replace(method, seed=None) if seeded else method)


def manifest_of(job: GraphRequest) -> GraphManifest | None:
    """The record beside a release, where there is one."""
    if isinstance(job.data, GraphRelease):
        return GraphManifest.of(job.data)
    filed = isinstance(job.data, str | Path) and str(job.data) != "-"
    return GraphManifest.read(beside(job.data)) if filed and beside(job.data).exists() else None


def _usual(models: Sequence[GraphModel]) -> str:
    """How to get there when nobody says; the promise that asks for most decides."""
    most = max(models, key=lambda model: model.rank)
    if most.usual_method is None:
        raise BadParameter(
            f"how should {most.name} be reached? Name a method with --method; see shoal catalog"
        )
    return most.usual_method


def _check_promises(method: Any, models: Sequence[GraphModel]) -> None:
    """Refuse a promise of a method that another method would have to make."""
    for model in models:
        if model.mechanisms and method.name not in model.mechanisms:
            raise BadParameter(
                f"{model.name} is a promise of a method, not of a graph, and {method.name} does not make it; "
                f"use --method {' or '.join(model.mechanisms)}"
            )
