"""Multi-attribute diversity: by grouping rows anew for each column, as the definition says."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.multi_attribute_diversity import MultiAttributeDiversity
from shoal.tables.table import Table

from ..builders import Row, l_diversities, one_column
from ..twins import is_diverse

rows_of = st.lists(
    st.tuples(
        st.integers(0, 2), st.sampled_from(["a", "b", None]), st.sampled_from("xyz"), st.sampled_from("pq")
    ),
    min_size=1,
    max_size=25,
)
kinds = l_diversities(()).map(lambda one: MultiAttributeDiversity(one.l, one.kind, one.c))


def seen_as(groups: Sequence[Sequence[Row]], model: MultiAttributeDiversity) -> Classes:
    """Classes, each with a number for its quasi-identifier, in that order."""
    flat = [(str(number), *row) for number, group in enumerate(groups) for row in group]
    width = len(flat[0]) - 1
    names = [f"s{c}" for c in range(width)]
    schema = dict.fromkeys(["q", *names], pl.String)
    table = Table(pl.DataFrame(flat, schema=schema, orient="row"), (), ("q",), tuple(names))
    return Classes.of(table, domains_of(table, [model]))


def keeps(model: MultiAttributeDiversity, group: Sequence[Row]) -> bool:
    for place in range(len(group[0])):
        pieces: dict[Row, Counter[str | None]] = {}
        for row in group:
            pieces.setdefault(row[:place] + row[place + 1 :], Counter())[row[place]] += 1
        one = LDiversity(model.l, model.kind, model.c)
        if not all(is_diverse(one, list(piece.values())) for piece in pieces.values()):
            return False
    return True


def by_class(rows: Sequence[tuple[int, Row]]) -> list[list[Row]]:
    return [[row for number, row in rows if number == one] for one in sorted({number for number, _ in rows})]


@settings(max_examples=80, deadline=None)
@given(rows_of, kinds)
def test_the_classes_that_hold_are_those_where_every_column_is_diverse_given_the_others(
    rows: list[tuple[int, str | None, str, str]], model: MultiAttributeDiversity
) -> None:
    groups = by_class([(row[0], row[1:]) for row in rows])
    # One class at a time: the order of classes is not promised.
    for group in groups:
        assert model.holds(seen_as([group], model)).tolist() == [keeps(model, group)]
    held = int(model.holds(seen_as(groups, model)).sum())
    assert held == sum(keeps(model, group) for group in groups)


@settings(max_examples=60, deadline=None)
@given(rows_of, kinds, st.data())
def test_rows_in_failing_parts_are_never_fewer_than_the_doomed(
    rows: list[tuple[int, str | None, str, str]], model: MultiAttributeDiversity, data: st.DataObject
) -> None:
    group: list[Row] = [row[1:] for row in rows]
    # Doubled, so that diverse parts come up often.
    group = group + group
    doomed = model.doomed(seen_as([group], model))[0]
    assert (doomed > 0) == (not keeps(model, group))
    part_of = [data.draw(st.integers(0, 1)) for _ in group]
    parts = by_class(list(zip(part_of, group, strict=True)))
    assert sum(len(part) for part in parts if not keeps(model, part)) >= doomed


def test_with_one_sensitive_column_it_is_l_diversity() -> None:
    seen = one_column([["a", "b"], ["a", "a"]])
    assert MultiAttributeDiversity(2).holds(seen).tolist() == [True, False]
    assert MultiAttributeDiversity(2).level(seen) == 1


def test_it_holds_in_whatever_order_the_columns_were_tied() -> None:
    model = MultiAttributeDiversity(2)
    seen = seen_as([[("a", "x"), ("a", "y"), ("b", "x"), ("b", "y")]], model)
    turned = Classes(seen.sizes, dict(reversed(list(seen.sensitive.items()))), seen.labels)
    assert model.holds(seen).all() and model.holds(turned).all()


def test_columns_that_nobody_counted_together_are_refused_with_the_cure() -> None:
    frame = pl.DataFrame({"q": ["1"], "a": ["x"], "b": ["y"]})
    with pytest.raises(BadParameter, match="needs a and b counted together"):
        MultiAttributeDiversity(2).holds(Classes.of(Table(frame, (), ("q",), ("a", "b"))))


def test_bad_parameters_are_refused_in_its_own_name() -> None:
    with pytest.raises(BadParameter, match="multi-attribute-diversity needs a number l of at least 1, not 0"):
        MultiAttributeDiversity(0)
    with pytest.raises(BadParameter, match="recursive multi-attribute-diversity needs a c above 0"):
        MultiAttributeDiversity(2, "recursive")
