"""Which expressions over keys (k0, k1 …) and noisy aggregates (a0, a1 …) may be asked for."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Literal, cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Kind

Form = Literal["number", "text", "truth", "any"]
Takes = Literal["number", "text", "truth", "any", "same"]  # same: all of one form, whichever it is

NODES = 500  # parts of one expression
DEPTH = 100  # how far they are nested
WHOLE_TYPES: Mapping[exp.DType, float] = {exp.DType.INT: 2.0**31, exp.DType.BIGINT: 2.0**63}
_TYPES: Mapping[exp.DType, exp.DType] = {
    **{kind: kind for kind in WHOLE_TYPES},
    exp.DType.DOUBLE: exp.DType.DOUBLE,
    exp.DType.FLOAT: exp.DType.DOUBLE,  # more digits than asked for do no harm
    exp.DType.TEXT: exp.DType.TEXT,
    exp.DType.VARCHAR: exp.DType.TEXT,
}
_FORMS: Mapping[Kind, Form] = {
    "integer": "number", "number": "number", "text": "text", "date": "text", "timestamp": "text",
    "boolean": "truth",
}  # fmt: skip
_PLACEHOLDER = re.compile(r"[ka]\d{1,9}", re.ASCII)
_DIGITS = re.compile(r"[0-9]*\.?[0-9]*(e[+-]?[0-9]+)?", re.IGNORECASE)
_DECIMALS = 15  # a double has no more
# Of the dialect: they change how SQL is written, not what it means.
_FLAGS = frozenset({"safe", "typed", "ignore_nulls"})
_KNOWN = (
    "+ - * / %, comparisons, AND, OR, NOT, IS, BETWEEN, IN, CASE, COALESCE, NULLIF, ABS, ROUND, FLOOR, CEIL, "
    "SQRT, LN, EXP, POWER, LEAST, GREATEST, CAST, || and LIKE"
)


class NotOnResults(NotAllowed):
    """An expression over keys and aggregates that has no interval; an outer query may know it."""


@dataclass(frozen=True)
class _Rule:
    arguments: tuple[str, ...]
    takes: Takes
    gives: Takes


@dataclass(frozen=True)
class _Part:
    sql: exp.Expr
    form: Form


_ONE, _TWO, _MANY = ("this",), ("this", "expression"), ("this", "expressions")
_RULES: Mapping[type[exp.Expr], _Rule] = {
    **dict.fromkeys(
        (exp.Add, exp.Sub, exp.Mul, exp.Div, exp.Mod, exp.Pow), _Rule(_TWO, takes="number", gives="number")
    ),
    **dict.fromkeys(
        (exp.Neg, exp.Abs, exp.Floor, exp.Ceil, exp.Sqrt, exp.Ln, exp.Exp),
        _Rule(_ONE, takes="number", gives="number"),
    ),
    exp.Round: _Rule(("this", "decimals"), takes="number", gives="number"),
    **dict.fromkeys(
        (exp.EQ, exp.NEQ, exp.LT, exp.LTE, exp.GT, exp.GTE), _Rule(_TWO, takes="same", gives="truth")
    ),
    exp.And: _Rule(_TWO, takes="truth", gives="truth"),
    exp.Or: _Rule(_TWO, takes="truth", gives="truth"),
    exp.Not: _Rule(_ONE, takes="truth", gives="truth"),
    exp.Between: _Rule(("this", "low", "high"), takes="same", gives="truth"),
    exp.In: _Rule(_MANY, takes="same", gives="truth"),
    **dict.fromkeys((exp.Coalesce, exp.Least, exp.Greatest), _Rule(_MANY, takes="same", gives="same")),
    exp.Nullif: _Rule(_TWO, takes="same", gives="same"),
    exp.Paren: _Rule(_ONE, takes="same", gives="same"),
    exp.DPipe: _Rule(_TWO, takes="any", gives="text"),
}


def check_expression(node: exp.Expr, kinds: Mapping[str, Kind] | None = None) -> exp.Expression:
    """The expression as a new tree, made of nothing but what is on the list.

    `kinds` tell of keys what they are; with them, adding to a text and the like is refused. Without, the
    result of such a thing is null. An aggregate is a number unless they say otherwise.
    """
    for count, _ in enumerate(node.walk()):
        if count >= NODES:
            raise NotOnResults(f"an expression over the results has more than {NODES} parts; make it shorter")
    return cast(exp.Expression, _Checker(kinds or {}).part(node, 0).sql)


@dataclass(frozen=True)
class _Checker:
    kinds: Mapping[str, Kind]

    def part(self, node: exp.Expr, depth: int) -> _Part:
        if depth > DEPTH:
            raise NotOnResults(
                f"an expression over the results is nested more than {DEPTH} deep; make it flatter"
            )
        rule = _RULES.get(type(node))
        if rule is not None:
            return self._by_rule(node, rule, depth)
        match node:
            case exp.Column():
                return self._column(node)
            case exp.Literal():
                return _literal(node)
            case exp.Boolean():
                return _Part(exp.Boolean(this=bool(node.this)), "truth")
            case exp.Null():
                return _Part(exp.Null(), "any")
            case exp.Case():
                return self._case(node, depth)
            case exp.Is():
                return self._is(node, depth)
            case exp.Like():
                return self._like(node, depth)
            case exp.Cast():
                return self._cast(node, depth)
        raise NotOnResults(f"{_name(node)} cannot be used on results; there is {_KNOWN}")

    def _by_rule(self, node: exp.Expr, rule: _Rule, depth: int) -> _Part:
        _only(node, rule.arguments)
        made: dict[str, Any] = {flag: True for flag in _FLAGS if node.args.get(flag)}
        forms: list[Form] = []
        for argument in rule.arguments:
            given = node.args.get(argument)
            if argument == "decimals":
                made[argument] = _decimals(given)
            elif isinstance(given, exp.Expr):
                part = self.part(given, depth + 1)
                made[argument] = part.sql
                forms.append(part.form)
            else:
                parts = [self.part(one, depth + 1) for one in given or ()]
                made[argument] = [part.sql for part in parts]
                forms += [part.form for part in parts]
        if len(forms) < 2 and isinstance(node, exp.In):
            raise NotOnResults("IN has nothing to choose from; list the values, as in IN ('a', 'b')")
        common = _common(node, forms, rule.takes)
        gives = common if rule.gives == "same" else rule.gives
        return _Part(type(node)(**made), gives)

    def _column(self, node: exp.Column) -> _Part:
        name = node.name
        if not _PLACEHOLDER.fullmatch(name) or len([part for part in node.args.values() if part]) > 1:
            raise NotOnResults(
                f"column '{name}' is neither grouped by nor inside an aggregate; do one of the two"
            )
        kind = self.kinds.get(name)
        form: Form = _FORMS[kind] if kind else "number" if name[0] == "a" else "any"
        return _Part(exp.column(name), form)

    def _case(self, node: exp.Case, depth: int) -> _Part:
        _only(node, ("this", "ifs", "default"))
        subject = self.part(node.this, depth + 1) if node.this else None
        branches: list[exp.If] = []
        conditions: list[Form] = [subject.form] if subject else []
        results: list[Form] = []
        for branch in node.args["ifs"]:
            _only(branch, ("this", "true"))
            condition = self.part(branch.this, depth + 1)
            result = self.part(branch.args["true"], depth + 1)
            conditions.append(condition.form)
            results.append(result.form)
            branches.append(exp.If(this=condition.sql, true=result.sql))
        _common(node, conditions, "same" if subject else "truth")
        made: dict[str, Any] = {"this": subject.sql} if subject else {}
        if node.args.get("default") is not None:
            default = self.part(node.args["default"], depth + 1)
            results.append(default.form)
            made["default"] = default.sql
        return _Part(exp.Case(ifs=branches, **made), _common(node, results, "same"))

    def _is(self, node: exp.Is, depth: int) -> _Part:
        _only(node, _TWO)
        subject = self.part(node.this, depth + 1)
        match node.expression:
            case exp.Null():
                return _Part(exp.Is(this=subject.sql, expression=exp.Null()), "truth")
            case exp.Boolean(this=value):
                _common(node, [subject.form], "truth")
                return _Part(exp.Is(this=subject.sql, expression=exp.Boolean(this=bool(value))), "truth")
        raise NotOnResults("IS on results goes with NULL, TRUE or FALSE; compare with = otherwise")

    def _like(self, node: exp.Like, depth: int) -> _Part:
        _only(node, (*_TWO, "negate"))
        subject = self.part(node.this, depth + 1)
        _common(node, [subject.form], "text")
        pattern = node.expression
        if not (isinstance(pattern, exp.Literal) and pattern.is_string):
            raise NotOnResults("LIKE on results takes a text in quotes, as in LIKE 'a%'")
        made = exp.Like(this=subject.sql, expression=exp.Literal.string(pattern.name))
        return _Part(exp.Not(this=made) if node.args.get("negate") else made, "truth")

    def _cast(self, node: exp.Cast, depth: int) -> _Part:
        _only(node, ("this", "to"))
        to = node.args["to"].this
        if to == exp.DType.DATE:
            return _Part(exp.cast(_day(node.this), exp.DType.DATE), "text")
        if to not in _TYPES:
            asked = to.value if isinstance(to, exp.DType) else str(to)
            raise NotOnResults(
                f"CAST to {asked} cannot be used on results; there is INTEGER, BIGINT, DOUBLE and VARCHAR"
            )
        subject = self.part(node.this, depth + 1)
        kind = _TYPES[to]
        made = exp.TryCast if isinstance(node, exp.TryCast) else exp.Cast
        form: Form = "text" if kind == exp.DType.TEXT else "number"
        return _Part(made(this=subject.sql, to=exp.DataType.build(kind)), form)


def _only(node: exp.Expr, arguments: tuple[str, ...]) -> None:
    """Refuse what a part has beyond its arguments."""
    for name, value in node.args.items():
        if name not in arguments and name not in _FLAGS and value not in (None, False, []):
            raise NotOnResults(f"{_name(node)} with {name.upper()} cannot be used on results; leave that out")


def _common(node: exp.Expr, forms: list[Form], takes: Takes) -> Form:
    """The one form that the arguments have together."""
    if takes == "any":
        return "any"
    known = {form for form in forms if form != "any"} | ({takes} if takes != "same" else set())
    if len(known) > 1:
        mixed = " and ".join(sorted(known))
        cure = f"it takes {takes}" if takes != "same" else "use CAST"
        raise NotOnResults(f"{_name(node)} on results mixes {mixed}; {cure}")
    return next(iter(known), "any")


def _literal(node: exp.Literal) -> _Part:
    if node.is_string:
        return _Part(exp.Literal.string(node.name), "text")
    if not _DIGITS.fullmatch(node.name) or not math.isfinite(float(node.name)):
        raise NotOnResults(f"the number {node.name[:40]} is too large for a double; choose a smaller one")
    return _Part(exp.Literal.number(node.name), "number")


def _decimals(node: exp.Expr | None) -> exp.Expression | None:
    if node is None:
        return None
    negative, digits = (True, node.this) if isinstance(node, exp.Neg) else (False, node)
    if not (isinstance(digits, exp.Literal) and digits.name in map(str, range(_DECIMALS + 1))):
        raise NotOnResults(
            f"ROUND on results takes a whole number from -{_DECIMALS} to {_DECIMALS} for the decimals"
        )
    number = exp.Literal.number(digits.name)
    return exp.Neg(this=number) if negative else number


def _day(node: exp.Expr) -> exp.Literal:
    text = node.name if isinstance(node, exp.Literal) and node.is_string else ""
    try:
        return exp.Literal.string(date.fromisoformat(text).isoformat())
    except ValueError:
        raise NotOnResults("a date among results is written in quotes, as in DATE '2024-12-31'") from None


def _name(node: exp.Expr) -> str:
    """What the analyst would call a part."""
    if isinstance(node, exp.Anonymous):
        return str(node.name)[:40].upper()
    return node.sql_name() if isinstance(node, exp.Func) else node.key.upper()
