"""Ways to answer, compared on the same people."""

from pathlib import Path

import pytest

from queries.attacked import people
from shoal.core.errors import BadParameter
from shoal.jobs.queries.compare import compare_query
from shoal.jobs.queries.requests import CompareQuery

DATA = {"patients": people(300).frame}


def test_promises_cost_error_and_exact_answers_cost_people(tmp_path: Path) -> None:
    job = CompareQuery(
        data=DATA,
        unit="id",
        secret="ill=flu",
        against=("plain", "private"),
        seed=1,
        output=tmp_path / "c.svg",
    )
    told = compare_query(job)
    assert [row.loss for row in told.rows] == [1.0, None]
    plain = told.rows[-1]
    assert plain.error == 0 and plain.best.rate.value == 1
    for row in told.rows[:1]:
        assert row.error is not None and row.error > 1 and row.best.rate.value < 0.95
    assert (tmp_path / "c.svg").exists() and told.questions == 10


@pytest.mark.parametrize(
    ("words", "says"),
    [
        ({"secret": None}, "--secret"),
        ({"secret": "age"}, "--secret age=VALUE"),
        ({"epsilon": "0"}, "--epsilon 0"),
        ({"against": "nothing"}, "no alternative"),
        ({"output": "c.doc"}, "unknown extension"),
    ],
)
def test_what_cannot_be_compared_is_refused(words: dict[str, str], says: str) -> None:
    with pytest.raises(BadParameter, match=says):
        compare_query(CompareQuery(**{"data": DATA, "unit": "id", "secret": "ill=flu", **words}))  # type: ignore[arg-type]
