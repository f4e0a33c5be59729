"""The figures of a network, before and after."""

from __future__ import annotations

from typing import Any

from shoal.faces.studio.widgets.grid import plain_table

# What is told of a network: its words, and where `measure --json` has it.
FIGURES = (
    ("Edges", ("edges",)),
    ("Fewest people with the same number of friends", ("anonymity", "degree")),
    ("Clustering", ("clustering", "cc")),
    ("Steps from one person to another", ("average_path_length_reachable",)),
    ("Longest way", ("diameter",)),
)


def network_beside(before: dict[str, Any], after: dict[str, Any]) -> None:
    """A network and its release side by side."""
    rows = [[words, *(figure_text(_dig(side, path)) for side in (before, after))] for words, path in FIGURES]
    plain_table(["", "Before", "After"], rows, "Before and after")


def figure_text(value: Any) -> str:
    """A figure, or an estimate with its interval, for people."""
    if isinstance(value, dict):
        return f"{value['value']:.3g} ({value['low']:.3g} to {value['high']:.3g})"
    if value is None:
        return "–"
    return f"{value:,}" if isinstance(value, int) else f"{value:.3g}"


def _dig(figures: Any, path: tuple[str, ...]) -> Any:
    for word in path:
        figures = None if figures is None else figures.get(word)
    return figures
