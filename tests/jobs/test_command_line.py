"""Requests as command lines, by example; see also `tests/faces/test_copies.py`."""

import shlex

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.command_line import command_line
from shoal.jobs.graphs.requests import AskGraph, MatrixGraph, ProtectGraph
from shoal.jobs.request import texts_of
from shoal.jobs.tables.requests import AttackTable, MeasureTable, ProtectTable, ReportTable, VerifyTable


def test_a_long_command_has_a_line_for_every_flag() -> None:
    job = ProtectTable(
        data="p.csv",
        output="o.csv",
        quasi=("zip", "age", "sex"),
        sensitive=("ill",),
        k=5,
        seed=1,
        method="optimal",
    )
    first, *flags = command_line(job).split(" \\\n  ")
    assert first == "shoal table protect p.csv"
    assert "--quasi zip,age,sex" in flags and "-o o.csv" in flags


def test_values_are_quoted_for_the_shell_and_for_the_parser() -> None:
    job = ProtectTable(
        data="-p.csv", output="-", quasi=('a,"b', "$HOME"), k=2, hierarchy={"x=y": "mask()", '"q': "z.csv"}
    )
    words = shlex.split(command_line(job).replace("\\\n", ""))
    assert words[-2:] == ["--", "-p.csv"]
    assert words[3:5] == ["--quasi", '"a,""b",$HOME']
    assert '"x=y"=mask()' in words and '"""q"=z.csv' in words
    assert "--hierarchy=" not in words


def test_words_that_are_known_by_their_place_stand_there() -> None:
    assert (
        command_line(AttackTable(data="r.csv", attack="homogeneity"))
        == "shoal table attack homogeneity r.csv"
    )
    assert (
        command_line(AskGraph(data="g.csv", mechanism="edges(epsilon=1)"))
        == "shoal graph ask g.csv 'edges(epsilon=1)'"
    )
    assert command_line(MatrixGraph(data="g.csv")) == "shoal graph attack matrix g.csv"
    assert command_line(ReportTable(data="r.csv")) == "shoal report r.csv --json"
    assert (
        command_line(MeasureTable(data="r.csv", weight={"age": 2}))
        == "shoal table measure r.csv --weight age=2.0"
    )


def test_what_no_flag_can_say_is_refused() -> None:
    for job, reason in (
        (ProtectTable(data="p.csv", quasi=("a",), k=2), "name an output"),
        (ProtectGraph(data="p.csv", k=2), "name an output"),
        (VerifyTable(data="p.csv", identifier=("a",)), "no flag --identifier"),
        (ReportTable(data="p.csv", made="2026-01-01"), "leave `made` out"),
        (ProtectTable(data="p\0.csv", quasi=("a",), k=2, output="o.csv"), "zero character"),
        (AskGraph(data="g.csv", mechanism="edges(epsilon=1)", directed=False), "directed = false"),
    ):
        with pytest.raises(BadParameter, match=reason):
            command_line(job)


def test_declarations_are_texts() -> None:
    assert texts_of({"age": (0, 120)}, "bounds") == ["age=0:120"]
    assert texts_of({"sex": ["F", "M"]}, "keys") == ["sex=F,M"]
    assert texts_of(None, "keys") == [] and texts_of("a=b", "data") == ["a=b"]
    with pytest.raises(BadParameter, match="in memory only"):
        texts_of({"t": object()}, "data")
