"""Python spells out the words of every request, and its names and defaults cannot drift from them."""

import inspect
from collections.abc import Callable
from dataclasses import MISSING, fields
from typing import Any, get_overloads

import pytest

from shoal import api, api_attack, api_graphs, api_tables
from shoal.jobs.graphs.requests import (
    AskGraph,
    AttackGraph,
    MatrixGraph,
    MeasureGraph,
    ProtectGraph,
    VerifyGraph,
)
from shoal.jobs.queries.requests import AttackQuery
from shoal.jobs.tables.owner_requests import DiffTable, ExploreTable, MappingTable
from shoal.jobs.tables.requests import (
    AttackTable,
    CompareTable,
    InspectTable,
    MeasureTable,
    ProtectTable,
    VerifyTable,
)

SPELLED: list[tuple[Callable[..., Any], list[type[Any]]]] = [
    (api.protect, [ProtectGraph, ProtectTable, ProtectGraph]),
    (api.verify, [VerifyTable, VerifyGraph]),
    (api.measure, [MeasureGraph, MeasureTable, MeasureGraph]),
    (api_attack.attack, [AttackTable, AttackGraph, AttackQuery]),
    (api_tables.inspect, [InspectTable]),
    (api_tables.compare, [CompareTable]),
    (api_tables.explore, [ExploreTable]),
    (api_tables.diff, [DiffTable]),
    (api_tables.map_values, [MappingTable]),
    (api_graphs.ask_graph, [AskGraph]),
    (api_graphs.attack_matrix, [MatrixGraph]),
]
FOLLOWING = {"watch", "follow"}  # of a call, not of the request
NEEDED = {"data", "attack", "mechanism"}  # Python asks for them by place, and a request says what is missing
ANOTHER = {"only"}  # gives another result, and so has a form of its own
FACES = {"decided"}  # who decided is for faces to say: to Python, what is passed in is decided


def spelled(function: Callable[..., Any]) -> dict[str, Any]:
    takes = inspect.signature(function).parameters.values()
    return {one.name: one.default for one in takes if one.name not in FOLLOWING}


def asked(request: type[Any]) -> dict[str, Any]:
    found = {one.name: None if one.default is MISSING else one.default for one in fields(request)}
    return {name: default for name, default in found.items() if name not in FACES | ANOTHER}


@pytest.mark.parametrize(("function", "requests"), SPELLED, ids=lambda one: getattr(one, "__name__", ""))
def test_names_and_defaults_are_those_of_the_request(
    function: Callable[..., Any], requests: list[type[Any]]
) -> None:
    forms = [form for form in get_overloads(function) or [function] if "options" not in spelled(form)]
    for form, request in zip(forms, requests, strict=True):
        said, wanted = spelled(form), asked(request)
        assert set(said) == set(wanted), request.__name__
        for name, default in wanted.items():
            assert said[name] == (
                inspect.Parameter.empty if name in NEEDED and default is None else default
            ), name


@pytest.mark.parametrize(
    "function", [api.protect, api.verify, api.measure, api_attack.attack], ids=lambda one: one.__name__
)
def test_a_notebook_sees_the_words_of_tables_and_graphs(function: Callable[..., Any]) -> None:
    seen = set(spelled(function)) - FACES
    assert seen == {name for form in get_overloads(function) for name in spelled(form)} - {"options"}
