"""What a label may stand for."""

import polars as pl
import pytest

from shoal.tables.adversary.labels import covered
from shoal.tables.hierarchies import Hierarchy


def reads(label: str | None, values: list[str | None], ladder: Hierarchy | None = None) -> set[str | None]:
    pairs = covered(pl.Series(values, dtype=pl.String), pl.Series([label], dtype=pl.String), ladder)
    return set(pairs["value"].to_list())


@pytest.mark.parametrize(
    ("label", "inside", "outside"),
    [
        ("476**", ["47677", "47600"], ["47777", "4767", "476778"]),
        ("2*", ["20", "29"], ["2", "30", "200"]),
        ("[20, 30)", ["20", "29.5"], ["30", "19"]),
        ("[20, 30]", ["20", "30"], ["31"]),
        ("(20, 30]", ["21", "30"], ["20"]),
        ("20-30", ["20", "30"], ["31"]),
        ("< 18", ["17"], ["18"]),
        ("≥ 65", ["65"], ["64"]),
        ("1975-03", ["1975-03-09"], ["1975-04-01"]),
        ("1975-Q2", ["1975-04-01", "1975-06-30"], ["1975-03-31", "1976-04-01"]),
        ("1975", ["1975-03-09", "1975"], ["1976-01-01"]),
        ("1970s", ["1975-03-09", "1979"], ["1980-01-01"]),
        ("{flu, cold}", ["flu", "cold"], ["gout"]),
        ("*", ["a", None, "*"], []),
        (None, [None], ["a"]),
        ("plain", ["plain"], ["other"]),
    ],
)
def test_labels_speak_for_themselves(
    label: str | None, inside: list[str | None], outside: list[str | None]
) -> None:
    assert reads(label, [*inside, *outside]) == set(inside)


def test_a_ladder_knows_better() -> None:
    ladder = Hierarchy.of_levels([["a", "b", "c"], ["x", "x", "c"]])
    assert reads("x", ["a", "b", "c", "d"], ladder) == {"a", "b"}
    numbers = Hierarchy.of_levels([["1", "5", "9"]])
    assert reads("[1, 5]", ["1", "5", "9"], numbers) == {"1", "5"}
