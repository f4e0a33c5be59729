"""A grouped query is split into what is counted and what is done with it."""

# ruff: noqa: E501

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.sql.from_where import rows_of
from shoal.queries.sql.leaf_split import Split, split, union
from shoal.queries.sql.sources import Draft, Setting

SETTING = Setting(dataset(), usual(), Draft())


def parts(text: str) -> Split:
    tree = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Select)
    return split(tree, rows_of(tree, Setting(SETTING.dataset, SETTING.store, Draft())).scope)


def test_the_inner_part_has_keys_and_aggregates_alone() -> None:
    found = parts(
        "SELECT sex, 100 * COUNT(*) / SUM(COUNT(*)) OVER () AS s FROM people WHERE age > 3 GROUP BY sex HAVING AVG(age) > 1"
    )
    ((keys, inner),) = found.inner
    assert keys == (0,)
    assert (
        inner.sql() == "SELECT sex AS k0, COUNT(*) AS a0, AVG(age) AS a1 FROM people WHERE age > 3 GROUP BY 1"
    )
    assert found.outer.sql() == 'SELECT k0 AS "sex", 100 * a0 / SUM(a0) OVER () AS "s" WHERE a1 > 1'


def test_grouping_sets_are_as_many_inner_parts() -> None:
    found = parts("SELECT sex, town, COUNT(*), GROUPING(sex, town) FROM people GROUP BY ROLLUP (sex, town)")
    assert [keys for keys, _ in found.inner] == [(0, 1), (0,), ()]
    assert "NULL AS k1" in union(found, ["a", "b", "c"]).sql()
    assert "3 AS g0" in union(found, ["a", "b", "c"]).sql()
    cube = parts("SELECT sex, town, COUNT(*) FROM people GROUP BY CUBE (sex, town)")
    assert [keys for keys, _ in cube.inner] == [(0, 1), (0,), (1,), ()]
    sets = parts("SELECT sex, town, COUNT(*) FROM people GROUP BY smokes, GROUPING SETS ((sex, town), 1, ())")
    assert [keys for keys, _ in sets.inner] == [(0, 1, 2), (0, 1), (0,)]
    old = parts("SELECT sex, town, COUNT(*) FROM people GROUP BY 1, 2 WITH ROLLUP")
    assert [keys for keys, _ in old.inner] == [(0, 1), (0,), ()]


def test_what_is_not_grouped_by_is_not_told() -> None:
    with pytest.raises(NotAllowed, match="not in GROUP BY"):
        parts("SELECT GROUPING(age) FROM people GROUP BY ROLLUP (sex)")
    with pytest.raises(NotAllowed, match="many rows"):
        parts("SELECT age, COUNT(*) OVER () FROM people GROUP BY sex")
