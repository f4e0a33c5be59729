"""Rows that share some labels: against dictionaries."""

from __future__ import annotations

from collections import Counter
from itertools import combinations as choices

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs import label_subsets
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.label_subsets import combinations, group_by_labels, linked_counts
from shoal.tables.table import Table

Row = tuple[str | None, ...]
tables = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]), st.sampled_from("cde"), st.just("f"), st.sampled_from("xyz")
    ),
    min_size=1,
    max_size=20,
)


def classes_of(rows: list[Row]) -> Classes:
    schema = dict.fromkeys(["q0", "q1", "q2", "s"], pl.String)
    frame = pl.DataFrame(rows, schema=schema, orient="row")
    return Classes.of(Table(frame, (), ("q0", "q1", "q2"), ("s",)))


@pytest.mark.parametrize("slots", [0, 16])
@given(rows=tables)
def test_every_choice_of_columns_is_grouped_as_a_dictionary_would(slots: int, rows: list[Row]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(label_subsets, "SLOTS_PER_KEY", slots)  # by sorting, and by counting into slots
        seen = classes_of(rows)
        for width in range(5):
            wanted = []
            for columns in choices(range(3), min(width, 3)):
                sizes = Counter(tuple(row[c] for c in columns) for row in rows)
                pairs = Counter((tuple(row[c] for c in columns), row[3]) for row in rows)
                wanted.append(
                    (sorted(sizes.values()), sorted((n, sizes[key]) for (key, _), n in pairs.items()))
                )
            found = []
            for groups in combinations(seen, width):
                sizes_found = groups.sizes(seen)
                group, counts = groups.pairs(seen.sensitive["s"])
                found.append(
                    (
                        sorted(sizes_found.tolist()),
                        sorted(zip(counts.tolist(), sizes_found[group].tolist(), strict=True)),
                    )
                )
            assert sorted(found) == sorted(wanted)


@given(tables)
def test_named_columns_are_grouped_and_only_values_asked_for_counted(rows: list[Row]) -> None:
    seen = classes_of(rows)
    groups = group_by_labels(seen, ["q1"], "a model")
    counts = seen.sensitive["s"]
    is_x = counts.values == (counts.domain.values.index("x") if "x" in counts.domain.values else -1)
    group, found = groups.pairs(counts, is_x)
    wanted = Counter(row[1] for row in rows if row[3] == "x")
    assert sorted(found.tolist()) == sorted(wanted.values())
    assert len(set(group.tolist())) == len(group)


def test_columns_that_are_not_there_are_refused_with_those_that_are() -> None:
    seen = classes_of([("a", "c", "f", "x")])
    with pytest.raises(BadParameter, match=r"'zip', which is not a quasi-identifier \(there is q0, q1, q2\)"):
        group_by_labels(seen, ["q0", "zip"], "a model")
    with pytest.raises(BadParameter, match="names 'q0', which is not a sensitive column"):
        linked_counts(seen, ["q0"], "a model")
