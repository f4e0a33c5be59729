"""npd-recursive (c1,c2,l)-diversity against its definition."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from shoal.core.errors import BadParameter
from shoal.tables.model_inputs.text_values import Label
from shoal.tables.models.negative_positive_disclosure import NegativePositiveDisclosure
from shoal.tables.models.positive_disclosure import PositiveDisclosure

from ..builders import one_column
from . import test_positive_disclosure as positive
from .refining import Keeps, agrees, domain_of, letters, spares_no_doomed_row

models = st.builds(
    NegativePositiveDisclosure,
    st.sampled_from([0.5, 1.0, 2.0, 10.0]),
    st.sampled_from([5.0, 10.0, 20.0, 33.3, 50.0]),
    st.integers(2, 3),
    st.lists(st.sampled_from("abe"), unique=True, min_size=1, max_size=2).map(tuple),
    st.lists(st.sampled_from("cd"), unique=True, max_size=2).map(tuple),
)


def twin(model: NegativePositiveDisclosure) -> Keeps:
    diverse = positive.twin(PositiveDisclosure(model.c1, model.l, model.allowed))

    def keeps(group: Sequence[Label]) -> bool:
        least = Fraction(str(model.c2)) / 100
        return diverse(group) and all(Fraction(group.count(v), len(group)) >= least for v in model.protected)

    return keeps


@settings(max_examples=80)
@given(letters, models)
def test_a_class_holds_exactly_when_the_definition_says_so(
    groups: list[list[str]], model: NegativePositiveDisclosure
) -> None:
    agrees(model, twin(model), groups, domain_of(groups))
    shares = [Fraction(100 * group.count(v), len(group)) for group in groups for v in model.protected]
    assert model.level(one_column(groups)) == pytest.approx(float(min(shares)))


@settings(max_examples=80, deadline=None)
@given(letters, models)
def test_no_refinement_releases_a_doomed_row(
    groups: list[list[str]], model: NegativePositiveDisclosure
) -> None:
    for group in groups[:2]:
        spares_no_doomed_row(model, twin(model), group, domain_of(groups))


def test_a_class_where_nobody_has_the_value_clears_everybody_and_is_refused() -> None:
    seen = one_column([["flu", "gout", "cold", "HIV"], ["flu", "gout", "cold", "cold"]])
    model = NegativePositiveDisclosure(3, 20, 2, ("HIV",))
    assert model.holds(seen).tolist() == [True, False]
    assert model.level(seen) == 0 and model.doomed(seen).tolist() == [0, 4]
    assert PositiveDisclosure(3, 2).holds(seen).all()
    assert "0 % of the rarest protected value" in model.unmet(seen)


def test_a_value_that_left_the_table_altogether_is_missed() -> None:
    seen = one_column([["flu", "gout", "cold"]])
    assert not NegativePositiveDisclosure(3, 20, 2, ("HIV",)).holds(seen).any()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((0, 20, 2, ("a",)), "c1 above 0, not 0"),
        ((3, 0, 2, ("a",)), "up to 100 for 1 protected values, not 0"),
        ((3, 60, 2, ("a", "b")), "up to 50 for 2 protected values, not 60"),
        ((3, math.nan, 2, ("a",)), "not nan"),
        ((3, 20, 1, ("a",)), "l of at least 2, not 1"),
        ((3, 20, 2, ()), "needs protected values"),
    ],
)
def test_bad_parameters_are_refused(
    arguments: tuple[float, float, int, tuple[str, ...]], message: str
) -> None:
    with pytest.raises(BadParameter, match=message):
        NegativePositiveDisclosure(*arguments)
