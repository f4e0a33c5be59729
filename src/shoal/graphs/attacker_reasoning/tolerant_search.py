"""Find some people again although an anonymiser changed edges: as few changes as explain the release.

First nothing was changed, then a few friends more or fewer, and so on, as far as the method does either.
Edges that are added to hide hubs lead to hubs: where these are left out, all others are nearly as before.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from shoal.core.deadline import check_time
from shoal.graphs.attacker_reasoning.known_members import bits, known_by
from shoal.graphs.attacker_reasoning.subgraph_search import Pattern, find_subgraph, shared_friends
from shoal.graphs.graph import Graph, Int64


@dataclass(frozen=True)
class Budget:
    """What an anonymiser is believed to have changed at most.

    `hubs` is the share of people with most friends who are left out before; `more` and `fewer` are friends
    that one person got and lost; `wrong` edges among the people looked for; `apart` friends that two of them
    shared and share no more; `unseen` the share of sets in which others know them.
    """

    hubs: float = 0.0
    more: int = 0
    fewer: int = 0
    wrong: int = 0
    apart: int = 0
    unseen: float = 0.0


# An anonymiser that does not know the people looked for rarely hits edges among them, so these are believed
# before numbers of friends are.
BUDGETS = (
    Budget(),
    *(Budget(0, more, more, 0, 1, 0.1) for more in (1, 2, 4)),
    *(Budget(0.02, more, 2, 0, 2, 0.3) for more in (0, 1, 2, 4, 8)),
    *(Budget(0.1, more, 4, 0, 3, 0.4) for more in (0, 2, 4, 8)),
    *(Budget(0, more, more, 0, 1, 0.1) for more in (8, 16, 32)),
    *(Budget(0, more, more, 2, 4, 0.5) for more in (2, 8, 32, 128)),
)
STEPS = 5_000_000  # candidates that are looked at for each, part of a second


ANSWERS = 300  # that are judged for each
ENOUGH = 0.7  # of the sets in which others know the people
_NOTHING = (-1, 0, 0)


@dataclass(frozen=True, eq=False)
class Sought:
    """People who are looked for, and what they know: who of them knows whom, numbers of friends, and of
    friends in common.

    `codes` are the sets of at least two of them in which others know them, as bits of the places in the order
    of `members`.
    """

    joined: NDArray[np.bool_]
    degrees: Int64
    shared: Int64
    codes: tuple[int, ...]

    @classmethod
    def of(cls, known: Graph, members: Int64) -> Sought:
        """Some people of a network as they know themselves."""
        pairs = [[known.has(int(one), int(other)) for other in members] for one in members]
        joined = np.array(pairs, np.bool_).reshape(len(members), len(members))
        codes = sorted({code for code in known_by(known, members).values() if code & (code - 1)})
        return cls(joined, known.degrees[members], shared_friends(known, members), tuple(codes))

    def ordered(self, order: Int64) -> Sought:
        """The same people in another order."""
        both, place = np.ix_(order, order), np.argsort(order).tolist()
        codes = [sum(1 << place[one] for one in bits(code)) for code in self.codes]
        return Sought(self.joined[both], self.degrees[order], self.shared[both], tuple(codes))

    def judge(self, released: Graph, nodes: Int64) -> tuple[int, int, int]:
        """What it speaks for some nodes to be these people: sets, then edges among them, then degrees."""
        seen = set(known_by(released, nodes).values())
        edges = [[released.has(int(one), int(other)) for other in nodes] for one in nodes]
        return (
            sum(code in seen for code in self.codes),
            -int((np.array(edges, np.bool_) != self.joined).sum()),
            -int(np.abs(released.degrees[nodes] - self.degrees).sum()),
        )


@dataclass(frozen=True, eq=False)
class Recovery:
    """Per person the node that fits best, -1 where several do; how large the trees were, and what it took."""

    nodes: Int64
    tree: int
    changes: int  # of one person's edges, as many as had to be allowed

    @property
    def found(self) -> bool:
        return bool((self.nodes >= 0).all())


def recover(released: Graph, sought: Sought, adds: bool, removes: bool) -> Recovery:
    """The people who are joined like this and have so many friends, or nearly so.

    With every budget of changes all answers are judged by what they explain; the search ends where one of
    them explains nearly everything.
    """
    order = search_order(released, sought)
    people = sought.ordered(order)
    tree = changes = 0
    best, nodes = _NOTHING, np.full(len(order), -1)
    views = {0.0: released}
    for budget in BUDGETS if adds or removes else BUDGETS[:1]:
        if budget.hubs and not adds:
            continue  # nobody hides a hub by taking edges from it but by those it had
        check_time()
        if budget.hubs not in views:
            views = {0.0: released, budget.hubs: without_hubs(released, budget.hubs)}
        fewer = removes or budget.hubs > 0  # whoever is left out is a friend less
        pattern = Pattern(
            people.joined,
            people.degrees - budget.fewer * fewer,
            people.degrees + budget.more * adds,
            people.shared,
            budget.apart * fewer,
            max(budget.apart, budget.more) * adds,  # new friends are often the same few
            people.codes,
            int(budget.unseen * len(people.codes)),
        )
        found = find_subgraph(
            views[budget.hubs], pattern, budget.wrong * adds, budget.wrong * removes, STEPS, ANSWERS
        )
        tree += found.tree
        if not len(found):
            continue
        judged = [people.judge(released, answer) for answer in found.nodes]
        if max(judged) > best:
            best, changes = max(judged), max(budget.more, budget.fewer)
            cheapest = found.nodes[[one == best for one in judged]]
            nodes[order] = np.where((cheapest == cheapest[0]).all(axis=0), cheapest[0], -1)
        if best[0] >= ENOUGH * len(people.codes):
            break
    return Recovery(nodes, tree, changes)


def without_hubs(graph: Graph, share: float) -> Graph:
    """The same people, but nobody knows those with the most friends any more."""
    threshold = np.quantile(graph.degrees, 1 - share, method="lower")
    small = graph.degrees <= threshold
    kept = small[graph.targets] & np.repeat(small, graph.degrees)
    ends = np.concatenate(([0], np.cumsum(kept)))
    return Graph(ends[graph.offsets], graph.targets[kept])


def search_order(released: Graph, sought: Sought) -> Int64:
    """The person of the rarest degree first, then whoever knows most of those before: trees stay small.

    The paper walks along its path, which is right whatever the graph; the release is there to be looked at.
    """
    degrees = sought.degrees
    many = np.bincount(released.degrees, minlength=int(degrees.max(initial=0)) + 1)[degrees]
    order = [int(np.argmin(many))]
    while len(order) < len(degrees):
        near = sought.joined[order].sum(axis=0)
        waiting = np.setdiff1d(np.arange(len(degrees)), order)
        order.append(int(min(waiting.tolist(), key=lambda one: (-near[one], many[one]))))
    return np.array(order, np.int64)
