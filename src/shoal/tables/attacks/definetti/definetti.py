"""The deFinetti attack."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.contract import Attack, Need, Threat
from shoal.core.errors import BadParameter
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.appraisal.packed_columns import pack_columns
from shoal.tables.attacker_reasoning.candidate_classes import Fits, fits
from shoal.tables.attacker_reasoning.class_members import in_truth, person_name, rows_in_truth
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses, code
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.definetti.value_assignment import Pairs, highest, learn_values
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.model_inputs.text_values import texts

Floats = NDArray[np.float64]
ENOUGH = 25  # people per value that share a label, on average, so that something can be learned from them
MOST = 20_000_000  # pairs of a look and a value of its class: about 3 GB


@dataclass(frozen=True)
class Definetti(Attack[Scene]):
    """Learns from all classes together which people have which values, and so who in a class has what.

    The attacker has the quasi-identifiers of people in the release and knows of no link between them and the
    sensitive values beforehand. Classes that have more smokers and more cancer teach it. A naive Bayes model
    and the dealing of each class's values to its people are improved in turn until both rest, or for `rounds`
    rounds; of values that few people share (birth dates) the hierarchy's labels count instead. A hit is a
    person about whom the attacker is sure by at least `confidence`, and surer by `gain` than the shares of
    their class make them; where the truth is there, only if that is right. Only people whom one class alone
    fits are guessed.

    Kifer, "Attacks on privacy and deFinetti's theorem", 2009. The paper improves one random dealing swap by
    swap; here every dealing counts by its weight (expectation maximisation), so nothing is random.
    """

    name: ClassVar[str] = "definetti"
    needs: ClassVar[tuple[Need, ...]] = ("external", "sensitive")
    threat: ClassVar[Threat] = "disclosure of information"
    sure: ClassVar[bool] = True
    slow: ClassVar[bool] = True

    column: str | None = None
    confidence: float = 0.5
    gain: float = 0.1
    rounds: int = 30

    def __post_init__(self) -> None:
        for name in ("confidence", "gain"):
            if not 0 < getattr(self, name) <= 1:
                raise BadParameter(
                    f"definetti needs {name} as a share above 0 and at most 1, not {getattr(self, name):g}"
                )
        if not 1 <= self.rounds <= 1000:
            raise BadParameter(f"definetti takes between 1 and 1000 rounds, not {self.rounds}; 30 is usual")

    def attack(self, scene: Scene) -> Finding:
        people = scene.external
        assert people is not None
        column = scene.sensitive_column(self.column, self.name)
        shared = scene.shared_with(people, self.name)
        release = RowClasses.of(scene.table.frame, shared)
        looks = RowClasses.of(people, shared)
        found = fits(people, release, scene.table.hierarchies, scene.readable)
        domain = Domain.of(scene.table.frame, column)
        counts = release.values(scene.table.frame[column], domain)
        enough = ENOUGH * len(domain.values)
        kinds = [_kinds(looks, quasi, scene.table.hierarchies.get(quasi), enough) for quasi in shared]
        pairs, look, run = _pairs(looks, found, counts, kinds)
        posterior = learn_values(pairs, kinds, len(domain.values), self.rounds)
        best = highest(posterior, pairs.begins[:-1], pairs.begins[1:])
        cell = (best - pairs.begins[:-1] + pairs.first)[run]  # the likeliest of each look that is guessed
        chance, value, share = posterior[best][run], pairs.value[cell], pairs.share[cell]
        sure = (chance >= self.confidence) & (chance >= share + self.gain)
        guesses = np.array(domain.values, dtype=object)[value].tolist()
        right, known = looks.sizes[look], np.ones(len(look), np.bool_)
        truth = in_truth(scene.original, looks, column)
        if truth is not None and not _in_common(scene, column):
            truth = None  # coarser labels are never the very value, and nobody would seem to be hit
        details: dict[str, Json] = {
            "guessed": int(looks.sizes[look].sum()),
            "sure_about": int(looks.sizes[look][sure].sum()),
        }
        if sure.any():
            details["mean_confidence"] = float(np.average(chance[sure], weights=looks.sizes[look][sure]))
        if truth is not None:
            totals, rows = truth
            known = totals[look] > 0
            right = looks.sizes[look] * rows_in_truth(rows, look, guesses) // np.maximum(totals[look], 1)
            details |= _accuracy(pairs, look, run, right, known, looks, counts, truth)
        hit = sure & (right > 0) & known
        hits = int(right[hit].sum())
        return Finding(
            attack=self.name,
            rate=Rate(hits, people.height),
            baseline=float(domain.totals.max() / domain.totals.sum()),
            findings=tuple(_findings(scene, looks, shared, column, look, hit, right, chance, guesses)),
            cure=(
                "t-closeness with a small t gives every class the values of the whole table, so that classes "
                "teach nothing about people; l-diversity does not"
                if hits
                else "nothing to cure: all classes together say no more about people than each by itself"
            ),
            remedy=f"t-closeness(t=0.1,column={_quote(column)})" if hits else None,
            details=details,
        )


def _in_common(scene: Scene, column: str) -> bool:
    """Whether the release has any value of the original."""
    assert scene.original is not None
    return bool(
        texts(scene.table.frame[column]).is_in(texts(scene.original[column]).unique().implode()).any()
    )


def _kinds(looks: RowClasses, column: str, hierarchy: Hierarchy | None, enough: int) -> Ints:
    """What counts of a column: its values, or the lowest labels that enough people share to learn from."""
    codes, values = code(looks.labels[column])
    if hierarchy is None:
        return codes
    known = hierarchy.with_alone(values.to_list())
    leaf = np.array([known.position(value) for value in values.to_list()])
    people = int(looks.sizes.sum())
    for level in range(known.height):
        labels = known.codes[level, leaf]
        if people >= enough * len(np.unique(labels)):
            return np.asarray(labels[codes], np.int64)
    return codes


def _quote(column: str) -> str:
    return '"' + column.replace('"', '""') + '"'


def _pairs(
    looks: RowClasses, found: Fits, counts: ValueCounts, kinds_of: Sequence[Ints]
) -> tuple[Pairs, Ints, Ints]:
    """Everybody whom one class alone fits, with every value of that class; if too many, of small classes.

    Besides the pairs, the looks that are guessed, and for each the place of the one that stands for it.
    """
    own = found.only[found.of_person[looks.first_row]]
    look = np.flatnonzero(own >= 0)
    kinds = np.diff(counts.offsets)
    width = kinds[own[look]]
    by_class = np.bincount(own[look], width, len(kinds))
    order = np.argsort(counts.sizes, kind="stable")
    taken = np.zeros(len(kinds), np.bool_)
    taken[order[np.cumsum(by_class[order]) <= MOST]] = True
    look = look[taken[own[look]]]
    look = look[np.argsort(own[look], kind="stable")]
    present = np.maximum(np.bincount(own[look], looks.sizes[look], len(kinds)), 1e-9)
    # What is said about people of one class whose columns all count alike is the same, so it is learned once.
    alike = pack_columns([own[look], looks.sizes[look], *(each[look] for each in kinds_of)])
    _, one, run, times = np.unique(alike, return_index=True, return_inverse=True, return_counts=True)
    guessed, look = look, look[one]
    of_class = own[look]
    width = kinds[of_class]
    ratio = counts.sizes / present
    pairs = Pairs(
        look=look,
        first=counts.offsets[of_class],
        begins=np.concatenate(([0], np.cumsum(width))),
        # People of a class whom the list does not have take their share of its values with them.
        weight=np.asarray(looks.sizes[look] * np.minimum(1.0, ratio[of_class]), np.float64),
        times=times.astype(np.float64),
        value=counts.values.astype(np.int64),
        room=np.asarray(counts.counts * np.repeat(np.minimum(1.0, 1 / ratio), kinds), np.float64),
        share=counts.counts / np.repeat(counts.sizes, kinds),
    )
    return pairs, guessed, run


def _accuracy(
    pairs: Pairs,
    guessed: Ints,
    run: Ints,
    right: Ints,
    known: NDArray[np.bool_],
    looks: RowClasses,
    counts: ValueCounts,
    truth: tuple[Ints, pl.DataFrame],
) -> dict[str, Json]:
    """How often all guesses are right, and those of people who look at each class by itself, or at none."""
    look = guessed[known]
    if not len(look):
        return {}
    totals, rows = truth
    people = looks.sizes[look]
    whole = float(people.sum())
    values = np.array(counts.domain.values, dtype=object)

    def share_right(codes: Ints) -> float:
        hits = rows_in_truth(rows, look, values[codes].tolist())
        return float(np.sum(people * (hits / totals[look])) / whole)

    by_class = highest(pairs.share, pairs.first, pairs.first + np.diff(pairs.begins))
    usual = np.full(len(look), int(counts.domain.totals.argmax()))
    return {
        "accuracy": float(right[known].sum() / whole),
        "accuracy_of_class_majority": share_right(pairs.value[by_class[run][known]]),
        "accuracy_of_table_majority": share_right(usual),
    }


def _findings(
    scene: Scene,
    looks: RowClasses,
    shared: tuple[str, ...],
    column: str,
    look: Ints,
    hit: NDArray[np.bool_],
    right: Ints,
    sure: Floats,
    guesses: list[str | None],
) -> list[dict[str, Json]]:
    """People hit, the surest first; of people who look alike only where it is right for all of them."""
    people = scene.external
    assert people is not None
    place = np.full(len(looks), -1)
    certain = hit & (right == looks.sizes[look])
    place[look[certain]] = np.flatnonzero(certain)
    at = place[looks.of_row]
    persons = np.flatnonzero(at >= 0)
    persons = persons[np.argsort(-sure[at[persons]], kind="stable")]
    return [
        {
            "who": person_name(people, person, shared),
            "learned": {column: guesses[at[person]]},
            "confidence": float(sure[at[person]]),
        }
        for person in persons[: scene.shown or None].tolist()
    ]
