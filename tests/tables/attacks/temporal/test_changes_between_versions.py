"""Two versions of one table."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import polars as pl
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.attacks.temporal.changes_between_versions import Step
from shoal.tables.table import Table

Row = tuple[str | None, ...]


def version(rows: Sequence[Row], *columns: str) -> Table:
    names = columns or ("zip", "ill")
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return Table(frame, quasi=("zip",), sensitive=("ill",))


def test_who_came_and_who_left_is_told_by_the_counts() -> None:
    step = Step(
        version([("1*", "flu"), ("1*", "cold"), ("2*", "flu")]),
        version([("1*", "flu"), ("1*", "cold"), ("1*", "hiv"), ("1*", "hiv"), ("2*", "gout")]),
        "ill",
    )
    came, gone = step.came, step.gone
    assert (came.rows.tolist(), came.kinds.tolist(), came.told_before.tolist()) == (
        [2, 1],
        [1, 1],
        [False, True],
    )
    assert [step.secrets[2][only] for only in came.only] == ["hiv", "gout"]
    assert gone.rows.tolist() == [1] and step.secrets[2][gone.only[0]] == "flu"


def test_classes_that_meet_form_one_part() -> None:
    """A class that was split is compared with its parts together."""
    step = Step(
        version([("1*", "flu"), ("1*", "cold"), ("2*", "flu")]),
        version([("11", "flu"), ("12", "cold"), ("12", "hiv"), ("2*", "flu")]),
        "ill",
    )
    old, new = step.parts
    assert len(set(new.tolist())) == 2 and old[0] == new[0] == new[1] and old[1] == new[2]
    assert step.came.rows.tolist() == [1] and step.gone.rows.tolist() == []
    assert step.classes_of(int(step.came.part[0]), came=True).tolist() == [0, 1]


cells = st.tuples(st.sampled_from(["11", "12", "1*", "2*", "*"]), st.sampled_from(["a", "b", None]))
versions = st.lists(cells, min_size=1, max_size=10).map(version)


def meet(one: str, other: str) -> bool:
    return one == other or "*" in (one, other) or {one, other} in ({"1*", "11"}, {"1*", "12"})


@given(versions, versions)
def test_pairs_of_classes_are_those_that_meet_and_share_a_value(before: Table, after: Table) -> None:
    """The twin of the compiled loops, in sets and counters."""
    step = Step(before, after, "ill", readable=True)
    stayed = step.stayed
    old, new = ([*table.frame.iter_rows()] for table in (before, after))
    unchanged = Counter(old) == Counter(new)  # nobody can be in one class of a table and another of its copy
    expected = {}
    for own in {zip_ for zip_, _ in old}:
        for other in {zip_ for zip_, _ in new}:
            mine = Counter(ill for zip_, ill in old if zip_ == own)
            theirs = Counter(ill for zip_, ill in new if zip_ == other)
            if (own == other if unchanged else meet(own, other)) and mine.keys() & theirs.keys():
                expected[own, other] = (
                    sum(mine[v] * theirs[v] for v in mine),
                    len(mine.keys() & theirs.keys()),
                )
    found = {
        (step.old.labels["zip"][int(a)], step.new.labels["zip"][int(b)]): (rows, left)
        for a, b, rows, left in zip(
            stayed.old, stayed.new, stayed.rows.tolist(), stayed.left.tolist(), strict=True
        )
    }
    assert found == expected
    labels = {table.frame["zip"][row] for table in (before, after) for row in range(table.rows)}
    part = {label: {label} for label in labels}
    for _ in labels:
        for one in labels:
            for other in labels:
                sides = {zip_ for zip_, _ in old}, {zip_ for zip_, _ in new}
                if meet(one, other) and (one in sides[0] and other in sides[1]):
                    both = part[one] | part[other]
                    for label in both:
                        part[label] = both
    gained = Counter(ill for _, ill in new)
    gained.subtract(Counter(ill for _, ill in old))
    assert int(step.came.rows.sum()) - int(step.gone.rows.sum()) == sum(gained.values())


def test_a_key_says_which_rows_are_the_same() -> None:
    columns = ("id", "zip", "ill")
    step = Step(
        version([("1", "1*", "flu"), ("2", "1*", "cold"), (None, "1*", "x")], *columns),
        version([("2", "1*", "cold"), ("3", "1*", "flu"), (None, "2*", "x")], *columns),
        "ill",
        key="id",
    )
    assert [rows.tolist() for rows in step.linked] == [[1], [0]]
    # Without the key nothing would seem to have come into 1*: who left had the same illness.
    assert [step.secrets[2][only] for only in step.came.only] == ["flu", "x"]
    assert step.gone.kinds.tolist() == [2] and step.same_row(0, 0) == (1, 0)
    assert step.stayed.rows.tolist() == [1] and step.stayed.left.tolist() == [1]
    assert step.classes_of(1, came=True).tolist() == [1]


def test_rows_may_be_the_same_when_all_that_is_beside_is_equal() -> None:
    columns = ("zip", "ill", "ward")
    before = version([("1*", "flu", "A"), ("1*", "flu", "B")], *columns)
    after = version([("11", "flu", "B"), ("11", "cold", "A")], *columns)
    step = Step(before, after, "ill")
    assert step.stayed.rows.tolist() == [1] and step.same_row(0, 0) == (1, 0)
