"""Which classes of a release a person is most likely in."""

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.nearest_classes import TIES, ends, likely, nearest_classes, places
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import masked


def near(people: pl.DataFrame, released: pl.DataFrame) -> list[list[tuple[str | None, ...]]]:
    classes = RowClasses.of(released, released.columns)
    found = likely(people, classes, {})
    rows = classes.labels.rows()
    return [[rows[number] for number in found.of(person)] for person in range(people.height)]


def test_who_fits_is_not_moved_and_who_does_not_goes_to_the_nearest() -> None:
    released = pl.DataFrame({"age": ["[20, 30)", "[30, 40)", "70"], "sex": ["F", "M", "F"]})
    people = pl.DataFrame({"age": ["25", "45", "65", "29", "x"], "sex": ["F", "M", "F", "M", "q"]})
    fitting, next_one, near_number, other_age, nothing = near(people, released)
    assert fitting == [("[20, 30)", "F")]
    assert next_one == [("[30, 40)", "M")] and near_number == [("70", "F")]
    # A year beside the range costs less than the other sex.
    assert other_age == [("[30, 40)", "M")]
    # What is as far from everything as can be is near nothing.
    assert nothing == []


def test_dates_are_measured_in_days() -> None:
    released = pl.DataFrame({"day": ["2001-01-01", "2001-12", "2005"]})
    people = pl.DataFrame({"day": ["2001-02-03", "2001-11-20", "2004-11-30", "2001-12-24"]})
    assert near(people, released) == [[("2001-01-01",)], [("2001-12",)], [("2005",)], [("2001-12",)]]


def test_missing_values_are_values() -> None:
    released = pl.DataFrame({"age": ["20", None], "sex": ["F", "M"]})
    people = pl.DataFrame(
        {"age": [None, None], "sex": ["M", "F"]}, schema={"age": pl.String, "sex": pl.String}
    )
    exact, half = near(people, released)
    assert exact == [(None, "M")] and set(half) == {("20", "F"), (None, "M")}


def test_words_that_nobody_can_read_are_refused() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["north"]}), ["zip"])
    people = pl.DataFrame({"zip": ["12345"]})
    with pytest.raises(BadParameter, match="nothing in 'zip' of the people fits the release"):
        likely(people, classes, {})
    assert likely(people, classes, {}, readable=True).number.sum() == 0
    hierarchy = {"zip": masked(["12345"])}
    assert (
        likely(people, RowClasses.of(pl.DataFrame({"zip": ["123**"]}), ["zip"]), hierarchy).number.sum() == 1
    )


def test_labels_have_ends() -> None:
    low, high = ends(pl.Series(["7", "[20, 30)", "< 5", "x", None]), "number")
    assert low[:2].tolist() == [7, 20] and high[:3].tolist() == [7, 30, 5] and low[2] == -np.inf
    assert np.isnan(low[3:]).all() and np.isnan(high[3:]).all()
    assert places(pl.Series(["b", None, "z"]), pl.Series([None, "b"])).tolist() == [1, 0, -1]


def test_of_many_that_are_equally_near_some_are_taken() -> None:
    costs = np.zeros((1, 1), np.float32)
    _, which = nearest_classes(costs, np.zeros((1000, 1), np.int32), TIES)
    assert 128 <= len(which) <= TIES and which[0] == 0 and which[-1] > 900


@given(st.data())
def test_the_compiled_loop_does_what_plain_python_does(data: st.DataObject) -> None:
    columns, classes, people = (data.draw(st.integers(1, 4)) for _ in range(3))
    costs = np.array(
        data.draw(
            st.lists(
                st.lists(st.sampled_from([0, 0.25, 0.5, 1]), min_size=3 * columns, max_size=3 * columns),
                min_size=people, max_size=people,
            )
        ),
        np.float32,
    )  # fmt: skip
    codes = np.array(
        [[3 * column + data.draw(st.integers(0, 2)) for column in range(columns)] for _ in range(classes)],
        np.int32,
    )
    expected = []
    for person in range(people):
        totals = [sum(costs[person, code] for code in row) for row in codes]
        if min(totals) < columns:
            expected += [(person, number) for number, total in enumerate(totals) if total == min(totals)]
    who, which = nearest_classes(costs, codes, TIES)
    assert list(zip(who.tolist(), which.tolist(), strict=True)) == expected


VALUES = st.sampled_from(["1", "2", "30", "[1, 2]", "*", "a", None])


@given(
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8),
    st.lists(st.tuples(VALUES, VALUES), min_size=1, max_size=8),
)
def test_nearest_only_adds_to_what_fits(
    released: list[tuple[str | None, str | None]], people: list[tuple[str | None, str | None]]
) -> None:
    schema = {"x": pl.String, "y": pl.String}
    classes = RowClasses.of(pl.DataFrame(released, schema, orient="row"), ["x", "y"])
    frame = pl.DataFrame(people, schema, orient="row")
    exact = fits(frame, classes, {}, readable=True, blank_is_value=True)
    found = likely(frame, classes, {}, readable=True)
    for person in range(frame.height):
        if len(exact.of(person)):
            assert found.of(person).tolist() == exact.of(person).tolist()
