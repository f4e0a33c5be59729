"""Personalised privacy against the definition, row by row."""

from __future__ import annotations

from fractions import Fraction

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.model_inputs.sensitive_domains import domains_of
from shoal.tables.models.personalised_privacy import PersonalisedPrivacy
from shoal.tables.table import Table

TAXONOMY = Hierarchy.of_levels([["flu", "cold", "ulcer", "gout"], ["lungs", "lungs", "stomach", "gout"]])
UNDER = {
    "flu": {"flu"}, "cold": {"cold"}, "ulcer": {"ulcer"}, "gout": {"gout"}, "lungs": {"flu", "cold"},
    "stomach": {"ulcer"}, "*": {"flu", "cold", "ulcer", "gout"},
}  # fmt: skip
Patient = tuple[str, str, str | None]
patients = st.lists(
    st.tuples(
        st.sampled_from("xyz"), st.sampled_from(TAXONOMY.leaves), st.sampled_from([*UNDER, None, None])
    ),
    min_size=1,
    max_size=18,
)
shares = st.sampled_from([0.2, 0.25, 0.5, 0.6, 0.75, 1.0])


def seen(rows: list[Patient], model: PersonalisedPrivacy) -> tuple[Classes, list[list[Patient]]]:
    frame = pl.DataFrame(
        rows, schema=["q", "ill", "guard"], orient="row", schema_overrides={"guard": pl.String}
    )
    table = Table(frame, ("guard",), ("q",), ("ill",), {"ill": TAXONOMY})
    classes = Classes.of(table, domains_of(table, [model]))
    names = [classes.names["q"][label] for label in classes.labels["q"]]
    return classes, [[row for row in rows if row[0] == name] for name in names]


def worst(group: list[Patient]) -> Fraction:
    guards = {guard for _, _, guard in group if guard is not None}
    return max(
        (Fraction(sum(ill in UNDER[guard] for _, ill, _ in group), len(group)) for guard in guards),
        default=Fraction(0),
    )


@given(patients, shares)
def test_a_class_holds_exactly_when_the_definition_says_so(rows: list[Patient], p: float) -> None:
    model = PersonalisedPrivacy(p, "guard")
    classes, groups = seen(rows, model)
    assert model.holds(classes).tolist() == [worst(group) <= Fraction(str(p)) for group in groups]
    assert model.level(classes) == pytest.approx(float(max(map(worst, groups))))


@settings(max_examples=80)
@given(patients, shares, st.data())
def test_rows_in_failing_parts_are_never_fewer_than_the_doomed(
    rows: list[Patient], p: float, data: st.DataObject
) -> None:
    model = PersonalisedPrivacy(p, "guard")
    classes, groups = seen(rows, model)
    doomed = model.doomed(classes)
    assert (doomed[model.holds(classes)] == 0).all()
    for group, lost in zip(groups, doomed, strict=True):
        assert 0 <= lost <= len(group)
        part_of = [data.draw(st.integers(0, 2)) for _ in group]
        parts = [[row for row, n in zip(group, part_of, strict=True) if n == part] for part in set(part_of)]
        assert sum(len(part) for part in parts if worst(part) > Fraction(str(p))) >= lost


def test_a_guard_that_is_no_node_is_refused_with_its_name() -> None:
    model = PersonalisedPrivacy(0.5, "guard")
    classes, _ = seen([("x", "flu", "heart")], model)
    with pytest.raises(BadParameter, match="guard 'heart' is no node of the hierarchy of 'ill'"):
        model.holds(classes)


def test_without_a_taxonomy_the_cure_is_named() -> None:
    table = Table(pl.DataFrame({"q": ["x"], "s": ["a"], "g": ["a"]}), ("g",), ("q",), ("s",))
    model = PersonalisedPrivacy(0.5, "g")
    with pytest.raises(BadParameter, match=r"give --hierarchy s=FILE\.csv"):
        model.level(Classes.of(table, domains_of(table, [model])))


@pytest.mark.parametrize("p", [0.0, -1.0, 1.5, float("nan")])
def test_a_p_out_of_range_is_refused_with_its_value(p: float) -> None:
    with pytest.raises(BadParameter, match=f"not {p:g}"):
        PersonalisedPrivacy(p, "guard")


def test_a_p_that_cannot_be_is_refused_with_one_that_can() -> None:
    frame = pl.DataFrame({"q": ["x"] * 4, "ill": ["flu"] * 4, "guard": ["flu"] * 4})
    hierarchies = {"q": Hierarchy.of_levels([["x"]]), "ill": TAXONOMY}
    table = Table(frame, ("guard",), ("q",), ("ill",), hierarchies)
    with pytest.raises(Unreachable, match="comes to 1; ask for no less than that"):
        Optimal().protect(table, [PersonalisedPrivacy(0.5, "guard")])
    assert Optimal().protect(table, [PersonalisedPrivacy(1, "guard")]).released == 4
