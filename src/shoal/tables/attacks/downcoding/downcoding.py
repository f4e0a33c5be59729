"""Downcoding: finer values than a release shows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.deadline import check_time
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.class_members import Members
from shoal.tables.attacker_reasoning.manifest_clues import method_of, only_k
from shoal.tables.attacker_reasoning.revealing_columns import (
    GivenAway,
    can_be_learned,
    revealed_columns,
    without,
)
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.downcoding.coarse_labels import Coarse, coarse, on_one_level, speaks_coarsely
from shoal.tables.attacks.downcoding.row_distribution import spread

LEAKED = -2  # a class is made finer through another column, and not through what its labels say


@dataclass(frozen=True)
class Downcoding(Attack[Scene]):
    """Makes the labels of a release finer again, from how it was made and how common values are.

    A range that is no wider than its rows has a row at each end; a label that is no coarser than it must be
    has rows in two of its branches at least; and where only k-anonymity was asked of mondrian, no cut left k
    rows on both sides. With that, and with how common values are among the people of --control or --external
    (else each as common as the next), rows are given a finer label. A hit is such a row, if the finer labels
    of its class are right with at least `confidence` and not so likely without knowing the method, which is
    the blind guess here; of each class the one column counts that gives most.
    Rows of a class are interchangeable: what is learned is that so many of them have the finer label. Against
    methods that treat whole columns alike (optimal, heuristic, top-down) this finds nothing.
    Another way works against all of them, and needs no manifest: a released column that determines a coarser
    one (a code beside its description) gives it away. What stands for what is learned from --original,
    --control or --external, or from rows that were left as they are.

    Cohen, "Attacks on deidentification's defenses", 2022, proves that every minimal hierarchical method can
    be downcoded on data made for it; this is the practical half, for the methods and the data at hand.
    """

    name: ClassVar[str] = "downcoding"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "disclosure of information"
    sure: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    confidence: float = 0.95

    def __post_init__(self) -> None:
        if not 0.5 < self.confidence <= 1:
            raise BadParameter(
                f"downcoding needs a confidence above 0.5 and at most 1, not {self.confidence:g}; try 0.95"
            )

    def attack(self, scene: Scene) -> Finding:
        manifest = scene.manifest
        if manifest is None and not can_be_learned(scene):
            raise BadParameter(
                f"{self.name} needs to know how the release was made, or people to learn from which column "
                "gives another away; keep its manifest (.shoal.json) beside it, or give --original FILE"
            )
        release = RowClasses.of(scene.table.frame, scene.table.quasi)
        method = method_of(manifest)
        tight = method is not None and method.tight
        at_median = method is not None and method.cuts == "median"
        k = only_k(manifest) if manifest is not None and at_median else 0
        columns = [
            found
            for column in scene.table.quasi
            if manifest is not None and (found := coarse(scene, release, column, k, method)) is not None
        ]
        # Rows that chance made up are nobody's, whatever their columns say of each other.
        leaks = (
            revealed_columns(scene, self.confidence) if manifest is None or not manifest.guarantees else []
        )
        passed = [
            column
            for column in scene.table.quasi
            if tight and column not in scene.table.hierarchies and speaks_coarsely(release.labels[column])
        ]
        if passed and not columns and not leaks:
            raise BadParameter(
                f"{self.name} cannot take apart the labels of {', '.join(passed)} without their hierarchies; "
                f"give --hierarchy {passed[0]}=FILE, or a rule and the values it is for as --external FILE"
            )
        best = np.zeros(len(release), np.int64)
        alone = np.zeros(len(release), np.int64)  # what knowing the method does not help with
        through = np.full(len(release), -1)
        claims: list[pl.DataFrame] = []
        for place, found in enumerate(columns):
            check_time()
            claim, rows, usual = _claims(found, self.confidence)
            claims.append(claim)
            better = rows > best
            best[better], through[better] = rows[better], place
            alone = np.maximum(alone, usual)
        for leak in leaks:
            rows = np.bincount(release.of_row, leak.rows, len(release)).astype(np.int64)
            better = rows > best
            best[better], through[better] = rows[better], LEAKED
        kept = [
            claim.filter(pl.Series(through[claim["class"].to_numpy()] == place))
            for place, claim in enumerate(claims)
        ]
        hits = int(best.sum())
        details: dict[str, Json] = {
            "classes": len(release),
            "classes_made_finer": int((best > 0).sum()),
            "rows_made_finer_for_certain": int(
                sum(c.filter(pl.col("chance") == 1)["rows"].sum() for c in kept)
            ),
            "method_known": "–" if manifest is None else manifest.method,
        }
        if leaks:
            details["given_away"] = [leak.to_json() for leak in leaks]
        if passed:
            details["passed_over_without_hierarchy"] = list(passed)
        right = _right(scene, release, columns, kept)
        if right is not None:
            details["right"] = right
        return Finding(
            attack=self.name,
            rate=Rate(hits, scene.table.rows),
            baseline=float(alone.sum() / scene.table.rows),
            findings=(*_leaks(scene, leaks), *_findings(scene, release, columns, kept))[
                : scene.shown or None
            ],
            cure=_cure(hits, tight, passed, leaks),
            details=details,
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """Without the columns that give others away, and with every column on one level."""
        manifest, table, done = scene.manifest, scene.table, []
        if gone := without(revealed_columns(scene, self.confidence)):
            table = table.with_frame(table.frame.drop(gone))
            done.append(f"without {', '.join(gone)}")
        method = method_of(manifest)
        if manifest is not None and method is not None and method.tight:
            table, manifest = on_one_level(table), replace(manifest, method="one level for all")
            done.append(
                "every column on the lowest level that covers its coarsest label, in all classes alike"
            )
        return (replace(scene, table=table, manifest=manifest), "; ".join(done)) if done else (None, "")


def _cure(hits: int, tight: bool, passed: Sequence[str], leaks: Sequence[GivenAway]) -> str:
    if not hits and passed:
        return f"nothing found, but {', '.join(passed)} were passed over; give --hierarchy for them"
    if not hits:
        return "nothing to cure: no label can be made finer with this confidence"
    if leaks:
        pairs = dict.fromkeys(
            f"{' with '.join(one.determining)} gives away {one.determined}" for one in leaks
        )
        return (
            f"{'; '.join(pairs)}: leave out {', '.join(without(leaks))}, or treat the columns of each pair "
            "as one quasi-identifier with one hierarchy"
        )
    if tight:
        return (
            "put every column on one level for all classes (method optimal): labels then do not fit the rows "
            "under them; against people who know how common values are only noise helps"
        )
    return "publish noise (differential-privacy), which knowing the method does not undo"


def _claims(found: Coarse, confidence: float) -> tuple[pl.DataFrame, Ints, Ints]:
    """What the method gives away through a column: class, part, rows and chance; the rows of each class; and
    the rows that anybody could claim who knows how common values are and nothing of the method."""
    told = spread(found.labels, confidence)
    number = np.diff(found.labels.begins)
    usual = spread(found.unaware, confidence).rows
    certain = np.add.reduceat(told.least, found.labels.begins[:-1])
    # What is likely anyway is not the method's fault; what is certain through the method always is.
    likely = told.rows > np.maximum(certain, usual)
    rows = np.where(likely, told.rows, certain)[found.of_class]
    rows[found.of_class < 0] = 0
    known = np.where(found.of_class < 0, 0, usual[found.of_class])
    of_label = np.repeat(np.arange(len(number)), number)
    sure = np.flatnonzero((told.least > 0) & ~likely[of_label])
    some = np.flatnonzero(likely)
    said = pl.DataFrame(
        {
            "label": np.concatenate((of_label[sure], some)),
            "part": np.concatenate((sure, told.part[some])),
            "rows": np.concatenate((told.least[sure], told.rows[some])),
            "chance": np.concatenate((np.ones(len(sure)), told.chance[some])),
        }
    )
    classes = pl.DataFrame({"class": np.arange(len(rows)), "label": found.of_class}).filter(
        pl.col("label") >= 0
    )
    joined = classes.join(said, on="label", how="inner").sort("class", "part")
    return joined, rows, known


def _right(
    scene: Scene, release: RowClasses, columns: Sequence[Coarse], claims: Sequence[pl.DataFrame]
) -> float | None:
    """The share of the rows made finer that are right, by the truth; None where it does not tell."""
    original = scene.original
    if original is None or not set(release.columns) <= set(original.columns):
        return None
    looks = RowClasses.of(original, release.columns)
    found = fits(original, release, scene.table.hierarchies, scene.readable, blank_is_value=True)
    members = Members.of(looks, found)
    right = total = 0
    for column, claim in zip(columns, claims, strict=True):
        checked = claim.filter(pl.Series(members.known[claim["class"].to_numpy()]))
        if not checked.height:
            continue
        part = column.part_of(members.of_class, looks.labels[column.column].gather(members.look))
        rows = (
            pl.DataFrame({"class": members.of_class, "part": part, "people": members.people})
            .group_by("class", "part")
            .agg(pl.col("people").sum())
        )
        joined = checked.join(rows, on=["class", "part"], how="left").with_columns(
            pl.col("people").fill_null(0)
        )
        right += int(np.minimum(joined["rows"].to_numpy(), joined["people"].to_numpy()).sum())
        total += int(checked["rows"].sum())
    return right / total if total else None


def _leaks(scene: Scene, leaks: Sequence[GivenAway]) -> list[dict[str, Json]]:
    """For every pair of columns one line per value that is given away, the most frequent first."""
    told: list[dict[str, Json]] = []
    for leak in leaks:
        frame = scene.table.frame.with_columns(finer=leak.finer, chance=pl.Series(leak.chance))
        shown = [*leak.determining, leak.determined]
        counted = (
            frame.filter(pl.col("finer").is_not_null())
            .group_by(*shown, "finer", "chance")
            .agg(pl.len().alias("rows"))
            .sort("rows", *shown, descending=[True, *(False for _ in shown)])
        )
        told += [
            {
                "who": {name: line[name] for name in shown},
                "learned": {leak.determined: line["finer"]},
                "people": line["rows"],
                "confidence": float(line["chance"]),
            }
            for line in counted.head(scene.shown or counted.height).iter_rows(named=True)
        ]
    return told


def _findings(
    scene: Scene, release: RowClasses, columns: Sequence[Coarse], claims: Sequence[pl.DataFrame]
) -> list[dict[str, Json]]:
    """Classes and what is known of some of their rows, the surest first."""
    every = pl.concat(
        [claim.with_columns(pl.lit(place).alias("column")) for place, claim in enumerate(claims)]
        or [pl.DataFrame(schema={"chance": pl.Float64, "class": pl.Int64, "part": pl.Int64})]
    ).sort("chance", "class", "part", descending=[True, False, False], maintain_order=True)
    told: list[dict[str, Json]] = []
    for line in every.head(scene.shown or every.height).iter_rows(named=True):
        found, number = columns[line["column"]], line["class"]
        told.append(
            {
                "who": dict(zip(release.columns, release.labels.row(number), strict=True)),
                "learned": {
                    found.column: found.name_of(line["part"]),
                    "rows": f"{line['rows']} of {release.sizes[number]}",
                },
                "confidence": float(line["chance"]),
            }
        )
    return told
