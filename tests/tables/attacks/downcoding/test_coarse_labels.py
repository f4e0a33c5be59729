"""Coarse labels taken apart."""

from dataclasses import replace

import numpy as np
import polars as pl

from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.attacks.downcoding.coarse_labels import Coarse, coarse, on_one_level
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.cell_suppression import CellSuppression
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.release import TableMethod
from shoal.tables.table import Table

PLACES = Hierarchy.of_levels([["a1", "a2", "b1", "b2"], ["A", "A", "B", "B"]])
AGES = Hierarchy.of_levels([["20", "21", "30", "31"], ["2*", "2*", "3*", "3*"]])


def scene(place: list[str], age: list[str] | None = None) -> Scene:
    columns = {"place": place} if age is None else {"place": place, "age": age}
    hierarchies = {"place": PLACES, "age": AGES}
    table = Table(pl.DataFrame(columns), (), tuple(columns), ())
    return Scene(table.with_hierarchies({name: hierarchies[name] for name in columns}))


def taken(
    case: Scene, column: str = "place", k: int = 2, method: type[TableMethod] | None = Mondrian
) -> Coarse:
    release = RowClasses.of(case.table.frame, case.table.quasi)
    found = coarse(case, release, column, k, method)
    assert found is not None
    return found


def named(found: Coarse, label: int) -> list[str | None]:
    first, last = found.labels.begins[label : label + 2]
    return [found.name_of(part) for part in range(first, last)]


def test_a_label_falls_into_the_highest_labels_below_it() -> None:
    assert named(taken(scene(["*", "*", "*"])), 0) == ["A", "B"]
    assert named(taken(scene(["A", "A"])), 0) == ["a1", "a2"]
    assert named(taken(scene(["*", "*"]), method=CellSuppression), 0) == ["a1", "a2", "b1", "b2"]


def test_a_range_falls_into_its_values_and_has_both_ends() -> None:
    found = taken(scene(["a1", "a1"], ["[20, 30]", "[20, 30]"]), "age")
    assert named(found, 0) == ["20", "21", "30"] and found.labels.ends.tolist() == [True]
    assert found.labels.k.tolist() == [2] and not found.unaware.ends.any() and not found.unaware.k.any()


def test_a_label_of_the_hierarchy_over_numbers_is_cut_at_no_branch() -> None:
    found = taken(scene(["a1", "a1"], ["2*", "2*"]), "age")
    assert found.labels.k.tolist() == [0] and found.labels.tight.tolist() == [True]


def test_a_branch_that_stands_alone_left_nobody_behind() -> None:
    found = taken(scene(["*"] * 3 + ["A"] * 2))
    whole = int(found.of_class[RowClasses.of(found_frame(["*"] * 3 + ["A"] * 2), ["place"]).of_row[0]])
    first, last = found.labels.begins[whole : whole + 2]
    assert found.labels.shares[first:last].tolist() == [0.0, 2.0]
    assert found.unaware.shares[first:last].tolist() == [2.0, 2.0]


def found_frame(place: list[str]) -> pl.DataFrame:
    return pl.DataFrame({"place": place})


def test_how_common_values_are_is_taken_from_people_like_those_in_the_data() -> None:
    known = pl.Series("place", [*["a1"] * 8, "b1", "elsewhere", None])
    people = known.to_frame()
    case = replace(scene(["*", "*"]), external=people)
    assert taken(case).labels.shares.tolist() == [10.0, 3.0]
    others = pl.DataFrame({"place": ["b2"]})
    assert taken(replace(case, control=others)).labels.shares.tolist() == [2.0, 3.0]


def test_values_are_found_in_their_part() -> None:
    found = taken(scene(["*", "*", "a1"]))
    star = int(np.flatnonzero(found.of_class >= 0)[0])
    leaf = int(np.flatnonzero(found.of_class < 0)[0])
    values = pl.Series(["a1", "b2", "elsewhere", None, "a1"])
    assert found.part_of(np.array([star] * 4 + [leaf]), values).tolist() == [0, 1, -1, -1, -1]


def test_nothing_coarse_is_nothing_to_take_apart() -> None:
    case = scene(["a1", "b1"])
    release = RowClasses.of(case.table.frame, case.table.quasi)
    assert coarse(case, release, "place", 2, Mondrian) is None
    bare = replace(case, table=case.table.with_hierarchies({}))
    assert coarse(bare, release, "place", 2, Mondrian) is None


def test_one_level_covers_the_coarsest_label() -> None:
    table = scene(["a1", "B", "b2"], ["20", "[20, 30]", "31"]).table
    assert on_one_level(table).frame.rows() == [("A", "*"), ("B", "*"), ("B", "*")]
    strange = table.with_frame(table.frame.with_columns(place=pl.Series(["a1", "?", "b2"])))
    assert on_one_level(strange).frame["place"].to_list() == ["*"] * 3
    bare = table.with_hierarchies({})
    assert on_one_level(bare).frame.equals(table.frame)
