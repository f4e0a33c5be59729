"""Groupings as rows: `source,source_size,target,target_size,edges`, one row per super-edge.

A group without edges is a row of its own, whose target, target_size and edges are empty.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.core.errors import BadGraph
from shoal.engines.frames import quote_value
from shoal.graphs.formats.node_numbering import as_labels
from shoal.graphs.grouping import Grouping

HEADER = ("source", "source_size", "target", "target_size", "edges")
_MOST = 2**31 - 1


def is_grouping(names: Sequence[str]) -> bool:
    """Whether columns are those of a grouping."""
    return tuple(name.strip().lower() for name in names) == HEADER


def to_frame(grouping: Grouping) -> pl.DataFrame:
    """The rows of a grouping."""
    sources, targets = grouping.sources, grouping.targets
    pairs = pl.DataFrame(
        {
            "source": sources.astype(np.int64),
            "source_size": grouping.sizes[sources],
            "target": targets.astype(np.int64),
            "target_size": grouping.sizes[targets],
            "edges": grouping.weights,
        }
    )
    alone = np.setdiff1d(np.arange(grouping.groups), np.union1d(sources, targets))
    lone = pl.DataFrame({"source": alone, "source_size": grouping.sizes[alone]})
    return pl.concat([pairs, lone], how="diagonal")


def from_frame(frame: pl.DataFrame, name: str) -> Grouping:
    """The grouping in rows; refused where they contradict each other."""
    frame = frame.rename(dict(zip(frame.columns, HEADER, strict=True)))
    texts = frame.select(pl.all().cast(pl.String).str.strip_chars().replace("", None))
    sources, targets = (texts[side].to_list() for side in ("source", "target"))
    if None in sources:
        raise BadGraph(f"row {sources.index(None) + 1:,} of {name} names no source group; fill it in")
    numbers = {column: _whole(texts[column], name) for column in ("source_size", "target_size", "edges")}
    sizes: dict[str, int] = {}
    pairs: list[tuple[str, str, int]] = []
    for row, (source, target) in enumerate(zip(sources, targets, strict=True), start=1):
        told = [numbers[column][row - 1] for column in numbers]
        if told[0] is None or [value is None for value in told[1:]] != [target is None] * 2:
            raise BadGraph(
                f"row {row:,} of {name} is not complete; fill in all five columns, or leave target,"
                " target_size and edges empty for a group without edges"
            )
        _tell(sizes, source, told[0], name)
        if target is not None:
            _tell(sizes, target, told[1], name)
            assert told[2] is not None
            pairs.append((source, target, told[2]))
    return grouping_of(sizes, pairs, name)


def grouping_of(sizes: dict[str, int], pairs: Sequence[tuple[str, str, int]], name: str) -> Grouping:
    """A grouping from the size of each group and the edges of each pair, checked."""
    if not sizes:
        raise BadGraph(f"{name} has no groups; give at least one")
    for group, size in sizes.items():
        if not 1 <= size <= _MOST:
            raise BadGraph(
                f"{name} says that group {quote_value(group)} has {size} people; a group has 1 or more"
            )
    labels = as_labels(list(sizes))
    order = labels.arg_sort().to_list()
    texts = list(sizes)
    number = {texts[place]: at for at, place in enumerate(order)}
    told: dict[tuple[int, int], int] = {}
    for source, target, edges in pairs:
        one, other = sorted((number[source], number[target]))
        possible = sizes[source] * (sizes[source] - 1) // 2 if one == other else sizes[source] * sizes[target]
        where = (
            f"inside group {quote_value(source)}"
            if one == other
            else f"between {quote_value(source)} and {quote_value(target)}"
        )
        if (one, other) in told:
            raise BadGraph(f"{name} tells the edges {where} twice; give one row for each pair of groups")
        if not 1 <= edges <= possible:
            raise BadGraph(
                f"{name} says that {edges:,} edges run {where}, where 1 to {possible:,} can; correct the"
                " sizes or the edges, and leave out pairs without edges"
            )
        told[one, other] = edges
    kept = sorted(told)
    return Grouping(
        np.array([sizes[texts[place]] for place in order], np.int64),
        np.array([one for one, _ in kept], np.int32),
        np.array([other for _, other in kept], np.int32),
        np.array([told[pair] for pair in kept], np.int64),
    )


def _tell(sizes: dict[str, int], group: str, size: int | None, name: str) -> None:
    assert size is not None
    if sizes.setdefault(group, size) != size:
        raise BadGraph(
            f"{name} gives group {quote_value(group)} the sizes {sizes[group]} and {size}; make them agree"
        )


def _whole(column: pl.Series, name: str) -> list[int | None]:
    numbers = column.cast(pl.Int64, strict=False)
    wrong = column.filter(numbers.is_null() & column.is_not_null())
    if len(wrong):
        raise BadGraph(f"{name} has {quote_value(wrong[0])} in column {column.name}; give whole numbers")
    found: list[int | None] = numbers.to_list()
    return found
