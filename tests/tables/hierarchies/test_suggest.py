from __future__ import annotations

from datetime import date

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.hierarchies import suggest

from .checks import assert_hierarchy, some_numbers, texts, way


@pytest.mark.parametrize(
    ("name", "values", "reason", "labels"),
    [
        ("born", ["1987-03-14", "1990-01-01"], "dates", ["1987-03", "1987-Q1", "1987", "1980-1989"]),
        ("born", ["02/01/1990"], "dates, day and month unclear", ["1990", "1990-1999"]),
        ("ZIP", ["47677", "4760"], "codes, judged by the column name", ["4767*", "476**", "47***", "4****"]),
        ("patient_plz", ["476", "1010"], "codes, judged by the column name", ["476*", "47**", "4***"]),
        ("region", ["012", "900"], "leading zeros", ["01*", "0**"]),
        ("region", ["47677", "12345"], "digits of one length", ["4767*", "476**", "47***", "4****"]),
        ("why", ["J45.1", "E11", "C50.9"], "codes", ["J45.*", "J45**", "J4***", "J****"]),
        ("sex", ["m", "f"], "categories", []),
        ("children", ["1", "0"], "categories", []),
        ("job", ["cook", "nurse 2", "7"], "categories", []),
    ],
)
def test_the_values_and_the_name_tell_the_kind(
    name: str, values: list[str], reason: str, labels: list[str]
) -> None:
    suggestion = suggest(pl.Series(values), name)
    assert suggestion.reason == reason
    assert way(suggestion.hierarchy, values[0]) == [values[0], *labels, "*"]


def test_ages_get_round_intervals_that_double() -> None:
    suggestion = suggest(pl.Series([str(age) for age in range(17, 91)]), "age")
    assert suggestion.reason == "numbers"
    assert way(suggestion.hierarchy, "39")[1:] == [
        "[35, 40)",
        "[30, 40)",
        "[20, 40)",
        "[0, 40)",
        "[0, 80)",
        "*",
    ]


def test_a_first_level_that_would_join_nothing_is_left_out() -> None:
    hierarchy = suggest(pl.Series(["1", "2", "3"]), "grade").hierarchy
    assert way(hierarchy, "2") == ["2", "[2, 4)", "*"]


def test_far_away_values_do_not_swallow_the_others() -> None:
    hierarchy = suggest(pl.Series([*range(100), 10**9]), "gain").hierarchy
    assert hierarchy.label("50", 1) == "[50, 55)"
    assert hierarchy.height <= 10


def test_signs_for_not_known_stay_themselves_beside_the_rest() -> None:
    suggestion = suggest(pl.Series(["31", "?", "44", "NaN", "58", None]), "age")
    assert suggestion.reason == "numbers"
    for sign in ("?", "NaN", None):
        assert set(way(suggestion.hierarchy, sign)) == {sign, "*"}


def test_typed_columns_are_read_as_their_texts() -> None:
    assert suggest(pl.Series([date(1987, 3, 14)]), "x").reason == "dates"
    assert suggest(pl.Series([10000, 20000, 30000]), "x").reason == "digits of one length"
    assert suggest(pl.Series([1.5, 2.5, float("nan")]), "zip").hierarchy.leaves == ("1.5", "2.5", "NaN")
    assert suggest(pl.Series([1.5, 2.5, 3.5, 9.0]), "zip").reason == "numbers"
    assert suggest(pl.Series([True, False, None]), "x").hierarchy.leaves == ("false", "true", None)


def test_long_codes_do_not_make_tall_hierarchies() -> None:
    values = [f"A{number:031}" for number in range(3)]
    assert suggest(pl.Series(values), "device").hierarchy.height <= 10


def test_a_column_of_nothing_or_only_signs_has_a_hierarchy_too() -> None:
    nothing = suggest(pl.Series([None, None], dtype=pl.String), "x")
    assert (nothing.hierarchy.leaves, nothing.reason) == ((None,), "no values")
    assert suggest(pl.Series(["?", "", None]), "x").hierarchy.leaves == ("", "?", None)


kinds = st.one_of(
    st.lists(st.none() | texts),
    some_numbers,
    st.lists(st.dates().map(str)),
    st.lists(st.from_regex(r"[A-Z]\d{2}(\.\d)?", fullmatch=True)),
    st.lists(st.sampled_from(["1", "2", "3.5", "1e300", "-1e-300", "?", "x"])),
)


@given(kinds.filter(bool), st.sampled_from(["x", "zip"]))
def test_every_column_gets_a_hierarchy_over_all_its_values(values: list[str | None], name: str) -> None:
    hierarchy = suggest(pl.Series(values, dtype=pl.String), name).hierarchy
    assert set(hierarchy.leaves) == set(values)
    assert_hierarchy(hierarchy, hierarchy.leaves)
