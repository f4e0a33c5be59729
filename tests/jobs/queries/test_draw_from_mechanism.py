"""One draw of a mechanism by hand."""

import json

import pytest

from shoal.catalog import find, names, noun_of
from shoal.core.errors import BadParameter
from shoal.core.outcome import Outcome
from shoal.jobs.queries.draw_from_mechanism import draw
from shoal.queries.mechanisms.laplace import Laplace

QUESTIONS = [name for name in names("mechanism") if noun_of("mechanism", name) == "query"]


@pytest.mark.parametrize("name", QUESTIONS)
def test_every_mechanism_of_the_catalog_can_be_drawn_from(name: str) -> None:
    part = find("mechanism", name)
    drawn = draw(f"{name}({part.example})", list(part.audit_pair[1]))
    assert isinstance(drawn, Outcome)
    document = json.loads(json.dumps(drawn.to_json(), allow_nan=False))
    assert document["mechanism"].startswith(name) and document["released"] is not None
    for rows in drawn.to_tables().values():
        assert len({len(row) for row in rows}) == 1


def test_a_very_large_epsilon_tells_the_truth() -> None:
    assert draw("laplace(epsilon=900)", 14).released == 14
    assert draw("laplace(epsilon=900)", "14").released == 14
    assert draw("laplace(epsilon=900)", [14]).released == [14]
    assert draw("histogram(epsilon=900)", "3,0,5").released == [3, 0, 5]
    assert draw("exponential(epsilon=900)", [1, 9, 2]).released == 1
    assert draw(Laplace(900), 14).released == 14  # type: ignore[arg-type]


def test_real_noise_is_asked_for_and_not_seen_from_the_number() -> None:
    released = draw("laplace(epsilon=900)", 14, real=True).released
    assert isinstance(released, float) and abs(released - 14) < 0.1
    with pytest.raises(BadParameter, match="--real"):
        draw("laplace(epsilon=1)", 14.5)
    able = [name for name in names("mechanism") if find("mechanism", name).takes_real]
    asked = f"--real takes one number and {' or '.join(able)}, not"
    with pytest.raises(BadParameter, match=f"{asked} 2 numbers and laplace"):
        draw("laplace(epsilon=1)", [1, 2], real=True)
    with pytest.raises(BadParameter, match=f"{asked} 1 number and histogram"):
        draw("histogram(epsilon=1)", 1, real=True)


@pytest.mark.parametrize("values", ["", "a", "1,,2", "1e3", "１"])
def test_what_is_no_number_is_refused(values: str) -> None:
    with pytest.raises(BadParameter, match="not a"):
        draw("laplace(epsilon=1)", values)


def test_a_mechanism_that_is_not_there_is_refused() -> None:
    with pytest.raises(BadParameter, match="no mechanism 'lap'"):
        draw("lap(epsilon=1)", 1)
