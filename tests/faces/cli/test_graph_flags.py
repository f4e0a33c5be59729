"""What a flag of a graph command may say, a project file may say too."""

import dataclasses

import pytest

from shoal.faces.cli.graph_flags import ASK, MEASURE, PROTECT, SHARED, VERIFY
from shoal.jobs.graphs import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph


@pytest.mark.parametrize(
    ("known", "request_"),
    [
        (SHARED, GraphRequest),
        (PROTECT, ProtectGraph),
        (VERIFY, VerifyGraph),
        (MEASURE, MeasureGraph),
        (ASK, AskGraph),
    ],
)
def test_the_flags_are_the_fields_of_the_request(known: dict[str, str], request_: type[GraphRequest]) -> None:
    fields = {field.name.replace("_", "-") for field in dataclasses.fields(request_)}
    assert set(known) == (fields - {"data"}) | {"file"}
