"""Record linkage against a named list."""

import json

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.core.outcome import SHOWN
from shoal.core.part_syntax import spell
from shoal.tables.attacker_reasoning.scene import Scene
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


def test_generalised_labels_are_read_through_the_hierarchy() -> None:
    hierarchy = Hierarchy.of_levels([["20", "30", "40", "50"], ["young", "young", "old", "old"]])
    released = RELEASE.frame.with_columns(age=pl.Series(["young", "young", "young", "old", "old"]))
    table = Table(released, quasi=("zip", "age"))
    # Without the hierarchy nothing matches, and "nobody was hit" would be a false comfort.
    with pytest.raises(BadParameter, match="nothing in 'age' of the list fits the release"):
        Linkage().attack(Scene(table, external=VOTERS))
    scene = Scene(table.with_hierarchies({"age": hierarchy}), external=VOTERS)
    known = Linkage(blanks="value").attack(scene)
    assert [finding["who"] for finding in known.findings] == [{"name": "Bob"}, {"name": "Eve"}]
    # Nobody knows Eve's zip: the two old ones may both be her.
    assert [finding["who"] for finding in Linkage().attack(scene).findings] == [{"name": "Bob"}]


def test_a_list_need_not_have_every_value_of_the_release() -> None:
    """The hierarchy of a short list lacks labels of the release; the level is found all the same."""
    table = Table(
        pl.DataFrame({"zip": ["068**", "105**", "105**"], "ill": ["HIV", "Flu", "Flu"]}), quasi=("zip",)
    )
    hierarchy = masked(["06804"])
    people = pl.DataFrame({"name": ["Ann"], "zip": ["06804"]})
    found = Linkage().attack(Scene(table.with_hierarchies({"zip": hierarchy}), external=people))
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
    with pytest.raises(BadParameter, match="finds no quasi-identifier of the release"):
        Linkage().attack(Scene(RELEASE, external=VOTERS.select("name")))


def test_a_list_that_knows_only_some_quasi_identifiers_will_do() -> None:
    found = Linkage().attack(Scene(RELEASE, external=VOTERS.drop("age")))
    assert [finding["who"] for finding in found.findings] == [{"name": "Bob"}]
    assert "over zip leaves" in found.cure
    # Of Eve nothing is known at all. She may be in Bob's row, which makes his less sure and not safe.
    assert found.findings[0]["confidence"] == 1 / 2
    assert found.details["people_with_blanks"] == found.details["hits_that_only_people_with_blanks_also_fit"]


def test_somebody_of_whom_nothing_is_known_does_not_hide_the_others() -> None:
    people = pl.concat([VOTERS, pl.DataFrame({"name": "X", "zip": None, "age": None}, VOTERS.schema)])
    found = Linkage().attack(Scene(RELEASE, external=people))
    assert [(told["who"], told["confidence"]) for told in found.findings] == [
        ({"name": "Bob"}, 1 / 2),
        ({"name": "Eve"}, 1 / 2),
    ]


def test_details_tell_how_far_everybody_is_narrowed_down() -> None:
    found = Linkage().attack(Scene(RELEASE, external=VOTERS))
    # Ann may be in two rows, Bob, Cid, Dan and Eve in one, Fay in none.
    assert found.details == {
        "fit_no_row": 1,
        "fit_one_class": 5,
        "fit_one_row": 4,
        "average_candidates": 6 / 5,
        "share_with_at_most_so_many_candidates": {
            "1": 4 / 6,
            "2": 5 / 6,
            "5": 5 / 6,
            "10": 5 / 6,
            "20": 5 / 6,
        },
        "expected_right_links_of_a_random_guess": 4.5,
        "people_with_blanks": 1,
        "hits_that_only_people_with_blanks_also_fit": 0,
    }


def test_the_original_tells_how_many_hits_are_right() -> None:
    original = RELEASE.frame.with_columns(name=pl.Series(["Ann", "Gus", "Bob", "Cid", "Ida"]))
    table = RELEASE.with_roles(quasi=("zip", "age"), sensitive=("ill",))
    found = Linkage().attack(Scene(table, external=VOTERS, original=original))
    # Bob's row is Bob's; the one that fits Eve is Ida's.
    assert (found.rate.hits, found.details["right"]) == (2, 1)
    assert found.details["right_by"] == "the original, by name"
    lied = original.with_columns(ill=pl.lit("well"))
    assert Linkage().attack(Scene(table, external=VOTERS, original=lied)).details["right"] == 0
    nameless = Linkage().attack(Scene(table, external=VOTERS, original=RELEASE.frame))
    assert "right" not in nameless.details


def test_labels_on_mixed_levels_are_read_one_by_one() -> None:
    frame = pl.DataFrame(
        {
            "zip": ["476**", "47677", "*", "4790*"],
            "age": ["[20, 35]", "2*", "≥ 80", "{30, 40}"],
            "ill": [*"abcd"],
        }
    )
    people = pl.DataFrame(
        {"name": [*"PQRST"], "zip": ["47602", "47677", "1", "47905", "2"], "age": [33, 27, 85, 40, 5]}
    )
    found = Linkage().attack(Scene(Table(frame, quasi=("zip", "age")), external=people))
    # P fits the first row alone but Q may be in it too; Q fits two rows; T fits none.
    assert [told["who"] for told in found.findings] == [{"name": "R"}, {"name": "S"}]
    assert [told["learned"] for told in found.findings] == [{"ill": "c"}, {"ill": "d"}]


@pytest.mark.parametrize(
    ("tolerance", "hits"),
    [(("age:1",), []), (("age:2",), ["Ann"]), (("age:2", "born:30"), ["Ann", "Bea"]), (("town:1",), ["Cid"])],
)
def test_slips_within_a_tolerance_are_forgiven(tolerance: tuple[str, ...], hits: list[str]) -> None:
    frame = pl.DataFrame(
        {
            "age": ["20", "40", "60"],
            "born": ["1990-01-31", "1970-05-05", "1950-01-01"],
            "town": ["Bonn", "Ulm", "Jena"],
            "ill": ["flu", "gout", "hiv"],
        }
    )
    people = pl.DataFrame(
        {
            "name": ["Ann", "Bea", "Cid", "Zoe"],
            "age": [22, 41, 60, 60],
            "born": ["1990-01-31", "1970-06-04", "1950-01-01", "1970-05-05"],
            "town": ["Bonn", "Ulm", "Jeena", "Bonn"],
        }
    )
    found = Linkage(tolerance=tolerance).attack(
        Scene(Table(frame, quasi=("age", "born", "town")), external=people)
    )
    assert [told["who"] for told in found.findings] == [{"name": name} for name in hits]


def test_a_tolerance_is_a_column_and_a_number() -> None:
    made = catalog.make("attack", "linkage(tolerance=age:2|a:b:0.5)")
    assert made == Linkage(tolerance=("age:2", "a:b:0.5"))
    assert catalog.make("attack", spell(made)) == made
    for wrong in ("age", "age:", ":2", "age:x", "age:0", "age:-1", "age:inf", "age:nan"):
        with pytest.raises(BadParameter, match="is no tolerance"):
            Linkage(tolerance=(wrong,))
    with pytest.raises(BadParameter, match="is no tolerance"):
        Linkage(tolerance=("age:1", "age:2"))
    with pytest.raises(BadParameter, match="they share zip, age"):
        Linkage(tolerance=("ill:1",)).attack(Scene(RELEASE, external=VOTERS))
    with pytest.raises(BadParameter, match="blanks are unknown or a value"):
        Linkage(blanks="x")  # type: ignore[arg-type]


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
SCHEMA = {"a": pl.String, "b": pl.String}


@given(rows, rows)
def test_as_a_person_with_a_pencil_would_count(
    released: list[tuple[str, str | None]], people: list[tuple[str, str | None]]
) -> None:
    table = Table(pl.DataFrame(released, SCHEMA, orient="row"), quasi=("a", "b"))
    case = Scene(table, external=pl.DataFrame(people, SCHEMA, orient="row"), shown=0)
    if any({row[place] for row in released}.isdisjoint(row[place] for row in people) for place in (0, 1)):
        with pytest.raises(BadParameter, match="of the list fits the release"):
            Linkage(blanks="value").attack(case)
    else:
        hits = [person for person in people if released.count(person) == people.count(person) == 1]
        assert Linkage(blanks="value").attack(case).rate.hits == len(hits)


@given(rows, rows)
def test_with_blanks_unknown_as_a_person_with_a_pencil_would_count(
    released: list[tuple[str, str | None]], people: list[tuple[str, str | None]]
) -> None:
    def may_be(person: tuple[str, str | None], row: tuple[str, str | None]) -> bool:
        return person[0] == row[0] and person[1] in (None, row[1])

    table = Table(pl.DataFrame(released, SCHEMA, orient="row"), quasi=("a", "b"))
    case = Scene(table, external=pl.DataFrame(people, SCHEMA, orient="row"), shown=0, readable=True)
    expected = []
    for place, person in enumerate(people):
        candidates = [row for row in released if may_be(person, row)]
        others = [other for number, other in enumerate(people) if number != place]
        rivals = [other for other in others if len(candidates) == 1 and may_be(other, candidates[0])]
        if len(candidates) == 1 and all(None in rival for rival in rivals):
            expected.append(1 / (1 + len(rivals)))
    found = Linkage().attack(case)
    assert [told["confidence"] for told in found.findings] == expected


@given(rows, rows)
def test_two_rows_to_a_class_stop_it(
    released: list[tuple[str, str | None]], people: list[tuple[str, str | None]]
) -> None:
    table = Table(pl.DataFrame(released * 2, SCHEMA, orient="row"), quasi=("a", "b"))
    case = Scene(table, external=pl.DataFrame(people, SCHEMA, orient="row"), readable=True)
    assert Linkage().attack(case).rate.hits == 0


def test_somebody_listed_twice_is_no_rival_of_themselves() -> None:
    once = Linkage().attack(Scene(RELEASE, external=VOTERS))
    twice = Linkage().attack(Scene(RELEASE, external=pl.concat([VOTERS, VOTERS])))
    assert twice.rate == once.rate and twice.findings == once.findings
    assert twice.details["lines_that_repeat_another"] == 6
    assert "lines_that_repeat_another" not in once.details


def test_somebody_listed_twice_by_another_number_is_told_by_the_name() -> None:
    voters = pl.concat([VOTERS[:4], VOTERS[:4]]).with_row_index("line")
    assert Linkage().attack(Scene(RELEASE, external=voters)).rate.hits == 0
    found = Linkage(show="name").attack(Scene(RELEASE, external=voters))
    assert [finding["who"] for finding in found.findings] == [{"name": "Bob"}]


def test_equal_lines_of_a_list_without_names_are_different_people() -> None:
    voters = VOTERS[:4].drop("name")
    found = Linkage().attack(Scene(RELEASE, external=pl.concat([voters, voters])))
    assert (found.rate.hits, found.rate.targets) == (0, 8)
