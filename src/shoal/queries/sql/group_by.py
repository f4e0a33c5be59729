"""GROUP BY, and what is left of an expression once its groups and aggregates have become columns."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.sql.allow_list import excerpt, only, place
from shoal.queries.sql.sources import Scope

# An aggregate, or one with its FILTER or WITHIN GROUP around it.
AGGREGATES = (exp.AggFunc, exp.Filter, exp.WithinGroup)
MOST_KEYS = 50  # of one GROUP BY
COUNT = exp.Count(this=exp.Star(), big_int=True)
# Never looked up as a group: it means the same wherever it stands, or what is inside of it is looked up.
_PLAIN = (exp.Literal, exp.Boolean, exp.Null, exp.Identifier, exp.DataType, exp.Paren)


def aggregates(node: exp.Expression) -> bool:
    """Whether an expression puts rows together; a window does not, nor does what a sub-query does inside."""
    heads = _window_functions(node)
    return any(
        isinstance(part, AGGREGATES) and id(part) not in heads
        for part in node.walk(prune=lambda part: isinstance(part, exp.Query))
    )


def combines(select: exp.Select) -> bool:
    """Whether a query puts rows together."""
    if any(select.args.get(name) for name in ("group", "having", "distinct")):
        return True
    later = [select.args[name] for name in ("order", "qualify") if select.args.get(name) is not None]
    return any(aggregates(part) for part in (*select.expressions, *later))


def _window_functions(node: exp.Expression) -> set[int]:
    """What stands before OVER: it looks at rows of the result."""
    found = set()
    for window in node.find_all(exp.Window):
        part = window.this
        while isinstance(part, exp.Expr):
            found.add(id(part))
            wrapped = isinstance(part, exp.Filter | exp.IgnoreNulls | exp.RespectNulls | exp.WithinGroup)
            part = part.this if wrapped else None
    return found


def output_names(expressions: Iterable[exp.Expression]) -> list[str]:
    """What the columns of an answer are called; a name that comes twice gets a number."""
    names: dict[str, None] = {}
    for part in expressions:
        if isinstance(part, exp.Alias | exp.Column):
            name = part.alias_or_name
        else:  # the most frequent one need not be written out to be known
            name = "count(*)" if part == COUNT else excerpt(part).lower()
        plain, number = name, 2
        while name in names:
            name, number = f"{plain}_{number}", number + 1
        names[name] = None
    return list(names)


def strip_alias(node: exp.Expression) -> exp.Expression:
    """An expression of a SELECT list without its alias."""
    if isinstance(node, exp.Alias):
        only(node, "this", "alias")
        return cast(exp.Expression, node.this)
    return node


def group_of(select: exp.Select, scope: Scope) -> list[exp.Expression]:
    """The expressions of GROUP BY; a number, an alias and ALL stand for expressions of the SELECT list.

    A name that is a column and an alias is the column, as in both engines.
    """
    group = select.args.get("group")
    if group is None:
        return []
    chosen = [node for node in select.expressions if not aggregates(node) and not node.find(exp.Window)]
    every = isinstance(group.args.get("all"), bool) and group.args["all"]
    only(group, "expressions", "all")
    found: list[exp.Expression] = [strip_alias(node) for node in chosen] if every else []
    aliases = {node.alias.lower(): node.this for node in select.expressions if isinstance(node, exp.Alias)}
    if len(group.expressions) > MOST_KEYS:
        raise NotAllowed(f"GROUP BY has at most {MOST_KEYS} parts; group by fewer")
    for node in group.expressions:
        if isinstance(node, exp.Column) and not node.table and node.name.lower() == "all":
            found += [strip_alias(item) for item in chosen]
        elif isinstance(node, exp.Literal) and not node.is_string:
            found.append(strip_alias(select.expressions[place(node, len(select.expressions), "GROUP BY")]))
        elif (
            isinstance(node, exp.Column)
            and not node.table
            and node.name.lower() in aliases
            and not scope.knows(node.name)
        ):
            found.append(aliases[node.name.lower()])
        else:
            found.append(node)
    for node in found:
        if aggregates(node):
            raise NotAllowed(f"'{excerpt(node)}' cannot be grouped by: it is an aggregate itself")
    return found


@dataclass(frozen=True)
class Print:
    """The same for the same expression; what differs in size need not be written out to be told apart."""

    size: int
    text: str


def _sizes(tree: exp.Expression) -> dict[int, int]:
    """How many parts each part of a tree has, names aside."""
    found: dict[int, int] = {}
    for part in reversed(list(tree.walk())):
        own = 0 if isinstance(part, exp.Identifier) else 1
        found[id(part)] = own + sum(found[id(child)] for child in part.iter_expressions())
    return found


def fingerprint(node: exp.Expression, scope: Scope) -> Print:
    """The same for the same expression, however its columns are written."""

    def resolved(part: exp.Expression) -> exp.Expression:
        if isinstance(part, exp.Column):
            try:
                return exp.column(scope.column(part.name, part.table or None).sql.sql())
            except NotAllowed:
                return part
        return part

    bare = cast(exp.Expression, node.unnest())
    try:
        text = bare.transform(resolved).sql(dialect="duckdb", comments=False)
    except Exception:  # sqlglot reads calls that it cannot write
        raise NotAllowed(f"'{excerpt(node)}' cannot be asked: it is not known here") from None
    return Print(_sizes(bare)[id(bare)], text)


def lift_expression(
    node: exp.Expression,
    scope: Scope,
    keys: Sequence[Print],
    register: Callable[[exp.Expression], str],
    aliases: Mapping[str, exp.Expression] | None = None,
    outer: bool = False,
) -> exp.Expression:
    """An expression over k0, k1 … and a0, a1 …: keys by their fingerprints, aggregates as registered.

    `aliases` are such expressions already. An `outer` query has windows, and sub-queries stay as they are.
    """
    tree = node.copy()
    sizes, wanted = _sizes(tree), {key.size for key in keys}

    heads = _window_functions(tree) if outer else set()

    def change(part: exp.Expression) -> exp.Expression:
        if isinstance(part, exp.Query) and outer:
            return part.copy()  # and nothing inside of it
        if isinstance(part, exp.Window | exp.Query) and not outer:
            raise NotAllowed(f"'{excerpt(part)}' cannot be answered: no windows, no sub-queries here")
        if isinstance(part, exp.Star):
            raise NotAllowed("* stands for many rows; name what to count, sum or average")
        if isinstance(part, AGGREGATES) and id(part) not in heads:
            return exp.column(register(part))
        if not isinstance(part, _PLAIN) and sizes[id(part)] in wanted:
            seen = fingerprint(part, scope)
            if seen in keys:
                return exp.column(f"k{keys.index(seen)}")
        if isinstance(part, exp.Column):
            if aliases and not part.table and part.name.lower() in aliases:
                return aliases[part.name.lower()].copy()
            scope.column(
                part.name, part.table or None
            )  # a column that is not there is the first thing to tell
            around = part.find_ancestor(exp.Anonymous)
            if around is not None and around.name.isidentifier():
                raise NotAllowed(
                    f"{around.name[:40]} is no function known here; docs/sql.md lists those that are"
                )
            raise NotAllowed(
                f"'{excerpt(part)}' stands for many rows; put it into GROUP BY or into an aggregate "
                "such as AVG"
            )
        return part

    return tree.transform(change, copy=False)
