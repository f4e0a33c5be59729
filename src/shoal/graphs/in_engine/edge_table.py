"""The edges of a graph as a table of an engine: cleaned there, numbered at random there.

Nothing of the size of the graph comes here: counts, a histogram of degrees, and the nodes that a plan is
about. Numbers of nodes are ranks of a keyed SHA-256 of their labels, in buckets whose sizes come here: with a
key that nobody has they are an order that tells nothing, and every engine works them out alike, without one
process having to sort all nodes.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import quote_value
from shoal.graphs.formats.edgelist_layout import ends_of
from shoal.graphs.graph import Cleaning
from shoal.graphs.in_engine.statements import statement

if TYPE_CHECKING:
    from sqlglot import exp

    from shoal.engines.sql_engine import SqlEngine

_BUCKET = 3  # hexadecimal digits: 4,096 buckets


@dataclass(frozen=True)
class EdgeColumns:
    """Which columns of a table are the ends of edges."""

    table: exp.Table
    ends: tuple[str, str]
    text: bool  # labels are compared as text
    others: tuple[str, ...]

    @classmethod
    def of(cls, engine: SqlEngine, table: exp.Table, name: str) -> EdgeColumns:
        """The columns named as ends, or else the first two."""
        schema = engine.schema(table)
        if len(schema) < 2:
            raise BadGraph(f"{name} has {len(schema)} column; give two, source and target")
        names = list(schema)
        one, other = ends_of(names)
        kinds = [schema[names[place]] for place in (one, other)]
        for place, kind in zip((one, other), kinds, strict=True):
            if not (kind.is_integer() or kind == pl.String):
                raise BadGraph(
                    f"column {quote_value(names[place])} of {name} has {kind} values; give whole numbers or "
                    "text"
                )
        engine.check_texts(table, (names[one], names[other]))
        left_out = tuple(each for place, each in enumerate(names) if place not in (one, other))
        text = any(kind == pl.String for kind in kinds)
        return cls(table, (names[one], names[other]), text, left_out)

    def rows(self, engine: SqlEngine) -> exp.Query:
        """All rows with their ends as a and b."""
        kind = "TEXT" if self.text else "BIGINT"
        one, other = (f'CAST("{name.replace(chr(34), chr(34) * 2)}" AS {kind})' for name in self.ends)
        return statement(f"SELECT {one} AS a, {other} AS b FROM given", engine, given=self.table)


@dataclass(frozen=True)
class EdgeTable:
    """Every edge once, as numbers of nodes (u below v), and every node with its label and degree."""

    engine: SqlEngine
    edges: exp.Table  # u, v
    nodes: exp.Table  # label, number, degree
    cleaned: Cleaning
    node_count: int
    edge_count: int
    key: str

    @classmethod
    def of(
        cls, engine: SqlEngine, table: exp.Table, name: str, key: str, directed: bool = False
    ) -> EdgeTable:
        """The graph in a table; loops and repeated edges are left out and counted."""
        columns = EdgeColumns.of(engine, table, name)
        rows = engine.keep(columns.rows(engine))
        cleaned = _counted(engine, rows, name, columns)
        pairs = engine.keep(
            statement(
                "SELECT DISTINCT LEAST(a, b) AS a, GREATEST(a, b) AS b FROM r WHERE a <> b", engine, r=rows
            )
        )
        edge_count = _number(engine, "SELECT COUNT(*) AS n FROM p", p=pairs)
        repeated = cleaned.duplicates - edge_count
        if directed:
            arrows = _number(
                engine, "SELECT COUNT(*) AS n FROM (SELECT DISTINCT a, b FROM r WHERE a <> b) AS d", r=rows
            )
            merged = arrows - edge_count
            cleaned = replace(cleaned, duplicates=repeated - merged, merged=merged, undirected=True)
        else:
            cleaned = replace(cleaned, duplicates=repeated)
        nodes = _numbered(engine, rows, pairs, key)
        count = _number(engine, "SELECT COUNT(*) AS n FROM t", t=nodes)
        edges = engine.keep(
            statement(
                "SELECT LEAST(x.number, y.number) AS u, GREATEST(x.number, y.number) AS v FROM p"
                " JOIN n AS x ON p.a = x.label JOIN m AS y ON p.b = y.label",
                engine,
                p=pairs,
                n=nodes,
                m=nodes,
            )
        )
        return cls(engine, edges, nodes, cleaned, count, edge_count, key)

    def histogram(self) -> pl.DataFrame:
        """How many nodes have each degree: columns degree and nodes, by degree."""
        tree = statement(
            "SELECT CAST(degree AS BIGINT) AS degree, COUNT(*) AS nodes FROM t GROUP BY degree",
            self.engine,
            t=self.nodes,
        )
        return self.engine.frame(tree).cast(pl.Int64).sort("degree")

    def some_nodes(self, shares: pl.DataFrame) -> pl.DataFrame:
        """Random nodes, number and degree: of every degree those whose digest is below `mark`."""
        lent = self.engine.lend(shares)
        tree = statement(
            "SELECT CAST(t.number AS BIGINT) AS number, CAST(t.degree AS BIGINT) AS degree FROM t"
            " JOIN s ON t.degree = s.degree"
            f" WHERE DIGEST('chosen:{self.key}:' || CAST(t.label AS TEXT)) < s.mark",
            self.engine,
            t=self.nodes,
            s=lent,
        )
        return self.engine.frame(tree).sort("number")

    def existing(self, pairs: pl.DataFrame) -> pl.DataFrame:
        """Which of some pairs, u below v, are edges already."""
        lent = self.engine.lend(pairs)
        tree = statement(
            "SELECT e.u, e.v FROM e JOIN c ON e.u = c.u AND e.v = c.v",
            self.engine,
            e=self.edges,
            c=lent,
        )
        return self.engine.frame(tree)

    def with_added(self, pairs: pl.DataFrame, keep_labels: bool) -> exp.Query:
        """The release: all edges and the new ones, in an order that does not tell which are which."""
        lent = self.engine.lend(pairs)
        both = (
            "SELECT u, v FROM e UNION ALL SELECT c.u, c.v FROM c UNION ALL"
            " SELECT t.number, NULL FROM t WHERE t.degree = 0 AND NOT EXISTS"
            " (SELECT 1 FROM d WHERE d.u = t.number OR d.v = t.number)"
        )
        if not keep_labels:
            text = f"SELECT u AS source, v AS target FROM ({both}) AS g ORDER BY u, v"
        else:
            # The smaller label first, for old edges and new ones alike.
            text = (
                "SELECT CASE WHEN y.label IS NULL THEN x.label ELSE LEAST(x.label, y.label) END AS source,"
                " CASE WHEN y.label IS NULL THEN NULL ELSE GREATEST(x.label, y.label) END AS target"
                f" FROM ({both}) AS g JOIN n AS x ON g.u = x.number LEFT JOIN m AS y ON g.v = y.number"
                " ORDER BY 1, 2"
            )
        nodes = self.nodes
        return statement(text, self.engine, e=self.edges, c=lent, d=lent, t=nodes, n=nodes, m=nodes)


def _number(engine: SqlEngine, text: str, **tables: exp.Table) -> int:
    return int(engine.frame(statement(text, engine, **tables)).item())


def _counted(engine: SqlEngine, rows: exp.Table, name: str, columns: EdgeColumns) -> Cleaning:
    """Loops, and as duplicates for now all other edges; a row without a source is refused."""
    empty = " OR a = '' OR b = ''" if columns.text else ""
    tree = statement(
        "SELECT COUNT(*) AS n, COUNT(*) - COUNT(a) AS nobody,"
        f" COUNT(CASE WHEN FALSE{empty} THEN 1 END) AS empty,"
        " COUNT(CASE WHEN a = b THEN 1 END) AS loops, COUNT(CASE WHEN a <> b THEN 1 END) AS others FROM r",
        engine,
        r=rows,
    )
    found = engine.frame(tree).row(0, named=True)
    if not found["n"]:
        raise BadGraph(f"{name} has no rows; give one row per edge")
    if found["nobody"]:
        raise BadGraph(
            f"{found['nobody']:,} rows of {name} have no {columns.ends[0]}; fill in the label, or drop them"
        )
    if found["empty"]:
        raise BadGraph(f"{found['empty']:,} rows of {name} have an empty label; fill it in")
    return Cleaning(int(found["loops"]), int(found["others"]), weights=columns.others)


def _numbered(engine: SqlEngine, rows: exp.Table, pairs: exp.Table, key: str) -> exp.Table:
    """Every label with its degree and a number from 0 on, in the order of its digest."""
    digested = engine.keep(
        statement(
            f"SELECT label, degree, DIGEST('number:{key}:' || CAST(label AS TEXT)) AS digest FROM"
            " (SELECT label, SUM(one) AS degree FROM (SELECT a AS label, 1 AS one FROM p UNION ALL"
            " SELECT b, 1 FROM q UNION ALL SELECT DISTINCT a, 0 FROM r WHERE b IS NULL OR a = b) AS ends"
            " GROUP BY label) AS known",
            engine,
            p=pairs,
            q=pairs,
            r=rows,
        )
    )
    bucket = f"SUBSTRING(digest, 1, {_BUCKET})"
    sizes = engine.frame(
        statement(f"SELECT {bucket} AS bucket, COUNT(*) AS nodes FROM d GROUP BY 1", engine, d=digested)
    ).sort("bucket")
    first = engine.lend(sizes.select("bucket", first=pl.col("nodes").cum_sum() - pl.col("nodes")))
    return engine.keep(
        statement(
            "SELECT d.label, CAST(d.degree AS BIGINT) AS degree,"
            f" f.first + ROW_NUMBER() OVER (PARTITION BY {bucket} ORDER BY d.digest, d.label) - 1 AS number"
            f" FROM d JOIN f ON {bucket} = f.bucket",
            engine,
            d=digested,
            f=first,
        )
    )
