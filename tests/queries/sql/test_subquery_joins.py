"""Sub-queries that speak of the row around them count what plain SQL counts, and nobody reaches further."""

# ruff: noqa: E501

from __future__ import annotations

import math

import pytest

from queries.clinic import dataset
from queries.sql.test_rewriting import STORE, numbers, plainly
from shoal.core.errors import NotAllowed
from shoal.queries.sql.planner import plan

VISITS = "(SELECT COUNT(*) FROM visits v WHERE v.id = p.id)"
COUNTED = [
    f"SELECT COUNT(*) FROM people p WHERE {VISITS} > 1",
    f"SELECT COUNT(*) FROM people p WHERE {VISITS} = 0",
    f"SELECT COUNT(*) FROM people p WHERE {VISITS} > 1 AND {VISITS} < 3 AND age > 25",
    f"SELECT SUM({VISITS}) FROM people p",
    f"SELECT sex, SUM({VISITS}) FROM people p GROUP BY sex",
    f"SELECT {VISITS} AS n, COUNT(*) FROM people p GROUP BY n",
    f"SELECT {VISITS} * 2 AS n, COUNT(*) FROM people p GROUP BY {VISITS} * 2",
    f"SELECT n, COUNT(*) FROM (SELECT p.id, {VISITS} AS n FROM people p) t GROUP BY n",
    f"SELECT COUNT(*) FROM (SELECT p.id, {VISITS} FROM hospital.people p) t WHERE id > 20",
    "SELECT COUNT(*) FROM people WHERE (SELECT SUM(cost) FROM visits WHERE visits.id = people.id) > 30",
    "SELECT COUNT(*) FROM people WHERE (SELECT SUM(cost) FROM visits WHERE visits.id = people.id) IS NULL",
    "SELECT COUNT(*) FROM people WHERE (SELECT 1 + MAX(cost) - MIN(cost) FROM visits WHERE visits.id = people.id) > 3",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) + COUNT(v.cost) FROM visits v WHERE v.id = p.id AND cost > 20) BETWEEN 2 AND 3",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COALESCE(SUM(v.cost), 0) FROM visits v WHERE v.id = p.id) < 10",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) * p.age FROM visits v WHERE v.id = p.id) > 50",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT_IF(cost > 30) FROM visits v WHERE p.id = v.id) > 0",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FILTER (WHERE cost > 30) FROM visits v WHERE p.id = v.id) = 0",
    "SELECT COUNT(*) FROM people p WHERE (SELECT SUM(cost) FILTER (WHERE reason = 'r') FROM visits v WHERE p.id = v.id) > 9",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(DISTINCT v.ward) FROM visits v WHERE v.id = p.id) > 1",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v JOIN wards w ON w.ward = v.ward WHERE v.id = p.id AND w.floor > 0) > 1",
    "SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v, wards w WHERE w.ward = v.ward AND v.id = p.id) > 2",
    "SELECT COUNT(*) FROM visits v WHERE cost > (SELECT AVG(x.cost) FROM visits x WHERE x.id = v.id)",
    "SELECT COUNT(*) FROM visits v WHERE cost >= (SELECT MAX(x.cost) FROM visits x WHERE x.id = v.id AND x.ward = v.ward)",
    "SELECT COUNT(*) FROM visits v WHERE (SELECT age FROM people p WHERE p.id = v.id) > 25",
    "SELECT (SELECT sex FROM people p WHERE p.id = v.id) AS s, COUNT(*) FROM visits v GROUP BY s",
    "SELECT COUNT(*) FROM people p WHERE age > 30 OR EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id AND cost > 30)",
    "SELECT COUNT(*) FROM people p WHERE NOT (age > 30 AND EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id))",
    "SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits WHERE cost > 30) OR age > 33",
    "SELECT COUNT(*) FROM people WHERE age > 33 OR id NOT IN (SELECT id FROM visits)",
    "SELECT COUNT_IF(id IN (SELECT id FROM visits WHERE cost > 20)) FROM people",
    "SELECT CASE WHEN EXISTS (SELECT * FROM visits v WHERE v.id = p.id) THEN 'ill' ELSE 'well' END AS k, COUNT(*) FROM people p GROUP BY 1",
    "SELECT SUM(CASE WHEN EXISTS (SELECT * FROM visits v WHERE v.id = p.id AND v.ward = 2) THEN age END) FROM people p",
    "SELECT id IN (SELECT id FROM visits) AS k, COUNT(*) FROM people GROUP BY id IN (SELECT id FROM visits)",
    f"SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id) AND {VISITS} < 3",
    "SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id AND (SELECT COUNT(*) FROM visits x WHERE x.id = v.id) > 2)",
]  # fmt: skip


@pytest.mark.parametrize("question", COUNTED)
def test_it_counts_what_plain_sql_counts(question: str) -> None:
    counted, plain = numbers(question), plainly(question)
    assert len(counted) == len(plain)
    for one, other in zip(counted, plain, strict=True):
        assert one[:-1] == other[:-1] and math.isclose(
            float(str(one[-1])), float(str(other[-1])), abs_tol=1e-5
        )


@pytest.mark.parametrize(
    ("question", "reach"),
    [
        (f"SELECT COUNT(*) FROM people p WHERE {VISITS} > 1", 1),
        (f"SELECT SUM({VISITS}) FROM people p", 3),
        (f"SELECT {VISITS} AS n, COUNT(*) FROM people p GROUP BY n", 1),
        ("SELECT COUNT(*) FROM visits v WHERE cost > (SELECT AVG(x.cost) FROM visits x WHERE x.id = v.id)", 3),
        ("SELECT COUNT(*) FROM visits v WHERE (SELECT age FROM people p WHERE p.id = v.id) > 25", 3),
        ("SELECT COUNT(*) FROM people WHERE age > 3 OR id IN (SELECT id FROM visits)", 1),
        ("SELECT COUNT(*) FROM people p WHERE age > 3 OR EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id)", 1),
        ("SELECT SUM((SELECT SUM(cost) FROM visits v WHERE v.id = p.id)) FROM people p", 600),
    ],
)  # fmt: skip
def test_nobody_reaches_further_than_their_rows(question: str, reach: int) -> None:
    found = [one.reach * one.grid for one in plan(question, dataset(), STORE).primitives]
    assert found == [reach]


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v WHERE v.ward = p.age) > 1", "unit"),
        ("SELECT COUNT(*) FROM people p WHERE (SELECT cost FROM visits v WHERE v.id = p.id) > 1", "sub-query"),
        ("SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v WHERE v.id > p.id) > 1", "sub-query"),
        ("SELECT COUNT(*) FROM people p WHERE (SELECT COUNT(*) FROM visits v WHERE v.id = p.id LIMIT 1) > 1", "sub-query"),
        ("SELECT COUNT(*) FROM people p WHERE (SELECT SUM(v.cost * p.age) FROM visits v WHERE v.id = p.id) > 1", "sub-query"),
        ("SELECT COUNT(*) FROM people p WHERE age > ANY (SELECT COUNT(*) FROM visits v WHERE v.id = p.id)", "ANY"),
        ("SELECT COUNT(*) FROM people p WHERE age = 3 OR EXISTS (SELECT 1 FROM visits v WHERE v.cost > p.age)", "EXISTS"),
        ("SELECT COUNT(*) FROM people p WHERE (SELECT floor FROM wards w WHERE w.ward = p.age) > 1", "sub-query"),
        (f"SELECT {VISITS} FROM people p", "many rows"),
        ("SELECT COUNT(*) FROM people p WHERE age = 3 OR age IN (SELECT ward FROM visits)", "unit"),
        ("WITH t AS (SELECT id, 3 AS x FROM visits) SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM t WHERE t.id = p.id AND age = 3)", "equal columns"),
    ],
)  # fmt: skip
def test_what_is_not_of_one_person_is_refused(question: str, word: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        plan(question, dataset(), STORE)
    assert word.lower() in str(refusal.value).lower()


def test_a_column_is_called_as_it_was_written() -> None:
    query = plan(f"SELECT AVG({VISITS}) FROM people p", dataset(), STORE)
    assert [output.name for output in query.outputs] == [
        "avg((select count(*) from visits as v where v.id = p.id))"
    ]
