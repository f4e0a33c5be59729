"""What a neighbourhood is made of, as the search for a release sees it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

Nodes = set[int]


@dataclass(frozen=True)
class Part:
    """A connected piece of a neighbourhood: places, and who is next to whom."""

    near: tuple[Nodes, ...]

    @property
    def size(self) -> int:
        """How many people it takes."""
        return len(self.near)

    @property
    def edges(self) -> list[tuple[int, int]]:
        """Every edge once."""
        return [(one, other) for one in range(self.size) for other in self.near[one] if one < other]


@dataclass(frozen=True)
class Shape:
    """A neighbourhood: friends who know no other friend, and its parts."""

    lonely: int
    parts: tuple[int, ...]  # numbers of parts in ascending order, repeated as often as they are there


@dataclass(eq=False)
class Shapes:
    """All parts seen so far, by number. Parts that look alike from every vertex share one.

    Rarely, parts share a number that are not isomorphic; the model, which compares exactly, then refuses the
    result, and its nodes go back to work.
    """

    known: list[Part] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    weights: list[int] = field(default_factory=list)
    numbers: dict[object, int] = field(default_factory=dict)

    def around(self, near: Sequence[Nodes], node: int) -> dict[int, list[Nodes]]:
        """The parts around a node by number, as sets of nodes."""
        around = near[node]
        inner = {friend: near[friend] & around for friend in around}
        parts: dict[int, list[Nodes]] = {}
        seen: Nodes = set()
        for friend, links in inner.items():
            if links and friend not in seen:
                part = _reachable_nodes(friend, inner)
                seen |= part
                parts.setdefault(self._number(part, inner), []).append(part)
        return parts

    def of(self, near: Sequence[Nodes], node: int) -> Shape:
        """The shape of the neighbourhood of a node."""
        parts = self.around(near, node)
        numbers = tuple(sorted(number for number, some in parts.items() for _ in some))
        return Shape(len(near[node]) - self.vertices(numbers), numbers)

    def vertices(self, parts: Iterable[int]) -> int:
        """How many friends some parts take."""
        return sum(self.sizes[part] for part in parts)

    def edges(self, parts: Iterable[int]) -> int:
        """How many edges some parts have."""
        return sum(self.weights[part] for part in parts)

    def degree(self, shape: Shape) -> int:
        """How many friends there are."""
        return shape.lonely + self.vertices(shape.parts)

    def _number(self, part: Nodes, inner: dict[int, Nodes]) -> int:
        colours = {vertex: len(inner[vertex]) for vertex in part}
        different = 0
        # Up to three vertices, degrees tell all; beyond, look further until that tells no more apart.
        while len(part) > 3 and len(set(colours.values())) > different:
            different = len(set(colours.values()))
            colours = {
                vertex: hash((colours[vertex], *sorted([colours[other] for other in inner[vertex]])))
                for vertex in part
            }
        key = tuple(sorted(colours.values()))
        number = self.numbers.get(key)
        if number is None:
            number = self.numbers[key] = len(self.known)
            # Well connected vertices first: those are the hardest to find a place for.
            order = sorted(part, key=lambda vertex: (-len(inner[vertex]), vertex))
            place = {vertex: at for at, vertex in enumerate(order)}
            self.known.append(Part(tuple({place[other] for other in inner[vertex]} for vertex in order)))
            self.sizes.append(len(part))
            self.weights.append(sum(len(inner[vertex]) for vertex in part) // 2)
        return number


def missing(wanted: Sequence[int], there: Sequence[int]) -> list[int]:
    """The parts that are wanted more often than they are there."""
    return list((Counter(wanted) - Counter(there)).elements())


def together(shapes: Iterable[Shape]) -> tuple[int, ...]:
    """The fewest parts that contain those of every shape."""
    most: Counter[int] = Counter()
    for shape in shapes:
        most |= Counter(shape.parts)
    return tuple(sorted(most.elements()))


def _reachable_nodes(start: int, inner: dict[int, Nodes]) -> Nodes:
    found = {start}
    waiting = [start]
    while waiting:
        fresh = inner[waiting.pop()] - found
        found |= fresh
        waiting.extend(fresh)
    return found
