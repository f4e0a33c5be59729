"""The suites in the styles of others: their texts are read, and what is refused says why."""

from __future__ import annotations

import pytest
from benchmarks.sql.measuring import refusals
from benchmarks.sql.styles import styles

SHARE = 0.05  # of a suite that may be refused
AGAIN = 0.2  # of what somebody wrote who had not seen these suites
DASHBOARDS = 0.13  # what is refused there has cures of its own


@pytest.mark.parametrize(
    ("name", "share"),
    [
        ("smartnoise", SHARE),
        ("qrlew", SHARE),
        ("clickbench", SHARE),
        ("diffix", SHARE),
        ("dashboards", DASHBOARDS),
        ("dashboards again", AGAIN),
        ("qrlew again", AGAIN),
        ("smartnoise third", SHARE),
        ("diffix third", AGAIN),
    ],
)
def test_most_of_what_analysts_write_is_answered(name: str, share: float) -> None:
    for style in styles():
        if style.name == name:
            refused = refusals(style)
            assert len(refused) <= share * len(style.questions), refused
            assert all(why for _, why in refused)
