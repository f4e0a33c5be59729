"""`shoal graph …`: the commands are there, with every flag of their requests."""

import dataclasses

import pytest

from shoal.jobs.graphs.requests import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph

from ..shell import shoal


@pytest.mark.parametrize("request_", [ProtectGraph, VerifyGraph, MeasureGraph, AskGraph])
def test_every_word_of_a_request_is_a_flag(request_: type[GraphRequest]) -> None:
    help_ = shoal("graph", request_.verb, "--help").out
    words = {field.name for field in dataclasses.fields(request_)} - {"data", "mechanism"}
    for word in words:
        assert f"--{word.replace('_', '-')}" in help_
    assert "--json" in help_ and "--config" in help_


def test_the_commands_are_listed() -> None:
    help_ = shoal("graph", "--help").out
    assert all(verb in help_ for verb in ("protect", "verify", "measure", "attack", "ask"))
    assert "graph" in shoal("--help").out
