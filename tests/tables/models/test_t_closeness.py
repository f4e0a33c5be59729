"""t-closeness against optimal transport in fractions, and the promise that makes a search exact."""

from __future__ import annotations

import math
from collections import Counter
from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.sensitive_domains import Domain
from shoal.tables.models.t_closeness import Distance, TCloseness

from ..builders import Row, classes_of, hierarchies, one_column
from ..twins import Whole, distance_of, ground_of, keeps, movers_distance
from .test_l_diversity import subsets

DISTANCES: tuple[Distance, ...] = ("equal", "ordered", "hierarchical")
some_t = st.sampled_from([0.0, 0.1, 0.2, 0.25, 0.3, 0.5, 0.75, 0.9, 1.0])


def number_domain(column: str, totals: list[int]) -> Domain:
    """Values 0, 1, 2 … that occur so often in the whole table; 0 when they are known but absent."""
    return Domain(column, tuple(str(v) for v in range(len(totals))), np.array(totals, np.int64), ordered=True)


@st.composite
def settings_of(draw: st.DrawFn, columns: int = 1, most: int = 8) -> tuple[list[list[Row]], list[Domain]]:
    """A whole table cut into classes: per row one leaf of a taxonomy for each sensitive column."""
    chosen = [draw(hierarchies(4, 2)) for _ in range(columns)]
    row = st.tuples(*(st.sampled_from(hierarchy.leaves) for hierarchy in chosen))
    groups = draw(st.lists(st.lists(row, min_size=1, max_size=most), min_size=1, max_size=4))
    domains = []
    for c, hierarchy in enumerate(chosen):
        found = Counter(r[c] for group in groups for r in group)
        totals = np.array([found[leaf] for leaf in hierarchy.leaves], np.int64)
        domains.append(Domain(f"s{c}", hierarchy.leaves, totals, True, hierarchy))
    return groups, domains


def whole_of(domains: list[Domain]) -> Whole:
    return Whole(
        tuple(domain.values for domain in domains),
        tuple(tuple(domain.totals.tolist()) for domain in domains),
        tuple(domain.taxonomy for domain in domains),
    )


def by_name(domains: list[Domain]) -> dict[str, Domain]:
    return {domain.column: domain for domain in domains}


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60)
@given(case=settings_of())
def test_the_distance_is_the_least_work_of_moving_earth(
    case: tuple[list[list[Row]], list[Domain]], distance: Distance
) -> None:
    groups, domains = case
    for group in groups:
        exact = distance_of(TCloseness(1, distance), [row[0] for row in group], whole_of(domains), 0)
        found = TCloseness(1, distance).level(classes_of([group], by_name(domains)))
        assert found == pytest.approx(float(exact), abs=1e-13)


@settings(max_examples=80)
@given(st.lists(st.integers(0, 5), min_size=2, max_size=9), st.data())
def test_ordered_distance_is_the_mean_gap_of_cumulative_shares(
    totals: list[int], data: st.DataObject
) -> None:
    """Over the full domain rank by rank, values that the class or even the table lacks included."""
    totals[data.draw(st.integers(0, len(totals) - 1))] += 1
    some = [value for value, count in enumerate(totals) if count]
    groups = data.draw(
        st.lists(st.lists(st.sampled_from(some), min_size=1, max_size=6), min_size=1, max_size=5)
    )
    wanted = []
    for group in groups:
        gap = ours = theirs = Fraction(0)
        for value, total in enumerate(totals):
            ours += Fraction(group.count(value), len(group))
            theirs += Fraction(total, sum(totals))
            gap += abs(ours - theirs)
        wanted.append(gap / (len(totals) - 1))
    seen = one_column([[str(value) for value in group] for group in groups], number_domain("s", totals))
    assert TCloseness(1, "ordered").level(seen) == pytest.approx(float(max(wanted)), abs=1e-13)
    for gap in wanted:
        # Exactly t is close enough, and a hair above is not.
        limit = TCloseness(float(gap), "ordered").holds(seen).tolist()
        assert limit == [other <= gap for other in wanted]


def test_closed_forms_and_transport_agree_on_a_taxonomy_done_by_hand() -> None:
    """Flu and cold meet at level 1 of 2, flu and ulcer at the top: half the earth goes half as far."""
    taxonomy = Hierarchy.of_levels([["flu", "cold", "ulcer"], ["lungs", "lungs", "stomach"]])
    domain = Domain("s", taxonomy.leaves, np.array([2, 1, 1]), True, taxonomy)
    seen = one_column([["flu"], ["cold", "flu"], ["ulcer"]], domain)
    # {flu}: 1/4 to cold at 1/2 and 1/4 to ulcer at 1
    assert TCloseness(1, "hierarchical").level(one_column([["flu"]], domain)) == 0.375
    assert TCloseness(0.25, "hierarchical").holds(seen).tolist() == [False, True, False]
    ground = ground_of("hierarchical", 3, taxonomy)
    assert movers_distance((1, 0, 0), (2, 1, 1), ground) == Fraction(3, 8)
    assert movers_distance((1, 1, 0), (2, 1, 1), ground) == Fraction(1, 4)


def test_exactly_t_is_close_enough_by_a_taxonomy_too() -> None:
    taxonomy = Hierarchy.of_levels([list("abcdef"), list("xxyyzz"), list("uuuuvv")])
    domain = Domain("s", taxonomy.leaves, np.array([3, 1, 2, 2, 1, 4]), True, taxonomy)
    groups = [list("aab"), list("f"), list("cdef"), list("abcdef"), list("ee")]
    ground = ground_of("hierarchical", 6, taxonomy)
    exact = [
        movers_distance(tuple(map(group.count, "abcdef")), (3, 1, 2, 2, 1, 4), ground) for group in groups
    ]
    for t in exact:
        found = TCloseness(float(t), "hierarchical").holds(one_column(groups, domain))
        assert found.tolist() == [other <= t for other in exact]


@pytest.mark.parametrize("distance", DISTANCES)
def test_a_class_at_exactly_t_holds_wherever_it_stands_among_many(distance: Distance) -> None:
    """A running sum over hundreds of thousands of classes must not blur the last one by more than a hair."""
    taxonomy = Hierarchy.of_levels([list("0123456789")])
    domain = Domain("s", taxonomy.leaves, np.ones(10, np.int64), True, taxonomy)
    once = classes_of(
        [[("1",), ("2",), ("7",)], [("0",), ("3",), ("4",), ("5",), ("6",), ("8",), ("9",)]], {"s": domain}
    )
    exact = max(
        movers_distance(own, (1,) * 10, ground_of(distance, 10, taxonomy))
        for own in ((0, 1, 1, 0, 0, 0, 0, 1, 0, 0), (1, 0, 0, 1, 1, 1, 1, 0, 1, 1))
    )
    times = 200_000 if distance != "hierarchical" else 20_000
    counts = once.sensitive["s"]
    many = type(counts)(
        domain,
        np.append((counts.offsets[:-1] + 10 * np.arange(times)[:, None]).ravel(), np.int64(10 * times)),
        np.tile(counts.values, times),
        np.tile(counts.counts, times),
    )
    seen = type(once)(np.tile(once.sizes, times), {"s": many})
    assert TCloseness(float(exact), distance).holds(seen).all()
    assert TCloseness(1, distance).level(seen) == pytest.approx(float(exact), abs=1e-13)


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60)
@given(case=settings_of(), t=some_t)
def test_a_class_holds_exactly_when_the_definition_says_so(
    case: tuple[list[list[Row]], list[Domain]], t: float, distance: Distance
) -> None:
    groups, domains = case
    model = TCloseness(t, distance)
    wanted = [keeps(model, group, whole_of(domains)) for group in groups]
    assert model.holds(classes_of(groups, by_name(domains))).tolist() == wanted


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60)
@given(case=settings_of(), t=some_t)
def test_a_union_of_classes_that_hold_holds(
    case: tuple[list[list[Row]], list[Domain]], t: float, distance: Distance
) -> None:
    groups, domains = case
    model = TCloseness(t, distance)
    held = [
        group
        for group, holds in zip(groups, model.holds(classes_of(groups, by_name(domains))), strict=True)
        if holds
    ]
    if held:
        assert model.holds(classes_of([[row for group in held for row in group]], by_name(domains))).all()
    # The whole table is itself.
    assert (
        TCloseness(0, distance)
        .holds(classes_of([[row for group in groups for row in group]], by_name(domains)))
        .all()
    )


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60)
@given(case=settings_of(), t=some_t)
def test_no_part_of_a_class_spares_a_doomed_row(
    case: tuple[list[list[Row]], list[Domain]], t: float, distance: Distance
) -> None:
    """The most that any refinement can release is the largest part that holds; all parts are tried."""
    groups, domains = case
    model, whole = TCloseness(t, distance), whole_of(domains)
    doomed = model.doomed(classes_of(groups, by_name(domains)))
    for group, lost in zip(groups, doomed, strict=True):
        parts = sorted(subsets(group), key=len, reverse=True)
        largest = next((len(part) for part in parts[:-1] if keeps(model, part, whole)), 0)
        assert 0 <= lost <= len(group) - largest
        assert (lost > 0) == (not keeps(model, group, whole))


@pytest.mark.parametrize("distance", ["equal", "ordered"])
@settings(max_examples=60)
@given(
    own=st.tuples(*[st.integers(0, 7)] * 3).filter(any),
    totals=st.tuples(*[st.sampled_from([1, 2, 50, 500])] * 3),
    t=st.sampled_from([0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9]),
)
def test_no_part_spares_a_doomed_row_when_a_class_is_full_of_what_is_rare(
    own: tuple[int, ...], totals: tuple[int, ...], t: float, distance: Distance
) -> None:
    """A rare value is nearly 1 away from the table, which is as much as one row can weigh: the tight case."""
    domain = number_domain("s", list(totals))
    ground = ground_of(distance, 3, None)
    parts = sorted(product(*(range(count + 1) for count in own)), key=sum, reverse=True)
    largest = next(
        (sum(part) for part in parts[:-1] if movers_distance(part, totals, ground) <= Fraction(str(t))), 0
    )
    group = [str(value) for value, count in enumerate(own) for _ in range(count)]
    doomed = TCloseness(t, distance).doomed(one_column([group], domain))[0]
    assert 0 <= doomed <= sum(own) - largest


@settings(max_examples=60)
@given(settings_of(columns=2, most=20), some_t, st.sampled_from(DISTANCES), st.data())
def test_rows_in_failing_parts_are_never_fewer_than_the_doomed(
    case: tuple[list[list[Row]], list[Domain]], t: float, distance: Distance, data: st.DataObject
) -> None:
    """The promise itself, with two sensitive columns and random refinements of every class."""
    groups, domains = case
    model = TCloseness(t, distance, data.draw(st.sampled_from([None, "s0", "s1"])))
    whole = whole_of(domains)
    doomed = model.doomed(classes_of(groups, by_name(domains)))
    for group, lost in zip(groups, doomed, strict=True):
        part_of = [data.draw(st.integers(0, 2)) for _ in group]
        parts = [[row for row, p in zip(group, part_of, strict=True) if p == part] for part in set(part_of)]
        assert sum(len(part) for part in parts if not keeps(model, part, whole)) >= lost


@pytest.mark.parametrize("distance", DISTANCES)
@settings(max_examples=60)
@given(case=settings_of(), t=some_t)
def test_asking_what_is_doomed_first_changes_neither_what_holds_nor_the_level(
    case: tuple[list[list[Row]], list[Domain]], t: float, distance: Distance
) -> None:
    groups, domains = case
    model, asked, fresh = TCloseness(t, distance), *(classes_of(groups, by_name(domains)) for _ in range(2))
    model.doomed(asked)
    assert model.holds(asked).tolist() == model.holds(fresh).tolist()
    assert model.level(asked) == model.level(fresh)


@settings(max_examples=100)
@given(
    totals=st.lists(st.integers(0, 30), min_size=2, max_size=4).filter(any),
    t=some_t,
    rows=st.integers(1, 6),
)
def test_fewer_rows_than_it_takes_are_never_close(totals: list[int], t: float, rows: int) -> None:
    """All classes of so many rows are tried: the whole is told to be doomed only where none of them holds."""
    domain, model = number_domain("s", totals), TCloseness(t)
    ground = ground_of("equal", len(totals), None)
    every = [own for own in product(range(rows + 1), repeat=len(totals)) if sum(own) == rows]
    near = {own for own in every if movers_distance(own, tuple(totals), ground) <= Fraction(str(t))}
    groups = [[str(value) for value, count in enumerate(own) for _ in range(count)] for own in every]
    classes = one_column(groups, domain)
    model.doomed(classes)
    assert {own for own, held in zip(every, model.holds(classes), strict=True) if held} == near


@settings(max_examples=60)
@given(settings_of(columns=2), st.sampled_from(DISTANCES))
def test_what_is_close_under_equal_distance_is_close_under_the_others(
    case: tuple[list[list[Row]], list[Domain]], distance: Distance
) -> None:
    groups, domains = case
    seen = classes_of(groups, by_name(domains))
    assert TCloseness(1, distance).level(seen) <= TCloseness(1, "equal").level(seen) + 1e-12
    assert TCloseness(1, distance).level(seen) == max(
        TCloseness(1, distance, column).level(seen) for column in ("s0", "s1")
    )


def test_one_value_alone_is_at_no_distance() -> None:
    seen = one_column([["5"], ["5", "5"]])
    for distance in ("equal", "ordered"):
        assert TCloseness(0, distance).holds(seen).all()


@pytest.mark.parametrize("t", [-0.1, 1.5, math.nan, math.inf])
def test_a_t_outside_its_range_is_refused_with_its_value(t: float) -> None:
    with pytest.raises(BadParameter, match=f"between 0 and 1, not {t:g}"):
        TCloseness(t)


def test_an_unknown_distance_is_refused_by_name() -> None:
    with pytest.raises(BadParameter, match="not 'euclidean'"):
        TCloseness(0.2, "euclidean")  # type: ignore[arg-type]


@pytest.mark.parametrize(("values", "stranger"), [(["1", "two"], "'two'"), (["1", None], "None")])
def test_ordered_distance_without_an_order_is_refused_with_the_value(
    values: list[Label], stranger: str
) -> None:
    with pytest.raises(BadParameter, match=f"distance=ordered needs numbers, and 's' has {stranger}"):
        TCloseness(0.2, "ordered").holds(one_column([values]))


def test_hierarchical_distance_without_a_taxonomy_is_refused_with_the_cure() -> None:
    with pytest.raises(BadParameter, match=r"needs a taxonomy of 's'; give --hierarchy s=FILE\.csv"):
        TCloseness(0.2, "hierarchical").level(one_column([["a"]]))
