"""Results in notebooks: tables of HTML, escaped, and frames for other libraries."""

import importlib.util
import inspect
import pkgutil
import sys
from importlib import import_module

import networkx
import polars as pl
import pyarrow
import pytest

import shoal
from shoal.core.errors import BadParameter, NotInstalled
from shoal.core.notebook import MOST_ROWS, Framed, Shown
from shoal.core.outcome import Tables

# A token is shown once; the demo's acts and a running service are no results of anybody's data.
SHOWN_OTHERWISE = {"Token", "Serving", "Story", "LiveQueries", "SocialNetwork", "Outcome", "Shown"}
FRAME = pl.DataFrame({"age": ["1", "1", "2", "2"], "<b>ill": list("abab")})


class Result(Shown, Framed):
    def __init__(self, rows: int) -> None:
        self.rows = rows

    def to_tables(self) -> Tables:
        return {"<title>": [["a & b"], *([f"<{row}>"] for row in range(self.rows))]}

    def to_polars(self) -> pl.DataFrame:
        return pl.DataFrame({"a": [1, 2]})


def test_tables_become_html_and_every_text_is_escaped() -> None:
    told = Result(2)._repr_html_()
    assert "<title>" not in told and "&lt;title&gt;" in told and "a &amp; b" in told
    assert told.count("<tr>") == 3 and "&lt;1&gt;" in told and "more" not in told


def test_a_long_table_is_cut_and_says_so() -> None:
    told = Result(MOST_ROWS + 1_200)._repr_html_()
    assert told.count("<tr>") == MOST_ROWS + 2 and "… and 1,200 more" in told


def test_every_result_has_a_face_in_a_notebook() -> None:
    found = set()
    for module in pkgutil.walk_packages(shoal.__path__, "shoal."):
        if "service" in module.name or module.name.endswith("__main__"):
            continue
        for name, cls in inspect.getmembers(import_module(module.name), inspect.isclass):
            if hasattr(cls, "to_tables") and hasattr(cls, "to_json") and cls.__module__ == module.name:
                found.add(name)
                assert hasattr(cls, "_repr_html_") or name in SHOWN_OTHERWISE, name
    assert {"TableRelease", "GraphRelease", "Finding", "Verdict", "Answer", "Inspection"} <= found


def test_results_are_shown_by_their_own_tables() -> None:
    told = shoal.inspect(FRAME)._repr_html_()
    assert "&lt;b&gt;ill" in told and "<b>ill" not in told
    assert "k-anonymity(k=2)" in shoal.protect(FRAME, quasi="age", k=2, insensitive="<b>ill")._repr_html_()


def test_rows_can_be_had_in_other_libraries() -> None:
    assert Result(1).to_arrow().equals(pyarrow.table({"a": [1, 2]}))
    release = shoal.protect(FRAME, quasi="age", k=2, insensitive="<b>ill")
    assert release.to_polars().sort(pl.all()).equals(FRAME.sort(pl.all()))
    assert release.to_arrow().num_rows == 4
    assert shoal.inspect(FRAME).to_polars()["column"].to_list() == FRAME.columns
    graph = shoal.protect(shoal.read_graph(networkx.cycle_graph(6)), k=2)
    assert graph.to_polars().columns == ["source", "target"] and graph.to_polars().height == 6
    groups = shoal.protect(shoal.read_graph(networkx.cycle_graph(6)), model="k-grouping(k=2)")
    with pytest.raises(BadParameter, match="groups, which are no list of edges"):
        groups.to_polars()


def test_without_pyarrow_there_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(NotInstalled) as caught:
        Result(1).to_arrow()
    assert str(caught.value) == (
        "to_arrow() needs pyarrow, which is not installed; "
        "run pip install 'shoal[arrow]', or take to_polars()"
    )


@pytest.mark.skipif(importlib.util.find_spec("pandas") is None, reason="pandas is not installed")
def test_pandas_gets_a_frame() -> None:
    assert Result(1).to_pandas()["a"].tolist() == [1, 2]


@pytest.mark.skipif(importlib.util.find_spec("pandas") is not None, reason="pandas is installed")
def test_without_pandas_there_is_one_sentence() -> None:
    with pytest.raises(BadParameter, match="pip install pandas, or take"):
        Result(1).to_pandas()
