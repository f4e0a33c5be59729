"""The benchmarks of graphs run and say what they should, and their networks are what they claim to be."""

import subprocess
import sys
from pathlib import Path

import pytest

from patience import LONG

ROOT = Path(__file__).parents[2]


def said(*words: str, name: str = "graphs") -> str:
    call = [sys.executable, "-m", "benchmarks", name, *words, "--rounds", "1"]
    return subprocess.run(call, cwd=ROOT, check=True, capture_output=True, text=True, timeout=LONG).stdout


@pytest.mark.parametrize(
    ("part", "line"),
    [
        ("command", "peak GiB"),
        ("programme", "k=500, both"),
        ("neighbourhood", "k-neighbourhood"),
        ("grouping", "log worlds"),
    ],
)
def test_every_part_runs_on_a_small_network(part: str, line: str) -> None:
    assert line in said("--only", part, "--rows", "600")


def test_a_second_network_is_matched_on_a_small_one() -> None:
    assert "propagation" in said("--rows", "600", name="graph-matching")


@pytest.mark.slow
def test_peers_are_named_as_given_figures_or_the_graphs_are_missed() -> None:
    text = said("--only", "peers")
    assert "not measured in this run" in text or "nothing to measure" in text


@pytest.mark.slow
def test_real_graphs_stand_beside_their_bound_or_are_missed() -> None:
    text = said("--only", "bound")
    assert "NO" not in text
    assert "facebook_combined, k=50" in text or "nothing to measure" in text


@pytest.mark.parametrize(("nodes", "edges"), [(2, 1), (500, 1_500), (20_000, 70_000)])
def test_a_network_has_its_nodes_its_edges_and_hubs(nodes: int, edges: int) -> None:
    work = (
        "from benchmarks.networks import network; import numpy as np\n"
        f"found = network({nodes}, {edges}); again = network({nodes}, {edges})\n"
        "assert found.equals(again)\n"
        "one, other = (found[side].to_numpy().astype(np.int64) for side in ('source', 'target'))\n"
        f"assert len(np.unique(np.minimum(one, other) * {nodes} + np.maximum(one, other))) == found.height\n"
        "assert (one != other).all()\n"
        f"degrees = np.bincount(np.concatenate((one, other)), minlength={nodes})\n"
        "print(found.height, len(degrees), degrees.min(), degrees.max() / degrees.mean())"
    )
    words = subprocess.run(
        [sys.executable, "-c", work], cwd=ROOT, check=True, capture_output=True, text=True, timeout=LONG
    )
    height, there, least, hub = words.stdout.split()
    assert edges - edges // 1_000 <= int(height) <= edges and int(there) == nodes and int(least) >= 1
    assert nodes < 500 or float(hub) > 10


def test_what_is_held_here_of_edges_in_an_engine_is_told() -> None:
    assert "plan MiB" in said("--rows", "4000", name="edge-tables")
