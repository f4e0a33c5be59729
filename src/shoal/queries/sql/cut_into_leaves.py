"""A question cut into private leaves, each an aggregate query, and a query over their noisy answers.

Which is which follows from the text and the declaration alone. A query whose rows are people's (it reads a
private table, and keeps the unit) belongs into a leaf; one that puts such rows together without the unit is a
leaf; whatever reads leaves and public tables only is done with noisy numbers, and is free. Leaves are planned
like any other question, so nothing that is done here can make an answer less private.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import cast

from sqlglot import exp

from shoal.core.errors import NotAllowed
from shoal.queries.declaration.declaration import Dataset, Table
from shoal.queries.query import OuterColumn, Query
from shoal.queries.sql.allow_list import only
from shoal.queries.sql.from_where import rows_of
from shoal.queries.sql.group_by import output_names, strip_alias
from shoal.queries.sql.leaf_split import split, union
from shoal.queries.sql.outer_lineage import Columns, Made, columns_by_name, either_column, trace_columns
from shoal.queries.sql.planning_time import go_on
from shoal.queries.sql.rewriting import distinct_grouped
from shoal.queries.sql.row_kinds import Names, RowKinds
from shoal.queries.sql.sources import Setting
from shoal.queries.sql.visible_columns import relations_of
from shoal.queries.stores.store import Store

MOST_LEAVES = 40
_SELECT = (
    "expressions", "from_", "joins", "where", "group", "having", "qualify", "windows", "order", "limit",
    "offset", "distinct", "with_",
)  # fmt: skip


@dataclass
class Cutter:
    """Leaves and public tables, found while a question is cut."""

    dataset: Dataset
    store: Store
    plan_leaf: Callable[[exp.Select, Setting], Query]
    leaves: list[Query] = field(default_factory=list)
    publics: dict[str, Table] = field(default_factory=dict)
    _seen: dict[object, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.kinds = RowKinds(self.dataset, self.store, self.query)

    def query(self, node: exp.Expression, known: Names) -> Made:
        """An outer query in place of one that the analyst wrote."""
        go_on()
        if isinstance(node, exp.Subquery):
            only(node, "this")
            inner = self.query(node.this, known)
            return Made(exp.Subquery(this=inner.tree), inner.columns)
        if isinstance(node, exp.SetOperation):
            return self._united(node, known)
        if not isinstance(node, exp.Select):
            raise NotAllowed(f"only SELECT is answered, not {type(node).__name__.upper()}")
        only(node, *_SELECT)
        inside = self.kinds.names(node, known)
        private = self.kinds.reads_rows([self.kinds.kind(one, inside) for one in relations_of(node)])
        made = self._leaf(node, inside) if private else self._outer(node, inside)
        return replace(made, tree=_with(made.tree, node, inside))

    def _leaf(self, select: exp.Select, known: Names) -> Made:
        select = select.copy()
        distinct_grouped(select)
        setting = self.kinds.setting(known)
        scope = rows_of(select, setting).scope
        for name in ("expressions", "having", "qualify", "order", "windows"):
            value = select.args.get(name)
            for part in value if isinstance(value, list) else [value] if value is not None else []:
                self._inside(part, known)
        parts = split(select, scope)
        numbers = [self._planned(core, known) for _, core in parts.inner]
        names = [leaf_name(number) for number in numbers]
        origins: dict[str, OuterColumn] = {
            f"k{key}": OuterColumn("", fixed=True) for key in range(parts.keys)
        }
        origins |= {f"g{index}": OuterColumn("", fixed=True) for index in range(len(parts.groupings))}
        for index in range(parts.aggregates):
            places = zip(numbers, parts.inner, strict=True)
            sources = tuple((number, len(chosen) + index) for number, (chosen, _) in places)
            origins[f"a{index}"] = OuterColumn("", sources)
        one = len(names) == 1 and not parts.groupings
        table = (
            exp.Table(this=exp.to_identifier(names[0], quoted=True))
            if one
            else union(parts, names).subquery("g")
        )
        parts.outer.set("from_", exp.From(this=table))
        return Made(parts.outer, trace_columns(parts.outer, {"g": origins}))

    def _planned(self, core: exp.Select, known: Names) -> int:
        """The number of a leaf; what is asked twice, about the same rows, is answered once."""
        named = self.kinds.setting(known)
        seen = (
            core.sql(dialect="duckdb", comments=False),
            tuple((name, id(one.select)) for name, one in sorted(named.named.items())),
        )
        if seen not in self._seen:
            if len(self.leaves) >= MOST_LEAVES:
                raise NotAllowed(
                    f"the question has more than {MOST_LEAVES} private parts; ask in several steps"
                )
            self.leaves.append(self.plan_leaf(core, named))
            self._seen[seen] = len(self.leaves) - 1
        return self._seen[seen]

    def _outer(self, select: exp.Select, known: Names) -> Made:
        """A query that reads noisy results and public tables."""
        made = select.copy()
        made.set("with_", None)
        relations: dict[str, Columns | None] = {}
        for one in relations_of(made):
            name, table, columns = self._relation(one, known)
            one.replace(table)
            relations[name] = columns
        for name, value in made.args.items():
            if name not in ("from_", "joins"):
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, exp.Expression):
                        self._inside(part, known)
        for join in made.args.get("joins") or ():
            if join.args.get("on") is not None:
                self._inside(join.args["on"], known)
        if not any(part.is_star for part in made.expressions):
            names = output_names(select.expressions)
            told = [
                exp.alias_(strip_alias(part).copy(), name, quoted=True)
                for part, name in zip(made.expressions, names, strict=True)
            ]
            made.set("expressions", told)
        return Made(made, trace_columns(made, relations))

    def _relation(self, node: exp.Expression, known: Names) -> tuple[str, exp.Expression, Columns | None]:
        if isinstance(node, exp.Subquery):
            only(node, "this", "alias")
            made = self.query(node.this, known)
            alias = node.args.get("alias")
            table: exp.Expression = exp.Subquery(
                this=made.tree, alias=None if alias is None else alias.copy()
            )
            return node.alias.lower(), table, columns_by_name(made, alias)
        if not isinstance(node, exp.Table):
            raise NotAllowed("FROM names tables, sub-queries and names of WITH only")
        only(node, "this", "alias")
        name = node.name.lower()
        if name in known:
            return (
                node.alias_or_name.lower(),
                node.copy(),
                columns_by_name(known[name].outer(), node.args.get("alias")),
            )
        found = self.dataset.table(node.name)
        if found.private:  # a leaf would have been made of it: what comes here is read as it is
            raise NotAllowed(f"'{found.name}' has rows of people; ask for aggregates of it")
        self.publics[found.name] = found
        alias = node.args.get("alias") or exp.TableAlias(this=exp.to_identifier(node.name))
        table = exp.Table(this=exp.to_identifier(public_name(found), quoted=True), alias=alias.copy())
        columns = {column.name.lower(): OuterColumn("", fixed=True) for column in found.columns}
        return node.alias_or_name.lower(), table, None if alias.args.get("columns") else columns

    def _inside(self, node: exp.Expression, known: Names) -> None:
        """Sub-queries within an expression, made outer ones where they stand."""
        found = [part for part in node.walk(prune=_is_query) if _is_query(part)]
        for part in found:
            if isinstance(part, exp.Subquery):
                part.this.replace(self.query(part.this, known).tree)
            else:
                part.replace(self.query(cast(exp.Expression, part), known).tree)

    def _united(self, node: exp.SetOperation, known: Names) -> Made:
        only(node, "this", "expression", "distinct", "by_name", "order", "limit", "offset", "with_")
        inside = self.kinds.names(node, known)
        left, right = self.query(node.this, inside), self.query(node.expression, inside)
        made = node.copy()
        made.set("with_", None)
        made.set("this", left.tree)
        made.set("expression", right.tree)
        columns = None
        if (
            left.columns
            and right.columns
            and len(left.columns) == len(right.columns)
            and not node.args.get("by_name")
        ):
            columns = tuple(either_column(*pair) for pair in zip(left.columns, right.columns, strict=True))
        return Made(_with(made, node, inside), columns)


def leaf_name(number: int) -> str:
    """What a leaf's noisy answer is called in the engine of outer queries."""
    return f"leaf {number}"


def public_name(table: Table) -> str:
    """What a public table is called there."""
    return f"public {table.name}"


def _is_query(node: exp.Expr) -> bool:
    return isinstance(node, exp.Query)


def _with(tree: exp.Query, node: exp.Expression, known: Names) -> exp.Query:
    """The noisy results that the analyst named WITH, if they were asked for."""
    clause = node.args.get("with_")
    parts = []
    for part in [] if clause is None else clause.expressions:
        made = known[part.alias.lower()].made
        if made is not None:
            alias = exp.TableAlias(this=exp.to_identifier(part.alias.lower(), quoted=True))
            parts.append(exp.CTE(this=made.tree, alias=alias))
    if parts:
        tree.set("with_", exp.With(expressions=parts))
    return tree
