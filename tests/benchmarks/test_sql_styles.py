"""The suites in the styles of others: their texts are read, and what is refused says why."""

from __future__ import annotations

import pytest
from benchmarks.sql.measuring import refusals
from benchmarks.sql.styles import styles

SHARE = 0.05  # of a suite that may be refused


@pytest.mark.parametrize("name", ["smartnoise", "qrlew", "clickbench", "diffix"])
def test_most_of_what_analysts_write_is_answered(name: str) -> None:
    for style in styles():
        if style.name == name:
            refused = refusals(style)
            assert len(refused) <= SHARE * len(style.questions), refused
            assert all(why for _, why in refused)
        style.store.close()
