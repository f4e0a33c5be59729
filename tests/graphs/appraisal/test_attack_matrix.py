"""Cells of a matrix in few signs."""

import pytest

from shoal.core.outcome import Rate
from shoal.graphs.appraisal.attack_matrix import (
    AttackMatrix,
    MatrixAttack,
    MatrixCell,
    Protection,
    digits,
    short,
)


@pytest.mark.parametrize(
    ("share", "told"),
    [
        (0, "0"),
        (0.0003, "<0.1"),
        (0.004, "0.4"),
        (0.0997, "10"),
        (0.807, "81"),
        (1, "100"),
        (15.462, "1,546"),
    ],
)
def test_a_share_is_told_without_a_false_zero(share: float, told: str) -> None:
    assert digits(share) == told


def test_nearly_all_is_not_all() -> None:
    assert digits(0.9996) == "100.0" and digits(0.999) == "100"


def test_a_cell_tells_what_was_found_or_that_there_is_nothing() -> None:
    assert short(MatrixCell("a", "p", "tried", Rate(1, 4), 0.1, 0.25)) == "25 / 25 %"
    assert short(MatrixCell("a", "p", "tried", Rate(1, 4), 0.1)) == "25 %"
    assert short(MatrixCell("a", "p", "does not apply", reason="nobody")) == "–"
    assert short(MatrixCell("a", "p", "out of time", reason="late")) == "no time"


def test_a_blind_guess_is_told_as_a_range_where_it_differs() -> None:
    rows = (Protection("p", "p"), Protection("q k(k=1)", "q", ("k(k=1)",)))
    cells = (
        MatrixCell("a", "p", "tried", Rate(1, 4), 0.1),
        MatrixCell("a", "q k(k=1)", "tried", Rate(1, 4), 0.2),
    )
    matrix = AttackMatrix(4, 3, (MatrixAttack("a", "", "people"),), rows, cells, 0.8)
    assert matrix.baselines("a") == "10 – 20 %"
    assert rows[1].method_and_models == ("q", "k(k=1)") and rows[0].method_and_models == ("p",)
