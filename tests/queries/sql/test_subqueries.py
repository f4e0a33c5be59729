"""Sub-queries: row by row, and one row for every person, against the same in plain SQL."""

from __future__ import annotations

import duckdb
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from queries.clinic import dataset, store, usual, visits
from shoal.core.errors import NotAllowed
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

FULL = usual()
STAYS = st.lists(
    st.fixed_dictionaries(
        {
            "id": st.integers(0, 9),
            "ward": st.sampled_from([1, 2, None]),
            "cost": st.one_of(st.integers(-50, 200).map(float), st.none()),
            "reason": st.sampled_from(["flu", None]),
        }
    ),
    max_size=3,
    unique_by=lambda row: row["id"],
)
PER_PERSON = [
    ("SUM(total)", "SELECT id, SUM(cost) AS total FROM visits GROUP BY id"),
    ("SUM(n)", "SELECT id, COUNT(*) AS n FROM visits GROUP BY id"),
    ("SUM(n)", "SELECT id, COUNT(cost) + COUNT(DISTINCT ward) AS n FROM visits GROUP BY id"),
    ("SUM(m)", "SELECT id, MAX(cost) - MIN(cost) AS m FROM visits GROUP BY id"),
    ("COUNT(a)", "SELECT id, AVG(cost) AS a FROM visits GROUP BY id HAVING SUM(cost) > 10"),
    ("COUNT(*)", "SELECT DISTINCT id, ward FROM visits"),
    ("SUM(c)", "SELECT id, ward, SUM(cost) AS c FROM visits GROUP BY ALL"),
]


@settings(max_examples=20, deadline=None)
@given(STAYS)
def test_what_is_worked_out_per_person_is_what_sql_says(stays: list[dict[str, object]]) -> None:
    made = store([], stays, [])
    plain = duckdb.connect()
    frame = visits(stays)
    plain.execute("CREATE TABLE visits AS SELECT * FROM frame")
    for outer, inner in PER_PERSON:
        question = f"SELECT {outer} FROM ({inner}) t"
        query = plan(question, dataset(), made)
        found = made.run(selects(query))[0].item(0, "x0") or 0
        (truth,) = plain.execute(question).fetchone() or (None,)
        assert float(found * query.primitives[0].grid) == pytest.approx(truth or 0, abs=1e-6)
    assert frame.height == len(stays)


def test_bounds_grow_with_the_rows_that_are_put_together() -> None:
    query = plan("SELECT SUM(t) FROM (SELECT id, SUM(cost) AS t FROM visits GROUP BY id) s", dataset(), FULL)
    assert query.primitives[0].reach * query.primitives[0].grid == pytest.approx(3 * 200, rel=1e-6)


@pytest.mark.parametrize(
    "inner",
    [
        "SELECT ward, COUNT(*) FROM visits GROUP BY ward",
        "SELECT COUNT(*) AS n FROM visits",
        "SELECT DISTINCT ward FROM visits",
        "SELECT id, cost FROM visits LIMIT 3",
        "SELECT id, id FROM visits",
        "SELECT id, MEDIAN(cost) AS m FROM visits GROUP BY id",
        "SELECT id, LIST(cost) AS m FROM visits GROUP BY id",
        "SELECT id, SUM(ward) AS m FROM visits GROUP BY id",
        "SELECT id, SUM(cost) OVER () AS m FROM visits",
        "VALUES (1)",
    ],
)
def test_a_sub_query_that_mixes_people_or_is_not_understood_is_refused(inner: str) -> None:
    with pytest.raises(NotAllowed):
        plan(f"SELECT COUNT(*) FROM ({inner}) t", dataset(), FULL)


def test_the_unit_goes_along_unnamed() -> None:
    query = plan("SELECT COUNT(DISTINCT ward), COUNT(*) FROM (SELECT ward FROM visits) t", dataset(), FULL)
    assert [primitive.reach for primitive in query.primitives] == [3, 3]


def test_a_name_means_what_it_meant_where_the_sub_query_was_written() -> None:
    question = (
        "WITH visits AS (SELECT * FROM visits WHERE cost < 5), few AS (SELECT * FROM visits) "
        "SELECT COUNT(*) FROM (WITH visits AS (SELECT * FROM people) SELECT * FROM few) AS t"
    )
    made = usual()
    (frame,) = made.run(selects(plan(question, dataset(), made)))
    assert frame.item() == 5
