"""What an attack looks at: a release, and all that an attacker holds besides it."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from shoal.core.errors import BadParameter
from shoal.core.outcome import SHOWN
from shoal.tables.manifest import Manifest
from shoal.tables.table import Table


@dataclass(frozen=True, eq=False)
class Scene:
    """A release, and what an attacker, or the steward who plays one, holds besides it.

    The attacker can read the labels of every release: `table.hierarchies` (of quasi-identifiers and of
    sensitive columns) are known to everyone, and so is the manifest.
    """

    table: Table
    others: tuple[Table, ...] = ()  # further releases about the same people; of versions, the newest last
    external: pl.DataFrame | None = None  # people the attacker knows: names, quasi-identifiers, perhaps more
    original: pl.DataFrame | None = None  # the truth, which only the steward has: to tell right from wrong
    control: pl.DataFrame | None = None  # people like those in the data who are not in it
    manifest: Manifest | None = None
    shown: int = SHOWN  # how many of the people hit are told, 0 for all of them
    seed: int | None = None
    readable: bool = False  # somebody fitted before, so that now "nobody fits" is an answer, no misreading

    def sensitive_column(self, column: str | None, attack: str) -> str:
        """The column an attack is after: the one it names, else the only one."""
        known = self.table.sensitive
        if column is None:
            if not known:
                raise BadParameter(f"{attack} needs a sensitive column; name one with --sensitive")
            if len(known) > 1:
                raise BadParameter(
                    f"{attack} is after one column and {', '.join(known)} are sensitive; "
                    f'say which, as in "{attack}(column={known[0]})"'
                )
            return known[0]
        if column not in known:
            raise BadParameter(
                f"{attack} names '{column}', which is not sensitive here; sensitive is "
                f"{', '.join(known) or 'nothing'}"
            )
        return column

    def shared_with(self, people: pl.DataFrame, attack: str) -> tuple[str, ...]:
        """The quasi-identifiers that a list of people has too."""
        shared = tuple(column for column in self.table.quasi if column in people.columns)
        if not shared:
            raise BadParameter(
                f"{attack} finds no quasi-identifier of the release ({', '.join(self.table.quasi)}) in the "
                f"list; it has {', '.join(people.columns)}"
            )
        return shared
