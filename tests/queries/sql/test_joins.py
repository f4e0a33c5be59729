"""Joins that keep the unit, and those that would not."""

from fractions import Fraction

import pytest

from queries.clinic import PLACES, dataset, person, store, usual, wards
from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan
from shoal.queries.stores.duckdb_store import DuckStore

FULL = usual()


def count(question: str) -> int:
    found = FULL.run(selects(plan(question, dataset(), FULL)))[0].item(0, "x0")
    assert isinstance(found, int)
    return found


def test_joins_pair_what_sql_pairs() -> None:
    assert count("SELECT COUNT(*) FROM visits v JOIN people p ON p.id = v.id") == 60
    assert count("SELECT COUNT(*) FROM people p LEFT JOIN visits v USING (id)") == 60
    assert count("SELECT COUNT(*) FROM people p LEFT JOIN visits v ON v.id = p.id AND v.cost < 0") == 40
    assert count("SELECT COUNT(*) FROM visits v JOIN wards w USING (ward)") == 30 + 2 * 30
    assert count("SELECT COUNT(*) FROM visits v JOIN wards w ON w.ward = v.ward AND w.floor = 2") == 30


@pytest.mark.parametrize(
    "condition",
    [
        "p.id = p.id",
        "v.id = v.id",
        "p.id < v.id",
        "p.id = v.ward",
        "p.id = v.id OR p.id = 1",
        "TRUE",
        "COALESCE(p.id, 1) = v.id",
    ],
)
def test_private_tables_are_joined_on_the_unit_only(condition: str) -> None:
    with pytest.raises(NotAllowed, match="unit"):
        plan(f"SELECT COUNT(*) FROM people p JOIN visits v ON {condition}", dataset(), FULL)


def test_after_a_left_join_the_other_unit_may_be_missing_and_joins_nothing() -> None:
    with pytest.raises(NotAllowed, match="unit"):
        plan(
            "SELECT COUNT(*) FROM people p LEFT JOIN visits v ON p.id = v.id JOIN visits w ON w.id = v.id",
            dataset(),
            FULL,
        )


def test_an_equality_that_moves_with_the_public_table_pins_nothing_down() -> None:
    with pytest.raises(NotAllowed, match="equal"):
        plan("SELECT COUNT(*) FROM people p JOIN wards w ON w.floor = p.age - w.floor", dataset(), FULL)


def test_whole_numbers_and_numbers_are_not_joined() -> None:
    with pytest.raises(NotAllowed, match="number"):
        plan("SELECT COUNT(*) FROM people p JOIN wards w ON w.ward = p.income", dataset(), FULL)


def test_the_reach_is_checked_again_when_the_public_table_has_grown() -> None:
    made = store([person(1)], [{"id": 1, "ward": 1, "cost": 1.0, "reason": "flu"}], PLACES[:1])
    query = plan("SELECT COUNT(*) FROM visits JOIN wards USING (ward)", dataset(), made)
    assert [check.most for check in query.checks] == [1]
    made.append("wards", wards([{"ward": 1, "floor": 5, "name": "again"}]))
    check = query.checks[0]
    assert check.found(made.run([check.select])[0]) == 2


def test_two_tables_of_one_name_are_refused() -> None:
    with pytest.raises(NotAllowed, match="AS"):
        plan("SELECT COUNT(*) FROM people JOIN people ON people.id = people.id", dataset(), FULL)


def test_using_takes_no_columns_that_an_engine_would_have_to_cast() -> None:
    of = Dataset(
        "clinic",
        (
            Table("people", (Column("id", "integer"), Column("x")), unit="id"),
            Table("visits", (Column("id", "integer"), Column("x", "integer")), unit="id"),
            Table("wards", (Column("id", "integer"), Column("x", "number", 0, 1))),
        ),
        Budget(Fraction(1)),
    )
    made = DuckStore(of)
    for name in ("visits", "wards"):
        with pytest.raises(NotAllowed, match="CAST"):
            plan(f"SELECT COUNT(*) FROM people JOIN {name} USING (id, x)", of, made)


def test_an_outer_join_without_a_side_is_refused() -> None:
    with pytest.raises(NotAllowed, match="join"):
        plan("SELECT COUNT(*) FROM people OUTER JOIN visits USING (id)", dataset(), usual())
