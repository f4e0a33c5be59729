"""What may be sent: exact figures, known fields."""

import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from shoal.core.errors import BadParameter
from shoal.queries.service import requests as bodies
from shoal.queries.service.requests import DatasetBody, NewDataset, NewPerson, Question, exact

ASKED = {"dataset": "clinic", "sql": "SELECT COUNT(*) FROM visits", "epsilon": 0.1}


def test_a_figure_is_taken_as_it_was_written() -> None:
    for written in (0.1, "0.1", "1e-1", "0.10"):
        assert Question(**{**ASKED, "epsilon": written}).epsilon == Fraction(1, 10)  # type: ignore[arg-type]
    assert Question(**{**ASKED, "epsilon": 2}).epsilon == 2  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "epsilon",
    [0, -1, "0", "-1", "NaN", "inf", float("inf"), float("nan"), True, None, [], {}, "", " 1", "1 ", "1\n",
     "1_0",
     "1e-999999999", "1e999", "٣", "0x1", "1/3", 1001, pytest.param(10**400, id="huge"), "9" * 10],
)  # fmt: skip
def test_an_epsilon_that_is_no_amount_is_refused(epsilon: object) -> None:
    with pytest.raises(ValidationError):
        Question(**{**ASKED, "epsilon": epsilon})  # type: ignore[arg-type]


@pytest.mark.parametrize("delta", [1, "1", -0.1, "1e-7x", float("nan"), True])
def test_a_delta_that_is_none_is_refused(delta: object) -> None:
    with pytest.raises(ValidationError):
        Question(**{**ASKED, "delta": delta})  # type: ignore[arg-type]


@given(st.floats(min_value=0, exclude_min=True, max_value=1e3))
def test_every_double_comes_through_exactly_as_its_shortest_decimal(epsilon: float) -> None:
    assert float(exact(epsilon)) == epsilon
    assert exact(epsilon) == Fraction(repr(epsilon))


@pytest.mark.parametrize(
    "change",
    [{"extra": 1}, {"sql": ""}, {"sql": "x" * 20_001}, {"sql": 5}, {"dataset": ""}, {"dataset": "x" * 64},
     {"dataset": ["clinic"]}],
)  # fmt: skip
def test_fields_that_are_strange_long_or_of_another_kind_are_refused(change: dict[str, Any]) -> None:
    with pytest.raises(ValidationError):
        Question(**{**ASKED, **change})


@pytest.mark.parametrize("name", ["", "-x", ".x", "a b", "a/b", "a\n", "x" * 64, "../x", "a\x00"])
def test_a_name_that_would_not_fit_into_an_address_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        NewPerson(name=name)


def test_a_declaration_becomes_a_data_set() -> None:
    text = json.dumps({
        "declaration": {
            "name": "clinic", "budget": {"epsilon": "1.5"}, "each": {"epsilon": 0.5}, "about": "wards",
            "tables": [{"name": "visits", "unit": "id", "rows": 4, "columns": [
                {"name": "id", "kind": "integer"}, {"name": "age", "kind": "integer", "low": 0, "high": 120},
                {"name": "ward", "keys": ["a", "b"], "missing": False}]}],
        },
        "rows": {"visits": [{"id": 1, "age": 2.5, "ward": None}]},
    })  # fmt: skip
    body = NewDataset.model_validate_json(text)
    dataset = body.declaration.made()
    assert dataset.budget.epsilon == Fraction(3, 2)
    assert dataset.each is not None and dataset.each.epsilon == Fraction(1, 2)
    assert dataset.table("visits").column("ward").keys == ("a", "b")
    assert (dataset.table("visits").rows, dataset.policy, dataset.accounting) == (4, "refuse", "pure")


def test_a_declaration_that_makes_no_sense_is_refused_in_words() -> None:
    body = DatasetBody.model_validate_json(
        '{"name": "c", "budget": {"epsilon": 1}, "tables": [{"name": "t", "columns": [{"name": "x"}]}]}'
    )
    with pytest.raises(BadParameter, match="no private table"):
        body.made()


def test_the_schema_has_no_reference_that_leads_nowhere() -> None:
    schemas = bodies.schemas()
    text = json.dumps(schemas)
    for name in [part.split('"')[0] for part in text.split("#/components/schemas/")[1:]]:
        assert name in schemas
    assert "NewDataset" in schemas
