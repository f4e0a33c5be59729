"""The tables of a ledger and of the archive of answers, in words that both databases understand."""

from __future__ import annotations

VERSION = 1
START = "0" * 64  # what the first link of the chain is tied to
ALL = ""  # the account of all analysts together
GONE = "closed"  # the policy of a data set that was deleted: nobody spends from it, and its name stays taken

LEDGER = (
    """CREATE TABLE entries (
        id BIGINT PRIMARY KEY, time TEXT NOT NULL, dataset TEXT NOT NULL, analyst TEXT NOT NULL,
        kind TEXT NOT NULL, loss BIGINT NOT NULL CHECK (loss >= 0), delta BIGINT NOT NULL CHECK (delta >= 0),
        question TEXT NOT NULL, chain TEXT NOT NULL)""",
    """CREATE TABLE head (
        version BIGINT PRIMARY KEY, id BIGINT NOT NULL, chain TEXT NOT NULL)""",
    """CREATE TABLE accounts (
        dataset TEXT NOT NULL, analyst TEXT NOT NULL,
        limit_loss BIGINT NOT NULL, limit_delta BIGINT NOT NULL,
        spent_loss BIGINT NOT NULL, spent_delta BIGINT NOT NULL,
        policy TEXT NOT NULL, accounting TEXT NOT NULL, PRIMARY KEY (dataset, analyst))""",
    """CREATE TABLE people (
        name TEXT PRIMARY KEY, role TEXT NOT NULL, token TEXT UNIQUE, since TEXT NOT NULL, revoked TEXT)""",
    f"INSERT INTO head (version, id, chain) VALUES ({VERSION}, 0, '{START}')",
)
ARCHIVE = (
    """CREATE TABLE answers (
        key TEXT PRIMARY KEY, entry BIGINT NOT NULL, dataset TEXT NOT NULL, analyst TEXT NOT NULL,
        question TEXT NOT NULL, answer TEXT NOT NULL)""",
)

# What the columns of all these tables hold. SQLite does not see to it, least of all in a damaged file.
NUMBERS = frozenset(
    ["id", "version", "entry", "loss", "delta", "limit_loss", "limit_delta", "spent_loss", "spent_delta"]
)
TEXTS = frozenset(
    [
        *("time", "dataset", "analyst", "kind", "question", "chain", "policy", "accounting"),
        *("name", "role", "token", "since", "revoked", "key", "answer"),
    ]
)
OPEN = frozenset(["token", "revoked"])  # may be nothing

# What was noted stays as it is, also against a slip of somebody who has the database open.
SQLITE_GUARDS = (
    """CREATE TRIGGER no_update BEFORE UPDATE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never changed'); END""",
    """CREATE TRIGGER no_delete BEFORE DELETE ON entries
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger are never deleted'); END""",
    # INSERT OR REPLACE deletes without asking the trigger above.
    """CREATE TRIGGER in_order BEFORE INSERT ON entries
        WHEN NEW.id <> (SELECT coalesce(max(id), 0) + 1 FROM entries)
        BEGIN SELECT RAISE(ABORT, 'entries of a ledger follow one another'); END""",
)
POSTGRES_GUARDS = (
    """CREATE FUNCTION append_only() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'entries of a ledger are never changed or deleted'; END $$""",
    """CREATE TRIGGER append_only BEFORE UPDATE OR DELETE ON entries
        FOR EACH ROW EXECUTE FUNCTION append_only()""",
    """CREATE TRIGGER no_truncate BEFORE TRUNCATE ON entries
        FOR EACH STATEMENT EXECUTE FUNCTION append_only()""",
)
