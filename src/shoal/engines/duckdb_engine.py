"""DuckDB files, and folders of Parquet or CSV of any size: DuckDB in this process, its memory limited.

Everything happens in one transaction, so there is one state of the rows, and what fails leaves nothing. What
does not fit into memory is spilled into a folder that only this user may read and that is gone afterwards; if
this process is killed, the next one of the same user takes it away.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

import polars as pl

from shoal.core.errors import BadParameter, BadTable
from shoal.core.extras import require
from shoal.engines.address import Address
from shoal.engines.duckdb_types import check_types, holds_texts_equal, without_enums
from shoal.engines.folders import FolderState, check_new_folder, new_folder
from shoal.engines.frames import quote_value
from shoal.engines.leftovers import SPILL, HeldFolder, sweep
from shoal.engines.sql_engine import BATCH, SqlEngine, Written, column, fresh_name, named, one_sentence

if TYPE_CHECKING:
    from sqlglot import exp

MEMORY_SHARE = 3  # of the machine's memory, one part in so many; the search and the system need some, too


class DuckEngine(SqlEngine):
    """One connection, one transaction."""

    dialect: ClassVar[str] = "duckdb"
    name: ClassVar[str] = "DuckDB"

    def __init__(
        self, sources: Sequence[Address], output: Address | None = None, memory: str | None = None
    ) -> None:
        require("queries", f"reading {quote_value(sources[0])}")
        import duckdb

        sweep(Path(tempfile.gettempdir()), SPILL)
        self._spill = HeldFolder(Path(tempfile.gettempdir()), SPILL, 0o700)
        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = memory or f"{total // MEMORY_SHARE >> 20}MB"
        self._duck = duckdb.connect(
            ":memory:",
            config={
                "temp_directory": str(self._spill.path),
                "memory_limit": limit,
                "preserve_insertion_order": "false",
            },
        )
        # It would write into what a command says.
        self._duck.execute("SET enable_progress_bar = false")
        self._files: dict[str, str] = {}
        self._folders: list[FolderState] = []
        self._views: dict[str, str] = {}
        try:
            written = output if output is not None and output.kind == "duckdb" else None
            for address in (*sources, *([written] if written else [])):
                if address.kind == "duckdb":
                    self._attach(address, written)
            for address in sources:
                if address.kind == "folder":
                    self._folder(address)
            self._lock([*self._folders, *([Path(output.place)] if output and not written else [])])
            self._run("BEGIN TRANSACTION")
        except BaseException:
            self.close()
            raise

    def table(self, address: Address) -> exp.Table:
        if address.kind == "folder":
            return named(self._views[address.place])
        schema, name = ("main", *address.table)[-2:]
        table = named(self._files[address.place], schema, name)
        if not self._exists(address):
            raise BadTable(f"no table {quote_value(address)}; {self._tables(address)}")
        return table

    def batches(self, tree: exp.Query) -> Iterator[pl.DataFrame]:
        with one_sentence("the rows could not be read", "check the data and the free space for spilling"):
            reader = self._duck.sql(self.sql(tree)).to_arrow_reader(BATCH)
            check_types(reader.schema)
            first = pl.from_arrow(reader.schema.empty_table())
            assert isinstance(first, pl.DataFrame)
            yield first
            for batch in reader:
                frame = pl.from_arrow(batch)
                assert isinstance(frame, pl.DataFrame)
                yield frame.cast(first.schema)

    def lend(self, frame: pl.DataFrame, like: exp.Table | None = None) -> exp.Table:
        from sqlglot import exp

        lent, name = fresh_name(), fresh_name()
        self._duck.register(lent, frame.to_arrow())
        try:
            theirs = {} if like is None else self.types(like)
            chosen = [
                exp.alias_(exp.cast(column(each), theirs[each], dialect="duckdb"), each, quoted=True)
                if each in theirs
                else column(each)
                for each in frame.columns
            ]
            made = exp.select(*chosen).from_(named(lent))
            self._run(f"CREATE TEMP TABLE {self.sql(named(name))} AS {self.sql(made)}")
        finally:
            with suppress(
                Exception
            ):  # it fails in a transaction that failed, whose failure is the one to tell
                self._duck.unregister(lent)
        return named(name)

    def keep(self, tree: exp.Query) -> exp.Table:
        kept = named(fresh_name())
        self._run(f"CREATE TEMP TABLE {self.sql(kept)} AS {self.sql(tree)}")
        return kept

    def types(self, table: exp.Query | exp.Table) -> dict[str, str]:
        """The columns of a table or of a SELECT with the names that DuckDB has for their types."""
        found = self._duck.execute(f"DESCRIBE {self.sql(table)}").fetchall()
        # A column of which nothing but its being missing is known has a type that nothing can be cast to.
        return {str(row[0]): "INTEGER" if str(row[1]) == '"NULL"' else str(row[1]) for row in found}

    def loose_texts(self, table: exp.Table, columns: Sequence[str]) -> list[str]:
        from sqlglot import exp

        kinds = self.types(table)
        names = [name for name in columns if kinds.get(name) == "VARCHAR"]
        alike = [exp.alias_(holds_texts_equal(name), name, quoted=True) for name in names]
        found = self.frame(exp.select(*alike).from_(table.copy()).limit(1)) if names else pl.DataFrame()
        return [name for name in names if found.height and found[name].item()]

    def check_new(self, target: Address) -> None:
        if target.kind == "folder":
            check_new_folder(target)
        elif target.kind != "duckdb":
            raise BadParameter(
                f"DuckDB cannot write {quote_value(target)}; write duckdb:///FILE#TABLE or a folder/"
            )
        elif self._exists(target):
            raise BadParameter(f"there is a table {quote_value(target)} already; choose a new name")

    @contextmanager
    def create(self, target: Address, tree: exp.Query) -> Iterator[Written]:
        from sqlglot import exp

        self.check_new(target)
        tree = without_enums(tree, self.types(tree))
        if target.kind == "folder":
            with new_folder(target) as trial:
                path = exp.Literal.string(str(trial)).sql("duckdb")
                self._run(f"COPY ({self.sql(tree)}) TO {path} (FORMAT parquet, PER_THREAD_OUTPUT true)")
                view = self._scan(FolderState.of(Address("folder", str(trial))))
                yield Written(self, named(view))
                self.check_unchanged()
            return
        schema, name = ("main", *target.table)[-2:]
        trial_table = named(self._files[target.place], schema, fresh_name())
        try:
            self._run(f"CREATE TABLE {self.sql(trial_table)} AS {self.sql(tree)}")
            yield Written(self, trial_table)
            self.check_unchanged()
            self._run(f"ALTER TABLE {self.sql(trial_table)} RENAME TO {self.sql(named(name))}")
            self._run("COMMIT")
        except BaseException:
            with suppress(Exception):
                self._duck.execute("ROLLBACK")
            raise
        finally:
            with suppress(Exception):
                self._duck.execute("BEGIN TRANSACTION")

    def check_unchanged(self) -> None:
        """Refuse a folder in which files came, went or changed since it was opened."""
        for state in self._folders:
            state.check()

    def close(self) -> None:
        with suppress(Exception):
            self._duck.execute("ROLLBACK")
        self._duck.close()
        self._spill.remove()

    def _run(self, text: str) -> None:
        with one_sentence("the engine failed", "check the data and the free space on disk"):
            self._duck.execute(text).fetchall()

    def _attach(self, address: Address, written: Address | None) -> None:
        from sqlglot import exp

        if address.place in self._files:
            return
        write = written is not None and written.place == address.place
        if not write and not Path(address.place).is_file():
            raise BadTable(f"no file {quote_value(address.place)}; check the name and the folder")
        alias = fresh_name()
        path = exp.Literal.string(address.place).sql("duckdb")
        with one_sentence(f"cannot open {quote_value(address.place)}", "close other programs that use it"):
            self._duck.execute(
                f"ATTACH {path} AS {self.sql(named(alias))}" + ("" if write else " (READ_ONLY)")
            ).fetchall()
        self._files[address.place] = alias

    def _folder(self, address: Address) -> None:
        state = FolderState.of(address)
        self._folders.append(state)
        self._views[address.place] = self._scan(state)

    def _scan(self, state: FolderState) -> str:
        """A view over the files of a folder. CSV stays text, as it does in a file of its own."""
        from sqlglot import exp

        files = exp.Array(expressions=[exp.Literal.string(str(path)) for path in state.files])
        if state.extension == ".parquet":
            scan = exp.Anonymous(this="read_parquet", expressions=[files])
        else:
            mark = "\t" if state.extension == ".tsv" else state.separator
            options = {
                "all_varchar": exp.true(),
                "header": exp.true(),
                "delim": exp.Literal.string(mark),
                "nullstr": exp.Literal.string(""),
                "allow_quoted_nulls": exp.false(),
                "quote": exp.Literal.string('"'),
                "escape": exp.Literal.string('"'),
            }
            given = [exp.PropertyEQ(this=exp.to_identifier(k), expression=v) for k, v in options.items()]
            scan = exp.Anonymous(this="read_csv", expressions=[files, *given])
        view = fresh_name()
        tree = exp.select("*").from_(exp.Table(this=scan))
        with one_sentence(
            f"cannot read {quote_value(state.folder)}", "check that its files are whole and alike"
        ):
            self._duck.execute(f"CREATE TEMP VIEW {self.sql(named(view))} AS {self.sql(tree)}").fetchall()
        return view

    def _lock(self, folders: Sequence[FolderState | Path]) -> None:
        """From here on no statement reaches anything but the folders of this job."""
        from sqlglot import exp

        paths = {
            str(one.folder if isinstance(one, FolderState) else one.absolute().parent) for one in folders
        }
        allowed = exp.Array(expressions=[exp.Literal.string(f"{path}/") for path in sorted(paths)])
        if paths:
            self._run(f"SET allowed_directories = {allowed.sql('duckdb')}")
        for name in ("enable_external_access", "autoload_known_extensions", "autoinstall_known_extensions"):
            self._run(f"SET {name} = false")
        self._run("SET lock_configuration = true")

    def _exists(self, address: Address) -> bool:
        schema, name = ("main", *address.table)[-2:]
        found = self._duck.execute(
            "SELECT count(*) FROM information_schema.tables "
            "WHERE table_catalog = ? AND table_schema = ? AND table_name = ?",
            [self._files[address.place], schema, name],
        ).fetchall()
        return bool(found[0][0])

    def _tables(self, address: Address) -> str:
        found = self._duck.execute(
            "SELECT table_name FROM information_schema.tables WHERE table_catalog = ? ORDER BY 1",
            [self._files[address.place]],
        ).fetchall()
        names = [str(row[0]) for row in found]
        return f"the file has {', '.join(names[:10])}" if names else "the file has no tables"
