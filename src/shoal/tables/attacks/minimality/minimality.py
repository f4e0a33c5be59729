"""The minimality attack."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from shoal.core.contract import Attack, Need, Refines, Threat
from shoal.core.errors import BadParameter
from shoal.core.frequency_bound import Bound
from shoal.core.outcome import Finding, Json, Rate
from shoal.tables.attacker_reasoning import manifest_clues
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.class_members import Members, in_truth, person_name, rows_in_truth
from shoal.tables.attacker_reasoning.manifest_clues import (
    REACHES,
    ColumnPromises,
    excluded_confidence,
    may_break,
    must_break,
    read_promises,
)
from shoal.tables.attacker_reasoning.row_classes import Ints, RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.minimality.finer_table import Finer, finer, halved_where_best
from shoal.tables.attacks.minimality.possible_worlds import blame
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain

Floats = NDArray[np.float64]
CURE = (
    "let the classes not depend on the sensitive values: generalise for k-anonymity alone, with a larger k, "
    "or publish noise (differential-privacy), which knowing the method does not undo"
)
ROUNDING = 1e-9


@dataclass(frozen=True)
class Minimality(Attack[Scene]):
    """Learns sensitive values from the fact that a method generalises no more than it must.

    The attacker has the quasi-identifiers of everybody in the table, the hierarchies and the manifest. A
    class that could be finer and still large enough was left coarse because in some part of it some value
    would have been too frequent. All ways to deal the values of the class to its people that would not have
    stopped the method are struck out; what is left can say more than the promised 1/l, alpha or h. A hit is a
    person about whom it does.

    With optimal and heuristic the whole column would have become finer, so the blame may lie in any class;
    with top-down in any class with the label (numbers that it halves where best tell nothing: which halves
    it tried is not known), with mondrian in the class itself. Other methods do not work
    this way; `reach` (column, label or class) says what one step makes finer all the same, for releases of
    other makers. All ways to deal values are equally likely here; where values go with quasi-identifiers the
    truth differs, and `right` says by how much. Where several values may be to blame, the confidence told is
    a lower bound. Columns are looked at one by one. Reads k-anonymity, l-diversity (distinct, probabilistic),
    alpha-k-anonymity and confidence-bounding; another model may have stopped the method for reasons of its
    own, and then nothing is learned.

    Wong, Fu, Wang, Pei, "Minimality attack in privacy preserving data publishing", 2007.
    """

    name: ClassVar[str] = "minimality"
    needs: ClassVar[tuple[Need, ...]] = ("external", "sensitive", "manifest")
    threat: ClassVar[Threat] = "disclosure of information"
    sure: ClassVar[bool] = True

    column: str | None = None
    reach: Refines | None = None

    def __post_init__(self) -> None:
        if self.reach is not None and self.reach not in REACHES:
            raise BadParameter(f"minimality knows the reaches {', '.join(REACHES)}, not '{self.reach}'")

    def attack(self, scene: Scene) -> Finding:
        people, manifest = scene.external, scene.manifest
        assert people is not None and manifest is not None
        column = scene.sensitive_column(self.column, self.name)
        domain = Domain.of(scene.table.frame, column)
        shared = scene.shared_with(people, self.name)
        promises = read_promises(manifest, column, scene.table.sensitive)
        spoken = np.isfinite(_excluded_confidences(promises.bounds, domain)) | (not promises.bounds)
        blind = float((domain.totals / domain.totals.sum())[spoken].max(initial=0.0))
        method = manifest_clues.method_of(manifest)
        reach = self.reach or (None if method is None else method.refines)
        cuts = None if method is None else method.cuts
        minimal = manifest.minimal or self.reach is not None
        why = _why_useless(reach, manifest.method, promises, shared, scene, minimal)
        if why or reach is None:
            return Finding(self.name, Rate(0, people.height), blind, (), f"nothing to cure: {why}")
        release, looks = RowClasses.of(scene.table.frame, shared), RowClasses.of(people, shared)
        found = fits(people, release, scene.table.hierarchies, scene.readable, blank_is_value=True)
        members = Members.of(looks, found)
        counts = release.values(scene.table.frame[column], domain)
        sure, value = np.zeros(len(members.look)), np.zeros(len(members.look), np.int64)
        for quasi in shared:
            hierarchy, level = scene.table.hierarchies.get(quasi), (manifest.levels or {}).get(quasi)
            if cuts == "best" and halved_where_best(people[quasi], hierarchy):
                continue
            groups = finer(release, looks, members, quasi, hierarchy, reach, level, cuts == "median")
            if groups is None:
                continue
            best, code = _learn(groups, counts, release.sizes, promises)
            inside = groups.of_pair >= 0
            gained, which = np.zeros(len(sure)), np.zeros(len(sure), np.int64)
            gained[inside], which[inside] = best[groups.of_pair[inside]], code[groups.of_pair[inside]]
            better = gained > sure + ROUNDING
            sure[better], value[better] = gained[better], which[better]
        # Of people who may be in several classes it is not certain that this is theirs.
        alone = members.people == looks.sizes[members.look]
        hit = np.flatnonzero((sure > 0) & alone)
        hits = int(members.people[hit].sum())
        details: dict[str, Json] = {
            "classes": len(release),
            "classes_settled": int(members.known.sum()),
            "promised": min(map(excluded_confidence, promises.bounds)),
            "highest_confidence": float(sure[hit].max(initial=0.0)),
            **_check_truth(scene, looks, column, members, hit, sure, [domain.values[v] for v in value[hit]]),
        }
        return Finding(
            attack=self.name,
            rate=Rate(hits, people.height),
            baseline=blind,
            findings=tuple(_findings(scene, looks, shared, column, members, hit, sure, value, domain)),
            cure=CURE if hits else _calm(members),
            details=details,
        )


def _why_useless(
    reach: Refines | None,
    method: str,
    promises: ColumnPromises,
    shared: tuple[str, ...],
    scene: Scene,
    minimal: bool,
) -> str:
    """Why there is nothing that the attack could use; empty when there is."""
    if reach is None:
        return f"{method or 'the method'} may leave a class coarser than it must, so that tells nothing"
    if not minimal:
        return f"{method} ran out of time or was relaxed, so that nobody knows which steps were refused"
    if promises.unread:
        return f"{promises.unread[0]} may have stopped the method as well, and this attack cannot read it"
    if not promises.bounds:
        return "the method looked at no sensitive value (no model about values), so its labels tell none"
    missing = [column for column in scene.table.quasi if column not in shared]
    if missing:
        return f"the list does not have {missing[0]}, so who is in which class is not known"
    return ""


def _calm(members: Members) -> str:
    if not members.known.any():
        told = "nothing to cure against this list: it does not say who is in which class; the attack needs "
        return f"{told}everybody in the table and nobody else"
    return "nothing to cure: no class was left coarse for a reason that gives a value away"


def _excluded_confidences(bounds: tuple[Bound, ...], domain: Domain) -> Floats:
    """The confidence in each value that the promises rule out; unbounded for values they do not speak of."""
    promise = np.full(len(domain.values), np.inf)
    for bound in bounds:
        spoken = [not bound.values or value in bound.values for value in domain.values]
        promise[spoken] = np.minimum(promise[spoken], excluded_confidence(bound))
    return promise


def _limits(bounds: tuple[Bound, ...], sizes: Ints, domain: Domain, strictly: bool) -> Ints:
    """How often each value may occur in a part of each size: `limits[size, value]`."""
    allowed = np.repeat(sizes[:, None], len(domain.values), axis=1)
    for bound in bounds:
        limit = np.array([(must_break if strictly else may_break)(bound, int(n)) for n in sizes])
        spoken = np.array([not bound.values or value in bound.values for value in domain.values])
        allowed = np.where(spoken, np.minimum(allowed, limit[:, None]), allowed)
    return allowed


def _learn(
    groups: Finer, counts: ValueCounts, sizes: Ints, promises: ColumnPromises
) -> tuple[Floats, NDArray[np.int64]]:
    """Per part the confidence in the value that is learned best, 0 where nothing is; and that value."""
    kinds = np.diff(counts.offsets)[groups.of_class]
    parts = np.diff(groups.begins)
    group_of_part = np.repeat(np.arange(len(parts)), parts)
    whole = groups.sizes + np.where(groups.joins >= 0, sizes[groups.joins], 0)
    # A line per part and value of its class.
    spans = np.concatenate(([0], np.cumsum(parts * kinds)))
    part = np.repeat(np.arange(len(whole)), kinds[group_of_part])
    starts = np.concatenate(([0], np.cumsum(kinds[group_of_part])))[:-1]
    at = np.arange(len(part)) - starts[part] + counts.offsets[groups.of_class[group_of_part[part]]]
    code = counts.values[at].astype(np.int64)
    values = np.concatenate(([0], np.cumsum(kinds)))
    own = np.arange(values[-1]) - np.repeat(values[:-1] - counts.offsets[groups.of_class], kinds)
    there = _already(counts, groups.joins[part], code)
    known, size = np.unique(whole, return_inverse=True)

    def chances(strictly: bool) -> tuple[Floats, Floats]:
        limit = _limits(promises.bounds, known, counts.domain, strictly)[size.reshape(-1)[part], code] - there
        return blame(groups.begins, groups.sizes, limit, spans, counts.counts[own], values)

    total, shares = chances(False)
    if not all(bound.by == "share" or bound.figure == 2 for bound in promises.bounds):
        shares = chances(True)[1]
    total = np.minimum(total, 1.0)
    # Where a part is too small anyway, the method was stopped by that.
    small = np.bincount(group_of_part, whole < promises.k, len(parts)) > 0
    total[small] = 1.0
    others = _elsewhere(total, groups)
    share = counts.counts[at] / sizes[groups.of_class[group_of_part[part]]]
    group = group_of_part[part]
    reached = others[group] + (1 - others[group]) * total[group]
    with np.errstate(invalid="ignore", divide="ignore"):
        sure = (share * others[group] + shares * (1 - others[group])) / reached
    promise = _excluded_confidences(promises.bounds, counts.domain)
    hit = np.isfinite(sure) & (sure > np.maximum(promise[code], share) + ROUNDING) & ~small[group]
    sure = np.where(hit, np.minimum(sure, 1.0), 0.0)
    order = np.lexsort((-code, sure, part))
    last = np.append(np.flatnonzero(np.diff(part[order])), len(order) - 1)
    return sure[order][last], code[order][last]


def _already(counts: ValueCounts, classes: Ints, code: Ints) -> Ints:
    """How often a value occurs in a class, 0 for the class -1."""
    width = len(counts.domain.values)
    keys = np.repeat(np.arange(len(counts.offsets) - 1), np.diff(counts.offsets)) * width + counts.values
    asked = np.where(classes >= 0, classes, 0) * width + code
    place = np.minimum(np.searchsorted(keys, asked), len(keys) - 1)
    return np.where((classes >= 0) & (keys[place] == asked), counts.counts[place], 0)


def _elsewhere(total: Floats, groups: Finer) -> Floats:
    """Per group the chance that another group of the same step is to blame, at most."""
    _, step = np.unique(groups.together, return_inverse=True)
    step = step.reshape(-1)
    certain = total >= 1.0
    logs = np.where(certain, 0.0, np.log1p(-np.where(certain, 0.0, total)))
    left = np.exp(np.bincount(step, logs)[step] - logs)
    sure = np.bincount(step, certain)[step] - certain
    others = np.where(sure > 0, 1.0, 1.0 - left)
    others[np.isin(groups.together, groups.doubtful)] = 1.0
    return others


def _check_truth(
    scene: Scene,
    looks: RowClasses,
    column: str,
    members: Members,
    hit: Ints,
    sure: Floats,
    guesses: list[str | None],
) -> dict[str, Json]:
    """How sure the attack was on average, and how often the truth agrees, as far as there is truth."""
    weights = members.people[hit]
    if not len(hit):
        return {}
    stated: dict[str, Json] = {"mean_confidence": float(np.average(sure[hit], weights=weights))}
    truth = in_truth(scene.original, looks, column)
    if truth is None:
        return stated
    totals, found = truth
    seen = totals[members.look[hit]] > 0
    if not seen.any():
        return stated
    right = rows_in_truth(found, members.look[hit], guesses)[seen] / totals[members.look[hit]][seen]
    return {**stated, "right": float(np.average(right, weights=weights[seen]))}


def _findings(
    scene: Scene,
    looks: RowClasses,
    shared: tuple[str, ...],
    column: str,
    members: Members,
    hit: Ints,
    sure: Floats,
    value: Ints,
    domain: Domain,
) -> list[dict[str, Json]]:
    people = scene.external
    assert people is not None
    pair_of_look = np.full(len(looks), -1)
    pair_of_look[members.look[hit]] = hit
    pair = pair_of_look[looks.of_row]
    persons = np.flatnonzero(pair >= 0)
    persons = persons[np.argsort(-sure[pair[persons]], kind="stable")]
    told: list[dict[str, Json]] = []
    for person in persons[: scene.shown or None].tolist():
        known = domain.values[value[pair[person]]]
        told.append(
            {
                "who": person_name(people, person, shared),
                "learned": {column: known},
                "confidence": float(sure[pair[person]]),
            }
        )
    return told
