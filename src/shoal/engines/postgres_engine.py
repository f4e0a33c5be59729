"""PostgreSQL: one transaction on one snapshot; a new table is there when it commits, and not before.

Passwords come from PGPASSWORD, ~/.pgpass or the address; no message shows one. Rows come and go by COPY.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from shoal.core.errors import BadParameter, BadTable
from shoal.core.extras import require
from shoal.engines.address import Address, without_secrets
from shoal.engines.folders import check_new_folder, new_folder
from shoal.engines.frames import quote_value
from shoal.engines.postgres_text import csv, parts, sql_type, type_of, typed
from shoal.engines.postgres_types import plain_types
from shoal.engines.sql_engine import (
    BATCH,
    SqlEngine,
    Written,
    column,
    connect,
    fresh_name,
    named,
    one_sentence,
    recast,
)

if TYPE_CHECKING:
    from sqlglot import exp

# What text a value becomes must not hang on settings of a server or role.
_SETTINGS = {
    "standard_conforming_strings": "on",
    "timezone": "UTC",
    "datestyle": "ISO, YMD",
    "intervalstyle": "iso_8601",
    "extra_float_digits": "1",
    "client_encoding": "UTF8",
    "jit": "off",
}
# Columns whose collation, or whose type, holds different texts equal: citext, and bpchar without a length.
_LOOSE = """
SELECT a.attname FROM pg_catalog.pg_attribute a JOIN pg_catalog.pg_type t ON t.oid = a.atttypid
JOIN pg_catalog.pg_type b ON b.oid = CASE WHEN t.typbasetype = 0 THEN t.oid ELSE t.typbasetype END
LEFT JOIN pg_catalog.pg_collation c ON c.oid = a.attcollation
WHERE a.attrelid = pg_catalog.to_regclass(%s) AND a.attnum > 0 AND NOT a.attisdropped AND a.attname = ANY (%s)
AND (NOT c.collisdeterministic OR b.typname = 'citext'
     OR b.typname = 'bpchar' AND a.atttypmod = -1 AND t.typtypmod = -1)
ORDER BY a.attnum"""
# What a new table needs, asked before anything is searched for; a schema that is not there fails.
_RIGHTS = """
SELECT pg_catalog.current_setting('transaction_read_only') = 'off',
pg_catalog.has_schema_privilege(COALESCE(pg_catalog.quote_ident(%s)::pg_catalog.regnamespace,
    pg_catalog.quote_ident(pg_catalog.current_schema())::pg_catalog.regnamespace), 'CREATE'),
pg_catalog.has_database_privilege(pg_catalog.current_database(), 'TEMPORARY')"""
_WRITING = ("the server is read-only", "you may make no table there", "you may make no temporary table")
_BEGIN = "BEGIN ISOLATION LEVEL REPEATABLE READ"
_LOST = "check that the server runs and that you may use the table"


class PostgresEngine(SqlEngine):
    """One connection, one transaction with repeatable reads."""

    dialect: ClassVar[str] = "postgres"
    name: ClassVar[str] = "PostgreSQL"

    def __init__(self, sources: Sequence[Address]) -> None:
        require("postgres", "PostgreSQL")
        require("queries", "a table in PostgreSQL")
        import psycopg

        self._place = sources[0].place
        for other in sources[1:]:
            self._check_server(other)
        shown = quote_value(without_secrets(self._place))
        try:
            psycopg.conninfo.conninfo_to_dict(self._place)
        except psycopg.Error:
            # The driver's own words quote the password.
            raise BadParameter(
                f"the address {shown} cannot be read; write a space in it as %20 and % as %25, and check the "
                "names behind ?"
            ) from None
        with one_sentence(f"cannot connect to {shown}", _LOST):
            self._connection = psycopg.connect(self._place, autocommit=True, prepare_threshold=None)
        try:
            with one_sentence("the server refused", _LOST):
                for name, setting in _SETTINGS.items():
                    self._connection.execute("SELECT pg_catalog.set_config(%s, %s, false)", (name, setting))
            self._run(_BEGIN)
        except BaseException:
            self.close()
            raise

    def table(self, address: Address) -> exp.Table:
        self._check_server(address)
        if not self._exists(address):
            raise BadTable(
                f"no table {quote_value(address)}, or you may not read it; check the name behind #"
            )
        return named(*address.table)

    def batches(self, tree: exp.Query) -> Iterator[pl.DataFrame]:
        from sqlglot import exp

        types = self._result_types(tree)
        if any(kind is None for kind in types.values()):
            # Numbers without a scale: 1.0 and 1.00 are equal, so they get one text.
            tree = exp.select(
                *(
                    exp.alias_(
                        exp.cast(exp.Anonymous(this="trim_scale", expressions=[column(name)]), "TEXT"),
                        name,
                        quoted=True,
                    )
                    if kind is None
                    else column(name)
                    for name, kind in types.items()
                )
            ).from_(tree.subquery(fresh_name()))
        mark = secrets.token_hex(12)
        text = f"COPY ({self.sql(tree)}) TO STDOUT (FORMAT csv, FORCE_QUOTE *, NULL '{mark}')"
        with one_sentence("the rows could not be read", _LOST), self._connection.cursor() as cursor:
            plain = {name: kind or pl.String() for name, kind in types.items()}
            yield pl.DataFrame(schema=plain)
            with cursor.copy(text) as copy:
                for part in parts(copy):
                    yield typed(part, plain, mark)

    def lend(self, frame: pl.DataFrame, like: exp.Table | None = None) -> exp.Table:
        from sqlglot import exp

        name = fresh_name()
        theirs = set() if like is None else set(self.schema(like))
        kinds = [
            column(each)
            if each in theirs
            else exp.alias_(exp.cast(exp.null(), sql_type(kind)), each, quoted=True)
            for each, kind in frame.schema.items()
        ]
        empty = exp.select(*kinds)
        if like is not None:
            empty = empty.from_(like.copy())
        self._run(f"CREATE TEMP TABLE {self.sql(named(name))} AS {self.sql(empty.limit(0))}")
        mark = secrets.token_hex(12)
        text = f"COPY {self.sql(named(name))} FROM STDIN (FORMAT csv, NULL '{mark}')"
        with (
            one_sentence("a mapping could not be sent", _LOST),
            self._connection.cursor() as cursor,
            cursor.copy(text) as copy,
        ):
            for part in frame.iter_slices(BATCH):
                copy.write(csv(part, mark))
        self._run(f"ANALYZE {self.sql(named(name))}")
        return named(name)

    def keep(self, tree: exp.Query) -> exp.Table:
        kept = named(fresh_name())
        self._run(f"CREATE TEMP TABLE {self.sql(kept)} AS {self.sql(tree)}")
        self._run(f"ANALYZE {self.sql(kept)}")
        return kept

    def at_most(self, tree: exp.Query, most: int) -> pl.DataFrame | None:
        # Nothing is kept for it, so that a role may verify that must not even make a temporary table.
        frame = self.frame(tree.limit(most + 1))
        return frame if frame.height <= most else None

    def loose_texts(self, table: exp.Table, columns: Sequence[str]) -> list[str]:
        with one_sentence("the table could not be read", _LOST):
            found = self._connection.execute(_LOOSE, (self.sql(table), list(columns))).fetchall()
        return [str(row[0]) for row in found]

    def same(self, pairs: Sequence[tuple[exp.Expr, exp.Expr]]) -> exp.Expr:
        from sqlglot import exp

        # PostgreSQL joins by IS NOT DISTINCT FROM row against row; equal hashes let it use a hash table.
        sides = [
            exp.Anonymous(
                this="hash_record_extended",
                expressions=[
                    exp.Anonymous(this="ROW", expressions=[one.copy() for one in side]),
                    exp.Literal.number(0),
                ],
            )
            for side in zip(*pairs, strict=True)
        ]
        return exp.and_(exp.EQ(this=sides[0], expression=sides[1]), super().same(pairs))

    def check_new(self, target: Address) -> None:
        if target.kind == "folder":
            check_new_folder(target)
        elif target.kind != "postgresql":
            raise BadParameter(
                f"PostgreSQL cannot write {quote_value(target)}; write a new table of the same database, "
                "or a folder/"
            )
        else:
            self._check_server(target)
            if self._exists(target):
                raise BadParameter(f"there is a table {quote_value(target)} already; choose a new name")
            self._check_rights(target)

    @contextmanager
    def create(self, target: Address, tree: exp.Query) -> Iterator[Written]:
        self.check_new(target)
        if target.kind == "folder":
            with new_folder(target) as trial:
                for place, part in enumerate(self.batches(tree)):
                    if part.height:
                        part.write_parquet(trial / f"part-{place:06d}.parquet")
                address = Address("folder", str(trial))
                with connect([address]) as files:
                    yield Written(files, files.table(address))
            return
        try:
            tree = self._plainly_typed(tree)
            self._run(f"CREATE TABLE {self.sql(named(*target.table))} AS {self.sql(tree)}")
            # Nobody else sees it before the transaction ends.
            yield Written(self, named(*target.table))
            self._commit(target)
        except BaseException:
            with suppress(Exception):
                self._connection.execute("ROLLBACK")
            raise
        finally:
            with suppress(Exception):
                self._connection.execute(_BEGIN)

    def close(self) -> None:
        with suppress(Exception):
            self._connection.close()

    def _run(self, text: str) -> None:
        with one_sentence("the server failed", _LOST):
            self._connection.execute(text)

    def _commit(self, target: Address) -> None:
        unsure = (
            f"look whether {quote_value(target)} is there, which nobody can tell from here; if so, drop it"
        )
        with one_sentence("the connection was lost at the very end", unsure):
            self._connection.execute("COMMIT")

    def _check_server(self, other: Address) -> None:
        if other.place != self._place:
            raise BadParameter(
                f"{quote_value(other)} is in another database than "
                f"{quote_value(without_secrets(self._place))}; bring both into one"
            )

    def _check_rights(self, target: Address) -> None:
        schema = target.table[-2] if len(target.table) > 1 else None
        with one_sentence(f"cannot write {quote_value(target)}", _LOST):
            may = self._connection.execute(_RIGHTS, (schema,)).fetchone()
        missing = [right for right, there in zip(_WRITING, may or (), strict=False) if not there]
        if missing:
            raise BadParameter(
                f"cannot write {quote_value(target)}: {missing[0]}; ask the owner of the database, or write "
                "a folder/"
            )

    def _exists(self, address: Address) -> bool:
        with one_sentence(f"cannot look for {quote_value(address)}", _LOST):
            text = self.sql(named(*address.table))
            found = self._connection.execute("SELECT pg_catalog.to_regclass(%s)", (text,)).fetchone()
        return bool(found and found[0])

    def _plainly_typed(self, tree: exp.Query) -> exp.Query:
        """The same rows without enumerations and domains, whose descriptions outlast the rows left out."""
        looked = self.sql(named(fresh_name()))
        self._run(f"CREATE TEMP TABLE {looked} AS {self.sql(tree)} WITH NO DATA")
        with one_sentence("the table could not be read", _LOST):
            kinds = plain_types(lambda text, given: self._connection.execute(text, given).fetchall(), looked)
        self._run(f"DROP TABLE {looked}")
        return recast(tree, kinds)

    def _result_types(self, tree: exp.Query) -> dict[str, pl.DataType | None]:
        """The columns of a SELECT: a type of Polars, text for all it does not have, none for free numbers."""
        with one_sentence("the table could not be read", _LOST), self._connection.cursor() as cursor:
            # Not fetched: a description is all that is wanted, and LIMIT 0 costs nothing.
            from sqlglot import exp

            cursor.execute(self.sql(exp.select("*").from_(tree.subquery(fresh_name())).limit(0)))
            assert cursor.description is not None
            return {each.name: type_of(each) for each in cursor.description}
