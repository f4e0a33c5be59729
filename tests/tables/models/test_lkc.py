"""LKC-privacy against every combination of up to L values, one by one."""

from __future__ import annotations

import math
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs import label_subsets as matches_module
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models import lkc as lkc_module
from shoal.tables.models.lkc import LKC
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.table import Table

from ..builders import Case, Row, cases
from ..twins import nodes, ways

NAMES = ("q0", "q1", "q2", "s")
tables = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", None]),
        st.sampled_from("cd"),
        st.sampled_from("ef"),
        st.sampled_from("xyz"),
    ),
    min_size=1,
    max_size=30,
)
models = st.builds(
    LKC,
    st.integers(1, 4),
    st.integers(1, 4),
    st.sampled_from([0.2, 0.3, 0.5, 0.6, 0.75, 1.0]),
    st.lists(st.sampled_from("xyzw"), unique=True, max_size=2).map(tuple),
)


def classes_of(rows: list[Row], names: tuple[str, ...] = NAMES) -> Classes:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Classes.of(Table(frame, (), names[:-1], names[-1:]))


def fewest(length: int, rows: list[Row]) -> int:
    """The fewest rows that match a combination of 1 to L values that occurs."""
    found = len(rows)
    for row in rows:
        for size in range(1, length + 1):
            for columns in combinations(range(len(row) - 1), size):
                found = min(found, sum(all(other[c] == row[c] for c in columns) for other in rows))
    return found


def keeps(model: LKC, rows: list[Row]) -> bool:
    """The definition: all lengths up to L, not the longest alone."""
    secrets = model.values or {row[-1] for row in rows}
    for row in rows:
        for size in range(1, model.L + 1):
            for columns in combinations(range(len(row) - 1), size):
                match = [other for other in rows if all(other[c] == row[c] for c in columns)]
                if len(match) < model.K:
                    return False
                for secret in secrets:
                    share = Fraction(sum(other[-1] == secret for other in match), len(match))
                    if share > Fraction(str(model.C)):
                        return False
    return True


@settings(max_examples=60, deadline=None)
@given(tables, models)
def test_a_table_holds_exactly_when_every_combination_of_up_to_l_values_does(
    rows: list[Row], model: LKC
) -> None:
    seen = classes_of(rows)
    wanted = keeps(model, rows)
    assert model.holds(seen).tolist() == [wanted] * len(seen)
    assert model.doomed(seen).tolist() == ([0] * len(seen) if wanted else seen.sizes.tolist())
    assert model.level(seen) == fewest(model.L, rows)


@settings(max_examples=40, deadline=None)
@given(cases(columns=(1, 3), most_rows=15, sensitive=(1, 1)), models)
def test_what_fails_at_a_node_fails_at_every_node_below(case: Case, model: LKC) -> None:
    """Why all rows are doomed: finer labels never mend it."""
    model = LKC(model.L, model.K, model.C)
    table = case.table()
    lattice = Lattice(Tuples.of(table, table.hierarchies, domains_of(table)))
    holds = {}
    for node in nodes(case):
        labels = [ways(hierarchy)[level] for hierarchy, level in zip(case.hierarchies, node, strict=True)]
        rows = [
            (*(label[v] for label, v in zip(labels, quasi, strict=True)), *secret)
            for quasi, secret in zip(case.quasi, case.sensitive, strict=True)
        ]
        seen = lattice.classes(node)
        holds[node] = keeps(model, rows)
        assert model.holds(seen).all() == holds[node]
    for low, here in holds.items():
        for high, there in holds.items():
            if here and all(a <= b for a, b in zip(low, high, strict=True)):
                assert there


def test_k_anonymity_over_all_columns_is_more_than_is_needed() -> None:
    """Who knows any two of the three bits finds three rows; only who knows all three finds one."""
    rows: list[Row] = [
        (str(a), str(b), str(c), s) for a in (0, 1) for b in (0, 1) for c in (0, 1) for s in "xy"
    ]
    rows = [row for row in rows if row[:3] != ("1", "1", "1")] + [("1", "1", "1", "x")]
    seen = classes_of(rows)
    assert seen.sizes.min() == 1
    assert LKC(2, 3, 0.7).holds(seen).all() and LKC(2, 3, 0.7).level(seen) == 3
    assert not LKC(3, 2, 1).holds(seen).any() and LKC(9, 1, 1).holds(seen).all()


def test_one_row_more_of_a_secret_tips_the_balance() -> None:
    rows: list[Row] = [("a", "x"), ("a", "y"), ("a", "y"), ("a", "x")]
    names = ("q", "s")
    assert LKC(1, 2, 0.5).holds(classes_of(rows, names)).all()
    assert not LKC(1, 2, 0.5).holds(classes_of([*rows, ("a", "x")], names)).any()
    assert LKC(1, 2, 0.5, ("y",)).holds(classes_of([*rows, ("a", "x")], names)).all()
    assert "60.00% with one value" in LKC(1, 9, 0.5).unmet(classes_of([*rows, ("a", "x")], names))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 2, 0.5), "L of at least 1, not 0"),
        ((2, 0, 0.5), "K of at least 1, not 0"),
        ((2, 2, 50), r"up to 1, not 50; for 50 % write C=0\.5"),
        ((2, 2, 0), "above 0 and up to 1, not 0$"),
        ((2, 2, math.nan), "not nan$"),
    ],
)
def test_bad_parameters_are_refused_with_the_cure(arguments: tuple[int, int, float], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        LKC(*arguments)


def test_a_table_without_a_sensitive_column_is_refused() -> None:
    frame = pl.DataFrame({"q": ["a"]})
    with pytest.raises(BadParameter, match="lkc needs a sensitive column"):
        LKC(2, 2, 0.5).holds(Classes.of(Table(frame, (), ("q",))))


@given(st.integers(0, 2**32 - 1), st.integers(1, 4), st.sampled_from([0.4, 0.6, 0.8, 1.0]), st.booleans())
def test_counting_all_pairs_in_one_matrix_changes_nothing(seed: int, K: int, C: float, listed: bool) -> None:
    """Many columns and L=2 take another way; it must come to the same answer."""
    chance = np.random.default_rng(seed)
    frame = pl.DataFrame({f"q{n}": chance.integers(0, 2, 14).astype(str) for n in range(4)}).with_columns(
        s=pl.Series(chance.integers(0, 3, 14).astype(str))
    )
    table = Table(frame, quasi=("q0", "q1", "q2", "q3"), sensitive=("s",))
    model = LKC(L=2, K=K, C=C, values=("1",) if listed else ())
    slow = Classes.of(table)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lkc_module, "MANY_COLUMNS", 1)
        patch.setattr(matches_module, "PAIR_CHUNK", 3)
        fast = Classes.of(table)
        found = (model.level(fast), bool(model.holds(fast).all()))
    assert found == (model.level(slow), bool(model.holds(slow).all()))
