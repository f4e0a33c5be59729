"""Names in FROM and what they stand for."""

import pytest
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.sources import MOST_RELATIONS, Draft, Rows, Scope, Source, under_alias
from shoal.queries.sql.typed_expression import TypedExpression

X, Y = (TypedExpression(exp.column(name, table="t0"), "integer") for name in "xy")
SCOPE = Scope({"a": Source({"x": X}), "b": Source({"x": Y, "y": Y})})


def test_a_column_is_found_by_its_name_whatever_the_case() -> None:
    assert SCOPE.column("Y", None) is Y
    assert SCOPE.column("X", "A") is X


@pytest.mark.parametrize(
    ("name", "table", "word"),
    [("x", None, "a.x"), ("z", None, "no column"), ("x", "c", "no table"), ("y", "a", "no column")],
)
def test_an_unknown_or_doubtful_name_is_refused(name: str, table: str | None, word: str) -> None:
    with pytest.raises(NotAllowed, match=word):
        SCOPE.column(name, table)


def test_a_column_of_using_is_one() -> None:
    assert Scope(SCOPE.sources, {"x": X}).column("x", None) is X


def test_readdressing_moves_every_column_and_the_code() -> None:
    part = TypedExpression(
        exp.Mul(this=exp.column("c0"), expression=exp.column("c0")), "number", code=exp.column("c0")
    )
    moved = under_alias(part, "t7")
    assert moved.sql.sql() == "t7.c0 * t7.c0"
    assert moved.code is not None and moved.code.sql() == "t7.c0"


def test_a_question_opens_so_many_tables_only() -> None:
    draft = Draft()
    assert [draft.alias() for _ in range(MOST_RELATIONS)][-1] == f"t{MOST_RELATIONS - 1}"
    with pytest.raises(NotAllowed, match="tables"):
        draft.alias()


def test_rows_of_nobody_have_no_unit() -> None:
    with pytest.raises(NotAllowed, match="public"):
        _ = Rows(exp.Select(), SCOPE, None, 1, None).whose
