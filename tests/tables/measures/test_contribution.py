"""What each column adds."""

from collections.abc import Sequence
from itertools import permutations

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.appraisal.packed_columns import CodedRows
from shoal.tables.measures import contribution
from shoal.tables.measures.contribution import Contribution

CELLS = st.sampled_from(["a", "b", None])
ROWS = st.lists(st.tuples(CELLS, CELLS, CELLS), min_size=1, max_size=12)


def coded(rows: Sequence[tuple[str | None, ...]], names: str = "xyz") -> CodedRows:
    frame = pl.DataFrame(rows, schema=dict.fromkeys(names, pl.String), orient="row")
    return CodedRows.of(frame, list(names))


@given(ROWS)
def test_the_fair_share_is_the_average_over_all_orders(rows: list[tuple[str | None, ...]]) -> None:
    def risk(places: tuple[int, ...]) -> float:
        return len({tuple(row[place] for place in places) for row in rows}) / len(rows)

    found = Contribution().measure(coded(rows))
    for place, name in enumerate("xyz"):
        added = [
            risk((*order[: order.index(place)], place)) - risk(order[: order.index(place)])
            for order in permutations(range(3))
        ]
        assert found[name].shapley == pytest.approx(sum(added) / 6)
        assert found[name].alone == risk((place,))
        others = tuple(other for other in range(3) if other != place)
        assert found[name].without == risk(others)
        assert found[name].added == risk((0, 1, 2)) - risk(others)
    shares = [share.shapley or 0 for share in found.values()]
    assert sum(shares) == pytest.approx(risk((0, 1, 2)) - 1 / len(rows))


def test_a_copy_of_a_column_adds_nothing_and_has_half_of_the_share() -> None:
    found = Contribution().measure(coded([("a", "a"), ("b", "b")], "xy"))
    assert found["x"].added == found["y"].added == 0
    assert found["x"].shapley == found["y"].shapley == 1 / 4


def test_one_column_is_all_there_is() -> None:
    found = Contribution().measure(coded([("a",), ("b",), ("b",)], "x"))["x"]
    assert (found.alone, found.without) == (2 / 3, 1 / 3)
    assert found.shapley == found.added == pytest.approx(1 / 3)


def test_shares_of_very_many_rows_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contribution, "AFFORDABLE", 1)
    found = Contribution().measure(coded([("a", "b", "c")]))
    assert found["x"].shapley is None and found["x"].alone == 1
