"""The compiled walk over combinations against every combination counted one by one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.tables.methods.top_down.lkc_counts import Combinations, Records
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain

Rows = Sequence[tuple[Sequence[int], str, int]]  # labels, secret, how many


def holds_twin(rows: Rows, L: int, K: int, C: Fraction, values: Sequence[str]) -> bool:
    """Every combination of up to L labels that occurs matches K rows and implies no listed value above C."""
    for width in range(1, L + 1):
        for columns in combinations(range(len(rows[0][0])), min(width, len(rows[0][0]))):
            matches: dict[tuple[int, ...], Counter[str]] = {}
            for labels, secret, many in rows:
                matches.setdefault(tuple(labels[c] for c in columns), Counter())[secret] += many
            for secrets in matches.values():
                total = sum(secrets.values())
                if total < K or any(secrets[value] > C * total for value in values or secrets):
                    return False
    return True


def counts_of(secrets: Sequence[Counter[str]]) -> ValueCounts:
    domain = Domain.of(pl.DataFrame({"s": [value for tally in secrets for value in tally.elements()]}), "s")
    place = {value: code for code, value in enumerate(domain.values)}
    tallies = [sorted((place[value], count) for value, count in tally.items()) for tally in secrets]
    return ValueCounts(
        domain,
        np.cumsum([0, *map(len, tallies)]).astype(np.int64),
        np.array([code for tally in tallies for code, _ in tally], np.int32),
        np.array([count for tally in tallies for _, count in tally], np.int64),
    )


@settings(max_examples=120)
@given(st.data())
def test_a_step_is_valid_exactly_when_the_whole_table_holds_after_it(data: st.DataObject) -> None:
    columns, tuples = data.draw(st.integers(1, 5)), data.draw(st.integers(1, 12))
    widths = data.draw(st.lists(st.integers(1, 3), min_size=columns, max_size=columns))
    labels = np.array(
        [data.draw(st.lists(st.integers(0, w - 1), min_size=tuples, max_size=tuples)) for w in widths],
        np.int32,
    )
    # Each tuple has some rows of each of three secrets; large groups take the other branch of the count.
    most = data.draw(st.sampled_from([1, 3]))
    secrets = [
        Counter({s: n for s in "xyz" if (n := data.draw(st.integers(0, most)))}) or Counter("x")
        for _ in range(tuples)
    ]
    L, K = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 4))
    C = data.draw(
        st.sampled_from([Fraction(3, 10), Fraction(1, 2), Fraction(2, 3), Fraction(9, 10), Fraction(1)])
    )
    values = data.draw(st.sampled_from([(), ("x",), ("x", "z"), ("nobody",)]))
    column = data.draw(st.integers(0, columns - 1))
    label = data.draw(st.integers(0, widths[column] - 1))
    members = np.flatnonzero(labels[column] == label).astype(np.int32)
    if not len(members):
        return
    proposed = labels[column].copy()
    proposed[members] = [
        data.draw(st.sampled_from([label, widths[column], widths[column] + 1])) for _ in members
    ]

    def rows(after: np.ndarray) -> Rows:
        return [(after[:, t].tolist(), s, n) for t in range(tuples) for s, n in secrets[t].items()]

    if not holds_twin(rows(labels), L, K, C, values):
        return  # a step is only ever tried on a table that holds
    after = labels.copy()
    after[column] = proposed
    sizes = np.array([sum(tally.values()) for tally in secrets], np.int64)
    watched = Combinations.of(L, K, float(C), values, sizes, [counts_of(secrets)])
    others = np.array(
        [c for c in range(columns) if c != column and len(set(labels[c].tolist())) > 1], np.int64
    )
    found = watched.keeps(members, proposed, labels, np.array(widths, np.int64), others)
    assert found == holds_twin(rows(after), L, K, C, values)


@settings(max_examples=60)
@given(st.data())
def test_a_finer_table_never_holds_where_a_coarser_one_fails(data: st.DataObject) -> None:
    many = data.draw(st.integers(1, 15))
    fine = [data.draw(st.lists(st.integers(0, 3), min_size=3, max_size=3)) for _ in range(many)]
    secrets = [data.draw(st.sampled_from("xyz")) for _ in range(many)]
    coarse = [[labels[0] // 2, *labels[1:]] for labels in fine]
    L, K, C = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 3)), Fraction(1, 2)
    tables = [[(labels, s, 1) for labels, s in zip(one, secrets, strict=True)] for one in (coarse, fine)]
    assert holds_twin(tables[0], L, K, C, "x") or not holds_twin(tables[1], L, K, C, "x")


def test_a_large_group_and_many_small_ones_are_counted_alike() -> None:
    chance = np.random.default_rng(3)
    tuples = 400
    labels = np.stack([chance.integers(0, w, tuples) for w in (2, 40, 3)]).astype(np.int32)
    secrets = [Counter(chance.choice(list("xyz"), 2).tolist()) for _ in range(tuples)]
    sizes = np.full(tuples, 2, np.int64)
    everyone, whole = np.arange(tuples, dtype=np.int32), np.zeros_like(labels)
    for K, C in ((1, 0.9), (2, 1.0), (10, 0.99), (14, 0.8)):
        watched = Combinations.of(2, K, C, ("x",), sizes, [counts_of(secrets)])
        rows = [(labels[:2, t].tolist(), s, n) for t in range(tuples) for s, n in secrets[t].items()]
        whole[1] = labels[1]
        found = watched.keeps(everyone, labels[0], whole, np.array([1, 40, 1]), np.array([1]))
        assert found == holds_twin(rows, 2, K, Fraction(str(C)), ("x",))


def test_values_that_nobody_listed_share_one_number() -> None:
    records = Records.of(np.array([3, 1]), counts_of([Counter("xxy"), Counter("z")]), ("y",))
    assert records.listed == 1
    assert records.value.tolist() == [1, 0, 1] and records.weight.tolist() == [2, 1, 1]
    assert [part.tolist() for part in records.under(np.array([1], np.int32))] == [[1], [1], [1]]


@pytest.mark.parametrize(
    ("others", "visits"), [(0, 10), (1, 10), (2, 10), (3, 30), (299, 10 * 299 * 298 // 2)]
)
def test_what_a_question_costs_is_known_before_it_is_asked(others: int, visits: int) -> None:
    assert (
        Combinations(3, 2, 0.5, [Records.of(np.array([1]), counts_of([Counter("x")]), ())]).visits(10, others)
        == visits
    )
