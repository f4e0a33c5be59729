"""Row expressions as a whole: random ones against both engines and Python, and all that must be refused."""

import logging
from dataclasses import dataclass

import pytest
import sqlglot
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlglot import exp
from sqlglot.dialects import DuckDB
from sqlglot.errors import SqlglotError

from queries.sql.rows_injections import EXPRESSIONS
from queries.sql.rows_pieces import Piece, pieces, wild
from queries.sql.rows_scene import DIALECTS, SEEN, Engines, People, check, near, parsed, rebuilt
from shoal.core.errors import NotAllowed
from shoal.queries.sql.expressions import DEEPEST, MOST, type_expression
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.value_properties import Scope

BOTH = settings(max_examples=60, suppress_health_check=list(HealthCheck))
# Every function of sqlglot's that can be asked; the last are names of its own for casts and parts of texts.
KNOWN = {
    "@", "ABS", "CEIL", "CEILING", "CHARACTER_LENGTH", "CHAR_LENGTH", "COALESCE", "DAY", "EXP", "EXTRACT",
    "FLOOR", "GREATEST", "IF", "IFNULL", "IIF", "LCASE", "LEAST", "LEFT", "LEN", "LENGTH", "LN", "LOWER",
    "LTRIM", "MOD", "MONTH", "NULLIF", "NVL", "POW", "POWER", "ROUND", "RTRIM", "SIGN", "SIGNUM", "SQRT",
    "SUBSTR", "SUBSTRING", "TRIM", "UCASE", "UPPER", "YEAR", "CAST", "TRY_CAST", "DATE_TO_DATE_STR",
    "TIME_TO_TIME_STR", "TS_OR_DS_TO_DATE_STR", "CONTAINS", "DATE", "DATEDIFF", "DATETRUNC", "DATE_DIFF",
    "DATE_TRUNC", "DAYOFMONTH", "DAYOFWEEK", "DAYOFWEEK_ISO", "DAYOFYEAR", "DAY_OF_MONTH", "DAY_OF_WEEK",
    "DAY_OF_YEAR", "ENDSWITH", "ENDS_WITH", "EPOCH", "HOUR", "INSTR", "ISODOW", "MINUTE", "POSITION",
    "QUARTER", "REGEXP_EXTRACT", "REGEXP_LIKE", "REGEXP_MATCHES", "REGEXP_REPLACE", "REPLACE", "RIGHT",
    "RLIKE", "SECOND", "SPLIT_PART", "STARTSWITH", "STARTS_WITH", "STRPOS", "STR_POSITION", "TIME_TO_UNIX",
    "TIMESTAMP_TRUNC", "WEEK", "WEEKOFYEAR", "WEEK_OF_YEAR", "DAYOFWEEKISO",
    "AND", "OR",
}  # fmt: skip
ARGUMENTS = (
    "", "age", "age, 2", "name", "name, 2", "name, 'x'", "age, 2, 3", "name, 1, 2", "day", "day, day",
    "'day', day, day", "flag, 1, 2", "name, name, name, name", "*", "DISTINCT age", "NULL", "[1]",
    "age, age, age, age, age",
)  # fmt: skip
WORDS = (
    "age", "name", "day", "flag", "price", "raw", "(", ")", "(", ")", ",", "+", "-", "*", "/", "%", "//",
    "||", "=", "<", "AND", "OR", "NOT", "IS", "NULL", "TRUE", "IN", "BETWEEN", "LIKE", "'a'", "'%'", "1",
    "0.5", "CASE", "WHEN", "THEN", "ELSE", "END", "CAST(", "AS INT)", "::", "DATE", "ABS(", "LEAST(",
    "COALESCE(", "EXTRACT(", "YEAR FROM", "x.y", "[", "]", "{", "}", "->", ":", ".", "?", "$1", "SELECT",
    "FROM people", "OVER ()", "INTERVAL", "ESCAPE", "COLLATE", "*", "FILTER", "WITHIN GROUP", "ORDER BY",
    "DISTINCT", "EXISTS", "ANY", "LAMBDA", "STRUCT", "MAP", "TRY_CAST(", "ILIKE",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _quiet() -> None:
    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)


@BOTH
@given(piece=pieces())
def test_random_expressions_do_what_python_says_in_both_engines(piece: Piece, nasty: Engines) -> None:
    try:
        found = {dialect: rebuilt(piece.sql, dialect) for dialect in DIALECTS}
    except NotAllowed:
        return
    wanted = [piece.value(row) for row in SEEN]
    for dialect in DIALECTS:
        values = [row[0] for row in nasty.run(dialect, [found[dialect].sql])]
        check(found[dialect], values)
        for value, expected in zip(values, wanted, strict=True):
            same = float(expected) if isinstance(value, float) and expected is not None else expected
            assert near(value, same), (dialect, value, expected)


@BOTH
@given(sql=wild())
def test_wild_expressions_never_raise_and_stay_within_their_bounds(sql: str, nasty: Engines) -> None:
    try:
        found = {dialect: rebuilt(sql, dialect) for dialect in DIALECTS}
    except NotAllowed:
        return
    for dialect in DIALECTS:
        check(found[dialect], [row[0] for row in nasty.run(dialect, [found[dialect].sql])])


@pytest.mark.parametrize("sql", EXPRESSIONS)
def test_what_a_malicious_analyst_asks_is_refused(sql: str) -> None:
    try:
        trees = [tree for tree in sqlglot.parse(f"SELECT {sql}", read="duckdb") if tree is not None]
    except SqlglotError:
        return
    if len(trees) != 1 or not isinstance(trees[0], exp.Select) or trees[0].args.get("from_"):
        return  # not one expression: the planner's to refuse
    with pytest.raises(NotAllowed) as refusal:
        for node in trees[0].expressions or [exp.Star()]:
            type_expression(node, People(), "duckdb")
    assert str(refusal.value).isprintable() and len(str(refusal.value)) < 250


def test_the_corpus_is_large() -> None:
    assert len(set(EXPRESSIONS)) > 250


@pytest.mark.slow
def test_every_function_that_sqlglot_knows_is_on_the_list_or_refused() -> None:
    parser = DuckDB.Parser
    names = {name for kind in exp.ALL_FUNCTIONS for name in kind.sql_names()}
    names |= {*parser.FUNCTIONS, *parser.FUNCTION_PARSERS, *parser.NO_PAREN_FUNCTION_PARSERS}
    taken = set()
    for name in names:
        for arguments in ARGUMENTS:
            try:
                node = parsed(f"{name}({arguments})")
            except (SqlglotError, IndexError):
                continue
            try:
                type_expression(node, People(), "duckdb")
                taken.add(name)
            except NotAllowed:
                pass
    assert len(names) > 500 and taken <= KNOWN, taken - KNOWN


@settings(max_examples=240)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=14))
def test_garbage_gives_a_refusal_and_nothing_else(words: list[str]) -> None:
    try:
        tree = sqlglot.parse_one("SELECT " + " ".join(words), read="duckdb")
    except (SqlglotError, RecursionError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return  # what the reader itself makes of garbage is the planner's matter
    for node in tree.expressions:
        try:
            found = type_expression(node, People(), "duckdb")
        except NotAllowed:
            continue
        assert isinstance(found, TypedExpression) and found.sql.sql(dialect="duckdb")


@pytest.mark.parametrize(
    "sql",
    [
        "- " * 49 + "age",
        "flag" + " AND flag" * 60,
        "1" + " + 1" * 60,
        "CASE WHEN flag THEN " * 25 + "age" + " END" * 25,
        "age IN (" + ", ".join(str(number) for number in range(600)) + ")",
    ],
)
def test_a_tree_that_is_too_large_is_refused(sql: str) -> None:
    with pytest.raises(NotAllowed, match=f"{DEEPEST} levels and {MOST} parts"):
        rebuilt(sql)


def test_a_tree_deeper_than_the_stack_is_refused_without_a_traceback() -> None:
    node: exp.Expression = exp.column("flag")
    for _ in range(5_000):
        node = exp.Not(this=node)
    with pytest.raises(NotAllowed, match="levels"):
        type_expression(node, People(), "duckdb")


def test_the_deepest_that_is_allowed_can_be_written_for_both_engines(nasty: Engines) -> None:
    for sql in ("- " * 47 + "age", "flag" + " AND flag" * 47, "'a'" + " || 'a'" * 48, "age" + " / 1" * 47):
        for dialect in DIALECTS:
            check(rebuilt(sql, dialect), nasty.values(sql, dialect))


@dataclass(frozen=True)
class _Remembering:
    """A scope that keeps the trees it gave."""

    given: list[exp.Expression]
    inner: Scope

    def column(self, name: str, table: str | None) -> TypedExpression:
        found = self.inner.column(name, table)
        self.given.append(found.sql)
        return found


@settings(max_examples=60, suppress_health_check=list(HealthCheck))
@given(piece=pieces(2))
def test_no_node_of_the_analysts_tree_or_of_the_scope_is_kept(piece: Piece) -> None:
    node, scope = parsed(piece.sql), _Remembering([], People())
    before = node.copy()
    try:
        found = type_expression(node, scope, "duckdb")
    except NotAllowed:
        return
    kept = {id(part) for part in node.walk()} | {id(part) for tree in scope.given for part in tree.walk()}
    assert not any(id(part) in kept for part in found.sql.walk())
    assert node == before
    assert not any(part.comments for part in found.sql.walk())
    for column in found.sql.find_all(exp.Column):
        assert column.table == "t0" and column.this.args["quoted"]


def test_a_bare_column_keeps_its_code_and_its_unit_and_nothing_else_does() -> None:
    assert rebuilt("((price))").code == People().column("price", None).code
    assert rebuilt("people.price").code is not None
    assert rebuilt("id").unit
    for sql in (
        "COALESCE(id, 'x')",
        "CAST(id AS VARCHAR)",
        "LEFT(id, 3)",
        "LEAST(id, id)",
        "TRIM(id)",
        "id || ''",
    ):
        assert not rebuilt(sql).unit and rebuilt(sql).code is None, sql


def test_comments_of_the_analyst_do_not_travel() -> None:
    found = rebuilt("age /* secret */ + 1 -- more")
    assert "secret" not in found.sql.sql(dialect="duckdb") and "more" not in found.sql.sql(dialect="duckdb")
