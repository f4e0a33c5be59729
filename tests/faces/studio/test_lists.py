"""Lists that attackers may have."""

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.studio.lists import add_list, find_list, lists_of
from shoal.faces.studio.project import Project


def test_a_list_stays_in_the_folder_of_its_table(tmp_path: Path) -> None:
    table = Project(tmp_path / "p").add("a.csv", lambda place: place.write_text("x\n1\n", "utf-8"))
    assert lists_of(table) == {}
    arrived = tmp_path / "arrived"
    arrived.write_text("name\nAnn\n", "utf-8")
    name = add_list(table, "../../../etc/voters.csv", arrived)
    assert name == "voters.csv" and list(lists_of(table)) == ["voters.csv"]
    assert find_list(table, name).is_relative_to(table.folder) and not arrived.exists()
    for wrong in ("../voters.csv", "other.csv", ""):
        with pytest.raises(BadParameter, match="there is no list"):
            find_list(table, wrong)
    arrived.write_text("x", "utf-8")
    with pytest.raises(BadParameter, match="no table that Shoal reads"):
        add_list(table, "voters.exe", arrived)
