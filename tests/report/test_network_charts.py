"""Pictures of a report about a network."""

from xml.etree import ElementTree

from shoal.graphs.appraisal.degrees import Degrees
from shoal.graphs.appraisal.estimate import Estimate
from shoal.report.network_charts import change_words, changes_chart, degrees_chart


def test_degrees_are_drawn_before_and_after_and_told_in_words() -> None:
    before, after = Degrees((0, 1, 2, 40), (3, 10, 5, 1)), Degrees((1, 2, 40), (12, 5, 2))
    drawn = degrees_chart(before, after, "some words")
    ElementTree.fromstring(drawn)
    assert drawn.count('stroke-width="2"') == 4 and "before" in drawn and 'aria-label="some words"' in drawn
    assert "before" not in degrees_chart(None, after, "x")


def test_a_network_without_edges_can_be_drawn() -> None:
    ElementTree.fromstring(degrees_chart(None, Degrees((0,), (5,)), "nobody knows anybody"))


def test_changes_are_bars_from_where_nothing_changed() -> None:
    rows = [("up", Estimate(1.0), Estimate(5.0)), ("gone", Estimate(2.0), Estimate(0.0)),
            ("same", Estimate(3.0), Estimate(3.0)), ("new", Estimate(0.0), Estimate(1.0))]  # fmt: skip
    drawn = changes_chart(rows, "words")
    ElementTree.fromstring(drawn)
    assert "+400" in drawn and "\N{MINUS SIGN}100" in drawn and "unchanged" in drawn


def test_a_change_is_told_with_its_sign() -> None:
    assert change_words(0.1234) == "+12\u202f%" and change_words(-0.004) == "\N{MINUS SIGN}0.4\u202f%"
    assert change_words(0.0001) == "unchanged"
