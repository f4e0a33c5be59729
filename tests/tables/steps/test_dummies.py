"""Rows about people who do not exist."""

from itertools import combinations

import polars as pl
import pytest

from shoal.core.errors import BadParameter
from shoal.core.randomness import generator
from shoal.tables.steps.dummies import Dummies
from shoal.tables.table import Table


def made(rows: int = 300, seed: int = 1) -> Table:
    chance = generator(seed)
    sex = chance.integers(2, size=rows)
    ill = [
        ("prostate", "flu", "cold")[i] if s else ("birth", "flu", "cold")[i]
        for s, i in zip(sex, chance.integers(3, size=rows), strict=True)
    ]
    frame = pl.DataFrame(
        {
            "name": [f"P{row:04}" for row in range(rows)],
            "sex": [("F", "M")[s] for s in sex],
            "zip": [None if z == 3 else str(47600 + z) for z in chance.integers(9, size=rows)],
            "ill": ill,
            "income": chance.normal(40_000, 9_000, rows).round(2),
        }
    )  # fmt: skip
    return Table(frame, ("name",), ("sex", "zip"), ("ill",))


def test_so_many_rows_are_added_and_the_real_ones_stay() -> None:
    table = made()
    found = Dummies(0.1).apply(table, generator(2))
    assert found.rows == 330 and found.frame[:300].equals(table.frame) and table.frame.equals(made().frame)
    assert Dummies(rows=7).apply(table, generator(2)).rows == 307
    assert found.columns == table.columns and found.frame.schema == table.frame.schema
    assert (found.identifier, found.quasi, found.sensitive) == (("name",), ("sex", "zip"), ("ill",))
    assert found.frame.equals(Dummies(0.1).apply(table, generator(2)).frame)


@pytest.mark.parametrize("seed", range(5))
def test_every_two_values_of_a_dummy_occur_together_in_a_real_row(seed: int) -> None:
    table = made(seed=seed)
    dummies = Dummies(rows=50).apply(table, generator(seed)).frame[table.rows :]
    for pair in combinations(["sex", "zip", "ill"], 2):
        real = set(table.frame.select(pair).iter_rows())
        assert set(dummies.select(pair).iter_rows()) <= real
    assert not {("M", "birth"), ("F", "prostate")} & set(dummies.select("sex", "ill").iter_rows())
    assert set(dummies["income"]) <= set(table.frame["income"])  # values are real, people are not


def test_no_dummy_is_a_real_row_or_has_the_name_of_one() -> None:
    table = made()
    dummies = Dummies(1.0).apply(table, generator(4)).frame[table.rows :]
    real = set(table.frame.drop("name").iter_rows())
    assert not real & set(dummies.drop("name").iter_rows())
    names = dummies["name"].to_list()
    assert not set(names) & set(table.frame["name"]) and len(set(names)) == len(names)
    assert all(name[0] == "P" and name[1:5].isdigit() for name in names)


def test_an_identifier_that_is_a_number_or_missing_is_made_up_too() -> None:
    frame = made().frame.with_columns(pl.Series("name", [None, *range(1, 300)]), pl.lit(None).alias("mail"))
    dummies = Dummies(rows=20).apply(Table(frame, ("name", "mail")), generator(1)).frame[300:]
    assert not set(dummies["name"]) & set(frame["name"]) and dummies["mail"].null_count() == 20


def test_pseudonyms_are_not_shared_with_a_real_person() -> None:
    frame = made().frame.with_columns(pl.Series("id", [f"{row * 7919:016x}" for row in range(300)]))
    dummies = Dummies(rows=20).apply(Table(frame, ("name",), ("sex",)), generator(1)).frame[300:]
    assert not set(dummies["id"]) & set(frame["id"])
    assert all(set(value) <= set("0123456789abcdef") for value in dummies["id"])


def test_bad_input_is_refused() -> None:
    with pytest.raises(BadParameter, match="not above 0 and up to 1"):
        Dummies(0.0)
    with pytest.raises(BadParameter, match="adds nobody"):
        Dummies(rows=0)
    with pytest.raises(BadParameter, match="more than the 300 rows"):
        Dummies(rows=100_000).apply(made(), generator(1))
    with pytest.raises(BadParameter, match="nothing to mix"):
        Dummies().apply(Table(pl.DataFrame({"x": [1, 2, 3]})), generator(1))
    # Two values each, all four combinations taken: nobody new can be made up.
    full = Table(pl.DataFrame({"a": [0, 0, 1, 1], "b": [0, 1, 0, 1]}))
    with pytest.raises(BadParameter, match="only 0 of 1 dummies"):
        Dummies().apply(full, generator(1))
