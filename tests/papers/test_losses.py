"""T7 of the mission: the losses on the worked examples, to the digit."""

import math

import numpy as np
import pytest

from shoal.tables.appraisal.recoding import Recoding, full_domain
from shoal.tables.hierarchies import Hierarchy, masked
from shoal.tables.measures.discernibility import Discernibility
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from tables.builders import one_column


def one_level(hierarchy: Hierarchy, level: int, counts: list[int]) -> Recoding:
    """So many rows of each leaf, all released on one level as one class."""
    return full_domain(
        [hierarchy], [level], [np.array(counts, np.float64)], [np.zeros(len(counts))], np.array([sum(counts)])
    )


def test_classes_of_two_and_three_rows_have_discernibility_13() -> None:
    assert Discernibility().of_sizes(np.array([2, 3]), 0) == 13


@pytest.mark.parametrize(("height", "distortion"), [(0, 0.0), (2, 0.5), (4, 1.0)])
def test_zip_codes_at_heights_0_2_and_4_of_4(height: int, distortion: float) -> None:
    codes = ["4767", "4760", "4905", "4909"]
    hierarchy = masked(codes)
    assert hierarchy.height == 4
    recoding = one_level(hierarchy, height, [3, 1, 1, 2])
    assert 1 - Precision().measure(recoding) == distortion


@pytest.mark.parametrize(("counts", "bits"), [([10, 0], 0.0), ([5, 5], 1.0)])
def test_entropy_of_ten_and_none_is_0_and_of_five_and_five_is_1_bit(counts: list[int], bits: float) -> None:
    hierarchy = Hierarchy.of_levels([["yes", "no"]])
    per_cell = Entropy().released(hierarchy, np.array(counts))[-1]
    assert (per_cell * counts).sum() / 10 == bits
    in_class = one_column([["yes"] * counts[0] + ["no"] * counts[1]]).sensitive["s"].entropy[0]
    assert in_class / math.log(2) == pytest.approx(bits)


def test_a_label_that_covers_all_leaves_has_lost_everything() -> None:
    """Seed 001 divides by the leaves and never reaches 1; one less is right, in numerator and denominator."""
    hierarchy = Hierarchy.of_levels([list("abcd"), list("ppqq")])
    assert [Loss().measure(one_level(hierarchy, level, [1, 1, 1, 1])) for level in range(3)] == [0, 1 / 3, 1]
