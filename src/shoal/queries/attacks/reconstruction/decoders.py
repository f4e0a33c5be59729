"""From noisy counts of random groups back to everybody's yes or no."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.core.extras import require

Floats = NDArray[np.float64]


def least_squares(groups: Floats, answers: Floats) -> Floats:
    """The values whose counts are nearest to the answers, by the sum of squares."""
    return np.asarray(np.linalg.lstsq(groups, answers, rcond=None)[0], np.float64)


def linear_programme(groups: Floats, answers: Floats) -> Floats:
    """Values from 0 to 1 whose counts are nearest to the answers, by the sum of absolute differences."""
    require("attacks", "the linear programme of a reconstruction", "decoder=least-squares")
    from scipy import sparse
    from scipy.optimize import linprog

    questions, people = groups.shape
    ones = sparse.identity(questions, format="csr")
    side = sparse.csr_matrix(groups)
    solved = linprog(
        np.concatenate((np.zeros(people), np.ones(questions))),
        A_ub=sparse.vstack((sparse.hstack((side, -ones)), sparse.hstack((-side, -ones))), format="csr"),
        b_ub=np.concatenate((answers, -answers)),
        bounds=[(0, 1)] * people + [(0, None)] * questions,
        method="highs",
    )
    return np.asarray(solved.x[:people], np.float64)
