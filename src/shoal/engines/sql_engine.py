"""The thin door to data that stay where they are: run a syntax tree, stream what it gives, make a new table.

An engine is open for one job and shows one state of the rows from its first statement on (Spark: see there).
Only trees of sqlglot go in: identifiers are quoted, values are literals, and no text is put together here.
"""

from __future__ import annotations

import re
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from shoal.core.errors import BadParameter, BadTable, ShoalError
from shoal.engines.address import Address, without_secrets
from shoal.engines.folders import swept_folders
from shoal.engines.frames import FAILURES, quote_value, reason

if TYPE_CHECKING:
    from sqlglot import exp

BATCH = 100_000  # rows that come to this process at once
DISTINCT = 5_000_000  # distinct rows that come at all: some 100 to 300 bytes each, see docs/scale.md
PREFIX = "shoal_"  # of everything that is there only for a while
# What helps where an engine says so, in place of what usually does.
_CURES = {
    "Out of Memory": "use a machine with more memory, of which DuckDB takes a third, or free space on disk",
    # PostgreSQL, of types that it cannot group or hash.
    "could not identify an": "make a view that shows the column as text",
}
_MARK = 8  # random bytes behind it


@dataclass(frozen=True)
class Written:
    """A new table before it has its name: what to read it with, and as what."""

    engine: SqlEngine
    table: exp.Table


class SqlEngine(ABC):
    """Tables by address, SELECTs as trees, answers as frames."""

    dialect: ClassVar[str]
    name: ClassVar[str]
    exact_texts: ClassVar[str] = '"C"'  # the collation in which no two texts are equal

    @abstractmethod
    def table(self, address: Address) -> exp.Table:
        """The table at an address, as trees name it."""

    @abstractmethod
    def batches(self, tree: exp.Query) -> Iterator[pl.DataFrame]:
        """What a SELECT gives, a part at a time; types as Polars has them. Read it to its end."""

    @abstractmethod
    def lend(self, frame: pl.DataFrame, like: exp.Table | None = None) -> exp.Table:
        """A small frame as a table of the engine, for joins.

        Columns that `like` has too get its types, so that equal values are equal; others stay as they are.
        """

    @abstractmethod
    def keep(self, tree: exp.Query) -> exp.Table:
        """What a SELECT gives as a table that is gone with the engine: worked out once, asked often."""

    @abstractmethod
    def create(self, target: Address, tree: exp.Query) -> AbstractContextManager[Written]:
        """A new table, or folder of Parquet, with the rows of a SELECT.

        Inside the `with` it can be read; it has its name once nothing failed in there, and otherwise nothing
        of it is left.
        """

    @abstractmethod
    def close(self) -> None:
        """Give everything back."""

    @abstractmethod
    def check_new(self, target: Address) -> None:
        """Refuse, before any work is done, a target that is there or that this engine cannot write."""

    def leftovers(self, target: Address) -> list[str]:
        """What killed runs left where a target goes: taken away, or told where one may be running."""
        return swept_folders(target) if target.kind == "folder" else []

    def frame(self, tree: exp.Query) -> pl.DataFrame:
        """All that a SELECT gives."""
        return pl.concat(self.batches(tree), rechunk=True)

    def schema(self, table: exp.Table) -> Mapping[str, pl.DataType]:
        """The columns of a table, in order, with the types that their values have here."""
        from sqlglot import exp

        return dict(self.frame(exp.select("*").from_(table.copy()).limit(0)).schema)

    def check_texts(self, table: exp.Table, columns: Sequence[str]) -> None:
        """Refuse columns in which the engine holds different texts equal: to a reader they are different."""
        for name in self.loose_texts(table, columns):
            raise BadTable(
                f"in column {quote_value(name)} different texts count as equal here, as 'a' and 'A' may; "
                f"make a view that shows the column as text with COLLATE {self.exact_texts}"
            )

    def loose_texts(self, table: exp.Table, columns: Sequence[str]) -> Sequence[str]:
        """Those of some columns in which different texts are equal, by their type or their collation."""
        return ()

    def same(self, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Expr:
        """The condition of a join that the values of each pair are the same, or missing on both sides."""
        from sqlglot import exp

        return exp.and_(*(exp.NullSafeEQ(this=one, expression=other) for one, other in pairs))

    def at_most(self, tree: exp.Query, most: int) -> pl.DataFrame | None:
        """All that a SELECT gives, or nothing where that is more than so many rows."""
        from sqlglot import exp

        kept = self.keep(tree)
        return self.frame(exp.select("*").from_(kept.copy())) if self.size_of(kept) <= most else None

    def size_of(self, table: exp.Table) -> int:
        """How many rows a table has."""
        from sqlglot import exp

        tree = exp.select(exp.alias_(exp.Count(this=exp.Star()), "number")).from_(table.copy())
        return int(self.frame(tree).item())

    def shuffled(self, tree: exp.Select, alike: int = 0) -> exp.Select:
        """The rows of a SELECT in an order that chance decides and nobody can replay.

        `alike` is how many rows there are where few of them differ; equal ones may then stay side by side.
        """
        from sqlglot import exp

        return tree.order_by(exp.Rand())

    def sql(self, tree: exp.Expr) -> str:
        """A tree as this engine's text, for nobody but the engine."""
        return tree.sql(self.dialect, identify=True)

    def __enter__(self) -> SqlEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def connect(sources: Sequence[Address], output: Address | None = None) -> SqlEngine:
    """The one engine that can read all sources and write the output; close it, or use it in a `with`."""
    kinds = {address.kind for address in sources}
    if len(kinds) > 1 and kinds != {"duckdb", "folder"}:
        raise BadParameter(
            f"{quote_value(sources[0])} and {quote_value(sources[1])} are in different engines; "
            "bring them into one"
        )
    for address in sources:
        if output is not None and same_place(address, output):
            raise BadParameter(f"{quote_value(output)} is what is read here; choose a new table")
    if "spark" in kinds:
        from shoal.engines.spark_engine import SparkEngine

        return SparkEngine(sources)
    if "postgresql" in kinds:
        from shoal.engines.postgres_engine import PostgresEngine

        return PostgresEngine(sources)
    from shoal.engines.duckdb_engine import DuckEngine

    return DuckEngine(sources, output)


def same_place(one: Address, other: Address) -> bool:
    """Whether two addresses name one table."""
    return one.frame is None and other.frame is None and one == other


def fresh_name() -> str:
    """A name that nobody has."""
    return f"{PREFIX}{secrets.token_hex(_MARK)}"


def is_fresh_name(name: str) -> bool:
    """Whether a name is one that `fresh_name` gives."""
    return re.fullmatch(f"{PREFIX}[0-9a-f]{{{2 * _MARK}}}", name) is not None


def named(*parts: str) -> exp.Table:
    """A table by the parts of its name, the last one its own."""
    from sqlglot import exp

    marks = [exp.to_identifier(part, quoted=True) for part in parts]
    return exp.Table(**dict(zip(("this", "db", "catalog"), reversed(marks), strict=False)))


def column(name: str, table: str | None = None) -> exp.Column:
    """A column, quoted, of a table or of whichever has it."""
    from sqlglot import exp

    return exp.column(name, table=table, quoted=True)


def recast(tree: exp.Query, kinds: Mapping[str, str]) -> exp.Query:
    """The same rows with some columns as other types, each as the engine itself writes it."""
    from sqlglot import exp

    tree = tree.copy()
    for each in tree.selects:
        name = each.alias_or_name
        if name in kinds:
            placed = exp.Cast(this=each.unalias().copy(), to=exp.var(kinds[name]))
            each.replace(exp.alias_(placed, name, quoted=True))
    return tree


@contextmanager
def one_sentence(what: str, cure: str) -> Iterator[None]:
    """Whatever an engine complains about as one sentence, without passwords, and exit code 2."""
    try:
        yield
    except ShoalError:
        raise
    except FAILURES as error:
        told = without_secrets(reason(error))
        cure = next((better for words, better in _CURES.items() if words in told), cure)
        raise BadTable(f"{what}: {told}; {cure}") from None
