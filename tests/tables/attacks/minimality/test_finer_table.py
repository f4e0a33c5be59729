"""The finer table that a method would have liked better."""

import polars as pl

from shoal.core.contract import Refines
from shoal.tables.attacker_reasoning.candidate_classes import fits
from shoal.tables.attacker_reasoning.class_members import Members
from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacks.minimality.finer_table import Finer, finer
from shoal.tables.hierarchies import Hierarchy

HIERARCHY = Hierarchy.of_levels([["a", "b", "c", "d"], ["A", "A", "C", "C"]])
NUMBERS = Hierarchy.of_levels([["1", "2", "3", "4", "9"], ["low", "low", "low", "low", "high"]])


def parts(
    people: list[str],
    release: list[str],
    reach: Refines,
    level: int | None = None,
    hierarchy: Hierarchy | None = HIERARCHY,
    at_median: bool = False,
) -> tuple[Finer | None, RowClasses]:
    frame = pl.DataFrame({"q": people})
    classes, looks = RowClasses.of(pl.DataFrame({"q": release}), ["q"]), RowClasses.of(frame, ["q"])
    hierarchies = {} if hierarchy is None else {"q": hierarchy}
    members = Members.of(looks, fits(frame, classes, hierarchies, True, blank_is_value=True))
    return finer(classes, looks, members, "q", hierarchy, reach, level, at_median), classes


def test_a_column_on_one_level_falls_into_the_labels_below() -> None:
    found, classes = parts(["a", "a", "b", "c", "c"], ["A"] * 3 + ["C"] * 2, "column", 1)
    assert found is not None
    # C has c alone and stays whole.
    assert classes.labels[int(found.of_class[0]), 0] == "A" and found.sizes.tolist() == [2, 1]
    assert found.together.tolist() == [0] and not len(found.doubtful)
    assert parts(["a", "b"], ["a", "b"], "column", 0)[0] is None
    assert parts(["a", "b"], ["*", "*"], "column", 2, None)[0] is None


def test_two_levels_up_falls_into_the_level_between() -> None:
    found, _ = parts(["a", "b", "c"], ["*"] * 3, "column", 2)
    assert found is not None and found.sizes.tolist() == [2, 1]


def test_a_class_that_is_not_settled_puts_its_step_in_doubt() -> None:
    found, _ = parts(["a", "b", "c"], ["A"] * 2 + ["C"] * 2, "column", 1)
    assert found is not None and found.doubtful.tolist() == [0]
    alone, classes = parts(["a", "b", "c"], ["A"] * 2 + ["C"] * 2, "label")
    assert alone is not None and alone.together[0] not in alone.doubtful
    assert len(alone.doubtful) == 1 and len(classes) == 2


def test_a_label_falls_into_those_below_it_wherever_it_stands() -> None:
    found, _ = parts(["a", "b", "c", "d"], ["A", "A", "C", "C"], "label")
    assert found is not None and found.sizes.tolist() == [1, 1, 1, 1]
    assert len(set(found.together.tolist())) == 2


def test_a_part_joins_the_class_that_has_its_labels() -> None:
    found, classes = parts(["a"] * 2 + ["b"] * 5, ["A"] * 4 + ["b"] * 3, "class")
    assert found is not None and found.sizes.tolist() == [2, 2]
    assert [None if at < 0 else classes.labels[int(at), 0] for at in found.joins] == [None, "b"]


def test_numbers_are_cut_at_the_median_as_mondrian_does() -> None:
    found, _ = parts(["1", "2", "3", "3"], ["[1, 3]"] * 4, "class", None, NUMBERS, True)
    assert found is not None and found.sizes.tolist() == [2, 2]
    assert parts(["3", "3"], ["[3, 3]"] * 2, "class", None, NUMBERS, True)[0] is None


def test_without_a_hierarchy_a_class_falls_into_its_values() -> None:
    found, _ = parts(["a", "b", "b"], ["*"] * 3, "class", None, None)
    assert found is not None and sorted(found.sizes.tolist()) == [1, 2]
