"""What mechanisms of streams share."""

from __future__ import annotations

from shoal import catalog
from shoal.queries.stream_mechanism import StreamMechanism


def test_those_that_follow_streams_do() -> None:
    for spelling, answers in (
        ("continual-count(epsilon=1,horizon=5)", 3),
        ("pan-private-density(epsilon=1,size=5)", 1),
    ):
        made = catalog.make("mechanism", spelling)
        assert isinstance(made, StreamMechanism) and len(list(made.follow([0, 1, 1]))) == answers
