"""Released columns that give another one away."""

import numpy as np
import polars as pl

from shoal.tables.attacker_reasoning.revealing_columns import can_be_learned, revealed_columns, without
from shoal.tables.attacker_reasoning.scene import Scene
from shoal.tables.table import Table

CHANCE = np.random.default_rng(7)
CODE = CHANCE.integers(0, 5, 310)
WORDS = np.array(["Single", "Married", "Divorced", "Separated", "Widowed"])
STAFF = pl.DataFrame(
    {
        "MaritalStatusID": CODE.astype(str),
        "MaritalDesc": WORDS[CODE],
        "Sex": CHANCE.choice(["F", "M"], 310),
        "Pay": CHANCE.choice(["low", "middle", "high"], 310),
    }
)
HIDDEN = STAFF.with_columns(MaritalDesc=pl.lit("*"))
QUASI = ("MaritalDesc", "Sex")


def scene(frame: pl.DataFrame, **more: pl.DataFrame) -> Scene:
    return Scene(Table(frame, quasi=QUASI, sensitive=("Pay",)), **more)  # type: ignore[arg-type]


def test_a_code_beside_a_hidden_description_gives_it_away_in_every_row() -> None:
    for source in ("original", "control", "external"):
        (found,) = revealed_columns(scene(HIDDEN, **{source: STAFF}), 0.95)
        assert (found.determining, found.determined, found.share) == (
            ("MaritalStatusID",),
            "MaritalDesc",
            1.0,
        )
        assert found.finer.to_list() == STAFF["MaritalDesc"].to_list()
        assert found.to_json()["rows"] == 310 and without([found]) == ["MaritalStatusID"]


def test_rows_left_as_they_are_teach_what_stands_for_what_in_the_others() -> None:
    some = STAFF.with_columns(
        MaritalDesc=pl.when(pl.int_range(310) % 3 == 0).then(pl.lit("*")).otherwise("MaritalDesc")
    )
    alone = scene(some)
    assert can_be_learned(alone)
    (found,) = revealed_columns(alone, 0.95)
    assert int(found.rows.sum()) == 104
    hit = found.finer.filter(pl.Series(found.rows))
    assert hit.to_list() == STAFF["MaritalDesc"].filter(pl.Series(found.rows)).to_list()


def test_nothing_is_given_away_where_nothing_was_hidden_or_the_code_is_gone() -> None:
    assert revealed_columns(scene(STAFF, original=STAFF), 0.95) == []
    assert revealed_columns(scene(HIDDEN.drop("MaritalStatusID"), original=STAFF), 0.95) == []
    assert revealed_columns(scene(HIDDEN), 0.95) == [] and not can_be_learned(scene(HIDDEN))


def test_a_column_that_was_coarsened_as_well_gives_nothing_away() -> None:
    both = HIDDEN.with_columns(MaritalStatusID=pl.lit("*"))
    assert revealed_columns(scene(both, original=STAFF), 0.95) == []


def test_what_anybody_would_say_is_not_given_away() -> None:
    same = STAFF.with_columns(MaritalDesc=pl.lit("Single"), MaritalStatusID=pl.lit("0"))
    hidden = same.with_columns(MaritalDesc=pl.lit("*"))
    assert revealed_columns(scene(hidden, original=same), 0.95) == []


def test_nearly_always_is_enough_and_often_is_not() -> None:
    def slips(share: float) -> pl.DataFrame:
        wrong = np.random.default_rng(1).random(310) < share
        return STAFF.with_columns(MaritalDesc=pl.Series(np.where(wrong, "Single", WORDS[CODE])))

    assert len(revealed_columns(scene(HIDDEN, original=slips(0.02)), 0.9)) == 1
    assert revealed_columns(scene(HIDDEN, original=slips(0.4)), 0.9) == []


def test_a_value_that_a_list_of_others_does_not_have_is_no_label() -> None:
    few = STAFF.filter(pl.col("MaritalDesc") != "Widowed")
    assert revealed_columns(scene(STAFF, external=few), 0.95) == []
