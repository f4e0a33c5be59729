"""A distribution over all columns, made of factors over a few of them: marginals without the whole table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from string import ascii_letters

import numpy as np
from numpy.typing import NDArray

from shoal.tables.methods.synthetic.junction_tree import Clique, JunctionTree

Floats = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class GraphicalModel:
    """p(row) ∝ exp of the sum of `factors`, arrays over a few columns each, times a number of rows.

    Koller, Friedman, "Probabilistic graphical models", 2009 (belief propagation on a clique tree).
    """

    widths: tuple[int, ...]
    tree: JunctionTree  # in which the columns of every factor are together
    factors: Mapping[Clique, Floats]
    total: float

    @cached_property
    def _logs(self) -> list[Floats]:
        """All factors of each clique of the tree together."""
        found = [np.zeros([self.widths[column] for column in clique]) for clique in self.tree.cliques]
        for columns, factor in self.factors.items():
            place = self.tree.holding(columns)
            assert place is not None
            found[place] += spread(factor, columns, self.tree.cliques[place])
        return found

    @cached_property
    def beliefs(self) -> tuple[Floats, ...]:
        """The probabilities of each clique's cells: messages from the leaves to the root and back."""
        tree, number = self.tree, len(self.tree.cliques)
        logs = list(self._logs)
        upward: list[Floats] = [np.zeros(())] * number
        for place in range(number - 1, 0, -1):
            parent = tree.parents[place]
            upward[place] = _log_sum(logs[place], tree.cliques[place], tree.separators[place])
            logs[parent] = logs[parent] + spread(upward[place], tree.separators[place], tree.cliques[parent])
        for place in range(1, number):
            parent, between = tree.parents[place], tree.separators[place]
            said = _log_sum(logs[parent], tree.cliques[parent], between)
            # What the parent knows of the shared columns, less what this clique told it.
            logs[place] = logs[place] + spread(said - upward[place], between, tree.cliques[place])
        return tuple(_normalised(one) for one in logs)

    def marginal(self, columns: Clique) -> Floats:
        """The expected rows of each combination of some columns."""
        held = self.tree.holding(columns)
        if held is not None:
            return self.total * summed(self.beliefs[held], self.tree.cliques[held], columns)
        return self.total * self._gathered(columns)

    def _gathered(self, wanted: Clique) -> Floats:
        """The probabilities of columns in several cliques: those between are folded into each other."""
        tree = self.tree
        there = self._between({*wanted})
        held: dict[int, tuple[Floats, Clique]] = {
            place: (self.beliefs[place], tree.cliques[place]) for place in there
        }
        for place in sorted(there, reverse=True):
            parent = tree.parents[place]
            if parent not in held:
                continue
            between = tree.separators[place]
            own, columns = held.pop(place)
            # The parent's part has the shared columns already, so they are divided out of this one.
            keep = tuple(sorted({*between} | ({*columns} & {*wanted})))
            part = summed(own, columns, keep)
            shared = spread(summed(self.beliefs[place], tree.cliques[place], between), between, keep)
            part = np.divide(part, shared, out=np.zeros_like(part), where=shared > 0)
            other, others = held[parent]
            held[parent] = _product(part, keep, other, others, {*wanted} | self._needed(parent, there))
        result: tuple[Floats, Clique] = (np.ones(()), ())
        for own, columns in held.values():  # of trees that share nothing
            keep = tuple(sorted({*columns} & {*wanted}))
            result = _product(summed(own, columns, keep), keep, *result, {*wanted})
        return summed(*result, wanted)

    def _needed(self, place: int, there: set[int]) -> set[int]:
        """The columns by which a clique hangs together with those not folded yet."""
        tree = self.tree
        near = {*tree.separators[place]} if tree.parents[place] in there else set()
        for other in there:
            if tree.parents[other] == place:
                near |= {*tree.separators[other]}
        return near

    def _between(self, wanted: set[int]) -> set[int]:
        """The fewest cliques that have all columns and hang together: leaves that add nothing are dropped."""
        tree = self.tree
        there = set(range(len(tree.cliques)))
        changed = True
        while changed:
            changed = False
            for place in sorted(there, reverse=True):
                near = [other for other in there if tree.parents[other] == place]
                if tree.parents[place] in there:
                    near.append(tree.parents[place])
                own = {*tree.cliques[place]} & wanted
                outside = set().union(*(tree.cliques[other] for other in near)) if near else set()
                if len(near) <= 1 and own <= outside:
                    there.remove(place)
                    changed = True
        return there


def spread(values: Floats, columns: Clique, over: Clique) -> Floats:
    """An array over some columns in a shape that broadcasts over more of them; both in rising order."""
    shape = iter(values.shape)
    return values.reshape([next(shape) if column in columns else 1 for column in over])


def summed(values: Floats, columns: Clique, keep: Clique) -> Floats:
    """Added up over all columns but some."""
    gone = tuple(axis for axis, column in enumerate(columns) if column not in keep)
    return values.sum(axis=gone) if gone else values


def _log_sum(values: Floats, columns: Clique, keep: Clique) -> Floats:
    gone = tuple(axis for axis, column in enumerate(columns) if column not in keep)
    if not gone:
        return values
    most = values.max(axis=gone, keepdims=True)
    told: Floats = np.log(np.exp(values - most).sum(axis=gone)) + most.squeeze(axis=gone)
    return told


def _normalised(logs: Floats) -> Floats:
    weights: Floats = np.exp(logs - logs.max())
    weights /= weights.sum()
    return weights


def _product(
    left: Floats, of_left: Clique, right: Floats, of_right: Clique, keep: set[int]
) -> tuple[Floats, Clique]:
    """Two factors as one, added up over what nobody asks for any more."""
    columns = tuple(sorted({*of_left} | {*of_right}))
    kept = tuple(column for column in columns if column in keep)
    letters = {column: ascii_letters[place] for place, column in enumerate(columns)}
    first, second, last = ("".join(letters[column] for column in of) for of in (of_left, of_right, kept))
    return np.asarray(np.einsum(f"{first},{second}->{last}", left, right, optimize=True)), kept
