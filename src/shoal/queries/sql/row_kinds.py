"""Whose rows a query has: people's, which need noise, or noisy and public ones, which do not.

It follows from the text and the declaration alone. A query that reads a private table and keeps the unit has
people's rows; one that puts such rows together without the unit is told with noise.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from sqlglot import exp

from shoal.core.errors import BadParameter, NotAllowed
from shoal.queries.declaration.declaration import Dataset
from shoal.queries.sql.allow_list import excerpt, only
from shoal.queries.sql.expressions import type_expression
from shoal.queries.sql.from_where import rows_of
from shoal.queries.sql.group_by import combines, group_of, strip_alias
from shoal.queries.sql.outer_lineage import Made
from shoal.queries.sql.planning_time import go_on
from shoal.queries.sql.sources import Draft, NamedSubquery, Setting
from shoal.queries.sql.visible_columns import relations_of
from shoal.queries.stores.store import Store

Kind = Literal["rows", "noisy", "public"]
_MIXED = (
    "rows of people stand beside a sub-query that tells about many; keep the unit in it, or ask for it "
    "first and write its numbers into the next question"
)


@dataclass
class Known:
    """What a name of WITH stands for: people's rows as they are, or noisy results, made when first named."""

    kind: Kind
    named: NamedSubquery
    make: Callable[[], Made]
    made: Made | None = None

    def outer(self) -> Made:
        """The outer query that it stands for."""
        if self.made is None:
            self.made = self.make()
        return self.made


Names = Mapping[str, Known]


@dataclass
class RowKinds:
    """Judges the queries of one question."""

    dataset: Dataset
    store: Store
    make: Callable[[exp.Expression, Names], Made]  # an outer query
    _kinds: dict[int, tuple[exp.Expression, Kind]] = field(default_factory=dict)

    def kind(self, node: exp.Expression, known: Names) -> Kind:
        """Whose rows a relation has."""
        go_on()
        if isinstance(node, exp.Subquery):
            return self.kind(node.this, known)
        if isinstance(node, exp.Table):
            if not isinstance(node.this, exp.Identifier):
                raise NotAllowed(f"'{excerpt(node)}' is no table of the data set; functions cannot be asked")
            if node.name.lower() in known:
                return known[node.name.lower()].kind
            try:
                return "rows" if self.dataset.table(node.name).private else "public"
            except BadParameter as error:
                raise NotAllowed(str(error)) from None
        if isinstance(node, exp.SetOperation):
            inside = self.names(node, known)
            if "rows" in (self.kind(node.this, inside), self.kind(node.expression, inside)):
                raise NotAllowed(
                    "rows of people cannot be put below each other; UNION the aggregates instead"
                )
            return "noisy"
        if not isinstance(node, exp.Select):
            return "noisy"
        if id(node) not in self._kinds:
            inside = self.names(node, known)
            rows = self.reads_rows([self.kind(one, inside) for one in relations_of(node)])
            kept = rows and (not combines(node) or self._keeps_unit(node, inside))
            self._kinds[id(node)] = node, "rows" if kept else "noisy"  # the node too, so that its id stays
        return self._kinds[id(node)][1]

    def reads_people(self, select: exp.Select) -> bool:
        """Whether a query reads rows of people, and nothing that is noisy already."""
        known = self.names(select, {})
        kinds = [self.kind(one, known) for one in relations_of(select)]
        return "noisy" not in kinds and "rows" in kinds

    def reads_rows(self, kinds: list[Kind]) -> bool:
        """Whether rows of people are read, and nothing noisy beside them."""
        if "rows" in kinds and "noisy" in kinds:
            raise NotAllowed(_MIXED)
        return "rows" in kinds

    def _keeps_unit(self, select: exp.Select, known: Names) -> bool:
        """Whether rows are put together per person: the one thing that keeps a grouped query private rows."""
        rows = rows_of(select, self.setting(known))
        if select.args.get("distinct") is not None and not select.args.get("group"):
            if any(part.is_star for part in select.expressions):
                return True
            keys = [strip_alias(part) for part in select.expressions]
        elif select.args.get("group") is None or _has_sets(select):
            return False
        else:
            keys = group_of(select, rows.scope)
        typed = [type_expression(key, rows.scope, self.store.dialect) for key in keys]
        # A key that ties tables together is somebody's, too.
        return any(key.unit or key.key is not None for key in typed)

    def setting(self, known: Names) -> Setting:
        """What a leaf may name."""
        named = {name: one.named for name, one in known.items() if one.kind == "rows"}
        return Setting(self.dataset, self.store, Draft(), named)

    def names(self, node: exp.Expression, known: Names) -> Names:
        """What is known by name inside of a query: what was, and its own WITH."""
        clause = node.args.get("with_")
        if clause is None:
            return known
        only(clause, "expressions")
        return self.named(clause.expressions, known)

    def named(self, parts: Sequence[exp.Expression], known: Names) -> Names:
        """What was known, and parts of WITH one after the other."""
        found = dict(known)
        for part in parts:
            only(part, "this", "alias")
            only(part.args["alias"], "this")
            before = dict(found)
            kind = self.kind(part.this, before)
            rows = {name: one.named for name, one in before.items() if one.kind == "rows"}

            def make(inner: exp.Expression = part.this, before: Names = before) -> Made:
                return self.make(inner, before)

            named = NamedSubquery(part.this, rows)
            found[part.alias.lower()] = Known("noisy" if kind == "public" else kind, named, make)
        return found


def _has_sets(select: exp.Select) -> bool:
    group = select.args["group"]
    return bool(
        group.args.get("rollup")
        or group.args.get("cube")
        or group.find(exp.Rollup, exp.Cube, exp.GroupingSets)
    )
