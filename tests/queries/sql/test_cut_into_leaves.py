"""Every private table is read inside a leaf, and by nothing else."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from queries.clinic import dataset, usual
from shoal.core.errors import NotAllowed
from shoal.queries.sql.cut_into_leaves import MOST_LEAVES, Cutter, leaf_name, public_name
from shoal.queries.sql.planner import plan_leaf

STORE = usual()


def cut(text: str) -> tuple[Cutter, exp.Query]:
    tree = sqlglot.parse_one(text, dialect="duckdb")
    assert isinstance(tree, exp.Expression)
    cutter = Cutter(dataset(), STORE, plan_leaf)
    return cutter, cutter.query(tree, {}).tree


@pytest.mark.parametrize(
    "text",
    [
        "SELECT COUNT(*) FROM people UNION ALL SELECT COUNT(*) FROM visits",
        "WITH a AS (SELECT * FROM people), b AS (SELECT sex, COUNT(*) n FROM a GROUP BY sex) SELECT * FROM b",
        "SELECT sex, COUNT(*) / (SELECT COUNT(*) FROM visits) FROM people GROUP BY sex ORDER BY (SELECT 1)",
        "SELECT * FROM (SELECT ward, COUNT(*) AS n FROM visits GROUP BY ward) t JOIN wards USING (ward)",
        "SELECT n FROM (SELECT COUNT(*) AS n FROM people) t WHERE n > (SELECT MIN(cost) FROM visits)",
        "SELECT n FROM (SELECT COUNT(*) AS n FROM people) t WHERE EXISTS (SELECT COUNT(*) FROM visits)",
        "SELECT sex, town, COUNT(*) FROM people GROUP BY CUBE (sex, town)",
    ],
)
def test_what_is_left_reads_leaves_and_public_tables(text: str) -> None:
    cutter, tree = cut(text)
    known = {leaf_name(number) for number in range(len(cutter.leaves))}
    known |= {public_name(table) for table in cutter.publics.values()}
    known |= {part.alias for part in tree.find_all(exp.CTE)}
    assert {table.name for table in tree.find_all(exp.Table)} <= known
    assert all(table.unit is None for table in cutter.publics.values())


def test_a_question_has_so_many_leaves_only() -> None:
    many = " UNION ALL ".join(
        f"SELECT COUNT(*) FROM people WHERE age > {age}" for age in range(MOST_LEAVES + 1)
    )
    with pytest.raises(NotAllowed, match="private parts"):
        cut(many)
