"""Mondrian: a true partition, promises kept, nothing left to cut, and what it refuses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.contract import ClassModel, Mask
from shoal.core.errors import BadParameter, Unreachable
from shoal.core.part_syntax import build, spell
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.table import Table
from tables.builders import cases, models_for
from tables.methods.sound import assert_sound, with_ids
from tables.twins import Whole, keeps


@settings(max_examples=80, deadline=None)
@given(st.data())
def test_a_release_is_sound_for_any_model_a_class_keeps_by_itself(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3), most_leaves=6))
    models = data.draw(models_for(case, at_least=1))
    table = with_ids(case)
    before = table.frame.clone()
    method = Mondrian(relaxed=data.draw(st.booleans()))
    whole = Whole.of(case.sensitive, case.taxonomies)
    if all(keeps(model, list(case.sensitive), whole) for model in models):
        assert_sound(case, models, table, method.protect(table, models), allowed=0)
    else:
        with pytest.raises(Unreachable, match="the whole table as one class"):
            method.protect(table, models)
    assert table.frame.equals(before)


def ages(*values: int) -> Table:
    """One column of numbers."""
    texts = [str(value) for value in values]
    hierarchy = Hierarchy.of_levels([[str(value) for value in sorted(set(values))]])
    return Table(pl.DataFrame({"age": texts}), quasi=("age",), hierarchies={"age": hierarchy})


def labels(table: Table, k: int, relaxed: bool = False) -> list[str]:
    return sorted(Mondrian(relaxed).protect(table, [KAnonymity(k)]).table.frame["age"].to_list())


def test_numbers_are_cut_at_the_median_into_ranges_that_do_not_meet() -> None:
    assert labels(ages(20, 21, 30, 31), 2) == ["[20, 21]"] * 2 + ["[30, 31]"] * 2
    assert labels(ages(20, 20, 20, 30), 2) == ["[20, 30]"] * 4


def test_relaxed_lets_equal_values_go_to_both_sides() -> None:
    assert labels(ages(20, 20, 20, 30), 2, relaxed=True) == ["20", "20", "[20, 30]", "[20, 30]"]


def test_branches_that_stand_alone_leave_and_the_rest_keeps_the_label_above() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c", "d"]])
    frame = pl.DataFrame({"q": ["a"] * 3 + ["b"] * 3 + ["c", "d"]})
    table = Table(frame, quasi=("q",), hierarchies={"q": hierarchy})
    found = Mondrian().protect(table, [KAnonymity(2)]).table.frame["q"].to_list()
    assert sorted(found) == ["*", "*", "a", "a", "a", "b", "b", "b"]
    # Alone, d would be too few: the smallest branch stays with it.
    table = Table(frame.filter(pl.col("q") != "c"), quasi=("q",), hierarchies={"q": hierarchy})
    found = Mondrian().protect(table, [KAnonymity(2)]).table.frame["q"].to_list()
    assert sorted(found) in (["*"] * 4 + ["a"] * 3, ["*"] * 4 + ["b"] * 3)


def test_values_that_are_no_numbers_leave_first() -> None:
    texts = ["20", "21", "30", "31", None, None]
    hierarchy = Hierarchy.of_levels([["20", "21", "30", "31", None]])
    frame = pl.DataFrame({"age": pl.Series(texts, dtype=pl.String)})
    table = Table(frame, quasi=("age",), hierarchies={"age": hierarchy})
    found = Mondrian().protect(table, [KAnonymity(2)]).table.frame["age"].to_list()
    assert found.count(None) == 2 and found.count("[20, 21]") == 2


@dataclass(frozen=True)
class NeverSix(ClassModel[Classes]):
    """Holds for any class but one of six rows: parts that hold may not be put together."""

    name: ClassVar[str] = "never-six"
    stops: ClassVar[tuple[Any, ...]] = ()
    reads: ClassVar[Any] = "sizes"
    scope: ClassVar[Any] = "class"

    def level(self, classes: Classes) -> float:
        return 0.0

    def holds(self, classes: Classes) -> Mask:
        return np.asarray((classes.sizes > 2) & (classes.sizes != 6))

    def doomed(self, classes: Classes) -> Any:
        return np.zeros(len(classes))


def test_parts_that_read_alike_and_fail_together_are_put_back() -> None:
    """Two of the upper labels are both called x, so parts under them read alike."""
    hierarchy = Hierarchy.of_levels([["a", "b", "c", "d"], ["x", "x", "y", "y"], ["*", "*", "x", "x"]])
    rows = ["a"] * 2 + ["b"] + ["c"] * 2 + ["d"] + ["a"]
    table = Table(pl.DataFrame({"q": rows}), quasi=("q",), hierarchies={"q": hierarchy})
    release = Mondrian().protect(table, [NeverSix()])
    assert NeverSix().holds(release.seen()).all()


def test_what_makes_no_sense_is_refused() -> None:
    @dataclass(frozen=True)
    class Wide(NeverSix):
        name: ClassVar[str] = "wide"
        scope: ClassVar[Any] = "table"

    with pytest.raises(
        BadParameter, match="mondrian settles one class at a time and wide speaks of the whole"
    ):
        Mondrian().protect(ages(1, 2), [Wide()])
    with pytest.raises(Unreachable, match="offers 2; ask for no more"):
        Mondrian().protect(ages(1, 2), [KAnonymity(3)])
    with pytest.raises(BadParameter, match="needs a sensitive column"):
        Mondrian().protect(ages(1, 2), [LDiversity(2)])
    with pytest.raises(BadParameter, match="neither true nor false"):
        build(Mondrian, {"relaxed": "perhaps"})
    assert spell(build(Mondrian, {"relaxed": "True"})) == "mondrian(relaxed=true)"
    assert build(Mondrian, {"relaxed": "false"}) == Mondrian()
