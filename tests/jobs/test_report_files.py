"""What reports about anything have in common."""

from importlib import import_module
from pathlib import Path

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.graphs.requests import ReportGraph
from shoal.jobs.report_files import command_of, places, prints_of, write_files


def test_where_a_report_goes_is_settled_before_any_work() -> None:
    job = ReportGraph(data="net.csv", output="a.html", pdf="b.pdf")
    assert places(job) == {"html": "a.html", "pdf": "b.pdf"}
    for wrong, cause in (
        (ReportGraph(data="net.csv", output="a.txt"), "is .html or .pdf"),
        (ReportGraph(data="net.csv", pdf="b.html"), "name of a PDF"),
        (ReportGraph(data="net.csv", output="a.pdf", pdf="b.pdf"), "both name a PDF"),
    ):
        with pytest.raises(BadParameter, match=cause):
            places(wrong)


def test_the_command_says_what_was_asked_and_no_more() -> None:
    job = ReportGraph(data="net.csv", output="a.html", truth="who is.csv", seed=3, directed=True, k=5)
    words = command_of(job)
    assert words.startswith("shoal report net.csv") and "--truth 'who is.csv'" in words
    assert "--seed 3" in words and "--k 5" in words and "--time-limit" not in words
    assert "--directed True" not in words and "--directed" in words


def test_a_report_on_data_in_memory_names_no_command_that_would_make_another() -> None:
    job = ReportGraph(data="net.csv", original=pl.DataFrame({"from": ["a"], "to": ["b"]}))
    words = command_of(job)
    assert "from Python" in words
    home, _, name = words.partition("(")[0].rpartition(".")
    assert callable(getattr(import_module(home), name)), f"{home} has no {name}"


def test_files_are_written_whole_and_have_fingerprints(tmp_path: Path) -> None:
    write_files({tmp_path / "a": b"x"})
    (found,) = prints_of(tmp_path / "a", tmp_path / "none")
    assert found.what == "release" and len(found.sha256) == 64
