"""One of several values: CASE, IF, COALESCE, NULLIF, LEAST and GREATEST."""

from __future__ import annotations

from collections.abc import Sequence

from sqlglot import exp

from shoal.queries.declaration.declaration import Kind, Value
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.date_values import TEMPORAL, as_moment, literal_date, literal_moment
from shoal.queries.sql.fixed_point import whole
from shoal.queries.sql.value_properties import (
    Cell,
    Walk,
    as_double,
    boolean,
    call,
    constant,
    distinct_values,
    in_parentheses,
    null_of,
    refuse,
    stretch,
)


def alike(cells: Sequence[Cell], node: exp.Expression) -> list[Cell]:
    """The same values as one kind: whole and broken numbers meet as numbers, NULL and written days fit in."""
    kinds: set[Kind] = {cell.kind for cell in cells if not cell.blank}
    kind: Kind = next(iter(kinds), "text")
    if kinds == {"integer", "number"}:
        kind = "number"
    elif kinds <= {*TEMPORAL, "text"} and all(
        constant(cell) is not None for cell in cells if cell.kind == "text" and not cell.blank
    ):
        kind = "timestamp" if "timestamp" in kinds else "date" if "date" in kinds else "text"
    elif len(kinds) > 1:
        refuse(node, f"{' and '.join(sorted(kinds))} do not go together; CAST one of them")
    return [_of_kind(cell, kind, node) for cell in cells]


def _of_kind(cell: Cell, kind: Kind, node: exp.Expression) -> Cell:
    if cell.blank:
        return null_of(kind)
    if cell.kind == kind:
        return cell
    if kind in TEMPORAL and cell.kind == "text":
        return (literal_date if kind == "date" else literal_moment)(str(constant(cell)), node)
    if kind == "timestamp":
        return as_moment(cell)
    domain = cell.domain
    if domain is not None:
        domain = tuple(None if value is None else float(value) for value in domain)
    return Cell(as_double(cell), "number", cell.low, cell.high, domain, missing=cell.missing, step=cell.step)


def by_code_point(cell: Cell, walk: Walk) -> exp.Expression:
    """For order: texts by their code points, as DuckDB has it, whatever the language of the server."""
    if cell.kind == "text" and walk.dialect == "postgres":
        sql = cell.sql.copy()
        sql = sql if isinstance(sql, exp.Column | exp.Cast) else exp.Paren(this=sql)
        return exp.Collate(this=sql, expression=exp.to_identifier("C", quoted=True))
    return cell.sql.copy()


def _one_of(sql: exp.Expression, cells: Sequence[Cell], missing: bool, null: bool) -> Cell:
    """A value that is one of the cells'; `null` when its domain has None."""
    real = [cell for cell in cells if cell.domain != (None,)] or list(cells)
    lows, highs = [cell.low for cell in real], [cell.high for cell in real]
    lengths = [cell.length for cell in cells]
    domain: tuple[Value, ...] | None = None
    if all(cell.domain is not None for cell in cells):
        domain = distinct_values((value for cell in cells for value in cell.domain or ()), null)
    low = None if None in lows else min(low for low in lows if low is not None)
    high = None if None in highs else max(high for high in highs if high is not None)
    if domain is None and cells[0].kind == "integer" and low is not None and high is not None:
        domain = stretch(low, high, null)
    return Cell(
        sql,
        cells[0].kind,
        low,
        high,
        domain,
        missing=missing,
        step=min(cell.step for cell in cells),
        length=None if None in lengths else max(length for length in lengths if length is not None),
    )


def _null(cell: Cell) -> bool:
    """Whether None is among its values; a domain that the owner declared without is left as it is."""
    return cell.missing if cell.domain is None else None in cell.domain


def condition(node: object, walk: Walk) -> Cell:
    """A part that is true, false or missing."""
    cell = walk.cell(node)
    if cell.blank:
        return null_of("boolean")
    if cell.kind == "integer":  # as DuckDB has it
        sql = exp.NEQ(this=in_parentheses(cell.sql.copy()), expression=whole(0))
        return boolean(sql, cell.missing)
    if cell.kind != "boolean":
        refuse(node, f"it is {cell.kind}, not a condition; compare it, as in x > 0")  # type: ignore[arg-type]
    return cell


def case(node: exp.Expression, walk: Walk) -> Cell:
    """CASE with conditions, or with values that one expression is compared with."""
    only(node, "this", "ifs", "default")
    branches = node.args.get("ifs") or []
    if not branches:
        refuse(node, "CASE needs a WHEN")
    for branch in branches:
        only(branch, "this", "true")
    default = node.args.get("default")
    results = [walk.cell(branch.args.get("true")) for branch in branches]
    results.append(_blank() if default is None else walk.cell(default))
    results = alike(results, node)
    subject = None
    if node.this is None:
        tests = [condition(branch.this, walk).sql for branch in branches]
    else:
        compared = alike([walk.cell(node.this), *(walk.cell(branch.this) for branch in branches)], node)
        subject, *tests = (cell.sql.copy() for cell in compared)
    return _cases(subject, tests, results)


def _blank() -> Cell:
    return Cell(exp.Null(), "text", domain=(None,), blank=True)


def _cases(subject: exp.Expression | None, tests: Sequence[exp.Expression], results: Sequence[Cell]) -> Cell:
    ifs = [
        exp.If(this=test.copy(), true=cell.sql.copy()) for test, cell in zip(tests, results[:-1], strict=True)
    ]
    sql = exp.Case(this=subject, ifs=ifs, default=results[-1].sql.copy())
    return _one_of(sql, results, any(cell.missing for cell in results), any(_null(cell) for cell in results))


def if_then(node: exp.Expression, walk: Walk) -> Cell:
    """IF and IIF."""
    only(node, "this", "true", "false")
    otherwise = node.args.get("false")
    results = [walk.cell(node.args.get("true")), _blank() if otherwise is None else walk.cell(otherwise)]
    return _cases(None, [condition(node.this, walk).sql], alike(results, node))


def coalesce(node: exp.Expression, walk: Walk) -> Cell:
    """The first that is not missing."""
    only(node, "this", "expressions")
    cells = alike([walk.cell(part) for part in (node.this, *node.expressions)], node)
    sure = next((index for index, cell in enumerate(cells) if not cell.missing), None)
    cells = cells if sure is None else cells[: sure + 1]
    sql = call("COALESCE", *(cell.sql.copy() for cell in cells))
    return _one_of(sql, cells, sure is None, sure is None and all(_null(cell) for cell in cells))


def nullif(node: exp.Expression, walk: Walk) -> Cell:
    """Missing where two are equal."""
    only(node, "this", "expression")
    left, right = alike([walk.cell(node.this), walk.cell(node.expression)], node)
    return _one_of(call("NULLIF", left.sql.copy(), right.sql.copy()), [left], missing=True, null=True)


def extreme(node: exp.Expression, walk: Walk) -> Cell:
    """LEAST and GREATEST of what is not missing, as both engines have it."""
    only(node, "this", "expressions", "ignore_nulls")
    least = isinstance(node, exp.Least)
    cells = alike([walk.cell(part) for part in (node.this, *node.expressions)], node)
    if cells[0].kind == "boolean":
        refuse(node, "conditions have no order; use AND, OR or CASE")
    sql = call("LEAST" if least else "GREATEST", *(by_code_point(cell, walk) for cell in cells))
    missing = all(cell.missing for cell in cells)
    found = _one_of(sql, cells, missing, missing and all(_null(cell) for cell in cells))
    # A bound on one side comes from every cell that is never missing.
    low, high = found.low, found.high
    for cell in cells:
        if not cell.missing and least and cell.high is not None:
            high = cell.high if high is None else min(high, cell.high)
        if not cell.missing and not least and cell.low is not None:
            low = cell.low if low is None else max(low, cell.low)
    if not found.numeric:
        return found
    domain = found.domain
    if domain is not None:
        domain = tuple(value for value in domain if value is None or _between(float(value), low, high))
    elif found.kind == "integer" and low is not None and high is not None:
        domain = stretch(low, high, missing)
    return Cell(sql, found.kind, low, high, domain, missing=missing, step=found.step)


def _between(value: float, low: float | None, high: float | None) -> bool:
    return (low is None or low <= value) and (high is None or value <= high)
