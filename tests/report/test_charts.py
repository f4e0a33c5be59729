from dataclasses import replace
from xml.etree import ElementTree

import numpy as np

from report.conftest import Case
from shoal.core.attack_results import Trial, Tried
from shoal.core.outcome import Rate
from shoal.report import charts
from shoal.report.charts import (
    AFTER,
    BEFORE,
    SPAN,
    attacks_chart,
    chart_words,
    hierarchies_chart,
    hierarchy_words,
)
from shoal.tables.appraisal.dossier import ColumnStory

SVG = "{http://www.w3.org/2000/svg}"


def trial(before: int | None, after: int, baseline: float = 0.1) -> Trial:
    old = None if before is None else Tried(Rate(before, 100), baseline, "")
    return Trial("linkage", "linkage", "", old, Tried(Rate(after, 100), baseline, ""))


def widths(svg: str, colour: str) -> list[float]:
    bars = [bar for bar in ElementTree.fromstring(svg).iter(f"{SVG}rect") if bar.get("fill") == colour]
    return [float(bar.get("width", 0)) for bar in bars]


def test_a_bar_is_as_long_as_the_share_it_shows() -> None:
    svg = attacks_chart([trial(50, 25)], legend=False)
    assert widths(svg, BEFORE) == [SPAN / 2] and widths(svg, AFTER) == [SPAN / 4]


def test_nobody_hit_is_no_bar_and_somebody_hit_is_one_that_can_be_seen() -> None:
    assert widths(attacks_chart([trial(0, 0)], legend=False), AFTER) == []
    one = replace(trial(0, 0), after=Tried(Rate(1, 10**6), 0.0, ""))
    assert widths(attacks_chart([one], legend=False), AFTER) == [1.5]


def test_without_an_original_there_is_one_bar() -> None:
    svg = attacks_chart([trial(None, 40)], legend=True)
    assert len(widths(svg, AFTER)) == 2 and not widths(svg, BEFORE)  # one of them is the legend


def test_it_is_told_in_words_too(case: Case) -> None:
    words = chart_words(case.dossier.tried)
    assert "linkage:" in words and "before" in words and "after" in words
    assert f'aria-label="{words}"' in attacks_chart(case.dossier.tried, legend=True)


def test_a_hierarchy_has_as_many_rungs_as_it_was_climbed() -> None:
    column = ColumnStory("zip", "quasi", "coarsened", 2, 5, 4, ("476**",))
    assert len(widths(hierarchies_chart([column]), AFTER)) == 2
    assert hierarchy_words(column) == "coarsened 2 of 5 steps: 4 different values"
    uneven = ColumnStory("zip", "quasi", "coarsened", None, 5, 4, ("476**",))  # as local recoding does
    assert hierarchy_words(uneven) == "coarsened, some rows more than others: 4 different values"
    assert len(widths(hierarchies_chart([replace(column, fate="hidden", level=None)]), AFTER)) == 5
    assert not widths(hierarchies_chart([replace(column, fate="unchanged", level=0)]), AFTER)


def test_a_column_can_be_called_anything() -> None:
    column = ColumnStory('<b>&"\x00' * 9, "quasi", "unknown", labels=("<x>",))
    ElementTree.fromstring(hierarchies_chart([column]))


def test_what_is_written_in_colour_can_be_read() -> None:
    def light(colour: str) -> float:
        parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
        return float(np.dot(linear, (0.2126, 0.7152, 0.0722)))

    for ground in ("#ffffff", charts.FIELD):
        for colour in (charts.BEFORE, charts.AFTER, charts.INK, charts.QUIET):
            assert (light(ground) + 0.05) / (light(colour) + 0.05) >= 4.5, (colour, ground)


def test_every_picture_has_a_title(case: Case) -> None:
    drawn = charts.attacks_chart(case.dossier.tried, True)
    assert "<title>Share of people hit by each attack." in drawn
