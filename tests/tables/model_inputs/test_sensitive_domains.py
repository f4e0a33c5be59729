"""What a sensitive column looks like over the whole table."""

from __future__ import annotations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of, in_order, joint_domains
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.multi_attribute_diversity import MultiAttributeDiversity
from shoal.tables.table import Table


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


@given(st.lists(st.tuples(*[st.none() | st.text("1:-ü& ", max_size=3)] * 3), min_size=1, max_size=8))
def test_columns_counted_together_are_never_run_together_and_come_apart_again(
    rows: list[tuple[Label, ...]],
) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("abc", pl.String), orient="row")
    domain = Domain.together(frame, ["a", "b", "c"])
    assert set(domain.split) == set(rows)
    assert dict(zip(domain.split, domain.totals.tolist(), strict=True)) == {r: rows.count(r) for r in rows}


def test_what_models_want_counted_together_is_counted_once_and_beside_the_columns() -> None:
    table = Table(pl.DataFrame({"q": ["1"], "a": ["x"], "b": ["y"]}), (), ("q",), ("a", "b"))
    models = [KAnonymity(2), MultiAttributeDiversity(2), MultiAttributeDiversity(3)]
    assert list(joint_domains(table, models)) == ["a & b"]
    assert list(domains_of(table, models)) == ["a", "b", "a & b"]
    assert not joint_domains(table.with_roles(quasi=["q"], sensitive=["a"]), models)
