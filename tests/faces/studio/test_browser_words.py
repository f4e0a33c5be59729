"""No sentence in the browser tells somebody to type a flag."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from faces.studio.browser import people
from faces.studio.released import SETTINGS, released
from house.sources import SOURCE
from shoal.core.errors import ShoalError
from shoal.faces.studio import tasks
from shoal.faces.studio.browser_words import in_browser


@pytest.mark.parametrize(
    ("told", "shown"),
    [
        (
            "l-diversity needs a sensitive column; name one with --sensitive",
            "l-diversity needs a sensitive column; give columns that role on the page Data",
        ),
        (
            "only k=3 keeps the promise; --suppress 0.07 would do (7 of 100 rows)",
            "only k=3 keeps the promise; leaving out 7 % would do (the slider on the page Promise) "
            "(7 of 100 rows)",
        ),
        (
            "t-closeness needs a taxonomy of 'ill'; give --hierarchy ill=FILE.csv",
            "t-closeness needs a taxonomy of 'ill'; import a file as the hierarchy of ill on the page "
            "Hierarchies",
        ),
        (
            "people.csv is not UTF-8; save the file as UTF-8 or pass its true --encoding",
            "people.csv is not UTF-8; save the file as UTF-8",
        ),
        (
            "make ill a quasi-identifier as well, as in --quasi zip,age,ill, and protect the original again",
            "make ill a quasi-identifier as well on the page Data, and protect the original again",
        ),
        ("give --quasi zip,age", "give the role quasi-identifier for zip,age, on the page Data"),
        ("it takes longer; use --method auto or heuristic", "it takes longer; choose the method auto or "
         "heuristic on the page Promise"),
        ("it compares with a population; give --population FILE", "it compares with a population; give "
         "“population” (the command line has that, this page has not)"),
        ("nothing to say about -- or k-anonymity", "nothing to say about -- or k-anonymity"),
    ],
)  # fmt: skip
def test_where_a_flag_was_named_a_page_is(told: str, shown: str) -> None:
    assert in_browser(told) == shown


def sentences(folder: Path) -> Iterator[str]:
    """Every text in the source that names a flag, with a name in the place of what is filled in."""
    for file in folder.rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.JoinedStr):
                parts = [str(one.value) if isinstance(one, ast.Constant) else "zip" for one in node.values]
                yield "".join(parts)
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                yield node.value


@pytest.mark.parametrize("room", ["tables", "engines", "graphs", "jobs/tables", "jobs/graphs"])
def test_no_sentence_of_the_house_ends_in_a_flag(room: str) -> None:
    named = [one for one in sentences(SOURCE / room) if re.search(r"--[a-z]", one)]
    assert named
    assert not [one for one in named if re.search(r"--[a-z]", in_browser(one))]


def test_a_real_refusal_names_the_page(tmp_path: Path) -> None:
    table = released(tmp_path / "project", "people", people())
    table.change("no secret", roles={**SETTINGS.roles, "ill": "insensitive"}, model=("l-diversity(l=2)",))
    with pytest.raises(ShoalError, match="--sensitive") as refused:
        tasks.protect(str(table.folder), table.settings.to_json(), str(tmp_path))
    assert "page Data" in in_browser(str(refused.value))
