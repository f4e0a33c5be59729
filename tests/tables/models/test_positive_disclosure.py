"""pd-recursive (c,l)-diversity against the paper's two cases, and against who rules values out."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.l_diversity import LDiversity
from shoal.tables.models.positive_disclosure import PositiveDisclosure

from ..builders import one_column
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

models = st.builds(
    PositiveDisclosure,
    st.sampled_from([0.3, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0]),
    st.integers(2, 4),
    st.lists(st.sampled_from("abcde"), unique=True, max_size=3).map(tuple),
)


def twin(model: PositiveDisclosure) -> Keeps:
    """The definition as the paper prints it, with places counted from 1."""

    def keeps(group: Sequence[Label]) -> bool:
        ranked = Counter(group).most_common()
        r = [0, *(count for _, count in ranked)]
        y = next((i for i, (value, _) in enumerate(ranked, 1) if value not in model.allowed), None)
        if y is None:
            return True
        m, c = len(ranked), Fraction(str(model.c))
        if y <= model.l - 1:
            return r[y] < c * sum(r[j] for j in range(model.l, m + 1))
        before = sum(r[j] for j in range(model.l - 1, y))
        return r[y] < c * (before + sum(r[j] for j in range(y + 1, m + 1)))

    return keeps


@settings(max_examples=120)
@given(letters, models)
def test_a_class_holds_exactly_when_the_definition_says_so(
    groups: list[list[str]], model: PositiveDisclosure
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))


@settings(max_examples=60, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(groups: list[list[str]], model: PositiveDisclosure) -> None:
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model), group, domain_of(groups))


@given(letters, st.sampled_from([0.5, 1.0, 3.0]), st.integers(2, 4))
def test_with_nothing_allowed_it_is_recursive_diversity(
    groups: list[list[str]],
    c: float,
    l: int,  # noqa: E741
) -> None:
    seen = one_column(groups)
    ours, theirs = PositiveDisclosure(c, l), LDiversity(l, "recursive", c)
    assert (ours.holds(seen) == theirs.holds(seen)).all()
    assert ours.level(seen) == theirs.level(seen)


@given(letters, models)
def test_nobody_who_rules_out_l_minus_2_values_is_too_sure_of_a_secret(
    groups: list[list[str]], model: PositiveDisclosure
) -> None:
    """The attack that the model is made against, tried in full."""
    for group, holds in zip(groups, model.holds(one_column(groups)), strict=True):
        tally = Counter(group)
        for secret in set(tally) - set(model.allowed):
            others = sorted(set(tally) - {secret})
            for ruled_out in combinations(others, min(model.l - 2, len(others))):
                left = sum(tally[value] for value in others if value not in ruled_out)
                if holds:
                    assert tally[secret] < Fraction(str(model.c)) * left


def test_healthy_may_be_common_and_even_certain() -> None:
    """Seed 003: most people are healthy, and may be known to be; recursive diversity forbids it."""
    seen = one_column([["healthy"] * 97 + ["flu", "HIV", "gout"], ["healthy"] * 5, ["HIV"] * 3 + ["flu"]])
    assert not LDiversity(2, "recursive", 3).holds(seen)[0]
    model = PositiveDisclosure(3, 2, ("healthy",))
    assert model.holds(seen).tolist() == [True, True, False]
    assert model.doomed(seen).tolist() == [0, 0, 1]


@pytest.mark.parametrize(
    ("c", "l", "message"),
    [
        (0, 2, "c above 0, not 0"),
        (math.nan, 2, "not nan"),
        (math.inf, 2, "not inf"),
        (3, 1, "at least 2, not 1"),
    ],
)
def test_bad_parameters_are_refused(c: float, l: int, message: str) -> None:  # noqa: E741
    with pytest.raises(BadParameter, match=message):
        PositiveDisclosure(c, l)
