"""A scorer that learns from the release itself which pairs are edges there."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from shoal.graphs.attacks.link_guessing.scores import Float64, Space, missing_pairs, scores_of
from shoal.graphs.graph import Edges, Graph

_HELD_OUT = 0.1
_MOST = 20_000  # edges that are held out
_STEPS = 25
_RIDGE = 1e-3


@dataclass(frozen=True, eq=False)
class LearntScorer:
    """Logistic regression over the other scores.

    A tenth of the edges is held out; it learns to tell them from pairs that are no edges by what the rest of
    the network says. It never sees which edges were added.
    """

    means: Float64
    spreads: Float64
    weights: Float64

    @classmethod
    def of(cls, graph: Graph, chance: np.random.Generator) -> LearntScorer:
        ends = graph.edge_list()
        number = min(int(len(ends) * _HELD_OUT) + 1, _MOST, len(ends))
        held = chance.choice(len(ends), number, replace=False) if len(ends) else np.empty(0, np.int64)
        out = Edges(ends.sources[held], ends.targets[held])
        rest = graph.with_edges(removed=out)
        absent = missing_pairs(graph, number, chance)
        space = Space.of(rest, chance)
        rows = np.concatenate([_features(scores_of(rest, pairs, False, space)) for pairs in (out, absent)])
        answer = np.repeat((1.0, 0.0), (len(out), len(absent)))
        means, spreads = (
            (rows.mean(axis=0), rows.std(axis=0)) if len(rows) else (np.zeros(_WIDTH), np.ones(_WIDTH))
        )
        spreads = np.where(spreads > 0, spreads, 1.0)
        return cls(means, spreads, _fitted((rows - means) / spreads, answer))

    def scores(self, others: dict[str, Float64]) -> Float64:
        """What the other scores say together."""
        rows = (_features(others) - self.means) / self.spreads
        return np.asarray(rows @ self.weights[1:] + self.weights[0])


_WIDTH = 5


def _features(scores: dict[str, Float64]) -> Float64:
    return np.column_stack(
        [
            np.log1p(scores["common-neighbours"]),
            scores["jaccard"],
            np.log1p(scores["adamic-adar"]),
            np.log1p(np.maximum(scores["preferential"], 0)),
            np.arcsinh(10 * scores["spectral"]),  # a few hubs would outweigh everybody else
        ]
    )


def _fitted(rows: Float64, answer: Float64) -> Float64:
    """Weights of the likeliest logistic model, with a little ridge, by Newton's steps."""
    design = np.column_stack((np.ones(len(rows)), rows))
    weights = np.zeros(design.shape[1])
    ridge = _RIDGE * max(len(rows), 1) * np.eye(len(weights))
    for _ in range(_STEPS):
        chance = 1 / (1 + np.exp(-np.clip(design @ weights, -30, 30)))
        slope = design.T @ (answer - chance) - ridge @ weights
        bend = (design * (chance * (1 - chance))[:, None]).T @ design + ridge
        weights = weights + np.linalg.solve(bend, slope)
    return weights
