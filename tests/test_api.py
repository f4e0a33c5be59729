"""What a Python user calls."""

import inspect as signatures

import polars as pl
import pytest

import shoal
from shoal import api
from shoal.core.contract import Progress
from shoal.jobs import AttackTable, MeasureTable, ProtectTable, VerifyTable
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity

FRAME = pl.DataFrame(
    {"age": [20, 21, 22, 40, 41, 42], "sex": ["M"] * 3 + ["F"] * 3, "ill": ["flu", "hiv"] * 3}
)


def test_five_lines_of_python() -> None:
    release = shoal.protect(FRAME, quasi="age,sex", sensitive="ill", k=3)
    assert release.released == 6 and release.optimal is True
    assert shoal.verify(release.table, k=3).holds
    assert shoal.measure(release, original=FRAME).prosecutor.highest == 1 / 3
    assert shoal.attack(FRAME, "linkage", external=FRAME, quasi="age,sex").rate.hits == 6


def test_the_public_names_are_there_and_nothing_else() -> None:
    for name in shoal.__all__:
        assert getattr(shoal, name) is not None
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        shoal.nothing  # noqa: B018


def test_a_table_with_roles_goes_through_every_verb() -> None:
    table = shoal.read_table(FRAME, quasi=["age", "sex"], sensitive="ill")
    assert (table.quasi, table.sensitive) == (("age", "sex"), ("ill",))
    release = shoal.protect(table, k=2)
    assert shoal.verify(release.table, model=KAnonymity(2)).holds
    assert shoal.measure(table).classes == 6
    assert list(shoal.inspect(table).columns) == ["age", "sex", "ill"]


def test_models_methods_and_ladders_may_be_objects() -> None:
    ladder = shoal.Hierarchy.of_levels([["20", "21", "22", "40", "41", "42"]])
    release = shoal.protect(
        FRAME,
        quasi=("age", "sex"),
        insensitive=["ill"],
        model=[KAnonymity(3), "k-anonymity(k=2)"],
        method=Optimal("precision", seed=3),
        hierarchy={"age": ladder, "sex": {"any": ["M", "F"]}},
    )
    assert release.levels == {"age": 1, "sex": 0}
    assert [promise.model for promise in release.promises] == ["k-anonymity(k=3)", "k-anonymity(k=2)"]


def test_the_flags_are_the_keywords() -> None:
    fields = set(signatures.signature(ProtectTable).parameters)
    assert fields == set(signatures.signature(api.protect).parameters) - {"watch"}
    for request in (VerifyTable, MeasureTable, AttackTable):
        assert {"data", "quasi", "hierarchy"} <= set(signatures.signature(request).parameters)


def test_a_long_search_can_be_watched() -> None:
    seen: list[Progress] = []
    shoal.protect(FRAME, quasi="age,sex", insensitive="ill", k=2, watch=seen.append)
    assert all(state.open >= 0 for state in seen)


def test_failures_are_one_family() -> None:
    with pytest.raises(shoal.BadInput, match="no column 'zip'"):
        shoal.protect(FRAME, quasi="zip", k=2)
    with pytest.raises(shoal.Unreachable):
        shoal.protect(FRAME, quasi="age", sensitive="ill", model="l-diversity(l=3)")
    assert issubclass(shoal.Unreachable, shoal.ShoalError)


def test_input_frames_are_never_altered() -> None:
    before = FRAME.clone()
    release = shoal.protect(FRAME, quasi="age", sensitive="ill", k=2, seed=1)
    shoal.measure(release, original=FRAME, population=FRAME)
    shoal.attack(release, "linkage", external=FRAME)
    shoal.inspect(FRAME)
    assert FRAME.equals(before) and FRAME.schema == before.schema
