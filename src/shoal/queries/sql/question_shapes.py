"""Questions that differ in written numbers only are planned once: the numbers are parameters of the engine.

What may be lifted out is narrow on purpose. A question is one SELECT from one private table without groups,
and its WHERE joins comparisons of a column with a number by AND. Such a number decides about nothing but the
rows: not about what is refused, the reach, the noise, the columns or the price. Whatever is written
otherwise is planned as a whole.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import cast

from sqlglot import exp

from shoal.queries.declaration.declaration import Dataset
from shoal.queries.query import Plan, Prepared
from shoal.queries.sql.allow_list import conjuncts
from shoal.queries.sql.engine_selects import selects
from shoal.queries.sql.sources import Columns
from shoal.queries.stores.store import Store

# No quotes, no signs that begin a comment: what looks like a number is one.
_SIGNS = re.compile(r"[A-Za-z0-9_ \t\r\n.,()<>=!*+]{1,2000}")
_COMPARED = r"[A-Za-z_][A-Za-z0-9_]*(?:\.[A-Za-z_][A-Za-z0-9_]*)?\s*(?:<=|>=|<>|!=|<|>|=)\s*"
# So many digits are exact in a double, and far from where a plan would look at the size.
_NUMBER = r"[0-9]{1,9}(?:\.[0-9]{1,6})?"
_WHERE = re.compile(r"\sWHERE\s", re.IGNORECASE)
_CONDITIONS = re.compile(rf"\s*{_COMPARED}{_NUMBER}(?:\s+AND\s+{_COMPARED}{_NUMBER})*\s*", re.IGNORECASE)
_WRITTEN = re.compile(rf"(?<=[<>=])(\s*)({_NUMBER})(?=\s|$)")
_COMPARISONS = (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE)
_CLAUSES = {"expressions", "from_", "where"}
_FURTHEST = 2**62  # steps
_MARK = "\0"


@dataclass(frozen=True)
class Form:
    """A text without its numbers, and these."""

    text: str
    numbers: tuple[str, ...]


def form_of(text: str) -> Form | None:
    """What a text has in common with others, if its numbers can be told from all else without reading it."""
    if _SIGNS.fullmatch(text) is None:
        return None
    head, *rest = _WHERE.split(text)
    if len(rest) != 1 or _CONDITIONS.fullmatch(rest[0]) is None:
        return None
    numbers = tuple(found[1] for found in _WRITTEN.findall(rest[0]))

    def class_of(found: re.Match[str]) -> str:
        return f"{found[1]}{_MARK}{'d' if '.' in found[2] else 'i'}"

    return Form(f"{head} WHERE {_WRITTEN.sub(class_of, rest[0])}", numbers)


@dataclass(frozen=True)
class _Parameter:
    """How a written number becomes what the engine compares with."""

    grid: Fraction | None = None  # in whole steps of it
    real: bool = False

    def value(self, written: str) -> int | float | None:
        """None where a plan would be another one."""
        if self.grid is not None:
            value = Fraction(float(written) if "." in written else int(written))
            return round(value / self.grid) if value <= _FURTHEST * self.grid else None
        return float(written) if self.real else int(written)


@dataclass(frozen=True, eq=False)
class Shape:
    """A plan whose numbers are yet to be filled in."""

    plan: Plan
    text: tuple[str, ...]  # what stands around the numbers in the canonical form
    parameters: tuple[_Parameter, ...]

    def filled(self, numbers: Sequence[str]) -> Plan | None:
        """The plan of a question of this shape; None if it must be planned as a whole."""
        assert self.plan.prepared is not None
        values = []
        for parameter, written in zip(self.parameters, numbers, strict=True):
            value = parameter.value(written)
            if value is None:
                return None
            values.append(value)
        words = [part for pair in zip(self.text, numbers, strict=False) for part in pair]
        prepared = replace(self.plan.prepared, values=tuple(values))
        return replace(self.plan, text="".join((*words, self.text[-1])), prepared=prepared)


def shape_of(form: Form, plan: Plan, dataset: Dataset, store: Store) -> Shape | None:
    """The shape of a question that was planned as a whole; None if its numbers cannot be lifted out.

    Every step is checked against that plan: the engine's own numbers must be those that the parameters give,
    in their order, and what is written again must be the same text.
    """
    from shoal.queries.sql.planner import parse

    tree = parse(plan.text)
    if plan.outer is not None or len(plan.leaves) != 1 or not isinstance(tree, exp.Select):
        return None
    (leaf,) = plan.leaves
    used = {name for name, part in tree.args.items() if part}
    source = tree.args.get("from_")
    if leaf.keys or leaf.quantiles or leaf.checks or used - _CLAUSES or source is None:
        return None
    if not isinstance(source.this, exp.Table) or any(part is not tree for part in tree.find_all(exp.Query)):
        return None
    written = _compared(tree)
    literals = [part.expression for part in written]
    if [part.this for part in literals] != list(form.numbers):
        return None
    columns = Columns(dataset.table(source.this.name), "t0")
    select = selects(leaf)[0].copy()
    asked = _compared(select)
    if len(asked) != len(written):
        return None
    parameters = []
    for place, (theirs, ours) in enumerate(zip(written, asked, strict=True)):
        side = ours.expression
        if not isinstance(theirs.this, exp.Column) or not isinstance(side, exp.Cast):
            return None
        if not isinstance(side.this, exp.Literal):
            return None
        column = columns[theirs.this.name.lower()]
        parameter = _Parameter(
            column.grid if column.code is not None and column.grid != 1 else None,
            side.to.this == exp.DataType.Type.DOUBLE,
        )
        value = parameter.value(theirs.expression.this)
        if value is None or side.this.this != (repr(value) if isinstance(value, float) else str(value)):
            return None
        side.this.replace(exp.Parameter(this=exp.Literal.number(place + 1)))
        parameters.append(parameter)
    statement = store.prepare(select)
    if statement is None:
        return None
    for literal in literals:
        literal.replace(exp.Placeholder(this=_MARK))
    words = tuple(tree.sql(dialect="duckdb", comments=False).split(f"${_MARK}"))
    made = Shape(replace(plan, prepared=Prepared(statement, ())), words, tuple(parameters))
    again = made.filled(form.numbers) if len(words) == len(parameters) + 1 else None
    return made if again is not None and again.text == plan.text else None


def _compared(tree: exp.Select) -> list[exp.Expression]:
    """The comparisons that WHERE joins by AND; nothing if there is anything else in it."""
    where = tree.args.get("where")
    parts = [] if where is None else [cast(exp.Expression, part.unnest()) for part in conjuncts(where.this)]
    return parts if all(isinstance(part, _COMPARISONS) for part in parts) else []
