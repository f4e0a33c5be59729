"""What a sensitive column looks like over the whole table."""

from __future__ import annotations

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.domains import Domain, in_order
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label


def test_a_domain_counts_the_whole_table_in_the_order_of_its_taxonomy() -> None:
    taxonomy = Hierarchy.of_levels([["low", None, "high", "never"], ["a", "a", "b", "b"]])
    frame = pl.DataFrame({"s": ["high", "low", "high", None]})
    domain = Domain.of(frame, "s", taxonomy)
    assert domain.values == ("low", None, "high", "never")
    assert domain.totals.tolist() == [1, 1, 2, 0]
    assert domain.ordered


def test_a_taxonomy_that_misses_values_is_refused_with_the_value() -> None:
    frame = pl.DataFrame({"s": ["flu", "measles", None]})
    with pytest.raises(BadParameter, match=r"'s' misses .* and 1 more"):
        Domain.of(frame, "s", Hierarchy.of_levels([["flu"]]))
    with pytest.raises(BadParameter, match=r"misses None; add a line for it$"):
        Domain.of(frame, "s", Hierarchy.of_levels([["flu", "measles"]]))


@pytest.mark.parametrize(
    ("found", "order", "ordered"),
    [
        (["10", "9", "-1"], ("-1", "9", "10"), True),
        (["1.50", "1.5", "1e0"], ("1e0", "1.5", "1.50"), True),
        (["2024-02-01", "2023-12-31"], ("2023-12-31", "2024-02-01"), True),
        (["10", None, "9"], ("9", "10", None), False),
        (["b", "a", "10"], ("10", "a", "b"), False),
        (["1", "nan"], ("1", "nan"), False),
        ([None], (None,), False),
    ],
)
def test_numbers_and_dates_have_an_order_and_a_missing_value_takes_it_away(
    found: list[Label], order: tuple[Label, ...], ordered: bool
) -> None:
    assert in_order(found) == (order, ordered)
