"""How soon a question is understood tells nobody what others have asked."""

import datetime

import pytest

from queries.clinic import dataset, usual
from shoal.queries import plan_cache
from shoal.queries.plan_cache import KEPT, PlanCache
from shoal.queries.query import Plan
from shoal.queries.sql import function_names
from shoal.queries.sql.questions import plan_question

STORE = usual()


class Counted:
    """A cache whose questions are counted when they are planned."""

    def __init__(self) -> None:
        self.planned: list[str] = []
        self.cache = PlanCache()

    def ask(self, sql: str, analyst: str) -> Plan:
        return self.cache.plan(sql, analyst, dataset(), STORE, self._make)

    def _make(self, sql: str) -> Plan:
        self.planned.append(sql)
        return plan_question(sql, dataset(), STORE)


def test_a_question_is_planned_once_for_each_analyst() -> None:
    counted = Counted()
    texts = [f"SELECT COUNT(*) FROM people WHERE age > {n}" for n in range(5)]
    for analyst in ("ada", "bob"):
        plans = [counted.ask(text, analyst) for text in texts]
        assert [plan.text for plan in plans] == texts
        assert [plan.prepared is None for plan in plans] == [True, False, False, False, False]
    assert counted.planned == [texts[0], texts[0]]


def test_the_same_text_is_not_planned_again_and_other_groups_are() -> None:
    counted = Counted()
    texts = [f"SELECT age, COUNT(*) FROM people WHERE age > {n} GROUP BY age" for n in (30, 40)]
    for text in (*texts, *texts):
        counted.ask(text, "ada")
    assert counted.planned == texts


def test_one_analyst_does_not_push_out_the_plans_of_another() -> None:
    counted = Counted()
    counted.ask("SELECT COUNT(*) FROM people", "bob")
    for n in range(4):
        counted.ask(f"SELECT COUNT(*) FROM people /* {n} {'x' * (KEPT // 2)} */", "ada")
    before = len(counted.planned)
    counted.ask("SELECT COUNT(*) FROM people", "bob")
    assert len(counted.planned) == before


def test_a_plan_with_a_day_in_it_is_that_day_s(monkeypatch: pytest.MonkeyPatch) -> None:
    counted, text = Counted(), "SELECT COUNT(*) FROM people WHERE born < Current_Date"
    days = [datetime.date(2024, 2, 29), datetime.date(2024, 2, 29), datetime.date(2024, 3, 1)]
    for day in days:
        for module in (plan_cache, function_names):
            monkeypatch.setattr(module, "today", lambda day=day: day)
        assert str(day) in counted.ask(text, "ada").text
    assert counted.planned == [text] * 2
