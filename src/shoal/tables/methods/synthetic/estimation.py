"""The distribution that fits noisy counts best: one for all of them, where each contradicts the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from shoal.tables.methods.synthetic.graphical_model import Floats, GraphicalModel, summed
from shoal.tables.methods.synthetic.junction_tree import Clique, JunctionTree

LAST_FIT = 600  # rounds for the model that rows are drawn from
_GROWTH = 1.25  # of a step that went well
_SMALL = 1e-7  # a gain that is not worth another round
_SHORTEST = 1e-300  # of a step


@dataclass(frozen=True, eq=False)
class NoisyMarginal:
    """Counts of all combinations of some columns, with noise of a variance."""

    columns: Clique
    counts: Floats
    variance: float


def estimated_total(measured: Sequence[NoisyMarginal]) -> float:
    """The number of rows by all measurements, each weighing as much as it is sure; 1 at least."""
    variances = np.array([one.variance * one.counts.size for one in measured])
    totals = np.array([one.counts.sum() for one in measured])
    return max(1.0, float((totals / variances).sum() / (1 / variances).sum()))


def fitted(
    widths: Sequence[int],
    measured: Sequence[NoisyMarginal],
    rounds: int,
    start: GraphicalModel | None = None,
) -> GraphicalModel:
    """The model with the least squared error, in units of the noise: mirror descent on its potentials.

    McKenna, Sheldon, Miklau, "Graphical-model based estimation and inference for differential privacy", 2019.
    """
    fit = _Fit(tuple(widths), measured)
    known = {} if start is None else start.factors
    fresh = {one.columns: np.zeros_like(one.counts) for one in measured}
    model = fit.model({columns: known.get(columns, zeros) for columns, zeros in fresh.items()})
    loss = fit.loss(model)
    step = 2.0 / (fit.total * sum(1 / one.variance for one in measured))
    for _ in range(rounds):
        slopes = fit.slopes(model)
        while True:
            tried = fit.model({of: factor - step * slopes[of] for of, factor in model.factors.items()})
            found = fit.loss(tried)
            if found <= loss:
                break
            step /= 2
            if step < _SHORTEST:
                return model
        gain, model, loss = loss - found, tried, found
        step *= _GROWTH
        if gain < _SMALL * loss:
            break
    return model


class _Fit:
    """What was measured, and how far a model is from it."""

    def __init__(self, widths: tuple[int, ...], measured: Sequence[NoisyMarginal]) -> None:
        self.widths, self.measured = widths, measured
        self.total = estimated_total(measured)
        self.tree = JunctionTree.over(widths, [one.columns for one in measured])
        places = [self.tree.holding(one.columns) for one in measured]
        self.places = [place for place in places if place is not None]

    def model(self, factors: Mapping[Clique, Floats]) -> GraphicalModel:
        """A model of the same columns with some factors."""
        return GraphicalModel(self.widths, self.tree, factors, self.total)

    def loss(self, model: GraphicalModel) -> float:
        """The squared error, in units of the noise."""
        pairs = zip(self._misses(model), self.measured, strict=True)
        return sum(float(np.vdot(miss, miss)) / (2 * one.variance) for miss, one in pairs)

    def slopes(self, model: GraphicalModel) -> dict[Clique, Floats]:
        """How the error rises with the expected counts, per factor."""
        found: dict[Clique, Floats] = {}
        for miss, one in zip(self._misses(model), self.measured, strict=True):
            found[one.columns] = found.get(one.columns, 0.0) + miss / one.variance
        return found

    def _misses(self, model: GraphicalModel) -> list[Floats]:
        beliefs, cliques = model.beliefs, self.tree.cliques
        return [
            self.total * summed(beliefs[place], cliques[place], one.columns) - one.counts
            for one, place in zip(self.measured, self.places, strict=True)
        ]
