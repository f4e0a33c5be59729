"""Row expressions: the allow-list of what may be asked of one row, rebuilt so that it cannot raise.

Nothing of the analyst's tree is kept: columns come from the scope, values are read and written anew,
functions are those of a list. What is not on the list is refused before anything is run.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql import (
    arithmetic,
    casts,
    comparisons,
    conditionals,
    date_arithmetic,
    date_parts,
    literals,
    number_functions,
    text_functions,
    text_searches,
)
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.planning_time import go_on
from shoal.queries.sql.text_functions import unreadable
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.value_properties import Cell, Scope, Walk, cell_of, refuse

DEEPEST = 50
MOST = 500
_REBUILT_DEEPEST = 120  # sqlglot writes trees by recursion
_REBUILT = 5_000

_ALLOWED: dict[type[exp.Expression], Callable[[exp.Expression, Walk], Cell]] = {
    exp.Literal: literals.literal,
    exp.Boolean: literals.truth,
    exp.Null: literals.null,
    literals.EarlierNumber: literals.earlier_number,
    exp.Add: arithmetic.arithmetic,
    exp.Sub: arithmetic.arithmetic,
    exp.Mul: arithmetic.arithmetic,
    exp.Div: arithmetic.division,
    exp.Mod: arithmetic.remainder,
    exp.IntDiv: arithmetic.remainder,
    exp.Neg: arithmetic.negation,
    exp.EQ: comparisons.comparison,
    exp.NEQ: comparisons.comparison,
    exp.LT: comparisons.comparison,
    exp.LTE: comparisons.comparison,
    exp.GT: comparisons.comparison,
    exp.GTE: comparisons.comparison,
    exp.NullSafeEQ: comparisons.comparison,
    exp.NullSafeNEQ: comparisons.comparison,
    exp.Is: comparisons.is_value,
    exp.Between: comparisons.between,
    exp.In: comparisons.is_in,
    exp.And: comparisons.both,
    exp.Or: comparisons.both,
    exp.Not: comparisons.opposite,
    exp.Case: conditionals.case,
    exp.If: conditionals.if_then,
    exp.Coalesce: conditionals.coalesce,
    exp.Nullif: conditionals.nullif,
    exp.Least: conditionals.extreme,
    exp.Greatest: conditionals.extreme,
    exp.Abs: number_functions.absolute,
    exp.Round: number_functions.round_number,
    exp.Floor: number_functions.whole_part,
    exp.Ceil: number_functions.whole_part,
    exp.Sign: number_functions.sign,
    exp.Sqrt: number_functions.root,
    exp.Ln: number_functions.logarithm,
    exp.Exp: number_functions.exponential,
    exp.Pow: number_functions.power,
    exp.Cast: casts.cast,
    exp.TryCast: casts.cast,
    exp.Extract: date_parts.extract,
    **dict.fromkeys(date_parts.NAMED, date_parts.named_part),
    exp.TimestampTrunc: date_arithmetic.truncate,
    exp.DateTrunc: date_arithmetic.truncate,
    exp.DateDiff: date_arithmetic.difference,
    exp.DateAdd: date_arithmetic.move,
    exp.DateSub: date_arithmetic.move,
    exp.Date: date_arithmetic.to_date,
    exp.Lower: text_functions.change_case,
    exp.Upper: text_functions.change_case,
    exp.Trim: text_functions.trim,
    exp.Length: text_functions.length,
    exp.Substring: text_functions.part,
    exp.Left: text_functions.part,
    exp.DPipe: text_functions.concatenate,
    exp.Right: text_functions.right,
    exp.Replace: text_functions.replace_part,
    exp.SplitPart: text_functions.split_part,
    exp.Like: text_searches.like,
    exp.ILike: text_searches.like,
    exp.StartsWith: text_searches.starts_with,
    exp.EndsWith: text_searches.starts_with,
    exp.StrPosition: text_searches.position,
    exp.Contains: text_searches.contains,
    exp.RegexpLike: text_searches.matches,
    exp.RegexpReplace: text_searches.replace_match,
    exp.RegexpExtract: text_searches.extract_match,
}
# What has a place inside of these, and is no value itself.
_PARTS = (exp.Paren, exp.Column, exp.Identifier, exp.Var, exp.DataType, exp.DataTypeParam, exp.Interval)
_CLOCK = (exp.CurrentTimestamp, exp.CurrentTime, exp.CurrentDatetime, exp.Localtimestamp)
_CURES: tuple[tuple[type, str], ...] = (
    (exp.AggFunc, "it looks at many rows; an aggregate stands alone, and nothing of its kind inside it"),
    (exp.Window, "windows over people's rows are not answered; use GROUP BY"),
    (
        exp.Query,
        "a sub-query stands in FROM, IN, EXISTS, and as one number in WHERE; ask for its number first and "
        "write that here",
    ),
    (exp.Exists, "it may be tied to the row around it by equal columns alone, as in v.id = p.id"),
    (exp.AtTimeZone, "moments are in UTC here; write 'UTC', or add hours, as in x + INTERVAL '2' HOUR"),
    (exp.DateBin, "write DATE_TRUNC('week', x), or a step by arithmetic"),
    (exp.Placeholder, "write the value itself"),
    (exp.Tuple, "write columns without brackets, as in COUNT(DISTINCT a, b)"),
    *(
        (
            kind,
            "it is another one for every question, which costs anew; write CURRENT_DATE or the moment itself",
        )
        for kind in _CLOCK
    ),
    (exp.Func, "no such function is known here; docs/sql.md lists those that are"),
)


@dataclass(frozen=True)
class _Walk:
    scope: Scope
    dialect: str

    def cell(self, node: object) -> Cell:
        """A part of the tree rebuilt, by what it is and never by what it derives from."""
        go_on()
        if not isinstance(node, exp.Expression):
            raise NotAllowed(
                "an argument is missing or not understood; write functions with all their arguments"
            )
        if isinstance(node, exp.Paren):
            only(node, "this")
            return self.cell(node.this)
        if isinstance(node, exp.Column):
            return self._column(node)
        if _date_part(node):
            return date_parts.date_part(node, self)
        rebuild = _ALLOWED.get(type(node))
        if rebuild is None:
            refuse(node, "a value stands here; write a column, a number or an expression")
        return rebuild(node, self)

    def _column(self, node: exp.Column) -> Cell:
        only(node, "this", "table")
        for part in (node.this, node.args.get("table")):
            if part is not None and (not isinstance(part, exp.Identifier) or not isinstance(part.this, str)):
                refuse(node, "name one column, as in age or people.age")
        return cell_of(self.scope.column(node.name, node.table or None))


def type_expression(node: exp.Expression, scope: Scope, dialect: str) -> TypedExpression:
    """An expression over one row, rebuilt for an engine, with its kind, bounds and domain.

    In DuckDB and PostgreSQL it raises for no row that a store can hold, and is never NaN or infinite.
    Integers come as BIGINT and numbers as DOUBLE. What is not allowed raises NotAllowed.
    """
    if not isinstance(node, exp.Expression):  # COUNT() has no argument at all
        raise NotAllowed("an argument is missing or not understood; write functions with all their arguments")
    _check_size(node, DEEPEST, MOST)
    _check_known(node)
    try:
        cell = _Walk(scope, dialect).cell(node)
    except RecursionError:
        raise NotAllowed("the expression is nested too deeply; ask in several steps") from None
    _check_size(cell.sql, _REBUILT_DEEPEST, _REBUILT)
    # What else is known of a cell holds for this expression only and must not travel with a changed one.
    known = cell.domain, cell.code, cell.grid, cell.unit, cell.key, cell.total, cell.length
    return TypedExpression(cell.sql, cell.kind, cell.low, cell.high, *known)


def type_condition(node: exp.Expression, scope: Scope, dialect: str) -> TypedExpression:
    """The same where a condition stands: a whole number holds where it is not nought."""
    found = type_expression(node, scope, dialect)
    if found.kind != "integer":
        return found
    zero = exp.Literal.number(0)
    return type_expression(exp.NEQ(this=exp.Paren(this=node.copy()), expression=zero), scope, dialect)


def _check_size(node: exp.Expression, deepest: int, most: int) -> None:
    """Refuses a tree that is too large, without recursion."""
    level, seen, depth = [node], 0, 0
    while level:
        depth += 1
        seen += len(level)
        if depth > deepest or seen > most:
            raise NotAllowed(
                f"an expression has at most {DEEPEST} levels and {MOST} parts; use IN, or several steps"
            )
        level = [child for part in level for child in part.iter_expressions()]


def _check_known(node: exp.Expression) -> None:
    """Refuses a tree with anything in it that is not on the list, before a part of it is looked at.

    Letters that nobody can read are refused too: they would travel into messages, logs and answers.
    """
    for part in node.walk():
        if not isinstance(part, exp.Expression):
            raise NotAllowed(f"{type(part).__name__} cannot be asked: it is not known here")
        if type(part) not in _ALLOWED and type(part) not in _PARTS and not _date_part(part):
            refuse(
                part, next((cure for kind, cure in _CURES if isinstance(part, kind)), "it is not known here")
            )
        for value in part.args.values():
            if isinstance(value, str) and unreadable(value):
                raise NotAllowed("a name or text has control characters in it; leave them out")


def _date_part(node: exp.Expression) -> bool:
    """DATE_PART, the one function that sqlglot reads without knowing it."""
    return type(node) is exp.Anonymous and str(node.this).lower() in ("date_part", "datepart")
