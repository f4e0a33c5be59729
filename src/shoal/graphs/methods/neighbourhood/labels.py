"""Kinds that enough people share."""

from __future__ import annotations

from dataclasses import dataclass

import polars as pl

from shoal.graphs.graph import Graph


@dataclass(frozen=True, eq=False)
class Merged:
    """What every node is, `*` where too few were the same, and how many nodes lost their kind."""

    kinds: pl.Series | None
    lost: int


def merged(graph: Graph, k: int) -> Merged:
    """Kinds of fewer than k nodes become `*`, and the rarest others too until k nodes are that."""
    if graph.kinds is None:
        return Merged(None, 0)
    kinds = graph.kinds.cast(pl.String)
    counts = kinds.rename("kind").value_counts(name="people").sort("people", "kind", nulls_last=True)
    gone: list[str | None] = []
    people = 0
    for kind, number in counts.iter_rows():
        # Whoever is `*` already counts, and keeps company with those who become so.
        if number >= k and (not gone or people >= k):
            break
        gone.append(kind)
        people += number
    if "*" in kinds and gone and "*" not in gone:
        gone.append("*")
    if not gone:
        return Merged(graph.kinds, 0)
    unlike = kinds.fill_null("*").is_in([kind for kind in gone if kind is not None])
    if None in gone:
        unlike |= kinds.is_null()
    changed = pl.select(
        pl.when(unlike).then(pl.lit("*")).otherwise(kinds).alias(graph.kinds.name)
    ).to_series()
    return Merged(changed, int((changed.ne_missing(kinds)).sum()))
