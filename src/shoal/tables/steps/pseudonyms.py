"""Keyed pseudonyms in place of identifiers."""

from __future__ import annotations

import hmac
import os
import secrets
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Step
from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.number_columns import column_of
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table

_KEY = 32
_SHORTEST_KEY = 16


@dataclass(frozen=True)
class Pseudonyms(Step[Table]):
    """Every value becomes a keyed pseudonym: the same value and key give the same one in every table.

    HMAC-SHA256 of the value's text, the first `length` hexadecimal digits. The key is read from a file, made
    with 32 random bytes for the owner's eyes alone when there is none; it never goes into the release or its
    record. Who has the key can find everybody again; who lost it, nobody. An identifier that became a
    pseudonym is released as insensitive. A missing value stays missing.

    Krawczyk, Bellare and Canetti, "HMAC: keyed-hashing for message authentication", 1997.
    """

    name: ClassVar[str] = "pseudonyms"
    example: ClassVar[str] = "column=age"
    remark: ClassVar[str] = "whoever has the key can undo them, and rows with one pseudonym are one person"
    hidden: ClassVar[tuple[str, ...]] = ("key",)  # never written into the record of a release

    column: str
    key: str | None = None  # a file; only the record of a release says nothing here
    length: int = 16

    def __post_init__(self) -> None:
        if not 4 <= self.length <= 64:
            raise BadParameter(f"pseudonyms(length={self.length}) is not between 4 and 64 digits; try 16")

    @property
    def keeps(self) -> tuple[str, ...]:
        """The columns that this step makes fit to go out."""
        return (self.column,)

    @property
    def changes(self) -> tuple[str, ...]:
        return (self.column,)

    @property
    def key_file(self) -> str | None:
        return self.key

    def apply(self, table: Table, chance: np.random.Generator) -> Table:
        """The table with pseudonyms in the column; the generator is not used, for a key must not repeat."""
        column = texts(column_of(table, self.column, self.name))
        key = self._read_key()
        values = column.drop_nulls().unique()
        found = [hmac.digest(key, value.encode("utf-8"), "sha256").hex()[: self.length] for value in values]
        if len(set(found)) < len(found):
            raise BadParameter(
                f"pseudonyms(length={self.length}) gives two values of '{self.column}' the same pseudonym; "
                f"try length={min(64, 2 * self.length)}"
            )
        made = column.replace_strict(values, pl.Series(found, dtype=pl.String), default=None)
        changed = table.with_frame(table.frame.with_columns(made.cast(pl.String).alias(self.column)))
        left = tuple(column for column in table.identifier if column != self.column)
        hierarchies = {
            name: hierarchy for name, hierarchy in table.hierarchies.items() if name != self.column
        }
        return replace(changed, identifier=left, hierarchies=hierarchies)

    def _read_key(self) -> bytes:
        if not self.key:
            raise BadParameter(f"pseudonyms needs a key; write pseudonyms(column={self.column},key=FILE)")
        path = Path(self.key).expanduser()
        try:
            if not path.exists():
                _make_key(path)
            key = path.read_bytes()
        except OSError as error:
            raise BadParameter(f"cannot use the key file '{self.key}': {error.strerror}") from error
        if len(key) < _SHORTEST_KEY:
            raise BadParameter(
                f"the key in '{self.key}' has {len(key)} bytes, fewer than {_SHORTEST_KEY}; "
                "name a file that is not there yet and Shoal makes one"
            )
        return key


def _make_key(path: Path) -> None:
    """A new key, whole or not at all, and never over one that somebody made meanwhile."""
    trial = path.with_name(f".shoal-{secrets.token_hex(6)}")
    try:
        with os.fdopen(os.open(trial, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(secrets.token_bytes(_KEY))
        try:
            os.link(trial, path)
        except FileExistsError:
            return  # two runs at once: the first key stands
    finally:
        trial.unlink(missing_ok=True)
