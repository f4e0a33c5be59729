"""Where a ledger is: a file, or the address of a PostgreSQL database."""

from __future__ import annotations

from pathlib import Path

from shoal.core.errors import BadParameter
from shoal.queries.ledger.answer_archive import Archive
from shoal.queries.ledger.ledger import Ledger
from shoal.queries.ledger.postgres_ledger import PostgresPlace
from shoal.queries.ledger.schema import ARCHIVE, LEDGER, POSTGRES_GUARDS, SQLITE_GUARDS
from shoal.queries.ledger.sqlite_ledger import MEMORY, SqlitePlace

LEDGER_STAMP = int.from_bytes(b"ShoL")
ARCHIVE_STAMP = int.from_bytes(b"ShoA")
_ADDRESSES = ("postgresql://", "postgres://")
_SQLITE = tuple(text.replace("id BIGINT PRIMARY KEY", "id INTEGER PRIMARY KEY") for text in LEDGER)


def open_ledger(place: str | Path, create: bool = True) -> Ledger:
    """The ledger in a file, or at an address that begins with postgresql://; made when it is not there.

    With `create=False` a file that is not there is an error: whoever only wants to look should not make one.
    """
    text = str(place)
    if text.startswith(_ADDRESSES):
        ledger = PostgresPlace(text, (*LEDGER, *POSTGRES_GUARDS), "head")
        # Connections of their own: whoever keeps an answer does not wait for the ledger's writers.
        return Ledger(ledger, Archive(PostgresPlace(text, ARCHIVE, "answers")))
    if text.startswith((MEMORY, "file:")) or not text or "://" in text:
        raise BadParameter(
            f"'{text}' is no place for a ledger; name a file, or an address that begins with postgresql://"
        )
    path = Path(place)
    if not create and not path.is_file():
        raise BadParameter(
            f"there is no ledger at '{path}'; name the file that the service or the session uses"
        )
    main = SqlitePlace(path.absolute(), (*_SQLITE, *SQLITE_GUARDS), LEDGER_STAMP)
    try:
        beside = path.absolute().with_name(f"{path.name}.answers")
        return Ledger(main, Archive(SqlitePlace(beside, ARCHIVE, ARCHIVE_STAMP, durable=False)))
    except BaseException:
        main.close()
        raise


def passing_ledger() -> Ledger:
    """A ledger in memory, for one question or one test: what was spent is forgotten at the end."""
    main = SqlitePlace(MEMORY, (*_SQLITE, *SQLITE_GUARDS), LEDGER_STAMP)
    return Ledger(main, Archive(SqlitePlace(MEMORY, ARCHIVE, ARCHIVE_STAMP)))
