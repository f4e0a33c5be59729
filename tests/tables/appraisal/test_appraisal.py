"""All figures about a table at once."""

import json

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.tables.appraisal.appraisal import appraise
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.distinction import Distinction
from shoal.tables.measures.separation import Separation
from shoal.tables.table import Table

HIERARCHY = Hierarchy.of_levels([["20", "21", "30", "31"], ["2*", "2*", "3*", "3*"]])


def table(**columns: list[str | None]) -> Table:
    return Table(pl.DataFrame(columns), quasi=tuple(columns))


def test_figures_of_a_plain_table() -> None:
    found = appraise(table(age=["20", "20", "21"], sex=["M", "M", None]))
    assert (found.rows, found.classes, found.smallest_class) == (3, 2, 1)
    assert found.distinction == {"age": 2 / 3, "sex": 2 / 3, "age,sex": 2 / 3}
    assert found.separation == {"age": 2 / 3, "sex": 2 / 3, "age,sex": 2 / 3}
    assert found.losses is None and "losses" not in found.to_json()
    json.dumps(found.to_json(), allow_nan=False)


def test_one_quasi_identifier_is_named_once() -> None:
    assert list(appraise(table(age=["20"])).distinction) == ["age"]


def test_a_raw_population_is_read_with_the_labels_of_the_release() -> None:
    people = pl.DataFrame({"age": [20, 20, 21, 30, 31]})
    found = appraise(table(age=["2*", "2*"]), population=people, hierarchies={"age": HIERARCHY})
    assert found.prosecutor.highest == 1 / 2 and found.journalist.highest == 1 / 3


def test_the_population_may_have_a_hierarchy_of_its_own() -> None:
    wide = Hierarchy.of_levels([["20", "25", "30"], ["2*", "2*", "3*"]])
    people = pl.DataFrame({"age": ["20", "25", "25", "30"]})
    found = appraise(
        table(age=["2*"]), population=people, hierarchies={"age": HIERARCHY}, people={"age": wide}
    )
    assert found.journalist.highest == 1 / 3


def test_a_population_with_values_that_nobody_can_place_is_refused() -> None:
    people = pl.DataFrame({"age": ["20", "21", "99"]})
    with pytest.raises(BadParameter, match="has '99' in 'age'"):
        appraise(table(age=["2*"]), population=people, hierarchies={"age": HIERARCHY})


@pytest.mark.parametrize("people", [{"age": ["30"]}, {"age": ["20", "30"]}, {"age": [None]}])
def test_a_population_that_lacks_people_of_the_table_is_refused(people: dict[str, list[str | None]]) -> None:
    with pytest.raises(BadParameter, match="does not contain the table"):
        appraise(table(age=["20", "20"]), population=pl.DataFrame(people, {"age": pl.String}))


def test_missing_values_meet_missing_values() -> None:
    people = pl.DataFrame({"age": ["20", None, None]})
    assert appraise(table(age=["20", None]), population=people).journalist.lowest == 1 / 2


@pytest.mark.parametrize("name", ["released", "population", "__released", "key1", "len", "rows"])
def test_any_column_name_will_do(name: str) -> None:
    columns: dict[str, list[str | None]] = {name: ["20"], "x": ["1"]}
    found = appraise(table(**columns), population=pl.DataFrame(columns))
    assert found.marketer == 1


def test_losses_count_class_sizes_in_k() -> None:
    original, release = table(age=["20", "21", "30", "31"]), table(age=["2*", "2*", "3*", "3*"])
    found = appraise(release, original, hierarchies={"age": HIERARCHY}, k=2)
    assert found.losses is not None
    assert found.losses["average_class_size"] == 1 and found.losses["precision"] == 0.5
    assert found.losses["loss"] == pytest.approx(1 / 3) and found.losses["discernibility"] == 8
    assert any(row[0] == "average class size" for row in found.to_tables()["what was lost"])


def test_a_table_without_quasi_identifiers_is_refused() -> None:
    with pytest.raises(BadParameter, match="--quasi"):
        appraise(Table(pl.DataFrame({"a": [1]})))


def test_figures_about_rows_columns_and_the_population_stand_beside_the_old_ones() -> None:
    found = appraise(
        table(age=["20", "20", "21"], sex=["M", "M", None]), population_size=30, safe_harbor=True
    )
    document = found.to_json()
    assert set(document) == {
        "rows", "classes", "smallest_class", "distinction", "separation", "risk", "combinations",
        "combinations_up_to", "safe_harbor",
    }  # fmt: skip
    risk = document["risk"]
    assert isinstance(risk, dict)
    assert set(risk) == {"prosecutor", "journalist", "marketer", "at_risk", "uniqueness", "contribution"}
    assert {"figures", "rows at risk", "alone in the population"} <= set(found.to_tables())
    assert json.loads(json.dumps(document, allow_nan=False)) == document


def test_distinction_and_separation_are_those_of_the_catalog() -> None:
    subject = table(age=["20", "20", "21", None], sex=["M", "M", None, "F"], zip=["1", "2", "1", "1"])
    found = appraise(subject)
    for name in found.distinction:
        group = tuple(name.split(","))
        assert found.distinction[name] == Distinction(group).measure(subject.frame)
        assert found.separation[name] == Separation(group).measure(subject.frame)
    assert list(found.distinction) == ["age", "sex", "zip", "age,sex,zip"]


def test_people_of_the_population_fit_labels_of_several_levels() -> None:
    people = pl.DataFrame({"age": ["20", "21", "21", "30", "31"], "sex": ["F", "F", "M", "M", "M"]})
    released = table(age=["2*", "2*", "31", "*"], sex=["F", "F", "M", "M"])
    found = appraise(released, population=people, hierarchies={"age": HIERARCHY})
    # 2* and F: two people; 31 and M: one; * and M: three.
    assert (found.journalist.lowest, found.journalist.highest) == (1 / 3, 1.0)
    assert found.marketer == pytest.approx((2 / 2 + 1 / 1 + 1 / 3) / 4)
    with pytest.raises(BadParameter, match=r"does not contain the table: \(31, M\) fits fewer people"):
        appraise(released, population=people.head(4), hierarchies={"age": HIERARCHY})
