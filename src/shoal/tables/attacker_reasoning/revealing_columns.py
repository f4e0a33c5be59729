"""Released columns that give another one away: a code beside the label that it stands for.

A column that was coarsened is fine again wherever another released column determines it. What stands for what
is no secret: it is read off people like those in the data, the original among them, or off the rows of the
release that were left as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.outcome import Json
from shoal.tables.attacker_reasoning.label_syntax import meanings
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.discovery.dependencies import Dependency, dependencies
from shoal.tables.hierarchies import TOP
from shoal.tables.model_inputs.text_values import texts

FEWEST = 20  # people to learn from what stands for what


@dataclass(frozen=True, eq=False)
class GivenAway:
    """Columns of a release that determine another, which the release shows less finely."""

    determining: tuple[str, ...]
    determined: str
    share: float  # of the people in whom it was seen, those of whom it is true
    finer: pl.Series  # per row of the release the finer value, null where nothing is learned
    chance: NDArray[np.float64]  # per row how sure that is

    @property
    def rows(self) -> NDArray[np.bool_]:
        """The rows of which a finer value is learned."""
        return np.asarray(self.finer.is_not_null().to_numpy())

    def to_json(self) -> dict[str, Json]:
        return {
            "determining": list(self.determining),
            "determined": self.determined,
            "share": self.share,
            "rows": int(self.rows.sum()),
        }


def revealed_columns(scene: Scene, confidence: float) -> list[GivenAway]:
    """Every coarsened column that others give away with at least this confidence, most rows first."""
    found: dict[tuple[tuple[str, ...], str], GivenAway] = {}
    for people in _sources(scene):
        coarse = [
            column for column in _shared_columns(scene, people) if _coarse_rows(scene, people, column).any()
        ]
        if not coarse:
            continue
        for one in dependencies(people, _shared_columns(scene, people)):
            key = (one.determining, one.determined)
            if one.determined in coarse and key not in found:
                told = _finer(scene, people, one, confidence)
                if told is not None:
                    found[key] = told
    return sorted(found.values(), key=lambda told: -int(told.rows.sum()))


def can_be_learned(scene: Scene) -> bool:
    """Whether there is anybody to learn from what stands for what."""
    return any(len(_shared_columns(scene, people)) > 1 for people in _sources(scene))


def without(found: Sequence[GivenAway]) -> list[str]:
    """The columns to leave out so that nothing is given away: of every finding one, as few as that takes."""
    left = [set(one.determining) for one in found]
    gone: list[str] = []
    while left:
        names = sorted({name for some in left for name in some})
        gone.append(max(names, key=lambda name: sum(name in some for some in left)))
        left = [some for some in left if gone[-1] not in some]
    return gone


def _sources(scene: Scene) -> list[pl.DataFrame]:
    """People whose columns show what stands for what, those with most to tell first."""
    given = [scene.original, scene.control, scene.external]
    found = [people for people in given if people is not None and people.height >= FEWEST]
    plain = _as_they_are(scene)
    return [*found, *([plain] if plain is not None else [])]


def _as_they_are(scene: Scene) -> pl.DataFrame | None:
    """The rows of a release in which no label is coarse, if that is some of them and not all."""
    frame = scene.table.frame
    fine = np.ones(frame.height, np.bool_)
    for column in scene.table.quasi:
        fine &= ~_says_several(texts(frame[column]))
    return frame.filter(pl.Series(fine)) if FEWEST <= fine.sum() < frame.height else None


def _says_several(labels: pl.Series) -> NDArray[np.bool_]:
    """Which labels say by themselves that they stand for several values."""
    kinds = labels.unique()
    coarse = [*kinds.gather(sorted(meanings(kinds))).to_list(), TOP]
    return np.asarray(labels.is_in(coarse).fill_null(False).to_numpy())


def _shared_columns(scene: Scene, people: pl.DataFrame) -> list[str]:
    gone = set(scene.table.identifier)
    return [name for name in scene.table.columns if name in people.columns and name not in gone]


def _coarse_rows(scene: Scene, people: pl.DataFrame, column: str) -> NDArray[np.bool_]:
    """Which rows have a label in place of a value: nobody has what they say.

    The original has every value. A list of others may lack some, so there a label must look like one.
    """
    labels = texts(scene.table.frame[column])
    known = texts(people[column]).unique()
    foreign = np.asarray((~labels.is_in(known.implode()) & labels.is_not_null()).to_numpy())
    if people is scene.original:
        return foreign
    hierarchy = scene.table.hierarchies.get(column)
    above = {name for level in hierarchy.names[1:] for name in level} if hierarchy is not None else set()
    leaves = set(hierarchy.leaves) if hierarchy is not None else set()
    named = labels.is_in([name for name in above - leaves if name is not None]).fill_null(False).to_numpy()
    return np.asarray(foreign & (_says_several(labels) | named))


def _finer(scene: Scene, people: pl.DataFrame, one: Dependency, confidence: float) -> GivenAway | None:
    """What a dependency tells of every row; None where it tells nothing that was not as good as known."""
    keys, target = list(one.determining), one.determined
    seen = people.select([texts(people[name]).alias(name) for name in (*keys, target)])
    table = (
        seen.group_by(*keys, target)
        .agg(pl.len().alias("people"))
        .sort("people", target, descending=[True, False])
        .with_columns(chance=pl.col("people") / pl.col("people").sum().over(keys))
        .unique(keys, keep="first", maintain_order=True)
        .filter(pl.col("chance") >= confidence)
        .select(*keys, pl.col(target).alias("finer"), "chance")
    )
    rows = scene.table.frame.select([texts(scene.table.frame[name]).alias(name) for name in keys])
    told = rows.join(table, on=keys, how="left", nulls_equal=True, maintain_order="left")
    coarse = _coarse_rows(scene, people, target)
    usual = _usual(texts(scene.table.frame[target]), told["finer"], coarse)
    learned = coarse & told["finer"].is_not_null().to_numpy() & (usual < confidence)
    if not learned.any():
        return None
    finer = pl.select(pl.when(pl.Series(learned)).then(told["finer"])).to_series()
    return GivenAway(one.determining, target, one.share, finer, told["chance"].fill_null(0.0).to_numpy())


def _usual(labels: pl.Series, finer: pl.Series, coarse: NDArray[np.bool_]) -> NDArray[np.float64]:
    """How often the commonest value under a row's label is right: what anybody would say of its rows."""
    frame = pl.DataFrame({"label": labels, "finer": finer, "coarse": coarse})
    counted = (
        frame.filter("coarse")
        .group_by("label", "finer")
        .agg(pl.len().alias("rows"))
        .group_by("label")
        .agg((pl.col("rows").max() / pl.col("rows").sum()).alias("usual"))
    )
    joined = frame.join(counted, on="label", how="left", nulls_equal=True, maintain_order="left")
    return np.asarray(joined["usual"].fill_null(0.0).to_numpy())
