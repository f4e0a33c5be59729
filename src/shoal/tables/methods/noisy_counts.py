"""Noisy counts of every combination of labels."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core import clock
from shoal.core.contract import ClassModel
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.extras import require
from shoal.core.progress import Watch
from shoal.core.sampling.noise import check_scale
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.distributional_privacy import DistributionalPrivacy
from shoal.tables.release import TableMethod, TableRelease
from shoal.tables.search.declared_domain import UNSEEN, DeclaredDomain, refuse_other, refuse_weaker
from shoal.tables.table import Table

MOST_CELLS = 2_000_000  # OpenDP takes about ten seconds for a million
MOST_ROWS = 50_000_000


@dataclass(frozen=True)
class NoisyCounts(TableMethod):
    """An ε-differentially private table: every cell of the declared domain is counted with noise.

    Cells are all combinations of the labels that the hierarchies declare, on fixed `levels` (age:1|zip:2),
    the sensitive columns included. One row more or less changes one count by 1, so discrete Laplace noise of
    scale 1/ε on every count, empty cells too, is ε-differentially private; dropping counts below `threshold`
    and writing a row for each of the rest looks at nothing else. The number of rows, the fingerprint of the
    original and columns that nobody declared are not released; a row with a value that nobody declared is
    counted nowhere, and no error tells that there is one. `people` is a public upper bound of the
    number of rows, for distributional privacy. ε comes from the model when not given. There is no seed.

    Dwork, McSherry, Nissim, Smith 2006; as a table, Xiao, Wang, Gehrke, "Differential privacy via wavelet
    transforms" (its baseline), 2010; the sampler is OpenDP's, after Canonne, Kamath, Steinke 2020.
    """

    name: ClassVar[str] = "noisy-counts"
    declared: ClassVar[bool] = True
    in_words: ClassVar[str] = "a new table drawn from counts with noise"
    chance: ClassVar[str] = "its rows were drawn from counts with noise and are nobody's"
    made_up: ClassVar[bool] = True

    epsilon: float | None = None
    levels: tuple[str, ...] = ()
    threshold: int = 1
    people: int | None = None

    def __post_init__(self) -> None:
        if self.epsilon is not None and not 0 < self.epsilon < math.inf:
            raise BadParameter(f"noisy-counts needs an epsilon above 0, not {self.epsilon:g}; try 1")
        if self.threshold < 1:
            raise BadParameter(f"noisy-counts(threshold={self.threshold}) writes no rows; give at least 1")
        if self.people is not None and self.people < 1:
            raise BadParameter(f"noisy-counts(people={self.people}) is nobody; give at least 1")

    def protect(
        self, table: Table, models: Sequence[ClassModel[Classes]], watch: Watch | None = None
    ) -> TableRelease:
        """Rows made up from noisy counts."""
        require("queries", self.name)
        started = clock.now()
        able = (DifferentialPrivacy.name, DGammaPrivacy.name, DistributionalPrivacy.name)
        refuse_other(models, able, self.name)
        epsilon = self._epsilon(models)
        check_scale(1 / Fraction(epsilon))  # now, and not when the rows were counted
        found = DeclaredDomain.of(table, self.levels, self.name)
        if found.cells > MOST_CELLS:
            raise BadParameter(
                f"the declared domain has {found.cells:,} cells, and noise is drawn for {MOST_CELLS:,} at "
                "most; raise levels, as in noisy-counts(levels=age:2|zip:3), or use --method synthetic"
            )
        guarantees = {"epsilon": epsilon, "delta": 0.0, "cells": float(found.cells)}
        if self.people is not None:
            guarantees["people"] = float(self.people)
        cure = "lower its epsilon" if self.people else "lower its epsilon, or declare people"
        refuse_weaker(models, guarantees, self.name, cure)
        rows = found.known
        if self.people is not None and len(rows) > self.people:
            raise BadParameter(
                f"noisy-counts(people={self.people}) is less than the table has; declare a number that "
                "is known to be enough"
            )
        keys = np.ravel_multi_index(tuple(rows.T), found.widths)
        counts = noisy(np.bincount(keys, minlength=found.cells), epsilon)
        counts = np.where(counts >= self.threshold, counts, 0)
        written = sum(counts.tolist())  # in 64 bits it may not fit
        if written > MOST_ROWS:
            raise Unreachable(
                f"the noise of epsilon={epsilon:g} would write {written:,} rows; raise the threshold"
            )
        rows = np.stack(np.unravel_index(np.repeat(np.arange(found.cells), counts), found.widths), axis=1)
        note = "the rows are made up from noisy counts: read shares from them, not people"
        release = found.release(rows, self.name, models, guarantees, [note, UNSEEN])
        return replace(release, seconds=clock.now() - started)

    def _epsilon(self, models: Sequence[ClassModel[Classes]]) -> float:
        if self.epsilon is not None:
            return self.epsilon
        asked = [model.epsilon for model in models if isinstance(model, DifferentialPrivacy)]
        asked += [math.log(model.gamma / model.d) for model in models if isinstance(model, DGammaPrivacy)]
        if not asked:
            raise BadParameter("noisy-counts needs an epsilon, as in noisy-counts(epsilon=1)")
        return min(asked)


def noisy(counts: NDArray[np.int64], epsilon: float) -> NDArray[np.int64]:
    """Counts with discrete Laplace noise for ε, from OpenDP."""
    # Not its prelude: that loads scikit-learn where there is one, which takes three seconds.
    from opendp.domains import atom_domain, vector_domain
    from opendp.measurements import make_laplace
    from opendp.metrics import l1_distance
    from opendp.mod import enable_features

    enable_features("contrib")
    space = vector_domain(atom_domain(T="i64")), l1_distance(T="i64")
    # OpenDP rounds up what it claims; a scale a hair wider keeps the claim at ε.
    laplace = make_laplace(*space, scale=1 / epsilon * (1 + 1e-9))
    assert laplace.map(1) <= epsilon  # type: ignore[no-untyped-call]
    return np.array(laplace(counts.tolist()), np.int64)
