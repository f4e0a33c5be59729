"""Functions under the names and forms that row expressions know."""

from __future__ import annotations

from sqlglot import exp

from shoal.queries.sql.planning_time import go_on

_DECIMAL = 2.302585092994046  # LN(10), as a double
_BINARY = 0.6931471805599453
_FUNCTIONS: dict[str, type[exp.Expression]] = {
    "VAR": exp.Variance,
    "STDEV": exp.Stddev,
    "STD": exp.Stddev,
    "MEAN": exp.Avg,
}
REWRITTEN = (exp.Anonymous, exp.ApproxDistinct, exp.Log, exp.Concat, exp.WidthBucket, exp.Distinct)


def plain_function(node: exp.Expr) -> exp.Expr:
    """A function under the name that it has here."""
    go_on()
    if isinstance(node, exp.Anonymous) and len(node.expressions) == 1 and node.name.upper() in _FUNCTIONS:
        return _FUNCTIONS[node.name.upper()](this=node.expressions[0])
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
