"""Figures of the service."""

import pytest

from shoal.core.errors import BadParameter
from shoal.queries.service.settings import Settings


def test_the_defaults_are_those_of_the_docs() -> None:
    settings = Settings()
    assert (settings.rate, settings.burst, settings.waiting) == (50, 100, 64)
    assert 3 <= settings.workers <= 17
    assert (settings.least_epsilon, settings.connections, settings.connections_each) == (1e-3, 1000, 100)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("rate", 0),
        ("burst", 0.5),
        ("workers", 0),
        ("workers", 1.5),
        ("waiting", -1),
        ("failures", float("nan")),
    ],
)
def test_a_figure_that_makes_no_sense_is_refused_by_name(name: str, value: float) -> None:
    with pytest.raises(BadParameter, match=f"{name} is"):
        Settings(**{name: value})  # type: ignore[arg-type]


def test_a_question_has_a_little_less_time_than_the_most_drawn_anew_for_each() -> None:
    for settings, most in ((Settings(), 30), (Settings(answer_after=2), 1.8), (Settings(deadline=1), 1)):
        drawn = [settings.within() for _ in range(200)]
        assert 0.8 * most <= min(drawn) < 0.85 * most < 0.95 * most < max(drawn) <= most
