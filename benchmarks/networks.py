"""Made-up networks with the degrees of real ones, and where the real ones are.

Every node gets one edge first, so that all are there; the others link nodes with probabilities that fall like
a power of their rank (Chung and Lu 2002), which gives few hubs and many with few edges. Loops and repeated
edges are thrown away and drawn anew. The same numbers always give the same network.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import polars as pl
from numpy.typing import NDArray

Int32 = NDArray[np.int32]
Int64 = NDArray[np.int64]

DATA = Path(__file__).with_name(".data")
SEED = 20_080_825
EXPONENT = 2.4  # of the power law
HUBS = 20_000  # one node in so many is about as well linked as the best
NEAR = 1_000  # edges may miss their number by one in so many


def network(nodes: int, edges: int) -> pl.DataFrame:
    """The two ends of every edge, each edge once; every node has at least one."""
    chance = np.random.default_rng(SEED)
    names = chance.permutation(nodes).astype(np.int32)  # so that low numbers are no hubs
    alone = np.arange(1, nodes, dtype=np.int32)
    found = _keys(alone, chance.integers(0, alone), nodes)  # to anybody before: one component
    while edges - len(found) > edges // NEAR:
        missing = edges - len(found)
        drawn = _keys(_ranks(missing, nodes, chance), _ranks(missing, nodes, chance), nodes)
        found = np.concatenate((found, drawn[drawn >= 0]))
        found.sort()  # np.unique takes far longer
        found = found[np.concatenate(([True], found[1:] != found[:-1]))]
    return pl.DataFrame({"source": names[found // nodes], "target": names[found % nodes]})


def written(nodes: int, edges: int, folder: str) -> Path:
    """A network as CSV with a header."""
    path = Path(folder) / f"network-{nodes}-{edges}.csv"
    network(nodes, edges).write_csv(path)
    return path


def degrees(nodes: int, mean: float) -> Int64:
    """Degrees like those of such a network, without the network."""
    ranks = _ranks(int(nodes * mean), nodes, np.random.default_rng(SEED))
    return 1 + np.bincount(ranks, minlength=nodes)


def real() -> dict[str, Path]:
    """The graphs of `shared/data/graphs` beside this repository, by name; none when it is not there."""
    root = Path(__file__).parents[1]
    for folder in (root, *root.parents):
        found = folder / "shared" / "data" / "graphs"
        if found.is_dir():
            return {path.stem: path for path in sorted(found.iterdir()) if path.suffix in (".csv", ".txt")}
    return {}


def _ranks(number: int, nodes: int, chance: np.random.Generator) -> Int32:
    """Nodes by rank, drawn as often as their rank to the power of -1 / (exponent - 1)."""
    power = 1 - 1 / (EXPONENT - 1)
    low, high = (nodes / HUBS) ** power, (nodes + nodes / HUBS) ** power
    drawn = low + (high - low) * chance.random(number)
    ranks = np.power(drawn, 1 / power, out=drawn) - nodes / HUBS
    found: Int32 = np.clip(ranks, 0, nodes - 1).astype(np.int32)
    return found


def _keys(one: NDArray[np.integer], other: NDArray[np.integer], nodes: int) -> Int64:
    """One number per pair, whatever its direction; -1 for a loop."""
    keys: Int64 = np.minimum(one, other).astype(np.int64) * nodes + np.maximum(one, other)
    keys[one == other] = -1
    return keys
