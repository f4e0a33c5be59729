"""What aggregates are made of, and what is shared between them."""

import pytest

from queries.clinic import dataset, person, store, usual
from shoal.core.errors import NotAllowed
from shoal.queries.query import Query
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

FULL = usual()


def query(question: str) -> Query:
    return plan(question, dataset(), FULL)


def test_what_several_aggregates_need_is_paid_for_once() -> None:
    assert query("SELECT AVG(income), COUNT(income) FROM people").parts == 1
    assert query("SELECT VAR_POP(income), STDDEV(income) FROM people").parts == 1
    assert query("SELECT COUNT(*), SUM(age), AVG(age), VAR_POP(age), STDDEV(age) FROM people").parts == 1
    assert query("SELECT COUNT(*), SUM(age), AVG(income) FROM people").parts == 2
    assert query("SELECT COUNT(*), COUNT(*) + 1, COUNT(*) AS n FROM people").parts == 1
    assert query("SELECT MEDIAN(age), QUANTILE_CONT(age, 0.5) FROM people").parts == 1
    assert query("SELECT SUM(age), SUM(income) FROM people").parts == 2


def test_people_with_one_row_each_are_counted_as_rows() -> None:
    assert query("SELECT COUNT(DISTINCT id) FROM people").columns[0].function == "rows"
    assert query("SELECT COUNT(DISTINCT id) FROM visits").columns[0].function == "distinct"


def test_squares_fit_into_64_bits_for_hundreds_of_millions_of_rows() -> None:
    for bounds in ("income", "age", "age * income", "age / 1000"):
        reach = query(f"SELECT VAR_POP({bounds}) FROM people").primitives[1].reach
        assert reach * 2**29 < 2**63


@pytest.mark.parametrize(
    "aggregate",
    [
        "QUANTILE_CONT(age, 2)",
        "QUANTILE_CONT(age, -0.5)",
        "QUANTILE_CONT(age, 'x')",
        "SUM(DISTINCT age, income)",
        "VAR_POP(DISTINCT age)",
        "MODE(age)",
        "COUNT(DISTINCT age, income)",
        "ARG_MAX(age, income)",
        "HISTOGRAM(age)",
        "BIT_XOR(age)",
        "MIN(town)",
        "MAX(weight)",
        "AVG(born)",
    ],
)
def test_other_aggregates_are_refused(aggregate: str) -> None:
    with pytest.raises(NotAllowed):
        query(f"SELECT {aggregate} FROM people")


def test_a_descending_percentile_counts_from_the_other_end() -> None:
    found = query("SELECT PERCENTILE_CONT(0.1) WITHIN GROUP (ORDER BY age DESC) FROM people")
    assert float(found.quantiles[0].share) == pytest.approx(0.9)


@pytest.mark.parametrize("condition", ["town", "income", "born"])
def test_a_filter_takes_conditions_only_because_a_cast_of_the_rest_could_raise(condition: str) -> None:
    with pytest.raises(NotAllowed, match="not a condition"):
        query(f"SELECT COUNT(*) FILTER (WHERE {condition}) FROM people")


def test_several_columns_are_counted_as_one_that_differs_where_one_of_them_does() -> None:
    towns = ["a", "ab", "1:a", "a", None, "a"]
    sexes = ["F", "F", "M", "F", "F", None]
    ages = [21, 1, 2, 21, 5, 5]
    people = [
        person(number, town=town, sex=sex, age=age)
        for number, (town, sex, age) in enumerate(zip(towns, sexes, ages, strict=True))
    ]
    made = store(people, [], [])
    asked = plan("SELECT COUNT(DISTINCT town, sex, age) FROM people", dataset(), made)
    assert made.run(selects(asked))[0].item() == 3  # as in MySQL, nobody with a null is counted
    assert asked.primitives[0].reach == 1
    assert query("SELECT COUNT(DISTINCT id, ward) FROM visits").primitives[0].reach == 3
    with pytest.raises(NotAllowed, match="ROUND"):
        query("SELECT COUNT(DISTINCT sex, weight) FROM people")
