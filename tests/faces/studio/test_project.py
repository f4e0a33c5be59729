"""A project is a folder: tables are added, decided about, closed and reopened; no name leads out of it."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.faces.cli.flags import Typed
from shoal.faces.studio.history import write_json
from shoal.faces.studio.project import HIDDEN, Project, TableFolder, safe_name
from shoal.jobs.tables.requests import ProtectTable


@pytest.fixture
def table(folder: Path) -> TableFolder:
    made = Project(folder / "project").add_copy(Path("patients.csv"))
    columns = {name: {"role": "quasi"} for name in ("name", "zip", "age", "sex", "ill")}
    write_json(made.folder / HIDDEN / "inspection.json", {"columns": columns})
    return made


@pytest.mark.parametrize(
    ("given", "safe"),
    [
        ("people.csv", "people.csv"),
        ("../../etc/people.csv", "people.csv"),
        ("C:\\Users\\me\\people.parquet", "people.parquet"),
        ("..csv.csv", "csv.csv"),
        ("a<img src=x onerror=alert(1)>.CSV", "a_img src_x onerror_alert_1_.CSV"),
        ("x" * 300 + ".csv.gz", "x" * 80 + ".csv.gz"),
    ],
)
def test_a_name_from_a_browser_leads_nowhere_else(given: str, safe: str) -> None:
    assert safe_name(given) == safe


@pytest.mark.parametrize("given", ["", "..", "/", ".csv", "people.exe", "people", "a.csv/"])
def test_a_name_that_is_no_table_is_refused(given: str) -> None:
    with pytest.raises(BadParameter, match="no table that Shoal reads"):
        safe_name(given)


def test_tables_are_found_again_when_the_project_is_reopened(folder: Path, table: TableFolder) -> None:
    table.accept({"zip": "quasi"})
    table.change("k", model=("k-anonymity(k=3)",))
    (again,) = Project(folder / "project").tables.values()
    assert again.name == "patients"
    assert again.settings == table.settings
    assert again.settings.accepted == ("zip",)
    assert again.undone == "k"


def test_two_files_of_one_name_are_two_tables(folder: Path, table: TableFolder) -> None:
    project = Project(folder / "project")
    assert project.add_copy(Path("patients.csv")).name == "patients-2"
    project.remove("patients")
    assert [*project.tables] == ["patients-2"]
    assert not table.folder.exists()


@pytest.mark.usefixtures("table")
@pytest.mark.parametrize("name", ["..", "../project/patients", "/", ".studio", "none"])
def test_only_tables_that_are_there_are_opened(folder: Path, name: str) -> None:
    with pytest.raises(BadParameter, match="there is patients"):
        Project(folder / "project").table(name)


def test_only_files_of_the_folder_itself_are_offered(folder: Path) -> None:
    project = Project(folder)
    (folder / "secret").mkdir()
    (folder / "secret" / "other.csv").write_text("a\n1\n")
    (folder / "link.csv").symlink_to(folder / "secret" / "other.csv")
    assert project.loose_files == ["patients.csv"]
    with pytest.raises(BadParameter, match="no file"):
        project.add_loose("secret/other.csv")
    assert project.add_loose("patients.csv").file.read_text() == (folder / "patients.csv").read_text()


def test_a_table_that_could_not_be_written_leaves_nothing(folder: Path) -> None:
    project = Project(folder / "project")

    def fail(place: Path) -> None:
        place.write_text("half")
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        project.add("people.csv", fail)
    assert project.tables == {}
    assert [path.name for path in project.folder.iterdir()] == [HIDDEN]
    assert not [*(project.folder / HIDDEN).iterdir()]


def test_undecided_columns_are_those_without_a_role(table: TableFolder) -> None:
    table.decide(("name", "sex"), "identifier")
    assert table.undecided == ["zip", "age", "ill"]
    table.undo()
    assert "name" in table.undecided
    table.redo()
    assert "name" not in table.undecided


def test_a_role_chosen_by_hand_is_no_longer_an_accepted_suggestion(table: TableFolder) -> None:
    table.accept({"zip": "quasi", "age": "quasi"})
    table.decide(("zip",), "sensitive")
    assert table.settings.accepted == ("age",)
    assert table.settings.roles == {"zip": "sensitive", "age": "quasi"}
    assert table.protect_job().decided == {"age": "suggestion"}


def test_the_project_file_makes_the_very_job_that_a_run_carries_out(table: TableFolder) -> None:
    roles = {"name": "identifier", "zip": "quasi", "age": "quasi", "sex": "insensitive", "ill": "sensitive"}
    place = table.new_hierarchy_file(2)
    place.parent.mkdir()
    place.write_text("1,*\n")
    table.change(
        "all", roles=roles, hierarchy={"age": "hierarchies/column-3-001.csv", "zip": "mask()"}, time_limit=9.0
    )
    written = table.save_project_file(output=str(table.folder / "out.csv"))
    assert "/" + "tmp" not in written.read_text()
    job = Typed(ProtectTable, {}, str(written)).job()
    own = table.protect_job(table.folder / "out.csv")
    for name in ("identifier", "quasi", "sensitive", "insensitive", "model", "method", "suppress"):
        assert getattr(job, name) == getattr(own, name)
    assert (job.undeclared, job.time_limit, job.objective) == ("refuse", 9.0, own.objective)
    for given in (job, own):
        assert Path(given.data).resolve() == table.file
        assert Path(str(given.output)).resolve() == (table.folder / "out.csv").resolve()
        assert given.hierarchy["zip"] == "mask()"
        assert Path(given.hierarchy["age"]).resolve() == place


def test_watchers_hear_of_every_change(folder: Path) -> None:
    project, heard = Project(folder / "project"), []
    project.watchers.append(lambda: heard.append(1))
    made = project.add_copy(Path("patients.csv"))
    made.decide(("zip",), "quasi")
    made.undo()
    made.redo()
    assert len(heard) == 4
    project.prefer(dark=True)
    assert Project(folder / "project").preferences == {"dark": True}


def test_a_file_is_no_project(folder: Path) -> None:
    with pytest.raises(BadParameter, match="is a file"):
        Project(folder / "patients.csv")
