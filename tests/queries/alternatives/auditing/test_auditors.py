"""Auditors against brute force."""

import itertools
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.queries.alternatives.auditing.auditors import CountAuditor, MaxAuditor, SumAuditor

GROUPS = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=1, max_size=6)


def span_has_a_unit_vector(groups: list[list[bool]]) -> bool:
    """The plain twin: Gauss over the rationals."""
    rows = [[Fraction(int(cell)) for cell in group] for group in groups]
    done: list[list[Fraction]] = []
    for column in range(5):
        pivot = next((row for row in rows if row[column]), None)
        if pivot is None:
            continue
        rows.remove(pivot)
        pivot = [cell / pivot[column] for cell in pivot]
        rows, done = (
            [[a - row[column] * b for a, b in zip(row, pivot, strict=True)] for row in part]
            for part in (rows, done)
        )
        done.append(pivot)
    return any(sum(cell != 0 for cell in row) == 1 for row in done)


@given(GROUPS)
def test_sums_are_refused_exactly_where_somebody_follows_from_them(groups: list[list[bool]]) -> None:
    auditor = SumAuditor(5)
    told: list[list[bool]] = []
    for group in groups:
        about = np.array(group)
        refused = auditor.discloses(about, 0.0)
        assert refused == span_has_a_unit_vector([*told, group])
        if not refused:
            auditor.remember(about, 0.0)
            told.append(group)


def fixed(groups: list[list[bool]], values: tuple[int, ...]) -> bool:
    """The plain twin: whether somebody is the same in all worlds that fit."""

    def counts(world: tuple[int, ...]) -> list[int]:
        return [sum(v for v, inside in zip(world, group, strict=True) if inside) for group in groups]

    fitting = [world for world in itertools.product((0, 1), repeat=5) if counts(world) == counts(values)]
    return any(len({world[who] for world in fitting}) == 1 for who in range(5))


@settings(max_examples=60)
@given(GROUPS, st.tuples(*[st.integers(0, 1)] * 5))
def test_what_the_count_auditor_refuses_would_have_told_somebody(
    groups: list[list[bool]], values: tuple[int, ...]
) -> None:
    auditor = CountAuditor(5)
    told: list[list[bool]] = []
    for group in groups:
        about = np.array(group)
        if not about.any():
            continue
        answer = float(np.array(values)[about].sum())
        if auditor.discloses(about, answer):
            assert fixed([*told, group], values)
        else:
            auditor.remember(about, answer)
            told.append(group)


def test_the_count_auditor_sees_a_question_inside_another() -> None:
    auditor = CountAuditor(3)
    everybody, first_two = np.array([True] * 3), np.array([True, True, False])
    auditor.remember(everybody, 2)
    assert auditor.discloses(first_two, 1)  # the third has it
    assert not CountAuditor(3).discloses(first_two, 1)
    assert CountAuditor(3).discloses(first_two, 2) and CountAuditor(3).discloses(first_two, 0)


@settings(max_examples=60)
@given(GROUPS, st.permutations([1.0, 2.0, 3.0, 4.0, 5.0]))
def test_after_what_the_max_auditor_tells_nobody_is_alone_with_a_maximum(
    groups: list[list[bool]], values: list[float]
) -> None:
    auditor, told = MaxAuditor(5), []
    for group in groups:
        about = np.array(group)
        if not about.any():
            continue
        answer = float(np.array(values)[about].max())
        if not auditor.discloses(about, answer):
            auditor.remember(about, answer)
            told.append((about, answer))
    limits = [min((most for about, most in told if about[who]), default=9.0) for who in range(5)]
    for about, most in told:
        able = [who for who in range(5) if about[who] and limits[who] >= most]
        assert len(able) > 1 and all(limits[who] == most for who in able)


def test_the_example_of_simulatable_auditing() -> None:
    # max{x1, x2, x3} = 5 is told; max{x1, x2} is refused exactly where x3 = 5.
    for values, refused in (([1.0, 2.0, 5.0], True), ([5.0, 2.0, 1.0], False)):
        auditor, first_two = MaxAuditor(3), np.array([True, True, False])
        auditor.remember(np.array([True] * 3), max(values))
        assert auditor.discloses(first_two, max(values[:2])) == refused


@pytest.mark.parametrize("auditor", [SumAuditor(4), CountAuditor(4), MaxAuditor(4)])
def test_one_person_is_never_told(auditor: SumAuditor | CountAuditor | MaxAuditor) -> None:
    assert auditor.discloses(np.array([False, True, False, False]), 1.0)
