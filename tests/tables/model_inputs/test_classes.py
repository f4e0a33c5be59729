"""Equivalence classes straight from a frame, against grouping in plain Python."""

from __future__ import annotations

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.table import Table
from tables.builders import one_column

values = st.sampled_from([None, "", " ", "a", "b", "10", "9"])
Shape = Counter[tuple[int, frozenset[tuple[Label, int]]]]


def shape_of(classes: Classes, column: str) -> Shape:
    """Classes without their order: how many there are of each size and tally."""
    counts = classes.sensitive[column]
    return Counter(
        (
            int(size),
            frozenset(
                (counts.domain.values[value], int(count))
                for value, count in zip(counts.values[start:end], counts.counts[start:end], strict=True)
            ),
        )
        for size, start, end in zip(classes.sizes, counts.offsets[:-1], counts.offsets[1:], strict=True)
    )


def brute_force(rows: list[tuple[Label, ...]], quasi: int, sensitive: int) -> Shape:
    groups: dict[tuple[Label, ...], list[Label]] = {}
    for row in rows:
        groups.setdefault(row[:quasi], []).append(row[sensitive])
    return Counter((len(group), frozenset(Counter(group).items())) for group in groups.values())


@given(st.lists(st.tuples(values, values, values, values), min_size=1, max_size=40))
def test_classes_are_those_of_a_grouping_in_plain_python(rows: list[tuple[Label, ...]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("abst", pl.String), orient="row")
    before = frame.clone()
    classes = Classes.of(Table(frame, quasi=("a", "b"), sensitive=("s", "t")))
    assert shape_of(classes, "s") == brute_force(rows, 2, 2)
    assert shape_of(classes, "t") == brute_force(rows, 2, 3)
    assert classes.rows == len(rows)
    assert len(classes) == len({row[:2] for row in rows})
    assert frame.equals(before)


@given(st.lists(st.tuples(values, values), min_size=1, max_size=30))
def test_what_a_class_offers_follows_from_its_counts(rows: list[tuple[Label, Label]]) -> None:
    frame = pl.DataFrame(rows, schema=dict.fromkeys("as", pl.String), orient="row")
    counts = Classes.of(Table(frame, quasi=("a",), sensitive=("s",))).sensitive["s"]
    for number, (start, end) in enumerate(zip(counts.offsets[:-1], counts.offsets[1:], strict=True)):
        own = counts.counts[start:end].tolist()
        assert counts.sizes[number] == sum(own)
        assert counts.most[number] == max(own)
        assert counts.shares[start:end].tolist() == [count / sum(own) for count in own]
        entropy = -sum(count / sum(own) * np.log(count / sum(own)) for count in own)
        assert counts.entropy[number] == pytest.approx(entropy, abs=1e-12)


def test_a_missing_value_an_empty_text_and_a_blank_are_three_values() -> None:
    frame = pl.DataFrame({"a": [None, "", " ", None], "s": ["", None, "", None]})
    classes = Classes.of(Table(frame, quasi=("a",), sensitive=("s",)))
    assert sorted(classes.sizes.tolist()) == [1, 1, 2]
    assert classes.sensitive["s"].domain.values == ("", None)
    assert sorted(np.diff(classes.sensitive["s"].offsets).tolist()) == [1, 1, 2]


def test_all_rows_are_one_class_when_nothing_is_a_quasi_identifier() -> None:
    classes = Classes.of(Table(pl.DataFrame({"s": ["x", "y", "x"]}), sensitive=("s",)))
    assert classes.sizes.tolist() == [3]
    assert classes.sensitive["s"].counts.tolist() == [2, 1]


def test_values_that_read_alike_are_alike_whatever_their_type() -> None:
    as_text = pl.DataFrame({"a": ["1", "2", "1"], "b": ["true", "true", "true"]})
    as_typed = pl.DataFrame({"a": [1, 2, 1], "b": [True, True, True]})
    for frame in (as_text, as_typed):
        assert sorted(Classes.of(Table(frame, quasi=("a", "b"))).sizes.tolist()) == [1, 2]


def test_columns_are_not_run_together() -> None:
    frame = pl.DataFrame({"a": ["x", "xy", "", "xyz"], "b": ["yz", "z", "xyz", ""]})
    assert Classes.of(Table(frame, quasi=("a", "b"))).sizes.tolist() == [1, 1, 1, 1]


def test_a_class_is_compared_with_the_domain_that_is_handed_in() -> None:
    domain = Domain("s", ("x", "y", "z"), np.array([5, 5, 5]))
    released = Table(pl.DataFrame({"a": ["1", "1"], "s": ["z", "x"]}), quasi=("a",), sensitive=("s",))
    counts = Classes.of(released, {"s": domain}).sensitive["s"]
    assert counts.domain is domain
    assert counts.values.tolist() == [0, 2]


def test_a_value_that_the_manifest_does_not_know_is_refused_by_name() -> None:
    domain = Domain("s", ("x",), np.array([5]))
    for stranger in ("measles", None):
        changed = Table(pl.DataFrame({"s": ["x", stranger]}), sensitive=("s",))
        with pytest.raises(BadParameter, match=repr(stranger)):
            Classes.of(changed, {"s": domain})


def test_a_model_speaks_of_every_sensitive_column_or_of_the_one_it_names() -> None:
    frame = pl.DataFrame({"s": ["x", "y"], "t": ["1", "1"]})
    classes = Classes.of(Table(frame, sensitive=("s", "t")))
    assert [counts.domain.column for counts in classes.about(None, "m")] == ["s", "t"]
    assert [counts.domain.column for counts in classes.about("t", "m")] == ["t"]
    with pytest.raises(BadParameter, match=r"m names 'u'.*there is s, t"):
        classes.about("u", "m")
    with pytest.raises(BadParameter, match="m needs a sensitive column"):
        Classes(np.array([1])).about(None, "m")


def test_counts_built_by_hand_are_those_of_the_frame() -> None:
    """The builders of these tests and the source agree, so tests on built classes mean something."""
    built = one_column([["x", "y", "x"], ["z"]])
    frame = pl.DataFrame({"a": [0, 0, 0, 1], "s": ["x", "y", "x", "z"]})
    read = Classes.of(Table(frame, quasi=("a",), sensitive=("s",)))
    assert shape_of(built, "s") == shape_of(read, "s")
    assert built.sensitive["s"].domain.totals.tolist() == read.sensitive["s"].domain.totals.tolist()


def test_a_column_may_have_any_name() -> None:
    """Names that a counter might use inside are names like any other."""
    names = ["rows", "class", "value", "size", "count", "len", "code", "quasi 0", "quasi"]
    for quasi, sensitive in zip(names, names[1:] + names[:1], strict=True):
        frame = pl.DataFrame({quasi: ["1", "1", None], sensitive: ["x", "y", "x"]})
        classes = Classes.of(Table(frame, quasi=(quasi,), sensitive=(sensitive,)))
        wanted = Counter([(2, frozenset([("x", 1), ("y", 1)])), (1, frozenset([("x", 1)]))])
        assert shape_of(classes, sensitive) == wanted


@given(st.lists(st.tuples(values, values), min_size=1, max_size=20))
def test_classes_that_share_a_label_share_its_number(rows: list[tuple[Label, Label]]) -> None:
    frame = pl.DataFrame(rows, schema=["a", "b"], orient="row").cast(pl.String)
    classes = Classes.of(Table(frame, quasi=("a", "b")))
    for c, column in enumerate("ab"):
        per_label = Counter(row[c] for row in rows)
        per_number: Counter[int] = Counter()
        for number, size in zip(classes.labels[column].tolist(), classes.sizes.tolist(), strict=True):
            per_number[number] += size
        assert sorted(per_number.values()) == sorted(per_label.values())
