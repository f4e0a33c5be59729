"""When different values are alike."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacks.similarity.similar_values import NarrowRange, OneNode
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.hierarchies.hierarchy import Label
from shoal.tables.model_inputs.classes import ValueCounts
from shoal.tables.model_inputs.sensitive_domains import Domain, domains_of
from shoal.tables.models.t_closeness import TCloseness
from shoal.tables.table import Table
from tables.builders import classes_of, hierarchies

TREE = Hierarchy.of_levels(
    [["ulcer", "gastritis", "flu", "asthma"], ["stomach", "stomach", "lung", "lung"], ["ill"] * 4]
)


def pools(groups: list[list[Label]]) -> ValueCounts:
    frame = pl.DataFrame({"s": pl.Series([v for group in groups for v in group], dtype=pl.String)})
    return classes_of([[(v,) for v in group] for group in groups], {"s": Domain.of(frame, "s")}).sensitive[
        "s"
    ]


def test_the_lowest_node_that_covers_the_rows_is_told() -> None:
    pool = pools([["ulcer", "gastritis"], ["flu", "flu"], ["flu", "ulcer"]])
    lesson = OneNode.of(pool.domain, TREE, None).lesson(pool, 1.0)
    assert lesson.hit.tolist() == [True, True, False]
    assert [lesson.what(0), lesson.what(1)] == ["stomach", "flu"]
    assert [lesson.more(0), lesson.more(1)] == [{"level": 1}, {"level": 0}]
    assert OneNode.of(pool.domain, TREE, 0).lesson(pool, 1.0).hit.tolist() == [False, True, False]


def test_a_node_that_covers_the_whole_table_says_nothing() -> None:
    pool = pools([["ulcer", "gastritis"], ["gastritis", "gastritis"]])
    way = OneNode.of(pool.domain, TREE, None)
    # Everybody has some stomach disease: that the first class has one is no news.
    assert way.lesson(pool, 1.0).hit.tolist() == [False, True] and way.blind() == 0.75
    alone = pools([["flu"], ["flu"]])
    assert not OneNode.of(alone.domain, TREE, None).lesson(alone, 1.0).hit.any()


def test_a_share_may_be_enough() -> None:
    pool = pools([["ulcer", "gastritis", "flu"], ["flu", "asthma", "ulcer", "ulcer"]])
    lesson = OneNode.of(pool.domain, TREE, None).lesson(pool, 0.6)
    assert lesson.hit.tolist() == [True, False] and lesson.confidence[0] == pytest.approx(2 / 3)


def test_a_missing_value_is_like_nothing_else() -> None:
    pool = pools([["ulcer", None], [None, None], ["flu"]])
    assert OneNode.of(pool.domain, TREE, None).lesson(pool, 1.0).hit.tolist() == [False, True, True]
    pool = pools([["1", None], [None, None], ["9"]])
    way = NarrowRange.of(pool.domain, 4.0)
    assert way is not None and not way.whole
    assert way.lesson(pool, 1.0).hit.tolist() == [False, True, True]
    assert way.lesson(pool, 1.0).what(1) is None


def test_what_the_taxonomy_lacks_is_refused() -> None:
    pool = pools([["ulcer", "gout"]])
    with pytest.raises(BadParameter, match="the hierarchy of 's' misses 'gout'; add a line for it"):
        OneNode.of(pool.domain, TREE, None)
    with pytest.raises(BadParameter, match="has the levels 0 to 2 below the root, not 3"):
        OneNode.of(pools([["ulcer"]]).domain, TREE, 3)


@pytest.mark.parametrize("values", [["a", "1"], ["inf", "1"], ["nan", "1"], [None], ["2020-01-01", "1"]])
def test_other_things_than_numbers_have_no_range(values: list[Label]) -> None:
    assert NarrowRange.of(pools([values]).domain, 0.5) is None


def test_days_have_ranges_too() -> None:
    pool = pools([["2020-01-01", "2020-01-11"], ["2020-01-01", "2020-04-10"]])
    way = NarrowRange.of(pool.domain, 10.0)
    assert way is not None and way.dates and not way.whole
    lesson = way.lesson(pool, 1.0)
    assert lesson.hit.tolist() == [True, False] and lesson.what(0) == "2020-01-01 – 2020-01-11"


def test_decimals_that_were_written_count() -> None:
    pool = pools([["0.1", "0.3"], ["0.1", "1.1"]])
    way = NarrowRange.of(pool.domain, 0.2)
    assert way is not None and way.lesson(pool, 1.0).hit.tolist() == [True, False]


def test_one_number_in_the_whole_table_is_no_news() -> None:
    pool = pools([["5", "5"], ["5"]])
    way = NarrowRange.of(pool.domain, 0.5)
    assert way is not None and not way.lesson(pool, 1.0).hit.any() and way.blind() == 0


numbers = st.sampled_from(["1", "2", "3.5", "7", "11", None])
groups_of = st.lists(st.lists(numbers, min_size=1, max_size=6), min_size=1, max_size=4)


@given(groups_of, st.sampled_from([0.0, 1.0, 2.5, 6.0]), st.sampled_from([0.4, 0.5, 0.75, 1.0]))
def test_ranges_are_what_trying_all_of_them_finds(
    groups: list[list[Label]], width: float, confidence: float
) -> None:
    pool = pools(groups)
    way = NarrowRange.of(pool.domain, width)
    every = [value for group in groups for value in group]
    if way is None:
        assert all(value is None for value in every)
        return
    lesson = way.lesson(pool, confidence)

    def best(rows: list[Label]) -> float:
        counts = [rows.count(None)]
        for low in rows:
            if low is not None:
                end = float(low) + way.width + 1e-9
                counts.append(sum(v is not None and float(low) <= float(v) <= end for v in rows))
        return max(counts) / len(rows)

    if len(set(every)) < 2:
        assert not lesson.hit.any()
        return
    assert lesson.hit.tolist() == [best(group) >= confidence - 1e-9 for group in groups]
    assert way.blind() == pytest.approx(best(every))


@given(hierarchies(5, 2), st.data(), st.sampled_from([0.4, 0.5, 0.75, 1.0]))
def test_nodes_are_what_trying_all_of_them_finds(
    tree: Hierarchy, data: st.DataObject, confidence: float
) -> None:
    values = st.sampled_from(tree.leaves)
    groups = data.draw(st.lists(st.lists(values, min_size=1, max_size=5), min_size=1, max_size=4))
    pool = pools(groups)
    way = OneNode.of(pool.domain, tree, None)
    hierarchy = way.taxonomy
    every = [value for group in groups for value in group]

    def share(rows: list[Label], level: int, node: Label) -> float:
        return sum(hierarchy.label(value, level) == node for value in rows) / len(rows)

    nodes = [(level, node) for level in range(hierarchy.height) for node in hierarchy.names[level]]
    telling = [(level, node) for level, node in nodes if node != "*" and share(every, level, node) < 1]
    expected = [
        any(share(group, level, node) >= confidence - 1e-9 for level, node in telling) for group in groups
    ]
    lesson = way.lesson(pool, confidence)
    assert lesson.hit.tolist() == expected
    assert way.blind() == pytest.approx(max((share(every, *node) for node in telling), default=0.0))
    # No class that is hit is closer to the whole table than `apart` says, by the model's own distance.
    table = Table(
        pl.DataFrame({"s": pl.Series(every, dtype=pl.String)}), sensitive=("s",), hierarchies={"s": hierarchy}
    )
    seen = classes_of([[(v,) for v in group] for group in groups], domains_of(table))
    for number, group_hit in enumerate(lesson.hit.tolist()):
        if group_hit:
            distance = TCloseness(0.0, "hierarchical")._worst(seen)[number]
            assert distance >= way.apart(pool, confidence) - 1e-9


def test_outliers_do_not_widen_the_range_that_is_narrow() -> None:
    def width(values: list[Label]) -> float:
        found = NarrowRange.of(pools([values]).domain, None)
        assert found is not None
        return found.width

    assert width([str(number) for number in range(3, 12)]) == 2
    assert width([*map(str, range(99)), "1000000", None]) == 0.25 * (94 - 4)
    assert width(["1", *["5"] * 30]) == 0
