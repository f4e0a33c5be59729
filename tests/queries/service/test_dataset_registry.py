"""Declarations in files, and where two of them differ."""

import stat
from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest

from queries.service.houses import clinic
from shoal.core.errors import BadParameter
from shoal.queries.declaration.declaration import Budget, Column, Dataset, Table
from shoal.queries.service.dataset_registry import Registry, describe, difference


def varied() -> list[tuple[Dataset, str]]:
    base = clinic()
    (visits,) = base.tables
    other = replace(
        visits, columns=(*visits.columns[:1], Column("age", "integer", 0, 130), *visits.columns[2:])
    )
    return [
        (replace(base, budget=Budget(Fraction(11))), "epsilon was \"10\" and is now \"11\""),
        (replace(base, policy="warn"), "policy"),
        (replace(base, each=Budget(Fraction(1))), "each"),
        (replace(base, tables=(replace(visits, rows=3),)), "rows"),
        (replace(base, tables=(other,)), "high"),
        (replace(base, tables=(visits, Table("more", (Column("x"),)))), "more"),
        (replace(base, accounting="zcdp", budget=Budget(Fraction(10), Fraction(1, 10**6))), "delta"),
    ]  # fmt: skip


def test_the_same_declaration_has_no_difference_wherever_its_rows_came_from() -> None:
    assert difference(clinic(), clinic()) is None
    assert difference(clinic(), replace(clinic(), sources=(("visits", "/a/b.csv"),))) is None


@pytest.mark.parametrize(("other", "word"), varied())
def test_what_differs_is_told_in_words(other: Dataset, word: str) -> None:
    told = difference(clinic(), other)
    assert told is not None
    assert word in told


def test_the_order_of_columns_does_not_matter() -> None:
    (visits,) = clinic().tables
    other = replace(clinic(), tables=(replace(visits, columns=visits.columns[::-1]),))
    assert difference(clinic(), other) is None


def test_what_is_described_is_what_was_declared_and_no_more() -> None:
    told = describe(replace(clinic(), sources=(("visits", "/a/b.csv"),)))
    assert set(told) == {"name", "about", "policy", "accounting", "renews", "tables"}
    assert "b.csv" not in str(told)


def test_what_is_written_down_comes_back_without_its_source(tmp_path: Path) -> None:
    registry = Registry(tmp_path / "d")
    dataset = replace(clinic(epsilon=0.1), sources=(("visits", "/a/b.csv"),), each=Budget(Fraction(1, 3)))
    registry.add(dataset, local=True)
    registry.add(clinic("far"), local=False)
    again = Registry(tmp_path / "d")
    assert again.all() == registry.all()
    found = again.find("clinic")
    assert found == dataset and found is not None and found.sources == ()
    assert again.local("clinic") and not again.local("far")
    assert again.taken("Clinic") and not again.taken("clinics")
    assert "b.csv" not in (tmp_path / "d" / "clinic.json").read_text()
    assert stat.S_IMODE((tmp_path / "d").stat().st_mode) == 0o700


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"declaration": 5, "local": true}'])
def test_a_broken_file_stops_the_start_with_its_name(tmp_path: Path, text: str) -> None:
    (tmp_path / "clinic.json").write_text(text)
    with pytest.raises(BadParameter, match=r"clinic\.json"):
        Registry(tmp_path)
