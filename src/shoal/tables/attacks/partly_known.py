"""A sensitive value that the attacker knows already is one more quasi-identifier."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.unique_links import Links, cells, each_once
from shoal.tables.table import Table


@dataclass(frozen=True)
class PartlyKnown(Attack[Scene]):
    """Finds people's rows with the help of sensitive values that are known already, and reads the rest there.

    Somebody off sick with the flu is known to have had the flu: the value parts a class like a
    quasi-identifier does, and k-anonymity over the others promises nothing any more. With a list that has
    sensitive columns, a hit is a person on it who fits exactly one row, which fits nobody else on the list;
    a blank is not known. Without one, everybody in the release is attacked by somebody who knows their
    quasi-identifiers and the columns `known`: a hit is a row that shares them with no other. Without `known`,
    each sensitive column is tried by itself, and the one that gives most people away is reported. Nobody is
    hit where a row has nothing more to tell.

    Bettini, Wang, Jajodia, "The role of quasi-identifiers in k-anonymity revisited", 2006.
    """

    name: ClassVar[str] = "partly-known"
    needs: ClassVar[tuple[Need, ...]] = ("sensitive",)
    threat: ClassVar[Threat] = "disclosure of information"
    sure: ClassVar[bool] = True

    known: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if len(set(self.known)) < len(self.known):
            raise BadParameter(
                f"{self.name}(known={'|'.join(self.known)}) names a column twice; name it once"
            )

    def attack(self, scene: Scene) -> Finding:
        """Whom the release gives away to somebody who knows part of the secrets."""
        people = self._list(scene)
        if people is None:
            return self._of_rows(scene)
        return self._of_people(people, scene)

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The scene without rows that nobody shares quasi-identifiers and known values with."""
        table: Table | None = scene.table
        sets = [self._with_list(scene)] if self._list(scene) is not None else self._sets(scene.table)
        while table is not None:
            shared = np.ones(table.rows, np.bool_)
            for known in sets:
                shared &= _alike(table, known) > 1
            if shared.all():
                break
            rows = np.flatnonzero(shared)
            table = table.with_frame(table.frame[rows]) if len(rows) else None
        if table is None:
            return None, ""
        lost = scene.table.rows - table.rows
        words = " or ".join(", ".join(known) for known in sets)
        how = f"without the {lost:,} rows that share their quasi-identifiers and {words} with no other"
        return replace(scene, table=table), how

    def _list(self, scene: Scene) -> pl.DataFrame | None:
        """The list, where it tells some of the secrets."""
        there = None if scene.external is None else set(scene.external.columns)
        if there is None or not there & set(self.known or scene.table.sensitive):
            return None
        return scene.external

    def _with_list(self, scene: Scene) -> tuple[str, ...]:
        assert scene.external is not None
        self._check(scene.table)
        return tuple(c for c in self.known or scene.table.sensitive if c in scene.external.columns)

    def _sets(self, table: Table) -> list[tuple[str, ...]]:
        """What the attacker may know besides the quasi-identifiers, one set or another."""
        self._check(table)
        return [self.known] if self.known else [(column,) for column in table.sensitive]

    def _check(self, table: Table) -> None:
        for column in self.known:
            if column not in (*table.sensitive, *table.insensitive):
                there = [c for c in table.columns if c in (*table.sensitive, *table.insensitive)]
                raise BadParameter(
                    f"{self.name}(known={column}): no such column besides the quasi-identifiers; there is "
                    f"{', '.join(there) or 'none'}"
                )

    def _of_people(self, people: pl.DataFrame, scene: Scene) -> Finding:
        table, known = scene.table, self._with_list(scene)
        shared = scene.shared_with(people, self.name)
        people = each_once(people, (*shared, *known))
        before = Links.of(people, table, shared, scene.readable)
        links = Links.of(people, table, (*shared, *known), scene.readable)
        learned = _rest(table, (*shared, *known))
        if not learned:
            return self._nothing_more(table, known, people.height, len(links.person), len(before.person))
        named = [c for c in people.columns if c not in (*shared, *known)][:2] or [*shared, *known]
        shown = scene.shown or len(links.person)
        told: list[dict[str, Json]] = [
            {
                "who": cells(people, person, named),
                "learned": cells(table.frame, row, learned),
                "confidence": sure,
            }
            for person, row, sure in zip(
                links.person[:shown].tolist(),
                links.row[:shown].tolist(),
                links.confidence[:shown].tolist(),
                strict=True,
            )
        ]
        only = len(np.setdiff1d(links.person, before.person))
        details: dict[str, Json] = {
            "attacked": "the people on the list",
            "known": list(known),
            "hits_without_what_is_known": len(before.person),
            "hits_only_with_what_is_known": only,
        }
        return self._finding(table, known, Rate(len(links.person), people.height), told, details)

    def _of_rows(self, scene: Scene) -> Finding:
        table = scene.table
        alike = {known: _alike(table, known) for known in self._sets(table)}
        rest = {known: _rest(table, (*table.quasi, *known)) for known in alike}
        hits = {known: int((sizes == 1).sum()) if rest[known] else 0 for known, sizes in alike.items()}
        known = max(hits, key=hits.__getitem__)
        alone, learned = np.flatnonzero(alike[known] == 1), rest[known]
        before = int((_alike(table, ()) == 1).sum())
        if not learned:
            return self._nothing_more(table, known, table.rows, len(alone), before)
        told: list[dict[str, Json]] = [
            {
                "who": cells(table.frame, row, [*table.quasi, *known]),
                "learned": cells(table.frame, row, learned),
                "confidence": 1.0,
            }
            for row in alone[: scene.shown or len(alone)].tolist()
        ]
        details: dict[str, Json] = {
            "attacked": "everybody in the release",
            "known": list(known),
            "hits_without_what_is_known": before,
            "hits_only_with_what_is_known": len(alone) - before,
            "hits_by_what_is_known": {", ".join(some): many for some, many in hits.items()},
        }
        return self._finding(table, known, Rate(len(alone), table.rows), told, details)

    def _finding(
        self,
        table: Table,
        known: Sequence[str],
        rate: Rate,
        told: list[dict[str, Json]],
        details: dict[str, Json],
    ) -> Finding:
        words = ", ".join(known)
        cure = (
            f"make {words} a quasi-identifier as well, as in --quasi {','.join((*table.quasi, *known))}, and "
            "protect the original again: what an attacker may know is one, whatever else it is"
        )
        return Finding(
            attack=self.name,
            rate=rate,
            baseline=1 / table.rows,
            findings=tuple(told),
            cure=cure if rate.hits else f"nothing to cure: knowing {words} leads to nobody's row",
            details=details,
        )

    def _nothing_more(
        self, table: Table, known: Sequence[str], targets: int, alone: int, before: int
    ) -> Finding:
        """Rows may be found, but they tell nothing that was not known."""
        return Finding(
            attack=self.name,
            rate=Rate(0, targets),
            baseline=1 / table.rows,
            findings=(),
            cure=f"nothing to cure: the release has no column besides those that lead to a row and "
            f"{', '.join(known)}, so there is nothing more to learn",
            details={"known": list(known), "rows_found": alone, "rows_found_without_what_is_known": before},
        )


def _alike(table: Table, known: Sequence[str]) -> Ints:
    """For every row, how many share its quasi-identifiers and some more columns."""
    classes = RowClasses.of(table.frame, (*table.quasi, *known))
    return classes.sizes[classes.of_row]


def _rest(table: Table, known: Sequence[str]) -> list[str]:
    """The columns that there are left to learn."""
    taken = {*known, *table.identifier}
    return [column for column in table.columns if column not in taken]
