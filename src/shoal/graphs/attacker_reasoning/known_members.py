"""Which of some people others know, as the bits of a number: what tells their friends apart."""

from __future__ import annotations

from shoal.graphs.graph import Graph, Int64


def known_by(graph: Graph, members: Int64) -> dict[int, int]:
    """Who knows some of the members, and which ones: bit i stands for member i."""
    found: dict[int, int] = {}
    for place, member in enumerate(members.tolist()):
        for friend in graph.neighbours(member).tolist():
            found[friend] = found.get(friend, 0) | 1 << place
    for member in members.tolist():
        found.pop(member, None)
    return found


def bits(code: int) -> list[int]:
    """The places in a code, from the first member on."""
    return [place for place in range(code.bit_length()) if code >> place & 1]
