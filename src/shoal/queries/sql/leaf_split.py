"""An aggregate query over rows of people, split: what is counted with noise, and what is done with that.

The inner part has keys and aggregates and nothing else, one for every grouping set; the outer part is a query
over these columns (k0 …, a0 …), with windows, conditions and order.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.group_by import (
    Print,
    fingerprint,
    group_of,
    lift_expression,
    output_names,
    strip_alias,
)
from shoal.queries.sql.sources import Scope

MOST_SETS = 32  # grouping sets of one query
_MULTIPLE = (exp.Rollup, exp.Cube, exp.GroupingSets)
_ASKED = ("from_", "joins", "where")


@dataclass(frozen=True)
class Split:
    """The inner queries with the keys that each has, and the outer one, whose FROM is yet to be given."""

    inner: tuple[tuple[tuple[int, ...], exp.Select], ...]
    keys: int
    aggregates: int
    groupings: tuple[tuple[int, ...], ...]  # the keys that each GROUPING(…) speaks of
    outer: exp.Select


def split(select: exp.Select, scope: Scope) -> Split:
    """A query whose rows are people's, in two parts; WITH is left out."""
    found, sets = _grouping_sets(select, scope)
    places: dict[Print, int] = {}
    keys: list[exp.Expression] = []
    numbers = []
    for key in found:
        seen = fingerprint(key, scope)
        if seen not in places:
            places[seen] = len(keys)
            keys.append(key)
        numbers.append(places[seen])
    prints = list(places)
    counted: dict[Print, exp.Expression] = {}
    groupings: list[tuple[int, ...]] = []

    def register(part: exp.Expression) -> str:
        if isinstance(part, exp.Grouping | exp.GroupingId):
            spoken = [fingerprint(argument, scope) for argument in part.expressions]
            if not spoken or any(one not in places for one in spoken):
                raise NotAllowed(f"'{excerpt(part)}' speaks of what is not in GROUP BY")
            groupings.append(tuple(places[one] for one in spoken))
            return f"g{len(groupings) - 1}"
        seen = fingerprint(part, scope)
        counted.setdefault(seen, part)
        return f"a{list(counted).index(seen)}"

    aliases: dict[str, exp.Expression] = {}

    def lift(part: exp.Expression) -> exp.Expression:
        return lift_expression(part, scope, prints, register, aliases, outer=True)

    outer = exp.Select()
    told = [lift(strip_alias(part)) for part in select.expressions]
    for name, part in zip(output_names(select.expressions), told, strict=True):
        outer.append("expressions", exp.alias_(part, name, quoted=True))
    for part, made in zip(select.expressions, told, strict=True):
        if isinstance(part, exp.Alias):
            aliases[part.alias.lower()] = made
    _after(select, outer, lift)
    inner = []
    for chosen in sets:
        numbered = tuple(dict.fromkeys(numbers[place] for place in chosen))
        core = exp.Select(**{name: _copied(select.args.get(name)) for name in _ASKED})
        for number in numbered:
            core.append("expressions", exp.alias_(keys[number], f"k{number}"))
        for index, part in enumerate(counted.values()):
            core.append("expressions", exp.alias_(part, f"a{index}"))
        if numbered:
            by = [exp.Literal.number(place + 1) for place in range(len(numbered))]
            core.set("group", exp.Group(expressions=by))
        inner.append((numbered, core))
    return Split(tuple(inner), len(keys), len(counted), tuple(groupings), outer)


def union(parts: Split, names: Sequence[str]) -> exp.Query:
    """The noisy results of all grouping sets as one table; a key that a set does not have is null."""
    made: list[exp.Select] = []
    for (chosen, _), name in zip(parts.inner, names, strict=True):
        one = exp.Select().from_(exp.Table(this=exp.to_identifier(name, quoted=True)))
        for key in range(parts.keys):
            value = exp.column(f"k{key}") if key in chosen else exp.Null()
            one.append("expressions", exp.alias_(value, f"k{key}"))
        for index in range(parts.aggregates):
            one.append("expressions", exp.column(f"a{index}"))
        for index, spoken in enumerate(parts.groupings):
            bits = "".join("0" if key in chosen else "1" for key in spoken)
            one.append("expressions", exp.alias_(exp.Literal.number(int(bits, 2)), f"g{index}"))
        made.append(one)
    found: exp.Query = made[0]
    for one in made[1:]:
        found = exp.Union(this=found, expression=one, distinct=False)
    return found


def _copied(value: object) -> object:
    if isinstance(value, list):
        return [part.copy() for part in value]
    return value.copy() if isinstance(value, exp.Expr) else value


def _after(select: exp.Select, outer: exp.Select, change: Callable[[exp.Expression], exp.Expression]) -> None:
    """HAVING, QUALIFY, windows by name, ORDER BY and LIMIT, over noisy columns."""
    having = select.args.get("having")
    if having is not None:
        outer.set("where", exp.Where(this=change(having.this)))
    qualify = select.args.get("qualify")
    if qualify is not None:
        outer.set("qualify", exp.Qualify(this=change(qualify.this)))
    if select.args.get("windows"):
        outer.set("windows", [change(part) for part in select.args["windows"]])
    if select.args.get("order") is not None:
        only(select.args["order"], "expressions")
        terms = []
        for term in select.args["order"].expressions:
            only(term, "this", "desc", "nulls_first")
            moved = term.copy()
            if not (isinstance(term.this, exp.Literal) and not term.this.is_string):
                moved.set("this", change(term.this))
            terms.append(moved)
        outer.set("order", exp.Order(expressions=terms))
    for name in ("limit", "offset", "distinct"):
        outer.set(name, _copied(select.args.get(name)))


def _grouping_sets(select: exp.Select, scope: Scope) -> tuple[list[exp.Expression], list[tuple[int, ...]]]:
    """All keys that are named, and for every grouping set which of them it has."""
    group = select.args.get("group")
    if group is None:
        return [], [()]
    rolled = group.args.get("rollup") or group.args.get("cube") or ()
    if not rolled and not any(isinstance(part, _MULTIPLE) for part in group.expressions):
        keys = group_of(select, scope)
        return keys, [tuple(range(len(keys)))]
    only(group, "expressions", "rollup", "cube")
    named: list[exp.Expression] = []
    parts = group.expressions
    if rolled:  # GROUP BY a, b WITH ROLLUP
        if any(part.expressions for part in rolled):
            raise NotAllowed(f"'{excerpt(group)}' is not understood; write GROUP BY ROLLUP (a, b)")
        parts = [type(rolled[0])(expressions=parts)]
    choices = [list(_choices(part, named)) for part in parts]
    number = 1
    for choice in choices:
        number *= len(choice)
    if number > MOST_SETS:
        raise NotAllowed(f"GROUP BY has {number} grouping sets; at most {MOST_SETS} are told at a time")
    bare = exp.Select(expressions=select.expressions, group=exp.Group(expressions=named))
    keys = group_of(bare.copy(), scope)
    if len(keys) != len(named):
        raise NotAllowed("ALL beside ROLLUP, CUBE or GROUPING SETS is not understood; name the keys")
    return keys, [tuple(itertools.chain(*sets)) for sets in itertools.product(*choices)]


def _choices(part: exp.Expression, named: list[exp.Expression]) -> Iterator[tuple[int, ...]]:
    """The sets that one part of GROUP BY stands for; what they are made of goes into `named`."""
    if isinstance(part, exp.GroupingSets):
        for one in part.expressions:
            yield from _choices(one, named)
        return
    if isinstance(part, exp.Rollup | exp.Cube):
        levels = [_level(one, named) for one in part.expressions]
        if len(levels) > MOST_SETS:
            raise NotAllowed(f"'{excerpt(part)}' has too many keys; group by fewer")
        if isinstance(part, exp.Rollup):
            for length in range(len(levels), -1, -1):
                yield tuple(itertools.chain(*levels[:length]))
        else:
            for bits in itertools.islice(itertools.product((True, False), repeat=len(levels)), MOST_SETS + 1):
                yield tuple(itertools.chain(*itertools.compress(levels, bits)))
        return
    yield _level(part, named)


def _level(part: exp.Expression, named: list[exp.Expression]) -> tuple[int, ...]:
    members = part.expressions if isinstance(part, exp.Tuple) else [part.unnest()]
    start = len(named)
    named.extend(cast("list[exp.Expression]", members))
    return tuple(range(start, len(named)))
