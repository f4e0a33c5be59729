"""Protect a graph whose edges are a table in an engine: only the plan of what to add is made here."""

from __future__ import annotations

import hashlib
import secrets
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from shoal import verbs
from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.engines.address import Address, output_address
from shoal.engines.atomic_write import write_text
from shoal.engines.frames import quote_value
from shoal.engines.sql_engine import SqlEngine, connect
from shoal.graphs.in_engine.degree_plan import (
    DegreePlan,
    marks_of,
    plan_edges,
    population,
    sizes_of,
)
from shoal.graphs.in_engine.edge_table import EdgeTable
from shoal.graphs.in_engine.remote_graph import RemoteGraph
from shoal.graphs.in_engine.written_degrees import WrittenDegrees
from shoal.graphs.manifest import beside, record
from shoal.graphs.methods.supergraph import Supergraph
from shoal.graphs.model_view import GraphModel
from shoal.graphs.models.k_degree import KDegree
from shoal.graphs.release import GraphRelease
from shoal.graphs.requested_k import largest_k
from shoal.jobs.graphs.requests import ProtectGraph
from shoal.jobs.graphs.source import spell_without_seed

ENDS = ("source", "target")  # of a table that is written
_GONE = "every node got a random number instead of its label; --labels keep leaves the labels"
_KEPT = (
    "the labels were kept: whoever knows what they stand for, or has another file with them, finds everybody "
    "by them"
)
_GUESSED = "whoever guesses the seed can undo the new labels; leave it away for the release that goes out"


def protect_in_engine(
    job: ProtectGraph, source: Address, method: Any, models: Sequence[GraphModel]
) -> GraphRelease:
    """A new table that keeps its promises, checked in the engine before it has its name."""
    started = time.monotonic()
    target = _target(job, method)
    place = None if target is None else record_place(target)
    if place is not None and place.exists():
        raise BadParameter(f"there is a record {quote_value(place)} already; choose a new name")
    key = (
        secrets.token_hex(32)
        if job.seed is None
        else hashlib.sha256(f"shoal {job.seed}".encode()).hexdigest()
    )
    with connect([source], target) as engine:
        left = []
        if target is not None:
            engine.check_new(target)
            left = engine.leftovers(target)
        edges = EdgeTable.of(engine, engine.table(source), quote_value(source), key, bool(job.directed))
        graph = RemoteGraph.sized(edges.node_count, edges.edge_count)
        for model in models:
            verbs.check_size(model, graph.nodes, "graph", "node")
        k = largest_k(models, KDegree.name, method.name, graph)
        plan = planned(edges, k, job.seed)
        release = _release(job, method, edges, plan, left)
        if target is not None and place is not None:
            release = _written(engine, target, place, release, job, method, models, edges, plan)
    return replace(release, seconds=time.monotonic() - started)


def planned(edges: EdgeTable, k: int, seed: int | None) -> DegreePlan:
    """Which edges to add, by what the engine tells of degrees and of pairs."""
    sizes = sizes_of(edges.histogram(), k)
    people = population(sizes, edges.some_nodes(marks_of(sizes)))
    return plan_edges(people, edges.node_count, k, edges.existing, seed)


def record_place(address: Address) -> Path:
    """Where the record of a release is: beside a folder, else here by the name of the table."""
    if address.kind == "folder" or address.path:
        return beside((address.path or address.place).rstrip("/"))
    return beside(address.table[-1])


def _target(job: ProtectGraph, method: Any) -> Address | None:
    if not isinstance(method, Supergraph) or method.probing or method.partners != "any":
        raise BadParameter(
            f"{spell_without_seed(method)} needs the whole graph here; in an engine edges are added by "
            "supergraph alone"
        )
    if job.mapping is not None:
        raise BadParameter(
            "who is who is not written for a table in an engine; leave out --mapping, or give --labels keep"
        )
    if job.kinds is not None:
        raise BadParameter("kinds of nodes are not read in an engine; leave out --kinds")
    if job.output is None:
        return None
    target = output_address(job.output)
    if target is None:
        raise BadParameter(
            f"the edges stay in their engine, so {quote_value(job.output)} cannot be a file; name a new "
            "table by its URL, or a folder/ with a slash at its end"
        )
    return target


def _release(
    job: ProtectGraph, method: Any, edges: EdgeTable, plan: DegreePlan, left: Sequence[str]
) -> GraphRelease:
    labels = (_KEPT,) if job.labels == "keep" else (() if job.labels else (_GONE,))
    notes = [*left, *edges.cleaned.notes, *labels, *([_GUESSED] if job.seed is not None else [])]
    added = plan.pairs.height
    details: dict[str, Json] = {
        **plan.found.details,
        "rounds": plan.rounds,
        "nodes_planned_with": plan.nodes,
    }
    return GraphRelease(
        *(RemoteGraph.sized(edges.node_count, edges.edge_count + added), edges.edge_count, method.name),
        *(added, 0, plan.found.bound),
        renamed=job.labels != "keep",
        details=details,
        left_out=edges.cleaned.weights,
        notes=tuple(notes),
    )


def _written(
    engine: SqlEngine,
    target: Address,
    place: Path,
    release: GraphRelease,
    job: ProtectGraph,
    method: Any,
    models: Sequence[GraphModel],
    edges: EdgeTable,
    plan: DegreePlan,
) -> GraphRelease:
    decided: dict[str, Json] = {
        word: "default" if chosen is None else "flags"
        for word, chosen in (("method", job.method), ("labels", job.labels))
    }
    settings: dict[str, Json] = {"method": spell_without_seed(method), "kinds": None, "decided": decided}
    recorded = False
    try:
        with engine.create(target, edges.with_added(plan.pairs, job.labels == "keep")) as written:
            back = WrittenDegrees.of(written.engine, written.table, ENDS)
            if (back.nodes, back.edges, back.repeated) != (release.nodes, release.edges, 0):
                raise verbs.BrokenPromise(
                    f"the written table holds {back.nodes:,} nodes and {back.edges:,} edges instead of "
                    f"{release.nodes:,} and {release.edges:,}, so it is withheld; this is a defect of Shoal, "
                    "please report it"
                )
            verdict = verbs.verify(back.view(max(model.people for model in models)), models)
            release = release.promised(verbs.require_kept(verdict).promises)
            hashes = {"input": None, "output": counts_of(back)}
            write_text(record(release, settings, edges.cleaned, hashes), place)
            recorded = True
    except BaseException:
        if recorded:
            place.unlink(missing_ok=True)
        raise
    return release


def counts_of(degrees: WrittenDegrees) -> str:
    """What a record knows a table by: how many nodes of each degree it has."""
    text = ",".join(f"{one}:{many}" for one, many in zip(degrees.degrees, degrees.counts, strict=True))
    return f"degrees:{hashlib.sha256(text.encode()).hexdigest()}"
