"""All ranges of a small domain."""

from __future__ import annotations

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.answering.range_counts import range_counts


def test_every_range_is_there_once_the_shortest_first() -> None:
    assert range_counts(3).tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [0, 1, 1], [1, 1, 1]]
    with pytest.raises(BadParameter, match="1 to 256"):
        range_counts(0)
