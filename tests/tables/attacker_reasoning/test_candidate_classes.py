"""Which classes a person may be in."""

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.attacker_reasoning import candidate_classes, label_values
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.model_inputs.text_values import Label
from tables.attacker_reasoning.test_label_values import HIERARCHY, LABELS, VALUES, stands_for

RELEASE = pl.DataFrame({"zip": ["476**", "4767*", "*"], "age": ["2*", "[25, 40]", "*"]})
# The 3-anonymous patient table of seed 000.
PATIENTS = pl.DataFrame(
    {"zip": ["476**"] * 3 + ["4790*"] * 3 + ["476**"] * 3, "age": ["2*"] * 3 + ["≥40"] * 3 + ["3*"] * 3}
)


def told(found: candidate_classes.Fits, classes: RowClasses, people: int) -> list[set[tuple[Label, ...]]]:
    return [{classes.labels.row(number) for number in found.of(person)} for person in range(people)]


def test_everybody_fits_the_classes_whose_labels_may_be_theirs() -> None:
    classes = RowClasses.of(RELEASE, ["zip", "age"])
    people = pl.DataFrame({"zip": ["47678", "47602", "90210"], "age": [27, 30, 80]})
    found = fits(people, classes, {})
    assert told(found, classes, 3) == [set(classes.labels.rows()), {("*", "*")}, {("*", "*")}]


def test_bob_is_in_the_first_class_of_the_patients() -> None:
    classes = RowClasses.of(PATIENTS, ["zip", "age"])
    people = pl.DataFrame({"zip": ["47678", "47905", "47673"], "age": [27, 43, 36]})
    found = fits(people, classes, {})
    assert told(found, classes, 3) == [{("476**", "2*")}, {("4790*", "≥40")}, {("476**", "3*")}]
    assert found.only[found.of_person[0]] == classes.of_row[0]
    assert found.rows[found.of_person].tolist() == [3, 3, 3]
    assert found.people_of_classes().tolist() == [1, 1, 1]


def test_a_column_that_nobody_fits_is_refused() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["north"]}), ["zip"])
    people = pl.DataFrame({"zip": ["12345", None]})
    with pytest.raises(BadParameter, match="give the hierarchy it was made with as --hierarchy zip=FILE"):
        fits(people, classes, {})
    assert fits(people, classes, {}, readable=True).rows.sum() == 1


def test_a_blank_on_the_list_is_not_known_and_fits_everything() -> None:
    """Else somebody whose zip is not known would be the one with no zip, for certain and wrongly."""
    classes = RowClasses.of(pl.DataFrame({"zip": ["1", None, "2*"], "age": ["5", "5", "6"]}), ["zip", "age"])
    people = pl.DataFrame({"zip": [None, "1", None], "age": ["5", None, None]})
    found = fits(people, classes, {})
    assert told(found, classes, 3) == [
        {("1", "5"), (None, "5")},
        {("1", "5")},
        {("1", "5"), (None, "5"), ("2*", "6")},
    ]


def test_where_the_list_is_the_data_a_blank_is_a_value() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["1", None, "*"]}), ["zip"])
    found = fits(pl.DataFrame({"zip": [None, "1"]}), classes, {}, blank_is_value=True)
    assert told(found, classes, 2) == [{(None,), ("*",)}, {("1",), ("*",)}]


def test_nobody_with_a_value_fits_a_blank_in_the_release() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["1", None]}), ["zip"])
    assert told(fits(pl.DataFrame({"zip": ["1"]}), classes, {}), classes, 1) == [{("1",)}]


def test_a_list_of_blanks_is_no_misreading() -> None:
    classes = RowClasses.of(pl.DataFrame({"zip": ["1", "2"]}), ["zip"])
    assert fits(pl.DataFrame({"zip": [None]}, {"zip": pl.String}), classes, {}).rows.tolist() == [2]


def test_nobody_on_the_list_is_nobody_found() -> None:
    classes = RowClasses.of(RELEASE, ["zip", "age"])
    found = fits(RELEASE.clear(), classes, {})
    assert len(found.of_person) == 0 and found.people_of_classes().tolist() == [0, 0, 0]


def test_too_many_answers_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidate_classes, "MOST", 2)
    classes = RowClasses.of(RELEASE, ["zip", "age"])
    with pytest.raises(BadParameter, match="a list that has fewer blanks"):
        fits(pl.DataFrame({"zip": [None, "4"], "age": [None, "5"]}), classes, {})


cells = st.tuples(*[st.sampled_from(VALUES)] * 3)
rows = st.tuples(*[st.sampled_from(LABELS)] * 3)


@given(
    st.lists(cells, min_size=1, max_size=10),
    st.lists(rows, min_size=1, max_size=10),
    st.booleans(),
    st.booleans(),
    st.booleans(),
    st.booleans(),
)
def test_as_a_person_with_a_pencil_would_find(
    people: list[tuple[Label, ...]],
    released: list[tuple[Label, ...]],
    with_hierarchies: bool,
    blank_is_value: bool,
    sparse: bool,
    ranged: bool,
) -> None:
    schema = dict.fromkeys("abc", pl.String)
    classes = RowClasses.of(pl.DataFrame(released, schema, orient="row"), "abc")
    hierarchies: dict[str, Hierarchy] = {"b": HIERARCHY} if with_hierarchies else {}
    listed = pl.DataFrame(people, schema, orient="row")
    with pytest.MonkeyPatch.context() as patch:
        if sparse:
            patch.setattr(candidate_classes, "DENSE", -1)
        if ranged:
            patch.setattr(label_values.reading, "__defaults__", (0, 0))
        found = fits(listed, classes, hierarchies, True, blank_is_value=blank_is_value)
    for place, person in enumerate(people):
        expected = [
            number
            for number, label in enumerate(classes.labels.rows())
            if all(
                (value is None and not blank_is_value) or stands_for(name, value, hierarchies.get(column))
                for column, name, value in zip("abc", label, person, strict=True)
            )
        ]
        assert found.of(place).tolist() == expected
        entry = found.of_person[place]
        assert found.rows[entry] == sum(classes.sizes[number] for number in expected)
        assert found.only[entry] == (expected[0] if len(expected) == 1 else -1)
    counted = found.people_of_classes()
    for number in range(len(classes)):
        assert counted[number] == sum(number in found.of(place) for place in range(len(people)))
