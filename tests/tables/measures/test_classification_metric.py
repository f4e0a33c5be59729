"""How often the commonest class of a group is the wrong one."""

from hypothesis import given

from shoal.tables.appraisal.side_by_side import SideBySide
from shoal.tables.measures.classification_metric import ClassificationMetric
from tables.pairs import pair, pairs


def test_the_minority_and_the_suppressed_pay() -> None:
    rows = [("20", "F", "a")] * 3 + [("21", "F", "b"), ("30", "F", "a")]
    after = [("2*", "F", "a")] * 3 + [("2*", "F", "b")]
    assert ClassificationMetric().measure(pair(rows, after)) == 2 / 5


@given(pairs())
def test_it_is_a_share_of_the_original(both: SideBySide) -> None:
    assert 0 <= ClassificationMetric().measure(both) <= 1
