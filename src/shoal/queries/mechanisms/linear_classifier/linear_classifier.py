"""A linear classifier, chosen by the exponential mechanism."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.core.outcome import Json
from shoal.core.randomness import generator
from shoal.core.sampling.choice import exact_choice
from shoal.core.sampling.exact_parameters import settle, whole
from shoal.core.sampling.integer_values import integers
from shoal.queries.learner import STEPS, Learner

CIRCLE = 2**14  # directions in two dimensions
FINE = 2**16  # the length of a candidate direction elsewhere
MOST_DIMENSIONS = 1000


@dataclass(frozen=True)
class LinearClassifier(Learner[NDArray[np.float64]]):
    """A direction y such that points of A have p·y ≥ 0 and those of B have p·y < 0, nearly: ε in all.

    The exponential mechanism with the number of points on their right side as the score: noise on the
    best direction would make no sense. One person changes every score by 1 or not at all, and all in the
    same direction, so that P ∝ exp(ε · score) is ε-differentially private (no factor 2). Rows are steps
    from 0 to 2^20 in each column, measured from the middle, and last 1 for A or 0 for B. In two
    dimensions the candidates are 16,384 directions of the circle, all scored in one pass; in more,
    `candidates` random ones in each of `rounds`, the later ones around the best so far. The draw is
    exact.

    McSherry, Talwar, "Mechanism design via differential privacy", 2007; the example is the thesis's, 6.1.
    """

    name: ClassVar[str] = "linear-classifier"
    example: ClassVar[str] = "epsilon=1"
    labelled: ClassVar[bool] = True
    audit_pair: ClassVar[tuple[tuple[int, ...], tuple[int, ...]]] = ((), (STEPS, 0, 1))

    epsilon: Fraction
    candidates: int = 512
    rounds: int = 4

    def __post_init__(self) -> None:
        settle(self, epsilon=None)
        whole(self, candidates=2, rounds=1)
        if self.candidates > 2**20 or self.rounds > 100:
            raise BadParameter("linear-classifier takes up to 1,048,576 candidates and 100 rounds")

    def check(self, dimensions: int) -> None:
        """Refuse what cannot be, before any point is read."""
        if not 2 <= dimensions <= MOST_DIMENSIONS:
            raise BadParameter(
                f"linear-classifier needs 2 to {MOST_DIMENSIONS:,} columns and a label, not {dimensions}"
            )

    def release(self, rows: NDArray[np.int64]) -> NDArray[np.float64]:
        """A direction of length 1."""
        given = integers(rows, 0, STEPS)
        if given.ndim < 2:
            given = given.reshape(-1, 3)
        self.check(given.shape[1] - 1)
        points = np.ascontiguousarray(2 * given[:, :-1] - STEPS)
        labels = np.ascontiguousarray((given[:, -1] > 0).astype(np.int64))
        return self._on_circle(points, labels) if points.shape[1] == 2 else self._in_space(points, labels)

    def told(
        self, learned: NDArray[np.float64], lows: Sequence[float], highs: Sequence[float]
    ) -> dict[str, Json]:
        """The kind sought is where the sum of weight · column reaches the threshold."""
        half = (np.array(highs) - np.array(lows)) / 2
        weights = learned / half
        return {
            "weights": [weights.tolist()],
            "threshold": float(weights @ (np.array(lows) + half)),
        }

    def _on_circle(self, points: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        from shoal.queries.mechanisms.linear_classifier.direction_kernels import circle_scores

        scores = np.zeros(CIRCLE, np.int64)
        circle_scores(points, labels, CIRCLE, scores)
        angle = 2 * math.pi * exact_choice(~scores, self.epsilon) / CIRCLE
        return np.array([math.cos(angle), math.sin(angle)])

    def _in_space(self, points: NDArray[np.int64], labels: NDArray[np.int64]) -> NDArray[np.float64]:
        from shoal.queries.mechanisms.linear_classifier.direction_kernels import candidate_scores

        chance, dimensions = generator(None), points.shape[1]
        best = np.zeros(dimensions)
        for turn in range(self.rounds):
            # Around the best so far, half as far away in every round; nothing here looks at the points.
            tried = chance.normal(size=(self.candidates, dimensions)) / math.sqrt(dimensions)
            tried = best + tried * (1 if turn == 0 else 0.5**turn)
            if turn:
                tried[0] = best
            whole_ones = np.rint(FINE * tried / np.linalg.norm(tried, axis=1, keepdims=True)).astype(np.int64)
            scores = np.zeros(self.candidates, np.int64)
            candidate_scores(points, labels, whole_ones, scores)
            chosen = whole_ones[exact_choice(~scores, self.epsilon / self.rounds)]
            best = chosen / np.linalg.norm(chosen)
        return best
