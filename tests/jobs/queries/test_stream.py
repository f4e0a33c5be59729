"""Streams by lines."""

from __future__ import annotations

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.stream import stream_query


def test_lines_are_elements_and_what_is_no_number_says_nothing() -> None:
    assert list(stream_query("continual-count(epsilon=1000,horizon=9)", ["1\n", "x", " 1 ", ""])) == [
        1,
        1,
        2,
        2,
    ]


def test_what_follows_no_streams_is_told_what_does() -> None:
    with pytest.raises(BadParameter, match="does not follow streams; there is continual-count, pan-private"):
        stream_query("laplace(epsilon=1)", [])
