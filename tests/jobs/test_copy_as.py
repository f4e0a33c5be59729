"""Copies of jobs, by example; that they make equal requests is asked in `tests/faces/test_copies.py`."""

from pathlib import Path

import polars as pl

from shoal.jobs.copy_as import copies_of, project_file, python_lines
from shoal.jobs.graphs.requests import VerifyGraph
from shoal.jobs.queries.requests import AttackQuery
from shoal.jobs.tables.requests import HierarchyTable, ProtectTable
from shoal.tables.models.k_anonymity import KAnonymity

JOB = ProtectTable(
    data="patients.csv", output="release.csv", quasi=("zip", "age"), model=(KAnonymity(k=5),), suppress=0.1
)


def test_a_job_in_three_forms() -> None:
    command, python, toml = copies_of(JOB)
    assert command.text == (
        "shoal table protect patients.csv \\\n  --quasi zip,age \\\n  --model 'k-anonymity(k=5)' \\\n"
        "  -o release.csv \\\n  --suppress 0.1"
    )
    assert "import shoal" in python.text and "model=('k-anonymity(k=5)',)" in python.text
    assert toml.text == (
        "# shoal table protect --config shoal.toml\n\n"
        '[table]\nquasi = ["zip", "age"]\n\n'
        '[table.protect]\nfile = "patients.csv"\nmodel = ["k-anonymity(k=5)"]\n'
        'output = "release.csv"\nsuppress = 0.1\n'
    )


def test_paths_are_relative_to_the_folder_of_the_project_file(tmp_path: Path) -> None:
    job = ProtectTable(data=f"{tmp_path}/a.csv", output="b.csv", quasi=("zip",), k=2)
    assert f'file = "{tmp_path}/a.csv"' in project_file(job, tmp_path)
    assert f'output = "{Path("b.csv").resolve().relative_to("/")}"' in project_file(job, "/")


def test_what_a_form_cannot_say_is_refused_and_not_left_out() -> None:
    in_memory = ProtectTable(data=pl.DataFrame({"zip": ["1"]}), output="b.csv", quasi=("zip",), k=2)
    assert [copy.text for copy in copies_of(in_memory)] == ["", "", ""]
    assert all("in memory only (DataFrame)" in copy.refusal for copy in copies_of(in_memory))
    _, python, toml = copies_of(HierarchyTable(data="a.csv", column="zip"))
    assert "HierarchyTable" in python.text and "no section for table hierarchy" in toml.refusal


def test_python_says_which_subject_is_meant_where_words_do_not() -> None:
    assert "shoal.verify(" in python_lines(VerifyGraph(data="a.gml"))
    assert "VerifyGraph(data='a.csv')" in python_lines(VerifyGraph(data="a.csv"))


def test_a_token_is_named_and_never_copied() -> None:
    job = AttackQuery(
        data=("t=a.csv",), attack="differencing", service="http://localhost:1", token="shl_secret"
    )
    assert all("shl_secret" not in copy.text for copy in copies_of(job))
    assert 'token=os.environ["SHOAL_TOKEN"]' in python_lines(job)
