"""The intersection attack on several releases."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.row_classes import Ints
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.several_releases import Together, same_rows
from shoal.tables.model_inputs.text_values import Label, texts
from shoal.tables.table import Table

JOINT = (
    "publish one joint release instead of several, or use a mechanism that composes, such as "
    "differential-privacy"
)
TOLD = 10  # numbers of values left that are told one by one


@dataclass(frozen=True)
class Intersection(Attack[Scene]):
    """Intersects the sensitive values that several releases allow for the same person.

    One value left is a perfect breach and counts as a hit; two to `at_most` values left are a partial breach
    with confidence one over their number. People are those of a list (`external`), else those of the
    original, all of them assumed to be in every release with the same value; whoever fits several classes
    may have any of their values. Without either, every combination of classes whose labels may be about one
    person is a target, as long as its classes have a value in common. The blind guess is the share of the
    most frequent value. Releases need not have the same columns: each is read by those it shares.

    Ganta, Kasiviswanathan, Smith, "Composition attacks and auxiliary information in data privacy", 2008.
    """

    name: ClassVar[str] = "intersection"
    needs: ClassVar[tuple[Need, ...]] = ("others", "sensitive")
    threat: ClassVar[Threat] = "linkability"
    sure: ClassVar[bool] = True

    column: str | None = None
    at_most: int = 3

    def __post_init__(self) -> None:
        if self.at_most < 1:
            raise BadParameter(f"at-most is how many values may be left, 1 or more, not {self.at_most}")

    def attack(self, scene: Scene) -> Finding:
        column = scene.sensitive_column(self.column, self.name)
        given, scene = len(scene.others), _without_copies(scene)
        people = _people(scene)
        if people is None:
            seen = Together.of_classes(scene, column, self.name)
        else:
            seen = Together.of_people(scene, people, column, self.name)
        left, only, alone = seen.common
        of_target = seen.of_person
        if of_target is None:
            # Without a list, classes with nothing in common hold nobody.
            of_target = np.flatnonzero(left > 0)
        number = left[of_target]
        perfect = np.flatnonzero(number == 1)
        details: dict[str, Json] = {
            "releases": len(seen.classes),
            **({"copies": given - len(scene.others)} if given > len(scene.others) else {}),
            "read_by": ["|".join(own.columns) for own in seen.classes],
            "perfect": len(perfect),
            "partial": {
                str(size): int(np.count_nonzero(number == size)) for size in range(2, self.at_most + 1)
            },
            "values_left": _histogram(number[number > 0]),
            "told_by_one_release": [
                int(np.count_nonzero(alone[of_target, release] == 1)) for release in range(alone.shape[1])
            ],
            "told_only_together": int(np.count_nonzero((number == 1) & (alone[of_target] > 1).all(axis=1))),
        }
        if people is None:
            details["contradictions"] = int(np.count_nonzero(left == 0))
        else:
            nowhere = (alone[of_target] == 0).any(axis=1)
            details["contradictions"] = int(np.count_nonzero((number == 0) & ~nowhere))
            details["in_no_class"] = int(np.count_nonzero(nowhere))
            details.update(_judge(scene, people, column, perfect, only[of_target], seen.values))
        most = texts(scene.table.frame[column]).value_counts()["count"].max()
        assert isinstance(most, int)
        return Finding(
            attack=self.name,
            rate=Rate(len(perfect), len(of_target)),
            baseline=most / scene.table.rows,
            findings=tuple(self._findings(scene, people, seen, column, number, of_target)),
            cure=_cure(number, alone[of_target], self.at_most, details),
            details=details,
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """What is left when only one release is out."""
        if not scene.others:
            return None, ""
        return replace(scene, others=()), "with the first release alone"

    def _findings(
        self,
        scene: Scene,
        people: pl.DataFrame | None,
        seen: Together,
        column: str,
        number: Ints,
        of_target: Ints,
    ) -> Iterator[dict[str, Json]]:
        """Perfect breaches first, then partial ones."""
        hit = np.flatnonzero((number > 0) & (number <= self.at_most))
        hit = hit[np.argsort(number[hit], kind="stable")]
        for target in hit[: scene.shown or len(hit)].tolist():
            group = int(of_target[target])
            values = seen.left(group)
            who: Mapping[str, Json] = (
                seen.labels(group) if people is None else _who(people, target, scene, column)
            )
            learned: Json = values[0] if len(values) == 1 else list(values)
            yield {"who": dict(who), "learned": {column: learned}, "confidence": 1 / len(values)}


def _without_copies(scene: Scene) -> Scene:
    """The scene without releases that are there twice, which tell nothing more."""
    kept: list[Table] = []
    for table in scene.others:
        if not any(same_rows(table, before) for before in (scene.table, *kept)):
            kept.append(table)
    return replace(scene, others=tuple(kept))


def _people(scene: Scene) -> pl.DataFrame | None:
    return scene.original if scene.external is None else scene.external


def _who(people: pl.DataFrame, person: int, scene: Scene, column: str) -> dict[str, Json]:
    """What names a person: the first columns of the list that are no attribute, else what is known."""
    releases = (scene.table, *scene.others)
    known = {name for table in releases for name in table.quasi}
    beside = {*known, *(name for table in releases for name in table.sensitive), column}
    names = [name for name in people.columns if name not in beside][:2]
    names = names or [name for name in people.columns if name in known]
    return {name: texts(people[name][person : person + 1])[0] for name in names}


def _histogram(number: Ints) -> dict[str, Json]:
    sizes, counts = np.unique(number, return_counts=True)
    told: dict[str, Json] = {
        str(size): int(count)
        for size, count in zip(sizes.tolist(), counts.tolist(), strict=True)
        if size <= TOLD
    }
    more = int(counts[sizes > TOLD].sum())
    return {**told, f"more than {TOLD}": more} if more else told


def _judge(
    scene: Scene,
    people: pl.DataFrame,
    column: str,
    perfect: Ints,
    only: np.ndarray[tuple[int], np.dtype[np.int32]],
    values: tuple[Label, ...],
) -> dict[str, Json]:
    """How many perfect breaches the original can tell right from wrong, and how many are right."""
    original = scene.original
    if original is None or column not in original.columns:
        return {}
    guesses = pl.Series(list(values), dtype=pl.String).gather(only[perfect])
    if people is original:
        truth, known = texts(original[column])[perfect], np.ones(len(perfect), np.bool_)
    else:
        keys = [name for name in people.columns if name in original.columns and name != column]
        if not keys:
            return {}
        # Own names, so that no column of the list can clash.
        numbered = [f"key {place}" for place in range(len(keys))]
        rows = pl.DataFrame({own: texts(original[name]) for own, name in zip(numbered, keys, strict=True)})
        rows = rows.with_columns(texts(original[column]).alias("truth"))
        sure = rows.group_by(numbered).agg(pl.col("truth").first(), pl.col("truth").n_unique().alias("kinds"))
        asked = pl.DataFrame({own: texts(people[name]) for own, name in zip(numbered, keys, strict=True)})
        found = asked[perfect].join(sure, on=numbered, how="left", nulls_equal=True, maintain_order="left")
        truth, known = found["truth"], (found["kinds"] == 1).fill_null(value=False).to_numpy()
    right = guesses.eq_missing(truth).to_numpy() & known
    return {"judged": int(known.sum()), "right": int(right.sum())}


def _cure(number: Ints, alone: Ints, at_most: int, details: Mapping[str, Json]) -> str:
    if (number == 1).any():
        if details["told_only_together"]:
            return f"{JOINT}; no k, l or t of the single releases is enough"
        return "l-diversity(l=2) in every release: what was learned stands in single releases already"
    if not number.any():
        return "nothing to cure against these people: nobody can be in all releases with one same value"
    told = f"no value is told for certain by {alone.shape[1]} releases together"
    few = int(np.count_nonzero((number > 0) & (number <= at_most) & (number < alone.min(axis=1))))
    if few:
        narrowed = f"{few:,} of {len(number):,} are narrowed down to at most {at_most} values"
        return f"{told}, but {narrowed}; {JOINT}"
    return f"nothing to cure: {told}"
