"""Find a small graph inside another."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

Near = Mapping[int, set[int]]

_STEPS = 2000


def embedding(
    small: Near,
    large: Sequence[set[int]],
    takes: Callable[[int, int], bool] | None = None,
    links: Callable[[int, int], bool] | None = None,
) -> dict[int, int] | None:
    """A place in the large graph for every vertex of a connected small one, so that no edge is lost.

    `takes(vertex, place)` and `links(vertex, other)` may forbid a place and an edge that the large graph has
    and the small one lacks. The search stops after some steps: None means that nothing was found, not that
    there is nothing.
    """
    order = _walk(small)
    found: dict[int, int] = {}
    used: set[int] = set()
    steps = _STEPS

    def extend(at: int) -> bool:
        nonlocal steps
        if at == len(order):
            return True
        vertex = order[at]
        tied = [found[other] for other in small[vertex] if other in found]
        options = set.intersection(*(large[place] for place in tied)) if tied else set(range(len(large)))
        wanted = len(small[vertex])
        # The tightest place first: it leaves the fewest edges to add.
        for place in sorted(options - used, key=lambda one: (len(large[one]), one)):
            steps -= 1
            if steps < 0:
                return False
            if len(large[place]) < wanted or (takes and not takes(vertex, place)):
                continue
            if links and not all(
                links(vertex, other)
                for other, there in found.items()
                if there in large[place] and other not in small[vertex]
            ):
                continue
            found[vertex] = place
            used.add(place)
            if extend(at + 1):
                return True
            del found[vertex]
            used.discard(place)
        return False

    return found if extend(0) else None


def _walk(small: Near) -> list[int]:
    """Vertices so that each touches one before it, those with many neighbours early."""
    start = max(small, key=lambda one: (len(small[one]), -one))
    order, seen = [start], {start}
    reach = set(small[start])
    while reach:
        vertex = max(reach, key=lambda one: (len(small[one] & seen), len(small[one]), -one))
        order.append(vertex)
        seen.add(vertex)
        reach = (reach | small[vertex]) - seen
    return order
