"""What every lattice method can be asked for."""

import pytest

import shoal
from shoal.core.errors import BadParameter
from shoal.tables.search.lattice_method_options import LatticeRequest
from tables.pairs import people


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


@pytest.mark.parametrize("weight", ["age", "=2", "age=", "age=-1", "age=nan", "age=inf"])
def test_a_weight_that_is_none_is_refused(weight: str) -> None:
    with pytest.raises(BadParameter, match="a weight is COLUMN=NUMBER from 0 on, as in age=2"):
        LatticeRequest(weight=(weight,))


def test_weights_of_another_objective_are_refused() -> None:
    with pytest.raises(BadParameter, match="weights are what columns count in the loss, and entropy is opt"):
        LatticeRequest(objective="entropy", weight=("age=2",))


@pytest.mark.parametrize("method", ["optimal", "heuristic", "local-recoding", "cell-suppression", "auto"])
def test_the_weighted_loss_that_a_search_says_is_the_one_that_is_measured(method: str) -> None:
    frame, asked = people(150), {"quasi": ["age", "sex"], "sensitive": "ill"}
    release = shoal.protect(frame, k=5, weight={"age": 7}, method=method, **asked)  # type: ignore[call-overload]
    found = shoal.measure(release, original=frame, weight={"age": 7}, **asked)  # type: ignore[call-overload]
    assert release.losses["weighted_loss"] == pytest.approx(found.losses["weighted_loss"])


def test_a_column_that_counts_more_is_kept_finer() -> None:
    frame = people(400)
    asked = {"quasi": ["age", "sex"], "k": 4, "suppress": 0.0, "method": "optimal"}
    levels = [
        shoal.protect(frame, weight={column: 50}, **asked).levels["age"]  # type: ignore[call-overload]
        for column in ("age", "sex")
    ]
    assert levels[0] < levels[1]
    with pytest.raises(BadParameter, match="a weight for 'ill', which is no quasi-identifier"):
        shoal.protect(frame, weight={"ill": 2}, **asked)  # type: ignore[call-overload]
