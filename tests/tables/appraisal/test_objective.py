"""What a search may rely on: costs only rise with the levels, and suppression costs at least as much."""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from shoal.tables.appraisal.objective import CellLoss
from shoal.tables.hierarchies import Hierarchy
from shoal.tables.measures.entropy import Entropy
from shoal.tables.measures.loss import Loss
from shoal.tables.measures.precision import Precision
from tables.builders import hierarchies


@pytest.mark.parametrize("ruler", [Loss(), Precision(), Entropy()], ids=lambda ruler: ruler.name)
@given(hierarchies(), st.data())
def test_costs_never_fall_on_the_way_up(ruler: CellLoss, hierarchy: Hierarchy, data: st.DataObject) -> None:
    many = len(hierarchy.leaves)
    counts = np.array(data.draw(st.lists(st.integers(0, 9), min_size=many, max_size=many)), np.float64)
    assume(counts.any())
    seen = counts > 0
    released = ruler.released(hierarchy, counts)[:, seen]
    assert (np.diff(released, axis=0) >= -1e-12).all()
    assert (released >= -1e-12).all()
    assert (released <= ruler.suppressed(counts)[seen] + 1e-12).all()
