"""Charts as files."""

from __future__ import annotations

from pathlib import Path

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.chart_files import FORMS, check_form, draw

CHART = {"data": {"values": [{"x": 1}]}, "mark": "point", "encoding": {"x": {"field": "x"}}}
BEGINS = {".svg": b"<svg", ".png": b"\x89PNG", ".html": b"<!DOCTYPE html>"}


@pytest.mark.parametrize("form", FORMS)
def test_a_chart_is_drawn_in_every_form(form: str, tmp_path: Path) -> None:
    place = tmp_path / f"chart{form.upper()}"
    check_form(place)
    draw(CHART, place)
    assert place.read_bytes().startswith(BEGINS[form])


def test_another_form_is_refused() -> None:
    with pytest.raises(BadParameter, match=r"unknown extension; use .svg, .png or .html"):
        check_form("chart.gif")
