"""Functions under the names and forms that row expressions know."""

from __future__ import annotations

import calendar
from datetime import UTC, date, datetime
from typing import TypeGuard

from sqlglot import exp

from shoal.queries.sql.paired_aggregates import PAIRED, of_means
from shoal.queries.sql.planning_time import go_on
from shoal.queries.sql.time_zones import in_universal_time

_DECIMAL = 2.302585092994046  # LN(10), as a double
_BINARY = 0.6931471805599453
_FUNCTIONS: dict[str, type[exp.Expression]] = {
    "VAR": exp.Variance,
    "STDEV": exp.Stddev,
    "STD": exp.Stddev,
    "MEAN": exp.Avg,
}
_MOMENTS = ("NOW", "GETDATE", "SYSDATE", "TRANSACTION_TIMESTAMP")
REWRITTEN = (
    exp.Anonymous,
    exp.ApproxDistinct,
    exp.AtTimeZone,
    exp.Cast,
    exp.Concat,
    exp.CurrentDate,
    exp.Dayname,
    exp.Distinct,
    exp.Dot,
    exp.EQ,
    exp.In,
    exp.Log,
    exp.Monthname,
    *PAIRED,
    exp.TimeToStr,
    exp.ToChar,
    exp.Trunc,
    exp.WidthBucket,
)
_STEPS: dict[str, type[exp.Expression]] = {
    "FLOOR_BY": exp.Floor,
    "ROUND_BY": exp.Round,
    "CEIL_BY": exp.Ceil,
}
_QUANTILES = ("APPROX_PERCENTILE", "PERCENTILE", "PERCENTILE_APPROX")
# How much of 2024-01-31 a format shows.
_DAYS = {"%Y": 4, "%Y-%m": 7, "%Y-%m-%d": 10, "%F": 10, "YYYY": 4, "YYYY-MM": 7, "YYYY-MM-DD": 10}
_DIGITS = 15  # behind the point that a decimal may have
_TRUNCATED = 9  # digits of TRUNC, on either side of the point


def today() -> date:
    """What CURRENT_DATE is: the day in UTC, on which a question is understood."""
    return datetime.now(UTC).date()


def plain_function(node: exp.Expr) -> exp.Expr:
    """A function under the name that it has here."""
    go_on()
    if isinstance(node, exp.Dot) and isinstance(node.expression, exp.Anonymous):
        return _without_schema(node)
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1 and node.name.upper() in _FUNCTIONS:
        return _FUNCTIONS[node.name.upper()](this=node.expressions[0])
    if isinstance(node, exp.Anonymous):
        return _named(node)
    if isinstance(node, exp.TimeToStr | exp.ToChar):
        return _day_as_text(node, node.this, node.args.get("format"))
    if isinstance(node, exp.CurrentDate) and not node.this:
        return exp.cast(exp.Literal.string(today().isoformat()), exp.DataType.Type.DATE)
    if isinstance(node, exp.Dayname | exp.Monthname) and not node.args.get("abbreviated"):
        return _name_of_day(node)
    if isinstance(node, exp.EQ | exp.In):
        return _listed(node)
    if isinstance(node, exp.Cast | exp.AtTimeZone):
        return in_universal_time(node) or _decimal(node)
    if isinstance(node, PAIRED):
        return of_means(node)
    if isinstance(node, exp.Trunc):
        return _truncated(node)
    if isinstance(node, exp.ApproxDistinct) and not node.args.get("accuracy"):
        return exp.Count(this=exp.Distinct(expressions=[node.this]), big_int=True)
    if isinstance(node, exp.Log) and not node.expression:
        return _ratio(node.this, _DECIMAL)
    if isinstance(node, exp.Log) and node.this.is_int and node.this.name in ("2", "10"):
        return _ratio(node.expression, _DECIMAL if node.this.name == "10" else _BINARY)
    if isinstance(node, exp.Concat) and len(node.expressions) > 1:  # passes over what is missing
        parts = [
            exp.Coalesce(this=exp.cast(part, exp.DataType.Type.TEXT), expressions=[exp.Literal.string("")])
            for part in node.expressions
        ]
        found: exp.Expr = parts[0]
        for part in parts[1:]:
            found = exp.DPipe(this=found, expression=part, safe=True)
        return exp.Paren(this=found)
    if isinstance(node, exp.Distinct) and isinstance(node.parent, exp.Count) and len(node.expressions) > 1:
        return exp.Distinct(expressions=[_one_text(node.expressions)])
    if isinstance(node, exp.WidthBucket) and node.args.get("num_buckets") is not None:
        return _bucket(node)
    return node


def _named(node: exp.Anonymous) -> exp.Expr:
    """Functions of other dialects with several arguments."""
    name, arguments = node.name.upper(), node.expressions
    if name in _MOMENTS and not arguments:
        return exp.CurrentTimestamp()
    if name in _QUANTILES and len(arguments) == 2:
        return exp.Quantile(this=arguments[0], quantile=arguments[1])
    if name == "IFF" and len(arguments) == 3:
        return exp.Case(ifs=[exp.If(this=arguments[0], true=arguments[1])], default=arguments[2])
    if name in _STEPS and len(arguments) == 2:
        return _by_steps(_STEPS[name], *arguments)
    if name == "DATE_FORMAT" and len(arguments) == 2:
        return _day_as_text(node, *arguments)
    return node


def _without_schema(node: exp.Dot) -> exp.Expr:
    """pg_catalog.count(*) is COUNT(*): a schema before the name of a function says nothing."""
    called = node.expression
    try:
        found = exp.func(called.name, *(part.copy() for part in called.expressions), dialect="duckdb")
    except ValueError:  # not with these arguments
        return node
    return plain_function(found) if isinstance(found, REWRITTEN) else found


def _day_as_text(node: exp.Expr, moment: exp.Expression, form: exp.Expression | None) -> exp.Expr:
    """A year, a month or a day as a text: so many letters of the day."""
    if not isinstance(form, exp.Literal) or not form.is_string or form.name not in _DAYS:
        return node
    day = exp.cast(exp.cast(moment.copy(), exp.DataType.Type.DATE), exp.DataType.Type.TEXT)
    ends = (exp.Literal.number(1), exp.Literal.number(_DAYS[form.name]))
    return exp.Substring(this=day, start=ends[0], length=ends[1])


def _name_of_day(node: exp.Dayname | exp.Monthname) -> exp.Expr:
    """The English name of a weekday or a month."""
    days = isinstance(node, exp.Dayname)
    names = calendar.day_name if days else calendar.month_name[1:]
    part = exp.Extract(this=exp.Var(this="isodow" if days else "month"), expression=node.this.copy())
    return exp.Case(
        this=part,
        ifs=[
            exp.If(this=exp.Literal.number(number), true=exp.Literal.string(name))
            for number, name in enumerate(names, 1)
        ],
    )


def _listed(node: exp.EQ | exp.In) -> exp.Expr:
    """x = ANY (ARRAY[1, 2]) is x IN (1, 2), and (a, b) IN ((1, 2)) is a = 1 AND b = 2."""
    if isinstance(node, exp.EQ):
        several = node.expression.this.unnest() if isinstance(node.expression, exp.Any) else None
        return exp.In(this=node.this, expressions=several.expressions) if _is_list(several) else node
    columns = node.this.unnest()
    rows = node.expressions
    if not isinstance(columns, exp.Tuple) or not rows or not all(isinstance(row, exp.Tuple) for row in rows):
        return node
    if any(len(row.expressions) != len(columns.expressions) for row in rows):
        return node
    pairs = [
        exp.and_(
            *(
                exp.EQ(this=one, expression=other)
                for one, other in zip(columns.expressions, row.expressions, strict=True)
            )
        )
        for row in rows
    ]
    return exp.Paren(this=exp.or_(*pairs))


def _is_list(node: object) -> TypeGuard[exp.Expression]:
    return isinstance(node, exp.Array | exp.Tuple) and bool(node.expressions)


def _truncated(node: exp.Trunc) -> exp.Expr:
    """TRUNC(x, 2): towards nought; what is as good as a whole step counts as one, as in decimal numbers."""
    value, digits = node.this, node.args.get("decimals")
    places = 0.0 if digits is None else _written(digits)
    if places is None or not places.is_integer() or abs(places) > _TRUNCATED:
        return node
    scale = exp.Literal.number(10 ** abs(int(places)))
    slack = exp.Literal.number("0.000001" if places > 0 else "0")
    step, back = (exp.Mul, exp.Div) if places > 0 else (exp.Div, exp.Mul)
    ends = []
    for towards, moved in ((exp.Floor, exp.Add), (exp.Ceil, exp.Sub)):
        steps: exp.Expr = exp.Paren(this=value.copy())
        if places:
            steps = step(this=steps, expression=scale.copy())
        whole: exp.Expr = towards(this=moved(this=steps, expression=slack) if places > 0 else steps)
        ends.append(back(this=whole, expression=scale.copy()) if places else whole)
    above = exp.GTE(this=exp.Paren(this=value.copy()), expression=exp.Literal.number(0))
    return exp.Case(ifs=[exp.If(this=above, true=ends[0])], default=ends[1])


def _by_steps(towards: type[exp.Expression], value: exp.Expression, step: exp.Expression) -> exp.Expr:
    """FLOOR_BY(x, 5), as pg_diffix has it: the multiple of 5 that is next below."""
    steps = exp.Div(this=exp.Paren(this=value), expression=exp.Paren(this=step), typed=False, safe=False)
    return exp.Paren(this=exp.Mul(this=towards(this=steps), expression=exp.Paren(this=step.copy())))


def _decimal(node: exp.Expr) -> exp.Expr:
    """A cast to DECIMAL(18, 3) is a number with three digits behind the point."""
    target = node.args.get("to")
    if not isinstance(target, exp.DataType) or target.this != exp.DataType.Type.DECIMAL:
        return node
    sizes = [part.name for part in target.expressions]
    digits = sizes[1] if len(sizes) == 2 else "0" if len(sizes) == 1 else ""
    if not (digits.isascii() and digits.isdigit() and len(digits) < 3 and int(digits) <= _DIGITS):
        return node
    return exp.Round(
        this=exp.cast(node.this.copy(), exp.DataType.Type.DOUBLE), decimals=exp.Literal.number(int(digits))
    )


def _one_text(columns: list[exp.Expression]) -> exp.Expression:
    """Several values as one that is the same only where all are, and null where one is null."""
    *texts, last = (exp.cast(part.copy(), exp.DataType.Type.TEXT) for part in columns)
    parts: list[exp.Expression] = []
    for text in texts:
        # How long a text is stands before it: 'a' and 'bc' are not 'ab' and 'c'.
        long = exp.cast(exp.Length(this=text.copy()), exp.DataType.Type.TEXT)
        parts += [long, exp.Literal.string(":"), text]
    made = parts[0]
    for part in (*parts[1:], last):
        made = exp.DPipe(this=made, expression=part, safe=True)
    return made


def _bucket(node: exp.WidthBucket) -> exp.Expr:
    """WIDTH_BUCKET(x, low, high, n): 1 to n, 0 below and n + 1 from the upper end on."""
    low, high, most = (_written(node.args[name]) for name in ("min_value", "max_value", "num_buckets"))
    if (
        low is None
        or high is None
        or most is None
        or not (low < high and most.is_integer() and 0 < most <= 1_000)
    ):
        return node
    value, least = node.this, node.args["min_value"]
    moved = exp.Paren(this=exp.Sub(this=exp.Paren(this=value.copy()), expression=least.copy()))
    width = exp.Literal.number(repr((high - low) / most))
    steps = exp.Floor(this=exp.Div(this=moved, expression=width, typed=False, safe=False))
    # Rounding must not lift what lies below the upper end beyond the last bucket.
    inside = exp.Least(this=steps, expressions=[exp.Literal.number(int(most) - 1)])
    above = exp.GTE(this=value.copy(), expression=node.args["max_value"].copy())
    there = exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null()))
    return exp.Case(
        ifs=[
            exp.If(this=exp.LT(this=value.copy(), expression=least.copy()), true=exp.Literal.number(0)),
            exp.If(this=above, true=exp.Literal.number(int(most) + 1)),
            exp.If(this=there, true=exp.Add(this=inside, expression=exp.Literal.number(1))),
        ]
    )


def _written(node: exp.Expression) -> float | None:
    """A number that is written out."""
    bare = node.this if isinstance(node, exp.Neg) else node
    if not isinstance(bare, exp.Literal) or bare.is_string:
        return None
    return -float(bare.name) if isinstance(node, exp.Neg) else float(bare.name)


def _ratio(argument: exp.Expression, base: float) -> exp.Expression:
    divisor = exp.Literal.number(repr(base))
    return exp.Paren(this=exp.Div(this=exp.Ln(this=argument), expression=divisor, typed=False, safe=False))
