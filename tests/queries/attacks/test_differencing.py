"""Everybody, less everybody but one."""

import duckdb
import polars as pl
import pytest

from queries.attacked import people, scene
from shoal.core.errors import BadParameter
from shoal.queries.alternatives.auditing.auditing import Auditing
from shoal.queries.alternatives.minimum_size import MinimumSize
from shoal.queries.alternatives.plain import Plain
from shoal.queries.alternatives.sample import Sample
from shoal.queries.attacks.differencing import Differencing


@pytest.mark.parametrize("way", [Plain(), MinimumSize(5)])
def test_large_questions_tell_about_one_person(way: Plain | MinimumSize) -> None:
    found = Differencing(20).attack(scene(way))
    assert (found.rate.hits, found.rate.targets, found.baseline) == (20, 20, 0.5)
    assert found.details["questions"] == 21 and found.remedy == "private(epsilon=1)"
    truth = dict(people().frame.select("id", "ill").iter_rows())
    for told in found.findings:
        who, learned = told["who"]["id"], told["learned"]["ill"]  # type: ignore[index, call-overload]
        assert (truth[who] == "flu") == (learned == "flu")


def test_a_number_is_told_to_the_digit() -> None:
    found = Differencing(10).attack(scene(Plain(), secret="income"))
    assert found.rate.hits == 10
    pay = dict(people().frame.select("id", pl.col("income")).iter_rows())
    for told in found.findings:
        assert told["learned"]["income"] == pytest.approx(pay[told["who"]["id"]])  # type: ignore[index, call-overload]


def test_an_auditor_refuses_and_a_sample_exposes_those_who_were_drawn() -> None:
    refused = Differencing(20).attack(scene(Auditing()))
    assert refused.rate.value == 0.5 and refused.details["refused"] == 20
    some = people(400)
    found = Differencing(200).attack(scene(Sample(0.5), some))  # type: ignore[arg-type]
    # Half of those who have it were drawn, and nobody else makes a difference.
    assert 0.65 < found.rate.value < 0.85


def test_any_function_that_answers_is_attacked() -> None:
    database = duckdb.connect().register("patients", people().frame)
    found = Differencing(8).attack(scene(lambda sql: database.execute(sql).fetchall()[0][0]))
    assert found.rate.hits == 8


def test_one_target_is_too_few() -> None:
    with pytest.raises(BadParameter, match="targets"):
        Differencing(1)
