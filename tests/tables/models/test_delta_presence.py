"""δ-presence against the definition, person by person, from the file and from the lattice."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from fractions import Fraction
from itertools import product

import polars as pl
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.optimal import Optimal
from shoal.tables.model_inputs.classes import Classes
from shoal.tables.models.delta_presence import DeltaPresence
from shoal.tables.search.distinct_tuples import Tuples
from shoal.tables.search.lattice import Lattice
from shoal.tables.table import Table

A = Hierarchy.of_levels([["1", "2", "3", "4"], ["12", "12", "34", "34"]])
B = Hierarchy.of_levels([["m", "f"]])
Person = tuple[str, str]
people = st.lists(st.tuples(st.sampled_from("1234"), st.sampled_from("mf")), min_size=1, max_size=24)
bounds = st.sampled_from([(0.0, 0.5), (0.0, 1.0), (0.25, 0.75), (0.5, 0.5), (0.1, 1.0), (0.0, 0.3)])


def drawn(crowd: list[Person], data: st.DataObject) -> Table:
    inside = [person for person in crowd if data.draw(st.booleans())]
    assume(inside)
    schema = {"a": pl.String, "b": pl.String}
    frame = pl.DataFrame(inside, schema=schema, orient="row")
    everybody = pl.DataFrame(crowd, schema=schema, orient="row")
    return Table(frame, (), ("a", "b"), (), {"a": A, "b": B}, everybody)


def recoded(frame: pl.DataFrame, node: tuple[int, int]) -> list[tuple[str | None, ...]]:
    return [(A.label(a, node[0]), B.label(b, node[1])) for a, b in frame.rows()]


def keeps(table: Table, node: tuple[int, int], low: float, high: float) -> bool:
    """Everybody in the population is in the table with a probability between the bounds."""
    assert table.population is not None
    inside, every = Counter(recoded(table.frame, node)), Counter(recoded(table.population, node))
    shares = [Fraction(inside[label], every[label]) for label in every]
    return all(Fraction(str(low)) <= share <= Fraction(str(high)) for share in shares)


@settings(max_examples=60)
@given(people, bounds, st.data())
def test_the_file_the_lattice_and_the_definition_agree(
    crowd: list[Person], limits: tuple[float, float], data: st.DataObject
) -> None:
    table, model = drawn(crowd, data), DeltaPresence(*limits)
    assert table.population is not None
    lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
    for node in product(range(3), range(2)):
        wanted = keeps(table, node, *limits)
        assert model.holds(lattice.classes(node)).all() == wanted
        labels = [pl.DataFrame(recoded(frame, node), schema=["a", "b"], orient="row")
                  for frame in (table.frame, table.population)]  # fmt: skip
        file = Classes.of(replace(table, frame=labels[0], population=labels[1]))
        assert model.holds(file).all() == wanted
        assert model.level(file) == model.level(lattice.classes(node))


@settings(max_examples=80)
@given(people, bounds, st.data())
def test_no_refinement_releases_a_doomed_row(
    crowd: list[Person], limits: tuple[float, float], data: st.DataObject
) -> None:
    """At every node and every node below it: what must go there is never less than was said above."""
    table, model = drawn(crowd, data), DeltaPresence(*limits)
    lattice = Lattice(Tuples.of(table, table.hierarchies, {}))
    nodes = list(product(range(3), range(2)))
    for node in nodes:
        doomed = model.doomed(lattice.classes(node))
        assert (doomed[model.holds(lattice.classes(node))] == 0).all()
        for below in nodes:
            if all(one <= other for one, other in zip(below, node, strict=True)):
                classes = lattice.classes(below)
                kept = model.holds(classes)
                lost = classes.sizes[~kept].sum()
                if kept.any() and not model.holds(classes.only(kept)).all():
                    lost = classes.rows
                assert lost >= doomed.sum()


@settings(max_examples=60)
@given(people, bounds, st.sampled_from([0.0, 0.4]), st.data())
def test_the_best_release_is_the_best_of_all_levels(
    crowd: list[Person], limits: tuple[float, float], suppress: float, data: st.DataObject
) -> None:
    table, model = drawn(crowd, data), DeltaPresence(*limits)
    try:
        release = Optimal(suppress=suppress, seed=1).protect(table, [model])
    except Unreachable:
        assert not any(keeps(table, node, *limits) for node in product(range(3), range(2)))
        return
    assert model.holds(release.seen()).all()
    seen = release.seen()
    assert limits[0] == 0 or (seen.population is not None and seen.population.outside == 0)


def test_low_above_zero_fails_when_somebody_fits_no_row() -> None:
    table = Table(pl.DataFrame({"q": ["x"]}), quasi=("q",), population=pl.DataFrame({"q": ["x", "y"]}))
    assert not DeltaPresence(0.1, 1).holds(Classes.of(table)).any()
    assert DeltaPresence(0, 1).holds(Classes.of(table)).all()
    alike = replace(table, population=pl.DataFrame({"q": ["x", None]}))
    assert not DeltaPresence(0.1, 1).holds(Classes.of(alike)).any(), "a missing value is no x"


def test_a_value_only_the_population_has_is_not_taken_for_a_missing_one() -> None:
    frame = pl.DataFrame({"q": ["x", None]})
    table = Table(frame, quasi=("q",), population=pl.DataFrame({"q": ["x", None, "y", "y"]}))
    seen = Classes.of(table).population
    assert seen is not None and seen.counts.tolist() == [1, 1] and seen.outside == 2


def test_bounds_that_no_release_keeps_are_refused_with_some_that_one_does() -> None:
    hierarchies = {"q": Hierarchy.of_levels([["x", "y"]])}
    people = pl.DataFrame({"q": ["x", "x", "y"]})
    table = Table(pl.DataFrame({"q": ["x", "y"]}), quasi=("q",), hierarchies=hierarchies, population=people)
    advice = "has 66.67% of the people; ask for low up to 0.6666 and high from 0.6667$"
    with pytest.raises(Unreachable, match=advice):
        Optimal().protect(table, [DeltaPresence(0.1, 0.5)])
    assert Optimal().protect(table, [DeltaPresence(0.6666, 0.6667)]).released == 2


def test_without_a_population_the_cure_is_named() -> None:
    with pytest.raises(BadParameter, match="give --population FILE"):
        DeltaPresence(0, 0.5).holds(Classes.of(Table(pl.DataFrame({"q": ["x"]}), quasi=("q",))))


@pytest.mark.parametrize("limits", [(-0.1, 0.5), (0.6, 0.5), (0.0, 1.1), (float("nan"), 0.5)])
def test_bounds_out_of_order_are_refused_with_their_values(limits: tuple[float, float]) -> None:
    with pytest.raises(BadParameter, match=f"not low={limits[0]:g} and high={limits[1]:g}"):
        DeltaPresence(*limits)
