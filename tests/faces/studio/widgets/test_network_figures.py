"""Figures of a network as people read them."""

from __future__ import annotations

from shoal.faces.studio.widgets.network_figures import figure_text


def test_a_figure_is_told_with_its_interval_where_it_is_an_estimate() -> None:
    assert figure_text(12345) == "12,345"
    assert figure_text(0.08801) == "0.088"
    assert figure_text({"value": 3.761, "low": 3.7, "high": 3.82}) == "3.76 (3.7 to 3.82)"
    assert figure_text(None) == "–"
