"""l-diversity against its definitions in exact arithmetic, and the promise that makes a search exact."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.models.l_diversity import LDiversity

from ..builders import Row, classes_of, l_diversities, one_column
from ..twins import Whole, is_diverse, keeps

models = l_diversities(())
classes_of_letters = st.lists(
    st.lists(st.sampled_from("abcde"), min_size=1, max_size=12), min_size=1, max_size=6
)


def subsets(rows: Sequence[Row]) -> Iterator[list[Row]]:
    """Every part that a refinement can cut out of a class, up to rows that are alike."""
    tally = Counter(rows)
    for taken in product(*(range(count + 1) for count in tally.values())):
        yield [row for row, count in zip(tally, taken, strict=True) for _ in range(count)]


@settings(max_examples=160)
@given(classes_of_letters, models)
def test_a_class_holds_exactly_when_the_definition_says_so(
    groups: list[list[str]], model: LDiversity
) -> None:
    wanted = [is_diverse(model, list(Counter(group).values())) for group in groups]
    assert model.holds(one_column(groups)).tolist() == wanted


@given(classes_of_letters)
def test_the_level_is_what_the_worst_class_offers(groups: list[list[str]]) -> None:
    seen = one_column(groups)
    tallies = [sorted(Counter(group).values(), reverse=True) for group in groups]
    assert LDiversity(2).level(seen) == min(map(len, tallies))
    assert LDiversity(2, "probabilistic").level(seen) == min(sum(tally) / tally[0] for tally in tallies)
    entropies = [-sum(n / sum(t) * math.log(n / sum(t)) for n in t) for t in tallies]
    assert LDiversity(2, "entropy").level(seen) == pytest.approx(math.exp(min(entropies)))
    needed = [tally[0] / sum(tally[1:]) if len(tally) > 1 else math.inf for tally in tallies]
    assert LDiversity(2, "recursive", c=1).level(seen) == max(needed)


@given(classes_of_letters)
def test_asking_for_the_level_holds_and_for_more_does_not(groups: list[list[str]]) -> None:
    seen = one_column(groups)
    distinct = LDiversity(1).level(seen)
    assert LDiversity(distinct).holds(seen).all()
    assert not LDiversity(distinct + 1).holds(seen).all()
    for kind in ("probabilistic", "entropy"):
        level = LDiversity(1, kind).level(seen)
        assert LDiversity(max(level, 1), kind).holds(seen).all()
        assert not LDiversity(level + 1e-6, kind).holds(seen).all()
    needed = LDiversity(2, "recursive", c=1).level(seen)
    if math.isfinite(needed):
        assert not LDiversity(2, "recursive", c=needed).holds(seen).all()
        assert LDiversity(2, "recursive", c=needed * (1 + 1e-9)).holds(seen).all()


@settings(max_examples=120)
@given(classes_of_letters, models)
def test_a_union_of_classes_that_hold_holds(groups: list[list[str]], model: LDiversity) -> None:
    """All four readings; a search prunes on this."""
    held = [g for g, holds in zip(groups, model.holds(one_column(groups)), strict=True) if holds]
    if held:
        assert model.holds(one_column([[row for group in held for row in group]])).all()


@settings(max_examples=160)
@given(st.lists(st.sampled_from("abcd"), min_size=1, max_size=11), models)
def test_no_part_of_a_class_spares_a_doomed_row(group: list[str], model: LDiversity) -> None:
    """The most that any refinement can release is the largest part that holds; all parts are tried."""
    rows: list[Row] = [(value,) for value in group]
    whole = Whole.of([("0",)], (None,))
    largest = max((len(part) for part in subsets(rows) if part and keeps(model, part, whole)), default=0)
    doomed = model.doomed(one_column([group]))[0]
    assert 0 <= doomed <= len(group) - largest


@settings(max_examples=120)
@given(
    st.lists(st.tuples(st.sampled_from("ab"), st.sampled_from("xyz")), min_size=1, max_size=9),
    l_diversities(("s0", "s1")),
)
def test_no_part_spares_a_doomed_row_with_two_sensitive_columns(rows: list[Row], model: LDiversity) -> None:
    domains = {f"s{c}": one_column([[row[c] for row in rows]]).sensitive["s"].domain for c in range(2)}
    whole = Whole.of([("0", "0")], (None, None))
    largest = max((len(part) for part in subsets(rows) if part and keeps(model, part, whole)), default=0)
    assert model.doomed(classes_of([rows], domains))[0] <= len(rows) - largest


@settings(max_examples=120)
@given(
    st.lists(
        st.tuples(st.sampled_from("abcd"), st.sampled_from("xy"), st.integers(0, 3)), min_size=1, max_size=40
    ),
    st.lists(l_diversities(("s0", "s1")), min_size=1, max_size=3),
)
def test_rows_in_failing_parts_are_never_fewer_than_the_doomed(
    rows: list[tuple[str, str, int]], wanted: list[LDiversity]
) -> None:
    """The promise itself, for several models at once as a search adds them up, in random refinements."""
    values: list[Row] = [row[:2] for row in rows]
    domains = {f"s{c}": one_column([[row[c] for row in values]]).sensitive["s"].domain for c in range(2)}
    whole = Whole.of([("0", "0")], (None, None))
    parts = [[row[:2] for row in rows if row[2] == part] for part in {row[2] for row in rows}]
    failing = sum(len(part) for part in parts if not all(keeps(model, part, whole) for model in wanted))
    assert failing >= max(model.doomed(classes_of([values], domains))[0] for model in wanted)


@given(classes_of_letters, models)
def test_rows_are_doomed_exactly_in_classes_that_fail(groups: list[list[str]], model: LDiversity) -> None:
    """A class is a refinement of itself: one that holds dooms nobody; one that fails dooms somebody."""
    seen = one_column(groups)
    assert ((model.doomed(seen) > 0) == ~model.holds(seen)).all()
    assert (model.doomed(seen) <= seen.sizes).all()


def test_every_sensitive_column_must_be_diverse_unless_one_is_named() -> None:
    rows: list[Row] = [("a", "x"), ("b", "x")]
    domains = {f"s{c}": one_column([[row[c] for row in rows]]).sensitive["s"].domain for c in range(2)}
    seen = classes_of([rows], domains)
    assert not LDiversity(2).holds(seen).any()
    assert LDiversity(2, column="s0").holds(seen).all()
    assert not LDiversity(2, column="s1").holds(seen).any()
    assert (LDiversity(2).level(seen), LDiversity(2, column="s0").level(seen)) == (1, 2)


@pytest.mark.parametrize("c", [0.07, 0.14, 0.28, 0.55, 0.56, 0.57, 1.1, 1.15])
def test_recursive_diversity_is_strict_in_the_decimals_that_were_written(c: float) -> None:
    """0.07 × 100 is 7.000000000000001 to a computer, and 7 < 7 must still not hold."""
    for tail in range(1, 120):
        for top in (round(c * tail), round(c * tail) + 1):
            # r₁ = top, and a tail of values as frequent as that or less
            rest = [top] * (tail // top) + ([tail % top] if tail % top else []) if top else []
            if not rest:
                continue
            group = [str(number) for number, count in enumerate([top, *rest]) for _ in range(count)]
            model = LDiversity(2, "recursive", c)
            assert model.holds(one_column([group]))[0] == is_diverse(model, [top, *rest])


@pytest.mark.parametrize("l", [2, 3, 5, 7, 10, 49, 1000])
@pytest.mark.parametrize("kind", ["probabilistic", "entropy"])
def test_equal_shares_of_l_values_are_exactly_enough(l: int, kind: str) -> None:  # noqa: E741
    seen = one_column([[str(value) for value in range(l)] * 3])
    assert LDiversity(l, kind).holds(seen).all()  # type: ignore[arg-type]
    one_more = one_column([[str(value) for value in range(l)] * 3 + ["0"]])
    assert not LDiversity(l, kind).holds(one_more).any()  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"l": 0}, "l of at least 1, not 0"),
        ({"l": 0.5, "kind": "entropy"}, "at least 1, not 0.5"),
        ({"l": math.nan, "kind": "entropy"}, "not nan"),
        ({"l": math.inf}, "not inf"),
        ({"l": math.inf, "kind": "entropy"}, "not inf"),
        ({"l": 2.5}, "must be whole, not 2.5"),
        ({"l": 2.5, "kind": "recursive", "c": 3}, "must be whole, not 2.5"),
        ({"l": 2, "kind": "recursive"}, "needs a c above 0, not None"),
        ({"l": 2, "kind": "recursive", "c": 0}, "needs a c above 0, not 0"),
        ({"l": 2, "kind": "recursive", "c": -1.5}, "not -1.5"),
        ({"l": 2, "kind": "recursive", "c": math.nan}, "not nan"),
        ({"l": 2, "kind": "recursive", "c": math.inf}, "not inf"),
        ({"l": 2, "c": 3}, "c belongs to recursive l-diversity, not to distinct"),
        ({"l": 2, "kind": "entropic"}, "not 'entropic'"),
    ],
)
def test_bad_parameters_are_refused_with_their_value(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(BadParameter, match=message):
        LDiversity(**arguments)  # type: ignore[arg-type]


def test_a_table_without_sensitive_columns_is_refused() -> None:
    with pytest.raises(BadParameter, match="l-diversity needs a sensitive column"):
        LDiversity(2).holds(classes_of([[()]], {}))
    with pytest.raises(BadParameter, match="names 'ill'"):
        LDiversity(2, column="ill").doomed(one_column([["a"]]))
