from __future__ import annotations

from hypothesis import given

from shoal.tables.hierarchies import flat

from .checks import assert_hierarchy, some_texts


@given(some_texts)
def test_a_flat_hierarchy_knows_the_value_and_the_top(values: list[str]) -> None:
    hierarchy = flat(values)
    assert_hierarchy(hierarchy, values)
    assert hierarchy.height == 1
