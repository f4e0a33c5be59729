"""From labels to node numbers: nodes are numbered by ascending label.

Whole numbers stay whole numbers only where every label is written as one writes a number: 007 and 7 are two
people, and so all labels of that graph are text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import polars as pl
from numpy.typing import NDArray

from shoal.core.errors import BadGraph
from shoal.graphs.graph import MOST_NODES, Graph, Int32, Int64

Whole = NDArray[np.integer]

_CANONICAL = re.compile(r"0|-?[1-9][0-9]{0,18}")
_LEAST, _MOST = -(2**63), 2**63 - 1
# Up to this many ids for each end of an edge a table of all ids is smaller than sorting them.
_ROOMY = 4
_SMALL = 1 << 22


@dataclass(frozen=True, eq=False)
class Ends:
    """Edges by node number, and what the nodes are called (None: by their numbers)."""

    nodes: int
    labels: pl.Series | None
    sources: Int32
    targets: Int32

    def graph(
        self, directed: bool = False, kinds: pl.Series | None = None, left_out: Sequence[str] = ()
    ) -> Graph:
        """The graph of these edges; `left_out` names what else was in the input."""
        made = Graph.of_edges(
            self.nodes, self.sources, self.targets, labels=self.labels, directed=directed, kinds=kinds
        )
        return replace(made, cleaned=replace(made.cleaned, weights=tuple(left_out)))


def of_whole(sources: list[Whole], targets: list[Whole], alone: Whole) -> Ends:
    """Edges between whole numbers, in parts, and the nodes that have none. The lists are used up."""
    from shoal.graphs.formats import edgelist_kernels as kernels

    parts = [part for part in (*sources, *targets, alone) if len(part)]
    low = min((int(part.min()) for part in parts), default=0)
    high = max((int(part.max()) for part in parts), default=-1)
    ids = sum(map(len, parts))
    if low < 0 or high >= max(_ROOMY * ids, _SMALL) or high >= MOST_NODES:
        return _by_value(sources, targets, alone)
    there = np.zeros(high + 1, np.bool_)
    for part in parts:
        kernels.mark(there, part)
    del parts
    one, other = _concatenate(sources), _concatenate(targets)
    if there.all():
        return Ends(len(there), None, one, other)
    labels = np.flatnonzero(there)
    number = np.cumsum(there, dtype=np.int32) - np.int32(1)
    return Ends(len(labels), pl.Series("label", labels), number[one], number[other])


def of_texts(labels: Sequence[str], sources: Int32, targets: Int32) -> Ends:
    """Edges between texts that were numbered as they came."""
    return number_by_name(as_labels(labels), sources, targets)


def number_by_name(names: pl.Series, sources: Int32, targets: Int32) -> Ends:
    """The same edges, with nodes numbered by ascending name."""
    order = names.arg_sort().to_numpy()
    rank = np.empty(len(order), np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Ends(len(names), names[order], rank[sources], rank[targets])


def as_labels(texts: Sequence[str]) -> pl.Series:
    """Labels as whole numbers, where all of them are written as such, or as text."""
    if all_canonical(texts):
        return pl.Series("label", np.fromiter(map(int, texts), np.int64, len(texts)))
    return pl.Series("label", texts, pl.String)


def all_canonical(texts: Iterable[str]) -> bool:
    """Whether every text is a whole number of 64 bits, without leading zeros or a plus."""
    return all(_CANONICAL.fullmatch(text) and _LEAST <= int(text) <= _MOST for text in texts)


def of_objects(things: Sequence[object]) -> pl.Series:
    """Labels of any kind: whole numbers stay, text stays, all else and mixtures become text."""
    if all(isinstance(thing, int | np.integer) and not isinstance(thing, bool) for thing in things):
        numbers = [int(thing) for thing in things]  # type: ignore[call-overload]
        if all(_LEAST <= number <= _MOST for number in numbers):
            return pl.Series("label", numbers, pl.Int64)
    texts = [str(thing) for thing in things]
    if len(set(texts)) < len(texts):
        seen: set[str] = set()
        twice = next(text for text in texts if text in seen or seen.add(text))  # type: ignore[func-returns-value]
        raise BadGraph(f"two nodes would both be called {twice!r}; give every node a name of its own")
    if "" in texts:
        raise BadGraph("a node is called '', which no file can tell; give it a name")
    return pl.Series("label", texts, pl.String)


def _by_value(sources: list[Whole], targets: list[Whole], alone: Whole) -> Ends:
    from shoal.graphs.formats import edgelist_kernels as kernels

    distinct = _distinct([alone])
    waiting: list[Whole] = []
    for part in (*sources, *targets):
        waiting.append(_distinct([part]))
        # Merging few at a time would sort the same numbers again and again.
        if sum(map(len, waiting)) > _SMALL + 4 * len(distinct):
            distinct, waiting = _distinct([distinct, *waiting]), []
    distinct = _distinct([distinct, *waiting])
    if len(distinct) > MOST_NODES:
        raise BadGraph(f"{len(distinct):,} nodes are more than the {MOST_NODES:,} that fit; split the graph")
    for parts in (sources, targets):
        for index, part in enumerate(parts):
            parts[index] = kernels.places(distinct, part.astype(np.int64))
    return Ends(len(distinct), pl.Series("label", distinct), _concatenate(sources), _concatenate(targets))


def _distinct(parts: list[Whole]) -> Int64:
    """The numbers in ascending order, each once. (np.unique hashes, which takes minutes on regular ids.)"""
    numbers = np.sort(np.concatenate(parts).astype(np.int64, copy=False))
    first = np.ones(len(numbers), np.bool_)
    first[1:] = numbers[1:] != numbers[:-1]
    return numbers[first]


def _concatenate(parts: list[Whole]) -> Int32:
    """One array of all parts; they are let go, because two copies of a large graph are one too many."""
    if len(parts) == 1:
        return parts.pop().astype(np.int32, copy=False)
    joined = np.empty(sum(map(len, parts)), np.int32)
    filled = len(joined)
    while parts:
        part = parts.pop()
        joined[filled - len(part) : filled] = part
        filled -= len(part)
    return joined
