"""The project file, written and read back."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.jobs.config import load, save
from shoal.jobs.graphs.requests import MeasureGraph
from shoal.jobs.tables.requests import CompareTable, MeasureTable, ProtectTable, VerifyTable

words = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=8)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    st.fixed_dictionaries(
        {"quasi": words, "model": st.lists(words, max_size=3)},
        optional={
            "k": st.integers(-(2**60), 2**60),
            "suppress": st.floats(allow_nan=False),
            "hierarchy": st.dictionaries(words, st.sampled_from(["mask()", "interval(width=5)"]), min_size=1),
        },
    )
)
def test_what_is_saved_is_loaded(tmp_path: Path, given: dict[str, Any]) -> None:
    save(tmp_path / "shoal.toml", ProtectTable, given)
    assert load(tmp_path / "shoal.toml", ProtectTable) == given


def test_paths_are_relative_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "project").mkdir()
    monkeypatch.chdir(tmp_path)
    hierarchies = {"age": "hierarchies/age.csv", "ill": "parents(file=hierarchies/icd.csv)", "zip": "mask()"}
    given = {"file": "a.csv", "output": "-", "hierarchy": hierarchies}
    save("project/shoal.toml", ProtectTable, given)
    written = tomllib.loads(Path("project/shoal.toml").read_text("utf-8"))["table"]
    assert written["protect"]["file"] == "../a.csv" and written["protect"]["output"] == "-"
    assert written["hierarchy"]["ill"] == "parents(file=../hierarchies/icd.csv)"
    found = load("project/shoal.toml", ProtectTable)
    assert found["file"] == "project/../a.csv"
    assert found["hierarchy"]["ill"] == "parents(file=project/../hierarchies/icd.csv)"
    assert found["hierarchy"]["zip"] == "mask()"


def test_roles_and_hierarchies_are_saved_for_every_command(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    given = {"quasi": ["a"], "hierarchy": {"a": "mask()"}, "suppress": 0.1}
    save(path, ProtectTable, given)
    assert load(path, ProtectTable) == given
    assert load(path, MeasureTable) == {"quasi": ["a"], "hierarchy": {"a": "mask()"}}


def test_what_a_command_needs_outweighs_what_all_share(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text(
        '[table]\nquasi = "a"\n[table.hierarchy]\na = "mask()"\n[table.protect]\nquasi = "b"\n', "utf-8"
    )
    assert load(path, ProtectTable) == {"quasi": "b", "hierarchy": {"a": "mask()"}}
    assert load(path, VerifyTable) == {"quasi": "a", "hierarchy": {"a": "mask()"}}


def test_an_absolute_path_stays(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    save(path, ProtectTable, {"file": str(tmp_path / "a.csv")})
    assert load(path, ProtectTable) == {"file": str(tmp_path / "a.csv")}


def test_underscores_are_hyphens(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text("[table.protect]\ntime_limit = 3\n", "utf-8")
    assert load(path, ProtectTable) == {"time-limit": 3}
    with pytest.raises(BadParameter, match="no setting 'time'"):
        path.write_text("[table.protect]\ntime = 3\n", "utf-8")
        load(path, ProtectTable)


def test_a_comparison_takes_over_how_its_release_is_made_but_not_what_is_compared(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text('[table]\nquasi = ["a"]\n[table.protect]\nsuppress = 0.05\nk = 5\noutput = "o.csv"\n')
    assert load(path, CompareTable) == {"quasi": ["a"], "suppress": 0.05}
    assert load(path, MeasureTable) == {"quasi": ["a"]}
    with path.open("a") as more:
        more.write("[table.compare]\nsuppress = 0.2\n")
    assert load(path, CompareTable)["suppress"] == 0.2


def test_a_zero_character_in_a_path_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text('[table]\nfile = "p\\u0000.csv"\n')
    with pytest.raises(BadParameter, match="file has a zero character in it"):
        load(path, ProtectTable)


def test_the_chart_of_a_graph_is_drawn_beside_the_project_file(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text('[graph.measure]\nfile = "g.csv"\nchart = "degrees.svg"\n', "utf-8")
    assert load(path, MeasureGraph)["chart"] == str(tmp_path / "degrees.svg")


def test_the_queries_of_an_objective_are_found_beside_the_project_file(tmp_path: Path) -> None:
    path = tmp_path / "shoal.toml"
    path.write_text('[table.protect]\nobjective = "workload(w)"\nweight = ["age=2"]\n', "utf-8")
    assert load(path, ProtectTable) == {"objective": f"workload(file={tmp_path / 'w'})", "weight": ["age=2"]}
    assert load(path, CompareTable)["objective"] == f"workload(file={tmp_path / 'w'})"
