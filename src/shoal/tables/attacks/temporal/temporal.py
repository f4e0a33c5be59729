"""Attacks on the versions of a table that changes with time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import ClassVar, Literal, get_args

import numpy as np
import polars as pl

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning.candidate_classes import Fits, fits
from shoal.tables.attacker_reasoning.class_members import person_name
from shoal.tables.attacker_reasoning.overlapping_labels import finer
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.temporal.changes_between_versions import Bools, Step
from shoal.tables.model_inputs.text_values import Label, texts

Kind = Literal["all", "join", "intersection", "difference"]
NAMED = 5  # people of the list who are named with a class


@dataclass(frozen=True)
class Temporal(Attack[Scene]):
    """Compares versions of a table, oldest first, and learns what no single version tells.

    Three attacks from each version to the next. Join: of two classes that a person who stayed is in, one pair
    of rows fits together by `key`, or by all columns besides the quasi-identifiers. Intersection: the two
    classes have one value in common. Difference: those who came into a part of the table, or left it, all
    have one value; without a `key` the change is what the counts show, so that nobody may leave while
    somebody with the same value comes. A hit is a pair of classes (join, intersection) or a row that came or
    left (difference); targets are all of these. People stay in their class and keep their value, and the
    attacker knows who stayed, came or left; a list only adds the names of who fits. The blind guess is the
    share of the most frequent value.

    Sweeney, "k-anonymity: a model for protecting privacy", 2002; Fung, Wang, Fu, Pei, "Anonymity for
    continuous data publishing", 2008; as a cure Xiao, Tao, "m-invariance", 2007.
    """

    name: ClassVar[str] = "temporal"
    needs: ClassVar[tuple[Need, ...]] = ("others", "sensitive")
    threat: ClassVar[Threat] = "linkability"
    sure: ClassVar[bool] = True

    kind: Kind = "all"
    key: str | None = None
    column: str | None = None

    def __post_init__(self) -> None:
        if self.kind not in get_args(Kind):
            raise BadParameter(f"kind is one of {', '.join(get_args(Kind))}, not '{self.kind}'")

    def attack(self, scene: Scene) -> Finding:
        column = scene.sensitive_column(self.column, self.name)
        versions = (scene.table, *scene.others)
        for place, table in enumerate(versions):
            for needed in (column, self.key):
                if needed is not None and needed not in table.columns:
                    raise BadParameter(
                        f"{self.name} needs '{needed}' in every version, and version {place + 1} has "
                        f"{', '.join(table.columns)}"
                    )
        steps = [
            Step(before, after, column, self.key, scene.readable) for before, after in pairwise(versions)
        ]
        tries = [_Try(step, place + 1, self.kind) for place, step in enumerate(steps)]
        hits = sum(one.hits for one in tries)
        told = (finding for one in tries for finding in one.findings(scene.external))
        most = texts(scene.table.frame[column]).value_counts()["count"].max()
        assert isinstance(most, int)
        return Finding(
            attack=self.name,
            rate=Rate(hits, sum(one.targets for one in tries)),
            baseline=most / scene.table.rows,
            findings=tuple(finding for finding, _ in zip(told, range(scene.shown or hits), strict=False)),
            cure=(
                "do not publish the next version by itself: publish once, or make versions that are "
                "m-invariant (every person among the same m values in each), or use differential-privacy"
                if hits
                else "nothing to cure: the versions together tell no more than each by itself"
            ),
            details={
                "versions": len(versions),
                "join": sum(int(one.joined.sum()) for one in tries),
                "intersection": sum(int(one.crossed.sum()) for one in tries),
                "came": sum(one.moves(True) for one in tries),
                "left": sum(one.moves(False) for one in tries),
                "steps": [one.figures() for one in tries],
            },
        )

    def remedied(self, scene: Scene) -> tuple[Scene | None, str]:
        """What is left when only one version is out."""
        if not scene.others:
            return None, ""
        return replace(scene, others=()), "with the first version alone"


@dataclass(frozen=True, eq=False)
class _Try:
    """What the attacks of a kind achieve in one step."""

    step: Step
    number: int
    kind: Kind

    @property
    def joined(self) -> Bools:
        """Pairs of classes in which one pair of rows fits together, and neither is of one row anyway."""
        stayed = self.step.stayed
        several = (self.step.old.sizes[stayed.old] > 1) & (self.step.new.sizes[stayed.new] > 1)
        return np.asarray((stayed.rows == 1) & several & (self.kind in ("all", "join")))

    @property
    def crossed(self) -> Bools:
        """Pairs of classes with one value for whoever is in both, and neither has one value anyway."""
        stayed = self.step.stayed
        old, new = self.step.counted
        several = (old.distinct[stayed.old] > 1) & (new.distinct[stayed.new] > 1)
        return np.asarray((stayed.left == 1) & several & (self.kind in ("all", "intersection")))

    def moves(self, came: bool) -> int:
        """Rows that came, or left, and whose value the change tells."""
        if self.kind not in ("all", "difference"):
            return 0
        moved = self.step.came if came else self.step.gone
        return int(moved.rows[(moved.kinds == 1) & ~moved.told_before].sum())

    @property
    def hits(self) -> int:
        return int((self.joined | self.crossed).sum()) + self.moves(True) + self.moves(False)

    @property
    def targets(self) -> int:
        found = 0
        if self.kind != "difference":
            found += len(self.step.stayed.old)
        if self.kind in ("all", "difference"):
            found += sum(int(moved.rows.sum()) for moved in (self.step.came, self.step.gone))
        return found

    def figures(self) -> dict[str, Json]:
        """What happened from one version to the next."""
        return {
            "from_version": self.number,
            "rows": [self.step.before.rows, self.step.after.rows],
            "pairs_of_classes": len(self.step.stayed.old),
            "came": int(self.step.came.rows.sum()),
            "left": int(self.step.gone.rows.sum()),
            "hits": self.hits,
        }

    def findings(self, people: pl.DataFrame | None) -> Iterator[dict[str, Json]]:
        """Everybody hit: those who moved first, then those who stayed."""
        names = _Names.of(self.step, people)
        yield from self._movers(names)
        step, stayed, joined = self.step, self.step.stayed, self.joined
        for pair in np.flatnonzero(joined | self.crossed).tolist():
            old, new = int(stayed.old[pair]), int(stayed.new[pair])
            who = _who([(step.old, [old]), (step.new, [new])])
            who |= names.to_json([[old], [new]]) if names else {}
            if joined[pair]:
                learned, how = _row(step, *step.same_row(old, new)), "join"
            else:
                learned, how = {step.column: step.secrets[2][stayed.only[pair]]}, "intersection"
            yield {"who": who, "learned": learned, "confidence": 1.0, "how": f"{how}, {self._stayed()}"}

    def _movers(self, names: _Names | None) -> Iterator[dict[str, Json]]:
        if self.kind not in ("all", "difference"):
            return
        for came in (True, False):
            moved = self.step.came if came else self.step.gone
            seen = self.step.new if came else self.step.old
            for place in np.flatnonzero((moved.kinds == 1) & ~moved.told_before).tolist():
                classes = self.step.classes_of(int(moved.part[place]), came).tolist()
                who = _who([(seen, classes)])
                who |= names.to_json([None, classes] if came else [classes, None]) if names else {}
                learned: dict[str, Json] = {self.step.column: self.step.secrets[2][moved.only[place]]}
                when = f"came after version {self.number}" if came else f"left after version {self.number}"
                for _ in range(int(moved.rows[place])):
                    yield {"who": who, "learned": learned, "confidence": 1.0, "how": f"difference, {when}"}

    def _stayed(self) -> str:
        return f"stayed from version {self.number} to {self.number + 1}"


def _who(seen: Sequence[tuple[RowClasses, Sequence[int]]]) -> dict[str, Json]:
    """The labels of classes; a column in which they differ has all of them."""
    told: dict[str, list[Label]] = {}
    for classes, numbers in seen:
        for row in classes.labels[list(numbers)].unique(maintain_order=True).iter_rows(named=True):
            for column, label in row.items():
                if label not in told.setdefault(column, []):
                    told[column].append(label)
    both = " & " if len(seen) > 1 else " or "
    return {
        column: labels[0] if len(labels) == 1 else both.join(map(_label_text, labels))
        for column, labels in told.items()
    }


def _label_text(label: Label) -> str:
    return "missing" if label is None else label


def _row(step: Step, old: int, new: int) -> dict[str, Json]:
    """What two rows say together that are about the same person."""
    told: dict[str, Json] = {}
    for table, row in ((step.before, old), (step.after, new)):
        for column in table.columns:
            if column in (*table.identifier, step.key):
                continue
            value = texts(table.frame[column][row : row + 1])
            if column in table.quasi and column in told:
                before = pl.Series([told[column]], dtype=pl.String)
                told[column] = finer(before, value, step.hierarchies.get(column))[0]
            else:
                told[column] = value[0]
    return told


@dataclass(frozen=True, eq=False)
class _Names:
    """The people of a list by the classes of two versions that may be theirs."""

    people: pl.DataFrame
    shared: tuple[str, ...]
    found: tuple[tuple[Fits, Ints] | None, ...]  # per version also what its classes are to the list

    @classmethod
    def of(cls, step: Step, people: pl.DataFrame | None) -> _Names | None:
        if people is None or not people.height:
            return None
        found: list[tuple[Fits, Ints] | None] = []
        for table, seen in ((step.before, step.old), (step.after, step.new)):
            # A list that knows fewer columns tells fewer classes apart.
            shared = [column for column in table.quasi if column in people.columns]
            if not shared:
                found.append(None)
                continue
            known = RowClasses.of(seen.labels, shared)
            fitting = fits(people, known, table.hierarchies, step.readable)
            found.append((fitting, known.of_row.astype(np.int64)))
        quasi = {*step.before.quasi, *step.after.quasi}
        return cls(people, tuple(column for column in people.columns if column in quasi), tuple(found))

    def to_json(self, classes: Sequence[Sequence[int] | None]) -> dict[str, Json]:
        """The first people who may be in all of these classes, and how many more there are."""
        fit: Ints = np.arange(self.people.height)
        for found, numbers in zip(self.found, classes, strict=True):
            if found is None or numbers is None:
                continue
            fitting, known = found
            entries = np.repeat(np.arange(len(fitting.number)), fitting.number)
            entries = entries[np.isin(fitting.classes, known[list(numbers)])]
            fit = fit[np.isin(fitting.of_person[fit], entries)]
        names = [
            " ".join("missing" if value is None else str(value) for value in told.values())
            for told in (person_name(self.people, person, self.shared) for person in fit[:NAMED].tolist())
        ]
        more = [f"and {len(fit) - NAMED} more"] if len(fit) > NAMED else []
        return {"on the list": ", ".join([*names, *more]) or "nobody"}
