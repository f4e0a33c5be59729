"""Whom an attacker is after, and what a release says of their values."""

from collections import Counter

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal import catalog
from shoal.core.errors import BadParameter
from shoal.jobs.tables.attack import with_cure_checked
from shoal.tables.attacker_reasoning import targets as inference
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacker_reasoning.targets import (
    Lesson,
    Targets,
    at_least,
    best_slots,
    check_confidence,
    diversity,
    gather_rows,
    model_spelling,
    target_columns,
)
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.table import Table

TABLE = Table(
    pl.DataFrame(
        {
            "zip": ["4767*", "4767*", "476**", "476**", None],
            "ill": ["flu", "flu", "cold", None, "gout"],
        }
    ),
    quasi=("zip",),
    sensitive=("ill",),
)
PEOPLE = pl.DataFrame({"name": ["Ann", "Bob", "Cid", "Dan"], "zip": ["47678", "47601", None, "99999"]})


def pool_of(suspects: Targets, kind: int) -> dict[str | None, int]:
    pool = suspects.pools("ill")
    slots = slice(pool.offsets[kind], pool.offsets[kind + 1])
    return {
        pool.domain.values[value]: int(count)
        for value, count in zip(pool.values[slots], pool.counts[slots], strict=True)
    }


def test_without_a_list_everyone_in_the_release_is_known_by_their_class() -> None:
    suspects = Targets.of(Scene(TABLE), "test")
    assert suspects.targets == suspects.fitting == 5 and len(suspects) == 3
    found = {look: pool_of(suspects, kind) for kind, (look,) in enumerate(suspects.looks.iter_rows())}
    assert found == {"4767*": {"flu": 2}, "476**": {"cold": 1, None: 1}, None: {"gout": 1}}


def test_with_a_list_the_rows_of_all_classes_that_may_be_somebodys_are_added_up() -> None:
    suspects = Targets.of(Scene(TABLE, external=PEOPLE), "test")
    assert (suspects.targets, suspects.fitting) == (4, 3), "nothing fits Dan"
    assert suspects.of_person is not None
    ann, bob, cid, dan = suspects.of_person.tolist()
    assert dan == -1 and suspects.named == ("name",)
    assert pool_of(suspects, ann) == {"flu": 2, "cold": 1, None: 1}
    assert pool_of(suspects, bob) == {"cold": 1, None: 1}
    # Of Cid no zip is known, so that every row may be theirs.
    assert pool_of(suspects, cid) == {"flu": 2, "cold": 1, None: 1, "gout": 1}


def test_people_are_told_in_the_order_of_the_list_and_classes_by_size() -> None:
    suspects = Targets.of(Scene(TABLE, external=PEOPLE.reverse()), "test")
    lesson = Lesson("ill", np.ones(3, np.bool_), np.ones(3), lambda _: "x")
    told = suspects.findings([lesson], 2)
    assert [one["who"] for one in told] == [{"name": "Cid"}, {"name": "Bob"}]
    assert suspects.rate([lesson]).hits == 3 and suspects.rate([lesson]).targets == 4
    rows = Targets.of_rows(TABLE)
    told = rows.findings([lesson], 0)
    assert [one["who"] for one in told] == [{"zip": "476**"}, {"zip": "4767*"}, {"zip": None}]
    assert [one["people"] for one in told] == [2, 2, 1]


def test_the_surest_of_several_lessons_gives_the_confidence() -> None:
    rows = Targets.of_rows(TABLE)
    one = Lesson("ill", np.array([True, True, False]), np.full(3, 0.5), lambda _: "x", lambda _: {"more": 1})
    two = Lesson("pay", np.array([True, False, True]), np.full(3, 0.75), lambda _: "y")
    by_look = dict(zip(rows.looks["zip"].to_list(), range(3), strict=True))
    told = {str(found["learned"]): found for found in rows.findings([one, two], 0)}
    assert told["{'ill': 'x', 'pay': 'y'}"]["confidence"] == 0.75
    assert told["{'ill': 'x'}"]["more"] == 1 and len(by_look) == 3
    assert rows.of_all([]) == 0


def test_people_without_names_are_told_by_what_is_known_of_them() -> None:
    scene = Scene(TABLE, external=PEOPLE.drop("name").with_columns(ill=pl.lit("flu")))
    lesson = Lesson("ill", np.ones(3, np.bool_), np.ones(3), lambda _: "x")
    assert Targets.of(scene, "test").findings([lesson], 1)[0]["who"] == {"zip": "47678"}


def test_a_list_of_whom_nothing_fits_leaves_no_kinds() -> None:
    with pytest.raises(BadParameter, match="nothing in 'zip' of the list fits"):
        Targets.of(Scene(TABLE, external=PEOPLE[3:]), "test")
    suspects = Targets.of(Scene(TABLE, external=PEOPLE[3:], readable=True), "test")
    assert len(suspects) == 0 and suspects.targets == 1 and suspects.pools("ill").sizes.tolist() == []
    with pytest.raises(BadParameter, match="test finds no quasi-identifier of the release"):
        Targets.of(Scene(TABLE, external=PEOPLE.drop("zip")), "test")


def test_a_table_without_quasi_identifiers_is_one_class() -> None:
    rows = Targets.of_rows(Table(TABLE.frame, sensitive=("ill",)))
    assert len(rows) == 1 and pool_of(rows, 0) == {"flu": 2, "cold": 1, None: 1, "gout": 1}
    lesson = Lesson("ill", np.ones(1, np.bool_), np.ones(1), lambda _: "x")
    assert rows.findings([lesson], 3)[0]["people"] == 5


def test_more_columns_of_the_list_tell_kinds_apart() -> None:
    people = PEOPLE[:2].with_columns(zip=pl.lit("47678"), sex=pl.Series(["F", "M"]))
    assert len(Targets.of(Scene(TABLE, external=people), "test")) == 1
    assert len(Targets.of(Scene(TABLE, external=people), "test", also=["sex", "zip"])) == 2


def test_every_sensitive_column_is_attacked_unless_one_is_named() -> None:
    table = Table(TABLE.frame.with_columns(pay=pl.lit("1")), quasi=("zip",), sensitive=("ill", "pay"))
    assert target_columns(Scene(table), None, "test") == ("ill", "pay")
    assert target_columns(Scene(table), "pay", "test") == ("pay",)
    with pytest.raises(BadParameter, match="names 'zip', which is not sensitive"):
        target_columns(Scene(table), "zip", "test")
    with pytest.raises(BadParameter, match="needs a sensitive column"):
        target_columns(Scene(Table(TABLE.frame, quasi=("zip",))), None, "test")


def test_models_are_spelled_with_the_column_that_was_named() -> None:
    assert model_spelling("l-diversity(l=2)", None) == "l-diversity(l=2)"
    assert model_spelling("l-diversity(l=2)", "ill") == "l-diversity(l=2,column=ill)"
    assert model_spelling("l-diversity(l=2)", "a, b") == 'l-diversity(l=2,column="a, b")'
    assert diversity(1.0, 2, None) == "l-diversity(l=2)"
    assert diversity(2.0, None, "ill") == "l-diversity(l=2.01,kind=probabilistic,column=ill)"


@given(st.floats(0.01, 0.999))
def test_the_diversity_against_a_confidence_is_just_above_it(confidence: float) -> None:
    text = diversity(1 / confidence, None, None)
    l = float(text.removeprefix("l-diversity(l=").partition(",")[0])  # noqa: E741
    assert 1 / l < confidence and l - 1 / confidence <= 0.01 + 1e-9


@pytest.mark.parametrize("confidence", [0.0, -1.0, 1.1, float("nan")])
def test_a_confidence_is_a_share(confidence: float) -> None:
    with pytest.raises(BadParameter, match="test needs a confidence above 0 and up to 1, not"):
        check_confidence(confidence, "test")


def test_decimals_that_were_written_count() -> None:
    assert at_least(np.array([0.1 + 0.2, 0.3, 0.2999]), 0.3).tolist() == [True, True, False]
    assert at_least(np.array([7 / 10]), 0.7).all()


rows = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=4), min_size=1, max_size=5)


@given(rows)
def test_of_the_largest_figures_the_first_is_found(figures: list[list[int]]) -> None:
    offsets = np.cumsum([0, *map(len, figures)])
    flat = np.array([figure for row in figures for figure in row], np.float64)
    expected = [int(start) + row.index(max(row)) for start, row in zip(offsets, figures, strict=False)]
    assert best_slots(flat, offsets).tolist() == expected


@given(rows, st.data())
def test_compressed_rows_are_gathered(figures: list[list[int]], data: st.DataObject) -> None:
    offsets = np.cumsum([0, *map(len, figures)])
    flat = np.array([figure for row in figures for figure in row])
    chosen = data.draw(st.lists(st.integers(0, len(figures) - 1), max_size=6))
    ends, taken = gather_rows(offsets, np.array(chosen, np.int64))
    assert flat[taken].tolist() == [figure for row in chosen for figure in figures[row]]
    assert np.diff(ends).tolist() == [len(figures[row]) for row in chosen]


labels = st.sampled_from(["11", "12", "1*", "2*", "21", "*"])
people_zips = st.lists(st.sampled_from(["11", "12", "21", "99"]), min_size=1, max_size=6)
released = st.lists(st.tuples(labels, st.sampled_from(["a", "b", None])), min_size=1, max_size=12)


@given(released, people_zips, st.sampled_from([1, 3, 10**6]), st.sampled_from([0, 10**6]))
def test_pools_are_what_a_person_with_a_pencil_would_count(
    table: list[tuple[str, str | None]], zips: list[str], slots: int, cells: int
) -> None:
    frame = pl.DataFrame(table, {"zip": pl.String, "ill": pl.String}, orient="row")
    scene = Scene(
        Table(frame, quasi=("zip",), sensitive=("ill",)), external=pl.DataFrame({"zip": zips}), readable=True
    )
    suspects = Targets.of(scene, "test")
    before = inference.SLOTS, inference.CELLS
    inference.SLOTS, inference.CELLS = slots, cells  # the result does not depend on the piece worked on
    try:
        found = [pool_of(suspects, kind) for kind in range(len(suspects))]
    finally:
        inference.SLOTS, inference.CELLS = before
    assert suspects.of_person is not None
    for person, own in enumerate(zips):
        fit = [ill for label, ill in table if len(label) == 1 or own.startswith(label.rstrip("*"))]
        kind = int(suspects.of_person[person])
        assert (found[kind] if kind >= 0 else {}) == Counter(fit)


ATTACKS = [
    "homogeneity",
    "homogeneity(confidence=0.6)",
    "background(excluded=1)",
    "background(unlikely=1|2,confidence=0.6)",
    "similarity",
    "similarity(confidence=0.6)",
    "skewness",
]
overlapping = st.lists(
    st.tuples(labels, st.sampled_from("1259"), st.sampled_from("1128")), min_size=2, max_size=14
)


@given(overlapping, people_zips, st.sampled_from(ATTACKS), st.booleans())
def test_after_the_cure_nobody_on_a_list_is_hit(
    table: list[tuple[str, str, str]], zips: list[str], attack: str, both: bool
) -> None:
    """Classes that may be theirs are mixed, and a mixture of classes that keep the model keeps it too."""
    frame = pl.DataFrame(
        [*table, ("11", "1", "2")], {"zip": pl.String, "a": pl.String, "b": pl.String}, orient="row"
    )
    released = Table(frame, quasi=("zip",), sensitive=("a", "b") if both else ("a",))
    scene = Scene(released, external=pl.DataFrame({"zip": zips}), readable=True)
    attacker = catalog.make("attack", attack)
    found = with_cure_checked(attacker.attack(scene), attacker, scene)
    assert found.cured is None or found.cured.rate.hits == 0


def test_people_with_the_same_candidate_rows_are_one_kind_and_nothing_else_changes() -> None:
    frame = pl.DataFrame({"age": ["2*", "2*", "3*", "3*"], "ill": ["flu", "flu", "cold", "gout"]})
    people = pl.DataFrame({"name": list("abcde"), "age": ["21", "22", "35", "21", "70"]})
    hierarchy = Hierarchy.of_levels([["21", "22", "35", "70"], ["2*", "2*", "3*", "7*"]])
    table = Table(frame, quasi=("age",), sensitive=("ill",), hierarchies={"age": hierarchy})
    each = Targets.of(Scene(table, external=people), "homogeneity")
    merged = each.by_candidates()
    assert (len(each), len(merged)) == (3, 2) and merged.fitting == each.fitting == 4
    assert merged.of_person is not None and merged.of_person.tolist() == [0, 0, 1, 0, -1]
    assert merged.number.tolist() == [3, 1] and merged.targets == 5
    one, other = each.pools("ill"), merged.pools("ill")
    assert one.counts[: one.offsets[1]].tolist() == other.counts[: other.offsets[1]].tolist()
    rows = Targets.of_rows(table)
    assert rows.by_candidates() is rows
