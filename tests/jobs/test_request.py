"""A setting is written once."""

from dataclasses import dataclass, fields
from typing import Any, ClassVar

import pytest

from shoal.jobs.graphs.requests import AskGraph, GraphRequest, MeasureGraph, ProtectGraph, VerifyGraph
from shoal.jobs.request import (
    Request,
    Setting,
    known,
    setting,
)
from shoal.jobs.tables.requests import (
    AttackTable,
    CompareTable,
    HierarchyTable,
    InspectTable,
    MeasureTable,
    ProtectTable,
    ReportTable,
    VerifyTable,
)

REQUESTS: list[type[Request]] = [
    AskGraph,
    AttackTable,
    CompareTable,
    GraphRequest,
    InspectTable,
    HierarchyTable,
    MeasureGraph,
    MeasureTable,
    ProtectGraph,
    ProtectTable,
    ReportTable,
    VerifyGraph,
    VerifyTable,
]
# Agreeing, saying who decided, and the day of a report are for Python alone.
PYTHON = {"yes", "decided", "made"}


@dataclass(frozen=True, kw_only=True)
class Fishing(Request):
    noun: ClassVar[str] = "fish"
    verb: ClassVar[str] = "catch"

    net_size: int = setting(3, "whole", "How wide.", metavar="N", short="-n")
    bait: list[str] = setting(list, "texts", "What they like. Repeatable.")
    mood: str = "good"


def test_a_setting_is_a_field_with_a_default_and_what_a_flag_needs() -> None:
    assert (Fishing().net_size, Fishing().bait) == (3, []) and Fishing().bait is not Fishing().bait
    assert list(known(Fishing)) == ["separator", "encoding", "net-size", "bait"]
    assert known(Fishing)["net-size"] == Setting("whole", "How wide.", "N", "-n")


def name_of(word: str) -> str:
    """A word of a flag or project file as Python spells it."""
    return "data" if word == "file" else word.replace("-", "_")


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.__name__)
def test_every_field_of_a_request_is_a_setting(request_: type[Any]) -> None:
    assert {name_of(word) for word in known(request_)} == {one.name for one in fields(request_)} - PYTHON


@pytest.mark.parametrize("request_", REQUESTS, ids=lambda request: request.__name__)
def test_every_setting_says_in_a_sentence_what_it_is(request_: type[Request]) -> None:
    for told in known(request_).values():
        assert told.help.endswith((".", ")")), told
        assert ("Repeatable." in told.help) == (told.kind in ("texts", "paths", "mapping")), told
