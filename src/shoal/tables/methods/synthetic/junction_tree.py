"""Cliques of columns put into a tree, so that a distribution over all columns needs small arrays only."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

Clique = tuple[int, ...]  # places of columns, in rising order


@dataclass(frozen=True)
class JunctionTree:
    """Cliques, each but the first hanging on an earlier one by the columns that they share.

    Every column that two cliques have is in all cliques between them, so that what one clique says of the
    rest passes through the columns shared with its parent.
    """

    cliques: tuple[Clique, ...]
    parents: tuple[int, ...]  # of the first, -1
    separators: tuple[Clique, ...]  # of the first, none

    @classmethod
    def over(cls, widths: Sequence[int], together: Iterable[Clique]) -> JunctionTree:
        """A tree in which all columns of each clique given are together somewhere."""
        found = maximal(eliminated(widths, together))
        # A spanning tree by the number of shared columns: Prim's way, which also gives an order from the
        # root.
        order, parents, left = [0], [-1], set(range(1, len(found)))
        while left:
            _, new, old = max(
                (len({*found[new]} & {*found[old]}), -new, place)
                for new in left
                for place, old in enumerate(order)
            )
            order.append(-new)
            parents.append(old)
            left.remove(-new)
        cliques = tuple(found[place] for place in order)
        separators = tuple(
            () if parent < 0 else tuple(sorted({*clique} & {*cliques[parent]}))
            for clique, parent in zip(cliques, parents, strict=True)
        )
        return cls(cliques, tuple(parents), separators)

    def holding(self, columns: Iterable[int]) -> int | None:
        """The smallest clique with some columns; None where they are not together."""
        wanted = {*columns}
        found = [(len(one), place) for place, one in enumerate(self.cliques) if wanted <= {*one}]
        return min(found)[1] if found else None


def eliminated(widths: Sequence[int], together: Iterable[Clique]) -> list[Clique]:
    """The cliques that come up when columns are taken away one by one, the fewest cells first."""
    around = [1 << place for place in range(len(widths))]  # as bits: a column and its neighbours
    for clique in together:
        bits = sum(1 << place for place in clique)
        for place in clique:
            around[place] |= bits
    logs = [math.log(width) for width in widths]
    left, found = set(range(len(widths))), []
    while left:
        weights = {place: sum(logs[one] for one in _places(around[place])) for place in left}
        first = min(left, key=lambda place: (weights[place], place))
        near = around[first]
        found.append(tuple(_places(near)))
        left.remove(first)
        for place in _places(near & ~(1 << first)):
            around[place] = (around[place] | near) & ~(1 << first)
    return found


def cells_of(widths: Sequence[int], together: Iterable[Clique]) -> int:
    """How many cells the arrays of a tree over these cliques would have."""
    cliques = maximal(eliminated(widths, together))
    return sum(math.prod(widths[place] for place in clique) for clique in cliques)


def maximal(cliques: Iterable[Clique]) -> list[Clique]:
    """The cliques that lie in no other."""
    kept: list[frozenset[int]] = []
    for clique in sorted({frozenset(one) for one in cliques}, key=lambda one: (-len(one), sorted(one))):
        if not any(clique <= other for other in kept):
            kept.append(clique)
    return [tuple(sorted(clique)) for clique in kept]


def _places(bits: int) -> list[int]:
    found = []
    while bits:
        low = bits & -bits
        found.append(low.bit_length() - 1)
        bits ^= low
    return found
