"""A graph for given degrees: anew, or around another graph (algorithms 9.2 and 9.3)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.building.realisability import may_surround
from shoal.graphs.graph import Edges, Graph, Int64

Order = Literal["random", "highest", "lowest"]
ORDERS: tuple[Order, ...] = get_args(Order)


@dataclass(frozen=True)
class Attempt:
    """A graph; or "no", there is none; or "unknown", there may be one that was not found."""

    answer: Literal["found", "no", "unknown"]
    graph: Graph | None = None


@dataclass(frozen=True)
class NewEdges:
    """New edges between nodes that want some, and how many each still wants."""

    edges: Edges
    unmet: Int64


def construct_graph(degrees: Int64, order: Order, generator: np.random.Generator) -> Attempt:
    """A graph with these degrees, node by node; "no" if and only if there is none.

    Picking the highest degree first gives a dense core, the lowest first a sparse one.
    """
    nodes = len(degrees)
    if nodes and (int(degrees.min()) < 0 or int(degrees.max()) >= nodes or int(degrees.sum()) % 2):
        return Attempt("no")
    empty = Graph.of_edges(nodes, [], [])
    made = join_nodes(empty, degrees, order, generator, lenient=False)
    return Attempt("no") if made.unmet.any() else Attempt("found", empty.with_edges(made.edges))


def supergraph(graph: Graph, degrees: Int64, order: Order, generator: np.random.Generator) -> Attempt:
    """The graph with further edges until it has these degrees, as Liu and Terzi do it.

    The pseudo-code takes the highest entries of the target degrees; the text means those of the degrees that
    are still missing, as here.
    """
    if not may_surround(graph, degrees):
        return Attempt("no")
    made = join_nodes(graph, degrees - graph.degrees, order, generator, lenient=False)
    return Attempt("unknown") if made.unmet.any() else Attempt("found", graph.with_edges(made.edges))


def join_nodes(
    graph: Graph, wanted: Int64, order: Order, generator: np.random.Generator, *, lenient: bool
) -> NewEdges:
    """New edges for the nodes that want some; a lenient search goes on where a node cannot be served."""
    from shoal.graphs.building import construct_graph_kernels as kernels

    sources, targets, unmet = kernels.join_nodes(
        graph.offsets,
        graph.targets,
        np.ascontiguousarray(wanted, np.int64),
        generator.permutation(graph.nodes),
        ORDERS.index(order),
        lenient,
        state_of(generator),
    )
    return NewEdges(Edges(sources, targets), unmet)


def state_of(generator: np.random.Generator) -> NDArray[np.uint64]:
    """The state that a kernel draws from."""
    return generator.integers(1, 2**63, 1, np.uint64)
