"""What people and scripts get to see."""

import json

import pytest

from shoal.core.outcome import Json, Promise, Tables, Verdict
from shoal.faces.cli.show import progress, progress_bar, say, show

VERDICT = Verdict((Promise("k-anonymity", 3.0, True, "k-anonymity(k=3)"),), ("a remark",))


class Strange:
    """An outcome with signs that a table printer may take for its own."""

    def to_json(self) -> dict[str, Json]:
        return {"ü": None}

    def to_tables(self) -> Tables:
        return {"[b]title": [["[red]", "b"], ["[/]", "two\nlines"]]}


def test_json_is_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    show(VERDICT, True)
    out = capsys.readouterr().out
    assert out.count("\n") == 1 and json.loads(out) == VERDICT.to_json()


def test_tables_are_for_people(capsys: pytest.CaptureFixture[str]) -> None:
    show(VERDICT, False)
    out = capsys.readouterr().out
    assert "k-anonymity(k=3)" in out and "yes" in out


def test_signs_of_the_table_printer_are_shown_as_they_are(capsys: pytest.CaptureFixture[str]) -> None:
    show(Strange(), False)
    out = capsys.readouterr().out
    assert "[b]title" in out and "[red]" in out and "[/]" in out


def test_remarks_go_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    say("well")
    found = capsys.readouterr()
    assert (found.out, found.err) == ("", "well\n")


def test_there_is_no_bar_where_nobody_looks() -> None:
    with progress(quiet=False) as watch:
        assert watch is None
    with progress_bar("reporting") as follow:
        assert follow is None


def test_a_bar_follows_the_parts_of_a_long_job(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    with progress_bar("reporting") as follow:
        assert follow is not None
        follow(0, 0, "checking the promises")
        follow(1, 2, "attack [b]homogeneity")
    assert capsys.readouterr().out == "", "standard output is for the outcome"
