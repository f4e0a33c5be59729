"""Re-identification risk of classes."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from shoal.tables.measures.risk import Exposure, Journalist, Marketer, Prosecutor

sizes = st.lists(st.tuples(st.integers(1, 50), st.integers(0, 50)), min_size=1, max_size=30)


@given(sizes)
def test_by_the_row(pairs: list[tuple[int, int]]) -> None:
    released = np.array([own for own, _ in pairs])
    population = np.array([own + others for own, others in pairs])
    exposure = Exposure(released, population)
    own = [1 / size for size in released for _ in range(size)]
    theirs = [1 / size for size, rows in zip(population, released, strict=True) for _ in range(rows)]
    for risk, rows in ((Prosecutor().measure(exposure), own), (Journalist().measure(exposure), theirs)):
        assert risk.lowest == min(rows) and risk.highest == max(rows)
        assert abs(risk.average - sum(rows) / len(rows)) < 1e-12
        assert risk.lowest <= risk.average + 1e-12 <= risk.highest + 2e-12
    assert abs(Marketer().measure(exposure) - sum(theirs) / len(theirs)) < 1e-12
    assert Journalist().measure(exposure).highest <= Prosecutor().measure(exposure).highest


def test_a_spread_is_json() -> None:
    spread = Prosecutor().measure(Exposure.of_sample(np.array([2, 2])))
    assert spread.to_json() == {"lowest": 0.5, "average": 0.5, "highest": 0.5}
