"""Record linkage against a named list."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.adversary.scene import SHOWN, Scene
from shoal.tables.attacks.linkage import Linkage
from shoal.tables.hierarchies import Hierarchy, masked
from shoal.tables.table import Table

RELEASE = Table(
    pl.DataFrame(
        {
            "zip": ["1", "1", "2", "3", None],
            "age": ["20", "20", "30", "40", "50"],
            "ill": ["flu", "cold", "hiv", "flu", "gout"],
        }
    ),
    quasi=("zip", "age"),
)
VOTERS = pl.DataFrame(
    {
        "name": ["Ann", "Bob", "Cid", "Dan", "Eve", "Fay"],
        "zip": ["1", "2", "3", "3", None, "9"],
        "age": [20, 30, 40, 40, 50, 90],
    }
)


def test_a_hit_is_one_row_that_fits_one_person() -> None:
    found = Linkage().attack(Scene(RELEASE, external=VOTERS))
    # Ann fits two rows; Cid and Dan share one; Fay fits none. Bob and Eve stand alone on both sides.
    assert (found.rate.hits, found.rate.targets) == (2, 6)
    assert [finding["who"] for finding in found.findings] == [{"name": "Bob"}, {"name": "Eve"}]
    assert [finding["learned"] for finding in found.findings] == [{"ill": "hiv"}, {"ill": "gout"}]
    assert found.baseline == 1 / 5 and "k-anonymity(k=2)" in found.cure


def test_generalised_labels_are_read_through_the_ladder() -> None:
    ladder = Hierarchy.of_levels([["20", "30", "40", "50"], ["young", "young", "old", "old"]])
    released = RELEASE.frame.with_columns(age=pl.Series(["young", "young", "young", "old", "old"]))
    table = Table(released, quasi=("zip", "age"))
    # Without the ladder nothing matches, and "nobody was hit" would be a false comfort.
    with pytest.raises(BadParameter, match="nothing in 'age' of the list fits the release"):
        Linkage().attack(Scene(table, external=VOTERS))
    known = Linkage().attack(Scene(table.with_hierarchies({"age": ladder}), external=VOTERS))
    assert [finding["who"] for finding in known.findings] == [{"name": "Bob"}, {"name": "Eve"}]


def test_a_list_need_not_have_every_value_of_the_release() -> None:
    """The ladder of a short list lacks labels of the release; the level is found all the same."""
    table = Table(
        pl.DataFrame({"zip": ["068**", "105**", "105**"], "ill": ["HIV", "Flu", "Flu"]}), quasi=("zip",)
    )
    ladder = masked(["06804"])
    people = pl.DataFrame({"name": ["Ann"], "zip": ["06804"]})
    found = Linkage().attack(Scene(table.with_hierarchies({"zip": ladder}), external=people))
    assert found.findings[0]["learned"] == {"ill": "HIV"}


def test_identifiers_still_in_the_file_are_not_counted_as_learned() -> None:
    table = Table(
        pl.DataFrame({"id": ["7"], "zip": ["1"], "ill": ["Flu"]}), identifier=("id",), quasi=("zip",)
    )
    found = Linkage().attack(Scene(table, external=pl.DataFrame({"name": ["Ann"], "zip": ["1"]})))
    assert found.findings[0]["learned"] == {"ill": "Flu"}


def test_what_to_show_can_be_chosen_and_must_be_there() -> None:
    found = Linkage(show="zip").attack(Scene(RELEASE, external=VOTERS))
    assert found.findings[0]["who"] == {"zip": "2"}
    with pytest.raises(BadParameter, match="no column 'x' in the list"):
        Linkage(show="x").attack(Scene(RELEASE, external=VOTERS))
    with pytest.raises(BadParameter, match="shares no quasi-identifier"):
        Linkage().attack(Scene(RELEASE, external=VOTERS.select("name")))


def test_a_list_that_knows_only_some_quasi_identifiers_will_do() -> None:
    found = Linkage().attack(Scene(RELEASE, external=VOTERS.drop("age")))
    assert [finding["who"] for finding in found.findings] == [{"name": "Bob"}, {"name": "Eve"}]
    assert "over zip leaves" in found.cure


@pytest.mark.parametrize("name", ["__row", "__person", "row", "person", "key0", "len"])
def test_column_names_of_ours_are_free_for_the_user(name: str) -> None:
    table = Table(RELEASE.frame.rename({"zip": name}), quasi=(name, "age"))
    assert Linkage().attack(Scene(table, external=VOTERS.rename({"zip": name}))).rate.hits == 2
    table = Table(RELEASE.frame.rename({"ill": name}), quasi=("zip", "age"))
    assert Linkage().attack(Scene(table, external=VOTERS.rename({"name": name}))).rate.hits == 2


def test_findings_are_json_whatever_the_rows_hold() -> None:
    strange = [float("nan"), float("inf"), None, -0.0, 1e300]
    frame = RELEASE.frame.with_columns(figure=pl.Series(strange), day=pl.date(2020, 1, 2))
    found = Linkage().attack(Scene(Table(frame, quasi=("zip", "age")), external=VOTERS))
    json.dumps(found.to_json(), allow_nan=False)
    assert found.findings[0]["learned"] == {"ill": "hiv", "figure": None, "day": "2020-01-02"}


def test_a_table_of_nothing_but_quasi_identifiers_teaches_nothing_more() -> None:
    table = Table(RELEASE.frame.select("zip", "age"), quasi=("zip", "age"))
    found = Linkage().attack(Scene(table, external=VOTERS.select("zip", "age")))
    assert found.findings[0] == {"who": {"zip": "2", "age": 30}, "learned": {}, "confidence": 1.0}


def test_only_some_of_many_people_are_told() -> None:
    many = pl.DataFrame({"zip": [str(row) for row in range(100)]})
    found = Linkage().attack(Scene(Table(many, quasi=("zip",)), external=many))
    assert found.rate.hits == 100 and len(found.findings) == SHOWN


rows = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from(["x", "y", None])), min_size=1, max_size=12)


@given(rows, rows)
def test_as_a_person_with_a_pencil_would_count(
    released: list[tuple[str, str | None]], people: list[tuple[str, str | None]]
) -> None:
    schema = {"a": pl.String, "b": pl.String}
    table = Table(pl.DataFrame(released, schema, orient="row"), quasi=("a", "b"))
    case = Scene(table, external=pl.DataFrame(people, schema, orient="row"))
    if any({row[place] for row in released}.isdisjoint(row[place] for row in people) for place in (0, 1)):
        with pytest.raises(BadParameter, match="of the list fits the release"):
            Linkage().attack(case)
        return
    found = Linkage().attack(case)
    hits = [person for person in people if released.count(person) == people.count(person) == 1]
    assert found.rate.hits == len(hits)
