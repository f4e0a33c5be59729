"""Every attack on questions, and every way to answer them, obeys its protocol."""

from __future__ import annotations

import dataclasses
import json

import pytest

from contract.test_parts import made, named, of_kind
from queries.attacked import people, scene
from shoal import catalog
from shoal.catalog import Part
from shoal.core.errors import BadInput
from shoal.core.outcome import Finding
from shoal.queries.alternatives.plain import Plain
from shoal.queries.endpoints.endpoint import Alternative, Refused
from shoal.queries.endpoints.question import Question

PEOPLE = people(40)
QUESTIONS = [
    Question(),
    Question("sex = 'F'"),
    Question("sex = 'F'", "count", "ill", "'flu'"),
    Question("id = 'P001'", "count", "ill", "'flu'"),
    Question("age > 40", "sum", "income"),
    Question("age > 40", "max", "income"),
    Question("age > 400"),
]


def opened(part: Part) -> Alternative:
    given = {"column": "ill", "value": "flu"}
    way: Alternative = catalog.part_of("alternative", f"{part.name}({part.cls.example})", "query", **given)
    return way


@pytest.mark.parametrize("part", of_kind("attack", "query"), ids=named)
@pytest.mark.parametrize("secret", ["ill=flu", "income"])
def test_an_attack_reports_a_baseline_an_interval_and_a_cure(part: Part, secret: str) -> None:
    before = PEOPLE.frame.clone()
    for answers in (Plain(), lambda _: None):
        try:
            finding: Finding = made(part).attack(scene(answers, PEOPLE, secret))
        except BadInput as refused:
            assert "; " in str(refused) or "?" in str(refused)
            continue
        low, high = finding.rate.interval
        assert 0 <= low <= finding.rate.value <= high <= 1 and finding.attack == part.name
        assert 0 <= finding.baseline <= 1 and finding.cure
        assert json.loads(json.dumps(finding.to_json(), allow_nan=False)) == finding.to_json()
        assert made(part).attack(scene(answers, PEOPLE, secret)) == finding
        assert finding.remedy is None or catalog.make("alternative", finding.remedy)
        for told in finding.findings:
            assert told["who"] and told["learned"] and 0 <= told["confidence"] <= 1  # type: ignore[operator]
    assert PEOPLE.frame.equals(before)


@pytest.mark.parametrize("part", of_kind("alternative"), ids=named)
def test_a_way_to_answer_answers_or_refuses_and_leaves_people_alone(part: Part) -> None:
    before = PEOPLE.frame.clone()
    way = opened(part)
    endpoint = way.open(PEOPLE)
    told = 0
    for question in QUESTIONS:
        try:
            answer = endpoint.ask(question, endpoint.price(20))
            assert isinstance(answer, float)
            told += 1
        except Refused as refusal:
            assert "\n" not in str(refusal)
    assert told and PEOPLE.frame.equals(before) and way.weakness
    assert (way.loss is None) == (way.within(way.loss or 1) == way and way.loss is None)  # type: ignore[arg-type]
    endpoint.close()


@pytest.mark.parametrize("part", of_kind("alternative"), ids=named)
def test_no_way_to_answer_takes_a_seed(part: Part) -> None:
    assert not {"seed", "generator", "chance"} & {field.name for field in dataclasses.fields(part.cls)}
