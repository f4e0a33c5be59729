"""Local recoding: sound, and never worse than the optimal release it improves."""

from __future__ import annotations

from dataclasses import replace
from random import Random
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter, Unreachable
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.methods.local_recoding import LocalRecoding
from shoal.tables.methods.mondrian.mondrian import Mondrian
from shoal.tables.methods.optimal import Optimal
from shoal.tables.models.k_anonymity import KAnonymity
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.lkc import LKC
from shoal.tables.table import Table

from ..builders import Case, cases, hierarchies, models_for, random_case, random_models
from .sound import assert_sound, with_ids


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_a_release_is_sound_or_there_is_none(data: st.DataObject) -> None:
    case = data.draw(cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    share = data.draw(st.sampled_from([0.0, 0.1, 0.5]))
    table, ranges = with_ids(case), data.draw(st.booleans())
    method = LocalRecoding(suppress=share, rounds=data.draw(st.integers(1, 5)), ranges=ranges)
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


@st.composite
def numbered_cases(draw: st.DrawFn) -> Case:
    """Two columns of numbers, and one sensitive column."""
    texts = ["1", "2", "5", "7", "9", "30"]
    chosen = tuple(draw(hierarchies(6, 2, texts)) for _ in range(2))
    rows = draw(
        st.lists(st.tuples(*(st.sampled_from(one.leaves) for one in chosen)), min_size=1, max_size=30)
    )
    sensitive = tuple((draw(st.sampled_from(["1", "2", "5"])),) for _ in rows)
    return Case(chosen, tuple(rows), sensitive, (None,))


@settings(max_examples=40, deadline=None)
@given(st.data())
def test_it_costs_no_more_than_mondrian_and_its_labels_are_the_hierarchies(data: st.DataObject) -> None:
    numbers = data.draw(st.booleans())
    case = data.draw(numbered_cases() if numbers else cases(columns=(1, 3)))
    models = data.draw(models_for(case, at_least=1))
    try:
        theirs = Mondrian().protect(case.table(), models)
    except Unreachable:
        return
    ours = LocalRecoding(ranges=numbers, seed=3).protect(case.table(), models)
    assert ours.losses["loss"] <= theirs.losses["loss"] + 1e-9
    again = LocalRecoding(ranges=numbers, seed=3).protect(case.table(), models)
    assert again.table.frame.equals(ours.table.frame)
    if not numbers:
        for name, hierarchy in zip(case.quasi_names, case.hierarchies, strict=True):
            known = {label for level in hierarchy.names for label in level}
            assert set(ours.table.frame[name].to_list()) <= known


def test_without_ranges_numbers_get_labels_of_their_hierarchy() -> None:
    hierarchy = Hierarchy.of_levels([[str(n) for n in range(8)], [f"{n // 2 * 2}+" for n in range(8)]])
    frame = pl.DataFrame({"age": [str(n) for n in (1, 2, 3, 4, 5, 6)]})
    table = Table(frame, quasi=("age",), hierarchies={"age": hierarchy})
    plain = LocalRecoding().protect(table, [KAnonymity(3)])
    assert set(plain.table.frame["age"]) == {"*"}
    ranged = LocalRecoding(ranges=True).protect(table, [KAnonymity(3)])
    assert set(ranged.table.frame["age"]) == {"[1, 3]", "[4, 6]"}


def test_a_wide_table_loses_less_than_with_mondrian() -> None:
    chance = np.random.default_rng(8)
    hierarchy = Hierarchy.of_levels([list("abcdefgh"), list("11223344"), list("AAAABBBB")])
    trait = chance.integers(0, 8, (400, 1))
    drawn = np.where(chance.random((400, 12)) < 0.7, trait, chance.integers(0, 8, (400, 12)))
    names = tuple(f"q{c}" for c in range(12))
    frame = pl.DataFrame({name: ["abcdefgh"[v] for v in drawn[:, c]] for c, name in enumerate(names)})
    frame = frame.with_columns(pl.Series("ill", chance.choice(list("xyz"), 400)))
    table = Table(frame, quasi=names, sensitive=("ill",), hierarchies=dict.fromkeys(names, hierarchy))
    for models in ([KAnonymity(4)], [KAnonymity(4), LDiversity(2, "distinct")]):
        theirs = Mondrian().protect(table, models).losses["loss"]
        assert LocalRecoding().protect(table, models).losses["loss"] < 0.97 * theirs


def test_rows_that_cost_the_others_most_are_left_out_as_far_as_allowed() -> None:
    hierarchy = Hierarchy.of_levels([list("abcdefgh"), list("11223344")])
    frame = pl.DataFrame({"q": [*"aaaaa", "h", *"ccccc", "e"], "r": [*"aaaaah", *"ccccce"]})
    table = Table(frame, quasi=("q", "r"), hierarchies=dict.fromkeys("qr", hierarchy))
    losses = []
    for share, most in ((0.0, 0), (0.1, 1), (0.2, 2)):
        release = LocalRecoding(suppress=share).protect(table, [KAnonymity(5)])
        assert release.suppressed <= most
        losses.append(release.losses["loss"])
    assert losses[0] > losses[2] == pytest.approx(2 / 12)


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
