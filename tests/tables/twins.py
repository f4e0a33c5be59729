"""Plain-Python twins, written from the definitions and from CONTRACT.md, sharing nothing with the source.

Shares are fractions wherever the definition allows, so that a border case is decided exactly.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import pairwise, product

from shoal.core.contract import ClassModel
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.t_closeness import TCloseness

from .builders import Case, Row

Node = tuple[int, ...]
Ground = tuple[tuple[Fraction, ...], ...]


def nodes(case: Case) -> Iterator[Node]:
    """Every combination of levels."""
    return product(*(range(hierarchy.height + 1) for hierarchy in case.hierarchies))


@lru_cache(maxsize=64)
def ways(hierarchy: Hierarchy) -> list[dict[Label, Label]]:
    """Per level, the label of every leaf."""
    return [dict(zip(hierarchy.leaves, labels, strict=True)) for labels in hierarchy.levels()]


def grouped(case: Case, node: Node) -> dict[Row, list[int]]:
    """The rows of each class after recoding value by value."""
    recode = [ways(hierarchy)[level] for hierarchy, level in zip(case.hierarchies, node, strict=True)]
    classes: dict[Row, list[int]] = {}
    for number, row in enumerate(case.quasi):
        labels = tuple(label[value] for label, value in zip(recode, row, strict=True))
        classes.setdefault(labels, []).append(number)
    return classes


# --- models -------------------------------------------------------------------------------------------------


def is_diverse(model: LDiversity, counts: Sequence[int]) -> bool:
    """Whether a class with these counts of its values is l-diverse."""
    total, wanted = sum(counts), Fraction(str(model.l))
    ranked = sorted(counts, reverse=True)
    if model.kind == "distinct":
        return len(ranked) >= wanted
    if model.kind == "probabilistic":
        return Fraction(ranked[0], total) <= 1 / wanted
    if model.kind == "entropy":
        # H ≥ log l, with n·H = Σ c·log(n/c), and both sides as powers: exact.
        return math.prod((Fraction(total, count) ** count for count in counts), start=Fraction(1)) >= (
            wanted**total
        )
    return ranked[0] < Fraction(str(model.c)) * sum(ranked[int(model.l) - 1 :])


def ground_of(distance: str, values: int, taxonomy: Hierarchy | None) -> Ground:
    """How far any two values of a domain are apart."""

    def apart(one: int, other: int) -> Fraction:
        if one == other:
            return Fraction(0)
        if distance == "equal":
            return Fraction(1)
        if distance == "ordered":
            return Fraction(abs(one - other), values - 1)
        assert taxonomy is not None
        a, b = taxonomy.leaves[one], taxonomy.leaves[other]
        meet = next(height for height, label in enumerate(ways(taxonomy)) if label[a] == label[b])
        return Fraction(meet, len(ways(taxonomy)) - 1)

    return tuple(tuple(apart(one, other) for other in range(values)) for one in range(values))


@lru_cache(maxsize=100_000)
def movers_distance(own: tuple[int, ...], whole: tuple[int, ...], ground: Ground) -> Fraction:
    """The least work that turns one distribution into the other: successive shortest augmenting paths."""
    places, rows, total = len(own), sum(own), sum(whole)
    supply = [count * total for count in own]
    demand = [count * rows for count in whole]
    moved: dict[tuple[int, int], int] = {}
    while any(supply):
        # Bellman-Ford over the residual graph; places on the left have supply, on the right demand.
        far: dict[tuple[str, int], Fraction] = {("l", i): Fraction(0) for i in range(places) if supply[i]}
        came: dict[tuple[str, int], tuple[str, int]] = {}
        changed = True
        while changed:
            changed = False
            for i, j in product(range(places), repeat=2):
                for start, end, cost in (
                    (("l", i), ("r", j), ground[i][j]),
                    (("r", j), ("l", i), -ground[i][j]),
                ):
                    if start[0] == "r" and not moved.get((i, j)):
                        continue
                    if start in far and (end not in far or far[start] + cost < far[end]):
                        far[end], came[end] = far[start] + cost, start
                        changed = True
        target = min((j for j in range(places) if demand[j] and ("r", j) in far), key=lambda j: far["r", j])
        path = [("r", target)]
        while path[-1] in came:
            path.append(came[path[-1]])
        path.reverse()
        steps = list(pairwise(path))
        back = [moved[end[1], start[1]] for start, end in steps if start[0] == "r"]
        amount = min([supply[path[0][1]], demand[target], *back])
        supply[path[0][1]] -= amount
        demand[target] -= amount
        for start, end in steps:
            if start[0] == "l":
                moved[start[1], end[1]] = moved.get((start[1], end[1]), 0) + amount
            else:
                moved[end[1], start[1]] -= amount
    work = sum((ground[i][j] * amount for (i, j), amount in moved.items()), start=Fraction(0))
    return work / (rows * total)


@dataclass(frozen=True)
class Whole:
    """The sensitive columns of a whole table: per column its values in order, how often, which taxonomy."""

    values: tuple[Row, ...]
    totals: tuple[tuple[int, ...], ...]
    taxonomies: tuple[Hierarchy | None, ...]

    @classmethod
    def of(cls, sensitive: Sequence[Row], taxonomies: Sequence[Hierarchy | None]) -> Whole:
        values: list[Row] = []
        for c, taxonomy in enumerate(taxonomies):
            found = {row[c] for row in sensitive}
            if taxonomy is not None:
                values.append(taxonomy.leaves)
            else:
                values.append(tuple(sorted(found, key=lambda value: float(value or "nan"))))
        totals = tuple(
            tuple(Counter(row[c] for row in sensitive)[value] for value in domain)
            for c, domain in enumerate(values)
        )
        return cls(tuple(values), totals, tuple(taxonomies))


def distance_of(model: TCloseness, column: Sequence[Label], whole: Whole, c: int) -> Fraction:
    """How far the values of a class are from those of the whole table, in one column."""
    tally = Counter(column)
    own = tuple(tally[value] for value in whole.values[c])
    ground = ground_of(model.distance, len(own), whole.taxonomies[c])
    return movers_distance(own, whole.totals[c], ground)


def keeps(model: ClassModel[Classes], rows: Sequence[Row], whole: Whole) -> bool:
    """Whether a class of these rows (their sensitive values) keeps the promise."""
    if isinstance(model, KAnonymity):
        return len(rows) >= model.k
    assert isinstance(model, LDiversity | TCloseness)
    for c in range(len(whole.values)):
        if model.column not in (None, f"s{c}"):
            continue
        column = [row[c] for row in rows]
        if isinstance(model, LDiversity):
            if not is_diverse(model, list(Counter(column).values())):
                return False
        elif distance_of(model, column, whole, c) > Fraction(str(model.t)):
            return False
    return True


# --- losses (CONTRACT.md) -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Outcome:
    """What a node gives: which rows go out, in classes of which sizes."""

    node: Node
    released: frozenset[int]
    sizes: tuple[int, ...]


def outcome(case: Case, models: Sequence[ClassModel[Classes]], node: Node, whole: Whole) -> Outcome:
    """Recode, group, and suppress every class that violates any model."""
    released: list[int] = []
    sizes = []
    for members in grouped(case, node).values():
        if all(keeps(model, [case.sensitive[row] for row in members], whole) for model in models):
            released += members
            sizes.append(len(members))
    return Outcome(node, frozenset(released), tuple(sizes))


def loss_of(case: Case, found: Outcome) -> float:
    """Mean over quasi-identifiers and rows of (leaves covered − 1)/(leaves − 1), 1 for a suppressed row."""
    total = Fraction(case.rows - len(found.released)) * len(case.hierarchies)
    for c, (hierarchy, level) in enumerate(zip(case.hierarchies, found.node, strict=True)):
        label = ways(hierarchy)[level]
        covered = Counter(label.values())
        if len(label) > 1:
            above = sum(covered[label[case.quasi[row][c]]] - 1 for row in found.released)
            total += Fraction(above, len(label) - 1)
    return float(total / (case.rows * len(case.hierarchies)))


def distortion_of(case: Case, found: Outcome) -> float:
    """Mean over cells of height/max height; a suppressed row is on top."""
    suppressed = case.rows - len(found.released)
    total = Fraction(0)
    for hierarchy, level in zip(case.hierarchies, found.node, strict=True):
        total += suppressed + len(found.released) * Fraction(level, len(ways(hierarchy)) - 1)
    return float(total / (case.rows * len(case.hierarchies)))


def discernibility_of(case: Case, found: Outcome) -> float:
    """Σ class size², plus rows × suppressed rows."""
    return float(sum(size**2 for size in found.sizes) + case.rows * (case.rows - sum(found.sizes)))


def average_class_size_of(found: Outcome, k: int) -> float:
    """Released rows / classes / k."""
    return sum(found.sizes) / len(found.sizes) / k


def entropy_of(case: Case, found: Outcome) -> float:
    """Bits to get the values back from the labels, as a share of the bits when all is suppressed."""
    bits = worst = 0.0
    for c, (hierarchy, level) in enumerate(zip(case.hierarchies, found.node, strict=True)):
        label = ways(hierarchy)[level]
        column = [row[c] for row in case.quasi]
        with_value, with_label = Counter(column), Counter(label[value] for value in column)
        for row, value in enumerate(column):
            alone = math.log2(case.rows / with_value[value])
            worst += alone
            bits += (
                math.log2(with_label[label[value]] / with_value[value]) if row in found.released else alone
            )
    return bits / worst if worst else 0.0


def cost_of(name: str, case: Case, found: Outcome, k: int) -> float:
    """The cost that a search with this objective minimises."""
    if name == "average-class-size":
        return average_class_size_of(found, k)
    return {
        "loss": loss_of,
        "precision": distortion_of,
        "discernibility": discernibility_of,
        "entropy": entropy_of,
    }[name](case, found)
