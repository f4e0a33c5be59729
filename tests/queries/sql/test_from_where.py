"""FROM and WHERE."""

import pytest

from queries.clinic import dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.planner import plan

FULL = usual()


def count(question: str) -> int:
    found = FULL.run(selects(plan(question, dataset(), FULL)))[0].item(0, "x0")
    assert isinstance(found, int)
    return found


def test_a_named_sub_query_sees_only_those_before_it() -> None:
    assert (
        count(
            "WITH a AS (SELECT * FROM people), b AS (SELECT * FROM a WHERE age < 30) SELECT COUNT(*) FROM b"
        )
        == 10
    )
    with pytest.raises(NotAllowed, match="no table"):
        plan(
            "WITH a AS (SELECT * FROM b), b AS (SELECT * FROM people) SELECT COUNT(*) FROM a", dataset(), FULL
        )
    with pytest.raises(NotAllowed, match="no table"):
        plan("WITH a AS (SELECT * FROM a) SELECT COUNT(*) FROM a", dataset(), FULL)


def test_a_named_sub_query_may_hide_a_table() -> None:
    assert count("WITH people AS (SELECT * FROM people WHERE age < 30) SELECT COUNT(*) FROM people") == 10


def test_where_takes_conditions_only() -> None:
    assert count("SELECT COUNT(*) FROM people WHERE smokes") == 10
    with pytest.raises(NotAllowed, match="condition"):
        plan("SELECT COUNT(*) FROM people WHERE income", dataset(), FULL)


def test_a_sub_query_needs_a_name() -> None:
    with pytest.raises(NotAllowed, match="name"):
        plan("SELECT COUNT(*) FROM (SELECT * FROM people)", dataset(), FULL)
