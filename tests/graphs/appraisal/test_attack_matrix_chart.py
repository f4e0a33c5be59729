"""The picture of a matrix."""

from shoal.core.outcome import Rate
from shoal.graphs.appraisal.attack_matrix import AttackMatrix, MatrixAttack, MatrixCell, Protection
from shoal.graphs.appraisal.attack_matrix_chart import COLOURS, NOTHING, colour, picture

MATRIX = AttackMatrix(
    100,
    300,
    (MatrixAttack("one", "", "people"), MatrixAttack("other(trials=3)", "", "trials")),
    (Protection("none", "none"), Protection("made k(k=3)", "made", ("k(k=3)",))),
    (
        MatrixCell("one", "none", "tried", Rate(80, 100), 0.01, 0.1),
        MatrixCell("other(trials=3)", "none", "tried", Rate(3, 3), 0.5),
        MatrixCell("one", "made k(k=3)", "does not apply", reason="nobody is in it"),
        MatrixCell("other(trials=3)", "made k(k=3)", "out of time", reason="it took too long"),
    ),
    0.8,
)


def test_every_cell_is_drawn_and_those_without_a_figure_point_to_the_reason() -> None:
    chart = picture(MATRIX)
    (name,) = chart["datasets"]
    marks = chart["datasets"][name]
    cells = [mark for mark in marks if "fill" in mark]
    assert len(cells) == 4
    assert [mark["second"] for mark in cells if mark["fill"] == NOTHING] == [
        "does not apply (a)",
        "out of time (b)",
    ]
    below = " ".join(chart["title"]["subtitle"])
    assert "(a) nobody is in it" in below and "(b) it took too long" in below


def test_darker_is_more_than_a_blind_guess() -> None:
    assert colour(0) == COLOURS[0] and colour(1) == COLOURS[-1]
    shades = [int(colour(step / 20)[1:3], 16) + int(colour(step / 20)[3:5], 16) for step in range(21)]
    assert shades == sorted(shades, reverse=True)
