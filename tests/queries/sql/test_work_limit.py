"""What one person's rows can cost at most is known before anything is asked."""

from __future__ import annotations

from dataclasses import replace

import pytest

from queries.clinic import VISITS, dataset, store
from shoal.core.errors import NotAllowed
from shoal.queries.sql.planner import plan
from shoal.queries.sql.work_limit import LOOKED_UP, MOST_ROWS, MOST_WORK, PER_ROW, TEXT, check_rows, weight

JOIN = "SELECT COUNT(*) FROM people p JOIN wards w ON w.ward = p.age"
CROWD = [{"ward": 1, "floor": 0, "name": "north"}] * (MOST_ROWS // 3)


def test_a_text_weighs_more_than_a_number_and_a_longer_question_more_than_a_short_one() -> None:
    made = store([], [], [])

    def weighed(sql: str) -> int:
        return weight([plan(sql, dataset(), made).source])

    plain = weighed("SELECT COUNT(*) FROM people")
    number = weighed("SELECT COUNT(*) FROM people WHERE age > 3")
    text = weighed("SELECT COUNT(*) FROM people WHERE town LIKE '%a%'")
    assert plain < number < number + TEXT - 5 < text
    assert weighed("SELECT COUNT(*) FROM people WHERE town LIKE '%a%' AND town LIKE '%b%'") > text + TEXT


def test_a_join_that_could_give_one_person_too_many_rows_is_refused() -> None:
    made = store([], [], [*CROWD, *CROWD, *CROWD, *CROWD])
    with pytest.raises(NotAllowed, match=rf"at most {MOST_ROWS:,} can be answered"):
        plan(JOIN, dataset(), made)
    check_rows(50_000, declared=50_000)
    with pytest.raises(NotAllowed):
        check_rows(50_001, declared=50_000)


def test_many_rows_and_a_long_question_are_refused_together_and_not_apart() -> None:
    made = store([], [], CROWD)
    heavy = " AND ".join(f"p.town LIKE '%{number}%'" for number in range(20))
    plan(JOIN, dataset(), made)
    plan(f"SELECT COUNT(*) FROM people p WHERE {heavy}", dataset(), made)
    with pytest.raises(NotAllowed, match=r"who can have 3,333 rows in it; at most 218,000 are done"):
        plan(f"{JOIN} WHERE {heavy}", dataset(), made)
    # Also where the rows are put together again before the end.
    inner = "SELECT p.id, COUNT(*) AS n FROM people p JOIN wards w ON w.ward = p.age WHERE {} GROUP BY p.id"
    with pytest.raises(NotAllowed, match="at most 218,000 are done"):
        plan(f"SELECT AVG(n) FROM ({inner.format(heavy)}) AS s", dataset(), made)


def test_an_owner_who_declares_many_rows_can_have_them_asked_about() -> None:
    of = dataset()
    declared = replace(VISITS, rows=20_000)
    many = replace(of, tables=(of.tables[0], declared, of.tables[2]))
    made = store([], [], [], many)
    plan("SELECT ward, AVG(cost) FROM visits WHERE reason = 'flu' AND cost > 3 GROUP BY ward", many, made)
    assert MOST_WORK + PER_ROW * 20_000 > 20_000 * 50


@pytest.mark.parametrize(
    ("asked", "times"),
    [
        ("LENGTH(town) > 3", 1),
        ("town LIKE '%a%'", 1),
        ("RIGHT(town, 3) = 'x'", 3),
        ("POSITION('a' IN town) > 3", 5),
        ("town ILIKE '%a%'", 10),
        ("SPLIT_PART(town, 'a', 400) = 'x'", 12),
        ("SPLIT_PART(LEFT(town, 100), 'a', 400) = 'x'", 3),
        ("REPLACE(town, 'a', 'b') = 'x'", 12),
        ("REGEXP_REPLACE(town, 'a', 'b', 'g') = 'x'", 80),
        ("LENGTH(town || town || town) > 3", 8),
        ("SPLIT_PART(town || town, 'a', 400) = 'x'", 26),
    ],
)
def test_what_takes_an_engine_longer_costs_more(asked: str, times: int) -> None:
    """Sixteen SPLIT_PART of 9,000 letters took 14 ms for one person, and were counted like those of ten."""
    query = plan(f"SELECT COUNT(*) FROM people WHERE {asked}", dataset(), store([], [], []))
    assert times * TEXT <= weight([query.source]) <= (times + 5) * TEXT


@pytest.mark.parametrize("asked", ["COUNT(DISTINCT w.name)", "MEDIAN(w.floor)", "w.name, COUNT(*)"])
def test_what_is_looked_up_among_other_rows_costs_more_than_what_is_counted(asked: str) -> None:
    made, rest = store([], [], CROWD[:600]), "FROM people p JOIN wards w ON w.ward = p.age"
    group = " GROUP BY 1" if "," in asked else ""
    works = [
        plan(f"SELECT {part} {rest}{by}", dataset(), made).work
        for part, by in (("COUNT(*)", ""), (asked, group))
    ]
    assert works[1] - works[0] >= 600 * LOOKED_UP
