"""What an attack on questions may be asked, and what not."""

from typing import Any

import pytest

from shoal.core.errors import BadParameter
from shoal.jobs.queries.requests import AttackQuery, CompareQuery

DATA = {"patients": "patients.csv"}


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"data": None}, "no private table"),
        ({"attack": None}, "no attack named"),
        ({"show": -1}, "0 for all"),
        ({"seed": -1}, "from 0 on"),
        ({"service": "http://127.0.0.1:1", "against": "plain"}, "both say who answers"),
        ({"dataset": "clinic"}, "--service URL"),
    ],
)
def test_what_contradicts_itself_is_refused(words: dict[str, Any], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        AttackQuery(**{"data": DATA, "attack": "differencing", **words})


def test_columns_and_ways_are_lists() -> None:
    assert AttackQuery(data=DATA, attack="tracker", known="sex,town").known == ("sex", "town")
    assert CompareQuery(data=DATA, against="plain").against == ("plain",)
    with pytest.raises(BadParameter, match="at least 1"):
        CompareQuery(data=DATA, questions=0)
