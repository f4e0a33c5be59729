"""Local recoding: sound, and never worse than the optimal release it improves."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.lkc import LKC

from ..builders import cases, models_for, random_case, random_models
from .sound import assert_sound, with_ids


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_release_is_sound_or_there_is_none(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    share = data.draw(st.sampled_from([0.0, 0.1, 0.5]))
    table, method = with_ids(case), LocalRecoding(suppress=share, rounds=data.draw(st.integers(1, 5)))
    try:
        Optimal(suppress=share).protect(table, models)
    except Unreachable as told:
        with pytest.raises(Unreachable, match=str(told)[:20]):
            method.protect(table, models)
        return
    assert_sound(case, models, table, method.protect(table, models), int(share * case.rows + 1e-9))


@pytest.mark.parametrize("name", ["loss", "precision", "discernibility"])
def test_it_costs_no_more_than_the_optimal_release(name: str) -> None:
    chance, better = Random(11), 0
    for _ in range(20):
        case = random_case(chance)
        models, share = random_models(chance, case), chance.choice([0.0, 0.2])
        try:
            best = Optimal(name, share).protect(case.table(), models)
        except Unreachable:
            continue
        found = LocalRecoding(name, share).protect(case.table(), models)
        gain = best.losses[name] - found.losses[name]
        gain = -gain if name == "precision" else gain
        assert gain >= -1e-9
        better += gain > 1e-9
    assert better > 5


def test_what_makes_no_sense_is_refused() -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"rounds": 0}, "at least 1"),
        ({"suppress": -1.0}, "between 0 and 1"),
        ({"time_limit": 0.0}, "above 0"),
        ({"objective": "beauty"}, "no objective"),
    ]
    for bad, told in wrong:
        with pytest.raises(BadParameter, match=told):
            replace(LocalRecoding(), **bad)
    table = random_case(Random(1)).table()
    with pytest.raises(BadParameter, match="lkc speaks of the whole table"):
        LocalRecoding().protect(table, [LKC(2, 2, 0.5)])
    with pytest.raises(Unreachable, match="ask for no more"):
        LocalRecoding().protect(table, [KAnonymity(1000)])
