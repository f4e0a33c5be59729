"""What the engine is asked."""

from queries.clinic import dataset, store
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan


def test_nobody_counts_in_more_groups_than_declared() -> None:
    stays = [{"id": 1, "ward": ward, "cost": 1.0, "reason": None} for ward in (1, 2, 3)]
    stays += [{"id": 2, "ward": 7, "cost": 1.0, "reason": None}]
    made = store([], stays, [])
    query = plan("SELECT ward, COUNT(*), MEDIAN(cost) FROM visits GROUP BY ward", dataset(), made)
    numbers, steps = made.run(selects(query))
    wards = set(numbers["k0"].to_list())
    assert len(wards & {1, 2, 3}) == 2  # of three
    assert 7 in wards
    assert set(steps["k0"].to_list()) == wards


def test_a_group_without_a_value_is_a_group_too() -> None:
    made = store([], [{"id": 1, "ward": None, "cost": None, "reason": None}], [])
    query = plan("SELECT ward, COUNT(*), SUM(cost) FROM visits GROUP BY ward", dataset(), made)
    frame = made.run(selects(query))[0]
    assert frame.row(0)[:2] == (None, 1)


def test_both_dialects_are_spoken() -> None:
    made = store([], [], [])
    query = plan("SELECT sex, AVG(income), MEDIAN(age) FROM people GROUP BY sex", dataset(), made)
    for select in selects(query):
        assert select.sql(dialect="duckdb") and select.sql(dialect="postgres")
