from __future__ import annotations

from hypothesis import given

from shoal.tables.hierarchies import flat

from .ladders import assert_ladder, some_texts


@given(some_texts)
def test_a_flat_ladder_knows_the_value_and_the_top(values: list[str]) -> None:
    hierarchy = flat(values)
    assert_ladder(hierarchy, values)
    assert hierarchy.height == 1
