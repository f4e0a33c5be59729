"""Questions as people write them count what plain SQL counts, and refusals stay what they were."""

# ruff: noqa: E501

from __future__ import annotations

import duckdb
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from queries import clinic
from queries.clinic import dataset
from shoal.core.errors import NotAllowed
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

PATIENTS = [
    clinic.person(
        number,
        sex="FM"[number % 2],
        age=20 + number % 17,
        income=10.0 * number,
        town=None if number % 7 == 0 else ("Ulm", "Bonn")[number % 3 == 0],
    )
    for number in range(40)
]
STAYS = [
    {"id": number % 25, "ward": 1 + number % 3, "cost": float(number), "reason": "rq"[number % 2]}
    for number in range(60)
]
STORE = clinic.store(PATIENTS, STAYS, clinic.PLACES)
PLAIN = {
    "people": clinic.people(PATIENTS),
    "visits": clinic.visits(STAYS),
    "wards": clinic.wards(clinic.PLACES),
}


def numbers(question: str) -> list[tuple[object, ...]]:
    """What the rebuilt question counts, before noise."""
    frame = STORE.run(selects(plan(question, dataset(), STORE)))[0]
    return sorted(frame.rows(), key=repr)


def plainly(question: str) -> list[tuple[object, ...]]:
    """What DuckDB answers to the question as it is written."""
    with duckdb.connect() as plain:
        for name, frame in PLAIN.items():
            plain.register(name, frame)
        plain.execute("CREATE SCHEMA hospital")
        for name in PLAIN:
            plain.execute(f"CREATE VIEW hospital.{name} AS SELECT * FROM main.{name}")
        return sorted(plain.execute(question).fetchall(), key=repr)


COUNTED = [
    "SELECT COUNT(*) FROM hospital.people",
    "SELECT hospital.people.sex, COUNT(*) FROM hospital.people GROUP BY hospital.people.sex",
    'SELECT "p"."sex", COUNT(*) FROM "hospital"."people" AS "p" GROUP BY 1',
    "SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.id AND v.cost > 10",
    "SELECT COUNT(*) FROM people p, visits v WHERE (p.id = v.id) AND (cost > 30 OR age < 30)",
    "SELECT COUNT(*) FROM wards w, visits v WHERE w.ward = v.ward AND floor > 0",
    "SELECT COUNT(*) FROM wards, people p, visits v WHERE wards.ward = v.ward AND v.id = p.id AND age > 25",
    "SELECT COUNT(*) FROM people p, visits v JOIN wards w ON w.ward = v.ward WHERE p.id = v.id",
    "SELECT COUNT(*) FROM people p CROSS JOIN visits v WHERE v.id = p.id",
    "SELECT COUNT(*) FROM people p, (SELECT id, COUNT(*) AS n FROM visits GROUP BY id) t WHERE t.id = p.id AND n > 1",
    "SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits WHERE cost > 30)",
    "SELECT COUNT(*) FROM people WHERE id NOT IN (SELECT id FROM visits WHERE cost > 30)",
    "SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits GROUP BY id HAVING COUNT(*) > 2)",
    "SELECT COUNT(*) FROM people WHERE NOT (id IN (SELECT v.id AS x FROM visits AS v)) AND age > 22",
    "SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id AND v.cost > 30)",
    "SELECT COUNT(*) FROM people p WHERE NOT EXISTS (SELECT * FROM visits v WHERE p.id = v.id AND reason = 'r')",
    "SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v JOIN wards w USING (ward) "
    "WHERE v.id = p.id AND w.floor = 2) AND p.id IN (SELECT id FROM visits WHERE cost < 20)",
    "SELECT COUNT(*) FROM visits v WHERE EXISTS (SELECT 1 FROM people p WHERE p.id = v.id AND p.sex = 'F' "
    "AND p.id IN (SELECT id FROM visits WHERE cost > 30))",
    "SELECT COUNT(*) FROM visits v RIGHT JOIN people p ON p.id = v.id",
    "SELECT COUNT(*) FROM wards w RIGHT JOIN visits v ON w.ward = v.ward AND w.floor > 0",
    "SELECT APPROX_COUNT_DISTINCT(reason) FROM visits",
    "SELECT SUM(DISTINCT age) FROM people",
    "SELECT sex, SUM(DISTINCT age) FROM people WHERE age > 22 GROUP BY sex",
    "SELECT SUM(DISTINCT age) FILTER (WHERE sex = 'F') FROM people",
    "SELECT CONCAT(sex, '-', town), COUNT(*) FROM people GROUP BY 1",
    "SELECT FLOOR(LOG(GREATEST(income, 1))), COUNT(*) FROM people GROUP BY 1",
    "SELECT FLOOR(LOG2(GREATEST(income, 1)) + 0.001), COUNT(*) FROM people GROUP BY 1",
]  # fmt: skip


@pytest.mark.parametrize("question", COUNTED)
def test_it_counts_what_plain_sql_counts(question: str) -> None:
    assert numbers(question) == [row for row in plainly(question) if row[-1] != 0 or len(row) == 1]


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("SELECT VAR(age), STD(age), MEAN(age) FROM people", "SELECT VARIANCE(age), STDDEV(age), AVG(age) FROM people"),
        ("SELECT DISTINCT town FROM people", "SELECT town FROM people GROUP BY town"),
        ("SELECT COUNT(*) FROM a.b.people", "SELECT COUNT(*) FROM people"),
        ("SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.id", "SELECT COUNT(*) FROM people p JOIN visits v ON p.id = v.id"),
    ],
)  # fmt: skip
def test_two_ways_to_write_it_ask_the_engine_the_same(written: str, known: str) -> None:
    def asked(question: str) -> list[str]:
        return [select.sql() for select in selects(plan(question, dataset(), STORE))]

    assert asked(written) == asked(known)


@pytest.mark.parametrize(
    ("question", "reach"),
    [
        ("SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits)", 1),
        ("SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id = p.id)", 1),
        ("SELECT COUNT(*) FROM people p, visits v WHERE p.id = v.id", 3),
        ("SELECT COUNT(*) FROM visits v, wards w WHERE v.ward = w.ward", 6),
        ("SELECT SUM(DISTINCT age) FROM people", 120),
        ("SELECT COUNT(*) FROM visits v WHERE EXISTS (SELECT 1 FROM visits x WHERE x.id = v.id AND x.ward = v.ward)", 3),
    ],
)  # fmt: skip
def test_nobody_reaches_further_than_their_rows(question: str, reach: int) -> None:
    """The last one could do with 3: pairs of two columns are counted as if every pair of rows matched."""
    assert [one.reach for one in plan(question, dataset(), STORE).primitives] == [reach]


@pytest.mark.parametrize(
    ("question", "word"),
    [
        ("SELECT COUNT(*) FROM people, visits", "unit"),
        ("SELECT COUNT(*) FROM people, visits WHERE age > 3", "unit"),
        ("SELECT COUNT(*) FROM people p, visits v WHERE p.age = v.ward", "unit"),
        ("SELECT COUNT(*) FROM people WHERE age IN (SELECT ward FROM visits)", "unit"),
        ("SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.ward = p.age)", "unit"),
        ("SELECT COUNT(*) FROM people p WHERE EXISTS (SELECT 1 FROM visits v WHERE v.id > p.id)", "EXISTS"),
        ("SELECT COUNT(*) FROM people WHERE EXISTS (SELECT 1 FROM visits)", "EXISTS"),
        ("SELECT COUNT(*) FROM people WHERE id IN (SELECT id FROM visits LIMIT 3)", "sub-query"),
        ("SELECT DISTINCT id FROM people", "unit"),
        ("SELECT id FROM people GROUP BY id", "unit"),
        ("WITH t AS (SELECT id FROM people) SELECT COUNT(*) FROM hospital.t", "DB"),
        ("SELECT age, COUNT(*) FROM people GROUP BY age HAVING age", "truth"),
        ("SELECT COUNT(*) FROM information_schema.tables", "no table"),
    ],
)
def test_what_would_mix_people_is_refused_as_before(question: str, word: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        plan(question, dataset(), STORE)
    assert word.lower() in str(refusal.value).lower()


@pytest.mark.parametrize(
    ("where", "domain"),
    [
        ("sex IN ('F')", ("F",)),
        ("sex <> 'F'", ("M",)),
        ("sex IS NOT NULL AND age > 3", ("F", "M")),
        ("sex = 'F' OR age > 3", ("F", "M", None)),
        ("sex = 'other'", ("F", "M", None)),
        ("age > 30", ("F", "M", None)),
    ],
)
def test_groups_that_where_rules_out_are_not_listed(where: str, domain: tuple[str | None, ...]) -> None:
    query = plan(f"SELECT sex, COUNT(*) FROM people WHERE {where} GROUP BY sex", dataset(), STORE)
    assert query.keys[0].domain == domain


@given(low=st.integers(0, 40), high=st.integers(0, 40), chosen=st.sets(st.integers(15, 40), min_size=1))
def test_the_groups_that_stay_are_those_that_where_lets_through(
    low: int, high: int, chosen: set[int]
) -> None:
    where = f"age BETWEEN {low} AND {high} AND age IN ({', '.join(map(str, chosen))})"
    query = plan(f"SELECT age, COUNT(*) FROM people WHERE {where} GROUP BY age", dataset(), STORE)
    through = {age for age in chosen if low <= age <= high}
    assert query.keys[0].domain is not None
    found = STORE.run(selects(query))[0]["k0"].to_list()
    assert set(found) <= set(query.keys[0].domain)
    assert not through or set(query.keys[0].domain) == through


def test_a_row_without_a_match_is_counted_once() -> None:
    assert (
        pl.DataFrame(numbers("SELECT COUNT(*) FROM people WHERE id NOT IN (SELECT id FROM visits)")).item()
        == 15
    )


@pytest.mark.parametrize(
    ("written", "known"),
    [
        ("SELECT COUNT(*) FROM visits NATURAL JOIN wards", "SELECT COUNT(*) FROM visits JOIN wards USING (ward)"),
        ("SELECT COUNT(*) FROM people p NATURAL LEFT JOIN visits v", "SELECT COUNT(*) FROM people p LEFT JOIN visits v USING (id)"),
        ("SELECT TOP 1 sex, COUNT(*) FROM people GROUP BY sex;", "SELECT sex, COUNT(*) FROM people GROUP BY sex LIMIT 1"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex FETCH FIRST 1 ROW ONLY", "SELECT sex, COUNT(*) FROM people GROUP BY sex LIMIT 1"),
        ("SELECT APPROX_PERCENTILE(age, 0.9) FROM people", "SELECT QUANTILE_CONT(age, 0.9) AS \"quantile(age, 0.9)\" FROM people"),
        ("SELECT sex, COUNT(*) FROM people GROUP BY ALL ORDER BY ALL DESC", "SELECT sex, COUNT(*) FROM people GROUP BY sex ORDER BY 1 DESC, 2 DESC"),
    ],
)  # fmt: skip
def test_more_ways_to_write_it_are_the_same_question(written: str, known: str) -> None:
    one, other = (plan(question, dataset(), STORE) for question in (written, known))
    assert [select.sql() for select in selects(one)] == [select.sql() for select in selects(other)]
    assert (one.order, one.limit, one.outputs) == (other.order, other.limit, other.outputs)


def test_a_natural_join_of_tables_with_nothing_in_common_is_refused_by_its_name() -> None:
    with pytest.raises(NotAllowed, match="NATURAL"):
        plan("SELECT COUNT(*) FROM people NATURAL JOIN wards", dataset(), STORE)


@pytest.mark.parametrize(
    ("question", "cure"),
    [
        ("SELECT sex, COUNT(*) FROM people GROUP BY sex FETCH FIRST 1 ROW WITH TIES", "FIRST"),
        ("SELECT BOOL_OR(age > 90) FROM people", "COUNT_IF"),
        ("SELECT ARRAY_AGG(age) FROM people", "list the values of people"),
        ("SELECT NO_SUCH(age) FROM people", "NO_SUCH is no function known here"),
        ("SELECT * FROM people PIVOT (SUM(age) FOR sex IN ('F', 'M'))", "SUM(CASE WHEN"),
    ],
)
def test_what_dashboards_write_and_nobody_answers_has_a_cure(question: str, cure: str) -> None:
    with pytest.raises(NotAllowed) as refusal:
        plan(question, dataset(), STORE)
    assert cure in str(refusal.value)
