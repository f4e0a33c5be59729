"""Networks of a project: looked up by name, found again, and never a path."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.studio.networks import NetworkFolder, add_network, find_network, networks
from shoal.faces.studio.project import Project


def ring(people: int = 30) -> str:
    lines = [f"{one},{(one + step) % people}" for one in range(people) for step in (1, 2)]
    return "\n".join(["source,target", *lines, "0,7", "0,9", "0,11"]) + "\n"


def network_in(folder: Path) -> NetworkFolder:
    project = Project(folder / "project")
    return add_network(project, "../friends.csv", lambda place: place.write_text(ring()))


def test_a_network_is_found_again_and_is_no_table(tmp_path: Path) -> None:
    network = network_in(tmp_path)
    project = Project(tmp_path / "project")
    assert network.folder == project.folder / "friends" and network.file.name == "friends.csv"
    assert list(networks(project)) == ["friends"] and not project.tables
    network.keep("measured", {"nodes": 3})
    assert find_network(project, "friends").recall("measured") == {"nodes": 3}
    network.forget("measured")
    assert network.recall("measured") is None


def test_a_name_from_a_browser_never_becomes_a_path(tmp_path: Path) -> None:
    network_in(tmp_path)
    project = Project(tmp_path / "project")
    for name in ("../project/friends", "/etc", "nobody"):
        with pytest.raises(BadParameter, match="no network"):
            find_network(project, name)
    with pytest.raises(BadParameter, match="no network that Shoal reads"):
        add_network(project, "friends.exe", lambda place: place.write_text(""))
