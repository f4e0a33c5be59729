"""A network and its release as one picture, whoever is who in the files."""

from __future__ import annotations

from pathlib import Path

import polars as pl

import shoal
from shoal.jobs.graphs.picture import _in_order_of, _read, draw_graph


def test_a_release_is_drawn_in_the_places_of_the_original(tmp_path: Path) -> None:
    original, release, mapping = (tmp_path / name for name in ("o.csv", "r.csv", "m.csv"))
    lines = [f"p{one},p{other}" for one, other in ((0, 1), (1, 2), (2, 3), (3, 4), (4, 0), (0, 2), (0, 5))]
    original.write_text("\n".join(["source,target", *lines]) + "\n")
    made = shoal.protect(shoal.read_graph(original), output=release, mapping=mapping, model="k-degree(k=2)")
    before = _read(original)
    after = _in_order_of(before, _read(release), mapping)
    kept = {tuple(sorted(pair)) for pair in zip(*map(list, _ends(before)), strict=True)}
    now = {tuple(sorted(pair)) for pair in zip(*map(list, _ends(after)), strict=True)}
    assert kept <= now and len(now) - len(kept) == made.added  # edges were only added
    assert draw_graph(original, release, mapping, "k-degree(k=2)").startswith("<svg")
    assert pl.read_csv(mapping).height == before.nodes


def _ends(graph: shoal.Graph) -> tuple[list[int], list[int]]:
    ends = graph.edge_list()
    return ends.sources.tolist(), ends.targets.tolist()
