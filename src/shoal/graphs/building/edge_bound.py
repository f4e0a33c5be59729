"""How many edges target degrees cost at least."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from shoal.graphs.graph import Graph, Int64

_FEW = 2000  # nodes with stubs up to which all pairs of them are looked at


def edges_needed(graph: Graph, targets: Int64) -> int:
    """A number of edges below which no change in one direction takes every node to its target or beyond.

    Half of what all nodes lack together, and more where it cannot be shared. Take any set H of nodes. Pairs
    inside H that are open to change meet two stubs each; everybody else with stubs meets one for every node
    of H that is open to them, until their own are used up. Whatever H lacks then needs an edge to somebody
    who lacks none. That is the count of Erdős and Gallai, with the edges that are there taken off (Liu and
    Terzi 2008; theorem 9.6 of the thesis). H grows by the node that raises it most.
    """
    stubs = np.abs(targets - graph.degrees)
    short = np.flatnonzero(stubs)
    if not len(short):
        return 0
    short = short[np.argsort(-stubs[short], kind="stable")]
    deleting = bool((targets < graph.degrees).any())
    unmet = _of_few if len(short) <= _FEW else _of_many
    return int(-(-(stubs.sum() + unmet(graph, short, stubs[short], deleting)) // 2))


def _of_few(graph: Graph, short: Int64, stubs: Int64, deleting: bool) -> int:
    is_open = np.stack([_open(graph, node, short, deleting) for node in short])
    inside = np.zeros(len(short), bool)
    reached = np.zeros(len(short), np.int64)  # nodes of H that are open to each
    value = best = 0
    for _ in range(len(short)):
        thirsty = ~inside & (reached < stubs)
        gain = stubs + np.minimum(reached, stubs) - 2 * reached - is_open[:, thirsty].sum(1)
        gain[inside] = np.iinfo(np.int64).min
        node = int(np.argmax(gain))
        value += int(gain[node])
        best = max(best, value)
        inside[node] = True
        reached += is_open[node]
    return best


def _of_many(graph: Graph, short: Int64, stubs: Int64, deleting: bool) -> int:
    """The same with nodes joining H by what they lack: no table of all pairs."""
    inside = np.zeros(len(short), bool)
    reached = np.zeros(len(short), np.int64)
    value = best = 0
    for place in range(_FEW):
        is_open = _open(graph, short[place], short, deleting)
        thirsty = ~inside & (reached < stubs)
        mine = int(stubs[place])
        seen = int(reached[place])
        value += mine + min(seen, mine) - 2 * seen - int((is_open & thirsty).sum())
        best = max(best, value)
        inside[place] = True
        reached += is_open
    return best


def _open(graph: Graph, node: int, short: Int64, deleting: bool) -> NDArray[np.bool_]:
    """Which of some nodes can be linked to one, or taken from it."""
    joined = np.zeros(graph.nodes, bool)
    joined[graph.neighbours(node)] = True
    is_open: NDArray[np.bool_] = (joined[short] == deleting) & (short != node)
    return is_open
