"""Attacks tried one after another."""

from dataclasses import dataclass
from typing import Any, ClassVar

from shoal.core.attack_results import Trial, Tried
from shoal.core.contract import Attack, Need, Threat
from shoal.core.deadline import OutOfTime
from shoal.core.outcome import Finding, Rate
from shoal.jobs.attack_trials import TimeLimit, hide_quoted_values, run_trials, trials_not_asked_for


@dataclass(frozen=True)
class Quick(Attack[Any]):
    name: ClassVar[str] = "quick"
    needs: ClassVar[tuple[Need, ...]] = ()
    threat: ClassVar[Threat] = "identifiability"

    def attack(self, subject: Any) -> Finding:
        raise NotImplementedError


@dataclass(frozen=True)
class Slow(Quick):
    name: ClassVar[str] = "slow"
    slow: ClassVar[bool] = True


TRIED = Tried(Rate(1, 2), 0.5, "")


def test_quick_ones_come_first_and_the_release_before_the_original() -> None:
    order: list[str] = []

    def on_release(attacker: Attack[Any], about: str) -> Trial:
        order.append(attacker.name)
        return Trial(attacker.name, attacker.name, about, after=TRIED)

    def on_original(attacker: Attack[Any]) -> Tried:
        order.append(f"{attacker.name} before")
        return TRIED

    done = Trial("other", "other", "", reason="needs a list")
    found = run_trials([(Slow(), "s"), done, (Quick(), "q")], on_release, on_original)
    assert order == ["quick", "slow", "quick before", "slow before"]
    assert [trial.name for trial in found] == ["slow", "other", "quick"]
    assert found[0].before == TRIED and found[1].before is None


def test_what_has_nothing_to_find_is_still_tried_on_the_original() -> None:
    void = Trial("quick", "quick", "", reason="nobody", void=True)
    found = run_trials([(Quick(), "")], lambda *_: void, lambda _: TRIED)
    assert found[0].void and found[0].before == TRIED


def test_after_the_time_nothing_begins() -> None:
    found = run_trials([(Quick(), "")], lambda *_: Trial("quick", "quick", ""), None, None, 1e-9)
    assert "time limit" in found[0].reason


def test_those_not_asked_for_are_of_the_same_pillar() -> None:
    found = trials_not_asked_for(["degree"], "graph")
    assert "walk" in {trial.name for trial in found} and "linkage" not in {trial.name for trial in found}
    assert not trials_not_asked_for([], "graph")


def test_values_that_a_refusal_quotes_are_hidden_but_for_columns() -> None:
    assert hide_quoted_values("no 'Ann' in 'name'", ["name"]) == "no ‘…’ in 'name'"


def test_a_limit_that_is_over_says_what_to_do() -> None:
    limit = TimeLimit(1e-9)
    assert limit.over and "--time-limit more" in limit.words
    assert "not finished" in limit.given_up(OutOfTime("not finished within its time"))


def test_without_a_limit_it_is_never_over() -> None:
    assert not TimeLimit(None).over
