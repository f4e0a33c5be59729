"""Whoever refuses because of the answer has answered."""

import pytest

from queries.attacked import people, scene
from shoal.queries.alternatives.auditing.auditing import Auditing
from shoal.queries.alternatives.plain import Plain
from shoal.queries.attacks.refusals import Refusals


@pytest.mark.parametrize("rule", ["count", "sum"])
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_auditor_of_yes_and_no_tells_everything(rule: str, seed: int) -> None:
    found = Refusals(20).attack(scene(Auditing(rule, "ill"), people(seed=seed), seed=seed))  # type: ignore[arg-type]
    assert found.rate.hits == found.rate.targets == 20
    assert (found.details["refusals_that_told"] == found.details["refused"] > 0) == (rule == "count")  # type: ignore[operator]


def test_the_one_who_is_left_out_when_a_maximum_is_refused_has_it() -> None:
    found = Refusals(30).attack(scene(Auditing("max", "income"), secret="income"))
    assert found.details["refusals_that_told"] == 10 == len(found.findings)  # one of every three
    pay = dict(people().frame.select("id", "income").iter_rows())
    for told in found.findings:
        assert told["learned"]["income"] == pay[told["who"]["id"]]  # type: ignore[index, call-overload]


def test_refusing_everything_tells_nothing_and_neither_does_noise() -> None:
    assert Refusals(20).attack(scene(lambda _: None)).rate.value == 0.5
    assert Refusals(20).attack(scene(lambda _: 0.7)).rate.value == 0.5
    assert Refusals(20).attack(scene(Plain())).rate.value == 1  # answers tell at least as much
