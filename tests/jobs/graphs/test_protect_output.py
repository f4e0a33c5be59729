"""A released graph on disk: checked before it gets its name, or not there at all."""

import json
import stat
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from shoal import verbs
from shoal.core.errors import BadParameter, Unreachable
from shoal.graphs.graph import Graph
from shoal.graphs.release import GraphRelease
from shoal.jobs.graphs.protect import check_output, check_project_file, protect_graph
from shoal.jobs.graphs.requests import ProtectGraph

RING = Graph.of_edges(12, list(range(12)), [*range(1, 12), 0])


def job(place: Path, **given: Any) -> ProtectGraph:
    return ProtectGraph(data=RING, output=place / "out.csv", **{"k": 3, **given})


def test_the_release_and_its_record_appear_together(tmp_path: Path) -> None:
    protect_graph(job(tmp_path, labels="random", mapping=tmp_path / "who.csv"))
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.csv", "out.csv.shoal.json", "who.csv"]
    found = json.loads((tmp_path / "out.csv.shoal.json").read_text("utf-8"))
    assert found["hashes"]["input"] is None
    assert stat.S_IMODE((tmp_path / "who.csv").stat().st_mode) == 0o600


def test_a_release_that_breaks_its_promise_on_disk_is_withheld(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from shoal.graphs.formats import files

    write = files.write_graph

    def lossy(graph: Any, target: Any, style: Any) -> None:
        ends = graph.edge_list()
        # One edge in place of another: as many as before, and not the same degrees.
        write(Graph.of_edges(12, [0, *ends.sources[1:]], [5, *ends.targets[1:]]), target, style)

    monkeypatch.setattr(files, "write_graph", lossy)
    with pytest.raises(verbs.BrokenPromise, match=r"does not keep k-degree\(k=3\)"):
        protect_graph(job(tmp_path, labels="keep"))
    assert not list(tmp_path.iterdir())


def test_a_file_that_lost_edges_is_withheld(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.graphs.formats import files

    write = files.write_graph
    fewer = Graph.of_edges(12, list(range(11)), list(range(1, 12)))
    monkeypatch.setattr(files, "write_graph", lambda _graph, target, style: write(fewer, target, style))
    with pytest.raises(verbs.BrokenPromise, match="holds 12 nodes and 11 edges instead of 12 and 12"):
        protect_graph(job(tmp_path, k=1))
    assert not list(tmp_path.iterdir())


def test_a_link_keeps_pointing_where_it_points(tmp_path: Path) -> None:
    (tmp_path / "real.csv").write_text("old", "utf-8")
    (tmp_path / "real.csv").chmod(0o640)
    (tmp_path / "out.csv").symlink_to(tmp_path / "real.csv")
    protect_graph(job(tmp_path))
    assert (tmp_path / "out.csv").is_symlink() and "old" not in (tmp_path / "real.csv").read_text("utf-8")
    assert stat.S_IMODE((tmp_path / "real.csv").stat().st_mode) == 0o640


def test_places_that_cannot_be_written_are_refused_before_any_work(tmp_path: Path) -> None:
    for output, cause in (
        (tmp_path / "nowhere" / "out.csv", "no folder"),
        (tmp_path, "is no file"),
        (tmp_path / "out.xlsx", "out.xlsx"),
    ):
        with pytest.raises(BadParameter, match=cause):
            check_output(ProtectGraph(data=RING, output=output, k=3))
    asked = job(tmp_path, labels="random", mapping=tmp_path / "who.csv")
    for taken in ("out.csv", "out.csv.shoal.json", "who.csv"):
        with pytest.raises(BadParameter, match="other files"):
            check_project_file(tmp_path / taken, asked)
    with pytest.raises(BadParameter, match="other files"):
        check_output(job(tmp_path, labels="random", mapping=tmp_path / "out.csv"))
    check_output(ProtectGraph(data=RING, k=3))


def test_a_mapping_that_fails_leaves_no_release(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any, **__: Any) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("shoal.jobs.graphs.protect.os.open", full)
    with pytest.raises(BadParameter, match="No space left on device"):
        protect_graph(job(tmp_path, labels="random", mapping=tmp_path / "who.csv"))
    assert not list(tmp_path.iterdir())


def test_a_release_that_is_not_written_has_no_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert isinstance(protect_graph(ProtectGraph(data=RING, k=3)), GraphRelease)
    assert not list(tmp_path.iterdir())


def test_a_made_up_graph_is_not_written_as_the_input_was(tmp_path: Path) -> None:
    (tmp_path / "in.csv").write_text("from;to\n1;2\n2;3\n", "utf-8")
    made = ProtectGraph(
        data=tmp_path / "in.csv", output=tmp_path / "out.csv", model="edge-differential-privacy(epsilon=1)"
    )
    protect_graph(made)
    assert (tmp_path / "out.csv").read_text("utf-8").startswith("source,target\n")


def test_noise_that_leaves_nobody_is_told_as_such(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from shoal.graphs.mechanisms import degree_histogram

    monkeypatch.setattr(degree_histogram, "laplace_noise", lambda _scale, number: np.full(number, -1000))
    method = "noisy-degrees(epsilon=1,neighbours=node,bound=3)"
    for output in (tmp_path / "out.csv", "-"):
        with pytest.raises(Unreachable, match="left nobody"):
            protect_graph(ProtectGraph(data=RING, output=output, method=method))
    assert not list(tmp_path.iterdir())
