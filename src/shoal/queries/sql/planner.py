"""SQL text → a query that can be answered with privacy, or one sentence why not.

All of it depends on the text and the declaration alone: what is refused, what it costs and which columns come
back are the same whoever is in the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable

import sqlglot
from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration import Dataset
from shoal.queries.query import Key, Order, Output, Query
from shoal.queries.sql.aggregating import Aggregates
from shoal.queries.sql.allowing import only, shown
from shoal.queries.sql.expressions import typed
from shoal.queries.sql.grouping import fingerprint, group_of, lifted, named
from shoal.queries.sql.post import checked
from shoal.queries.sql.relations import rows_of
from shoal.queries.sql.sources import Draft, Setting
from shoal.queries.sql.subqueries import with_named
from shoal.queries.sql.typed import Typed
from shoal.queries.stores.store import Store

LONGEST = 20_000  # characters of a question
MOST_GROUPS = 1_000_000  # declared groups in one answer
DEEPEST = 100  # nested parts; deeper ones are no questions but attempts
_CLAUSES = ("expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "with_")


def plan(text: str, dataset: Dataset, store: Store) -> Query:
    """The question rebuilt."""
    tree = parsed(text)
    only(tree, *_CLAUSES)
    setting = with_named(tree, Setting(dataset, store, Draft()))
    rows = rows_of(tree, setting)
    unit = rows.whose
    group = group_of(tree)
    keys = [typed(part, rows.scope, store.dialect) for part in group]
    for key, part in zip(keys, group, strict=True):
        if key.unit:
            raise NotAllowed(f"'{shown(part)}' is the unit; grouping by it would ask about single people")
    prints = [fingerprint(part, rows.scope) for part in group]
    groups = min(rows.rows, rows.groups or rows.rows)
    found = Aggregates(rows, setting, groups, bool(keys))

    def lift(part: exp.Expression, aliased: bool = True) -> exp.Expression:
        bare = lifted(part, rows.scope, prints, found.register, aliases if aliased else None)
        return checked(bare, {f"k{index}": key.kind for index, key in enumerate(keys)})

    aliases = {part.alias.lower(): part.this for part in tree.expressions if isinstance(part, exp.Alias)}
    outputs = tuple(
        Output(name, lift(named(part), aliased=False))
        for name, part in zip(_names(tree.expressions), tree.expressions, strict=True)
    )
    having = tree.args.get("having")
    order = tuple(_order(term, lift, outputs) for term in _terms(tree))
    kept = None if having is None else lift(having.this)
    if not found.aggregates:
        raise NotAllowed(
            "answers are about many people at once; ask for COUNT, SUM, AVG or another aggregate"
        )
    told = _keys(keys)
    discovered = any(key.domain is None for key in told)
    people = found.people() if discovered else None
    return Query(
        source=rows.select,
        keys=told,
        columns=tuple(found.columns),
        primitives=tuple(found.primitives),
        quantiles=tuple(found.quantiles),
        aggregates=tuple(found.aggregates),
        outputs=outputs,
        having=kept,
        order=order,
        limit=_whole(tree.args.get("limit"), "LIMIT"),
        offset=_whole(tree.args.get("offset"), "OFFSET") or 0,
        unit=unit.sql,
        rows=rows.rows,
        groups=groups,
        people=people,
        checks=tuple(setting.draft.checks),
        text=tree.sql(dialect="duckdb", comments=False, copy=False),
    )


def parsed(text: str) -> exp.Select:
    """The syntax tree of one SELECT."""
    if len(text) > LONGEST:
        raise NotAllowed(f"the question has {len(text):,} characters; at most {LONGEST:,} are read")
    if any(ord(sign) < 32 and sign not in "\t\r\n" for sign in text):
        raise NotAllowed("the question holds a control character; write plain text")
    try:
        trees = [tree for tree in sqlglot.parse(text, read="duckdb") if tree is not None]
    except Exception as error:  # whatever its parser stumbles over is no question
        raise NotAllowed(_unreadable(error)) from None
    if len(trees) != 1:
        raise NotAllowed(f"one question at a time, not {len(trees)}; write one SELECT")
    tree = trees[0]
    if not isinstance(tree, exp.Select):
        raise NotAllowed(f"only SELECT is answered, not {type(tree).__name__.upper()}")
    if _depth(tree) > DEEPEST:
        raise NotAllowed(f"the question is nested more than {DEEPEST} deep; ask in several steps")
    return tree


def _unreadable(error: Exception) -> str:
    found = getattr(error, "errors", None)
    if found and found[0].get("line"):
        return (
            f"cannot read the question at line {found[0]['line']}, near '{str(found[0]['highlight'])[:40]}'"
        )
    return "cannot read the question; write one SELECT"


def _depth(tree: exp.Expression) -> int:
    deepest, waiting = 0, [(tree, 1)]
    while waiting:
        node, depth = waiting.pop()
        deepest = max(deepest, depth)
        waiting += [(child, depth + 1) for child in node.iter_expressions()]
    return deepest


def _names(expressions: Iterable[exp.Expression]) -> list[str]:
    """What the columns of the answer are called; a name that comes twice gets a number."""
    names: list[str] = []
    for part in expressions:
        name = part.alias_or_name if isinstance(part, exp.Alias | exp.Column) else shown(part).lower()
        plain, number = name, 2
        while name in names:
            name, number = f"{plain}_{number}", number + 1
        names.append(name)
    return names


def _keys(keys: list[Typed]) -> tuple[Key, ...]:
    """Groups are public when all of them can be listed; else all are found in the data."""
    sizes = [len(key.domain) if key.domain is not None else math.inf for key in keys]
    public = math.prod(sizes) <= MOST_GROUPS
    return tuple(Key(key.sql, key.kind, key.domain if public else None) for key in keys)


def _terms(tree: exp.Select) -> list[exp.Expression]:
    order = tree.args.get("order")
    if order is None:
        return []
    only(order, "expressions")
    return list(order.expressions)


def _order(
    term: exp.Expression, lift: Callable[[exp.Expression], exp.Expression], outputs: tuple[Output, ...]
) -> Order:
    only(term, "this", "desc", "nulls_first")
    node = term.this
    if isinstance(node, exp.Literal) and not node.is_string:
        if not node.this.isdigit() or not 1 <= int(node.this) <= len(outputs):
            raise NotAllowed(f"ORDER BY {node.this} names no column of the answer")
        sql = outputs[int(node.this) - 1].sql
    else:
        sql = lift(node)
    return Order(sql, bool(term.args.get("desc")), bool(term.args.get("nulls_first")))


def _whole(clause: exp.Expression | None, name: str) -> int | None:
    if clause is None:
        return None
    only(clause, "expression")
    number = clause.expression
    if isinstance(number, exp.Literal) and not number.is_string and number.this.isdigit():
        return min(int(number.this), 2**62)
    raise NotAllowed(f"{name} '{shown(number)}' is not a whole number")
