from __future__ import annotations

import pytest

from shoal.core.errors import BadHierarchy
from shoal.tables.hierarchies.leaves import distinct


def test_every_value_stays_once_in_the_order_of_the_column() -> None:
    assert distinct(["b", None, "a", "b"]) == ["b", "a"]


def test_a_column_of_nothing_is_refused() -> None:
    with pytest.raises(BadHierarchy, match="no values"):
        distinct([None])
