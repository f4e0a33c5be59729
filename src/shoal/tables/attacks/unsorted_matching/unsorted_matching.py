"""The unsorted matching attack on releases whose rows kept their order."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.outcome import Finding, Json, Rate
from shoal.core.randomness import generator
from shoal.tables.appraisal.packed_columns import pack_columns
from shoal.tables.attacker_reasoning.overlapping_labels import finer
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.unsorted_matching.row_order import RowOrder, row_order
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import texts
from shoal.tables.table import Table


@dataclass(frozen=True)
class UnsortedMatching(Attack[Scene]):
    """Puts releases of the same rows side by side when their rows stand in the same order.

    Releases that coarsen different columns give the finer label of each when row by row they belong together.
    Whether they do is tested: every place must agree, more than shuffled rows do, and what a file is sorted
    by does not count. A hit is a row that stands alone in the combination and in no release by itself.
    Every row of the first release is a target. The blind guess is one in as many as there are rows.

    Sweeney, "k-anonymity: a model for protecting privacy", 2002.
    """

    name: ClassVar[str] = "unsorted-matching"
    needs: ClassVar[tuple[Need, ...]] = ("others",)
    threat: ClassVar[Threat] = "linkability"
    sure: ClassVar[bool] = True

    def attack(self, scene: Scene) -> Finding:
        table = scene.table
        chance = generator(0 if scene.seed is None else scene.seed)
        orders = [row_order(table, other, _hierarchies(table, other), chance) for other in scene.others]
        same = [
            other
            for other, order in zip(scene.others, orders, strict=True)
            if order is not None and order.same
        ]
        joined = [RowClasses.of(one.frame, one.quasi) for one in (table, *same) if one.quasi]
        sizes = np.stack([seen.sizes[seen.of_row] for seen in joined])
        keys = pack_columns([seen.of_row for seen in joined])
        _, of_row, counts = np.unique(keys, return_inverse=True, return_counts=True)
        together = counts[of_row]
        hit = np.flatnonzero((together == 1) & (sizes > 1).all(axis=0))
        details: dict[str, Json] = {
            "same_order": bool(same),
            "order": [_order_json(order) for order in orders],
            "alone_in_one_release": [int(np.count_nonzero(own == 1)) for own in sizes],
            "alone_together": int(np.count_nonzero(together == 1)) if same else 0,
            "in_smaller_classes": int(np.count_nonzero(together < sizes.min(axis=0))),
        }
        if same and scene.original is not None:
            details["rows_of_the_original_restored"] = _restored_rows(scene.original, (table, *same))
        return Finding(
            attack=self.name,
            rate=Rate(len(hit), table.rows),
            baseline=1 / table.rows,
            findings=tuple(_findings(hit[: scene.shown or len(hit)], (table, *same))),
            cure=(
                "put the rows of every release in an order of their own, as Shoal always does"
                if len(hit)
                else "nothing to cure: nobody stands alone by the order of the rows"
            ),
            details=details,
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """The first release shuffled."""
        order = generator(0 if scene.seed is None else scene.seed).permutation(scene.table.rows)
        shuffled = scene.table.with_frame(scene.table.frame[order])
        return replace(scene, table=shuffled), "with the rows of the first release shuffled"


def _hierarchies(first: Table, other: Table) -> dict[str, Hierarchy]:
    return {**other.hierarchies, **first.hierarchies}


def _order_json(order: RowOrder | None) -> dict[str, Json]:
    if order is None:
        return {"meeting": None, "by_chance": None, "p": None, "same": False}
    return {**order.to_json(), "same": order.same}


def _findings(rows: Ints, releases: Sequence[Table]) -> Iterator[dict[str, Json]]:
    """Of each row what the first release says, and what the others add to that."""
    if not len(rows):
        return
    table = releases[0]
    merged = _merge_labels([one.with_frame(one.frame[rows]) for one in releases])
    for place, row in enumerate(rows.tolist()):
        who: dict[str, Json] = {"row": row + 1}
        who |= {column: texts(table.frame[column][row : row + 1])[0] for column in table.quasi}
        every = merged.row(place, named=True)
        learned = {name: value for name, value in every.items() if name not in who or value != who[name]}
        yield {"who": who, "learned": learned, "confidence": 1.0}


def _merge_labels(releases: Sequence[Table]) -> pl.DataFrame:
    """Row by row what all releases say: of a column that several have, the finer label."""
    hierarchies: Mapping[str, Hierarchy] = {}
    found: dict[str, pl.Series] = {}
    for table in releases:
        hierarchies = {**table.hierarchies, **hierarchies}
        for column in table.columns:
            if column in table.identifier:
                continue
            values = texts(table.frame[column])
            before = found.get(column)
            found[column] = values if before is None else finer(before, values, hierarchies.get(column))
    return pl.DataFrame([values.alias(name) for name, values in found.items()])


def _restored_rows(original: pl.DataFrame, releases: Sequence[Table]) -> int:
    """Rows whose combined labels are those of a row of the original, by all quasi-identifiers it has."""
    names = {column for table in releases for column in table.quasi}
    columns = [column for column in original.columns if column in names]
    if not columns:
        return 0
    keys = [f"column {place}" for place in range(len(columns))]
    merged = _merge_labels(releases)
    made, true = (
        pl.DataFrame({key: texts(frame[column]) for key, column in zip(keys, columns, strict=True)})
        for frame in (merged, original)
    )
    return made.join(true.unique(), on=keys, how="semi", nulls_equal=True).height
