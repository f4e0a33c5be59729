"""Accounts made for the purpose: joined so that they are found again, and linked to those they are after."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from shoal.core.errors import BadParameter
from shoal.graphs.attacker_reasoning.known_members import bits
from shoal.graphs.attacker_reasoning.tolerant_search import Sought
from shoal.graphs.graph import Edges, Graph, Int64

DRAWS = 400  # of edges among the accounts, until they are like nobody else among themselves
LINKS = 3  # accounts that a target is linked to


@dataclass(frozen=True, eq=False)
class Plant:
    """A network with some accounts more: its last nodes, in the order of their path.

    `sought` is what whoever planted them knows of them; bit i of a target's code says that account i is
    linked to them, and no two targets have the same.
    """

    graph: Graph
    members: Int64
    sought: Sought
    targets: Int64
    codes: tuple[int, ...]


def plant(graph: Graph, k: int, least: int, most: int, targets: int, chance: np.random.Generator) -> Plant:
    """k accounts with `least` to `most` friends each outside, linked to so many people drawn at random.

    The graph must be without direction. Everybody else whom an account is linked to is linked to it alone as
    far as there are people enough, and never to just those that a target is linked to.
    """
    if targets + most > graph.nodes:
        raise BadParameter(
            f"{targets} targets and accounts with up to {most} friends need {targets + most:,} people, and "
            f"the graph has {graph.nodes:,}; give fewer targets, or a smaller d1"
        )
    outside, joined = _drawn(k, least, most, chance)
    codes = _codes(k, outside, targets, chance)
    after = chance.choice(graph.nodes, targets, replace=False)
    ends = [(account, int(node)) for node, code in zip(after, codes, strict=True) for account in bits(code)]
    ends += _others(graph, outside, after, codes, chance)
    links = np.array(ends, np.int64).reshape(-1, 2)
    links[:, 0] += graph.nodes
    inside = np.argwhere(np.triu(joined)) + graph.nodes
    both = np.concatenate((links, inside)).astype(np.int32)
    room = replace(
        graph,
        offsets=np.concatenate((graph.offsets, np.full(k, graph.offsets[-1]))),
        labels=None,
        kinds=None,
    )
    grown = room.with_edges(added=Edges(both[:, 0].copy(), both[:, 1].copy()))
    members = np.arange(graph.nodes, grown.nodes)
    return Plant(grown, members, Sought.of(grown, members), after, tuple(codes))


def _drawn(k: int, least: int, most: int, chance: np.random.Generator) -> tuple[Int64, NDArray[np.bool_]]:
    """Numbers of friends outside, and edges among the accounts: a path, and any other with even odds.

    Drawn again until no exchange of accounts leaves the edges as they are; where that cannot be (below six
    accounts), none may leave the edges and the degrees as they are.
    """
    for attempt in range(2 * DRAWS):
        outside = chance.integers(least, most + 1, k)
        joined = np.triu(chance.random((k, k)) < 0.5, 2)
        joined[np.arange(k - 1), np.arange(1, k)] = True
        joined |= joined.T
        labels = outside + joined.sum(axis=0) if attempt >= DRAWS else np.zeros(k, np.int64)
        if is_asymmetric(joined, labels):
            return outside, joined
    raise BadParameter(
        f"{k} accounts with {least} to {most} friends cannot be told apart by how they are joined; "
        "choose a larger k, or a wider range"
    )


def is_asymmetric(joined: NDArray[np.bool_], labels: Int64) -> bool:
    """Whether nobody can change places: no automorphism but the one that leaves everybody where they are."""
    size, inner = len(labels), joined.sum(axis=0)

    def others(placed: tuple[int, ...]) -> bool:
        """Whether some way to go on differs from staying where one is."""
        at = len(placed)
        if at == size:
            return placed != tuple(range(size))
        return any(
            others((*placed, one))
            for one in range(size)
            if one not in placed
            and (labels[one], inner[one]) == (labels[at], inner[at])
            and all(joined[one, place] == joined[at, i] for i, place in enumerate(placed))
        )

    return not others(())


def _codes(k: int, outside: Int64, targets: int, chance: np.random.Generator) -> list[int]:
    """A set of accounts for every target, none of them twice, and no account in more than it has friends."""
    size = min(LINKS, k)
    every = [sum(1 << one for one in some) for some in combinations(range(k), size)]
    if len(every) > 50_000:  # of many accounts, some sets are enough
        drawn = {tuple(sorted(chance.choice(k, size, replace=False).tolist())) for _ in range(10 * targets)}
        every = [sum(1 << one for one in some) for some in sorted(drawn)]
    left = outside.copy()
    codes: list[int] = []
    for code in chance.permutation(np.array(every, object)).tolist():
        if len(codes) == targets:
            break
        places = bits(code)
        if (left[places] > 0).all():
            left[places] -= 1
            codes.append(int(code))
    if len(codes) < targets:
        raise BadParameter(
            f"{k} accounts with so many friends have sets of their own for {len(codes)} targets, not for "
            f"{targets}; give fewer targets, or a larger k or d0"
        )
    return codes


def _others(
    graph: Graph, outside: Int64, after: Int64, codes: list[int], chance: np.random.Generator
) -> list[tuple[int, int]]:
    """Edges to people who are no targets, so that every account has as many friends as was drawn."""
    taken = np.zeros(len(outside), np.int64)
    for code in codes:
        taken[bits(code)] += 1
    lacking = outside - taken
    many = min(graph.nodes, int(lacking.sum()) + len(after))
    pool = np.setdiff1d(chance.choice(graph.nodes, many, replace=False), after)
    chance.shuffle(pool)
    if len(pool) >= lacking.sum():  # each of them is linked to one account alone
        accounts = np.repeat(np.arange(len(outside)), lacking)
        return list(zip(accounts.tolist(), pool[: len(accounts)].tolist(), strict=True))
    people = np.setdiff1d(np.arange(graph.nodes), after)
    for _ in range(DRAWS):
        ends = [
            (account, int(node))
            for account, lacks in enumerate(lacking.tolist())
            for node in chance.choice(people, lacks, replace=False)
        ]
        known: dict[int, int] = {}
        for account, node in ends:
            known[node] = known.get(node, 0) | 1 << account
        if not set(known.values()) & set(codes):
            return ends
    raise BadParameter(
        f"the graph has too few people ({graph.nodes:,}) to tell {len(after)} targets from others; give "
        "fewer targets, or a smaller d1"
    )
