"""Requests about graphs."""

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.graphs.requests import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph


@pytest.mark.parametrize("request_", [ProtectGraph, VerifyGraph, MeasureGraph, AskGraph])
def test_a_request_needs_a_graph(request_: type[GraphRequest]) -> None:
    assert request_.noun == "graph"
    with pytest.raises(BadParameter, match="no graph given"):
        request_()


@pytest.mark.parametrize(
    ("request_", "given", "cause"),
    [
        (ProtectGraph, {"labels": "secret"}, "write keep or random, not 'secret'"),
        (ProtectGraph, {"seed": -1}, "from 0 on, not -1"),
        (ProtectGraph, {"seed": True}, "from 0 on"),
        (
            ProtectGraph,
            {"labels": "keep", "mapping": "m.csv", "output": "o.csv"},
            "no mapping when labels are",
        ),
        (ProtectGraph, {"mapping": "m.csv"}, "a mapping is written with a release"),
        (ProtectGraph, {"mapping": "-", "output": "o.csv"}, "takes a file"),
        (MeasureGraph, {"exact": True, "sample": 5}, "do not go together"),
        (MeasureGraph, {"sample": 0}, "at least 1, not 0"),
        (MeasureGraph, {"x_min": -1}, "not -1"),
        (MeasureGraph, {"mapping": "m.csv"}, "give that, too"),
        (AskGraph, {}, "nothing asked"),
    ],
)
def test_what_cannot_be_is_refused(
    request_: type[GraphRequest], given: dict[str, object], cause: str
) -> None:
    with pytest.raises(BadParameter, match=cause):
        request_(data="g.csv", **given)  # type: ignore[arg-type]


def test_a_request_is_data() -> None:
    assert ProtectGraph(data="g.csv", k=3) == ProtectGraph(data="g.csv", k=3)
    assert MeasureGraph(data="g.csv").x_min == 3
