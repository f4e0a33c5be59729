"""A table in small groups that lie close together, each under the lowest labels that cover it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import numpy as np

from shoal.core.contract import ClassModel, Mask
from shoal.tables.appraisal.losses import largest_k
from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.hierarchies.leaf_order import LeafOrder
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.search import clustering_kernels as kernels
from shoal.tables.search import exchange_kernels
from shoal.tables.search.distinct_tuples import Int32, Int64, Tuples, pack_codes
from shoal.tables.search.grouping_kernels import arrange_by_group
from shoal.tables.search.labelled_release import (
    Choice,
    LabelledParts,
    all_models_hold,
    among,
    merge_classes,
    part_of,
)
from shoal.tables.search.partition import Partition

Groups = Int32  # per tuple the number of its group

BLOCK_ROWS = (900, 1500)  # two ways to cut the table into blocks, so that no border stays for long
USUAL_COLUMNS = 16  # with more of them blocks are smaller
MOST_MEMBERS = 200  # larger groups are left as they are
PASSES = 20
AT_ONCE = 20_000  # tuples between two looks at the clock
LEAST_GAIN = 0.001  # a pass that saves a smaller share is the last
CLOSE = 1.15  # times the cost of the best way: others are refined as well
LEFT_OUT = -1  # the group of tuples that do not go out


class Clustering:
    """Ways to put the tuples of a table into groups that keep every model, cheap ones under a cell loss.

    The table as a whole must keep the models. All work stays within blocks of neighbours, so that it grows
    with the table and not with its square.
    """

    def __init__(
        self,
        tuples: Tuples,
        orders: Sequence[LeafOrder],
        models: Sequence[ClassModel[Classes]],
        guide: CellLoss,
        late: Callable[[], bool],
    ) -> None:
        self.tuples, self.orders, self.models, self.late = tuples, orders, models, late
        self.k = largest_k(models)
        self.only_k = all(isinstance(model, KAnonymity) for model in models)
        places = [order.place_of[tuples.codes[:, c]] for c, order in enumerate(orders)]
        self.places: Int32 = np.stack(places, axis=1).astype(np.int32)
        self.ground, self.lost = _ground(tuples, orders, guide)
        self.kind = _kinds(tuples)
        self.blocks = [self._blocks([*models, KAnonymity(rows)]) for rows in _block_rows(len(orders))]

    def cut(self) -> Int32:
        """Mondrian's parts."""
        return _cut(self.tuples, self.orders, self.models).settle(self.tuples).part_of_tuple

    def _blocks(self, models: Sequence[ClassModel[Classes]]) -> Int32:
        """Parts of a table that keep models; one if it does not keep them."""
        if not all_models_hold(models, self._grouped(np.zeros(len(self.tuples.sizes), np.int32), 1)).all():
            return np.zeros(len(self.tuples.sizes), np.int32)
        return _cut(self.tuples, self.orders, models).parts()[0]

    def grow(self) -> Int32:
        """Groups of k rows, grown one after the other; those that do not hold are joined to their nearest.

        Byun, Kamra, Bertino, Li, "Efficient k-anonymization using clustering techniques", 2007; joining is
        after Li, Wong, Fu, Pei, "Achieving k-anonymity by clustering in attribute hierarchical structures",
        2006.
        """
        block, sizes = self.blocks[0], self.tuples.sizes
        part: Int32 = np.empty(len(sizes), np.int32)
        members, offsets = arrange_by_group(block, int(block.max()) + 1)
        groups, homes = 0, []
        for b in range(len(offsets) - 1):
            pool = members[offsets[b] : offsets[b + 1]]
            if self.late():  # a block holds by itself, so it can be cut by itself
                group = _cut(part_of(self.tuples, pool), self.orders, self.models).parts()[0]
                found = int(group.max()) + 1
            else:
                group = np.empty(len(pool), np.int32)
                found, _ = kernels.regroup(pool, 0, self.k, self.places, sizes, self.ground, group)
            part[pool] = groups + group
            groups += found
            homes += [b] * found
        return part if self.only_k else self._join(part, np.array(homes, np.int32))

    def _join(self, part: Int32, home: Int32) -> Int32:
        """Join every group that does not hold to the one that is cheapest to join, again and again."""
        while True:
            groups = len(home)
            asked = np.flatnonzero(~all_models_hold(self.models, self._grouped(part, groups)))
            if not len(asked):
                return part
            rows, covered = self._covered(part, groups)
            begins = np.searchsorted(home, np.arange(int(home.max()) + 2))
            target, more = kernels.nearest_groups(asked, covered, rows, home, begins, self.ground)
            new, taken = np.arange(groups), np.zeros(groups, np.bool_)
            for place in np.argsort(more, kind="stable").tolist():
                group, other = asked[place], target[place]
                if other >= 0 and not (taken[group] or taken[other]):
                    new[group] = other
                    taken[group] = taken[other] = True
            if self.late():  # a block as a whole holds
                failing = np.isin(home, home[asked])
                new[failing] = begins[home[failing]]
            kept, number = np.unique(new, return_inverse=True)
            part, home = number.reshape(-1).astype(np.int32)[part], home[kept]

    def refine(self, part: Int32) -> Int32:
        """The same groups after tuples changed places, as long as that saves enough."""
        part = part.copy()
        chance = np.random.default_rng(0)  # what is found must depend on nothing but the table
        groups = int(part.max()) + 1
        changed = np.ones(groups, np.bool_)
        for turn in range(PASSES):
            if self.late():
                break
            block = self.blocks[turn % len(self.blocks)]
            rows, covered = self._covered(part, groups)
            inside = np.flatnonzero(part >= 0)
            first = np.empty(groups, np.int64)
            first[part[inside[::-1]]] = inside[::-1]
            nearby, begins = arrange_by_group(block[first], int(block.max()) + 1)
            # From the third pass on only those whose group has changed since.
            asked = inside[changed[part[inside]]] if turn > 1 else inside
            moved = np.zeros(groups, np.int64)
            total, saved = float((rows * covered[-1]).sum()), 0.0
            for some in np.array_split(chance.permutation(asked), -(-len(asked) // AT_ONCE) or 1):
                if not self.late():
                    saved += exchange_kernels.exchange(
                        some,
                        part,
                        self.kind,
                        self.k if self.only_k else 0,
                        MOST_MEMBERS,
                        self.places,
                        self.tuples.sizes,
                        block,
                        nearby,
                        begins,
                        covered,
                        rows,
                        self.ground,
                        moved,
                    )
            changed = (moved > 0) | changed if turn == 0 else moved > 0
            if turn and saved < LEAST_GAIN * total:
                break
        return part

    def leave_out(self, part: Int32, allowed: int) -> Int32:
        """The same groups without the tuples that cost the others most, as far as groups still hold."""
        part = part.copy()
        allowed -= int(self.tuples.sizes[part < 0].sum())
        groups = int(part.max()) + 1
        while allowed > 0 and not self.late():
            rows, covered = self._covered(part, groups)
            gains = exchange_kernels.leaving_gains(
                part,
                MOST_MEMBERS,
                self.places,
                self.tuples.sizes,
                rows,
                covered[-1],
                self.lost,
                self.ground,
            )
            order = np.argsort(-gains / self.tuples.sizes, kind="stable")
            order = order[gains[order] > kernels.LEAST * self.lost]
            _, best = np.unique(part[order], return_index=True)  # one of each group
            order = order[np.sort(best)]
            trial = part.copy()
            trial[order] = LEFT_OUT
            holds = all_models_hold(self.models, self._grouped(trial, groups))
            order = order[holds[part[order]]]
            order = order[np.cumsum(self.tuples.sizes[order]) <= allowed]
            if not len(order):
                break
            part[order] = LEFT_OUT
            allowed -= int(self.tuples.sizes[order].sum())
        return part

    def labelled(self, part: Int32) -> tuple[LabelledParts, Mask]:
        """The groups under the lowest labels that cover them, and which of these go out."""
        groups = int(part.max()) + 1
        _, (low, high, *_) = self._covered(part, groups)
        kept = np.ones(groups, np.bool_)
        if (part < 0).any():
            # What is left out needs some label that nobody sees.
            out = self.places[part < 0]
            low, high = np.vstack([low, out.min(axis=0)]), np.vstack([high, out.max(axis=0)])
            kept = np.append(kept, False)
            part = np.where(part < 0, groups, part).astype(np.int32)
        return LabelledParts.over(self.tuples, self.orders, part, low, high), kept

    def cost(self, part: Int32) -> float:
        """What groups cost together, with the rows that are left out."""
        rows, covered = self._covered(part, int(part.max()) + 1)
        return float((rows * covered[-1]).sum() + self.lost * self.tuples.sizes[part < 0].sum())

    def _covered(self, part: Int32, groups: int) -> tuple[Int64, kernels.Covered]:
        """Rows per group, what it covers and what that costs."""
        inside = np.flatnonzero(part >= 0)
        rows = np.bincount(part[inside], self.tuples.sizes[inside], groups).astype(np.int64)
        members, offsets = arrange_by_group(part[inside], groups)
        return rows, kernels.cover(inside[members], offsets, self.places, self.ground)

    def _grouped(self, part: Int32, groups: int) -> Classes:
        """The groups as models see them; every group must have a tuple."""
        inside = np.flatnonzero(part >= 0)
        few = Classes(self.tuples.sizes[inside], among(self.tuples.sensitive, inside))
        return merge_classes(few, part[inside], groups)


def _cut(tuples: Tuples, orders: Sequence[LeafOrder], models: Sequence[ClassModel[Classes]]) -> Partition:
    partition = Partition(tuples, orders, models)
    partition.cut_up()
    return partition


def _block_rows(columns: int) -> list[int]:
    return [rows * USUAL_COLUMNS // max(columns, USUAL_COLUMNS) for rows in BLOCK_ROWS]


def _ground(tuples: Tuples, orders: Sequence[LeafOrder], guide: CellLoss) -> tuple[kernels.Ground, float]:
    """Labels and what they cost, line by line; and what a row costs that is left out."""
    trees, codes, costs, units, begin, lost = [], [], [], [], 0, 0.0
    for column, (order, counts) in enumerate(zip(orders, tuples.leaf_counts, strict=True)):
        height, weight = order.hierarchy.height + 1, guide.weight_of(column)
        label = weight * (guide.released(order.hierarchy, counts) + guide.leaf(counts))
        if_lost = weight * guide.lost(float(counts.sum()))
        trees.append((begin, height, order.numbers))
        codes.append(np.ascontiguousarray(order.codes.T).ravel())
        costs.append(np.ascontiguousarray(label[:, order.leaf_at].T).ravel())
        units.append(if_lost / max(len(order.leaf_at) - 1, 1))
        begin += order.codes.size
        lost += if_lost
    ground = (np.array(trees, np.int64), np.concatenate(codes), np.concatenate(costs), np.array(units))
    return ground, lost


def _kinds(tuples: Tuples) -> Int64:
    """Tuples with one number look alike to every model of classes: one row each, with the same values."""
    kind: Int64 = -1 - np.arange(len(tuples.sizes))
    single = np.flatnonzero(tuples.sizes == 1)
    counts = tuples.sensitive.values()
    values = [one.values[one.offsets[single]] for one in counts]
    kind[single] = pack_codes(values, [len(one.domain.values) for one in counts], len(single))
    return kind


def refined_groups(
    tuples: Tuples,
    orders: Sequence[LeafOrder],
    models: Sequence[ClassModel[Classes]],
    guide: CellLoss,
    allowed: int,
    start: Choice | None,
    late: Callable[[], bool],
) -> Iterator[tuple[LabelledParts, Mask]]:
    """Mondrian's parts, groups grown from the rows, and those of a release that is there, all refined."""
    ways: list[Int32] = []
    if start is not None:
        ways.append(_groups_of(start))
    whole = tuples.grouped(np.zeros(len(tuples.sizes), np.int32), 1)
    if all_models_hold(models, whole).all():
        search = Clustering(tuples, orders, models, guide, late)
        ways += [search.cut(), search.grow()]
        for part in ways:
            yield search.labelled(part)
        # Where Mondrian's parts and grown groups begin far apart, the cheaper ones stay so.
        first, *others = sorted(ways, key=search.cost)
        for part in (first, *(one for one in others if search.cost(one) < CLOSE * search.cost(first))):
            refined = search.refine(part)
            fewer = search.leave_out(refined, allowed)
            yield search.labelled(refined if (fewer == refined).all() else search.refine(fewer))


def _groups_of(choice: Choice) -> Int32:
    """The class of every tuple in a release, and which are left out."""
    group = choice.parts.class_of_part[choice.parts.part_of_tuple]
    out = ~choice.kept[choice.parts.part_of_tuple]
    _, number = np.unique(group[~out], return_inverse=True)
    part: Int32 = np.full(len(group), LEFT_OUT, np.int32)
    part[~out] = number.reshape(-1)
    return part
