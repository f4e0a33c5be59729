"""Which losses go out."""

import pickle

import polars as pl
import pytest

from shoal.tables.hierarchies import Hierarchy
from shoal.tables.published_losses import all_declared, published_losses, published_optimal
from shoal.tables.release import TableRelease
from shoal.tables.table import Table

LOSSES = {
    "precision": 0.123456,
    "loss": 0.635544,
    "discernibility": 123456.0,
    "average_class_size": 2.34567,
    "entropy": 0.999888,
}
HIERARCHY = Hierarchy.of_levels([["1", "2"]])


def release(values: list[str | None], hierarchy: Hierarchy) -> TableRelease:
    table = Table(
        pl.DataFrame({"a": pl.Series(values, dtype=pl.String)}), quasi=("a",), hierarchies={"a": hierarchy}
    )
    return TableRelease(table, len(values), "optimal", {}, LOSSES, 1)


def test_entropy_never_goes_out_and_the_rest_has_three_digits() -> None:
    assert published_losses(LOSSES, True) == {
        "precision": 0.123,
        "loss": 0.636,
        "discernibility": 123000.0,
        "average_class_size": 2.35,
    }


def test_what_counts_leaves_of_hierarchies_from_the_data_stays() -> None:
    assert set(published_losses(LOSSES, False)) == {"discernibility", "average_class_size"}


@pytest.mark.parametrize(
    ("values", "hierarchy", "declared", "known"),
    [
        (["1", "2"], HIERARCHY, ["a"], True),
        (["1", "2"], HIERARCHY, [], False),
        (["1", None], HIERARCHY.with_missing_value(), ["a"], True),
        (["1", "2"], HIERARCHY.with_missing_value(), ["a"], False),
    ],
)
def test_a_hierarchy_is_known_if_it_was_declared_and_shows_its_leaves(
    values: list[str | None], hierarchy: Hierarchy, declared: list[str], known: bool
) -> None:
    assert all_declared(release(values, hierarchy), declared) is known


@pytest.mark.parametrize(("proves", "told"), [(True, True), (False, None)])
def test_that_a_bound_was_reached_by_chance_is_not_told(proves: bool, told: bool | None) -> None:
    """Of eight rows that led to one release, one led to `optimal: false`: a guess at it was confirmed."""
    table = Table(pl.DataFrame({"age": ["20", "30"]}), quasi=("age",))
    release = TableRelease(table, 3, "some", {}, {}, 1, optimal=True, proves=proves)
    assert published_optimal(release) is told
    assert pickle.loads(pickle.dumps(release)).optimal is told
