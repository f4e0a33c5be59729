"""What a trained model says of every class."""

import numpy as np
import polars as pl
import pytest

from shoal.tables.attacker_reasoning.row_classes import RowClasses
from shoal.tables.attacks.inference.trained_model import MOST_LABELS, CannotTrain, boosted_votes
from shoal.tables.hierarchies import Hierarchy


def votes_of(frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> tuple[RowClasses, pl.DataFrame]:
    classes = RowClasses.of(frame, known)
    rows = pl.DataFrame({"class": classes.of_row, "label": frame[column]})
    return classes, rows.group_by("class", "label").agg(pl.len().alias("count"))


def told(frame: pl.DataFrame, column: str, known: tuple[str, ...]) -> pl.DataFrame:
    classes, votes = votes_of(frame, column, known)
    found = boosted_votes(classes, votes, {}, 1)
    best = found.sort("count").group_by("class").last().sort("class")
    return classes.labels.hstack(best.select("label", "count"))


def test_what_all_classes_teach_together_corrects_a_class_of_few() -> None:
    chance = np.random.default_rng(1)
    age, zip_code = chance.integers(0, 80, 3000), chance.integers(0, 60, 3000)
    old = np.where(chance.random(3000) < 0.8, age >= 40, age < 40)
    frame = pl.DataFrame(
        {"zip": zip_code.astype(str), "age": age.astype(str), "old": np.where(old, "y", "n")}
    )
    found = told(frame, "old", ("zip", "age"))
    right = (found["age"].cast(pl.Int64) >= 40) == (found["label"] == "y")
    assert right.mean() > 0.97  # type: ignore[operator]


def test_the_same_rows_give_the_same_votes_and_every_class_keeps_its_size() -> None:
    chance = np.random.default_rng(2)
    frame = pl.DataFrame(
        {"zip": chance.integers(0, 5, 900).astype(str), "pay": chance.integers(0, 99, 900).astype(str)}
    )
    classes, votes = votes_of(frame, "pay", ("zip",))
    assert frame["pay"].n_unique() > MOST_LABELS
    one, two = (boosted_votes(classes, votes.sample(fraction=1, shuffle=True), {}, 1) for _ in range(2))
    assert one.sort("class", "label").equals(two.sort("class", "label"))
    summed = one.group_by("class").agg(pl.col("count").sum()).sort("class")["count"].to_numpy()
    assert summed == pytest.approx(classes.sizes, rel=0.03)


def test_labels_of_a_hierarchy_are_places_on_its_line_and_others_are_kinds() -> None:
    hierarchy = Hierarchy.of_levels([["a", "b", "c", "d"], ["ab", "ab", "cd", "cd"]])
    frame = pl.DataFrame({"kind": ["ab", "cd", "*"] * 100, "ill": ["flu", "gout", "cold"] * 100})
    classes, votes = votes_of(frame, "ill", ("kind",))
    for hierarchies in ({"kind": hierarchy}, {}):
        found = (
            boosted_votes(classes, votes, hierarchies, None)
            .sort("count")
            .group_by("class")
            .last()
            .sort("class")
        )
        said = dict(zip(classes.labels["kind"], found["label"], strict=True))
        assert said == {"ab": "flu", "cd": "gout", "*": "cold"}


def test_too_few_rows_and_a_single_value_are_refused() -> None:
    frame = pl.DataFrame({"zip": ["1"] * 300, "ill": ["flu"] * 300})
    for few in (frame, frame.head(5)):
        with pytest.raises(CannotTrain, match="200 rows or more with two values or more"):
            boosted_votes(*votes_of(few, "ill", ("zip",)), {}, 1)
