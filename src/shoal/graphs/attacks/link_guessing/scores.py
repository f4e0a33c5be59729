"""How likely two people know each other, judged by the network around them: link prediction."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Edges, Graph

Float64 = NDArray[np.float64]

_RANK = 16  # columns that the spectral score keeps
_STEPS = 12  # of the subspace iteration


@dataclass(frozen=True, eq=False)
class Space:
    """The strongest directions of the adjacency matrix: their strengths, and every node's place in them."""

    strengths: Float64
    places: Float64

    @classmethod
    def of(cls, graph: Graph, chance: np.random.Generator) -> Space:
        """By subspace iteration; a graph with few nodes has fewer directions."""
        from shoal.graphs.attacks.link_guessing import score_kernels as kernels

        columns = _orthonormal(chance.standard_normal((graph.nodes, min(_RANK, graph.nodes))))
        for _ in range(_STEPS):
            # Adding the columns themselves keeps the two ends of the spectrum from taking turns.
            grown = kernels.sum_over_friends(graph.offsets, graph.targets, columns)
            columns = _orthonormal(grown + columns)
        grown = kernels.sum_over_friends(graph.offsets, graph.targets, columns)
        strengths, turn = np.linalg.eigh(_products(columns, grown))
        return cls(strengths, _turned(columns, turn))


def _orthonormal(columns: Float64) -> Float64:
    """Columns that span the same and are at right angles; those that add nothing become nought.

    By the few products of columns, not by a QR of all rows, whose threads wait for each other on a busy
    machine.
    """
    lengths, turn = np.linalg.eigh(_products(columns, columns))
    kept = lengths > 1e-12 * lengths.max(initial=0)
    shrink = np.where(kept, 1 / np.sqrt(np.where(kept, lengths, 1.0)), 0.0)
    return _turned(columns, turn * shrink)


def _products(one: Float64, other: Float64) -> Float64:
    return np.asarray(np.einsum("ni,nj->ij", one, other))


def _turned(columns: Float64, turn: Float64) -> Float64:
    return np.ascontiguousarray(np.einsum("ni,ij->nj", columns, turn))


def scores_of(graph: Graph, pairs: Edges, edges: bool, space: Space) -> dict[str, Float64]:
    """Per predictor and pair a score, high for those who should know each other.

    `edges` says that the pairs are edges of the graph; what an edge itself adds to its score is left out, so
    that edges and missing pairs compare.

    Liben-Nowell and Kleinberg, "The link prediction problem for social networks", 2003.
    """
    from shoal.graphs.attacks.link_guessing import score_kernels as kernels

    degrees = graph.degrees.astype(np.float64)
    rare = 1 / np.log(np.maximum(degrees, 2))
    ends = np.ascontiguousarray(pairs.sources, np.int32), np.ascontiguousarray(pairs.targets, np.int32)
    common, adamic = kernels.shared_friends(graph.offsets, graph.targets, *ends, rare)
    one, other = (degrees[end] - edges for end in ends)
    either = one + other - common
    left, right = (space.places[end] for end in ends)
    spectral = (left * right * space.strengths).sum(axis=1)
    if edges:
        spectral -= (left**2).sum(axis=1) * (right**2).sum(axis=1) + (left * right).sum(axis=1) ** 2
    return {
        "common-neighbours": common.astype(np.float64),
        "jaccard": np.divide(common, either, out=np.zeros(len(pairs)), where=either > 0),
        "adamic-adar": adamic,
        "preferential": one * other,
        "largest": np.maximum(one, other),
        "spectral": spectral,
    }


def area_under_curve(high: Float64, low: Float64) -> float | None:
    """How often one of `high` scores above one of `low`, ties for half; None where one of them is empty."""
    if not len(high) or not len(low):
        return None
    _, ranks, counts = np.unique(np.concatenate((high, low)), return_inverse=True, return_counts=True)
    middle = np.cumsum(counts) - (counts - 1) / 2
    above = middle[ranks.reshape(-1)[: len(high)]].sum() - len(high) * (len(high) + 1) / 2
    return float(above / (len(high) * len(low)))


def missing_pairs(graph: Graph, number: int, chance: np.random.Generator) -> Edges:
    """Pairs that are no edge, at random and each once; fewer than asked for where there are few."""
    most = graph.nodes * (graph.nodes - 1) // 2
    found = np.empty(0, np.int64)
    if graph.nodes > 1:
        one, other = (chance.integers(0, graph.nodes, 2 * number + 64) for _ in range(2))
        found = np.unique(codes(graph.nodes, one, other)[one != other])
        ends = graph.edge_list()
        found = found[~np.isin(found, codes(graph.nodes, ends.sources, ends.targets))]
        found = chance.permutation(found)[: min(number, most)]
    return pairs_of_codes(graph.nodes, found)


def codes(nodes: int, one: NDArray[np.integer], other: NDArray[np.integer]) -> NDArray[np.int64]:
    """A pair as one number, whichever end comes first."""
    low, high = np.minimum(one, other), np.maximum(one, other)
    return np.asarray(low.astype(np.int64) * nodes + high, np.int64)


def pairs_of_codes(nodes: int, numbers: NDArray[np.int64]) -> Edges:
    """The pairs again."""
    one, other = np.divmod(numbers, max(nodes, 1))
    return Edges(one.astype(np.int32), other.astype(np.int32))
