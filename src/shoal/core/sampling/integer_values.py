"""Private numbers on their way to the noise: whole, and of a size that fits."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter

LEAST, MOST = -(2**63), 2**63 - 1


def integers(values: Any, least: int = LEAST, most: int = MOST) -> NDArray[np.int64]:
    """Whole numbers of any size as 64 bits, within bounds: what lies beyond counts as the bound.

    No two numbers come farther apart by that, and no number raises, because that would tell it. The type is
    no secret: numbers with a fraction are refused, whatever they are. Noise of whole steps would leave the
    fraction as it was.
    """
    # Of a list numpy would choose the type by the numbers: doubles, where one of them is 2^63.
    given = values if isinstance(values, np.ndarray) else np.array(values, object)
    if not given.size:
        return np.zeros(given.shape, np.int64)
    if given.dtype.kind == "u":
        given = np.minimum(given, np.uint64(MOST)).astype(np.int64)
    if given.dtype.kind in "bi":
        return np.clip(given.astype(np.int64), least, most)
    if given.dtype.kind == "O" and all(isinstance(value, int | np.integer) for value in given.flat):
        inside = [min(max(int(value), least), most) for value in given.flat]
        return np.array(inside, np.int64).reshape(given.shape)
    raise BadParameter(
        "noise is added to whole numbers, and these are of another type; count in whole steps, or use "
        "release_real for one number"
    )
