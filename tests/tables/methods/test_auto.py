"""Auto: never worse than what it tried, sound, repeatable, and it finds the method for every promise."""

from __future__ import annotations

from random import Random

import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods import auto
from shoal.tables.methods.auto import Auto
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.methods.noisy_counts import NoisyCounts
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.d_gamma_privacy import DGammaPrivacy
from shoal.tables.models.delta_presence import DeltaPresence
from shoal.tables.models.differential_privacy import DifferentialPrivacy
from shoal.tables.models.distributional_privacy import DistributionalPrivacy
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.lkc import LKC
from shoal.tables.table import Table

from ..builders import cases, models_for, random_case, random_models
from .sound import assert_sound, with_ids

OBJECTIVES = ["loss", "precision", "discernibility", "average-class-size", "entropy"]


def cost(figure: float | None, objective: str) -> float:
    assert figure is not None
    return -figure if objective == "precision" else figure


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_release_is_sound_or_there_is_none(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    share = data.draw(st.sampled_from([0.0, 0.05, 0.5]))
    table, method = with_ids(case), Auto(suppress=share)
    try:
        Optimal(suppress=share).protect(table, models)
    except Unreachable:
        with pytest.raises(Unreachable):
            method.protect(table, models)
        return
    assert_sound(case, models, table, method.protect(table, models), int(share * case.rows + 1e-9))


@pytest.mark.parametrize(
    "objective",
    [
        pytest.param(name, marks=[] if name in ("loss", "entropy") else [pytest.mark.slow])
        for name in OBJECTIVES
    ],
)
def test_it_is_never_worse_than_any_method_it_tried(objective: str) -> None:
    chance, taken = Random(5), set()
    for _ in range(20):
        case = random_case(chance)
        models, share = random_models(chance, case), chance.choice([0.0, 0.2])
        alone = []
        for method in (Optimal(objective, share), Mondrian(), LocalRecoding(objective, share)):
            try:
                alone.append(method.protect(case.table(), models))
            except Unreachable:
                continue
        if not alone:
            continue
        found = Auto(objective, share).protect(case.table(), models)
        name = objective.replace("-", "_")
        least = min(cost(release.losses[name], objective) for release in alone)
        assert cost(found.losses[name], objective) <= least + 1e-9
        told = [cost(one.cost, objective) for one in found.tried if one.cost is not None]
        assert cost(found.losses[name], objective) <= min(told) + 1e-9
        assert found.method in {one.method for one in found.tried}
        taken.add(found.method)
    assert taken


def test_the_same_seed_makes_the_same_release() -> None:
    table = random_case(Random(3)).table()
    once, again = (Auto(seed=7, suppress=0.5).protect(table, [KAnonymity(2)]) for _ in range(2))
    assert once.method == again.method
    assert once.table.frame.equals(again.table.frame)


def test_of_equals_the_proved_one_is_taken() -> None:
    same = Hierarchy.of_levels([["a", "b"]])
    table = Table(pl.DataFrame({"q": ["a", "b"] * 5}), quasi=("q",), hierarchies={"q": same})
    release = Auto().protect(table, [KAnonymity(5)])
    assert (release.method, release.optimal, release.levels) == ("optimal", True, {"q": 0})
    assert [one.method for one in release.tried] == ["mondrian", "optimal", "local-recoding"]


def wide(columns: int, rows: int = 60) -> Table:
    """More combinations of levels than any search could hold."""
    chance = Random(2)
    values = [f"{number:03d}" for number in range(16)]
    names = [f"q{column}" for column in range(columns)]
    frame = pl.DataFrame({name: chance.choices(values, k=rows) for name in names})
    levels = [values, [value[:2] for value in values], [value[:1] for value in values]]
    return Table(frame, quasi=tuple(names), hierarchies={name: Hierarchy.of_levels(levels) for name in names})


def test_a_lattice_that_no_search_can_hold_is_no_dead_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(auto, "USUAL_SECONDS", 3.0)
    table = wide(24)
    with pytest.raises(BadParameter, match="use --method local-recoding or auto"):
        Optimal().protect(table, [KAnonymity(2)])
    release = Auto(suppress=0.05, seed=1).protect(table, [KAnonymity(2)])
    assert min(release.seen().sizes) >= 2
    assert "heuristic" in {one.method for one in release.tried}


def test_a_promise_about_the_whole_table_gets_a_method_that_can_keep_it() -> None:
    frame = pl.DataFrame(
        {"job": ["a", "b"] * 6, "sex": ["F"] * 6 + ["M"] * 6, "ill": ["flu", "hiv", "gout"] * 4}
    )
    hierarchies = {"job": Hierarchy.of_levels([["a", "b"]]), "sex": Hierarchy.of_levels([["F", "M"]])}
    table = Table(frame, (), ("job", "sex"), ("ill",), hierarchies)
    release = Auto().protect(table, [LKC(2, 2, 0.5)])
    assert {one.method for one in release.tried} == {"top-down", "optimal"}
    assert LKC(2, 2, 0.5).holds(release.seen()).all()


def test_with_a_population_every_column_stays_on_one_level() -> None:
    same = Hierarchy.of_levels([["a", "b"]])
    people = pl.DataFrame({"q": ["a", "b"] * 10})
    table = Table(
        pl.DataFrame({"q": ["a", "b"] * 5}), quasi=("q",), hierarchies={"q": same}, population=people
    )
    release = Auto().protect(table, [DeltaPresence(0, 0.6)])
    assert release.levels is not None
    assert [one.method for one in release.tried] == ["optimal"]


def test_promises_that_only_noise_can_make_lead_to_noise() -> None:
    assert Auto().chosen([KAnonymity(2)]) == Auto()
    assert Auto().chosen([DifferentialPrivacy(1)]) == NoisyCounts()
    assert Auto().chosen([DGammaPrivacy(0.1, 0.5)]) == NoisyCounts()
    with pytest.raises(
        BadParameter, match="both differential-privacy and k-anonymity; use --method noisy-counts"
    ):
        Auto().chosen([DifferentialPrivacy(1), KAnonymity(2)])
    with pytest.raises(BadParameter, match="people=10000"):
        Auto().chosen([DistributionalPrivacy(1, 0.1)])


def test_what_nobody_can_keep_says_so_as_the_exact_search_does() -> None:
    same = Hierarchy.of_levels([["a", "b"]])
    table = Table(pl.DataFrame({"q": ["a", "b"]}), quasi=("q",), hierarchies={"q": same})
    with pytest.raises(Unreachable):
        Auto().protect(table, [KAnonymity(3)])
