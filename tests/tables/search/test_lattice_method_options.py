"""What every lattice method can be asked for."""

import pytest

from shoal.core.errors import BadParameter
from shoal.tables.search.lattice_method_options import LatticeRequest


@pytest.mark.parametrize(
    ("given", "cause"),
    [
        ({"suppress": 1.5}, "between 0 and 1, not 1.5"),
        ({"suppress": float("nan")}, "between 0 and 1, not nan"),
        ({"time_limit": 0.0}, "seconds above 0, not 0"),
        ({"objective": "beauty"}, "no objective 'beauty'"),
    ],
)
def test_what_cannot_be_is_refused_with_the_value(given: dict[str, float], cause: str) -> None:
    with pytest.raises(BadParameter, match=cause):
        LatticeRequest(**given)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("share", "rows", "allowed"), [(0.29, 100, 29), (0.05, 30_162, 1508), (1.0, 7, 7), (0.0, 9, 0)]
)
def test_the_limit_is_the_product_as_it_was_written(share: float, rows: int, allowed: int) -> None:
    assert LatticeRequest(suppress=share).allowed(rows) == allowed
