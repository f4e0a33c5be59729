"""A missing extra is one sentence with the command; the extras are those of pyproject.toml."""

import re
import sys
import tomllib
from pathlib import Path

import pytest

from shoal.core.errors import NotInstalled
from shoal.core.extras import EXTRAS, require

PROJECT = tomllib.loads((Path(__file__).parents[2] / "pyproject.toml").read_text("utf-8"))["project"]
DECLARED: dict[str, list[str]] = PROJECT["optional-dependencies"]
MODULES = {"scikit-learn": "sklearn", "vl-convert-python": "vl_convert"}


def modules(extra: str) -> set[str]:
    """What an extra brings, those of other extras included."""
    found: set[str] = set()
    for line in DECLARED[extra]:
        inner = re.fullmatch(r"shoal\[(.*)\]", line)
        if inner:
            found = found.union(*(modules(other) for other in inner[1].split(",")))
        else:
            name = re.split(r"[\[<>=]", line)[0]
            found.add(MODULES.get(name, name))
    return found


@pytest.mark.parametrize("extra", EXTRAS)
def test_an_extra_brings_what_is_asked_of_it(extra: str) -> None:
    assert set(EXTRAS[extra]) <= modules(extra)


def test_all_is_every_extra_but_spark_and_nothing_heavy_is_in_the_base() -> None:
    assert modules("all") == set().union(*(modules(extra) for extra in DECLARED if extra != "spark"))
    base = {re.split(r"[\[<>=]", line)[0] for line in PROJECT["dependencies"]}
    assert not base & modules("all")


def test_what_is_there_is_not_asked_for() -> None:
    require("graphs", "measuring a graph")


def test_a_missing_extra_is_one_sentence_with_the_command(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    with pytest.raises(NotInstalled) as caught:
        require("report", "a PDF", "give -o report.html")
    assert str(caught.value) == (
        "a PDF needs typst, which is not installed; run pip install 'shoal[report]', or give -o report.html"
    )
    monkeypatch.setitem(sys.modules, "altair", None)
    with pytest.raises(NotInstalled, match="altair and typst, which are not installed"):
        require("report", "a chart")
    assert NotInstalled.exit_code == 2
