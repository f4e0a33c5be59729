"""`measure --only`: single measures of the catalog, from the command line."""

import json
from pathlib import Path

from faces.shell import shoal
from shoal import catalog

TABLE = "age,sex,ill\n20,F,a\n20,F,b\n31,M,a\n31,M,a\n"


def test_single_measures_of_a_table_are_told(tmp_path: Path) -> None:
    place = tmp_path / "people.csv"
    place.write_text(TABLE)
    done = shoal(
        "table",
        "measure",
        place,
        "--quasi",
        "age,sex",
        "--only",
        "marketer",
        "--only",
        "distinction",
        "--json",
    )
    assert done.code == 0
    assert json.loads(done.out)["figures"] == {"marketer": 0.5, "distinction": 0.5}


def test_single_measures_of_a_graph_are_told(tmp_path: Path) -> None:
    place = tmp_path / "friends.csv"
    place.write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    done = shoal("graph", "measure", place, "--only", "density", "--json")
    assert done.code == 0 and json.loads(done.out)["figures"] == {"density": 4 / 6}


def test_a_measure_of_the_other_pillar_is_refused_in_a_sentence(tmp_path: Path) -> None:
    place = tmp_path / "people.csv"
    place.write_text(TABLE)
    done = shoal("table", "measure", place, "--quasi", "age,sex", "--only", "density")
    assert done.code == 2 and "'density' is a measure for graphs" in done.err


def test_what_a_measure_says_stays_on_one_line(tmp_path: Path) -> None:
    place = tmp_path / "friends.csv"
    place.write_text("source,target\na,b\nb,c\nc,a\nc,d\n")
    done = shoal("graph", "measure", place, "--only", "density")
    assert f"density: {catalog.find('measure', 'density').says()}" in done.out.splitlines()
