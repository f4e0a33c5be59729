"""SQL text → a query that can be answered with privacy, or one sentence why not.

All of it depends on the text and the declaration alone: what is refused, what it costs and which columns come
back are the same whoever is in the data.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.query import Key, Order, Output, Query
from shoal.queries.sql.aggregates import Aggregates
from shoal.queries.sql.allow_list import conjuncts, excerpt, only, place
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.from_where import rows_of
from shoal.queries.sql.group_by import (
    COUNT,
    Print,
    fingerprint,
    group_of,
    lift_expression,
    output_names,
    strip_alias,
)
from shoal.queries.sql.nullable_arrays import column
from shoal.queries.sql.parser_process import ParserProcess
from shoal.queries.sql.planning_time import within
from shoal.queries.sql.post_processing import check_expression, keep_groups
from shoal.queries.sql.rewriting import rewritten
from shoal.queries.sql.sources import Draft, Rows, Scope, Setting
from shoal.queries.sql.sqlglot_parser import tokens_of, tree_of
from shoal.queries.sql.subqueries import with_named
from shoal.queries.sql.text_functions import unreadable
from shoal.queries.sql.token_limits import plain
from shoal.queries.sql.typed_expression import TypedExpression
from shoal.queries.sql.work_limit import check_work
from shoal.queries.stores.store import Store

MOST_GROUPS = 1_000_000  # declared groups in one answer
MOST_CHOICES = 20_000  # quantiles of declared groups in one answer, each chosen by itself
MOST_CELLS = 2_000_000  # groups times what is counted, noised and told of each: about 300 MB
FIGURE = 50  # characters that take as much as a number
USUAL = 100  # characters of a text as it is stored
MOST_SIGNS = 20_000  # characters of one group that is found in the data
MOST_COLUMNS = 200  # of one answer
MOST_TERMS = 50  # of ORDER BY
_CLAUSES = ("expressions", "from_", "joins", "where", "group", "having", "order", "limit", "offset", "with_")


def plan(text: str, dataset: Dataset, store: Store) -> Query:
    """A question that is one private query, rebuilt."""
    with within():
        tree = rewritten(parse(text), dataset)
        if not isinstance(tree, exp.Select):
            raise NotAllowed(f"only SELECT is answered, not {type(tree).__name__.upper()}")
        return plan_leaf(tree, Setting(dataset, store, Draft()))


def plan_leaf(tree: exp.Select, setting: Setting) -> Query:
    """An aggregate query over rows of people, rebuilt."""
    only(tree, *_CLAUSES)
    if len(tree.expressions) > MOST_COLUMNS:
        raise NotAllowed(f"an answer has at most {MOST_COLUMNS} columns; ask in several steps")
    setting, store = with_named(tree, setting), setting.store
    rows = rows_of(tree, setting)
    unit = rows.whose
    found_keys: dict[
        Print, TypedExpression
    ] = {}  # named twice, a key is one: else its groups would be listed twice
    for part in group_of(tree, rows.scope):
        key = type_expression(part, rows.scope, store.dialect)
        if key.unit:
            raise NotAllowed(f"'{excerpt(part)}' is the unit; grouping by it would ask about single people")
        found_keys.setdefault(fingerprint(part, rows.scope), key)
    prints = list(found_keys)
    keys = list(found_keys.values())
    keys = _within_where(tree, rows.scope, prints, keys) if keys else keys
    groups = min(rows.rows, rows.groups or rows.rows)
    each = _rows_per_group(rows) if keys else None
    found = Aggregates(rows, setting, groups, bool(keys), each)

    aliases: dict[str, exp.Expression] = {}

    def lift(part: exp.Expression) -> exp.Expression:
        bare = lift_expression(part, rows.scope, prints, found.register, aliases)
        return check_expression(bare, {f"k{index}": key.kind for index, key in enumerate(keys)})

    outputs = tuple(
        Output(name, lift(strip_alias(part)))
        for name, part in zip(output_names(tree.expressions), tree.expressions, strict=True)
    )
    # From here on a name may be that of an output, too.
    for part, output in zip(tree.expressions, outputs, strict=True):
        if isinstance(part, exp.Alias):
            aliases[part.alias.lower()] = output.sql
    having = tree.args.get("having")
    order = tuple(_order(term, lift, outputs, aliases) for term in _terms(tree))
    # Beside a truth only a truth can stand: HAVING of a number would be charged and keep nothing.
    filtered = None if having is None else lift(exp.And(this=having.this, expression=exp.true()))
    if keys and not found.wishes:
        found.register(COUNT)  # groups alone are asked for: those with enough people, or all of a public list
    if not found.wishes:
        raise NotAllowed(
            "answers are about many people at once; ask for COUNT, SUM, AVG or another aggregate"
        )
    told = _keys(keys)
    discovered = any(key.domain is None for key in told)
    found.settle(discovered)
    listed = math.prod(len(key.domain or ()) for key in told)
    if listed * len(found.quantiles) > MOST_CHOICES:
        raise NotAllowed(
            f"a quantile for each of {listed:,} groups takes too long; {MOST_CHOICES:,} are the most"
        )
    signs = [_signs(key, listed > 0) for key in keys]
    written = sum(signs) + sum(_text_length(output.sql, signs) for output in outputs)
    if not listed and written > MOST_SIGNS:
        raise NotAllowed(
            f"the names of groups that are found in the data take up to {written:,} characters in an answer; "
            f"{MOST_SIGNS:,} are the most, so group by shorter texts, such as LEFT(x, 20), and name each once"
        )
    numbers = len(told) + len(found.columns) + len(found.primitives) + len(outputs) + written // FIGURE
    if listed * numbers > MOST_CELLS:
        raise NotAllowed(
            f"{listed:,} groups with {numbers:,} figures each do not fit into memory; {MOST_CELLS:,} figures "
            "are the most, so ask for fewer groups or aggregates at a time"
        )
    query = Query(
        source=rows.select,
        keys=told,
        columns=tuple(found.columns),
        primitives=tuple(found.primitives),
        quantiles=tuple(found.quantiles),
        aggregates=tuple(found.aggregates),
        outputs=outputs,
        having=filtered,
        order=order,
        limit=_whole(tree.args.get("limit"), "LIMIT"),
        offset=_whole(tree.args.get("offset"), "OFFSET") or 0,
        unit=unit.sql,
        rows=rows.rows,
        groups=groups,
        people=found.selected,
        crowd=found.crowd,
        checks=tuple(setting.draft.checks),
        text=tree.sql(dialect="duckdb", comments=False, copy=False),
        cells=listed * numbers,
        each=each,
    )
    return replace(query, work=check_work(query, setting.draft.widest, setting.declared))


def _rows_per_group(rows: Rows) -> int | None:
    """With how many rows a person counts in a group, where a question asks about one table alone."""
    (source, *others) = rows.scope.sources.values()
    if others or source.table is None or source.table.rows_per_group is None:
        return None
    return min(rows.rows, source.table.rows_per_group)


def _within_where(
    tree: exp.Select, scope: Scope, prints: list[Print], keys: list[TypedExpression]
) -> list[TypedExpression]:
    """The keys without the values that WHERE rules out, where it speaks of one key alone; all is public."""
    where = tree.args.get("where")
    found = list(keys)
    for part in [] if where is None else conjuncts(where.this):
        try:
            bare = check_expression(
                lift_expression(part, scope, prints, _refused),
                {f"k{i}": key.kind for i, key in enumerate(keys)},
            )
        except NotAllowed:  # it speaks of other columns
            continue
        names = {part.name for part in bare.find_all(exp.Column)}
        if len(names) == 1:
            name = names.pop()
            key = found[int(name[1:])]
            stays = keep_groups(bare, {name: column(key.domain)}) if key.domain else ()
            left = tuple(value for value, stay in zip(key.domain or (), stays, strict=True) if stay)
            found[int(name[1:])] = replace(key, domain=left or key.domain)
    return found


def _refused(node: exp.Expression) -> str:
    raise NotAllowed(f"'{excerpt(node)}' looks at many rows, and WHERE at one at a time")


def _signs(key: TypedExpression, listed: bool) -> int:
    """How many characters a key has at most; of a column as it is stored no more are counted than usual."""
    if key.kind != "text":
        return 0
    if listed:
        return max((len(str(value)) for value in key.domain or ()), default=0)
    return USUAL if key.length is None else key.length


def _text_length(node: exp.Expression, signs: list[int]) -> int:
    """How many characters an output can have."""
    return sum(
        signs[int(part.name[1:])] if isinstance(part, exp.Column) else len(part.name)
        for part in node.find_all(exp.Column, exp.Literal)
        if isinstance(part, exp.Literal) or part.name.startswith("k")
    )


def _keys(keys: list[TypedExpression]) -> tuple[Key, ...]:
    """Groups are public when all of them can be listed; else all are found in the data."""
    sizes = [len(key.domain) if key.domain is not None else math.inf for key in keys]
    public = math.prod(sizes) <= MOST_GROUPS
    return tuple(Key(key.sql, key.kind, key.domain if public else None) for key in keys)


def _terms(tree: exp.Select) -> list[exp.Expression]:
    order = tree.args.get("order")
    if order is None:
        return []
    only(order, "expressions")
    if len(order.expressions) > MOST_TERMS:
        raise NotAllowed(f"ORDER BY has at most {MOST_TERMS} terms; the first few decide")
    return list(order.expressions)


def _order(
    term: exp.Expression,
    lift: Callable[[exp.Expression], exp.Expression],
    outputs: tuple[Output, ...],
    aliases: Mapping[str, exp.Expression],
) -> Order:
    only(term, "this", "desc", "nulls_first")
    node = term.this
    if isinstance(node, exp.Literal) and not node.is_string:
        sql = outputs[place(node, len(outputs), "ORDER BY")].sql
    elif isinstance(node, exp.Column) and not node.table and node.name.lower() in aliases:
        sql = aliases[node.name.lower()]  # before a column of the same name, as in both engines
    else:
        sql = lift(node)
    return Order(sql, bool(term.args.get("desc")), bool(term.args.get("nulls_first")))


def _whole(clause: exp.Expression | None, name: str) -> int | None:
    if clause is None:
        return None
    only(clause, "expression")
    number = clause.expression
    written = number.this if isinstance(number, exp.Literal) and not number.is_string else ""
    if written.isascii() and written.isdigit():
        return int(written) if len(written) < 19 else 2**62
    raise NotAllowed(f"{name} '{excerpt(number)}' is not a whole number")


LONGEST = 20_000  # characters of a question
_BLANKS = str.maketrans("\t\r\n", "   ")
_apart = ParserProcess()


def parse(text: str) -> exp.Query:
    """The syntax tree of one question."""
    if len(text) > LONGEST:
        raise NotAllowed(f"the question has {len(text):,} characters; at most {LONGEST:,} are read")
    if unreadable(text.translate(_BLANKS)):
        raise NotAllowed("the question holds a control character; write plain text")
    tokens = tokens_of(text)
    # A short and ordinary one is read here, within some milliseconds; all others where they block nobody.
    return tree_of(text, tokens) if plain(tokens) else _apart.tree(text)
