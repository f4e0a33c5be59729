"""Sampling, then generalisation by rules that do not look at the data."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np

from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter
from shoal.core.progress import Watch
from shoal.core.randomness import coins
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.declared_domain import UNSEEN, DeclaredDomain, refuse_other, refuse_weaker
from shoal.tables.table import Table


@dataclass(frozen=True)
class SampledGeneralisation(TableMethod):
    """Each row is drawn with probability beta, put on fixed levels, released if k drawn rows are alike.

    Alike in every released column, the sensitive ones too. The levels (age:1|zip:2) come from the user and
    not from the data, which makes this (ε,δ)-differentially private for every ε of at least -ln(1 - beta): of
    n rows alike, j drawn are at most n(1 - beta)/(n - j) times as likely as of n - 1, which exceeds e^ε only
    for j > γn, γ = (e^ε - 1 + beta)/e^ε; and fewer than k are never seen. So δ is the largest chance, over n,
    of drawing more than γn (and k) of n. ε comes from the model when not given. The coins take no seed.

    Li, Qardaji, Su, "On sampling, anonymization, and differential privacy", 2012 (theorem 5).
    """

    name: ClassVar[str] = "sampled-generalisation"
    example: ClassVar[str] = "beta=0.1,k=2"
    declared: ClassVar[bool] = True
    in_words: ClassVar[str] = "a random sample on fixed levels of detail, small groups left out"
    chance: ClassVar[str] = "only a sample of the people is in it"

    beta: float
    k: int
    epsilon: float | None = None
    levels: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not 0 < self.beta < 1:
            raise BadParameter(
                f"sampled-generalisation needs beta between 0 and 1, not {self.beta:g}; try 0.1"
            )
        if self.k < 1:
            raise BadParameter(f"sampled-generalisation needs k of at least 1, not {self.k}; try 20")
        if self.epsilon is not None:
            self._check(self.epsilon)

    def _check(self, epsilon: float) -> None:
        least = -math.log1p(-self.beta)
        if not least <= epsilon < math.inf:
            raise BadParameter(
                f"drawing a share of {self.beta:g} costs an epsilon of {least:.4g} at least, not "
                f"{epsilon:g}; draw fewer or allow more"
            )

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """The drawn rows that k of them share."""
        refuse_other(models, (DifferentialPrivacy.name, KAnonymity.name), self.name)
        for model in models:
            if isinstance(model, KAnonymity) and model.k > self.k:
                raise BadParameter(
                    f"sampled-generalisation(k={self.k}) gives no {model.k}-anonymity; raise its k"
                )
        epsilon = self._epsilon(models)
        found = DeclaredDomain.of(table, self.levels, self.name)
        guarantees = {"epsilon": epsilon, "delta": delta_of(self.k, self.beta, epsilon)}
        refuse_weaker(models, guarantees, self.name, "lower beta, raise k, or allow that delta")
        rows = found.known
        drawn = rows[coins(len(rows), self.beta)]
        _, alike, counts = np.unique(drawn, axis=0, return_inverse=True, return_counts=True)
        kept = drawn[counts[alike.ravel()] >= self.k]
        return found.release(kept, self.name, models, guarantees, [UNSEEN])

    def _epsilon(self, models: Sequence[ClassModel[Classes]]) -> float:
        asked = [model.epsilon for model in models if isinstance(model, DifferentialPrivacy)]
        if self.epsilon is None and not asked:
            raise BadParameter(
                "sampled-generalisation needs an epsilon; write sampled-generalisation(epsilon=1)"
            )
        epsilon = min(asked) if self.epsilon is None else self.epsilon
        self._check(epsilon)
        return epsilon


@lru_cache(maxsize=64)
def delta_of(k: int, beta: float, epsilon: float) -> float:
    """The largest P(Binomial(n, beta) > γn) over every n of at least ⌈k/γ⌉ - 1, exact but for rounding up."""
    gamma = -math.expm1(-epsilon) + beta * math.exp(-epsilon)
    # Chernoff: the chance is at most exp(-n·decay), so from some n on none can be the largest.
    decay = gamma * math.log(gamma / beta)
    if gamma < 1:
        decay += (1 - gamma) * math.log((1 - gamma) / (1 - beta))
    worst, n = 0.0, max(math.ceil(k / gamma - 1e-9) - 1, 1)
    while math.exp(-n * decay) > worst:
        # At a border that rounding cannot tell, one less makes the chance larger, never smaller.
        worst = max(worst, _more_than(math.floor(gamma * n - 1e-9), n, beta))
        n += 1
    return min(1.0, worst * (1 + 1e-9))


def _more_than(most: int, n: int, beta: float) -> float:
    """P(Binomial(n, beta) > most), for most above the mean: the terms fall, and the last is a small one."""
    j = most + 1
    if j > n:
        return 0.0
    ways = math.lgamma(n + 1) - math.lgamma(j + 1) - math.lgamma(n - j + 1)
    term = math.exp(ways + j * math.log(beta) + (n - j) * math.log1p(-beta))
    total = 0.0
    while j <= n and term > total * 1e-18:
        total += term
        term *= (n - j) / (j + 1) * beta / (1 - beta)
        j += 1
    return total
